#!/usr/bin/env python3
"""Figures from the command line, tiny: what they write, that nothing runs twice, what happens to altered results, to
policies that are not there, and to runs that fail.

    tests/figures/runs.py TILEWRIGHT"""

import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
FIGURES = pathlib.Path(__file__).resolve().parents[2] / "scripts/figures"
TILEWRIGHT = os.path.abspath(sys.argv[1])
sys.path.insert(0, str(FIGURES))
failures = 0


def check(what, holds, *shown):
    global failures
    if not holds:
        failures += 1
        print("fails:", what, *shown)


def run(name, *words):
    command = [sys.executable, "-B", FIGURES / name, "--tilewright", TILEWRIGHT, "--output", "out", *words]
    return subprocess.run(command, capture_output=True, text=True)


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rewrite(path, change):
    """Every row of a file of results, as `change` makes it."""
    changed = rows(path)
    for row in changed:
        change(row)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, changed[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(changed)


def cheap_figures():
    """From a plan to pictures; the same again runs nothing."""
    names = "jpdc2024-fig16,acaces2021-fig12,hipc2016-fig5,peerj2019-fig8,thesis-fig7.9"
    pictures = [] if shutil.which("gnuplot") else ["--no-pictures"]
    done = run("all", "--size", "tiny", "--only", names, *pictures)
    check("cheap figures are made", done.returncode == 0, done.stderr, done.stdout)
    for name, panels, n in (("jpdc2024-fig16", ["a", "b"], 20), ("acaces2021-fig12", ["a"], 8),
                            ("hipc2016-fig5", ["cholesky", "qr"], 7 * 2 * 4 * 2),
                            ("thesis-fig7.9", ["a", "b"], 5 + 2 * 3 - 1)):
        place = pathlib.Path("out/tiny") / name
        check(f"{name} has its rows", len(rows(place / "rows.csv")) == n, len(rows(place / "rows.csv")))
        statements = (place / "statements.txt").read_text()
        check(f"{name} has its statements",
              any(verdict in statements for verdict in ("holds", "does not hold", "not decided")), statements)
        for panel in panels if not pictures else []:
            check(f"{name} has picture {panel}", (place / f"{panel}.png").read_bytes()[:4] == b"\x89PNG")
    before = pathlib.Path("out/tiny/jpdc2024-fig16/results.csv").read_bytes()
    done = run("jpdc2024-fig16", "--size", "tiny", "--no-pictures")
    check("nothing runs twice", done.returncode == 0
          and pathlib.Path("out/tiny/jpdc2024-fig16/results.csv").read_bytes() == before, done.stderr)
    done = run("all", "--size", "full", "--dry-run", "--only", "jpdc2024-fig6")
    check("--dry-run tells how much there is to run",
          done.returncode == 0 and "800 points to run: about" in done.stdout, done.stdout, done.stderr)
    check("... and runs nothing", not os.path.exists("out/full/jpdc2024-fig6/results.csv"))
    check("a figure that is not there is bad input", run("all", "--only", "none").returncode == 2)
    done = run("experiment", "thesis7.9-pipeline", "--size", "tiny")
    check("an experiment shows statements without its change and with it",
          done.returncode == 0 and done.stdout.count("without: ") == done.stdout.count("with: ") == 2, done.stdout)
    check("an experiment that is not there is bad input", run("experiment", "none").returncode == 2)


def rows_of_earlier_plans():
    """Rows with another memory, as of an earlier plan, do not count."""
    def enlarge(row):
        if row["policy"] == "eager":
            row["gpu_mem_bytes"] = "1000000000"
    place = pathlib.Path("out/tiny/acaces2021-fig12")
    rewrite(place / "results.csv", enlarge)
    run("acaces2021-fig12", "--size", "tiny", "--no-pictures")
    left = {row["policy"] for row in rows(place / "rows.csv")}
    check("rows with another memory are left out", left == {"dmdar", "hfp", "dynamic_outer"}, left)


def altered_results():
    """Statements are of the rows: with others, they come out otherwise."""
    done = run("thesis-tab7.2", "--no-pictures", "--check")
    check("thesis-tab7.2 comes out as is known", done.returncode == 0 and done.stdout.count("holds ") == 3, done.stdout)
    told = rows("out/small/thesis-tab7.2/statements.csv")
    check("statements.csv has a line for each claim", [row["verdict"] for row in told] == ["holds"] * 3, told)
    check("... with the paper's number and the tolerance", told[0]["paper"] == "3.8, 57.2, 105.6, 154.7"
          and told[0]["tolerance"].startswith("within 10%"), told[0])
    results = pathlib.Path("out/small/thesis-tab7.2/results.csv")
    whole = results.read_text()

    def double(row):
        if row["policy"] == "dmda":
            row["transferred_bytes"] = str(2 * int(row["transferred_bytes"]))
    rewrite(results, double)
    done = run("thesis-tab7.2", "--no-pictures", "--check")
    check("with twice the bytes two statements fail", done.returncode == 1 and done.stdout.count("does not hold") == 2,
          done.stdout, done.stderr)
    check("... which --check counts", "2 statements have other results than expected" in done.stderr, done.stderr)
    check("without --check they are told alone", run("thesis-tab7.2", "--no-pictures").returncode == 0)

    def fail_one(row):
        if row["policy"] == "dm" and "nt=36" in row["workload"]:
            row |= {"status": "failed", "makespan_s": "", "transferred_bytes": "", "message": "made up"}
    results.write_text(whole)
    rewrite(results, fail_one)
    done = run("thesis-tab7.2", "--no-pictures", "--check")
    check("without one of the runs they are not decided",
          done.returncode == 1 and done.stdout.count("not decided") == 2, done.stdout, done.stderr)
    results.write_text(whole.replace(whole.splitlines()[1], "damaged"))
    done = run("thesis-tab7.2", "--no-pictures")
    check("a damaged file is an error of the sweep", done.returncode == 2 and "results.csv" in done.stderr,
          done.returncode, done.stderr)


def what_is_not_there():
    """A policy and a workload of a later version are named; what needs them is not decided, and the rest is there."""
    pathlib.Path("own").mkdir()
    shutil.copytree(FIGURES / "lib", "own/lib")
    pathlib.Path("own/later-fig1").write_text('''
from lib.claim import at_least
from lib.figure import Figure, Plan, Plot
FIGURE = Figure("later-fig1", "a policy and a workload to come", plots=[Plot("a", "gflops")],
                plans=[Plan(platform="mirage", workload="cholesky", nt="2,3", policy=["eager", "tomorrow:x=1"]),
                       Plan(platform="mirage", workload="newton", nt=2, policy="eager")])

@FIGURE.says("1", "tomorrow's is better", at_least("speed relative to eager", 1))
def better(rows):
    return rows.mean("gflops", policy="tomorrow:x=1") / rows.mean("gflops", policy="eager")

if __name__ == "__main__":
    FIGURE.main()
''')
    done = run(pathlib.Path("own/later-fig1").resolve(), "--no-pictures")
    check("what is not there is named", "policy 'tomorrow:x=1' is not in this version: left out" in done.stdout
          and "workload 'newton' is not in this version: left out" in done.stdout, done.stdout)
    check("... the others run", done.returncode == 0 and len(rows("out/small/later-fig1/rows.csv")) == 2, done.stdout,
          done.stderr)
    check("... and nothing is decided", "not decided" in done.stdout, done.stdout)


with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    cheap_figures()
    rows_of_earlier_plans()
    altered_results()
    what_is_not_there()
    os.chdir("/")
sys.exit(failures > 0)
