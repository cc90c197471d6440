#!/usr/bin/env python3
"""Every policy x {cholesky, lu, matmul3d} x {ample, tight memory} x {1, 3 GPUs} on the stand-in for CUDA: results are right to the serial run,
schedules valid, and nothing is left on the GPUs.

Usage: campaign.py COMMAND STANDIN. $EVERY: only every so many of the runs."""

import itertools
import os
import subprocess
import sys

from standin import Standin

LEFT_OUT = {"replay"}  # needs a record
SPECS = {"heteroprio_types": "heteroprio_types:spoliation=no"}
WORKLOADS = ["cholesky:nt=6:nb=320", "lu:nt=5:nb=320", "matmul3d:nt=4:nb=320:precision=d"]
MEMORIES = ["64MiB", "3200KiB"]  # the latter: four tiles in double precision


def main():
    standin, wrong, runs = Standin(sys.argv[1], sys.argv[2]), 0, 0
    listed = subprocess.run([sys.argv[1], "list", "policies", "--names"], capture_output=True, text=True, check=True).stdout.split()
    policies = [SPECS.get(name, name) for name in listed if name not in LEFT_OUT]
    everything = list(itertools.product(policies, WORKLOADS, MEMORIES, [1, 3]))
    for policy, workload, memory, gpus in everything[::int(os.environ.get("EVERY", "1"))]:
        ended = standin.run("--cpus", 1, "--gpus", gpus, "--gpu-mem", memory, "--workload", workload, "--policy", policy, "--validate",
                            "--check", "full", "--extrapolate", gpus=gpus)
        runs += 1
        calls, alive = standin.counted()
        if ended.returncode or ended.stderr or not calls or alive:
            print(f"{policy}, {workload}, {memory}, {gpus} GPUs: status {ended.returncode}, alive: {alive}\n{ended.stderr}")
            wrong += 1
    print(f"{runs} runs of {len(policies)} policies, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
