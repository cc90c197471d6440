#!/usr/bin/env python3
"""Explains damaged records: lines that are left out, twice there, exchanged, or that have other numbers.

A damaged record is explained like any other, or refused by one line that names the file. It never ends the command in
another way.

Usage: damaged.py COMMAND [--cases N] [--seed N] [--wasteful POLICY.so]"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

from shares import faults

# evictions and write-backs; reductions; cancelled kernels; transfers between GPUs; a window; domains; clusters
RUNS = [
    "--platform mirage --workload cholesky:nt=5:nb=960 --policy dmdas --gpu-mem 40MiB --gpus 2 --cpus 2",
    "--platform attila2011 --workload reduction:n=12 --policy eager --cpus 2",
    "--platform mirage --workload cholesky:nt=6:nb=960 --policy heteroprio_types --runtime ideal",
    "--platform v100x4 --workload lu:nt=4:nb=960 --policy dmda --extrapolate --gpu-mem 80MiB",
    "--platform mirage --workload cholesky:nt=4:nb=960 --policy eager --runtime starpu:window=3",
    "--platform mirage --workload cholesky:nt=4:nb=960 --domain one=cpu:eager --domain two=gpu/cpu0:dmdas "
    "--assign gemm=two --cpus 2",
    "--platform CLUSTER --workload cholesky:nt=4:nb=960 --policy dmdas --gpu-mem 40MiB --gpus 1 --cpus 1",
    "--platform CLUSTER --workload reduction:n=12:shots=100:bytes=80000 --policy eager --cpus 2 --extrapolate",
]
NUMBERS = ["-1", "0", "1", "2", "5", "99", "32767", "2147483647", "9223372036854775806", "9223372036854775807", "x",
           ""]
HEAD = ("tilewright", "made_by", "argument", "fingerprint", "worker", "domain", "memory", "weighted", "link", "route",
        "kernel", "tasks", "time", "makespan", "measured", "rounds", "reduction")


def damage(lines, r):
    """Changes some lines. The last line, the number of events, is made right again."""
    lines = list(lines)
    kept = ("tilewright", "made_by", "argument", "fingerprint", "total")
    events = [i for i, line in enumerate(lines) if not line.startswith(kept)]
    for _ in range(r.choice([1, 1, 2, 5, 50])):
        i, j = r.choice(events), r.choice(events)
        how = r.randrange(5)
        if how == 0:
            lines[i] = None
        elif how == 1 and lines[i]:
            lines[j] = lines[i]
        elif how == 2:
            lines[i], lines[j] = lines[j], lines[i]
        elif lines[i]:
            fields = lines[i].split(",")
            k = r.randrange(1, len(fields)) if len(fields) > 1 else 0
            other = (lines[j] or lines[i]).split(",")
            fields[k] = r.choice(NUMBERS) if how == 3 else other[min(k, len(other) - 1)]
            lines[i] = ",".join(fields)
    lines = [line for line in lines if line is not None]
    n = sum(not line.startswith((*HEAD, "total")) for line in lines)
    return [f"total,{n}" if line.startswith("total") else line for line in lines]


def fault_of(command, path):
    """What is wrong with how the command takes the file, and whether it explains it."""
    ended = subprocess.run([command, "explain", "--format", "json", path], timeout=60, capture_output=True, text=True,
                           check=False)
    errors = [line for line in ended.stderr.splitlines() if "warning" not in line]
    if ended.returncode == 2:
        good = len(errors) == 1 and errors[0].startswith(f"tilewright: {path}:") and not ended.stdout
        return (None if good else f"not one line of error: {ended.stderr}"), False
    if ended.returncode or errors:
        return f"exit status {ended.returncode}: {ended.stderr}", False
    checked = subprocess.run([command, "validate", path], timeout=60, capture_output=True, text=True, check=False)
    if checked.returncode not in (0, 1, 2):
        return f"validate: exit status {checked.returncode}: {checked.stderr}", True
    return next(faults(json.loads(ended.stdout)), None), True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--cases", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    wrong = explained = 0
    with tempfile.TemporaryDirectory() as folder:
        cluster = os.path.join(folder, "cluster")
        subprocess.run([args.command, "platform", "cluster", "--node", "mirage", "--count", "2", "--bandwidth", "4GBps",
                        "--latency", "1us", "-o", cluster], check=True, capture_output=True)
        for number, words in enumerate(RUNS):
            path = os.path.join(folder, f"{number}.record")
            subprocess.run([args.command, "run", "--engine", "native", "--columns", "status", "--trace", path,
                            *words.replace("CLUSTER", cluster).split()], check=True, capture_output=True)
            with open(path, encoding="utf-8") as file:
                lines = file.read().splitlines()
            for case in range(args.cases // len(RUNS)):
                damaged = os.path.join(folder, "damaged.record")
                with open(damaged, "w", encoding="utf-8") as file:
                    file.write("\n".join(damage(lines, random.Random(f"{args.seed} {number} {case}"))) + "\n")
                fault, is_explained = fault_of(args.command, damaged)
                explained += is_explained
                wrong += fault is not None
                if fault:
                    print(f"run {number}, case {case}: {fault}", flush=True)
    print(f"{args.cases} damaged records, {explained} explained, {wrong} wrong")
    return 1 if wrong or not args.cases / 10 < explained < args.cases else 0


if __name__ == "__main__":
    sys.exit(main())
