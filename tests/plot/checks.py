"""What tests of pictures share: a run of the command, and checks that go on after a failure."""

import os
import subprocess
import sys

TILEWRIGHT = os.path.abspath(sys.argv[1])
failures = 0


def run(*words):
    return subprocess.run([TILEWRIGHT, *words], capture_output=True, text=True)


def check(what, holds, *shown):
    """Counts and prints a failure, with what was found."""
    global failures
    if not holds:
        failures += 1
        print("fails:", what, *shown)


def exit_status():
    return 1 if failures else 0
