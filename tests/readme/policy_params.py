#!/usr/bin/env python3
"""Every registered policy has one section "## NAME" in docs/, which tells what it does, where it is from (a year,
StarPU, PaRSEC, or that it is ours) and what a decision costs ("- Cost: ..."), and whose table has its parameters, in
their order, with their defaults, and no others.

    tests/readme/policy_params.py TILEWRIGHT policies|evictions docs

Eviction policies, in the documents whose name tells so (none: skipped, 77), have a section or else one row in a table,
"| `NAME` | what leaves first | ... | cost |", which names their parameters."""

import pathlib
import re
import subprocess
import sys

SOURCE = re.compile(r"\b(19|20)\d\d\b|StarPU|PaRSEC|\bours\b")


def command(*arguments):
    return subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def sections(documents):
    """(name, document, lines) of each "## NAME" that is one word."""
    for document in documents:
        name, lines = None, []
        for line in [*document.read_text(encoding="utf-8").splitlines(), "## "]:
            if line.startswith("## "):
                if name:
                    yield name, document, lines
                name, lines = line[3:] if re.fullmatch(r"## \w+", line) else None, []
            lines.append(line)


def registered_parameters(tilewright, kind, name):
    rows = command(tilewright, "list", kind, name)
    header = next((i for i, row in enumerate(rows) if row.startswith("parameter ")), len(rows))
    for row in rows[header + 1:]:
        if not row:
            return
        parameter, _, default = row.split()[:3]
        yield parameter, default.strip("'")


def documented_parameters(lines):
    for line in lines:
        row = re.match(r"\| `(\w+)` \|([^|]*)\|", line)
        if row:
            yield row[1], row[2].strip().strip("`")


def faults(tilewright, kind, name, lines):
    registered = list(registered_parameters(tilewright, kind, name))
    documented = list(documented_parameters(lines))
    text = [line for line in lines[1:] if line]
    if registered != documented:
        yield f"parameters are {registered}, documented {documented}"
    if not text or text[0].startswith(("|", "-", "#")):
        yield "nothing says what it does, expected a paragraph behind the heading"
    if not SOURCE.search("\n".join(text)):
        yield "nothing says where it is from, expected a paper with its year, StarPU, PaRSEC, or ours"
    if not any(line.startswith("- Cost: ") for line in text):
        yield "nothing says what a decision costs, expected a line '- Cost: ...'"


def row_faults(tilewright, name, cells):
    """Of an eviction policy's row: what stands between its bars."""
    if not cells[1] or not cells[-1]:
        yield "its row lacks what it does or what it costs"
    for parameter, _ in registered_parameters(tilewright, "evictions", name):
        if f"`{parameter}`" not in " ".join(cells):
            yield f"its row does not name its parameter {parameter}"


def rows(documents):
    """(name, document, cells) of each row of a table that begins with a name."""
    for document in documents:
        for line in document.read_text(encoding="utf-8").splitlines():
            if re.match(r"\| `\w+` \|", line):
                cells = [cell.strip() for cell in line.strip("|").split("|")]
                yield cells[0].strip("`"), document, cells


def main():
    tilewright, kind, folder = sys.argv[1:]
    of_evictions = [d for d in sorted(pathlib.Path(folder).glob("reference/*.md")) if "eviction" in d.name]
    documents = of_evictions if kind == "evictions" else [
        d for d in sorted(pathlib.Path(folder).glob("reference/*.md")) if d not in of_evictions
        and not d.name.startswith("workloads")]
    if not documents:
        print(f"no document about {kind}")
        sys.exit(77)
    found = list(sections(documents))
    names = command(tilewright, "list", kind, "--names")
    failed = 0
    for name in names:
        mine = [(document, faults(tilewright, kind, name, lines)) for title, document, lines in found if title == name]
        if kind == "evictions" and not mine:
            mine = [(document, row_faults(tilewright, name, cells)) for title, document, cells in rows(documents)
                    if title == name]
        if len(mine) != 1:
            print(f"{name}: {len(mine)} sections '## {name}' in {', '.join(d.name for d in documents)}, expected 1")
            failed += 1
            continue
        (document, found_faults), = mine
        for fault in found_faults:
            print(f"{document.name}: {name}: {fault}")
            failed += 1
    print(f"{len(names)} {kind}, {failed} faults")
    sys.exit(failed > 0 or not names)


if __name__ == "__main__":
    main()
