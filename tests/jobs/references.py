#!/usr/bin/python3
"""Writes jobs for data sets whose answers are known, as a user would, and compares losses, gradients and fits.

Usage: references.py RONDO SOURCE_DIR WORK_DIR CASE
The references lie beside the project (../shared/data); where they do not, the test is skipped.
"""

import csv
import json
import os
import pathlib
import shutil
import subprocess
import sys

RONDO, SOURCE, WORK, CASE = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
DATA = SOURCE.parent / "shared" / "data"
TIGHT = '[solver]\nrtol = 1e-12\natol = 1e-13\n'


def write(name, text):
    (WORK / name).write_text(text)
    return WORK / name


def write_rows(name, header, rows):
    with open(WORK / name, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def rows_of(path):
    with open(DATA / path, newline="") as file:
        return list(csv.DictReader(file))


def reference(path):
    return json.loads((DATA / path).read_text())


def run(*arguments):
    done = subprocess.run([RONDO, *map(str, arguments)], cwd=WORK, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"exit {done.returncode}: {arguments}\n{done.stderr}"
    return done.stdout


def gradient(job, values, method="forward", *extra):
    """Loss and gradient at parameter values given by name."""
    sets = [part for name, value in values.items() for part in ("--set", f"parameters.{name}.initial={value}")]
    return json.loads(run("gradient", job, "--json", "--method", method, *sets, *extra))


def same(value, wanted, relative, what, scale=None):
    wanted = float(wanted)
    allowed = relative * (abs(wanted) if scale is None else scale)
    assert abs(value - wanted) <= allowed, f"{what}: {value!r}, wanted {wanted!r}, off by {abs(value - wanted):.2e}, allowed {allowed:.2e}"


def compare(job, values, point, kind="gradient", relative=1e-6, methods=("forward", "adjoint")):
    for method in methods:
        answer = gradient(job, values, method)
        same(answer["loss"], point["loss"], 1e-8, f"loss by {method}")
        largest = max(abs(float(entry)) for entry in point["gradient"])
        for entry, wanted in zip(answer[kind].values(), point["gradient"]):
            same(entry, wanted, relative, f"gradient by {method}", largest)


def fitted(job):
    """Train; loss and parameters at the end."""
    import h5py

    run("train", job, "--output", "fit.run", "--overwrite", "-q")
    with h5py.File(WORK / "fit.run" / "result.h5") as result:
        return result.attrs["loss"], dict(zip((n.decode() for n in result["/parameters/names"][:]), result["/parameters/values"][:]))


def remifentanil():
    """Piecewise-constant infusion in 40 patients: an extra state holds the rate, events replace it."""
    import math

    ref = reference("more/remifentanil/reference.json")
    data, events, last = [], [], {}
    for row in rows_of("more/remifentanil/remifentanil_1_40.csv"):
        if last.get(row["id"]) != row["rate_ug_per_min"]:
            events.append((row["id"], row["time_min"], "rate", row["rate_ug_per_min"], "replace"))
            last[row["id"]] = row["rate_ug_per_min"]
        if row["conc_ng_per_mL"] and float(row["conc_ng_per_mL"]) > 0:
            data.append((row["id"], row["time_min"], "logc", math.log(float(row["conc_ng_per_mL"]))))
    write_rows("data.csv", ("trajectory", "time", "observable", "value"), data)
    write_rows("events.csv", ("trajectory", "time", "state", "amount", "action"), events)
    names = ["v1", "k10", "k12", "k21", "k13", "k31"]
    job = write("remifentanil.toml", f"""
[model]
states = ["c1", "c2", "c3", "rate"]
parameters = {json.dumps(names)}
[model.rates]
c1 = "rate/v1 - (k10 + k12 + k13)*c1 + k21*c2 + k31*c3"
c2 = "k12*c1 - k21*c2"
c3 = "k13*c1 - k31*c3"
rate = "0"
[model.initial]
c1 = "0"
c2 = "0"
c3 = "0"
rate = "0"
[model.observables]
logc = "log(c1)"
[data]
file = "data.csv"
events = "events.csv"
[parameters]
""" + "".join(f'{name} = {{ initial = 1.0, scale = "log" }}\n' for name in names) + """
[loss]
kind = "squared"
reduction = "sum"
[solver]
rtol = 1e-11
atol = 1e-12
""")
    for point in ref["points"]:
        values = {name: math.exp(float(theta)) for name, theta in zip(names, point["theta"])}
        compare(job, values, point, "gradient_transformed")


def influenza():
    ref = reference("more/influenza_1978/reference.json")["I0_fixed_1"]
    rows = rows_of("more/influenza_1978/influenza_england_1978.csv")
    write_rows("data.csv", ("time", "in_bed"), [(i + 1, row["in_bed"]) for i, row in enumerate(rows)])
    job = write("influenza.toml", """
[model]
states = ["S", "I", "R"]
parameters = ["beta", "gamma"]
[model.expressions]
infection = "beta*S*I/763"
[model.rates]
S = "-infection"
I = "infection - gamma*I"
R = "gamma*I"
[model.initial]
S = "762"
I = "1"
R = "0"
[model.observables]
in_bed = "I"
[data]
file = "data.csv"
[parameters]
beta = { initial = 1.7, lower = 0.1, upper = 10.0 }
gamma = { initial = 0.45, lower = 0.01 }
[loss]
kind = "squared"
[solver]
rtol = 1e-13
atol = 1e-12
[train]
optimizer = "levenberg_marquardt"
epochs = 60
""")
    compare(job, ref["points"][0]["theta"], ref["points"][0])
    loss, parameters = fitted(job)
    same(loss, ref["fit"]["min_loss"], 1e-9, "least loss")
    for name, wanted in ref["fit"]["theta_hat"].items():
        same(parameters[name], wanted, 1e-6, name)


def michaelis_menten():
    import math

    ref = reference("more/one_comp_mm_elim_abs/reference.json")
    data = reference("more/one_comp_mm_elim_abs/data.json")
    write_rows("data.csv", ("time", "logc"), [(t, math.log(c)) for t, c in zip(data["times"], data["C_hat"])])
    job = write("mm.toml", """
[model]
states = ["C"]
parameters = ["k_a", "K_m", "V_m"]
[model.rates]
C = "exp(-k_a*t)*30*k_a/2 - V_m/2*C/(K_m + C)"
[model.initial]
C = "0"
[model.observables]
logc = "log(C)"
[data]
file = "data.csv"
[parameters]
k_a = { initial = 0.75 }
K_m = { initial = 1.0 }
V_m = { initial = 0.9 }
[loss]
kind = "squared"
""" + TIGHT)
    compare(job, ref["points"][0]["theta"], ref["points"][0])


def chick_weight():
    import math

    ref = reference("more/chick_weight/reference.json")["model"]["logistic"]
    rows = rows_of("more/chick_weight/chick_weight.csv")
    hatch = {row["chick"]: row for row in rows if float(row["time_day"]) == 0}
    write_rows("chicks.csv", ("trajectory", "diet", "w0"), [(c, r["diet"], r["weight_g"]) for c, r in hatch.items()])
    write_rows("data.csv", ("trajectory", "time", "observable", "value"),
               [(r["chick"], r["time_day"], "w", r["weight_g"]) for r in rows if float(r["time_day"]) > 0])
    names = [f"r{d}" for d in range(1, 5)] + [f"K{d}" for d in range(1, 5)]
    choose = lambda p: f"if(diet == 1, {p}1, if(diet == 2, {p}2, if(diet == 3, {p}3, {p}4)))"
    job = write("chicks.toml", f"""
[model]
states = ["w"]
parameters = {json.dumps(names)}
[model.expressions]
r = "{choose('r')}"
K = "{choose('K')}"
[model.rates]
w = "r*w*(1 - w/K)"
[model.initial]
w = "w0"
[data]
file = "data.csv"
trajectories = "chicks.csv"
[parameters]
""" + "".join(f'{name} = {{ initial = 1.0, scale = "log" }}\n' for name in names) + """
[loss]
kind = "squared"
reduction = "sum"
""" + TIGHT)
    point = ref["points"][0]
    values = {name: math.exp(float(theta)) for name, theta in zip(names, point["theta"].values())}
    compare(job, values, point, "gradient_transformed")


def neural_spiral():
    """A 2-50-2 network written as equations: 252 parameters, forward and adjoint."""
    ref = reference("computed/spiral/node_2_50_2.json")
    weights = [float(w) for w in ref["network"]["parameters"]]
    w1, b1, w2, b2 = weights[:100], weights[100:150], weights[150:250], weights[250:]
    values = {f"w1_{i}_{j}": w1[2 * i + j] for i in range(50) for j in range(2)} | {f"b1_{i}": b1[i] for i in range(50)}
    values |= {f"w2_{i}_{j}": w2[50 * i + j] for i in range(2) for j in range(50)} | {f"b2_{i}": b2[i] for i in range(2)}
    hidden = "".join(f'h{i} = "tanh(w1_{i}_0*x3 + w1_{i}_1*y3 + b1_{i})"\n' for i in range(50))
    layer = lambda i: " + ".join(f"w2_{i}_{j}*h{j}" for j in range(50)) + f" + b2_{i}"
    points = rows_of("computed/spiral/spiral_diffeqflux_30.csv")
    write_rows("data.csv", ("time", "x", "y"), [(row["t"], row["x"], row["y"]) for row in points])
    job = write("spiral.toml", f"""
[model]
states = ["x", "y"]
parameters = {json.dumps(list(values))}
[model.expressions]
x3 = "x^3"
y3 = "y^3"
{hidden}
[model.rates]
x = "{layer(0)}"
y = "{layer(1)}"
[model.initial]
x = "2"
y = "0"
[data]
file = "data.csv"
[parameters]
""" + "".join(f"{name} = {{ initial = {value!r} }}\n" for name, value in values.items()) + """
[loss]
kind = "squared"
[solver]
rtol = 1e-10
atol = 1e-11
""")
    point = {"loss": ref["value"], "gradient": ref["gradient"]}
    compare(job, {}, point, relative=1e-6)


def main():
    if not DATA.exists():
        print("skipped: no references on this machine")
        sys.exit(77)
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    os.environ.setdefault("RONDO_CACHE_DIR", str(WORK / "cache"))
    {f.__name__: f for f in (remifentanil, influenza, michaelis_menten, chick_weight, neural_spiral)}[CASE]()
    print("passed")


main()
