#!/usr/bin/env python3
"""The corpus of plans has plans that run: each file named runs-*.ini gives as many rows as the table below says.
The plan whole.ini, which has every option, is a sweep too great to run here: it is planned only.

    tests/fuzz/plans_run.py TILEWRIGHT"""

import csv
import os
import pathlib
import subprocess
import sys
import tempfile

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus" / "plan"
ROWS = {"runs-least.ini": 1, "runs-lists.ini": 16, "runs-noise.ini": 4, "runs-windows.ini": 4}


def sweep(command, plan, *words):
    """What is wrong, or None; and the rows of its results."""
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run([command, "sweep", str(plan), *words], cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, check=False)
        results = pathlib.Path(folder) / "results.csv"
        rows = []
        if results.exists():
            with results.open(newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
    return (ended.stderr if ended.returncode else None), rows


def main():
    command, failures = os.path.realpath(sys.argv[1]), []
    found = sorted(path.name for path in CORPUS.glob("runs-*.ini"))
    if found != sorted(ROWS):
        failures.append(f"{CORPUS}: {', '.join(found)}: expected {', '.join(sorted(ROWS))}")
    for name, expected in ROWS.items():
        error, rows = sweep(command, CORPUS / name)
        good = sum(row["status"] == "ok" for row in rows)
        if error or len(rows) != expected or good != expected:
            failures.append(f"{name}: {error or ''} {good} of {len(rows)} rows are ok, expected {expected} of them")
    error, _ = sweep(command, CORPUS / "whole.ini", "--dry-run")
    if error:
        failures.append(f"whole.ini: {error}")
    print("\n".join(failures) or f"{len(ROWS)} plans ran")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
