#!/usr/bin/env python3
"""Tests arrows and counters of links in Chrome traces.

    tests/trace/chrome.py TILEWRIGHT"""

import csv
import gzip
import json
import os
import subprocess
import sys
import tempfile

TILEWRIGHT = os.path.abspath(sys.argv[1])
WORKERS, TRANSFERS, LINKS, CAPACITIES = 1, 2, 4, 6
failures = 0


def check(what, holds, *shown):
    global failures
    if not holds:
        failures += 1
        if failures < 20:
            print("fails:", what, *shown)


def run(*words):
    done = subprocess.run([TILEWRIGHT, "run", "--engine", "native", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def ns(microseconds):
    return round(1000 * microseconds)


class Bar:
    """A task's execution or a transfer."""

    def __init__(self, event, rows):
        self.start, self.end = ns(event["ts"]), ns(event["ts"]) + ns(event["dur"])
        self.row = rows[event["pid"], event["tid"]]
        self.args = event["args"]
        self.cancelled = "cancelled" in event["args"]

    def reads(self):
        pairs = [access.split() for access in self.args["data"].split(", ") if access]
        return {int(data) for data, mode in pairs if mode in ("R", "RW")}


class Trace:
    def __init__(self, path):
        self.whole = json.load(open(path))
        self.events = self.whole["traceEvents"]
        self.rows = {(e["pid"], e["tid"]): e["args"]["name"] for e in self.events if e["name"] == "thread_name"}
        self.bars = {}
        for e in self.events:
            if e["ph"] == "X":
                self.bars.setdefault((e["pid"], e["tid"]), []).append(Bar(e, self.rows))
        self.tasks = [b for (pid, _), bars in self.bars.items() if pid == WORKERS for b in bars]
        self.transfers = [b for (pid, _), bars in self.bars.items() if pid == TRANSFERS for b in bars]
        self.arrows = self.find_arrows()

    def enclosing(self, event):
        """The bar that a viewer attaches the end of an arrow to: the only one that has the date within."""
        date = ns(event["ts"])
        found = [b for b in self.bars[event["pid"], event["tid"]] if b.start < date < b.end]
        check("an arrow's end lies within one bar", len(found) == 1, event)
        return found[0] if found else None

    def find_arrows(self):
        ends = {"s": {}, "f": {}}
        for e in self.events:
            if e["ph"] in ends:
                check("ids are unique", e["id"] not in ends[e["ph"]], e)
                check("an arrow binds to the enclosing bar", e["ph"] == "s" or e["bp"] == "e", e)
                ends[e["ph"]][e["id"]] = e
        check("arrows have two ends", ends["s"].keys() == ends["f"].keys())
        for i, e in ends["s"].items():
            f = ends["f"][i]
            check("viewers match category and name, too", (e["cat"], e["name"]) == (f["cat"], f["name"]), e, f)
        return [(e["cat"], self.enclosing(e), self.enclosing(ends["f"][i])) for i, e in ends["s"].items()]

    def counter(self, pid, name, unit="bytes_per_s"):
        return [(ns(e["ts"]), e["args"][unit]) for e in self.events
                if e["ph"] == "C" and e["pid"] == pid and e["name"] == name]


def memory_of(worker):
    return worker if worker.startswith("GPU") else "RAM"


def dependencies(trace, edges, exact):
    before = {}
    for source, target in edges:
        before.setdefault(target, set()).add(source)
    ended = {b.args["task"]: b.end for b in trace.tasks if not b.cancelled}
    arrows = [(a, b) for kind, a, b in trace.arrows if kind == "dependency"]
    for a, b in arrows:
        source, target = a.args["task"], b.args["task"]
        check("an arrow leads from a predecessor", source in before[target], source, target)
        check("the predecessor has ended before", a.end <= b.start and not a.cancelled, source, target)
        last = max(ended[p] for p in before[target])
        check("of several predecessors, it is the last", not exact or ended[source] == last, source, target)
    with_predecessors = [b for b in trace.tasks if b.args["task"] in before]
    check("each execution with a predecessor has one arrow", len(arrows) == len(with_predecessors), len(arrows))
    return len(arrows)


def transfers(trace):
    arrows = [(a, b) for kind, a, b in trace.arrows if kind == "transfer"]
    readers = {}  # dates at which tasks start to read a handle in a memory
    for t in trace.tasks:
        for data in t.reads():
            readers.setdefault((memory_of(t.row), data), []).append(t.start)
    check("a transfer has one arrow at most", len({id(a) for a, _ in arrows}) == len(arrows))
    for a, b in arrows:
        data, memory = a.args["data"], a.row.split(" to ")[1]
        check("the task reads what was transferred, where it was", data in b.reads() and memory_of(b.row) == memory,
              a.row, b.row)
        check("the transfer has ended before", a.end <= b.start)
        earlier = [start for start in readers[memory, data] if a.end <= start < b.start]
        check("it is the first task that reads the copy", not earlier, a.args, b.args)
    return len(arrows)


def links(trace):
    bandwidths = dict(zip([trace.rows[LINKS, t + 1] for t in range(len(trace.whole["otherData"][
        "bandwidth_bytes_per_s"]))], trace.whole["otherData"]["bandwidth_bytes_per_s"]))
    uses = {}
    for name, bandwidth in bandwidths.items():
        used, capacity = trace.counter(LINKS, name), trace.counter(CAPACITIES, name)
        used_at, capacity_at = dict(used), dict(capacity)
        u, c, most = 0, bandwidth, 0
        for date in sorted(used_at | capacity_at):
            u = used_at.get(date, u)
            c = capacity_at.get(date, c)
            check("no link passes more than it can", u <= c * 1.00101, name, date, u, c)
            most = max(most, u / c)
        carried = sum(v * (until - since) for (since, v), (until, _) in zip(used, used[1:]))
        uses[name] = (carried / 1e9, most)
        check("links are unused in the end", not used or used[-1][1] == 0, name)
    return uses


HOSTS = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<host id="CPU" speed="1Gf" core="2"><prop id="arch" value="cpu"/></host>
<host id="GPU0" speed="1Gf"><prop id="arch" value="gpu"/><prop id="memory" value="40MB"/></host>
<host id="RAM" speed="1f"/>
<link id="host" bandwidth="10GBps" latency="1us"><prop id="shared_bandwidth" value="6GBps"/></link>
<link id="slot" bandwidth="6GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>
<route src="RAM" dst="GPU0"><link_ctn id="host"/><link_ctn id="slot" direction="DOWN"/></route>
</zone></platform>
"""
TIMES = """kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note
gemm,gpu,1,960,s,10,0,1,
gemm,cpu,1,960,s,1000000,0,1,
"""


def full_in_both_directions():
    """Tiles come and go through one link; the GPU computes nearly nothing."""
    os.mkdir("host")
    open("host/platform.xml", "w").write(HOSTS)
    open("host/kernels.csv", "w").write(TIMES)
    run("--platform", "./host", "--workload", "matmul3d:nt=6", "--policy", "dmda", "--trace", "full.json")
    t = Trace("full.json")
    bytes_, most = links(t)["host"]
    moved = sum(b.args["bytes"] for b in t.transfers)
    check("bytes of the link are those of the transfers", abs(bytes_ - moved) < 1, bytes_, moved)
    check("the link is full", abs(most - 1) < 1.01e-3, most)
    starts = sorted((b.start, b.row) for b in t.transfers)
    both = [(max(a.start, b.start), min(a.end, b.end)) for a in t.transfers for b in t.transfers
            if a.row != b.row and max(a.start, b.start) + 100000 < min(a.end, b.end)]
    check("there are transfers in both directions at once", len(both) > 10, len(starts))
    used, capacity = t.counter(LINKS, "host"), t.counter(CAPACITIES, "host")
    for start, end in both:
        middle = (start + end) // 2
        u, c = ([v for d, v in counter if d <= middle][-1] for counter in (used, capacity))
        check("both directions fill it", abs(u / c - 1) < 1.01e-3 and c == 6e9, u, c)


def edges_of(folder):
    """Pairs of tasks: a predecessor and the task that waits for it."""
    rows = csv.DictReader(gzip.open(f"{folder}/dag.csv.gz", "rt"), skipinitialspace=True)
    return [(int(r["Dependent"]) - 1, int(r["JobId"]) - 1) for r in rows]


def main():
    tight = ("--gpu-mem", "60MiB")
    cases = [("mirage", "cholesky:nt=10", "dmdas", tight), ("mirage", "lu:nt=6", "eager", ()),
             ("attila", "cholesky:nt=8", "lws", tight), ("mirage", "cholesky:nt=10", "heteroprio_auto", tight),
             ("mirage", "stencil", "dmdar", ("--extrapolate",))]
    for platform, workload, policy, more in cases:
        for runtime in ("ideal", "starpu"):
            words = ("--platform", platform, "--workload", workload, "--policy", policy, "--runtime", runtime, *more)
            run(*words, "--trace", "t.json")
            run(*words, "--trace", "t/")
            t = Trace("t.json")
            edges = edges_of("t")
            n = dependencies(t, edges, runtime == "ideal"), transfers(t)
            check("there are arrows of both kinds", min(n) > 10, words, n)
            uses = links(t)
            check("some link is used wholly at times", max(most for _, most in uses.values()) > 0.999, words, uses)
    full_in_both_directions()
    return failures > 0


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    sys.exit(main())
