#!/usr/bin/python3
"""Installs the build, builds jobs/cpp_model against the installation alone, and runs it with the installed program.

Usage: install_test.py CMAKE BUILD_DIR TEST_DIR WORK_DIR CXX MPIEXEC VERSION
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

CMAKE, BUILD, TESTS, WORK = sys.argv[1], *map(pathlib.Path, sys.argv[2:5])
CXX, MPIEXEC, VERSION = sys.argv[5:8]
PREFIX = WORK / "prefix"
JOBS = WORK / "mine" / "jobs" / "cpp_model"


def run(*command, code=0, cwd=WORK):
    """Run a command; its standard output, or its standard error where it is meant to fail."""
    done = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, timeout=250)
    assert done.returncode == code, f"exit {done.returncode}, not {code}: {command}\n{done.stderr}\n{done.stdout}"
    return done.stderr if code else done.stdout


def rondo(*arguments, code=0):
    return run(PREFIX / "bin" / "rondo", *arguments, code=code)


def close(value, wanted, relative, what):
    assert abs(value - wanted) <= relative * abs(wanted), f"{what}: {value!r}, wanted {wanted!r} within {relative} relative"


def install():
    """The build under PREFIX, and a user's copy of the installed example and its data."""
    run(CMAKE, "--install", BUILD, "--prefix", PREFIX)
    headers = {file.relative_to(PREFIX / "include").as_posix() for file in PREFIX.glob("include/**/*.hpp")}
    assert headers == {"rondo/expression/graph.hpp", *(f"rondo/model/{name}.hpp" for name in ("abi", "functor", "traced"))}, headers
    assert not list(PREFIX.glob("**/*.a")), "a model needs no library of rondo's"
    assert VERSION in rondo("--version")
    for folder in ("jobs", "data"):
        shutil.copytree(PREFIX / "share" / "rondo" / folder, WORK / "mine" / folder)
    shutil.copy(TESTS / "equations.toml", JOBS)


def configure(folder, code=0):
    return run(CMAKE, "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={PREFIX}", f"-DCMAKE_CXX_COMPILER={CXX}", code=code)


def build_model():
    configure(JOBS)
    run(CMAKE, "--build", JOBS / "build")
    assert (JOBS / "build" / "libtheophylline.so").is_file()


def other_versions_are_refused():
    """The version of the package is known to find_package."""
    project = WORK / "newer"
    project.mkdir()
    project.joinpath("CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(newer LANGUAGES CXX)\nfind_package(rondo 99.0 REQUIRED)\n")
    message = configure(project, code=1)
    assert "99.0" in message and f"version: {VERSION}" in message, message


def gradients_are_those_of_the_equations():
    for method in ("forward", "adjoint"):
        command = ("gradient", "--json", "--method", method)
        ours, theirs = (json.loads(rondo(*command, JOBS / job)) for job in ("job.toml", "equations.toml"))
        assert ours["n_solved"] == theirs["n_solved"] == 12
        assert list(ours["gradient"]) == list(theirs["gradient"]) == ["ke", "ka", "cl"]
        close(ours["loss"], theirs["loss"], 1e-12, f"{method} loss")
        for name, wanted in theirs["gradient"].items():
            close(ours["gradient"][name], wanted, 1e-12, f"{method} gradient by {name}")
        ranks = json.loads(run(MPIEXEC, "-n", 2, PREFIX / "bin" / "rondo", *command, JOBS / "job.toml"))
        assert (ranks["ranks"], ranks["loss"], ranks["gradient"]) == (2, ours["loss"], ours["gradient"]), ranks
        linear = json.loads(rondo(*command, JOBS / "job.toml", "--set", "parameters.saturation=1e9"))
        assert abs(linear["loss"] - ours["loss"]) > 1, "the data should reach the other side of the model's select()"
    assert "all ways agree" in rondo("gradient", JOBS / "job.toml", "--check")


def training_ends_where_that_of_the_equations_does():
    for job in ("job", "equations"):
        rondo("train", JOBS / f"{job}.toml", "--output", WORK / f"{job}.run")
    ours, theirs = (json.loads(rondo("inspect", WORK / f"{job}.run/result.h5", "--json")) for job in ("job", "equations"))
    assert ours["attributes"]["ending"] == "converged", ours["attributes"]
    close(float(ours["attributes"]["loss"]), float(theirs["attributes"]["loss"]), 1e-12, "loss at the end")
    for name, wanted in theirs["parameters"].items():
        close(ours["parameters"][name], wanted, 1e-12, name)


def mistakes_are_explained():
    missing = rondo("check", JOBS / "job.toml", "--set", 'model.library="build/libtheophyline.so"', code=2)
    assert "libtheophyline.so\" cannot be opened (" in missing and "built with rondo_add_model" in missing, missing
    no_library = rondo("check", JOBS / "job.toml", "--set", 'model.library="job.toml"', code=2)
    assert "job.toml\" cannot be opened (" in no_library, no_library
    subjects = JOBS / "subjects.csv"
    subjects.write_text((WORK / "mine/data/theophylline_subjects.csv").read_text().replace("dose", "doses"))
    no_dose = rondo("check", JOBS / "job.toml", "--set", 'data.trajectories="subjects.csv"', code=2)
    assert 'needs the covariate "dose", which the ensemble does not have' in no_dose and 'did you mean "doses"?' in no_dose, no_dose


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ.setdefault("RONDO_CACHE_DIR", str(WORK / "cache"))
    install()
    other_versions_are_refused()
    build_model()
    gradients_are_those_of_the_equations()
    training_ends_where_that_of_the_equations_does()
    mistakes_are_explained()
    print("passed")


main()
