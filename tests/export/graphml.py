#!/usr/bin/env python3
"""A graph that is exported as GraphML and read back is the same graph: tasks, order, accesses with their modes, bytes,
kernels, seconds, priorities. Only the numbers of kernels may differ, which this script replaces by the kernels.

    tests/export/graphml.py TILEWRIGHT WORKLOAD...
"""

import json
import os
import subprocess
import sys
import tempfile


def export(command, workload, path):
    subprocess.run([command, "export", "--workload", workload, "-o", path], check=True, stderr=subprocess.PIPE)


def content(path):
    """A graph in our own JSON, without the numbers of kernels, and without kernels that nothing uses."""
    with open(path, encoding="utf-8") as file:
        graph = json.load(file)
    kernels = graph.pop("kernels")
    graph["tasks"] = [[kernels[task[0]], *task[1:]] for task in graph["tasks"]]
    graph["reductions"] = [[data, kernels[kernel]] for data, kernel in graph.get("reductions", [])]
    return graph


# Handles with homes and ends, which no workload gives.
HOMES = """{"tilewright":1,"flops":3,"priorities":"all","kernels":[{"name":"a","size":"1","precision":"s","flops":1}],
"data":[8,9,7,6],"homes":[[0,0],[3,1023],[1,2]],"ends":[[1,3],[0,1023]],"tasks":[[0,0,0,3,1,1],[0,0,3,2]]}"""


def main():
    command, *workloads = sys.argv[1:]
    command = os.path.abspath(command)
    with tempfile.TemporaryDirectory() as folder:
        a, b, c, d = (os.path.join(folder, name) for name in ("a.json", "b.graphml", "c.json", "d.graphml"))
        homes = os.path.join(folder, "homes.json")
        with open(homes, "w", encoding="utf-8") as file:
            file.write(HOMES)
        for workload in [*workloads, "file:" + homes.replace(":", "\\:")]:
            export(command, workload, a)
            export(command, workload, b)
            export(command, "file:" + b.replace(":", "\\:"), c)
            if workload.endswith("homes.json"):
                places = content(c)["homes"], content(c)["ends"]
                if places != ([[0, 0], [1, 2], [3, 1023]], [[0, 1023], [1, 3]]):
                    sys.exit(f"homes and ends: {places}")
            if content(a) != content(c):
                sys.exit(f"{workload}: the graph that is read back differs")
            export(command, "file:" + b.replace(":", "\\:"), d)
            with open(b, "rb") as first, open(d, "rb") as second:
                if first.read() != second.read():
                    sys.exit(f"{workload}: the second GraphML differs")
            print(workload, len(content(a)["tasks"]))
    return not workloads


sys.exit(main())
