#!/usr/bin/env python3
"""Every policy on the stand-in for CUDA: each workload in one or both precisions, with ample memory and with the least
that fits each task. Runs use 1 and 3 GPUs, with a core, and also without one if GPUs have all kernels. Results equal
the serial run, schedules are valid, nothing is left on the GPUs, and standard error is empty. Then a sweep, and GPUs of
several models."""

import argparse
import csv
import itertools
import json
import os
import pathlib
import sys
import tempfile
import time

from standin import Standin

# The least number of cores: 1 if GPUs lack some of the kernels.
WORKLOADS = {
    "cholesky:nt=6:nb=64": 0,
    "cholesky:nt=5:nb=48:precision=d": 0,
    "lu:nt=5:nb=64": 0,
    "lu:nt=4:nb=48:precision=d": 0,
    "qr:nt=4:nb=48:ib=16": 1,
    "qr:nt=4:nb=48:ib=20:precision=d": 1,  # the last block of a tile is smaller
    "qr:nt=4:mt=6:nb=48:ib=16:tree=binary": 1,
    "qr:nt=4:mt=6:nb=48:ib=16:tree=binary:copy_diagonal=yes:precision=d": 1,
    "stencil:nx=20:ny=20:nz=72:blocks=6:iterations=4": 0,
    "stencil:nx=20:nz=96:blocks=6:iterations=5:halo=2:dims=2:precision=d": 0,
    "stencil:nx=16:ny=16:nz=64:blocks=4:iterations=4:halo=2:precision=b": 0,
    "life:nx=16:ny=16:nz=60:blocks=5:iterations=4": 0,
    "matmul3d:nt=3:nb=40:precision=d": 0,
}
# Platform mirage has kernel times, and its GPUs are fast. On the platform machine, each command times the kernels
# first.
MIRAGE = ("real:poison=yes", ["--platform", "mirage", "--extrapolate"], {"bandwidth": 1e9})
MACHINE = ("real", ["--platform", "machine"], {})
APART = ("real", ["--platform", "machine"], {"peers": "no"})
PLACES = [(MIRAGE, 1), (MIRAGE, 3), (MACHINE, 1), (MACHINE, 3), (APART, 3)]


def cells(standin):
    """The words of a command, without the policy, and the settings of the stand-in."""
    for workload, fewest in WORKLOADS.items():
        for cpus in range(fewest, 2):
            memories = ["64MiB", standin.least_memory(workload, cpus)]
            for memory, ((engine, platform, settings), gpus) in itertools.product(memories, PLACES):
                words = ["--engine", engine, *platform, "--cpus", cpus, "--gpus", gpus, "--gpu-mem", memory,
                         "--workload", workload]
                yield words, {**settings, "gpus": gpus}


def say_wrong(words, ended, alive):
    print(f"{' '.join(map(str, words))}: status {ended.returncode}, left alive: {alive}\n{ended.stderr}", flush=True)


def check(standin, words, settings, policies):
    """The number of wrong runs."""
    ended = standin.run("run", *words, "--policy", ",".join(policies), "--check", "full", "--validate", "--format",
                        "json",
                        timeout_s=600, **settings)
    calls, alive = standin.counted()
    rows = json.loads(ended.stdout) if ended.stdout.strip() else []
    wrong = len(policies) - sum(row["status"] == "ok" and row["validated"]
                                and row["residual"] is not None for row in rows)
    if ended.returncode or ended.stderr or not calls or alive:
        wrong = max(wrong, 1)
    if wrong:
        say_wrong([*words, "--policy", ",".join(policies)], ended, alive)
    return wrong


def sweep(standin):
    """Points on this machine's GPUs; repeating the command runs none of them."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "rows.csv"
        words = ["sweep", "--engine", "real", "--platform", "machine", "--cpus", 1, "--gpus", "1,3", "--gpu-mem",
                 "64MiB",
                 "--workload", "cholesky:nt=4:nb=48,stencil:nx=16:ny=16:nz=48:blocks=4:iterations=2", "--policy",
                 "eager,dmdas",
                 "--check", "full", "--validate", "--quiet", "--output", path]
        ended = standin.run(*words, gpus=3)
        alive = standin.counted()[1]
        text = path.read_text() if path.exists() else ""
        good = [row for row in csv.DictReader(text.splitlines()) if row["status"] == "ok"
                and row["validated"] in ("1", "true", "yes")]
        again = standin.run(*words, gpus=3)
        if ended.returncode or ended.stderr or alive or len(good) != 8 or again.returncode or path.read_text() != text:
            say_wrong(words, ended, alive)
            print(f"{len(good)} good rows of 8:\n{text}")
            return 1
    return 0


def models(standin):
    """GPUs of one model have one arch; each has its own memory size."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace.json"
        words = ["run", "--engine", "real", "--platform", "machine", "--cpus", 1, "--gpus", 3, "--workload",
                 "lu:nt=4:nb=48", "--policy",
                 "dmdas", "--check", "full", "--validate", "--trace", path]
        ended = standin.run(*words, gpus=3, names="Model A,Model B", memory="100e6,200e6,300e6", capability="8.0,9.0")
        alive = standin.counted()[1]
        told = json.loads(path.read_text())["otherData"] if path.exists() else {"archs": [], "capacity_bytes": []}
        sizes = told["capacity_bytes"][1:]
        as_it_is = told["archs"][:3] == ["model-a", "model-b",
                                         "model-b"] and sizes == sorted(set(sizes)) and len(sizes) == 3
        if ended.returncode or ended.stderr or alive or not as_it_is:
            say_wrong(words, ended, alive)
            print(f"archs {told['archs']}, memories {sizes}")
            return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("standin")
    parser.add_argument("--every", type=int, default=1, help="run only every N-th run, times $EVERY (default: 1)")
    options = parser.parse_args()
    every = options.every * int(os.environ.get("EVERY", "1"))
    standin, start = Standin(options.command, options.standin), time.monotonic()
    policies, n, runs, wrong = standin.policies(), 0, 0, 0
    for words, settings in cells(standin):
        chosen = [policy for i, policy in enumerate(policies) if (n + i) % every == 0]
        n += len(policies)
        runs += len(chosen)
        wrong += check(standin, words, settings, chosen) if chosen else 0
    for part in sweep, models:
        runs += 1
        wrong += part(standin)
    print(f"{len(policies)} policies, {len(WORKLOADS)} workloads, {time.monotonic() - start:.0f} s")
    print(f"{runs - wrong} passed, {wrong} failed")
    return 1 if wrong or not policies else 0


if __name__ == "__main__":
    sys.exit(main())
