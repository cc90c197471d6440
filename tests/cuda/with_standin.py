#!/usr/bin/env python3
"""Runs a program with the stand-in for CUDA. The exit status is that of the program; or 1 if the stand-in counted no
call, or, with --clean, if any object is left alive on the GPUs.

Usage: with_standin.py [--clean] STANDIN PROGRAM [ARGUMENT]..."""

import subprocess
import sys

from standin import Standin


def main():
    words = sys.argv[1:]
    clean = words[0] == "--clean"
    library, program = words[clean], words[clean + 1:]
    standin = Standin(program[0], library)
    status = subprocess.run(program, env=standin.environment(gpus=2), check=False).returncode
    calls, alive = standin.counted()
    print(f"{calls} calls of CUDA" + (f", left alive: {alive}" if clean and alive else ""))
    return status or (1 if not calls or (clean and alive) else 0)


if __name__ == "__main__":
    sys.exit(main())
