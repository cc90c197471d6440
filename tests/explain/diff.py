#!/usr/bin/env python3
"""Compares random pairs of runs of one graph with `tilewright diff`.

The differences by cause must add up to the difference of the makespans, also for each kind of worker. Tasks that moved
must be as many by kind and by worker, and bytes by cause must be all that the runs transferred. So must be messages of
clusters, by node. Compared with itself, a
run must be the same.

Usage: diff.py COMMAND [--cases N] [--seed N] [--jobs N]"""

import argparse
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import drawn_words  # pylint: disable=wrong-import-position

CLUSTERS = [["mirage", "--count", "2"], ["mirage", "--count", "4"], ["synthetic", "--count", "3"]]
FORMATS = ["run.json", "run.paje", "run.record", "run/"]


def pair_of_words(r, lists):
    """Arguments of two runs of one workload. Each other argument of the second is new, or that of the first."""
    first, second = (drawn_words.draw(r, *lists) for _ in range(2))
    if r.random() < 0.5:
        second = list(first)
        changed = r.choice(["--platform", "--policy", "--gpu-mem", "--seed", "--runtime"])
        value = {"--platform": r.choice(lists[0]), "--policy": r.choice(lists[1]),
                 "--gpu-mem": r.choice(["30MiB", "100MiB"]),
                 "--seed": str(r.randint(1, 99)), "--runtime": r.choice(drawn_words.RUNTIMES)}[changed]
        if changed in second:
            second[second.index(changed) + 1] = value
        else:
            second += [changed, value]
    second[second.index("--workload") + 1] = first[first.index("--workload") + 1]
    return first, second


def run(command, words, trace):
    """The row of results; None: the run was refused, or failed."""
    ended = subprocess.run([command, "run", "--engine", "native", "--format", "csv", "--trace", trace, *words],
                           capture_output=True, text=True, timeout=300, check=False)
    return next(csv.DictReader(io.StringIO(ended.stdout))) if ended.returncode == 0 else None


def diff(command, one, other, *options):
    ended = subprocess.run([command, "diff", one, other, *options], capture_output=True, text=True, timeout=300,
                           check=False)
    if ended.returncode or any("warning" not in line for line in ended.stderr.splitlines()):
        raise ValueError(f"exit status {ended.returncode}: {ended.stderr}")
    return ended.stdout


def expect(holds, what):
    if not holds:
        raise ValueError(what)


def check_sums(answer):
    """Times by cause, which have an error of 15 digits each."""
    makespans = answer["a"]["makespan_s"], answer["b"]["makespan_s"]
    slack = 1e-12 * max(1, *makespans)
    parts = [("makespan", answer["causes"])]
    parts += [(kind["kind"], kind["causes"]) for kind in answer["workers"]]
    for name, causes in parts:
        for side, makespan in zip(("a_s", "b_s"), makespans):
            times = [cause[side] for cause in causes if cause[side] is not None]
            expect(not times or abs(sum(times) - makespan) < slack, f"{name}: {side} does not add up")
            expect(all(time >= 0 for time in times), f"{name}: {side} is negative")
        differences = [cause["difference_s"] for cause in causes]
        if None not in differences:
            expect(abs(sum(differences) - answer["difference_s"]) < slack, f"{name}: differences do not add up")
            sizes = [abs(difference) for difference in differences]
            expect(sizes == sorted(sizes, reverse=True), f"{name}: not sorted")


def check_messages(messages, rows):
    """The rows of runs on one node have no messages."""
    counts = [int(row["messages"] or 0) for row in rows]
    expect((messages is not None) == any(counts), "messages")
    for i, side in enumerate("ab" if messages else ""):
        for way in ("sent", "received"):
            nodes = [node for node in messages["nodes"] if node["direction"] == way]
            expect(sum(node[side + "_messages"] for node in nodes) == counts[i], f"messages {way} of {side}")
            expect(sum(node[side + "_bytes"] for node in nodes) == int(rows[i]["network_bytes"] or 0),
                   f"bytes {way} of {side}")
        more = sum(max(0, one[side + "_times"] - one["ab"[i == 0] + "_times"]) for one in messages["alone"])
        expect(messages["both"] + more == counts[i], f"messages of {side} alone")


def check_counts(answer, rows):
    tasks = answer["tasks"]
    for side, row in zip("ab", rows):
        expect(tasks["all"] == int(row["tasks"]), f"tasks of {side}")
        expect(sum(transfer[side + "_bytes"] for transfer in answer["transfers"]) == int(row["transferred_bytes"]),
               f"bytes of {side}")
    check_messages(answer.get("messages"), rows)
    for by in ("by_kind", "by_worker"):
        expect(sum(move["tasks"] for move in tasks[by]) == tasks["other_worker"], by)
    expect(sum(move["tasks"] for move in tasks["by_kind"] if move["from"] != move["to"]) == tasks["other_kind"],
           "other kinds")
    differs = tasks["other_worker"] + tasks["other_date"] > 0
    expect(differs == (answer["part"]["start"] is not None), "first start")
    expect((tasks["other_worker"] > 0) == (answer["part"]["assignment"] is not None), "first assignment")
    expect(not (answer["same"] and (differs or answer["difference_s"])), "same, but different")


def clusters(command, folder):
    """Folders of clusters, which are drawn as often as all other platforms together are."""
    made = []
    for words in CLUSTERS:
        made.append(os.path.join(folder, "".join(words)))
        subprocess.run([command, "platform", "cluster", "--node", *words, "--bandwidth", "4GBps", "--latency", "1us",
                        "-o", made[-1]], stdout=subprocess.DEVNULL, check=True)
    return made * 4


def case(command, seed, number, lists):
    """The outcome in a word, and the arguments."""
    r = random.Random(f"{seed} {number}")
    pair = pair_of_words(r, lists)
    with tempfile.TemporaryDirectory() as folder:
        traces = [os.path.join(folder, side + r.choice(FORMATS)) for side in "ab"]
        rows = [run(command, words, trace) for words, trace in zip(pair, traces)]
        if None in rows:
            return "refused", pair
        try:
            answer = json.loads(diff(command, *traces, "--format", "json"))
            check_sums(answer)
            check_counts(answer, rows)
            expect(answer["summary"] in diff(command, *traces).replace("\n", " "), "summary")
            itself = json.loads(diff(command, traces[0], traces[0], "--format", "json"))
            expect(itself["same"], "not the same as itself")
        except ValueError as error:
            return str(error), pair
    return "same" if answer["same"] else "done", pair


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    lists = [drawn_words.names(args.command, what) for what in ("platforms", "policies", "evictions")]
    counts = {"done": 0, "same": 0, "refused": 0}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        lists[0] += clusters(args.command, folder)
        for i, (outcome, pair) in enumerate(pool.map(lambda i: case(args.command, args.seed, i, lists),
                                                     range(args.cases))):
            if outcome in counts:
                counts[outcome] += 1
                continue
            wrong += 1
            print(f"case {i}: {' '.join(pair[0])} and {' '.join(pair[1])}: {outcome}", flush=True)
    print(f"diff: {args.cases} pairs: {counts}, {wrong} wrong")
    return 1 if wrong or counts["done"] < args.cases / 4 else 0


if __name__ == "__main__":
    sys.exit(main())
