#!/usr/bin/python3
"""Runs a job of jobs/ through the program, as a user would, and reads what it wrote with h5py and xarray.

Usage: run_job.py RONDO SOURCE_DIR WORK_DIR CASE [MPIEXEC RANKS]
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import h5py
import numpy as np

RONDO, SOURCE, WORK, CASE = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
LAUNCH = [sys.argv[5], "-n", sys.argv[6]] if len(sys.argv) > 5 else []
SHARED = SOURCE.parent / "shared" / "data"


def rondo(*arguments, code=0):
    """Run rondo; its standard output."""
    done = subprocess.run([*LAUNCH, RONDO, *map(str, arguments)], cwd=WORK, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, f"exit {done.returncode}, not {code}: {arguments}\n{done.stderr}\n{done.stdout}"
    return done.stdout


def train(name, *arguments):
    """Train jobs/<name>.toml; its result."""
    rondo("train", SOURCE / "jobs" / f"{name}.toml", "--output", WORK / f"{name}.run", *arguments)
    return h5py.File(WORK / f"{name}.run" / "result.h5", "r")


def parameters(result):
    names = [name.decode() for name in result["/parameters/names"][:]]
    return dict(zip(names, result["/parameters/values"][:]))


def reference(path):
    """A reference answer, or the end of the test where the folder is absent (a user's machine)."""
    if not (SHARED / path).exists():
        print(f"skipped: no reference {path} on this machine")
        sys.exit(77)
    return json.loads((SHARED / path).read_text())


def close(value, wanted, relative, what):
    wanted = float(wanted)
    assert abs(value - wanted) <= relative * abs(wanted), f"{what}: {value!r}, wanted {wanted!r} within {relative} relative"


def seed_ensemble():
    ref = reference("computed/seed_example/reference.json")
    result = train("seed_ensemble")
    loss = dict(zip(result["/history/update"][:], result["/history/loss"][:]))
    for update, point in ref["adam"]["trace"].items():
        close(loss[int(update)], point["loss"], 1e-7, f"loss after update {update}")
    close(loss[100], 109.388575099832, 1e-7, "loss after the last update")
    fitted = parameters(result)
    close(fitted["u0"], ref["adam"]["trace"]["100"]["theta"][0], 1e-7, "u0")
    close(fitted["p"], ref["adam"]["trace"]["100"]["theta"][1], 1e-7, "p")
    answer = json.loads(rondo("gradient", SOURCE / "jobs/seed_ensemble.toml", "--json", "--method", "adjoint"))
    close(answer["loss"], ref["loss"], 1e-8, "loss at the start")
    close(answer["gradient"]["u0"], ref["gradient"][0], 1e-6, "gradient by u0")
    close(answer["gradient"]["p"], ref["gradient"][1], 1e-6, "gradient by p")


def hudson_bay():
    fit = reference("real/lynx_hare/reference.json")["log_sse"]["fit"]
    fitted = parameters(train("hudson_bay"))
    names = {"alpha": "alpha", "beta": "beta", "gamma": "gamma", "delta": "delta", "hare0": "u0", "lynx0": "v0"}
    for ours, theirs in names.items():
        close(fitted[ours], fit["theta_hat"][theirs], 1e-5, ours)
    close(fitted["sigma"], np.sqrt(float(fit["min_loss"]) / fit["n_residuals"]), 1e-6, "sigma")


def theophylline():
    fit = reference("real/theophylline/reference.json")["pooled_12"]["fit"]
    result = train("theophylline")
    fitted = parameters(result)
    for ours, theirs in {"ke": "Ke", "ka": "Ka", "cl": "Cl"}.items():
        close(fitted[ours], fit["theta_hat_natural"][theirs], 1e-6, ours)
    close(result["/history/loss"][-1], fit["min_loss"], 1e-9, "loss")
    assert result["/trajectories/id"].shape == (12,)
    check_layout(result)


def indomethacin():
    fit = reference("real/indomethacin/reference.json")["losses"]["lin_sse"]["pooled_fit"]
    fitted = parameters(train("indomethacin"))
    for ours, theirs in {"c0": "C0", "k10": "k10", "k12": "k12", "k21": "k21"}.items():
        close(fitted[ours], fit["theta_hat_natural"][theirs], 1e-6, ours)


def robertson():
    fitted = parameters(train("robertson"))
    for name, truth in {"k1": 0.04, "k2": 1e4, "k3": 3e7}.items():
        close(fitted[name], truth, 1e-3, name)


def check_layout(result):
    """Names, shapes and axes of a result, by h5py and by xarray."""
    import xarray

    assert result.attrs["file_kind"] == "result"
    assert int(result.attrs["format_version"]) == 1
    assert "levenberg_marquardt" in result.attrs["job"]
    rows = result["/predictions/value"].shape[0]
    assert rows == 132 and result["/predictions/data"].shape == (132, 1)
    offsets = result["/predictions/offset"][:]
    assert len(offsets) == 13 and offsets[0] == 0 and offsets[-1] == rows
    residuals = result["/predictions/value"][:] - result["/predictions/data"][:]
    per_trajectory = [np.sum(residuals[a:b] ** 2) for a, b in zip(offsets[:-1], offsets[1:])]
    np.testing.assert_allclose(result["/trajectories/loss"][:], per_trajectory, rtol=1e-12)
    np.testing.assert_allclose(result["/history/loss"][-1], np.sum(per_trajectory), rtol=1e-8)
    assert np.max(np.abs(result["/gradient/values"][:])) < 1e-2
    assert [status.decode() for status in result["/trajectories/status"][:]] == ["solved"] * 12
    result.close()
    file = WORK / "theophylline.run" / "result.h5"
    axes = {"history": {"update"}, "trajectories": {"id"}, "predictions": {"row", "observables", "bound"},
            "parameters": {"names"}, "timing": {"rank", "phase"}, "gradient": {"names"}, "failures": {"trajectory"}}
    for group, wanted in axes.items():
        with xarray.open_dataset(file, group=group, engine="h5netcdf") as table:
            assert set(table.sizes) == wanted, f"{group}: axes {dict(table.sizes)}, wanted {wanted}"


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ.setdefault("RONDO_CACHE_DIR", str(WORK / "cache"))
    {f.__name__: f for f in (seed_ensemble, hudson_bay, theophylline, indomethacin, robertson)}[CASE]()
    print("passed")


main()
