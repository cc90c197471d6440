#!/usr/bin/env python3
"""The comparisons with measured tables accept a table of our own figures, and refuse the same table with one wrong
figure. So they are tried where the tables of measurements are not.

    tests/fidelity/comparisons_can_fail.py TILEWRIGHT"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parent.parent.parent
CARD = {"eager": ("eager", "lru"), "dmdar": ("dmdar", "lru"), "hfp+U+R+belady": ("hfp", "belady")}
STARPU = [("dm", 10), ("dmda", 20), ("lws", 10)]  # policy, tiles


def simulate(command, *words):
    ended = subprocess.run([command, "run", *words, "--format", "json"], check=True, stdout=subprocess.PIPE)
    return json.loads(ended.stdout)[0]


def card_rows(command):
    """As the table of the V100: bytes in GiB, of eleven iterations."""
    for algo, (policy, eviction) in CARD.items():
        for tiles in range(5, 45, 5):
            run = simulate(command, "--platform", "gemini-starpu", "--workload", f"matmul2d:nt={tiles}:nb=960",
                           "--policy", policy, "--eviction", eviction, "--cpus", "0", "--gpus", "1",
                           "--gpu-mem", "500MiB")
            yield {"algo": algo, "gpu_mem_limit_MB": 500, "tiles": tiles, "gflops": run["gflops"],
                   "h2d_GB_total": run["h2d_bytes"] * 11 / 2**30}


def starpu_rows(command):
    for policy, tiles in STARPU:
        run = simulate(command, "--platform", "mirage", "--workload", f"cholesky:nt={tiles}:nb=960", "--policy", policy,
                       "--cpus", "9", "--gpus", "3")
        yield {"machine": "mirage", "app": "cholesky", "sched": policy, "ncpu": 9, "ncuda": 3,
               "nblocks": tiles, "blocksize": 960, "gpu_mem_mib": 0, "makespan_s": run["makespan_s"],
               "transferred_mb": run["transferred_bytes"] / 1e6}


def mpi_rows():
    """One fact of docs/evidence/fidelity-mpi.md."""
    return [{"nodes": 4, "ncpu": 9, "ncuda": 0, "sched": "dmdas", "nblocks": 10, "blocksize": 960, "variant": "",
             "distribution": "2D block-cyclic 2x2", "makespan_s": 1.397, "network_mb": 390.8, "nb_sends": 106}]


def verdict(line, table, rows, folder):
    """The exit status of a comparison with that table."""
    with open(folder / table, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    environment = {**os.environ, "TILEWRIGHT_REFERENCE": str(folder)}
    ended = subprocess.run(line, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return ended.returncode


def wrong(rows, column, factor):
    """The last row's figure is another one."""
    return [*rows[:-1], {**rows[-1], column: rows[-1][column] * factor}]


def main():
    command = os.path.realpath(sys.argv[1])
    python = sys.executable
    compare = ["bash", TREE / "tests" / "fidelity" / "compare_real.sh", command]
    real = [python, TREE / "scripts" / "fidelity-real", "--tilewright", command]
    starpu = [python, TREE / "scripts" / "fidelity", "--tilewright", command]
    mpi = [python, TREE / "scripts" / "fidelity-mpi", "--tilewright", command]
    card, theirs = list(card_rows(command)), list(starpu_rows(command))
    tries = [  # what runs, its table, its rows, the exit status
        (compare, "v100_measured_matmul2d.csv", card, 0),
        (compare, "v100_measured_matmul2d.csv", wrong(card, "gflops", 1.25), 1),
        (compare, "v100_measured_matmul2d.csv", wrong(card, "h2d_GB_total", 0.8), 1),
        (compare, "v100_measured_matmul2d.csv", card[:-1], 1),
        (real, "v100_measured_matmul2d.csv", card, 0),
        (real, "v100_measured_matmul2d.csv", wrong(card, "gflops", 1.25), 1),
        (real, "v100_measured_matmul2d.csv", wrong(card, "h2d_GB_total", 0.8), 1),
        (starpu, "starpu_simgrid_mirage.csv", theirs, 0),
        (starpu, "starpu_simgrid_mirage.csv", wrong(theirs, "makespan_s", 1.2), 1),
        (starpu, "starpu_simgrid_mirage.csv", wrong(theirs, "transferred_mb", 0.8), 1),
        (starpu, "starpu_simgrid_mirage.csv", [{**theirs[0], "sched": "unknown"}], 1),
        (mpi, "starpu_mpi.csv", mpi_rows(), 0),
        (mpi, "starpu_mpi.csv", wrong(mpi_rows(), "makespan_s", 1.12), 1),
        (mpi, "starpu_mpi.csv", wrong(mpi_rows(), "network_mb", 1.02), 1),
        (mpi, "starpu_mpi.csv", wrong(mpi_rows(), "nb_sends", 2), 1),
    ]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (line, table, rows, expected) in enumerate(tries, 1):
            got = verdict(line, table, rows, pathlib.Path(folder))
            print(f"{number}: {pathlib.Path(line[1]).name}, {table}: exit status {got}, expected {expected}")
            failed += got != expected
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
