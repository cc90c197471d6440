#!/usr/bin/env python3
"""A calibration with GPUs finds the known times of the stand-in's kernels and links, and puts the costs of launches and
copies into the platform. The stand-in's GPUs are threads, which may wake late, so the tolerances are wide.

Usage: calibrate.py COMMAND STANDIN"""

import csv
import json
import pathlib
import re
import sys
import tempfile

from standin import Standin

KERNEL_S, BANDWIDTH = 1e-2, 5e8
WIDE = r"(tilewright: calibrate: \d+ kernels? (has|have) an interval above 1 %: .*\n)?"
COSTS = ["turn_cost", "kernel_queue_cost", "transfer_queue_cost"]


def rows(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def what_is_wrong(standin, folder):
    ended = standin.run("calibrate", "--output", folder, "--workload", "cholesky:nt=8:nb=64:precision=d",
                        "--time-limit", "6s", "--quiet",
                        gpus=1, kernel_us=1e6 * KERNEL_S, bandwidth=BANDWIDTH, query_us=50)
    if ended.returncode or not re.fullmatch(WIDE, ended.stderr):
        return [f"exit status {ended.returncode}: {ended.stderr}"]
    wrong = []
    platform = (folder / "platform.xml").read_text(encoding="utf-8")
    runtime = re.search(r'id="runtime" value="([^"]*)"', platform)
    costs = dict(re.findall(r"(\w+)=([0-9.e+-]+)us", runtime.group(1) if runtime else ""))
    print(f"costs: {costs}")
    wrong += [f"{cost}: {costs.get(cost)} us, expected more than 0" for cost in COSTS
              if not float(costs.get(cost, 0)) > 0]
    conditions = json.loads((folder / "calibration.json").read_text(encoding="utf-8"))["conditions"]
    wrong += [f"{name}: {conditions[name]}" for name in ("launch_us_per_kernel", "issue_us_per_copy")
              if not (conditions[name] or 0) > 0]
    times = {row["kernel"]: float(row["mean_us"]) * 1e-6 for row in rows(folder / "kernels.csv")
             if row["arch"] != "cpu"}
    print(f"kernels: {times}")
    if len(times) != 4:
        wrong.append(f"kernels on the GPU: {sorted(times)}, expected 4")
    wrong += [f"{kernel}: {s} s, expected {KERNEL_S} to {1.3 * KERNEL_S}" for kernel, s in times.items()
              if not KERNEL_S <= s <= 1.3 * KERNEL_S]
    links = json.loads((folder / "calibration.json").read_text(encoding="utf-8"))["links"]
    print(f"links: {links}")
    wrong += [f"link: {link}" for link in links if not 0.9 <= link["bandwidth"] / BANDWIDTH <= 1.06]
    ended = standin.run("run", "--platform", folder, "--runtime", "real", "--workload",
                        "cholesky:nt=8:nb=64:precision=d", "--policy", "dmdas",
                        "--format", "csv")
    if ended.returncode or ended.stderr:
        wrong.append(f"simulation: exit status {ended.returncode}: {ended.stderr}")
    return wrong


def main():
    standin = Standin(sys.argv[1], sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        wrong = what_is_wrong(standin, pathlib.Path(folder) / "machine")
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
