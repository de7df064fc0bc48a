"""What the command tests share: the program, a scratch directory, and a small job to start from."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

RONDO = pathlib.Path(sys.argv[1])
WORK = pathlib.Path(sys.argv[2])
HANGS_AFTER_S = 60

# Exponential decay of ten trajectories; the truth is k = 0.7, a = 2.
DECAY = """title = "decay"
[model]
states = ["x"]
parameters = ["k", "a"]
[model.rates]
x = "-k*x"
[model.initial]
x = "a*size"
[ensemble]
trajectories = 10
times = { start = 0.0, stop = 2.0, step = 0.25 }
target = "2*size*exp(-0.7*t)"
[ensemble.covariates]
size = "0.5 + index/10"
[parameters]
k = { initial = 0.3, scale = "log" }
a = { initial = 1.0 }
[loss]
kind = "squared"
[solver]
rtol = 1e-9
atol = 1e-11
kernels = "interpreted"
[train]
optimizer = "levenberg_marquardt"
epochs = 30
"""


class Done:
    """How a run of the program ended."""

    def __init__(self, process):
        self.code, self.out, self.err = process.returncode, process.stdout, process.stderr

    def __str__(self):
        return f"exit code {self.code}\nstandard output: {self.out}\nstandard error: {self.err}"


def rondo(*arguments, launch=(), cwd=None, **environment):
    """Run the program to its end; a hang is an exception."""
    process = subprocess.run([*launch, RONDO, *map(str, arguments)], cwd=cwd or WORK, capture_output=True, text=True,
                             timeout=HANGS_AFTER_S, env={**os.environ, **environment})
    return Done(process)


def succeed(*arguments, **more):
    """Run the program and insist on exit code 0."""
    done = rondo(*arguments, **more)
    assert done.code == 0, f"{arguments}: {done}"
    return done


def refuse(code, words, *arguments, **more):
    """Run the program and insist on this exit code, every one of these words, and no sign of a crash."""
    done = rondo(*arguments, **more)
    assert done.code == code, f"{arguments}: wanted exit code {code}: {done}"
    for word in [words] if isinstance(words, str) else words:
        assert word in done.err, f"{arguments}: wanted \"{word}\": {done}"
    for sign in ("terminate called", "Segmentation", "received signal", "bug in rondo"):
        assert sign not in done.err, f"{arguments}: {done}"
    assert done.out == "", f"{arguments}: nothing is printed on standard output: {done}"
    return done


def only_json(done):
    """Standard output read as one JSON object, on one line, and nothing else."""
    assert done.out.startswith("{") and done.out.endswith("}\n") and done.out.count("\n") == 1, str(done)
    return json.loads(done.out)


def write(name, text):
    path = WORK / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def changed(text, old, new):
    """`text` with one place replaced; a test that no longer changes anything is a mistake."""
    assert text.count(old) >= 1, f"{old!r} is not in the job"
    return text.replace(old, new, 1)


def fresh_work():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ.setdefault("RONDO_CACHE_DIR", str(WORK / "cache"))


def main(groups):
    """Run the group the command line names: every function of its list."""
    fresh_work()
    for test in groups[sys.argv[3]]:
        test()
        print(f"passed: {test.__name__}")
