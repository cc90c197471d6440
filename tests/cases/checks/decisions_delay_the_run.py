#!/usr/bin/env python3
"""With --decision-cost the makespan grows by the counted steps of the plan times scan_cost, to the nanosecond. Compares
hfp with 10,000 tasks, and all policies that plan before the run, on both engines. Prints the number of comparisons."""

import json
import subprocess

SCAN_NS = 100


def run(words, decision_cost):
    words = f"tilewright run {words} --decision-cost {decision_cost} --validate --format json"
    row = json.loads(subprocess.run(words.split(), check=True, stdout=subprocess.PIPE).stdout)[0]
    assert row["validated"], words
    figures = dict(figure.split("=") for figure in row["counters"].split(";"))
    return round(row["makespan_s"] * 1e9), *(int(figures[name]) for name in ("looks", "decision_looks", "decision_ns"))


def main():
    compared = 0
    one = f"--platform gemini --gpus 1 --cpus 0 --gpu-mem 500MiB --runtime starpu:scan_cost={SCAN_NS}ns"
    two = f"--platform gemini --gpus 2 --cpus 0 --gpu-mem 300MiB --runtime ideal:scan_cost={SCAN_NS}ns"
    cases = [(f"{one} --workload matmul2d:nt=100 --policy hfp", 1)]
    cases += [(f"{two} --workload matmul2d:nt=12 --policy {policy} --engine {engine}", factor)
              for policy in ("hfp", "metis", "mst", "rcm", "heft") for engine in ("native", "simgrid")
              for factor in (1, 0.5, 1000)]
    for words, factor in cases:
        makespan, looks, steps, delay = run(words, "none")
        assert steps > 0 and delay == 0, words
        later = run(words, "counted" if factor == 1 else factor)
        assert later == (makespan + steps * SCAN_NS * factor, looks, steps, steps * SCAN_NS * factor), \
            (words, factor, makespan, later)
        compared += 1
    print(compared)


if __name__ == "__main__":
    main()
