#!/usr/bin/env python3
"""Known truth: `calibrate` and `validate-model` against the stand-in for CUDA, whose times are drawn from a seed. The
calibration sees them through time alone. Two GPUs and one core compute Cholesky.

1. Each parameter that `calibrate` writes is within 3 % of the truth.
2. The simulated makespan is within 3 % of the real one, under dmdas and on the GPUs alone.
3. Then one effect is planted behind the calibration's back, by turns: a kernel that is slower, links that are slower,
   or pauses of the GPU, which no parameter describes. `validate-model` must name the right part: kernels (and which
   one), bus, or rest.

Other programs on the machine may disturb a measurement, so each one has several trials.

Usage: known_truth.py COMMAND STANDIN KERNELS [--first SEED] [--seeds N] [--trials N] [--short]
With --short only the first point is checked."""

import argparse
import csv
import io
import json
import os
import pathlib
import random
import re
import sys
import tempfile

from standin import Standin

TILE, NAMES, LIMIT, PLANTS = 192, ["potrf", "trsm", "syrk", "gemm"], 0.03, ["kernels", "bus", "rest"]
WORKLOAD = f"cholesky:nt=8:nb={TILE}:precision=d"
COLUMNS = ("makespan_real_s,makespan_simulated_s,makespan_error,part_kernels,part_order,part_bus,part_runtime,"
           "part_rest,largest_part,kernels,status,message")


class Truth:
    """All times in microseconds."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.seed = seed
        self.gpu = {name: draw.uniform(20e3, 35e3) for name in NAMES}
        self.cpu = {name: draw.uniform(60e3, 120e3) for name in NAMES}
        self.launch, self.growth = draw.uniform(1.5e3, 3e3), draw.uniform(0.8e3, 1.5e3)
        self.blocks = {"trsm": draw.uniform(5e3, 9e3)}
        self.alone, self.slowed = draw.uniform(0.02, 0.06), draw.uniform(0.02, 0.06)
        self.bandwidth, self.copy_growth = draw.uniform(2.5e8, 4e8), draw.uniform(0.1, 0.4)
        self.plant = PLANTS[seed % len(PLANTS)]
        self.slow_kernel = draw.choice(["syrk", "gemm"])

    def settings(self, planted=False):
        gpu = dict(self.gpu)
        more = {}
        if planted and self.plant == "kernels":
            gpu[self.slow_kernel] *= 1.6
        if planted and self.plant == "rest":
            more["pause"] = "2,40000"
        slower = 25 if planted and self.plant == "bus" else 1
        listed = {name: "+".join(f"{kernel}={us}" for kernel, us in times.items())
                  for name, times in (("kernel_us", gpu), ("cpu_us", self.cpu), ("blocks_us", self.blocks))}
        return {"gpus": 2, "alone": self.alone, "query_us": 50, "launch_us": self.launch,
                "launch_growth_us": self.growth, "cpu_slowed": self.slowed, "bandwidth": self.bandwidth / slower,
                "copy_growth": self.copy_growth, **listed, **more}

    def parameters(self):
        """What the calibration should find: with copies under way, and two GPUs driven."""
        copies = self.bandwidth / (1 + self.copy_growth)
        return {**{f"{k} gpu": us for k, us in self.gpu.items()},
                **{f"{k} cpu": us * (1 + self.slowed) for k, us in self.cpu.items()},
                "kernel_queue_cost": self.launch, "kernel_queue_cost_per_gpu": self.growth,
                "launch_blocks trsm": self.blocks["trsm"], "to GPU": copies, "from GPU": copies}


def found(folder):
    lines = [line for line in (folder / "kernels.csv").read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    values = {f"{row['kernel']} {'cpu' if row['arch'] == 'cpu' else 'gpu'}": float(row["mean_us"])
              for row in csv.DictReader(lines)}
    text = (folder / "platform.xml").read_text(encoding="utf-8")
    runtime = re.search(r'id="runtime" value="([^"]*)"', text)
    for name, us in re.findall(r"(\w+)=([0-9.e+-]+)us", runtime.group(1) if runtime else ""):
        values[name] = float(us)
    blocks = re.search(r"launch_blocks=trsm@\d+=([0-9.e+-]+)us$", runtime.group(1) if runtime else "")
    values["launch_blocks trsm"] = float(blocks.group(1)) if blocks else 0
    links = json.loads((folder / "calibration.json").read_text(encoding="utf-8"))["links"]
    for way, end in (("to GPU", "from"), ("from GPU", "to")):
        here = [link["bandwidth"] for link in links if link[end] == "RAM"]
        values[way] = sum(here) / len(here) if here else 0
    return values


def calibrate(standin, truth, folder):
    ended = standin.run("calibrate", "--output", folder, "--workload", WORKLOAD, "--time-limit", "16s", "--quiet",
                        "--cpus", 1, "--force", timeout_s=300, **truth.settings())
    if ended.returncode:
        sys.exit(f"seed {truth.seed}: calibrate: {ended.stderr}")
    values = found(folder)
    return {name: values.get(name, 0) / right - 1 for name, right in truth.parameters().items()}


def validate(standin, settings, folder, *words):
    rows = folder / "rows.csv"
    rows.unlink(missing_ok=True)
    ended = standin.run("validate-model", "--platform", folder, "--workload", WORKLOAD, "--policy", "dmdas",
                        "--output", rows, "--repeat", 3, "--off-cpu", 100, "--force", "--columns", COLUMNS, *words,
                        timeout_s=300, **settings)
    row = next(csv.DictReader(io.StringIO(ended.stdout)), {"status": ended.stderr})
    if row["status"] != "ok":
        sys.exit(f"validate-model: {row}")
    return row


def planted_part(row):
    """The largest part, with the kernel that is off most."""
    ratios = {kernel: float(ratio) for kernel, ratio in re.findall(r"(\w+)@[^c][^=]*=([0-9.]+)", row["kernels"])}
    return row["largest_part"] + (f" ({max(ratios, key=ratios.get)})" if row["largest_part"] == "kernels" else "")


def repeat(trials, measure, is_right):
    """Measures until the result is right. Returns the last result, whether it is right, and the number of trials."""
    for trial in range(1, trials + 1):
        result = measure()
        if is_right(result):
            return result, True, trial
        print(f"trial {trial}: {result}", file=sys.stderr, flush=True)
    return result, False, trials


def are_found(standin, truth, folder, trials):
    return repeat(trials, lambda: calibrate(standin, truth, folder),
                  lambda errors: all(abs(error) <= LIMIT for error in errors.values()))


def try_seed(standin, truth, folder, trials):
    """Returns whether all is right, and the cells of the table."""
    planted = f"kernels ({truth.slow_kernel})" if truth.plant == "kernels" else truth.plant
    results = [are_found(standin, truth, folder, trials)]
    for cpus in (1, 0):
        results.append(repeat(trials, lambda: validate(standin, truth.settings(), folder, "--cpus", cpus),
                              lambda row: abs(float(row["makespan_error"])) <= LIMIT))
    results.append(repeat(trials, lambda: validate(standin, truth.settings(planted=True), folder, "--cpus", 0),
                          lambda row: planted_part(row) == planted))
    (errors, with_core, alone, row), right, n_trials = zip(*results)
    worst = max(errors, key=lambda name: abs(errors[name]))
    cells = [truth.seed, f"{worst} {100 * errors[worst]:+.1f}",
             *(f"{100 * float(r['makespan_error']):+.1f}" for r in (with_core, alone)), planted, planted_part(row),
             f"{100 * float(row['part_' + row['largest_part']]):+.0f}", f"{100 * float(row['makespan_error']):+.0f}",
             " ".join(map(str, n_trials)) + ("" if all(right) else ", not within the limits")]
    return all(right), cells


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("command")
    p.add_argument("standin")
    p.add_argument("kernels", help="the file with real kernels of cores")
    p.add_argument("--first", type=int, default=1)
    p.add_argument("--seeds", type=int, default=20)
    p.add_argument("--trials", type=int, default=3)
    p.add_argument("--short", action="store_true", help="check the parameters alone")
    options = p.parse_args()
    os.environ["TILEWRIGHT_KERNELS"] = str(pathlib.Path(options.standin).resolve())
    os.environ["STANDIN_KERNELS"] = str(pathlib.Path(options.kernels).resolve())
    standin, n_wrong = Standin(options.command, options.standin), 0
    print("| seed | worst parameter, % | makespan with a core, % | on GPUs alone, % | planted | largest part | its %"
          " | error then, % | trials |\n|---|---|---:|---:|---|---|---:|---:|---|")
    for seed in range(options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            if options.short:
                n_wrong += not are_found(standin, Truth(seed), pathlib.Path(folder), options.trials)[1]
                continue
            is_right, cells = try_seed(standin, Truth(seed), pathlib.Path(folder), options.trials)
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)
        n_wrong += not is_right
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
