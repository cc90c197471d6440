#!/usr/bin/env python3
"""Tests the rows of Gantt charts: which workers they show, which share a row, and how high the colours of such a row
are.

    tests/plot/rows.py TILEWRIGHT

Exit status 77 (skipped): gnuplot is not installed."""

import collections
import os
import re
import shutil
import sys
import tempfile

from checks import check, exit_status, run

FULL = 2800  # height of a band in its blocks of values: three units, less 200 thousandths


class Chart:
    """A chart's script: the labels of its rows from top to bottom, its title, and its blocks of values."""

    def __init__(self, *words):
        done = run("plot", "gantt", "t.paje", "-o", "t.svg", "--keep-script", *words)
        check(f"{words} is drawn", done.returncode == 0 and not done.stderr, done.stderr)
        with open("t.gp") as script:
            script = script.read()
        ticks = re.search(r"set ytics scale 0 \((.*?' \d+)\)", script)[1]
        self.rows = [label for label, _ in re.findall(r"'([^']*)' ([0-9]+)", ticks)]
        self.title = re.search(r"^set label 't\.paje'\.': (.*?)' at", script, re.M)[1]
        self.subtitle = re.search(r"^set label '(cholesky.*?)' at", script, re.M)[1]
        self.letters = re.findall(r"^set label '(\w)' at first ([0-9.]+), first (\d+)-0.4\+(\d+)\./1000", script, re.M)
        self.blocks = {name: [[float(cell) for cell in line.split()] for line in text.split("\n") if line]
                       for name, text in re.findall(r"^\$(\w+) << END\n(.*?)\n?END$", script, re.S | re.M)}


def busy_of_workers():
    """Seconds in kernels of each worker, from the trace."""
    names, running, busy = {}, {}, collections.Counter()
    with open("t.paje") as trace:
        for line in trace:
            cells = line.split()
            if cells[0] == "15":
                names[cells[2]] = cells[5].strip('"')
            elif cells[0] in ("8", "9") and cells[2] == "S":
                date, worker = float(cells[1]), cells[3]
                if worker in running:
                    busy[names[worker]] += date - running.pop(worker)
                if cells[0] == "9":
                    running[worker] = date
    return {name: busy[name] for name in names.values()}


def area(chart, prefix, end):
    """The area of all curves whose name begins so, as a share of a whole band."""
    total = 0
    for name, points in chart.blocks.items():
        if re.fullmatch(prefix + r"_\d+", name):
            total += sum((b[0] - a[0]) * abs(a[2] - a[1]) for a, b in zip(points, points[1:]))
    return total / FULL / end


def idle_rows():
    """A small graph: some processors do nothing."""
    run("run", "--platform", "mirage", "--workload", "cholesky:nt=4", "--policy", "eager", "--trace", "t.paje")
    busy = busy_of_workers()
    working, idle = [w for w, s in busy.items() if s > 0], [w for w, s in busy.items() if s == 0]
    check("some processors are idle, some are not", len(idle) > 1 and any(w.startswith("CPU") for w in working), busy)
    check("idle processors share the last row", Chart().rows == [*working, f"{len(idle)} idle cpu"], Chart().rows)
    check("--fold none gives all a row", Chart("--fold", "none").rows == list(busy))
    check("one idle worker keeps its name", Chart("--workers", f"GPU0,{idle[0]}").rows == ["GPU0", idle[0]])
    check("two chosen ones share a row", Chart("--workers", ",".join(idle[:2])).rows == ["2 idle cpu"])
    check("--explain draws their causes", any(name.startswith("waits0_") for name in Chart("--explain").blocks))


def choice():
    run("run", "--platform", "mirage", "--workload", "cholesky:nt=10", "--policy", "eager", "--trace", "t.paje")
    cpus = [f"CPU{i}" for i in range(9)]
    for words, rows in (("GPU1,CPU0:CPU2", ["GPU1", *cpus[:3]]), ("CPU", cpus), ("cpu,GPU0,CPU3", [*cpus, "GPU0"]),
                        ("m2070", ["GPU0", "GPU1", "GPU2"]), ("CPU7:CPU7", ["CPU7"])):
        chart = Chart("--workers", words, "--explain")
        check(f"--workers {words}", chart.rows == rows, chart.rows)
        check("the title tells it", f"220 tasks on 12 workers ({len(rows)} shown)" in chart.title, chart.title)
    for words in ("CPU9", "CPU2:CPU0", "CPU0:", "gpu"):
        done = run("plot", "gantt", "t.paje", "-o", "x.gp", "--workers", words)
        check(f"--workers {words} is an error", done.returncode == 2 and "expected one such as 'GPU0'" in done.stderr,
              done.stderr)
    done = run("plot", "gantt", "t.paje", "-o", "x.gp", "--fold", "cpu,tpu")
    check("so is another kind to fold",
          "no kind of workers 'tpu' in t.paje: expected one such as 'm2070'" in done.stderr, done.stderr)
    done = run("plot", "order", "t.paje", "-o", "x.gp", "--workers", "GPU", "--iterations", "0")
    with open("x.gp") as script:
        maps = len(re.findall("^set title", script.read(), re.M))
    check("maps of an order have the same words", done.returncode == 0 and maps == 3, maps, done.stderr)


def bands():
    """The colours of a band are as high as the workers that run are many; with the causes they leave nothing out."""
    busy = busy_of_workers()
    chart = Chart("--fold", "CPU", "--explain")
    check("one row for all processors", chart.rows == ["GPU0", "GPU1", "GPU2", "9 x cpu"], chart.rows)
    end = max(point[0] for points in chart.blocks.values() for point in points)
    share = sum(busy[f"CPU{i}"] for i in range(9)) / 9 / end
    check("its kernels have the share of time in kernels", abs(area(chart, "band0", end) - share) < 2e-3,
          area(chart, "band0", end), share)
    tenths = re.search("9 x cpu ([0-9.]+) %", chart.subtitle)[1]
    check("as the subtitle has it", abs(1 - share - float(tenths) / 100) < 1e-3, tenths, share)
    waits = area(chart, "waits0", end)
    check("idle time has its causes", 0.9 * (1 - share) < waits <= 1 - share + 2e-3, waits, share)
    heights = [height for name, points in chart.blocks.items() if re.match("(band|waits)0_", name)
               for point in points for height in point[1:]]
    check("all of it within the row", min(heights) == -400 and max(heights) == FULL - 400, min(heights), max(heights))
    check("processors have no boxes of their own",
          all(row[2] >= 3 for name, rows in chart.blocks.items() if re.match("wide|thin", name) for row in rows))
    check("its kernels have letters, on their colours",
          {letter for letter, *_ in chart.letters} == {*"TSG"} and all(
              any(a[0] <= float(x) <= b[0] and a[1] < float(y) - 400 < a[2] for name, points in chart.blocks.items()
                  if name.startswith("band0_") for a, b in zip(points, points[1:])) for _, x, _, y in chart.letters),
          chart.letters)
    check("all kinds are folded", Chart("--fold", "all").rows == ["3 x m2070", "9 x cpu"])
    check("one worker of a kind is none to fold", Chart("--fold", "all", "--workers", "GPU0,CPU").rows
          == ["GPU0", "9 x cpu"])


def domains():
    """Rows have the domains of their workers; a row has no workers of other domains."""
    run("run", "--platform", "mirage", "--workload", "cholesky:nt=10", "--domain", "one=cpu:lws", "--domain",
        "two=gpu/cpu0:dmdas", "--assign", "gemm=two", "--trace", "t.paje")
    rows = ["3 x m2070 (two)", "CPU0 (one+two)", "8 x cpu (one)"]
    for more in ([], ["--explain"]):
        chart = Chart("--fold", "all", *more)
        check(f"kinds are split by domain {more}", chart.rows == rows, chart.rows)
    chart = Chart("--fold", "none", "--workers", "GPU1,CPU0:CPU1")
    check("workers have them, too", chart.rows == ["GPU1 (two)", "CPU0 (one+two)", "CPU1 (one)"], chart.rows)


def main():
    if not shutil.which("gnuplot"):
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        idle_rows()
        choice()
        bands()
        domains()
        os.chdir("/")
    return exit_status()


sys.exit(main())
