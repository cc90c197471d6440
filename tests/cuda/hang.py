#!/usr/bin/env python3
"""GPUs that hang: kernels or copies take for ever. The command ends by itself, reports what it waited for, and leaves
no process.

Usage: hang.py COMMAND STANDIN"""

import os
import re
import sys
import time

from standin import Standin

REAL = ["run", "--engine", "real:patience=0.3s", "--cpus", 1, "--gpus", 2, "--gpu-mem", "2MiB", "--policy",
        "roundrobin"]
MIRAGE, MACHINE = ["--platform", "mirage", "--extrapolate"], ["--platform", "machine"]
CHOLESKY, STENCIL = "cholesky:nt=3:nb=48", "stencil:nx=8:ny=8:nz=16:blocks=4:iterations=1"
KERNELS, COPIES = {"kernel_us": 1e12}, {"bandwidth": 1e-3}
CASES = [
    (MIRAGE, CHOLESKY, KERNELS, "opening 'GPU0' has not returned for"),
    (MACHINE, STENCIL, KERNELS, "opening 'GPU0' has not returned for"),
    (MIRAGE, CHOLESKY, COPIES, "nothing has ended for .* the run waits for the copy of data 0 from 'RAM' to 'GPU[01]'"),
]
MOST_S = 60


def main():
    # all memory is kept until the process ends
    os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    standin, wrong = Standin(sys.argv[1], sys.argv[2]), 0
    for platform, workload, settings, says in CASES:
        start = time.monotonic()
        ended = standin.run(*REAL, *platform, "--workload", workload, timeout_s=MOST_S, gpus=2, **settings)
        last = (ended.stderr.splitlines() or [""])[-1]
        if ended.returncode != 1 or not re.search(says, last):
            print(f"{workload}, {settings}: status {ended.returncode}, expected 1 and '{says}':\n{ended.stderr}",
                  flush=True)
            wrong += 1
        print(f"{workload}, {settings}: {time.monotonic() - start:.1f} s")
    print(f"{len(CASES) - wrong} passed, {wrong} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
