#!/usr/bin/env python3
"""Random runs with options of models and parameters of policies: both engines give one makespan, with valid schedules,
or both refuse the run with one line. Options are drawn from shipped platforms, all policies and all evictions.

Usage: random_options.py COMMAND [--cases N] [--first N] [--jobs N]"""

import argparse
import concurrent.futures
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import drawn_words  # noqa: E402  pylint: disable=wrong-import-position

SAME = 1e-9  # relative: SimGrid rounds dates
POLICIES = ["ap:device=owner", "ap:device=owner:cores=no", "ap:prefetch=no", "heteroprio:sizes=yes",
            "heteroprio:best_cpu=potrf:best_gpu=gemm", "heteroprio:speedup=gemm*3+trsm*1.4", "laheteroprio:sizes=yes",
            "laheteroprio:best_gpu=gemm+syrk", "heteroprio_types:average=resources", "peft", "cpop", "heft_lookahead",
            "dmdasd", "heft_restarts:plans=5", "compose:front=prio:back=ap"]
RUNTIMES = ["starpu:bus=eq3.4", "starpu:bus=eq3.5", "ideal:bus=eq3.5", "real:bus=eq3.4", "starpu:bus=eq3.5:window=10",
            "ideal:gpu_pipeline=1", "starpu:gpu_pipeline=3:bus=eq3.4"]
KERNELS = ("potrf", "trsm", "gemm", "syrk")  # values that name one go with a Cholesky factorisation alone
OPTIONS = [("--gpu-workers", ["1", "2", "3", "7", "18", "4:slowdown=2.5", "2:slowdown=1"]),
           ("--time-factor", ["gemm=1.15", "gemm@cpu=1.15,potrf@cpu=1.15", "trsm=1e-3"]),
           ("--belief-error", ["0.1"]), ("--max-parallelism", ["3"])]


def names_kernel(value):
    return any(kernel in value for kernel in KERNELS)


def draw(number, lists):
    r = random.Random(f"options {number}")
    words = drawn_words.draw(r, *lists)
    if r.random() < 0.4:
        words[words.index("--workload") + 1] = f"cholesky:nt={r.randint(2, 10)}:nb=960"
    is_cholesky = any(word.startswith("cholesky:") for word in words)
    for option, values, chance in (("--policy", POLICIES, 0.5), ("--runtime", RUNTIMES, 0.5)):
        value = r.choice(values)
        if r.random() < chance and (is_cholesky or not names_kernel(value)):
            words[words.index(option) + 1] = value
    for option, values in OPTIONS:
        value = r.choice(values)
        if r.random() < 0.35 and (is_cholesky or not names_kernel(value)):
            words += [option, value]
    return words, r.random() < 0.1


def run(command, words, engine):
    """Exit status, makespan and whether the schedule was validated, and the lines of standard error that are errors."""
    ended = subprocess.run([command, "run", *words, "--engine", engine, "--columns", "makespan_s,validated,status",
                            "--format", "csv"], timeout=600, capture_output=True, text=True, check=False)
    rows = [line for line in ended.stdout.splitlines() if not line.startswith("#")][1:]
    errors = [line for line in ended.stderr.splitlines() if line.startswith("tilewright: ") and "warning" not in line]
    return ended.returncode, rows, errors


def fault(command, number, lists):
    """Words of a case, and what is wrong with it; None: nothing. Then whether it ran."""
    words, learns = draw(number, lists)
    ends = []
    for engine in "native", "simgrid":
        with tempfile.TemporaryDirectory() as folder:
            ends.append(run(command, words + (["--learn", folder] if learns else []), engine))
    (status, rows, errors), (other_status, other_rows, _) = ends
    if status != other_status:
        return words, f"exit status {status} and {other_status}: {ends}", False
    if status not in (0, 1, 2):
        return words, f"exit status {status}", False
    if status:
        return words, None if len(errors) <= 1 else f"{len(errors)} errors: {errors}", False
    (makespan, validated, ended), (other, _, _) = (row.split(",")[:3] for row in (rows[0], other_rows[0]))
    if validated != "true" or ended != "ok":
        return words, f"not valid: {rows[0]}", True
    apart = abs(float(makespan) - float(other)) / float(other)
    return words, f"makespans {makespan} and {other}" if apart > SAME else None, True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("command")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    lists = [drawn_words.names(options.command, what) for what in ("platforms", "policies", "evictions")]
    n_ran = n_failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        numbers = range(options.first, options.first + options.cases)
        for number, (words, what, ran) in zip(numbers, pool.map(lambda n: fault(options.command, n, lists), numbers)):
            n_ran += ran
            n_failed += what is not None
            if what is not None:
                print(f"{number}: {' '.join(words)}\n  {what}", flush=True)
    print(f"{options.cases} cases, {n_ran} ran, {options.cases - n_ran - n_failed} refused, {n_failed} failed")
    if n_failed or n_ran < options.cases / 3:
        sys.exit(1)


main()
