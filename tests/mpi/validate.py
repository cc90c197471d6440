#!/usr/bin/env python3
"""scripts/validate-processes prints a row for each run, simulates the network that it is given, and can fail.
Usage: validate.py SCRIPT TILEWRIGHT"""
import os
import subprocess
import sys
import tempfile

from environment import ENV

SCRIPT, TILEWRIGHT = sys.argv[1:3]
WORKLOAD = "cholesky:nt=6:nb=64:precision=d"
failures = 0


def run(folder, *words):
    return subprocess.run([sys.executable, SCRIPT, "--tilewright", TILEWRIGHT, "--platform", folder, "--workload",
                           WORKLOAD, "--policy", "lws", "--repeat", "2", "--markdown", *words], capture_output=True,
                          text=True, check=False, env=ENV)


def rows(out):
    """The rows of the table, without its head."""
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in out.splitlines() if line.startswith("| ")]
    return [dict(zip(cells[0], row)) for row in cells[1:]]


def expect(right, what, done):
    global failures
    if not right:
        failures += 1
        print(f"{what}:\n{done.stdout}\n{done.stderr}\n")


def main():
    with tempfile.TemporaryDirectory() as above:
        folder = os.path.join(above, "node")
        subprocess.run([TILEWRIGHT, "calibrate", "--output", folder, "--workload", WORKLOAD, "--cpus", "2",
                        "--time-limit", "3s", "--quiet"], check=True)
        done = run(folder)
        expect(done.returncode == 0 and [row["processes"] for row in rows(done.stdout)] == ["2", "4"], "two rows", done)
        expect("network: " in done.stdout and "share" in done.stdout, "what was measured", done)
        # 32 KiB take 33 ms; of the messages to one process, one comes after the other
        done = run(folder, "--processes", "2", "--network", "1MBps,1ms")
        slow = rows(done.stdout)
        expect(done.returncode == 0 and len(slow) == 1 and float(slow[0]["simulated s"]) > 0.2, "a slow network", done)
        done = run(folder, "--processes", "2", "--network", "1MBps,1ms", "--most-error", "1")
        expect(done.returncode == 1 and rows(done.stdout)[0][""] == "error", "an error that is too great", done)
        done = run(os.path.join(above, "nothing"), "--processes", "2")
        expect(done.returncode == 1 and "nothing" in done.stderr, "no platform", done)
    return 1 if failures else 0


sys.exit(main())
