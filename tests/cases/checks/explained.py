#!/usr/bin/env python3
"""Runs a small task graph on the platform $DATA/explain, and prints the first causes that `tilewright explain` finds.

    explained.py GRAPH[:KEY=VALUE]... [OPTION OF THE RUN]...

The graphs, with their keys:

    independent  n tasks; each has `handles` handles of its own
    chain        n tasks that write one handle, one after the other
    beside       one task, and n tasks as in `chain`
    cycle        n tasks; task i reads handle i modulo `handles`
    fan          one task, then n tasks that read its handle and write one of their own, then one that reads these
    sum          n tasks that add to one handle through accumulators

Any other graph is a workload of the command. More keys:

    bytes, mode          bytes of each handle, and how tasks access it: r, w or rw
    seconds              of each task, on any worker
    first, third, last   seconds of the first task, of each third one, of the last one
    at                   workers of successive tasks, for the policy replay, as in c0+c1+g0
    link, peers, memory  bandwidths of the links in MB/s, and the bytes of a GPU's memory"""

import collections
import json
import os
import pathlib
import subprocess
import sys

LONG = {"first": slice(0, 1), "third": slice(2, None, 3), "last": slice(-1, None)}
PLATFORM = ("link", "peers", "memory")
MODES = {"r": 1, "w": 2, "rw": 3, "sum": 8}


class Graph:
    def __init__(self, keys):
        self.keys = keys
        self.data, self.tasks, self.reductions = [], [], []
        self.counts = collections.Counter()

    def handle(self):
        self.data.append(int(self.keys.get("bytes", 1000)))
        return len(self.data) - 1

    def task(self, *accesses):
        more = {}
        if "seconds" in self.keys:
            more["seconds"] = float(self.keys["seconds"])
        if "at" in self.keys:
            places = self.keys["at"].split("+")
            place = places[len(self.tasks) % len(places)]
            kind = "processor" if place[0] == "c" else "accelerator"
            more["seconds"] = float(self.keys.get("seconds", 0.001))
            more[kind] = [int(place[1:]), self.counts[place]]
            self.counts[place] += 1
        flat = [number for handle, mode in accesses for number in (handle, MODES[mode])]
        self.tasks.append([0, 0, *flat, *([more] if more else [])])

    def write(self, path):
        for key, which in LONG.items():
            for task in self.tasks[which] if key in self.keys else []:
                if not isinstance(task[-1], dict):
                    task.append({})
                task[-1]["seconds"] = float(self.keys[key])
        kernels = [{"name": "task", "size": "1", "precision": "s", "flops": 1e6,
                    "recorded_on": "processors+accelerators"}]
        graph = {"tilewright": 1, "flops": 1e6 * len(self.tasks), "priorities": "all", "kernels": kernels,
                 "data": self.data, "tasks": self.tasks}
        if self.reductions:
            graph["reductions"] = self.reductions
        pathlib.Path(path).write_text(json.dumps(graph), encoding="utf-8")


def build(kind, keys):
    g, n, mode = Graph(keys), int(keys.get("n", 1)), keys.get("mode", "rw")
    each = int(keys.get("handles", 1))
    if kind == "independent":
        for _ in range(n):
            g.task(*((g.handle(), mode) for _ in range(each)))
    elif kind == "chain":
        handle = g.handle()
        for _ in range(n):
            g.task((handle, "rw"))
    elif kind == "beside":
        g.task((g.handle(), "rw"))
        handle = g.handle()
        for _ in range(n):
            g.task((handle, "rw"))
    elif kind == "cycle":
        handles = [g.handle() for _ in range(each)]
        for i in range(n):
            g.task((handles[i % each], mode))
    elif kind == "fan":
        first = g.handle()
        g.task((first, "rw"))
        middle = [g.handle() for _ in range(n)]
        for handle in middle:
            g.task((first, "r"), (handle, "w"))
        g.task((first, "rw"), *((handle, "r") for handle in middle))
    elif kind == "sum":
        handle = g.handle()
        g.reductions.append([handle, 0])
        for _ in range(n):
            g.task((handle, "sum"))
    else:
        return None
    return g


def change_platform(keys):
    """A copy of the platform with the values that keys give."""
    folder = pathlib.Path(os.environ["DATA"]) / "explain"
    xml = (folder / "platform.xml").read_text(encoding="utf-8")
    for key, link in (("link", "pcie"), ("peers", "peers")):
        if key in keys:
            for name in (link + "0", link + "1", link):
                xml = xml.replace(f'id="{name}" bandwidth="10GBps"', f'id="{name}" bandwidth="{keys[key]}MBps"')
    if "memory" in keys:
        xml = xml.replace('value="1GB"', f'value="{keys["memory"]}"')
    pathlib.Path("platform.xml").write_text(xml, encoding="utf-8")
    pathlib.Path("kernels.csv").write_bytes((folder / "kernels.csv").read_bytes())


def main():
    kind, *pairs = sys.argv[1].split(":")
    keys = dict(pair.split("=", 1) for pair in pairs)
    graph = build(kind, keys)
    workload = ":".join([kind] + [pair for pair in pairs if pair.split("=")[0] not in PLATFORM])
    if graph:
        graph.write("graph.json")
        workload = "file:graph.json:replay=yes" if "at" in keys else "file:graph.json"
    change_platform(keys)
    run = ["tilewright", "run", "--platform", "./platform.xml", "--workload", workload, "--trace", "run.record",
           "--columns", "status", *sys.argv[2:]]
    if subprocess.run(run, stdout=subprocess.DEVNULL, check=False).returncode:
        sys.exit("the run failed")
    ended = subprocess.run(["tilewright", "explain", "--format", "json", "run.record"], stdout=subprocess.PIPE,
                           check=True)
    e = json.loads(ended.stdout)
    full = "FULL" in os.environ
    for name, causes in [("makespan", e["causes"])] + [(w["kind"], w["causes"]) for w in e["workers"]]:
        print(name + ":", causes[0]["name"] if not full else
              ", ".join(f'{c["name"]} {100 * c["share"]:.1f}' for c in causes))


main()
