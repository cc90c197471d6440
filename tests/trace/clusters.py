#!/usr/bin/env python3
"""Tests how traces of Chrome, Paje and StarVZ show a run on several nodes.

    tests/trace/clusters.py TILEWRIGHT"""

import collections
import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile

TILEWRIGHT = os.path.abspath(sys.argv[1])
NODES = ["node0", "node1", "node2", "node3"]


def run(*words):
    done = subprocess.run([TILEWRIGHT, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def chrome(n_messages):
    events = json.load(open("t.json"))["traceEvents"]
    process = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    row = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert [process[pid] for pid in range(1, 5)] == NODES and process[5] == "Messages", process
    bars = collections.defaultdict(list)
    for e in events:
        if e["ph"] != "X":
            continue
        bars[e["pid"], e["tid"]].append((e["ts"], e["ts"] + e["dur"], e["cat"], e["args"]))
        where, name = process[e["pid"]], row[e["pid"], e["tid"]]
        from_to = [end.split(".")[0] for end in name.split(" to ")]
        if e["cat"] == "message":
            assert where == "Messages" and from_to[0] != from_to[1], name
        else:
            assert set(from_to) == {where}, (where, name)
    assert sum(bar[2] == "message" for of_row in bars.values() for bar in of_row) == n_messages
    assert {process[e["pid"]] for e in events if e["ph"] == "C" and "used_bytes" in e["args"]} == set(NODES)
    ends = collections.defaultdict(dict)
    for e in events:
        if e["ph"] in "sf":
            (bar,) = (b for b in bars[e["pid"], e["tid"]] if b[0] < e["ts"] < b[1])
            ends[e["id"]][e["ph"]] = e["cat"], bar
    arrows = [(of["s"][0], of["s"][1], of["f"][1]) for of in ends.values()]
    kinds = collections.Counter((kind, a[2], b[2]) for kind, a, b in arrows)
    assert all(a[1] <= b[0] for _, a, b in arrows), "arrows lead forward"
    assert kinds["message", "task", "message"] > n_messages * 0.9, kinds  # all but of data from the start
    assert kinds["message", "message", "transfer"] > n_messages / 2, kinds
    assert {kind[0] for kind in kinds} == {"dependency", "transfer", "message"}, kinds
    for kind, a, b in arrows:
        assert kind != "message" or b[2] == "message" or a[3]["data"] == b[3]["data"]


def paje(n_messages):
    lines = [line.split() for line in open("t.paje") if not line.startswith("%")]
    parent = {w[2]: w[4] for w in lines if w[0] in ("6", "14", "15", "16", "17")}
    name = {w[2]: w[5].strip('"') for w in lines if w[0] in ("6", "15", "16")}
    assert [name[f"M{r}"] for r in range(4)] == NODES
    for alias, of in parent.items():
        assert alias[0] not in "WN" or name[alias].split(".")[0] == name[of], (alias, of)
    begun = [w for w in lines if w[0] == "11"]
    between = [w for w in begun if w[5] == "C4"]
    assert len(between) == n_messages == sum(w[0] == "12" and w[5] == "C4" for w in lines)
    assert all(w[4] in ("N0", "N1", "N2", "N3") for w in between)


def table(name):
    with gzip.open(f"t/{name}.csv.gz", "rt") as f:
        return list(csv.DictReader(f, skipinitialspace=True))


def starvz(n_messages):
    tasks, states, links = table("rec.tasks"), table("paje.worker_state"), table("paje.link")
    assert {r["MPIRank"] for r in tasks} == set("0123")
    assert all(r["JobId"].split("_")[0] == r["MPIRank"] for r in tasks)
    rank = {r["JobId"]: r["MPIRank"] for r in tasks}
    ran = [r for r in states if r["Value"] != "Idle"]
    assert len(ran) == 364 and all(r["ResourceId"].split("_")[0] == rank[r["JobId"]] for r in ran)
    assert {r["ResourceId"] for r in states} == {
        f"{r}_{w}" for r in range(4) for w in ("CUDA0_0", "CUDA1_0", "CUDA2_0", *(f"CPU{i}" for i in range(9)))}
    messages = [r for r in links if r["Type"] == "MPI communication"]
    assert len(messages) == n_messages and all(r["Origin"] != r["Dest"] for r in messages)
    assert all(r["Origin"].split("_")[0] == r["Dest"].split("_")[0] for r in links if r not in messages)
    # the reader of such tables takes ranks from them, too
    words = [TILEWRIGHT, "export", "--workload", "file:t", "-o", "g.json"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0 and "MPI ranks other than 0" in done.stderr, done.stderr


def main():
    network = ("--bandwidth", "4GBps", "--latency", "1us")
    run("platform", "cluster", "--node", "mirage", "--count", "4", *network, "-o", "c")
    for trace in ("t.json", "t.paje", "t/"):
        row = run("run", "--platform", "./c", "--workload", "cholesky:nt=12", "--policy", "dmdas", "--trace", trace,
                  "--columns", "messages").split()
        assert "valid" in run("validate", trace)
    for check in (chrome, paje, starvz):
        check(int(row[1]))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    main()
