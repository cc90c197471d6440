#!/usr/bin/env python3
"""Nodes of papers: each has a summary, and factorises with eager and dmdas, with ample memory and with little,
where there is a memory to bound. Prints the summary, and of each amount of memory how many of four runs are valid,
are extrapolated, and evict only where memory is little."""

import subprocess

from runs import run

NODES = {"p100": "gpus", "v100x4": "gpus", "a100x4": "gpus", "cpu-outofcore": "ram", "k40-hipc": "gpus",
         "hannibal2011": "gpus",
         "mordor": "gpus", "barracuda": "gpus", "bertha": None, "attila2011": "gpus"}
BOUND = {"gpus": "--gpu-mem 160MiB", "ram": "--mem RAM=160MiB"}


def main():
    for node, bounded in NODES.items():
        words = ["tilewright", "list", "platforms", node]
        listed = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
        print(listed.stdout.splitlines()[0])
        for little in (False, True) if bounded else (False,):
            rows = run(f"--platform {node} --workload cholesky:nt=12,lu:nt=10 --policy eager,dmdas",
                       "--extrapolate --validate", BOUND[bounded] if little else "")
            print(sum(row.is_valid() and "flop_rate" in row["kernel_model"] and (row.evictions > 0) == little
                      for row in rows))


main()
