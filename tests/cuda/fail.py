#!/usr/bin/env python3
"""Each call of CUDA fails once: call N of a small command, for N = 1, 2 ... while any command makes as many calls.

Each of these commands ends with one line that names the call and the GPU, and with status 1 or 2. It leaves nothing on
the GPU, with two exceptions. If a call that frees something fails, there is a warning, and this object is left; if
choosing a GPU fails, all objects to be freed there are left. A failed call of the process that looks for GPUs leaves
its objects until the process ends."""

import argparse
import os
import re
import subprocess
import sys
import time

from standin import Standin

MIRAGE = ["--platform", "mirage", "--extrapolate", "--gpu-mem", "2MiB", "--policy", "eager"]
COMMANDS = [
    [*MIRAGE, "--workload", "cholesky:nt=3:nb=320"],
    [*MIRAGE, "--workload", "qr:nt=3:nb=48:ib=16"],
    # Looking for GPUs, timing kernels and the run: one process each.
    ["--platform", "machine", "--gpu-mem", "2MiB", "--policy", "roundrobin", "--workload",
     "stencil:nx=8:ny=8:nz=16:blocks=4:iterations=1"],
]
ALL = ["run", "--engine", "real", "--cpus", 1, "--gpus", 2, "--check", "residual"]
LINE = re.compile(r"tilewright: .*(cu\w+ on 'GPU[01]'|cudaGetDeviceCount): error \d+.*\n")
PHASES = {"GPUs are looked for": r"GPUs of this machine: |has no GPU that can be used: ",
          "kernels are timed": "while kernels were timed",
          "warnings": "warning: "}
BOUND = {"handles of cuBLAS", "handles of cuSOLVER", "modules"}  # to the current GPU
STATUSES = {1, 2}  # 2: no GPU can be used


def phase_of(errors):
    return next((name for name, words in PHASES.items() if re.search(words, errors)), "others")


def why_wrong(ended, alive):
    """The error; None: it is good."""
    phase = phase_of(ended.stderr)
    afterwards = ended.returncode == 0 and phase == "warnings"
    if ended.returncode not in STATUSES and not afterwards:
        return f"status {ended.returncode}"
    if not LINE.fullmatch(ended.stderr):
        return "the message is not one line that names the call and the GPU"
    if afterwards and "cudaSetDevice on" in ended.stderr:
        alive = {kind: n for kind, n in alive.items() if kind not in BOUND}
    if sum(alive.values()) > afterwards and phase != "GPUs are looked for":
        return f"left alive: {alive}"
    return None


def try_all(standin, words, times):
    """The numbers of failed calls and of commands that ended wrongly; None: the command fails even without an error."""
    whole = standin.run(*words, gpus=2)
    calls, alive = standin.counted()
    if whole.returncode or whole.stderr or alive or not calls:
        print(
            f"{' '.join(map(str, words))}: status {whole.returncode} without an error, left alive: "
            f"{alive}\n{whole.stderr}")
        return 1, 1
    n, tried, wrong, seen, begin = 1, 0, 0, {}, time.monotonic()
    step, most = max(1, calls // times if times else 1), calls
    while n <= most:
        try:
            ended = standin.run(*words, gpus=2, fail_at=n)
            why, errors = why_wrong(ended, standin.counted()[1]), ended.stderr
        except subprocess.TimeoutExpired as hung:
            why, errors = f"it has not ended after {hung.timeout} s", ""
        made = standin.counted()[0]
        most = max(most, made)
        if made >= n:  # the number of calls varies with the core or GPU that runs a task
            tried += 1
            seen[phase_of(errors)] = seen.get(phase_of(errors), 0) + 1
        if made >= n and why:
            print(f"{' '.join(map(str, words))}: call {n}: {why}\n{errors}", flush=True)
            wrong += 1
        n += step
    print(f"{words[-1]}: {calls} calls, every {step}: {seen}, {time.monotonic() - begin:.0f} s", flush=True)
    return tried, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("standin")
    parser.add_argument("--times", type=int, default=0,
                        help="about this many calls of each command, spread evenly (default: $TIMES, or all)")
    options = parser.parse_args()
    times = int(os.environ.get("TIMES", options.times))
    standin = Standin(options.command, options.standin)
    ends = [try_all(standin, [*ALL, *words], times) for words in COMMANDS]
    tried, wrong = sum(end[0] for end in ends), sum(end[1] for end in ends)
    print(f"{tried - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
