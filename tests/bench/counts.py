#!/usr/bin/env python3
"""Compares the instructions of eight fixed runs with the numbers in counts.txt, so that speed cannot leak away.

With the build that made the numbers (compiler, options, glibc), a count that is more than 2 % above its number is a
failure. With another build the counts are printed and not judged. Exit status: 0, all is well; 1, a count is too high;
77, nothing was judged.

Usage: counts.py TILEWRIGHT BUILD [--update | --planted]

BUILD says the compiler and the options in words. --update writes counts.txt anew. --planted makes the graphs of two
runs 3 % larger, and so the runs 3 % slower: the exit status is 1 if this is not found in both."""

import concurrent.futures
import pathlib
import platform
import shutil
import sys
import tempfile

import measured

LIMIT = 0.02
NUMBERS = pathlib.Path(__file__).resolve().with_name("counts.txt")
HEADER = """\
# Instructions of eight fixed runs, from the runtime's start to its end. The test `instruction counts` fails if a run
# takes over 2 % more. `ninja -C build-check update-counts` writes this file anew, with the build that scripts/check
# makes. A commit that raises a number says why in its message: the gain that is worth the cost. A commit that makes
# runs faster lowers the numbers, so that the gain cannot leak away.
"""
# Name, tasks, workers, memory, workload with tasks as {}, policy.
RUNS = [
    ("chain-eager", 4000, "8+0", None, "chain:n={}", "eager"),
    ("star-lws", 3000, "512+0", None, "star:n={}", "lws"),
    ("grid-heft", 2000, "8+1", None, "grid:n={}", "heft"),
    ("independent-dmdas", 2000, "0+64", "64MiB", "independent:n={}:bytes=4MiB", "dmdas"),
    ("grid-darts", 1000, "0+1", "64MiB", "grid:n={}:bytes=4MiB", "darts"),
    ("cholesky-dmdas", 1771, "8+3", None, "cholesky:nt=21", "dmdas"),
    ("cholesky-dmdas-tight", 1771, "8+3", "64MiB", "cholesky:nt=21", "dmdas"),
    ("star-heteroprio-tight", 2000, "8+3", "64MiB", "star:n={}:bytes=4MiB", "heteroprio"),
]
PLANTED = ("chain-eager", "grid-heft")


def words(run, planted):
    _, tasks, workers, memory, workload, policy = run
    cpus, gpus = workers.split("+")
    given = ["--cpus", cpus, "--gpus", gpus, "--policy", policy]
    given += ["--gpu-mem", memory] if memory else []
    return given + ["--workload", workload.format(round(tasks * (1.03 if planted else 1)))]


def count(command, planted):
    """The counts by name."""
    runs = [run for run in RUNS if run[0] in PLANTED or not planted]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        bench = measured.Bench(command, folder)
        counts = pool.map(lambda run: bench.instructions(words(run, planted)), runs)
        return {run[0]: n for run, n in zip(runs, counts)}


def read():
    """The build, and the numbers by name."""
    lines = [line.split(": ", 1) for line in NUMBERS.read_text().splitlines() if not line.startswith("#")]
    numbers = dict(lines)
    return numbers.pop("build"), {name: int(number) for name, number in numbers.items()}


def write(build, counts):
    lines = [f"build: {build}"] + [f"{name}: {n}" for name, n in counts.items()]
    NUMBERS.write_text(HEADER + "\n".join(lines) + "\n")


def main(command, build, option=None):
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 77
    build += f", {' '.join(platform.libc_ver())}, {platform.machine()}"
    counts = count(command, option == "--planted")
    if option == "--update":
        write(build, counts)
    wanted_build, numbers = read()
    slower = [name for name, n in counts.items() if n > numbers[name] * (1 + LIMIT)]
    for name, n in counts.items():
        verdict = "slower" if name in slower else "faster: lower its number" if n < numbers[name] * (1 - LIMIT) else ""
        print(f"{name:22} {n:12d} {numbers[name]:12d} {100 * (n / numbers[name] - 1):+7.2f} %  {verdict}".rstrip())
    if wanted_build != build:
        print(f"not judged: the numbers are of {wanted_build}; this is {build}")
        return 77
    if option == "--planted":
        return 0 if len(slower) == len(counts) else 1
    if slower:
        print("slower than the limit of 2 %: make the runs faster, or see the first lines of", NUMBERS.name)
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
