#!/usr/bin/env python3
"""heft and heteroprio_types with all their scores and orders, on several nodes, with ample and tight memory: prints
how many of 14 runs are valid on each."""

from runs import run

NODES = ("mirage", "mirage --gpu-mem 60MiB", "synthetic", "synthetic --gpu-mem 60MiB", "synthetic --cpu-groups 2+2+4",
         "mirage --cpus 1 --gpus 0", "mirage --cpus 0 --gpus 1")
POLICIES = ("heft", "heft:order=ready", "heft:order=idle", "heteroprio_types", "heteroprio_types:score=area",
            "heteroprio_types:spoliation=no", "heteroprio_types:spoliation=any")

for node in NODES:
    rows = run(f"--platform {node} --workload cholesky:nt=10,lu:nt=6 --policy", ",".join(POLICIES),
               "--validate --extrapolate")
    print(sum(row.is_valid() for row in rows))
