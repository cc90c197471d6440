#!/usr/bin/env python3
"""docs/evidence/figures.md tells of the figures that there are, with their commands, pictures and statements; README.md
and CONTRIBUTING.md need not. No picture is left over, and each script is one that starts.

    tests/figures/document.py ROOT"""

import os
import pathlib
import re
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "scripts/figures"))
from lib import document, figure
from lib.causes import EXPERIMENTS
from lib.claim import HOLDS

faults = []


def fault(condition, text):
    if condition:
        faults.append(text)


def rows_of(section):
    """The cells of the rows of its table, without the head."""
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]] for line in section.splitlines()
            if line.startswith("| ")]
    return rows[1:]


text = (ROOT / "docs/evidence/figures.md").read_text(encoding="utf-8")
sections = {part.split("\n", 1)[0]: part for part in text.split("\n## ")[1:]}
expected = ["Statements that do not hold", *figure.names()]
fault(list(sections) != expected, f"sections: {list(sections)}: expected {expected}: scripts/figures/all --docs")
for name in re.findall(r"scripts/figures/([\w.-]+)", text):
    fault(not (ROOT / "scripts/figures" / name).is_file(), f"scripts/figures/{name} is not there")

pictures, failing = set(), []
for name in figure.names():
    what, part = figure.load(name), sections.get(name, "")
    fault(what.name != name, f"scripts/figures/{name}: its figure is named {what.name}")
    fault(not os.access(ROOT / "scripts/figures" / name, os.X_OK), f"scripts/figures/{name}: expected a program")
    fault(f"`scripts/figures/{name}`" not in part, f"{name}: no command")
    fault(what.title.lower() not in part.lower(), f"{name}: expected '{what.title}'")
    wanted = {document.picture_name(what, plot) for plot in what.plots if plot.in_docs}
    shown = set(re.findall(r"\(img/([^)]+)\)", part))
    pictures |= shown
    fault(shown != wanted, f"{name}: pictures: expected {sorted(wanted)}")
    fault(any(line and line not in part for line in document.elsewhere(what)), f"{name}: pictures not shown")
    told = [(cells[0], cells[1], cells[2], cells[3], cells[5]) for cells in rows_of(part)]
    known = [(s.section, document.cell(s.text), s.paper_text(), document.cell(s.tolerance()), s.expected("small")[0])
             for s in what.statements]
    failing += [(name, text, number, verdict) for _, text, number, _, verdict in known if verdict != HOLDS]
    for mine, theirs in zip(told + [None] * len(known), known):
        fault(mine != theirs, f"{name}: {mine}: expected {theirs}")
    fault(len(told) != len(known), f"{name}: {len(told)} statements: expected {len(known)}")

listed = [(cells[0].split("]")[0].strip("["), cells[1], cells[2], cells[4]) for cells in rows_of(sections[expected[0]])]
fault(listed != failing, f"statements that do not hold: {listed}: expected {failing}")

every = {name: figure.load(name).statements for name in figure.names()}
named = {experiment for statements in every.values() for s in statements for experiment in s.experiments}
fault(named != set(EXPERIMENTS), f"experiments and those of statements differ in {sorted(named ^ set(EXPERIMENTS))}")
for name, experiment in EXPERIMENTS.items():
    texts = [s.text for of in experiment.figures for s in every[of]]
    for start in experiment.statements:
        fault(not any(text.startswith(start) for text in texts), f"experiment {name}: no statement '{start}'")

there = {path.name for path in (ROOT / "docs/evidence/img").iterdir()}
fault(there != pictures,
      f"docs/evidence/img: without a figure: {sorted(there - pictures)}; missing: {sorted(pictures - there)}")

bytes_kept = sum(path.stat().st_size for path in (ROOT / "docs/evidence/img").iterdir())
fault(bytes_kept > 1_000_000, f"docs/evidence/img: {bytes_kept} bytes: expected at most 1 MB (in_docs of lib/plot.py)")

print("\n".join(faults) or f"{len(sections)} figures, {len(pictures)} pictures")
sys.exit(bool(faults))
