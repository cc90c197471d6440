#!/usr/bin/env python3
"""Explains random runs: whatever the platform, workload, policy and runtime model, all time has a cause.

Runs of a runtime model without costs also show that waits are not taken for costs: the runtime system has more than a
part of the makespan, or of a kind's time, in few of them.

Usage: random_runs.py COMMAND [--cases N] [--seed N]"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

from shares import faults

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import drawn_words  # noqa: E402  pylint: disable=wrong-import-position

FREE = [words for words in drawn_words.RUNTIMES if words.startswith("ideal")]
MOST_RUNTIME, MOST_BLAMED = 0.01, 0.005  # part of the time; part of the runs without costs


def runtime_share(explanation):
    lists = [explanation["causes"], *(kind["causes"] for kind in explanation["workers"])]
    return max((cause["share"] for causes in lists for cause in causes if cause["name"] == "runtime"), default=0)


def case(command, seed, number, lists):
    """What the run was, and what is wrong with its explanation: None if the run was refused."""
    r = random.Random(f"{seed} {number}")
    words = [word for word in drawn_words.draw(r, *lists) if word != "--validate"]
    free = number % 2 == 1
    if free:
        words[words.index("--runtime") + 1] = r.choice(FREE)
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, r.choice(["t.record", "t.json", "t.paje", "t/"]))
        ended = subprocess.run([command, "run", "--engine", "native", "--trace", trace, *words], timeout=300,
                               capture_output=True, text=True, check=False)
        if ended.returncode:
            return words, None, False
        ended = subprocess.run([command, "explain", "--format", "json", "--chain", trace], timeout=300,
                               capture_output=True, text=True, check=False)
    if ended.returncode:
        return words, [f"exit status {ended.returncode}: {ended.stderr}"], False
    explanation = json.loads(ended.stdout)
    return words, list(faults(explanation)), free and runtime_share(explanation) > MOST_RUNTIME


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    lists = [drawn_words.names(args.command, what) for what in ("platforms", "policies", "evictions")]
    done = wrong = blamed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for words, found, is_blamed in pool.map(lambda i: case(args.command, args.seed, i, lists), range(args.cases)):
            done += found is not None
            wrong += bool(found)
            blamed += is_blamed
            if found or is_blamed:
                print(" ".join(words), *(found or ["the runtime system is blamed"]), sep="\n  ", flush=True)
    print(f"{done} of {args.cases} runs explained, {wrong} wrongly; the runtime system is blamed in {blamed}")
    return 1 if wrong or blamed > MOST_BLAMED * done or done < args.cases / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
