#!/usr/bin/env python3
"""Compares random runs of two commands, for example before and after a change for speed.

Each run is drawn from all platforms, policies and evictions. Its row and the events of its record must be equal, or
its error. Some runs use SimGrid's engine.

Usage: same_runs.py COMMAND COMMAND [--cases N] [--seed N] [--jobs N]"""

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
    row = []
    if len(lines) == 2:
        # empty cells do not count: a later build may have more columns
        row = [pair for pair in zip(lines[0].split(","), lines[1].split(",")) if pair[0] not in MOVING and pair[1]]
    record = [line for line in content.split(b"\n") if not line.startswith(b"made_by,")]
    return ended.returncode, ended.stderr.replace(folder, "").replace(root, ""), row, record


def case(commands, seed, number, lists):
    r = random.Random(f"{seed} {number}")
    words = drawn_words.draw(r, *lists)
    words += ["--engine", "simgrid" if r.random() < 0.15 else "native"]
    first, second = (outcome(command, words) for command in commands)
    different = [name for name, a, b in zip(("exit status", "standard error", "row", "record"), first, second)
                 if a != b]
    return words, different, first[0] == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", nargs=2)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    lists = [drawn_words.names(args.commands[0], what) for what in ("platforms", "policies", "evictions")]
    good = differ = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for words, different, ran in pool.map(lambda i: case(args.commands, args.seed, i, lists), range(args.cases)):
            good += ran
            differ += bool(different)
            if different and differ <= SHOWN:
                print(" ".join(words), "\n  differs in:", ", ".join(different), flush=True)
    print(f"{args.cases} runs, of which {good} ended well; {differ} differ")
    return 1 if differ or good < args.cases / 3 else 0


if __name__ == "__main__":
    sys.exit(main())
