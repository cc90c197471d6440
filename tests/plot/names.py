#!/usr/bin/env python3
"""Tests that figures show names as they are, whatever these hold: policies, workloads, files, workers, links.

    tests/plot/names.py TILEWRIGHT

Exit status 77 (skipped): gnuplot is not installed."""

import csv
import json
import os
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ET
from xml.sax.saxutils import quoteattr

from checks import check, exit_status, run

SVG = "{http://www.w3.org/2000/svg}"
# Each name, and how a figure shows it: on one line, and without the end of a section of SVG.
NAMES = {
    "''": "''", "'": "'", "a''b": "a''b", "'''x'": "'''x'", "end'": "end'", "''@x": "''@x", "@terminal": "@terminal",
    "`date`": "`date`", "'`date`'": "'`date`'", "50% of %g": "50% of %g", "%%'%s": "%%'%s", "{a}_b^{c}": "{a}_b^{c}",
    "back\\slash\\n": "back\\slash\\n", "'\\": "'\\", "\\'": "\\'", '"quoted"': '"quoted"', "'\"": "'\"",
    "two\nlines'": "two lines'", "<b>&amp;": "<b>&amp;", "a]]>b'": "a]] >b'", "tab\tto": "tab to", "é’'": "é’'",
    "$curve0": "$curve0", "#'": "#'", "END": "END",
}


def texts(path):
    return ["".join(t.itertext()).strip() for t in ET.parse(path).getroot().iter(SVG + "text")]


def draws(what, wanted, *words):
    done = run("plot", *words, "-o", "named.svg")
    check(f"{what} is drawn without a word", done.returncode == 0 and not done.stderr, done.stderr)
    if done.returncode == 0:
        found = texts("named.svg")
        check(f"{what} says {wanted!r}", wanted in found or any(wanted in text for text in found), found)


def rows():
    with open("r.csv", newline="") as source:
        return list(csv.DictReader(source))


def write(changed):
    with open("named.csv", "w", newline="") as out:
        table = csv.DictWriter(out, changed[0].keys(), lineterminator="\n")
        table.writeheader()
        table.writerows(changed)


def of_results():
    done = run("run", "--platform", "mirage", "--workload", "cholesky:nt=4,cholesky:nt=6", "--policy", "laheteroprio",
               "--output", "r.csv")
    assert done.returncode == 0, done.stderr
    for name, shown in NAMES.items():
        changed = rows()
        for row in changed:
            row["policy"] = name
        write(changed)
        for kind in ("gflops", "ratio", "bars") if "EVERY" not in os.environ else ("ratio",):
            draws(f"{kind} of policy {name!r}", shown, kind, "named.csv")
        # Two names in one command, of which the second could be what the first one's quotes leave open.
        changed = rows()
        for row, policy in zip(changed, (name, "@terminal")):
            row["policy"] = policy
        write(changed)
        draws(f"gflops of policies {name!r} and @terminal", "@terminal", "gflops", "named.csv")
        changed = rows()
        for row in changed:
            row["workload"] = "file:" + name + row["workload"][-1]
        write(changed)
        draws(f"bars of workloads {name!r}", "file:" + shown, "bars", "named.csv")
        draws(f"gflops of workloads {name!r}", "file:" + shown, "gflops", "named.csv")
        if ";" in name:
            continue  # ends a counter
        changed = rows()
        for row in changed:
            row["counters"] = "c" + name + "=1"
        write(changed)
        draws(f"a counter {name!r}", "c" + shown, "counters", "named.csv")


def of_traces():
    """Names of a worker, its memory and a link."""
    mirage = os.path.join(os.environ["TILEWRIGHT_PLATFORMS"], "mirage")
    words = ["run", "--workload", "cholesky:nt=4", "--policy", "dmdas", "--gpu-mem", "100MiB"]
    shutil.copytree(mirage, "named")
    with open(os.path.join(mirage, "platform.xml"), encoding="utf-8") as source:
        platform = source.read()
    for name, shown in NAMES.items():
        if not name.isprintable():
            continue  # no names of a platform
        with open("named/platform.xml", "w", encoding="utf-8") as out:
            out.write(platform.replace('"GPU0"', quoteattr("w" + name)).replace('"host"', quoteattr("h" + name)))
        done = run(*words, "--platform", "./named", "--trace", "named.json")
        assert done.returncode == 0, done.stderr
        for first in "wh":
            draws(f"gantt of {first}{name!r}", first + shown, "gantt", "named.json")
    done = run(*words, "--platform", "mirage", "--trace", "t.json")
    assert done.returncode == 0, done.stderr
    path = "it''s 50% @x {a}_b.json"
    shutil.copy("t.json", path)
    draws("gantt of a file", "it''s 50% @x {a}_b.json", "gantt", path)
    draws("order of a file", "it''s 50% @x {a}_b.json", "order", path)


def main():
    if not shutil.which("gnuplot"):
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        of_results()
        of_traces()
        os.chdir("/")
    return exit_status()


sys.exit(main())
