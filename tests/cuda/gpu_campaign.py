#!/usr/bin/env python3
"""scripts/gpu-campaign with the stand-in for CUDA: a bundle is made, unpacked elsewhere and run there. The first call
is killed, and the second continues it. Its files must be as expected. Without a GPU it reports that.

Usage: gpu_campaign.py COMMAND STANDIN CAMPAIGN"""

import csv
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from standin import Standin

HEADINGS = ["## Results are right", "## Rates", "## Simulated beside real", "## Calibrated", "## Pinned memory",
            "## Not reached"]


def fail(text):
    sys.exit(f"gpu-campaign: {text}")


def make_bundle(campaign, build, folder):
    """The script, in an unpacked bundle. It is compressed less than a user's, which takes a minute."""
    file = folder / "bundle.tar.xz"
    ended = subprocess.run([campaign, "--bundle", file, "--build", build], capture_output=True, text=True, check=False,
                           env={**os.environ, "XZ_OPT": "-0 -T0"})
    if ended.returncode:
        fail(f"no bundle: {ended.stderr}")
    print(ended.stdout.strip())
    subprocess.run(["tar", "-C", folder, "-xJf", file], check=True)
    return folder / "tilewright" / "scripts" / "gpu-campaign"


def done(output):
    """The files of finished steps, and when they were written."""
    return {path: path.stat().st_mtime for path in output.glob("*.txt") if path.name != "log.txt"}


def run(script, output, environment, kill=False):
    """With `kill`, the script ends in its first sweep, or soon after it."""
    child = subprocess.Popen([script, "--small", "--time-limit", "200", output], env=environment,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             start_new_session=True)
    if kill:
        last = time.monotonic() + 60
        while time.monotonic() < last and not any(output.glob("tests-*.csv")):
            time.sleep(0.1)
        time.sleep(1)
        os.killpg(child.pid, signal.SIGKILL)
    out, err = child.communicate()
    return child.returncode, out + err


def check(output, build):
    summary = (output / "summary.md").read_text(encoding="utf-8")
    if missing := [heading for heading in HEADINGS
                   if heading not in summary] or "## Wrong" in summary or "Nothing: all steps" not in summary:
        fail(f"summary.md: {missing}\n{summary}")
    rows = [row for path in output.glob("real-*.csv")
            for row in csv.DictReader(path.open(encoding="utf-8", newline=""))]
    points = {(row["workload"], row["policy"], row["gpu_mem_bytes"]) for row in rows}
    if len(rows) < 8 * 5 * 2 or len(rows) % 5 or len(points) != len(rows) or any(row["status"] != "ok" for row in rows):
        fail(f"{len(rows)} rows of {len(points)} points")
    if len(list(output.glob("trace-*.json"))) != 8:
        fail("expected 8 traces")
    validated = list(csv.DictReader((output / "validation.csv").open(encoding="utf-8", newline="")))
    if len(validated) != 4 or any(row["status"] != "ok" for row in validated):
        fail(f"validation: {validated}")
    again = subprocess.run([build / "tilewright", "run", "--platform", output / "platform", "--runtime", "real",
                            "--workload", "lu:nt=4:nb=96", "--policy",
                            "dmdas"], capture_output=True, text=True, check=False)
    if again.returncode or again.stderr:
        fail(f"its platform cannot be used: {again.stderr}")


def main():
    standin, campaign = Standin(sys.argv[1], sys.argv[2]), sys.argv[3]
    build = pathlib.Path(sys.argv[1]).resolve().parent
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        script, output = make_bundle(campaign, build, folder), folder / "out"
        status, text = run(script, output, {**os.environ, "TILEWRIGHT_CUDA": name})
        if status != 2 or "no GPU that can be used" not in text:
            fail(f"without a GPU: status {status}: {text}")
        # `platform show` prints the memory in GB, as that of most GPUs.
        environment = standin.environment(memory="2.345e9")
        run(script, output, environment, kill=True)
        before = done(output)
        if not before:
            fail("nothing was done in the first minute")
        status, text = run(script, output, environment)
        if status:
            fail(f"status {status}: {text}")
        if any(path.stat().st_mtime != when for path, when in before.items()):
            fail("what was there was done again")
        check(output, build)
    return 0


if __name__ == "__main__":
    sys.exit(main())
