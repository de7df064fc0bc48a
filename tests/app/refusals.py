#!/usr/bin/python3
"""Bad input through the program: each with the exit code and the words a user must read. Usage: refusals.py RONDO WORK_DIR GROUP"""

import os
import shutil

import h5py

from program import DECAY, WORK, changed, main, refuse, rondo, succeed, write

# arguments after which JOB stands for a good job file -> what must be said (exit code 2)
COMMAND_LINES = [
    ([], ["subcommand is required", "rondo --help"]),
    (["trian", "JOB"], ['command "trian" is unknown', 'did you mean "train"?']),
    (["train"], "JOB is required"),
    (["train", "JOB", "--reume"], ['option "--reume" is unknown', 'did you mean "--resume"?']),
    (["train", "JOB", "extra"], "not expected: extra"),
    (["train", "JOB", "--ranks", "2"], 'option "--ranks" is unknown'),
    (["train", "JOB", "-q", "-v"], "--quiet excludes --verbose"),
    (["train", "JOB", "--resume", "--overwrite"], ["--overwrite", "--resume", "excludes"]),
    (["train", "JOB", "--output"], "--output"),
    (["train", "JOB", "--output", ""], ["--output", "is empty"]),
    (["train", "JOB", "--output", "a", "--output", "b"], "--output"),
    (["train", ""], ["JOB", "is empty"]),
    (["train", "JOB", "--set", "train.epochs"], "there is no = in it"),
    (["train", "JOB", "--set", "train.epocs=3"], ['[train] key "epocs" is unknown', 'did you mean "epochs"?']),
    (["train", "JOB", "--set", "nothing.a=3"], 'key "nothing" is unknown'),
    (["train", "JOB", "--set", "=3"], "names no key"),
    (["train", "JOB", "--set", "train.epochs="], "a whole number from 1 to"),
    (["train", "JOB", "--set", "train.epochs=1.5"], "epochs = 1.5"),
    (["train", "JOB", "--set", "train.epochs.x=1"], "nothing to set inside it"),
    (["evaluate", "JOB"], "--checkpoint is required"),
    (["simulate", "JOB"], "--output is required"),
    (["gradient", "JOB", "--method", "magic"], ["magic", "forward,adjoint,differences"]),
    (["gradient", "JOB", "--repeat", "0"], ["--repeat", "1 to"]),
    (["gradient", "JOB", "--repeat", "often"], ["--repeat", "often"]),
    (["check", "JOB", "--ranks", "0"], ["--ranks", "1 to"]),
    (["check", "JOB", "--ranks", "-3"], ["--ranks", "-3"]),
    (["check", "JOB", "--resume"], 'option "--resume" is unknown'),
    (["inspect"], "FILE is required"),
]

ESTIMATED = 'k = { initial = 0.3, scale = "log" }\na = { initial = 1.0 }'

# place in the job -> what stands there instead, and what must be said (exit code 2)
JOBS = [
    ('"decay"', "decay", ["bad.toml:1:", "no TOML"]),
    ("epochs = 30", "epochs = 30\nepochs = 30", ["bad.toml:27", "epochs"]),
    ("[train]", "[trian]", ['key "trian" is unknown', 'did you mean "train"?']),
    ("rtol", "rtoll", ["bad.toml:21", '[solver] key "rtoll" is unknown', 'did you mean "rtol"?']),
    ("rtol = 1e-9", 'rtol = "small"', ['rtol = "small" is a string', "above 0 and below 1"]),
    ("rtol = 1e-9", "rtol = -1", "rtol = -1 is out of range"),
    ("[solver]", '[solver]\nengine = "sngle"', ['engine = "sngle" is unknown', "single"]),
    ("[solver]", '[solver]\nmethod = "bfd"', 'did you mean "bdf"?'),
    ("-k*x", "-k*y", ["[model.rates] x", 'name "y" is unknown']),
    ("-k*x", "-k*(x", ['"(" is never closed', "^"]),
    ("-k*x", "-k*sine(x)", ['function "sine" is unknown', 'did you mean "sin"?']),
    ('x = "-k*x"\n', "", '[model.rates] has no entry for "x"'),
    ('x = "a*size"\n', "", '[model.initial] has no entry for "x"'),
    ('x = "-k*x"', 'x = "-k*x"\ny = "1"', '"y" is not a state'),
    ('["x"]', '["x", "x"]', '"x" is named twice'),
    ('["k", "a"]', '["k", "t"]', '"t" is reserved'),
    ("a = { initial = 1.0 }\n", "", '[parameters] has no entry for "a"'),
    ("a = { initial = 1.0 }", "a = { initial = 1.0 }\nb = 2", '"b" is not a parameter'),
    ("initial = 0.3", "initial = 0.0", ["[parameters.k] initial = 0", "scale log"]),
    ("{ initial = 1.0 }", "{ initial = 1.0, lower = 2.0, upper = 1.0 }", "lower = 2 is not below upper = 1"),
    ("{ initial = 1.0 }", "{ initial = 1.0, lower = 2.0, upper = 3.0 }", "not strictly inside its bounds"),
    ("{ initial = 1.0 }", '{ initial = 1.0, prior = "gauss(0, 1)" }', 'unknown distribution "gauss"'),
    ('"log"', '"ln"', ['scale = "ln" is unknown', "linear, log, log10"]),
    (ESTIMATED, "k = 1\na = 1", "no estimated parameter"),
    ('target = "2*size*exp(-0.7*t)"\n', "", "there is nothing to fit"),
    ("trajectories = 10\n", "", 'key "trajectories" is missing'),
    ("trajectories = 10", "trajectories = 0", "trajectories = 0 is out of range"),
    ("stop = 2.0", "stop = -2.0", "stop = -2 is not after start = 0"),
    ("step = 0.25", "step = 0.25, count = 3", "both step and count"),
    ("2*size", "2*sise", ["[ensemble] target", 'did you mean "size"?']),
    ('"squared"', '"square"', 'did you mean "squared"?'),
    ('"squared"', '"gaussian"', "needs sigma"),
    ('"squared"', '"squared"\nsigma = "1"', "[loss] sigma has no effect"),
    ('"levenberg_marquardt"', '"adm"', 'did you mean "adam"?'),
    ('"squared"', '"cross_entropy"', ["levenberg_marquardt", "does not go with"]),
    ("epochs = 30", "epochs = 30\nbatch_size = 3", "batch_size has no effect"),
    ("epochs = 30", "epochs = 0", "epochs = 0 is out of range"),
    ("[train]", "[data]\nvalidation_fraction = 1.5\n[train]", "validation_fraction = 1.5 is out of range"),
    ("[train]", "[parallel]\nthreads = 0\n[train]", "threads = 0 is out of range"),
    ("[train]", "[parallel]\nsum = \"exat\"\n[train]", 'did you mean "exact"?'),
    ("[train]", "[checkpoint]\nkeep = 0\n[train]", "keep = 0 is out of range"),
    ("title", "\0title", "NUL byte"),
]

FROM_DATA = changed(DECAY, DECAY[DECAY.index("[ensemble]"):DECAY.index("[parameters]")],
                    '[data]\nfile = "data.csv"\ntrajectories = "subjects.csv"\n')
DATA = "trajectory,time,observable,value\na,0.5,x,1.0\na,1.0,x,0.7\nb,1.0,x,0.9\n"
SUBJECTS = "trajectory,size\na,1.0\nb,1.5\n"

# data.csv, subjects.csv -> exit code, words
TABLES = [
    ("", SUBJECTS, 2, ["data.csv", "empty"]),
    ("trajectory,time,observable,value\n", SUBJECTS, 2, "data.csv"),
    (changed(DATA, "value", "vale"), SUBJECTS, 2, ["data.csv", "vale"]),
    (changed(DATA, "0.7", "much"), SUBJECTS, 2, ["data.csv:3", "much"]),
    (changed(DATA, "0.7", "0.7,8"), SUBJECTS, 2, "data.csv:3"),
    (changed(DATA, "a,1.0", "a,later"), SUBJECTS, 2, ["data.csv:3", "later"]),
    (changed(DATA, "a,0.5", "a,-0.5"), SUBJECTS, 2, ["data.csv", "-0.5"]),
    (changed(DATA, "x,0.9", "z,0.9"), SUBJECTS, 2, ["data.csv", "z"]),
    (changed(DATA, "0.7", "inf"), SUBJECTS, 2, ["data.csv:3", "inf"]),
    (changed(DATA, "b,1.0", "c,1.0"), SUBJECTS, 2, ["data.csv:4", 'trajectory "c" is unknown']),
    (DATA, changed(SUBJECTS, "size", "bulk"), 2, "size"),
    (DATA, changed(SUBJECTS, "1.5", ""), 2, "subjects.csv:3"),
    (DATA, SUBJECTS + "a,2.0\n", 2, ["subjects.csv", "a"]),
]


def command_lines():
    job = write("decay.toml", DECAY)
    for arguments, words in COMMAND_LINES:
        refuse(2, words, *[job if argument == "JOB" else argument for argument in arguments])


def jobs():
    for old, new, words in JOBS:
        refuse(2, words, "train", write("bad.toml", changed(DECAY, old, new)))
    refuse(2, 'key "model" is missing', "train", write("empty.toml", ""))
    (WORK / "latin.toml").write_bytes(changed(DECAY, "decay", "d\xe9cay").encode("latin-1"))
    refuse(2, "not UTF-8", "train", "latin.toml")


def tables():
    job = write("data.toml", FROM_DATA)
    write("data.csv", DATA)
    write("subjects.csv", SUBJECTS)
    succeed("check", job)
    for data, subjects, code, words in TABLES:
        write("data.csv", data)
        write("subjects.csv", subjects)
        print(f"data.csv:\n{data}subjects.csv:\n{subjects}")
        refuse(code, words, "gradient", job, "--json")
    write("data.csv", DATA)
    (WORK / "subjects.csv").unlink()
    refuse(2, "subjects.csv: does not exist", "train", job)
    (WORK / "data.csv").unlink()
    write("subjects.csv", SUBJECTS)
    refuse(2, "data.csv: does not exist", "train", job)
    (WORK / "data.csv").mkdir()
    refuse(2, ["data.csv", "is a directory"], "train", job)


def missing_files():
    job = write("decay.toml", DECAY)
    refuse(2, "nofile.toml: there is no such file", "train", "nofile.toml")
    refuse(2, "is a directory", "train", ".")
    for command in (["inspect"], ["evaluate", job, "--checkpoint"]):
        refuse(2, "none.h5: does not exist", *command, "none.h5")
        refuse(2, "is a directory", *command, ".")
        refuse(2, "is not an HDF5 file", *command, job)


def checkpoints():
    job = write("decay.toml", DECAY)
    succeed("train", job, "--output", "run")
    checkpoint = sorted((WORK / "run").glob("checkpoint_*.h5"))[-1]

    other_model = write("other.toml", changed(changed(DECAY, '["k", "a"]', '["k", "a", "b"]'), "a = { initial = 1.0 }",
                                              "a = { initial = 1.0 }\nb = 1.0"))
    refuse(2, ['no parameter "b"'], "evaluate", other_model, "--checkpoint", checkpoint)
    succeed("simulate", job, "--output", "simulated.h5")
    refuse(2, ['kind "dataset"', "give a checkpoint or a result"], "evaluate", job, "--checkpoint", "simulated.h5")

    refuse(2, ["another", "solver.rtol", "--overwrite"], "train", job, "--output", "run", "--resume", "--set", "solver.rtol=1e-7")
    refuse(2, ["run holds a run", "--resume", "--overwrite"], "train", job, "--output", "run")
    refuse(2, ["simulated.h5 exists", "--overwrite"], "simulate", job, "--output", "simulated.h5")

    cut = WORK / "cut.h5"
    cut.write_bytes(checkpoint.read_bytes()[:5000])
    for command in (["inspect", cut], ["evaluate", job, "--checkpoint", cut]):
        refuse(4, "cut.h5", *command)
    changed_file = WORK / "changed.h5"
    shutil.copy(checkpoint, changed_file)
    with h5py.File(changed_file, "r+") as file:
        file["/parameters/values"][0] += 1e-9
    refuse(4, ["changed.h5", "checksum"], "inspect", changed_file)
    refuse(4, ["changed.h5", "checksum"], "evaluate", job, "--checkpoint", changed_file)
    with h5py.File(WORK / "foreign.h5", "w") as file:
        file["numbers"] = [1, 2, 3]
    refuse(2, "foreign.h5", "inspect", "foreign.h5")
    refuse(2, "foreign.h5", "evaluate", job, "--checkpoint", "foreign.h5")


def damaged_run():
    """Every checkpoint damaged: an error, not a silent fresh start; one of them good: the run goes on from it."""
    job = write("decay.toml", DECAY)
    succeed("train", job, "--output", "run", "--set", "train.epochs=4", "--set", "checkpoint.every=1")
    files = sorted((WORK / "run").glob("checkpoint_*.h5"))
    assert len(files) >= 2, files
    files[-1].write_bytes(files[-1].read_bytes()[:3000])
    done = succeed("train", job, "--output", "run", "--resume", "--set", "train.epochs=4")
    assert "passed over a checkpoint" in done.err and files[-1].name in done.err, str(done)
    for file in (WORK / "run").glob("checkpoint_*.h5"):
        file.write_bytes(b"no file")
    refuse(4, ["none of the", "--overwrite"], "train", job, "--output", "run", "--resume")


def other_data():
    job = write("data.toml", FROM_DATA)
    write("data.csv", DATA)
    write("subjects.csv", SUBJECTS)
    succeed("train", job, "--output", "other")
    write("data.csv", changed(DATA, "0.7", "0.71"))
    refuse(2, ["the data are not those of the run"], "train", job, "--output", "other", "--resume")


def outputs():
    job = write("decay.toml", DECAY)
    write("file", "text")
    refuse(4, "file", "train", job, "--output", "file")
    refuse(4, "file", "train", job, "--output", "file/run")
    refuse(4, "file", "simulate", job, "--output", "file/simulated.h5")
    (WORK / "directory").mkdir()
    refuse(2, ["directory", "is a directory"], "simulate", job, "--output", "directory")
    refuse(2, ["directory", "is a directory"], "simulate", job, "--output", "directory", "--overwrite")
    refuse(4, "/proc/", "train", job, "--output", "/proc/rondo")  # nobody may write there, not even root
    refuse(4, "/proc/", "simulate", job, "--output", "/proc/rondo.h5")
    if os.geteuid() != 0:
        (WORK / "locked").mkdir(mode=0o500)
        refuse(4, "locked", "train", job, "--output", "locked/run")


def full_disk():
    """A file that may not grow past 4 KiB is what a full disk looks like; no half-written file stays behind."""
    job = write("decay.toml", DECAY)
    small_disk = ("sh", "-c", 'trap "" XFSZ; ulimit -f 8; exec "$@"', "sh")
    refuse(4, "simulated.h5", "simulate", job, "--output", "simulated.h5", launch=small_disk,
           PMIX_MCA_gds="hash")  # else MPI itself keeps larger files
    left = sorted(path.name for path in WORK.iterdir())
    assert "simulated.h5" not in left and not any(".part" in name for name in left), left


def unsolvable():
    """x' = x^2 leaves every bound before t = 2: exit code 3, or too few trajectories left where some may be dropped."""
    blows_up = changed(changed(DECAY, '"-k*x"', '"k*x^2"'), "initial = 0.3", "initial = 3.0")
    job = write("blows_up.toml", blows_up)
    for arguments in (["train", job], ["gradient", job, "--json"], ["gradient", job, "--json", "--method", "differences"],
                      ["simulate", job, "--output", "simulated.h5"]):
        refuse(3, ["trajector"], *arguments)
    refuse(3, "trajector", "train", job, "--set", "solver.on_failure=drop", "--set", "solver.max_failed_fraction=0.5", "--output", "drop")
    done = rondo("inspect", "simulated.h5")
    assert done.code == 2, f"a failed simulation leaves no file: {done}"


if __name__ == "__main__":
    main({"command_line": [command_lines], "jobs": [jobs], "data": [tables],
          "files": [missing_files, checkpoints], "runs": [damaged_run, other_data], "outputs": [outputs, unsolvable, full_disk]})
