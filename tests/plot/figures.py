#!/usr/bin/env python3
"""Tests all kinds of figures of results: axes with units, legends, and the series of the rows.

    tests/plot/figures.py TILEWRIGHT

Exit status 77 (skipped): gnuplot is not installed."""

import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from checks import check, exit_status, run

SVG = "{http://www.w3.org/2000/svg}"


def results(path, *words):
    done = run("run", "--platform", "mirage", *words, "--format", "csv", "--output", path)
    assert done.returncode == 0, done.stderr


class Figure:
    """The visible parts of a figure: its texts, and the number of plots."""

    def __init__(self, path):
        root = ET.parse(path).getroot()
        self.texts = ["".join(t.itertext()).strip() for t in root.iter(SVG + "text")]
        self.plots = [g for g in root.iter(SVG + "g") if g.get("id", "").startswith("gnuplot_plot_")]
        self.drawn = [g for g in self.plots
                      if any(e.tag in (SVG + "path", SVG + "use", SVG + "polygon") for e in g.iter())]


def figure(kind, source, *words, axes, legend, plots):
    name = "-".join([kind, source.split(".")[0], *words]).replace("/", "_") + ".svg"
    done = run("plot", kind, source, "-o", name, *words)
    check(f"{name} is drawn", done.returncode == 0, done.stderr)
    if done.returncode != 0:
        return
    f = Figure(name)
    for text in [*axes, *legend]:
        check(f"{name} says '{text}'", text in f.texts, f.texts)
    check(f"{name} has {plots} lines", len(f.plots) == plots, len(f.plots))
    check(f"{name} draws all of them", len(f.drawn) == len(f.plots), len(f.drawn))
    with open(name) as first, tempfile.NamedTemporaryFile("w", suffix=".svg") as again:
        run("plot", kind, source, "-o", again.name, *words)
        check(f"{name} is the same again", first.read() == open(again.name).read())


SET = "working set: the workload's data (MB)"
SPEED = "performance (GFlop/s)"


def all_kinds():
    sizes = ",".join(f"cholesky:nt={nt}" for nt in (4, 8, 12))
    results("sizes.csv", "--workload", sizes, "--policy", "eager,dmdas,lws", "--repeat", "3", "--noise", "0.05")
    results("evictions.csv", "--workload", sizes, "--policy", "eager,dmdas", "--eviction", "lru,fifo", "--cpus", "0",
            "--gpus", "1", "--gpu-mem", "100MiB")
    results("counts.csv", "--workload", sizes, "--policy", "laheteroprio")
    # Three series, the bound, the peak, and error bars of the three series.
    policies = ["eager", "dmdas", "lws"]
    figure("gflops", "sizes.csv", axes=[SET, SPEED], legend=[*policies, "bound (area, path)", "peak of gemm"],
           plots=3 + 2 + 3)
    # Only the peak and the end of the bound are above twice the highest point.
    figure("gflops", "sizes.csv", "--where", "policy=eager", axes=[SET, SPEED],
           legend=["eager", "bound (area, path) (partly above)", "peak of gemm (above)"], plots=1 + 2 + 1)
    figure("ratio", "sizes.csv", axes=[SET, "makespan / lower bound"], legend=[*policies, "bound (area, path)"],
           plots=3 + 1 + 3)
    figure("gflops", "sizes.csv", "--where", "policy=eager,lws", axes=[SET], legend=["eager", "lws"], plots=2 + 2 + 2)
    pairs = ["eager, lru", "eager, fifo", "dmdas, lru", "dmdas, fifo"]
    figure("gflops", "evictions.csv", axes=[SET, SPEED], legend=pairs, plots=4 + 2)
    figure("transfers", "evictions.csv", axes=[SET, "transferred data (GB)", "fits 1 x 100 MiB"],
           legend=[*pairs, "compulsory loads", "leading term"], plots=4 + 3)
    figure("counters", "counts.csv", "--counter", "bmd_ls_sdh", axes=[SET, "counter bmd_ls_sdh"],
           legend=["laheteroprio"], plots=1)
    memories()
    looks()
    products()
    bars()
    configurations()


def configurations():
    """Rows with two policies, two workloads, four ways to group cores, and three numbers of single cores."""
    rows = []
    for choice in (["--cpu-groups", "10+10"], ["--cpu-groups", "5+5+5+5"], ["--cpu-groups", "10+5+5"], [],
                   *(["--cpus", n] for n in "248")):
        words = ["--platform", "k40-hipc", "--workload", "cholesky:nt=4:precision=d,cholesky:nt=6:precision=d",
                 "--policy",
                 "heft,heteroprio", "--communication", "off", *choice, "--format", "csv"]
        done = run("run", *words)
        assert done.returncode == 0, done.stderr
        rows += done.stdout.splitlines()[1 if rows else 0:]
    with open("configurations.csv", "w") as out:
        out.write("\n".join(rows) + "\n")
    # Two rows of panels, with a panel for each policy and one for the bound.
    figure("cloud", "configurations.csv", axes=["CPU workers", "GFlop/s", "cholesky:nt=6"],
           legend=["heft", "heteroprio", "bound"], plots=2 * 3)
    points = [len(list(g.iter(SVG + "use"))) for g in Figure("cloud-configurations.svg").plots]
    check("all configurations are in each panel", points == [7] * 6, points)
    # Two lines, two ribbons, and the bound.
    figure("best", "configurations.csv", axes=[SET, SPEED], legend=["heft", "heteroprio", "bound (area, path)"],
           plots=5)


def bars():
    rows = []
    for gpus in "123":
        results("one.csv", "--workload", "cholesky:nt=6", "--policy", "eager,dmdas", "--gpus", gpus, "--repeat", "2",
                "--noise",
                "0.1")
        rows += open("one.csv").read().splitlines()[1 if rows else 0:]
    with open("gpus.csv", "w") as out:
        out.write("\n".join(rows) + "\n")
    figure("bars", "gpus.csv", axes=["1 GPU", "2 GPUs", "3 GPUs", SPEED],
           legend=["eager", "dmdas", "bound (area, path)"],
           plots=2 + 1 + 2)
    figure("bars", "gpus.csv", "--metric", "transferred_bytes", axes=["1 GPU", "transferred data (GB)"],
           legend=["eager", "dmdas"], plots=2 + 2)
    # Labels contain only the parts of workloads that differ.
    results("words.csv", "--workload", "cholesky:nb=960:nt=4,cholesky:nb=960:nt=6", "--policy", "eager")
    figure("bars", "words.csv", axes=["cholesky:nt=4", "cholesky:nt=6", SPEED], legend=["eager"], plots=1 + 1)


def interpolate(curve, x):
    """The height of the curve at x; None outside of it."""
    for (x0, y0), (x1, y1) in zip(curve, curve[1:]):
        if x0 <= x <= x1:
            return y0 if x0 == x1 else y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return None


def labels_are_free(kind, rows, *words):
    """Labels of vertical lines cover no curve. A letter is at least a hundredth of the plot's height long."""
    done = run("plot", kind, rows, *words, "-o", "labels.gp")
    assert done.returncode == 0, done.stderr
    script = open("labels.gp").read()
    width, height = ([float(end) for end in re.search(rf"set {axis}range \[(.*):(.*)\]", script).groups()]
                     for axis in "xy")
    curves = [[tuple(map(float, line.split()[:2])) for line in block.split("\n")]
              for block in re.findall(r"\$curve\d+ << END\n(.*?)\nEND", script, re.S)]
    labels = re.findall(r"""set label ["'](.*?)["'] at first ([0-9.e+]+), graph ([0-9.]+) .* character (-?)1.2""",
                        script)
    for text, x, top, left in labels:
        beside = float(x) + (-0.015 if left else 0.015) * (width[1] - width[0])
        places = [(y - height[0]) / (height[1] - height[0]) for curve in curves
                  if (y := interpolate(curve, beside)) is not None]
        check(f"{kind} {rows}: '{text}' covers no curve",
              not any(float(top) - 0.01 * len(text) < place < float(top) for place in places), top, places)
    return len(labels)


def memories():
    rows = []
    for size in ("50MiB", "100MiB", "200MiB"):
        results("one.csv", "--workload", "cholesky:nt=8", "--policy", "eager,dmdas", "--gpus", "1", "--gpu-mem", size)
        rows += open("one.csv").read().splitlines()[1 if rows else 0:]
    with open("memories.csv", "w") as out:
        out.write("\n".join(rows) + "\n")
    memory = "memory of a GPU (MiB)"
    figure("gflops", "memories.csv", "--x", "memory", axes=[memory, SPEED, "the whole set (132.7 MB) fits"],
           legend=["eager", "dmdas"], plots=2 + 2)
    figure("transfers", "memories.csv", "--x", "memory", axes=[memory, "transferred data (GB)"],
           legend=["eager", "dmdas", "leading term"], plots=2 + 2)
    check("a label of a line", labels_are_free("gflops", "memories.csv", "--x", "memory") == 1)
    check("a label of a line", labels_are_free("transfers", "memories.csv", "--x", "memory") == 1)


def looks_of(kind, rows, *words):
    """By text of the legend: the colour, and for lines the dash and the point type."""
    done = run("plot", kind, rows, *words, "-o", "looks.gp", "--facet", "none")
    assert done.returncode == 0, done.stderr
    script = open("looks.gp").read()
    if kind == "bars":
        return {text: colour for colour, text in re.findall(r"""fillcolor rgb '#(\w+)' title ["'](.*?)["']""", script)}
    lines = re.findall(r"""dashtype (\d+) pointtype (\d+) pointsize 0.8 linecolor rgb '#(\w+)' title ["'](.*?)["']""",
                       script)
    return {text: (colour, dash, form) for dash, form, colour, text in lines}


def looks():
    """Colours stand for policies, dashes for all other differences."""
    head, *rows = open("memories.csv").read().splitlines()
    names = head.split(",")

    def table(n_policies, n_memories, evictions=("lru",)):
        made = [head]
        for i in range(n_policies * n_memories * len(evictions)):
            cells = next(csv.reader([rows[0]]))
            cells[names.index("policy")] = f"p{i % n_policies}"
            cells[names.index("gpu_mem_bytes")] = str((1 + i // n_policies % n_memories) * 50 << 20)
            cells[names.index("eviction")] = evictions[i // n_policies // n_memories]
            cells[names.index("identity")] = f"{i:032x}"
            made.append(",".join(cells))
        with open("looks.csv", "w") as out:
            out.write("\n".join(made) + "\n")
        return looks_of("gflops", "looks.csv")

    for n_policies, n_memories in ((2, 2), (2, 5), (9, 2), (10, 2), (2, 8), (1, 12), (22, 1), (3, 1)):
        lines = table(n_policies, n_memories)
        what = f"{n_policies} policies, {n_memories} memories"
        check(f"{what}: lines have looks of their own",
              len(lines) == n_policies * n_memories == len({*lines.values()}), lines)
        by_policy = {}
        for text, (colour, dash, _) in lines.items():
            by_policy.setdefault(text.split(",")[0], []).append((colour, dash))
        if 1 < n_policies <= 9:
            check(f"{what}: a policy has one colour",
                  all(len({colour for colour, _ in of}) == 1 for of in by_policy.values())
                  and len({of[0][0] for of in by_policy.values()}) == n_policies, lines)
            if n_memories > 1:
                check(f"{what}: a memory has one dash",
                      len({tuple(dash for _, dash in of) for of in by_policy.values()}) == 1, lines)
    lines = table(2, 1)
    check("bars have the colours of the lines",
          looks_of("bars", "looks.csv") == {text: look[0] for text, look in lines.items()}, lines)
    with open("looks.csv") as made, open("part.csv", "w") as out:
        for cells in csv.reader(made):
            out.write(",".join("" if cells[names.index("policy")] == "p0" and i == names.index("gflops") else cell
                               for i, cell in enumerate(cells)) + "\n")
    check("what cannot be drawn keeps its colour", looks_of("gflops", "part.csv") == {"p1": lines["p1"]})
    table(2, 1, ("lru", "fifo"))
    check("bars of one policy differ", len({*looks_of("bars", "looks.csv").values()}) == 4)


def products():
    """Marks and the peak on a V100. Its fastest gemm, of 7680x3840+3840x7680, takes 29514.1658 us. A and B together
    have nt times 2 x 14.7456 MB, and each block of C has 3.6864 MB."""
    for output, fitting in (("no", (262.144, 524.288)), ("yes", (262.144 + 25 * 3.6864 * (262.144 / 147.456) ** 2,
                                                                  524.288 + 25 * 3.6864 * (524.288 / 147.456) ** 2))):
        sizes = ",".join(f"matmul2d:nt={nt}:output={output}" for nt in (5, 10, 20, 30))
        results("one.csv", "--platform", "gemini", "--workload", sizes, "--policy", "eager,dmdar", "--cpus", "0",
                "--gpus", "1",
                "--gpu-mem", "250MiB", "--extrapolate")
        figure("gflops", "one.csv", axes=[SPEED, "A and B fit 1 x 250 MiB", "B fits 1 x 250 MiB"],
               legend=["eager", "dmdar", "bound (area, path)", "peak of gemm"], plots=2 + 2)
        check(f"output={output} has labels", labels_are_free("gflops", "one.csv") > 1)
        run("plot", "gflops", "one.csv", "-o", "one.gp")
        script = open("one.gp").read()
        unit = 1000 if "data (GB)" in script else 1
        marks = sorted(unit * float(x) for x in re.findall(r"set arrow from first ([0-9.e+]+),", script))
        wanted = sorted({262.144, *fitting})
        check(f"output={output} has its lines", len(marks) == len(wanted) and
              all(abs(a - b) < 1e-3 * b for a, b in zip(marks, wanted)), marks, wanted)
        peak = {float(y) for y in re.findall(r"^[0-9.]+ (15[0-9.]+) ", script, re.M)}
        check("the peak is the best gemm's",
              len(peak) == 1 and abs(peak.pop() - 2 * 7680 * 3840 * 7680 / 29514.1658e3) < 1, peak)


def kept_script():
    done = run("plot", "gflops", "sizes.csv", "-o", "kept.svg", "--keep-script")
    again = subprocess.run(["gnuplot", "-d", "kept.gp"], capture_output=True)
    check("the script that is kept draws the figure",
          done.returncode == 0 and again.stdout == open("kept.svg", "rb").read())
    for ending, magic in ((".png", b"\x89PNG"), (".pdf", b"%PDF")):
        run("plot", "gflops", "sizes.csv", "-o", "kind" + ending)
        check(f"{ending} is one", open("kind" + ending, "rb").read().startswith(magic))


def main():
    if not shutil.which("gnuplot"):
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        all_kinds()
        kept_script()
        os.chdir("/")
    return exit_status()


sys.exit(main())
