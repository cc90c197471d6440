#!/usr/bin/env python3
"""Another program removes, replaces or changes the results file during a sweep. The sweep stops, as its rows would be
lost, and what the other program left stays as it is.

    tests/sweep/touched.py TILEWRIGHT
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

SWEEP = [str(pathlib.Path(sys.argv[1]).resolve()), "sweep", "--platform", "mirage", "--workload", "cholesky:nt=12"]
SWEEP += ["--policy", "eager", "--noise", "0.02", "--repeat", "100000", "--jobs", "2", "--quiet", "--output", "r.csv"]
RESULTS = pathlib.Path("r.csv")


def remove():
    RESULTS.unlink()


def replace():
    pathlib.Path("other").write_text("other\n")
    os.replace("other", RESULTS)


def truncate():
    os.truncate(RESULTS, 100)


def write():
    with RESULTS.open("a") as file:
        file.write("other\n")


def check(act, reason):
    sweep = subprocess.Popen(SWEEP, stderr=subprocess.PIPE, text=True)
    for _ in range(600):
        if RESULTS.exists() and RESULTS.read_text().count("\n") >= 3:
            break
        time.sleep(0.05)
    act()
    try:
        message = sweep.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        sweep.kill()
        sys.exit(f"{act.__name__}: the sweep goes on")
    if sweep.returncode != 1 or f"--output 'r.csv': {reason} during the sweep" not in message:
        sys.exit(f"{act.__name__}: exit status {sweep.returncode}, {message}")
    if (act is remove) == RESULTS.exists():
        sys.exit(f"{act.__name__}: the file is {'there' if RESULTS.exists() else 'not there'}")
    if act is replace and RESULTS.read_text() != "other\n":
        sys.exit("the other file was changed")
    if act is truncate and RESULTS.stat().st_size != 100:
        sys.exit("rows follow a line that is cut")
    RESULTS.unlink(missing_ok=True)


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    check(remove, "was removed")
    check(replace, "was replaced by another file")
    check(truncate, "was changed by another program")
    check(write, "was changed by another program")
