#!/usr/bin/env python3
"""Every policy on the real engine: Cholesky, LU, QR, a stencil, a reduction and a product, on this machine's cores and
two emulated accelerators. Runs have ample memory, or the least that fits a task. Then parallel tasks, on this machine's
cores and on more that threads share. All numbers are checked, allocated memory is poisoned, and schedules are
validated. Usage: campaign.py TILEWRIGHT [--every N] [--first I] [--engine WORDS]"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

WORKLOADS = [
    "cholesky:nt=8:nb=96",
    "cholesky:nt=6:nb=80:precision=d",
    "lu:nt=6:nb=80",
    "lu:nt=5:nb=64:precision=d",
    "qr:nt=5:nb=64:ib=16",
    "qr:nt=4:mt=6:nb=48:ib=16:tree=binary:copy_diagonal=yes:precision=d",
    "stencil:nx=20:ny=20:nz=80:blocks=8:iterations=6",
    "stencil:nx=20:nz=96:blocks=6:iterations=5:halo=2:dims=2:precision=d",
    "reduction:n=40:shots=2000:bytes=800:scratch=4KiB",
    "matmul3d:nt=3:nb=40",
]
NEEDS_A_RECORD = ["replay"]
PARALLEL = ["parallel_greedy", "parallel_heft"]
# the most cores of a parallel task, and the cores that hwloc describes (threads are then not bound); None: this
# machine's
WIDTHS = [(1, None), (2, None), (2, 3), (4, 5)]
# the first is refused, the second runs without cancelling
CANCELS = {"heteroprio_types": "heteroprio_types:spoliation=no"}


def run(options, workload, policies, memory, width=None, cores=None):
    command = [options.tilewright, "run", "--engine", options.engine, "--workload", workload, "--policy",
               ",".join(policies), "--check", "full", "--validate", "--format", "json"]
    command += ["--emulate", "gpus=2:mem=%s:bandwidth=2GB/s" % memory] if memory else ["--gpus", "0"]
    command += ["--max-parallelism", str(width)] if width else []
    machine = {**os.environ, "HWLOC_SYNTHETIC": "core:%d pu:1" % cores} if cores else None
    return command, subprocess.run(command, capture_output=True, text=True, timeout=options.timeout, env=machine)


def least_memory(options, workload):
    """A refusal names the memory that all tasks need."""
    _, done = run(options, workload, ["eager"], 1)
    told = re.search(r":mem=(\S+)", done.stderr)
    if not told:
        sys.exit("campaign: no memory is enough for %s: %s" % (workload, done.stderr))
    return told.group(1)


def check(options, workload, policies, *how):
    """The number of wrong runs."""
    command, done = run(options, workload, policies, *how)
    try:
        rows = json.loads(done.stdout)
    except ValueError:
        rows = []
    wrong = len(policies) - len(rows)
    for row in rows:
        good = row["status"] == "ok" and row["validated"] and row["residual"] is not None
        if not good:
            wrong += 1
            print("%s, %s, %s: %s" % (workload, row["policy"], how, row["message"]))
    if len(rows) != len(policies) or (done.returncode and not wrong):
        print("exit status %d: %s\n%s" % (done.returncode, " ".join(command), done.stderr.strip()))
        wrong = max(wrong, 1)
    return wrong


def check_refused(options, policy):
    """A policy that cancels kernels is refused."""
    command, done = run(options, WORKLOADS[0], [policy], "64MiB")
    if done.returncode == 2 and "cancels kernels, which this engine cannot" in done.stderr:
        return 0
    print("expected a refusal, exit status %d: %s\n%s" % (done.returncode, " ".join(command), done.stderr.strip()))
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tilewright")
    parser.add_argument("--every", type=int, default=int(os.environ.get("EVERY", "1")),
                        help="only every N-th policy of each workload, and width of parallel tasks, with another start "
                             "for each (default: $EVERY, or 1)")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--engine", default="real:poison=yes")
    parser.add_argument("--timeout", type=float, default=600, help="of one command, in seconds")
    options = parser.parse_args()

    listed = subprocess.run([options.tilewright, "list", "policies"], capture_output=True, text=True, check=True).stdout
    policies = [line.split()[0] for line in listed.splitlines() if line.strip()]
    policies = [CANCELS.get(p, p) for p in policies if p not in NEEDS_A_RECORD]
    start, runs, wrong = time.monotonic(), 0, 0
    for i, workload in enumerate(WORKLOADS):
        least = least_memory(options, workload)
        for j, memory in enumerate(["64MiB", least]):
            chosen = policies[(options.first + 2 * i + j) % options.every :: options.every]
            runs += len(chosen)
            wrong += check(options, workload, chosen, memory)
        for width, cores in WIDTHS[i % min(options.every, len(WIDTHS)) :: options.every]:
            for memory in [None, least]:
                runs += len(PARALLEL)
                wrong += check(options, workload, PARALLEL, memory, width, cores)
    for policy in CANCELS:
        runs += 1
        wrong += check_refused(options, policy)
    print("%d runs of %d policies, %d wrong, %.0f s" % (runs, len(policies), wrong, time.monotonic() - start))
    sys.exit(1 if wrong or not runs else 0)


main()
