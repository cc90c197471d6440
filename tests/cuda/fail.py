#!/usr/bin/env python3
"""Each call of CUDA fails once: the N-th of a small run, for N = 1, 2 ... until a run makes fewer. Each of these runs ends with one line
that names the call and the GPU, with status 1 or 2, and leaves nothing behind on the GPU. A call after the run, which gives something back,
is a warning, and leaves that one thing.

Usage: fail.py COMMAND STANDIN. $TIMES: only so many of the calls, evenly."""

import os
import re
import sys

from standin import Standin

WORDS = ["--cpus", 1, "--gpus", 2, "--gpu-mem", "2MiB", "--workload", "cholesky:nt=3:nb=320", "--policy", "eager", "--check", "residual"]
LINE = re.compile(r"tilewright: .*(cu(da|blas|solverDn)\w+ on 'GPU[01]'|cudaGetDeviceCount): error \d+.*\n")
STATUSES = {1, 2}  # 2: no GPU can be used


def main():
    standin, failed, n, step = Standin(sys.argv[1], sys.argv[2]), 0, 1, 1
    if standin.run(*WORDS, gpus=2).returncode:
        print("fail: the run fails without any error")
        return 1
    calls, alive = standin.counted()
    step = max(1, calls // int(os.environ.get("TIMES", calls)))
    if alive:
        print(f"fail: left alive: {alive}")
        failed += 1
    while True:
        ended = standin.run(*WORDS, gpus=2, fail_at=n)
        made, alive = standin.counted()
        if made < n:
            break
        after = ended.returncode == 0 and "warning: " in ended.stderr
        if (ended.returncode not in STATUSES and not after) or not LINE.fullmatch(ended.stderr) or sum(alive.values()) > after:
            print(f"fail: call {n}: status {ended.returncode}, left alive: {alive}, standard error:\n{ended.stderr}")
            failed += 1
        n += step
    print(f"{calls} calls, every {step}: {failed} wrong")
    return 1 if failed or n < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
