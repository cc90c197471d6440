#!/usr/bin/env python3
"""Numbers at axes never touch each other, whatever the size of the figure, its font and its axes: linear, logarithmic,
of whole numbers, in panels. A second check: neighbours among the lines differ in colour, dashes and points.

    tests/plot/ticks.py TILEWRIGHT

Exit status 77 (skipped): gnuplot is not installed."""

import itertools
import os
import random
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ET

from checks import check, exit_status, run
from vision import VISIONS, difference

SVG = "{http://www.w3.org/2000/svg}"
LETTER = 0.58  # the width of a digit, as a part of the font's size: a little less than DejaVu Sans has
POLICIES = ["eager", "prio", "lws", "darts", "dm", "dmda", "dmdar", "dmdas", "heteroprio"]


def numbers(path):
    """The numbers of a figure: text, x, y, size of the font."""
    for group in ET.parse(path).getroot().iter(SVG + "g"):
        place = re.match(r"translate\(([0-9.]+),([0-9.]+)\)$", group.get("transform", ""))
        text = "".join(group.itertext()).strip()
        if place and re.fullmatch(r"-?[0-9.]+(e[+-]?[0-9]+)?", text):
            anchor = group.get("text-anchor")
            yield text, float(place[1]), float(place[2]), float(group.get("font-size")), anchor


def boxes(path):
    for text, x, y, size, anchor in numbers(path):
        width = LETTER * size * len(text)
        left = x - width / 2 if anchor == "middle" else x - width if anchor == "end" else x
        yield text, left, left + width, y - 0.75 * size, y


def touch(a, b):
    return a[1] < b[2] and b[1] < a[2] and a[3] < b[4] and b[3] < a[4]


def ticks():
    draw = random.Random(50)
    drawn = 0
    for i in range(60):
        words = ["--x", draw.choice(["memory", "working-set", "nt", "gpus", "makespan_s", "transferred_bytes"]),
                 "--size", f"{draw.randint(250, 1300)}x{draw.randint(220, 900)}",
                 "--font", f"DejaVu Sans,{draw.choice([8, 11, 13, 18, 24, 32])}",
                 "--legend", draw.choice(["right", "below", "none", "none", "top-left"]),
                 "--facet", draw.choice(["none", "gpus", "gpu-mem", "none"])]
        words += draw.choice([[], ["--no-bounds"], ["--yrange", "0:123456"], ["--yrange", "0.0001:0.0009"]])
        kind = draw.choice(["gflops", "transfers", "ratio"])
        done = run("plot", kind, "r.csv", "-o", "r.svg", "--where", "policy=eager,darts", *words)
        if any(text in done.stderr for text in ("too small", "than the horizontal axis", "more than 24 lines")):
            continue
        check("it is drawn", done.returncode == 0, kind, words, done.stderr)
        found = list(boxes("r.svg"))
        pairs = [(a, b) for a, b in itertools.combinations(found, 2) if touch(a, b)]
        check("numbers do not touch", not pairs, kind, words, pairs[:2])
        check("there are numbers", found, kind, words)
        drawn += 1
    check("most figures are drawn", drawn > 20, drawn)


def looks():
    run("run", "--platform", "mirage", "--workload", "cholesky:nt=2,cholesky:nt=4", "--policy", ",".join(POLICIES),
        "--output", "p.csv")
    run("plot", "gflops", "p.csv", "-o", "p.gp", "--no-bounds")
    with open("p.gp", encoding="utf-8") as script:
        found = re.findall(r"linespoints linewidth [0-9.]+ dashtype (\d+) pointtype (\d+) .*?rgb '#([0-9a-f]{6})'",
                           script.read())
    check("each policy has a line", len(found) == len(POLICIES), found)
    check("each has a look", len({look[:2] for look in found}) == len(found), found)
    colours = [tuple(int(look[2][i:i + 2], 16) for i in (0, 2, 4)) for look in found]
    for i, j in ((i, i + step) for step in (1, 2) for i in range(len(found) - step)):
        apart = difference(colours[i], colours[j], list(VISIONS)[0])
        check(f"{POLICIES[i]} and {POLICIES[j]} differ in colour", apart > 25, apart)
        check(f"{POLICIES[i]} and {POLICIES[j]} differ in points", found[i][1] != found[j][1], found[i], found[j])
        check(f"{POLICIES[i]} and {POLICIES[j]} differ in dashes", found[i][0] != found[j][0], found[i], found[j])


def main():
    if not shutil.which("gnuplot"):
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        run("sweep", "--platform", "mirage", "--workload", "cholesky", "--nt", "4,16", "--policy", "eager,darts",
            "--gpus", "1,2,3", "--gpu-mem", "60MiB,250MiB,4GiB", "--output", "r.csv", "--quiet")
        ticks()
        looks()
        os.chdir("/")
    return exit_status()


sys.exit(main())
