#!/usr/bin/env python3
"""Tests figures of traces: panels with axes and units, legends, and the series of the trace.

    tests/plot/traces.py TILEWRIGHT

Exit status 77 (skipped): gnuplot is not installed."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from checks import check, exit_status, run

SVG = "{http://www.w3.org/2000/svg}"
HERE = os.path.dirname(os.path.abspath(__file__))


def trace(name, *words):
    done = run("run", *(() if "--platform" in words else ("--platform", "mirage", "--policy", "dmdas")),
               *(() if "--workload" in words else ("--workload", "cholesky:nt=8")), *words, "--trace", name)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Figure:
    """The visible parts of a figure: its texts, and for each plot its colours and the number of its marks."""

    def __init__(self, path):
        root = ET.parse(path).getroot()
        self.texts = ["".join(t.itertext()).strip() for t in root.iter(SVG + "text")]
        self.plots = [g for g in root.iter(SVG + "g") if g.get("id", "").startswith("gnuplot_plot_")]
        self.tiles = [[e for e in g.iter(SVG + "polygon")] for g in self.plots]


def draw(kind, source, *words):
    name = "-".join([kind, os.path.basename(source), *words]).replace("/", "_").replace(":", "_") + ".svg"
    done = run("plot", kind, source, "-o", name, *words)
    check(f"{name} is drawn", done.returncode == 0, done.stderr)
    return Figure(name) if done.returncode == 0 else None


def says(figure, name, *texts):
    for text in texts:
        check(f"{name} says '{text}'", text in figure.texts, figure.texts)


def gantt_without_files():
    """A Gantt chart needs the trace alone; an explanation needs the files of the run, too."""
    shutil.copytree(os.path.join(os.environ["TILEWRIGHT_PLATFORMS"], "sirocco"), "own")
    with open("g.dot", "w", encoding="utf-8") as file:
        file.write('digraph { node [seconds="0.1"]; a -> b -> c; b -> d }\n')
    words = ("--platform", "./own", "--workload", "file:g.dot", "--policy", "dmdas", "--runtime", "starpu")
    for ending in ("paje", "json", "record"):
        trace(f"own.{ending}", *words)
        before = run("plot", "gantt", f"own.{ending}", "-o", "before.gp")
        check(f"own.{ending} is drawn", before.returncode == 0, before.stderr)
        os.rename("own", "gone")
        os.rename("g.dot", "gone.dot")
        after = run("plot", "gantt", f"own.{ending}", "-o", "after.gp")
        with open("before.gp", encoding="utf-8") as one, open("after.gp", encoding="utf-8") as two:
            check(f"own.{ending} is drawn without its files", after.returncode == 0 and one.read() == two.read(),
                  after.stderr)
        explained = run("plot", "gantt", "--explain", f"own.{ending}", "-o", "explained.gp")
        check(f"own.{ending} is not explained without its files",
              explained.returncode == 2 and "is not what it was" in explained.stderr, explained.stderr)
        os.rename("gone", "own")
        os.rename("gone.dot", "g.dot")


def gantt():
    table = trace("g.paje", "--gpu-mem", "100MiB")
    trace("g.json", "--gpu-mem", "100MiB")
    cpu, gpu = re.findall(r"([0-9.]+) %", table)[:2]
    trace("round.paje", "--gpu-mem", "50MB")
    says(draw("gantt", "round.paje"), "memory of 50 MB", "used (MB)")
    for source in ("g.paje", "g.json"):
        f = draw("gantt", source)
        says(f, source, "time (s)", "used (MiB)", "ready tasks", "idle", "mean", "potrf", "trsm", "syrk", "gemm",
             "GPU0", "GPU2", "9 idle cpu", "host")
        check("the first line has makespan, tasks and workers",
              any(re.fullmatch(r"g\.\w+: makespan [0-9.]+ ms, 120 tasks on 12 workers", t) for t in f.texts), f.texts)
        idle = f"cholesky:nt=8, dmdas: idle 3 x m2070 {gpu} %, 9 x cpu {cpu} %, all "
        check("the second has what was run, and idle shares of kinds, as the table has them, and of all",
              any(re.fullmatch(re.escape(idle) + r"[0-9.]+ %", t) for t in f.texts), f.texts, idle)
        check("each row has its idle share, each of the eight links its mean",
              sum(bool(re.fullmatch(r"[0-9]+ %", t)) for t in f.texts) == 3 + 1 + 8)
        heading = "links: use, as a share of what each can pass at the moment; "
        check("links have a heading", any(t.startswith(heading) for t in f.texts), f.texts)
        # One or two plots (wide and thin boxes) for each of four kernels; three memories; tasks; links.
        check("all is plotted", 4 + 3 + 1 + 1 <= len(f.plots) <= 8 + 3 + 1 + 1, len(f.plots))


def cancelled():
    """Kernels that were cancelled and run again do not count as more tasks."""
    words = ["--platform", "k40-hipc", "--workload", "cholesky:nt=8:precision=d", "--policy", "heteroprio_types",
             "--communication", "off"]
    trace("c.paje", *words)
    with open("c.paje") as t:
        counts = [line.split() for line in t if re.match(r"10 \S+ [DQ] ", line)]
    check("no counter of tasks is negative, and in the end none is left", all(float(c[4]) >= 0 for c in counts) and
          {c[2]: c[4] for c in counts} == {"D": "0", "Q": "0"}, counts[-4:])
    f = draw("gantt", "c.paje")
    check("cancelled executions are told",
          any(re.search(r": makespan [0-9.]+ ms, 120 tasks on 24 workers, [0-9]+ executions cancelled$", t)
              for t in f.texts), f.texts[:20])
    check("nothing moved", "mean" not in f.texts and "ready tasks" in f.texts)
    f = draw("order", "c.paje")
    check("each tile is there once", [len(t) for t in f.tiles] == [36, 28, 21, 15])


def earlier():
    """Traces of earlier versions do not hold the run."""
    for ending in ("paje", "json"):
        for kind in ("gantt", "order"):
            done = run("plot", kind, os.path.join(HERE, "earlier", "old." + ending), "-o", "earlier.svg")
            check(f"{kind} of old.{ending} is refused with a reason",
                  done.returncode == 2 and f"old.{ending}: the trace does not hold the whole run: expected one"
                  in done.stderr and not os.path.exists("earlier.svg"), done.stderr)


def luminance(colour):
    """The luminance of a colour, as in a print in greys."""
    r, g, b = ((int(c) / 255) ** 2.2 for c in re.findall("[0-9]+", colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def order():
    trace("o.json", "--gpu-mem", "100MiB")
    trace("o.paje", "--gpu-mem", "100MiB")
    trace("o.csv", "--gpu-mem", "100MiB")
    triangle = [36, 28, 21, 15, 10, 6, 3, 1]  # tiles of iteration k of 8 x 8
    legend = ["1 – 20", "21 – 40", "41 – 60", "61 – 80", "81 – 100", "101 – 120"]
    what = "cholesky:nt=8, dmdas; 28 of 36 tiles fit the smallest memory"
    for source in ("o.json", "o.paje"):
        f = draw("order", source)
        says(f, source, f"{source}: order in which 120 tasks started", what, "row i", "column j", *legend,
             *(f"iteration k = {k}" for k in range(4)))
        check("a map for each of the first four iterations, with its tiles", [len(t) for t in f.tiles] == triangle[:4])
        greys = [luminance(t.get("fill")) for t in f.tiles[0]]
        check("later is darker, in grey, too", greys == sorted(greys, reverse=True), greys)
    f = draw("order", "o.json", "--iterations", "0:6:3,7")
    check("maps of other iterations", [len(t) for t in f.tiles] == [36, 15, 3, 1])
    f = draw("order", "o.json", "--workers", "GPU0,GPU1,GPU2", "--iterations", "0")
    says(f, "workers", *(f"GPU{i}, iteration k = 0" for i in range(3)))
    check("a row for each of the workers, which share the tiles",
          len(f.tiles) == 3 and 0 < sum(map(len, f.tiles)) <= 36)
    f = draw("order", "o.json", "--colours", "paper", "--per-colour", "30")
    says(f, "paper", "1 – 30", "91 – 120")
    check("colours as printed", f.tiles[0][0].get("fill").startswith("rgb(255, 166"), f.tiles[0][0].get("fill"))
    f = draw("order", "o.csv", "--workload", "cholesky:nt=8")
    says(f, "o.csv", "cholesky:nt=8", *legend)
    check("a schedule gives the same maps", [len(t) for t in f.tiles] == triangle[:4])
    for workload, tiles, axes in (("lu:nt=4", [16, 9, 4, 1], ["row i", "column j"]),
                                  ("qr:nt=3:mt=5", [15, 8, 3], ["row i", "column j"]),
                                  ("matmul2d:nt=6", [36], ["block row of A", "block column of B"])):
        trace("w.json", "--workload", workload, "--extrapolate")
        f = draw("order", "w.json")
        says(f, workload, *axes)
        check(f"{workload} has its tiles", [len(t) for t in f.tiles] == tiles, [len(t) for t in f.tiles])


def kept_script():
    for kind in ("gantt", "order"):
        done = run("plot", kind, "g.json", "-o", "kept.svg", "--keep-script")
        again = subprocess.run(["gnuplot", "-d", "kept.gp"], capture_output=True)
        check(f"the script of {kind} that is kept draws the figure",
              done.returncode == 0 and again.stdout == open("kept.svg", "rb").read(), done.stderr)


def main():
    if not shutil.which("gnuplot"):
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        gantt()
        gantt_without_files()
        cancelled()
        earlier()
        order()
        kept_script()
        os.chdir("/")
    return exit_status()


sys.exit(main())
