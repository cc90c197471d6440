#!/usr/bin/env python3
"""Colours of figures differ for readers of any colour vision. The test reads them from figures, and demands the least
differences (CIEDE2000) that docs/reference/plots.md states.

    tests/plot/colours.py TILEWRIGHT

Exit status 77 (skipped): gnuplot is not installed."""

import itertools
import json
import os
import re
import shutil
import sys
import tempfile
import xml.etree.ElementTree as ET

from checks import check, exit_status, run
from vision import VISIONS, ciede2000, difference

SVG = "{http://www.w3.org/2000/svg}"
KERNELS, GREY, CAUSES, LINES = 11, 8, 6, 11  # the least differences


def make(*words):
    done = run(*words)
    assert done.returncode == 0, done.stderr


def parts(text):
    """The colour of "rgb(1, 2, 3)"; None: it is no colour."""
    found = re.fullmatch(r"rgb\( *(\d+), *(\d+), *(\d+)\)", text or "")
    return tuple(map(int, found.groups())) if found else None


def differ(what, ones, others, least):
    """Each of `ones` differs from each of `others` by at least so much."""
    for (a, one), (b, other) in itertools.product(ones.items(), others.items()):
        for vision in VISIONS if one != other or a != b else ():
            found = difference(one, other, vision)
            check(f"{what}: {a} and {b} differ by {least} with {vision}", found >= least, round(found, 1))


def formula():
    """Pairs 1, 5, 16, 17 and 24 of Sharma, Wu and Dalal 2005, table 1."""
    for one, other, wanted in (((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
                               ((50, -1.1848, -84.8006), (50, 0, -82.7485), 1.0),
                               ((50, 2.5, 0), (50, 0, -2.5), 4.3065), ((50, 2.5, 0), (73, 25, -18), 27.1492),
                               ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644)):
        check("the formula gives the published difference", abs(ciede2000(one, other) - wanted) < 1e-4, one)


def corners(polygon):
    points = [tuple(map(float, point.split(","))) for point in polygon.get("points").split()]
    return min(x for x, _ in points), max(x for x, _ in points), min(y for _, y in points), max(y for _, y in points)


def legend(path):
    """The legend of a Gantt chart: colour, number of patterns, and letter of each entry. A square is left of a text."""
    root = ET.parse(path).getroot()
    polygons = [(e.get("fill"), *corners(e)) for e in root.iter(SVG + "polygon")]
    texts = []
    for group in root.iter(SVG + "g"):
        place = re.match(r"translate\(([0-9.]+),([0-9.]+)\)$", group.get("transform", ""))
        if place and (text := "".join(group.itertext()).strip()):
            texts.append((text, *map(float, place.groups())))
    entries = {}
    for text, x, y in texts:
        fills = [(fill, x0, x1, y0, y1) for fill, x0, x1, y0, y1 in polygons
                 if 14 < x1 - x0 < 16 and 4 < x - x1 < 8 and y0 < y - 4 < y1]
        if fills:
            _, x0, x1, y0, y1 = fills[0]
            letters = [t for t, tx, ty in texts if x0 < tx < x1 and y0 < ty < y1 + 2]
            colours = [colour for fill, *_ in fills if (colour := parts(fill))]
            entries[text] = (colours[0], len(fills) - len(colours), "".join(letters))
    return entries


def background(path):
    """The colour of idle time without a cause: the first rectangle of the figure."""
    return next(colour for e in ET.parse(path).getroot().iter(SVG + "polygon") if (colour := parts(e.get("fill"))))


def network():
    """Where messages are awaited: the colour of that cause differs from those of the others."""
    make("platform", "cluster", "--node", "mirage", "--count", "2", "--bandwidth", "1GBps", "--latency", "1us", "-o",
         "two")
    make("run", "--platform", "./two", "--workload", "cholesky:nt=10", "--policy", "dmdas", "--trace", "n.json")
    make("plot", "gantt", "n.json", "-o", "n.svg", "--explain")
    entries = legend("n.svg")
    wait = {name: entry[0] for name, entry in entries.items() if name == "wait: network"}
    check("messages are awaited, with a pattern", wait and entries["wait: network"][1] == 1, entries)
    return wait


def of_paje(path):
    """The colours that a Paje trace gives to its kernels."""
    with open(path) as trace:
        found = re.findall(r'^2 K\d+ S "(.*?)" "([0-9.]+) ([0-9.]+) ([0-9.]+)"', trace.read(), re.M)
    return {name: tuple(round(255 * float(part)) for part in colour) for name, *colour in found}


def gantt():
    make("run", "--platform", "mirage", "--workload", "cholesky:nt=10", "--policy", "dmdas", "--gpu-mem", "60MiB",
         "--trace", "c.paje")
    make("plot", "gantt", "c.paje", "-o", "c.svg", "--explain")
    kernels = ["potrf", "trsm", "syrk", "gemm", "geqrt", "unmqr", "tsqrt", "tsmqr", "getrf", "dgemv", "scal", "2"]
    with open("many.json", "w") as out:
        json.dump({"tilewright": 1, "flops": 0, "priorities": "all", "data": [], "tasks": [
            [k, 0, {"seconds": 1 - k / 100}] for k in range(len(kernels))], "kernels": [
            {"name": name, "size": "1", "precision": "d", "flops": 0, "recorded_on": "processors"}
            for name in kernels]}, out)
    make("run", "--platform", "mirage", "--workload", "file:many.json", "--policy", "eager", "--trace", "k.paje")
    make("plot", "gantt", "k.paje", "-o", "k.svg")
    entries, many = legend("c.svg"), legend("k.svg")
    causes = {name: entry[0] for name, entry in entries.items() if name.startswith("wait: ")} | network()
    coloured = {name: entry[0] for name, entry in many.items() if name != "other kernels"}
    grey = {"other kernels": many["other kernels"][0]}
    check("seven causes, nine colours of kernels", len(causes) == 7 and len(coloured) == 9, causes, coloured)
    ground = {"idle": background("c.svg")}
    differ("kernels", coloured, coloured, KERNELS)
    differ("kernels and the background", {**coloured, **grey}, ground, KERNELS)
    differ("kernels and grey", coloured, grey, GREY)
    differ("causes", causes, causes, CAUSES)
    differ("causes and all beside them", causes, {**coloured, **grey, **ground}, CAUSES)
    check("kernels of a trace have these colours", list(of_paje("k.paje").values())[:9] == list(coloured.values()),
          of_paje("k.paje"))
    letters = [entry[2] for name, entry in many.items() if name in coloured]
    check("each kernel has a letter", len({*letters}) == 9 and all(len(letter) == 1 for letter in letters), letters)
    check("it is one of its name",
          [entries[name][2] for name in kernels[:4]] == [*"PTSG"] and letters[4:] == [*"EUQMR"], entries, letters)
    plain = [name for name in causes if name in entries and not entries[name][1]]
    check("all causes but one have a pattern", plain == ["wait: dependencies"], plain)


def drawn_lines(path):
    """The colours of a figure's lines that have points."""
    found = {parts(use.get("color")) for use in ET.parse(path).getroot().iter(SVG + "use")}
    return {f"line {i}": colour for i, colour in enumerate(sorted(found - {None, (0, 0, 0)}))}


def lines():
    policies = ["eager", "prio", "random", "ws", "lws", "dm", "dmda", "dmdar", "dmdas"]
    make("run", "--platform", "mirage", "--workload", "cholesky:nt=2,cholesky:nt=4", "--policy", ",".join(policies),
         "--output", "r.csv")
    make("plot", "gflops", "r.csv", "-o", "r.svg")
    found = drawn_lines("r.svg")
    check("nine policies have nine colours", len(found) == len(policies), found)
    differ("lines", found, found, LINES)
    differ("lines and paper", found, {"white": (255, 255, 255)}, LINES)


def main():
    if not shutil.which("gnuplot"):
        return 77
    formula()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        gantt()
        lines()
        os.chdir("/")
    return exit_status()


sys.exit(main())
