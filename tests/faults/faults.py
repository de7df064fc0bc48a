#!/usr/bin/python3
"""Ranks that die, are asked to stop, or fail alone. Usage: faults.py RONDO WORK_DIR MPIEXEC CASE"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy as np

RONDO, WORK, MPIEXEC, CASE = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
RANKS = 3

# Many cheap updates: seconds of training, a checkpoint every second update or so, batches that do not divide evenly.
JOB = """[model]
states = ["x", "v"]
parameters = ["k", "c"]
[model.rates]
x = "v"
v = "-k*x - c*v"
[model.initial]
x = "1 + index/100"
v = "0"
[ensemble]
trajectories = 200
times = { start = 0.0, stop = 10.0, step = 0.25 }
target = "exp(-0.1*t)*cos(2*t)"
[parameters]
k = { initial = 3.0, scale = "log" }
c = { initial = 0.5, scale = "log" }
[solver]
kernels = "interpreted"
[train]
optimizer = "adam"
learning_rate = 0.001
epochs = 40
batch_size = 23
seed = 5
[checkpoint]
every = 2
"""


def launch(ranks, *arguments):
    """Start the program; without mpirun where `ranks` is 0. It is a process group of its own, so nothing of it can stay behind."""
    command = [MPIEXEC, "-n", str(ranks)] if ranks else []
    return subprocess.Popen([*command, RONDO, *map(str, arguments)], cwd=WORK, text=True, start_new_session=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def end(process, within_s):
    """Wait for the end: exit code, standard error, seconds. Later than `within_s` is a failure."""
    start = time.monotonic()
    try:
        _, said = process.communicate(timeout=within_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise AssertionError(f"still running after {within_s} s: {process.communicate()[1]}") from None
    return process.returncode, said, time.monotonic() - start


def train(ranks, directory, *arguments):
    return launch(ranks, "train", WORK / "job.toml", "--output", directory, *arguments)


def finish(process):
    code, said, _ = end(process, 120)
    assert code == 0, f"exit code {code}: {said}"
    return said


def wait_for_checkpoint(directory, process):
    """Until the run has written at least update 10, but is not over."""
    for _ in range(3000):
        assert process.poll() is None, f"ended early: {process.communicate()[1]}"
        if any(int(path.stem.split("_")[1]) >= 10 for path in (WORK / directory).glob("checkpoint_*.h5")):
            return
        time.sleep(0.01)
    raise AssertionError("no checkpoint came")


def ranks_of(process):
    """Process numbers of the program below mpirun."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.getsid(int(path.name)) == process.pid and (path / "exe").resolve() == pathlib.Path(RONDO).resolve():
                found.append(int(path.name))
        except OSError:
            pass  # it has just ended
    return sorted(found)


def require_same_end(one, other):
    with h5py.File(WORK / one / "result.h5", "r") as a, h5py.File(WORK / other / "result.h5", "r") as b:
        for name in ("/parameters/values", "/history/loss", "/history/update"):
            assert np.array_equal(a[name][:], b[name][:]), f"{name} differs between {one} and {other}"
        assert len(a["/history/loss"]) > 100


def killed_rank():
    """A killed rank ends all within ten seconds; --resume ends in the bits of a run that nothing happened to."""
    finish(train(RANKS, "whole"))
    process = train(RANKS, "killed")
    wait_for_checkpoint("killed", process)
    ranks = ranks_of(process)
    assert len(ranks) == RANKS, ranks
    os.kill(ranks[1], signal.SIGKILL)
    code, said, _ = end(process, 10)
    assert code != 0, said
    assert not ranks_of(process), "no rank stays behind"
    assert not (WORK / "killed" / "result.h5").exists()
    assert "going on from" in finish(train(RANKS, "killed", "--resume"))
    require_same_end("whole", "killed")


def stopped(number, first_ranks, then_ranks):
    """A signal to the process that was started writes a checkpoint and exits 75; on other rank counts it goes on to the same bits."""
    finish(train(RANKS, "whole"))
    process = train(first_ranks, "stopped")
    wait_for_checkpoint("stopped", process)
    os.kill(process.pid, number)
    code, said, _ = end(process, 20)
    assert code == 75, f"exit code {code}: {said}"
    assert "--resume" in said, said
    assert not (WORK / "stopped" / "result.h5").exists()
    said = finish(train(then_ranks, "stopped", "--resume"))
    assert "going on from" in said, said
    require_same_end("whole", "stopped")


def sigterm_alone():
    stopped(signal.SIGTERM, 0, 2)


def sigusr1_alone():
    stopped(signal.SIGUSR1, 0, RANKS)


def sigusr1_to_mpirun():
    stopped(signal.SIGUSR1, RANKS, 2)


def signal_to_one_rank():
    """One rank alone hears of it: all stop after the same update."""
    process = train(RANKS, "one")
    wait_for_checkpoint("one", process)
    os.kill(ranks_of(process)[-1], signal.SIGUSR1)
    code, said, _ = end(process, 20)
    assert code == 75, f"exit code {code}: {said}"
    assert said.count("asked to stop after") == 1, said


def sigterm_to_mpirun():
    """mpirun passes SIGTERM on and soon kills: whatever is left behind can be resumed to the same bits."""
    finish(train(2, "whole"))
    process = train(RANKS, "terminated")
    wait_for_checkpoint("terminated", process)
    process.send_signal(signal.SIGTERM)
    code, said, _ = end(process, 20)
    assert code != 0, said
    finish(train(1, "terminated", "--resume"))
    require_same_end("whole", "terminated")


def lonely_input_error():
    """Rank 1 alone finds its data file wrong: one message, which names the rank, and every rank ends."""
    rows = "trajectory,time,observable,value\n1,1.0,x,0.5\n2,1.0,x,0.4\n"
    begin, rest = JOB.index("[ensemble]"), JOB.index("[parameters]")
    text = JOB[:begin] + '[data]\nfile = "data.csv"\n' + JOB[rest:]
    for rank in range(RANKS):
        (WORK / f"rank_{rank}").mkdir()
        (WORK / f"rank_{rank}" / "job.toml").write_text(text)
        (WORK / f"rank_{rank}" / "data.csv").write_text(rows.replace("0.4", "much") if rank == 1 else rows)
    script = 'cd rank_$OMPI_COMM_WORLD_RANK && exec "$0" train job.toml'
    process = subprocess.Popen([MPIEXEC, "-n", str(RANKS), "sh", "-c", script, RONDO], cwd=WORK, text=True, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    code, said, _ = end(process, 20)
    assert code == 2, f"exit code {code}: {said}"
    assert said.count('"much" is not a finite number') == 1, said
    assert f"[rank 1 of {RANKS}] " in said, said


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    (WORK / "job.toml").write_text(JOB)
    cases = (killed_rank, sigterm_alone, sigusr1_alone, sigusr1_to_mpirun, signal_to_one_rank, sigterm_to_mpirun, lonely_input_error)
    {case.__name__: case for case in cases}[CASE]()
    print("passed")


main()
