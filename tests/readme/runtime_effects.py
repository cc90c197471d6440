#!/usr/bin/env python3
"""Writes the tables of docs/evidence/runtime-effects.md: how much each parameter of a runtime system changes makespans.

    tests/readme/runtime_effects.py TILEWRIGHT ROWS.csv docs/evidence/runtime-effects.md

The rows are made by a sweep (some ten minutes on one core); those that ROWS.csv has already are not made again. The
page is rewritten behind its mark."""

import collections
import csv
import datetime
import math
import pathlib
import statistics
import subprocess
import sys

MARK = "<!-- tests/readme/runtime_effects.py writes what follows -->\n"
POLICIES = ["eager", "lws", "dm", "dmda", "dmdar", "dmdas"]
REPEAT = 8
BASE = "starpu:order=random"
CHANGES = [
    "submit_cost=0", "push_cost=0", "fetch_cost=0", "poll_cost=0", "kernel_queue_cost=0", "gpu_pipeline=1",
    "gpu_pipeline=4",
    "cpu_pipeline=2", "sync_kernels=none", "cpus_race=no", "window=200", "transfer_queue_cost=0",
    "demand_limit=100:prefetch_limit=100",
    "conflicts=channel", "link_shares=equal", "contention=0", "alloc_cost=0", "chunk_bytes=0", "chunk_overlooks=no",
    "idle_write_back=no", "keeps_invalid=no", "clean_low=0", "prefetch_evicts=no", "prefetch_apart=no",
    "eviction_waits=yes",
    "reclaim_copies=1", "reclaim_blocks=no"]
RUNTIMES = [BASE, *(f"{BASE}:{change}" for change in CHANGES), "ideal:order=random"]
CASES = [(10, "none"), (20, "none"), (40, "none"), (40, "250MiB"), (40, "500MiB")]


def sweep(command, rows):
    for tiles, memory in CASES:
        subprocess.run([command, "sweep", "--platform", "mirage", "--workload", "cholesky", "--nt", str(tiles),
                        "--gpu-mem", memory,
                        "--policy", ",".join(POLICIES), "--runtime", ",".join(RUNTIMES), "--repeat", str(REPEAT),
                        "--jobs", "1",
                        "--quiet", "--output", rows], check=True)


def makespans(rows):
    """{(workload, memory, runtime, policy): makespans}"""
    found = collections.defaultdict(list)
    with open(rows, encoding="utf-8") as f:
        for row in csv.DictReader(f):
            if row["status"] == "ok":
                memory = round(int(row["gpu_mem_bytes"]) / 2**20)
                found[row["workload"], memory, row["runtime"], row["policy"]].append(float(row["makespan_s"]))
    return found


def standard_error(values):
    return statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0


def effect(base, changed):
    """In %; a dash where it is below the noise of random orders, or half a percent."""
    if not changed:
        return "failed"
    mean = statistics.mean(base)
    change = 100 * (statistics.mean(changed) / mean - 1)
    noise = 200 / mean * math.hypot(standard_error(base), standard_error(changed))
    return f"{change:+.0f}" if abs(change) >= max(noise, 0.5) else "-"


def tables(rows):
    found = makespans(rows)
    for tiles, limit in CASES:
        workload = f"cholesky:nt={tiles}"
        memories = {memory for name, memory, _, _ in found if name == workload}
        memory = max(memories) if limit == "none" else int(limit.removesuffix("MiB"))

        # Models take different parts of a card for themselves; a given limit is the same in all.
        def of(runtime, policy):
            return next((v for (w, m, r, p), v in found.items() if (w, r, p) == (workload, runtime, policy) and
                         (m == memory if limit != "none" else m > 1000)), [])

        yield f"## {tiles} tiles a side, " + ("memory to spare" if limit == "none" else f"{memory} MiB a GPU") + "\n"
        yield "| change | " + " | ".join(POLICIES) + " |"
        yield "|---|" + "---:|" * len(POLICIES)
        yield "| makespan, s | " + " | ".join(f"{statistics.mean(of(BASE, p)):.3f}" for p in POLICIES) + " |"
        yield "| its standard deviation, % | " + " | ".join(
            f"{100 * statistics.stdev(of(BASE, p)) / statistics.mean(of(BASE, p)):.1f}" for p in POLICIES) + " |"
        for runtime in RUNTIMES[1:]:
            cells = [effect(of(BASE, p), of(runtime, p)) for p in POLICIES]
            if set(cells) != {"-"}:
                name = runtime.removeprefix(BASE + ":").replace(":order=random", "")
                yield f"| `{name}` | " + " | ".join(cells) + " |"
        yield ""


def main():
    command, rows, page = sys.argv[1:]
    sweep(command, rows)
    version = subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout.strip()
    path = pathlib.Path(page)
    head, mark, _ = path.read_text(encoding="utf-8").partition(MARK)
    lines = [f"\nMade on {datetime.date.today()} by {version}.\n", *tables(rows)]
    path.write_text(head + mark + "\n".join(lines).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
