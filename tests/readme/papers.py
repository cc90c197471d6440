#!/usr/bin/env python3
"""The commands in the tables of docs/papers.md, run: each must succeed.

    tests/readme/papers.py COMMAND PAGE.md

COMMAND is the `tilewright` to run. A table has the columns section, here, command, left out. A row has code that begins
with "tilewright ", or else says "no algorithm" or what is left out. Commands of a paper, a heading "## ...", run one
after the other in one folder, which has traces/ in it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADER = ["section", "here", "command", "left out"]
LIMIT = 60  # seconds for one command; without a sanitizer it takes some tenths


def rows(page):
    """(line, paper, cells) of each row of the tables."""
    paper = None
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("## "):
            paper = line[3:]
        elif line.startswith("| ") and paper:
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if cells != HEADER:
                yield number, paper, cells


def run(command, place, environment):
    """Why the command failed; None: it did not."""
    try:
        ended = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=place, env=environment, text=True,
                               stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"takes more than {LIMIT} s"
    return f"exit status {ended.returncode}:\n{ended.stderr}" if ended.returncode else None


def main():
    tilewright, page = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    n_rows = n_commands = 0
    faults, slowest, folders = [], (0, ""), {}
    with tempfile.TemporaryDirectory() as top:
        commands = pathlib.Path(top, ".commands")
        commands.mkdir()
        (commands / "tilewright").symlink_to(tilewright)
        environment = os.environ | {"PATH": f"{commands}:{os.environ['PATH']}", "LC_ALL": "C"}
        for number, paper, cells in rows(page):
            n_rows += 1
            place = folders.get(paper)
            if not place:
                place = folders[paper] = pathlib.Path(top, str(len(folders)))
                shutil.copytree(ROOT / "traces", place / "traces")
            if len(cells) != len(HEADER) or not cells[0]:
                faults.append(f"{page.name}:{number}: expected a row with {len(HEADER)} cells, the first not empty")
                continue
            found = re.findall(r"`(tilewright [^`]*)`", cells[2])
            if not found and not cells[3] and not cells[1].startswith("no algorithm"):
                faults.append(f"{page.name}:{number}: expected a command, 'no algorithm' or what is left out")
            for command in found:
                n_commands += 1
                start = time.monotonic()
                why = run(command, place, environment)
                slowest = max(slowest, (time.monotonic() - start, command))
                if why:
                    faults.append(f"{page.name}:{number}: {command}: {why}")
    print(*faults, f"{n_rows} rows of {len(folders)} papers, {n_commands} commands, {len(faults)} faults; the slowest "
          f"takes {slowest[0]:.1f} s: {slowest[1]}", sep="\n")
    return 1 if faults or not n_commands else 0


if __name__ == "__main__":
    sys.exit(main())
