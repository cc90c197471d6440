#!/usr/bin/env python3
"""Tests small multiples and the look that options choose, with sweeps as users make them.

    tests/plot/facets.py TILEWRIGHT

Exit status 77 (skipped): gnuplot is not installed."""

import csv
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

from boxes import SVG, collisions
from checks import check, exit_status, run

POLICIES = ["eager", "dmdas", "lws", "darts"]
MEMORIES = ["500MiB", "1GB", "2GB", "4GB"]


def plot(*words, output="f.svg"):
    done = run("plot", *words, "-o", output)
    told = [line for line in done.stderr.splitlines() if "reference lines are missing" not in line]
    check(f"{words} is drawn without a word", done.returncode == 0 and not told, done.stderr)
    return open(output).read() if done.returncode == 0 else ""


def texts(path="f.svg"):
    return ["".join(t.itertext()).strip() for t in ET.parse(path).getroot().iter(SVG + "text")]


def sweep(path, *words):
    done = run("sweep", "--platform", "v100x4", "--workload", "cholesky", "--nb", "1920", "--cpus", "0",
               "--extrapolate", "--quiet", "--jobs", "1", "--output", path, *words)
    assert done.returncode == 0, done.stderr


def rows(path):
    with open(path, newline="") as source:
        return list(csv.DictReader(source))


def write(path, changed):
    with open(path, "w", newline="") as out:
        table = csv.DictWriter(out, changed[0].keys(), lineterminator="\n")
        table.writeheader()
        table.writerows(changed)


def panels(script):
    return [text.replace("\\047", "'") for text in re.findall(r"""^set title ["'](.*?)["'] offset""", script, re.M)]


def panels_of_memory():
    """The sweep of 4 policies, 5 sizes and 4 memories has 16 lines: four panels of four."""
    for kind, lines in (("gflops", ["bound (area, path)", "peak of gemm"]), ("ratio", ["bound (area, path)"]),
                        ("transfers", ["compulsory loads", "bus limit", "leading term"])):
        script = plot(kind, "sweep.csv", output="f.gp")
        check(f"{kind} has a panel for each memory, in their order", len(panels(script)) == 4
              and all(a.startswith(b) for a, b in zip(panels(script), ("500 M", "1 G", "2 G", "4 G"))), panels(script))
        for axis in "xy":
            check(f"{kind}: panels share the {axis} axis", script.count(f"set {axis}range") == 1)
        plot(kind, "sweep.csv")
        shown = texts()
        for text in (*POLICIES, *lines, "working set: the workload's data (GB)"):
            check(f"{kind} says '{text}' once", shown.count(text) == 1, shown)
    for name in ("gpu-mem", "gpu_mem", "gpu_mem_bytes", "gpu-mem-bytes"):
        check(f"--facet {name} is the default here",
              plot("ratio", "sweep.csv", "--facet", name) == plot("ratio", "sweep.csv"))


def the_column_that_splits_best():
    check("over memory, there are panels of sizes",
          panels(plot("gflops", "sweep.csv", "--x", "memory", output="f.gp"))
          == [f"cholesky:nt={nt}" for nt in range(10, 31, 5)])
    check("bars: five panels of four groups",
          panels(plot("bars", "sweep.csv", output="f.gp")) == [f"cholesky:nt={nt}" for nt in range(10, 31, 5)])
    check("--facet none: one panel, sixteen lines",
          len(re.findall(r"with linespoints", plot("gflops", "sweep.csv", "--facet", "none", output="f.gp"))) == 16)
    where = ("--where", "policy=eager,dmdas")
    check("eight lines stay together", not panels(plot("gflops", "sweep.csv", *where, output="f.gp")))
    check("unless the user asks",
          len(panels(plot("gflops", "sweep.csv", *where, "--facet", "gpu-mem", output="f.gp"))) == 4)
    script = plot("gflops", "sweep.csv", "--facet", "policy", output="f.gp")
    check("a panel for each policy, where memories have looks", panels(script) == POLICIES
          and len(set(re.findall(r"NaN with linespoints (.*?rgb '#\w+')", script))) == 4, panels(script))
    for kind in ("gflops", "bars"):
        script = plot(kind, "sweep.csv", "--facet", "policy", "--where", "gpu-mem=2GB", output="f.gp")
        check(f"{kind}: a panel for each policy, of one line", panels(script) == POLICIES
              and "title 'runs'" in script, panels(script))
    check("a column with one value makes one panel",
          not panels(plot("gflops", "sweep.csv", *where, "--facet", "gpus", output="f.gp")))
    sweep("gpus.csv", "--nt", "10,20", "--policy", "eager,lws,dmdas", "--gpus", "1:4", "--gpu-mem", "1GB,2GB")
    check("the column with the fewest lines in a panel: GPUs, by their number",
          panels(plot("gflops", "gpus.csv", output="f.gp")) == ["1 GPU", "2 GPUs", "3 GPUs", "4 GPUs"])
    done = run("run", "--platform", "mirage", "--workload", "cholesky:nt=4,cholesky:nt=6", "--policy", "laheteroprio",
               "--cpus", "3", "--output", "counts.csv")
    assert done.returncode == 0, done.stderr
    counted = [dict(row, gpus=str(gpus), identity="") for gpus in (1, 2, 3) for row in rows("counts.csv")]
    write("counts.csv", counted)
    check("panels of a counter", panels(plot("counters", "counts.csv", "--counter", "bmd_ls_sdh", "--facet", "gpus",
                                             output="f.gp")) == ["1 GPU", "2 GPUs", "3 GPUs"])
    check("panels of the best", panels(plot("best", "counts.csv", "--facet", "gpus", output="f.gp"))
          == ["1 GPU", "2 GPUs", "3 GPUs"])
    # A policy with an eviction policy of its own does not make a panel of its own.
    sweep("many.csv", "--nt", "10,20", "--policy", "eager,lws,ws,dm,dmda,dmdas,dmdar,prio,darts", "--gpu-mem", "1GB")
    check("nine policies stay together", not panels(plot("gflops", "many.csv", output="f.gp")))


def lines_keep_their_looks():
    """A policy has the same look in each panel and in the legend, also one that a panel lacks."""
    some = [row for row in rows("sweep.csv")
            if not (row["policy"] == "dmdas" and row["gpu_mem_bytes"] == str(500 * 2 ** 20))]
    for row in some:  # a memory without values has no panel, and no mark in another
        if row["gpu_mem_bytes"] == "4000000000":
            row["gpu_mem_bytes"], row["gflops"] = "800000000", ""
    write("some.csv", some)
    done = run("plot", "gflops", "some.csv", "-o", "f.gp")
    check("values that are unknown are told", "gflops is unknown in 20 of 75 rows" in done.stderr, done.stderr)
    script = open("f.gp").read()
    check("they have no panel and no mark", len(panels(script)) == 3 and script.count("set arrow from first") == 2,
          panels(script))
    looks = {}
    for part in script.split("set title ")[1:]:
        for curve, look in re.findall(r"\$curve(\d+)_\d+ using 1:2 with linespoints (.*?rgb '#\w+')", part):
            looks.setdefault(curve, set()).add(look)
    check("each policy has one look", len(looks) == 4 and all(len(found) == 1 for found in looks.values()), looks)
    check("the legend has the policy that a panel lacks", script.count("NaN with linespoints") == 4)
    run("plot", "gflops", "some.csv", "-o", "f.svg")
    check("and says its name", "dmdas" in texts())


def no_labels_collide():
    long = rows("sweep.csv")
    for row in long:
        row["policy"] += ":with=a:rather=long:specification=of:its:parameters"
        row["workload"] = row["workload"].replace("cholesky", "file:a/rather/long/path/of/some/graph.json")
    write("long.csv", long)
    title = "A title of many words that no figure of the usual width has room for in one line, " * 2
    looks = [(), ("--legend", "below"), ("--legend", "above"), ("--legend", "none"), ("--title", title),
             ("--title", title, "--size", "900x900"), ("--size", "1400x900", "--font", "DejaVu Sans,18"),
             ("--legend", "below", "--title", title)]
    kinds = [("gflops",), ("gflops", "--x", "memory"), ("transfers",), ("ratio",), ("bars",),
             ("bars", "--facet", "none"), ("gflops", "--facet", "none"), ("gflops", "--facet", "policy"),
             ("transfers", "--where", "gpu_mem_bytes=1000000000")]
    for (kind, *words), look, source in itertools.product(kinds, looks, ("sweep.csv", "long.csv")):
        if source == "long.csv" and "bars" in kind and "none" in words:
            continue  # twenty names of forty letters
        plot(kind, source, *words, *look)
        check(f"{kind} {words} {look} {source}: no texts collide", not collisions("f.svg"), collisions("f.svg")[:4])


def refused():
    for words, message in (
            (("gflops", "--facet", "gpu-men"), "no column 'gpu-men': --facet needs it"),
            (("gflops", "--facet", "polcy"), "no column 'polcy' (did you mean 'policy'?): --facet needs it"),
            (("gflops", "--facet", "gpu-mem", "--x", "memory"), "expected another column than the horizontal axis"),
            (("gflops", "--facet", "makespan_s"), "expected a column that tells runs apart"),
            (("gantt", "--size", "900x500"), "plot gantt: --size: expected it for figures of results only"),
            (("order", "--title", "t"), "plot order: --title: expected it for figures of results only"),
            (("cloud", "--facet", "gpus"), "plot cloud: --facet 'gpus': expected it for figures without panels"),
            (("cloud", "--legend", "none"), "plot cloud: --legend: expected it for figures with one legend"),
            (("gflops", "--legend", "left"), "--legend 'left': expected right, below, above, top-left,"),
            (("gflops", "--size", "1000"), "--size '1000': expected WIDTHxHEIGHT in pixels, each from 200 to 10000"),
            (("gflops", "--size", "10x10"), "--size '10x10': expected WIDTHxHEIGHT"),
            (("gflops", "--size", "1000x600px"), "--size '1000x600px': expected WIDTHxHEIGHT"),
            (("gflops", "--size", "320x200"), "too small for 4 panels"),
            (("gflops", "--font", "a'b"), "--font 'a'b': expected the name of a font in letters"),
            (("gflops", "--font", ",12"), "expected the name of a font"),
            (("gflops", "--font", "Serif,big"), "expected NAME,SIZE with a size from 4 to 72 points")):
        done = run("plot", words[0], "sweep.csv", *words[1:], "-o", "refused.svg")
        check(f"{words} is refused in a line", done.returncode == 2 and message in done.stderr
              and done.stderr.count("\n") == 1 and not os.path.exists("refused.svg"), done.stderr)
    many = []
    for i, row in itertools.product(range(17), rows("sweep.csv")[:4]):
        many.append(dict(row, gpu_mem_bytes=str(10 ** 9 + i), identity=""))
    write("values.csv", many)
    done = run("plot", "gflops", "values.csv", "--facet", "gpu-mem", "-o", "refused.svg")
    check("seventeen panels are refused", "more than 16 values of gpu_mem_bytes: expected fewer" in done.stderr,
          done.stderr)


def looks():
    plot("gflops", "sweep.csv", "--title", "Mine: 50% {of} '' it_all", "--size", "1200x700", "--font", "Serif,11")
    root = ET.parse("f.svg").getroot()
    check("the size is the user's", (root.get("width"), root.get("height")) == ("1200", "700"), root.attrib)
    check("the title is", "Mine: 50% {of} '' it_all" in texts(), texts())
    fonts = {(g.get("font-family"), g.get("font-size")) for g in root.iter(SVG + "g") if g.get("font-family")}
    check("the font is, and smaller texts stay smaller", {name for name, _ in fonts} == {"Serif"}
          and ("Serif", "11.00") in fonts and max(float(size) for _, size in fonts) == 11, fonts)
    for legend in ("right", "below", "above", "top-left", "top-right", "bottom-left", "bottom-right", "none"):
        for words in ((), ("--facet", "none")):
            plot("gflops", "sweep.csv", "--legend", legend, *words)
            count = sum(text.startswith("peak of gemm") for text in texts())
            check(f"--legend {legend} {words}: the legend is there, or not", count == (legend != "none"), texts())
    plot("cloud", "sweep.csv", "--title", "Clouds", "--size", "800x900", "--font", "Serif")
    root = ET.parse("f.svg").getroot()
    check("clouds have title and size, too", root.get("width") == "800" and "Clouds" in texts(), root.attrib)
    for ending, magic in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        done = run("plot", "gflops", "sweep.csv", "-o", "f." + ending, "--font", "DejaVu Sans,10", "--legend", "below")
        check(f"panels as {ending}", done.returncode == 0 and open("f." + ending, "rb").read().startswith(magic),
              done.stderr)
    plot("gflops", "sweep.csv", "--keep-script")
    again = subprocess.run(["gnuplot", "-d", "f.gp"], capture_output=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    check("the script that is kept draws the panels, without a word",
          again.stdout == open("f.svg", "rb").read() and not again.stderr, again.stderr)


def main():
    if not shutil.which("gnuplot"):
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sweep("sweep.csv", "--nt", "10:30:5", "--policy", ",".join(POLICIES), "--gpus", "4", "--gpu-mem",
              ",".join(MEMORIES))
        for test in (panels_of_memory, the_column_that_splits_best, lines_keep_their_looks, no_labels_collide, refused,
                     looks):
            test()
        os.chdir("/")
    return exit_status()


sys.exit(main())
