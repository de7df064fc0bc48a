#!/usr/bin/python3
"""Every command and option of the program, on good input. Usage: commands.py RONDO WORK_DIR GROUP"""

import re

import h5py
import numpy as np

from program import DECAY, WORK, changed, main, only_json, rondo, succeed, write

GRADIENT_KEYS = {"loss", "gradient", "gradient_transformed", "parameters", "n_trajectories", "n_solved", "n_failed", "engine",
                 "method", "sensitivity", "ranks", "threads", "n_steps", "n_rhs", "solve_us_per_trajectory"}


def parameters(file):
    with h5py.File(WORK / file, "r") as result:
        return dict(zip((name.decode() for name in result["/parameters/names"][:]), result["/parameters/values"][:]))


def loss(file):
    with h5py.File(WORK / file, "r") as result:
        return result["/history/loss"][:]


def n_updates(file):
    with h5py.File(WORK / file, "r") as result:
        return int(result.attrs["n_updates"])


def close(value, wanted, relative, what):
    assert abs(value - wanted) <= relative * abs(wanted), f"{what}: {value!r}, wanted {wanted!r} within {relative} relative"


def train():
    job = write("decay.toml", DECAY)
    done = succeed("train", job)
    assert done.out == "", f"train says all on standard error: {done}"
    fitted = parameters("decay.run/result.h5")
    close(fitted["k"], 0.7, 1e-6, "k")
    close(fitted["a"], 2.0, 1e-6, "a")
    succeed("train", job, "--output", "elsewhere/deeper")
    assert parameters("elsewhere/deeper/result.h5") == fitted


def job_output_directory():
    job = write("named.toml", DECAY + '[output]\ndirectory = "by_job"\n')
    succeed("train", job)
    found = [path for path in (WORK / "by_job" / "result.h5", job.parent / "by_job" / "result.h5") if path.exists()]
    assert found, sorted(WORK.iterdir())


def overwrite_begins_anew():
    job = write("decay.toml", DECAY)
    succeed("train", job, "--output", "anew", "--set", "train.epochs=6")
    succeed("train", job, "--output", "anew", "--set", "train.epochs=3", "--overwrite")
    assert n_updates("anew/result.h5") == 3
    updates = {int(re.findall(r"\d+", path.name)[0]) for path in (WORK / "anew").glob("checkpoint_*.h5")}
    assert max(updates) == 3, "checkpoints of the old run are gone"


def resume_goes_on():
    job = write("adam.toml", changed(DECAY, 'optimizer = "levenberg_marquardt"\nepochs = 30',
                                     'optimizer = "adam"\nlearning_rate = 0.05\nepochs = 40\nbatch_size = 3'))
    succeed("train", job, "--output", "whole")
    done = succeed("train", job, "--output", "parts", "--resume", "--set", "train.epochs=15")
    assert "starting afresh" in done.err, str(done)
    done = succeed("train", job, "--output", "parts", "--resume")
    assert "going on from" in done.err, str(done)
    assert parameters("whole/result.h5") == parameters("parts/result.h5")
    assert np.array_equal(loss("whole/result.h5"), loss("parts/result.h5"))


def set_overrides():
    job = write("decay.toml", DECAY)
    succeed("train", job, "--output", "set", "--set", "train.epochs=2", "--set", "parameters.a=2.0", "--set", 'loss.reduction="sum"')
    assert parameters("set/result.h5")["a"] == 2.0, "a is fixed"
    assert n_updates("set/result.h5") == 2
    answers = [only_json(succeed("gradient", job, "--json", f"--set=loss.reduction={word}")) for word in ("mean", "sum")]
    close(answers[1]["loss"], 10 * answers[0]["loss"], 1e-15, "sum over ten against mean")


def evaluate():
    job = write("decay.toml", DECAY)
    succeed("train", job, "--output", "run", "--set", "train.epochs=5")
    checkpoint = sorted((WORK / "run").glob("checkpoint_*.h5"))[-1]
    for source in (checkpoint, "run/result.h5"):
        done = succeed("evaluate", job, "--checkpoint", source, "--output", "evaluation.h5", "--overwrite")
        said = float(re.search(r"training loss (\S+) over 10 trajectories \(0 failed\)", done.err)[1])
        with h5py.File(WORK / "evaluation.h5", "r") as file:
            assert file.attrs["file_kind"] == "evaluation"
            residuals = (file["/predictions/value"][:] - file["/predictions/data"][:]).reshape(10, 9)
            np.testing.assert_allclose(file["/trajectories/loss"][:], np.sum(residuals**2, axis=1), rtol=1e-12)
        close(np.sum(residuals**2) / 10, said, 1e-6, "loss of the predictions")  # solved without sensitivities: other steps
    assert said == loss("run/result.h5")[-1], "a result gives its own last loss"


def simulate_then_recover():
    truth = write("truth.toml", changed(changed(DECAY, "initial = 0.3", "initial = 0.45"), "initial = 1.0", "initial = 1.7"))
    succeed("simulate", truth, "--output", "truth.h5")
    begin, end = DECAY.index("[ensemble]"), DECAY.index("[parameters]")
    job = write("recover.toml", DECAY[:begin] + '[data]\nfile = "truth.h5"\n' + DECAY[end:])
    succeed("train", job)
    fitted = parameters("recover.run/result.h5")
    close(fitted["k"], 0.45, 1e-6, "k")
    close(fitted["a"], 1.7, 1e-6, "a")


def gradient_methods():
    """Loss and gradient against the closed form of x = a s exp(-k t), for each method."""
    job = write("decay.toml", DECAY)
    size, t = 0.5 + np.arange(1, 11)[:, None] / 10, np.arange(9)[None, :] * 0.25
    k, a = 0.3, 1.0
    x = a * size * np.exp(-k * t)
    residuals = x - 2 * size * np.exp(-0.7 * t)
    wanted = {"k": np.sum(2 * residuals * -t * x) / 10, "a": np.sum(2 * residuals * x / a) / 10}
    for method in ("forward", "adjoint", "differences"):
        answer = only_json(succeed("gradient", job, "--json", "--method", method))
        assert GRADIENT_KEYS <= set(answer), GRADIENT_KEYS - set(answer)
        assert answer["sensitivity"] == method and answer["parameters"] == {"k": 0.3, "a": 1.0}
        assert (answer["n_trajectories"], answer["n_solved"], answer["n_failed"]) == (10, 10, 0)
        assert (answer["ranks"], answer["threads"]) == (1, 1)
        assert answer["n_rhs"] >= answer["n_steps"] > 0 and answer["solve_us_per_trajectory"] > 0
        close(answer["loss"], np.sum(residuals**2) / 10, 1e-7, f"loss by {method}")
        for name, value in wanted.items():
            close(answer["gradient"][name], value, 1e-6, f"{name} by {method}")
        close(answer["gradient_transformed"]["k"], k * answer["gradient"]["k"], 1e-14, "log scale")
        assert answer["gradient_transformed"]["a"] == answer["gradient"]["a"], "linear scale"


def gradient_digits():
    """17 significant digits: a third is printed so that it reads back as itself, and more ranks print the same text."""
    job = write("third.toml", changed(DECAY, "a = { initial = 1.0 }", f"a = {{ initial = {1/3!r} }}"))
    done = succeed("gradient", job, "--json", "--repeat", 3)
    assert '"a": 0.33333333333333331' in done.out, str(done)
    assert only_json(done)["parameters"]["a"] == 1 / 3
    once = only_json(succeed("gradient", job, "--json"))
    for key in ("loss", "gradient", "gradient_transformed", "n_steps", "n_rhs"):
        assert only_json(done)[key] == once[key], f"repeating changes {key}"


def gradient_check():
    job = write("decay.toml", DECAY)
    answer = only_json(succeed("gradient", job, "--check", "--json"))
    assert answer["agree"] is True
    assert [(pair["one"], pair["other"]) for pair in answer["pairs"]] == [
        ("forward", "adjoint"), ("forward", "differences"), ("adjoint", "differences")]
    assert all(pair["n_compared"] == 10 and pair["n_disagree"] == 0 for pair in answer["pairs"])
    text = succeed("gradient", job, "--check").out
    assert "0 of 10 trajectories disagree" in text and text.endswith("all ways agree\n"), text


def gradient_table():
    text = succeed("gradient", write("decay.toml", DECAY)).out
    assert text.startswith("loss ") and re.search(r"^k +0\.2999\S* ", text, re.M) and re.search(r"^a +1 ", text, re.M), text


def check():
    job = write("decay.toml", DECAY)
    for ranks in (1, 4, 10, 1000):
        plan = only_json(succeed("check", job, "--json", "--ranks", ranks))
        assert plan["n_ranks"] == ranks and plan["n_trajectories"] == 10 and plan["n_points"] == 90
        assert plan["largest_shard"] == -(-10 // ranks) and plan["smallest_shard"] == 10 // ranks
    text = succeed("check", job, "--ranks", 4).out
    assert "the job is well-formed" in text and "ranks         4" in text, text
    assert not (WORK / "decay.run").exists(), "check writes nothing"


def inspect():
    job = write("decay.toml", DECAY)
    succeed("train", job, "--output", "run")
    succeed("evaluate", job, "--checkpoint", "run/result.h5", "--output", "evaluation.h5")
    succeed("simulate", job, "--output", "dataset.h5")
    checkpoint = sorted((WORK / "run").glob("checkpoint_*.h5"))[-1]
    holds = {"run/result.h5": ("result", "/history/loss"), checkpoint: ("checkpoint", "/optimizer/point"),
             "dataset.h5": ("dataset", "/data/value"), "evaluation.h5": ("evaluation", "/predictions/value")}
    for file, (kind, dataset) in holds.items():
        told = only_json(succeed("inspect", file, "--json"))
        assert told["file_kind"] == kind and told["format_version"] == 1 and told["attributes"]["job"] == DECAY
        with h5py.File(WORK / file, "r") as stored:
            assert told["datasets"][dataset]["shape"] == list(stored[dataset].shape)
            values = dict(zip((n.decode() for n in stored["/parameters/names"]), stored["/parameters/values"])) if "parameters" in stored else {}
        assert told["parameters"] == values, "17 digits read back as the same bits"
        text = succeed("inspect", file).out
        assert f": {kind} (format 1)" in text and dataset in text, text


def helps():
    commands = ("train", "evaluate", "simulate", "gradient", "check", "inspect")
    text = succeed("--help").out
    assert all(re.search(rf"^  {command} ", text, re.M) for command in commands), text
    for command in commands:
        done = succeed(command, "--help")
        assert "--help" in done.out and done.err == "", str(done)
    assert re.fullmatch(r"rondo \d+\.\d+\.\d+ \([0-9a-f]*\)\n", succeed("--version").out)


def quiet_and_verbose():
    job = write("decay.toml", DECAY)
    assert succeed("train", job, "--output", "q", "-q").err == ""
    normal = succeed("train", job, "--output", "n").err
    verbose = succeed("train", job, "--output", "v", "-v").err
    assert "debug" not in normal and "debug" in verbose and len(verbose) > len(normal)
    assert "\033[" not in normal, "no colours where no terminal is"


def several_ranks_print_once():
    job = write("decay.toml", DECAY)
    alone = only_json(succeed("gradient", job, "--json"))
    three = only_json(succeed("gradient", job, "--json", launch=("mpirun", "-n", "3")))
    assert three["ranks"] == 3
    for key in ("loss", "gradient", "gradient_transformed", "n_solved", "n_steps", "n_rhs"):
        assert alone[key] == three[key], f"{key}: the same bits on any number of ranks"
    done = rondo("train", "none.toml", launch=("mpirun", "-n", "3"))
    assert done.code == 2 and done.err.count("there is no such file") == 1, str(done)


if __name__ == "__main__":
    main({"train": [train, job_output_directory, overwrite_begins_anew, resume_goes_on, set_overrides],
          "evaluate": [evaluate, simulate_then_recover],
          "gradient": [gradient_methods, gradient_digits, gradient_check, gradient_table, several_ranks_print_once],
          "inspect": [check, inspect, helps, quiet_and_verbose]})
