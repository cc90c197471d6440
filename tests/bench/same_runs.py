#!/usr/bin/env python3
"""Compares random runs of two commands, for example before and after a change for speed.

Each run is drawn from all platforms, policies and evictions. Its row and the events of its record must be equal, or
its error. Columns that one command alone has do not count. Some runs use SimGrid's engine. With --refused-may-run, a
run that the first command refuses may run with the second.

Usage: same_runs.py COMMAND COMMAND [--cases N] [--seed N] [--jobs N] [--refused-may-run]"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import drawn_words  # noqa: E402  pylint: disable=wrong-import-position

SHOWN = 20
MOVING = {"wall_s", "tasks_per_s", "peak_rss_bytes", "version", "identity"}


def outcome(command, words):
    """Exit status, error, and row and record without what changes from run to run, or from folder to folder."""
    root = str(pathlib.Path(command).resolve().parent.parent)
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "run.record")
        ended = subprocess.run([command, "run", "--format", "csv", "--trace", record, *words], timeout=600,
                               capture_output=True, text=True, check=False)
        content = pathlib.Path(record).read_bytes() if os.path.exists(record) else b""
        lines = ended.stdout.replace(folder, "").splitlines()
    lines = [line for line in lines if not line.startswith("#")]
    row = {}
    if len(lines) == 2:
        row = {name: cell for name, cell in zip(lines[0].split(","), lines[1].split(",")) if name not in MOVING}
    record = [line for line in content.split(b"\n") if not line.startswith(b"made_by,")]
    return ended.returncode, ended.stderr.replace(folder, "").replace(root, ""), row, record


def differences(first, second, refused_may_run):
    """Names of what differs between two outcomes."""
    if first[0] and not second[0] and refused_may_run:
        return []
    both = set(first[2]) & set(second[2])
    rows = [{name: row[name] for name in both} for row in (first[2], second[2])]
    different = {"exit status": first[0] != second[0], "standard error": first[1] != second[1],
                 "record": first[3] != second[3], **{f"column {name}": rows[0][name] != rows[1][name] for name in both}}
    return sorted(name for name, it_does in different.items() if it_does)


def case(commands, seed, number, lists, refused_may_run):
    r = random.Random(f"{seed} {number}")
    words = drawn_words.draw(r, *lists)
    words += ["--engine", "simgrid" if r.random() < 0.15 else "native"]
    first, second = (outcome(command, words) for command in commands)
    return words, differences(first, second, refused_may_run), first[0] == 0, first[0] != 0 and second[0] == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", nargs=2)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--refused-may-run", action="store_true")
    args = parser.parse_args()
    lists = [drawn_words.names(args.commands[0], what) for what in ("platforms", "policies", "evictions")]
    good = differ = more = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for words, different, ran, now_runs in pool.map(
                lambda i: case(args.commands, args.seed, i, lists, args.refused_may_run), range(args.cases)):
            good += ran
            more += now_runs
            differ += bool(different)
            if different and differ <= SHOWN:
                print(" ".join(words), "\n  differs in:", ", ".join(different), flush=True)
    print(f"{args.cases} runs, of which {good} ended well; {differ} differ; {more} run with the second alone")
    return 1 if differ or good < args.cases / 3 else 0


if __name__ == "__main__":
    sys.exit(main())
