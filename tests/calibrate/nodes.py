#!/usr/bin/env python3
"""`calibrate --numa` finds the known times of copies between NUMA nodes. A preloaded library stands for them (nodes.c).
The folder predicts a makespan, and another calibration continues with it. Where nodes cannot be bound to, there is no
folder. With the stand-in for CUDA: it finds the times of copies between each card and each node, too.

Usage: nodes.py COMMAND LIBRARY [STANDIN]"""

import csv
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "cuda"))
from standin import Standin  # noqa: E402  pylint: disable=wrong-import-position

# MB/s and us of copies from node to node. Those between nodes 0 and 2 wait for each other.
COPIES = {(0, 1): (450, 300), (1, 0): (300, 400), (0, 2): (400, 200), (2, 0): (400, 200), (1, 2): (350, 250),
          (2, 1): (250, 500)}
CARD_MBPS, FAR = 300, 0.6
TRIALS = 4  # where other programs have the cores, copies may not overlap
NAMES = ["RAM", "RAM1", "RAM2"]
WORKLOAD = "cholesky:nt=3:nb=32:precision=d"


class Machine:
    """A machine with NUMA nodes of one core each, and cards; the commands that run there."""

    def __init__(self, command, library, nodes, standin=None):
        self.command = command
        self.environment = dict(
            standin.environment(gpus=2, bandwidth=1e6 * CARD_MBPS, far=FAR, query_us=50, kernel_us=1000)
            if standin else os.environ,
            LD_PRELOAD=os.path.abspath(library), HWLOC_SYNTHETIC=f"numa:{nodes} core:2 pu:2", HWLOC_THISSYSTEM="1",
            NODES_COPIES="+".join(f"{a}-{b}={mbps}:{us}" for (a, b), (mbps, us) in COPIES.items()),
            NODES_SHARED="0-2", NODES_CARDS="0-3,4-7")

    def run(self, *words, **settings):
        return subprocess.run([self.command, *words], capture_output=True, text=True, timeout=300, check=False,
                              env={**self.environment, **settings})

    def calibrate(self, folder, *words, **settings):
        return self.run("calibrate", "--output", folder, "--workload", WORKLOAD, "--time-limit", "1s", "--quiet",
                        *words, **settings)


def microseconds(text):
    return float(text[:-2]) if text.endswith("us") else 1e6 * float(text[:-1])


def links(folder):
    """The measured rate and latency of each route, the rates of shared links with their routes, and what is wrong."""
    zone = xml.parse(pathlib.Path(folder) / "platform.xml").getroot().find("zone")
    rates, routes, shared, wrong = {}, {}, {}, []
    for link in zone.findall("link"):
        rates[link.get("id")] = float(link.get("bandwidth")[:-3]) / 1e6, microseconds(link.get("latency"))
        if {"bandwidth_origin": "measured"}.items() - {p.get("id"): p.get("value") for p in link}.items():
            wrong.append(f"link {link.get('id')}: no origin")
    for route in zone.findall("route"):
        way = route.get("src"), route.get("dst")
        own, *others = (used.get("id") for used in route)
        routes[way] = rates[own]
        for other in others:
            shared.setdefault(other, (rates[other][0], set()))[1].add(way)
    return routes, list(shared.values()), wrong


def wrong_rates(found, truth):
    return [f"{way}: {found.get(way)}, expected {mbps} MB/s, {us} us" for way, (mbps, us) in truth.items()
            if way not in found or abs(found[way][0] / mbps - 1) > 0.02 or abs(found[way][1] - us) > 0.05 * us + 50]


def simulated_s(machine, folder, data, homes, ends):
    """The makespan of a graph whose handles only go from homes to ends."""
    graph = {"tilewright": 1, "flops": 0, "priorities": "all",
             "kernels": [{"name": "k", "size": "1", "precision": "s", "flops": 1}], "data": [*data, 8],
             "homes": list(enumerate(homes)), "ends": list(enumerate(ends)),
             "tasks": [[0, 0, len(data), 2, {"cpu_seconds": 1e-6}]]}
    path = os.path.join(folder, "graph.json")
    pathlib.Path(path).write_text(json.dumps(graph), encoding="utf-8")
    ended = machine.run("run", "--platform", folder, "--workload", f"file:path={path}", "--policy", "eager",
                        "--runtime", "ideal", "--validate", "--format", "csv")
    row = next(csv.DictReader(ended.stdout.splitlines()), {})
    return float(row["makespan_s"]) if row.get("validated") == "true" else ended.stderr


def wrong_makespans(machine, folder, found):
    """One copy; then copies both ways, over links of their own and over a shared one."""
    wrong = []
    for homes, ends, mbps in (([0], [1], found["RAM", "RAM1"][0]),
                              ([0, 1], [1, 0], min(found["RAM", "RAM1"][0], found["RAM1", "RAM"][0])),
                              ([0, 2], [2, 0], found["RAM", "RAM2"][0] / 2)):
        got, expected = simulated_s(machine, folder, [4 * 10**7] * len(homes), homes, ends), 40 / mbps
        if not isinstance(got, float) or abs(got - expected) > 0.02 * expected + 0.001:
            wrong.append(f"{homes} to {ends}: {got} s, expected {expected} s")
    return wrong


def lines(log):
    """The lines of a log without their numbers of times."""
    return set(pathlib.Path(log).read_text(encoding="utf-8").splitlines()) if os.path.exists(log) else set()


def measure(machine, folder, truth, shares):
    """Calibrates until the links are right; returns what is wrong then."""
    for _ in range(TRIALS):
        ended = machine.calibrate(folder, "--numa", "--force", NODES_LOG=folder + ".log")
        if ended.returncode:
            return {}, [f"exit status {ended.returncode}: {ended.stderr}"]
        found, shared, wrong = links(folder)
        wrong += wrong_rates(found, truth)
        if sorted(map(sorted, (ways for _, ways in shared))) != sorted(map(sorted, shares)):
            wrong.append(f"shared: {shared}, expected {shares}")
        if not wrong:
            break
    return found, wrong


def three_nodes(command, library, folder):
    machine = Machine(command, library, 3)
    truth = {(NAMES[a], NAMES[b]): numbers for (a, b), numbers in COPIES.items()}
    # the thread of a memory makes one copy into it at a time
    shares = [{way for way in truth if way[1] == name} for name in NAMES] + [{("RAM", "RAM2"), ("RAM2", "RAM")}]
    found, wrong = measure(machine, folder, truth, shares)
    # node n has the processors 4n to 4n + 3; a copy is made at the node that gets the bytes
    expected = {f"memory {n}" for n in range(3)} | {f"thread {4 * n} 4" for n in range(3)} | {
        f"thread {4 * n + 2 * core} 1" for n in range(3) for core in range(2)} | {
        f"copy {a} {b} {4 * b}" for a, b in COPIES}
    got = lines(folder + ".log")
    if got != expected:
        wrong.append(f"log: {sorted(got ^ expected)} is not in both")
    if not wrong:
        wrong = wrong_makespans(machine, folder, found)
    pathlib.Path(folder + ".log").unlink(missing_ok=True)
    before = pathlib.Path(folder, "platform.xml").read_text(encoding="utf-8").count("<link ")
    ended = machine.calibrate(folder, "--numa", NODES_LOG=folder + ".log")
    if ended.returncode or any(line.startswith("copy") for line in lines(folder + ".log")):
        wrong.append(f"the same command: {ended.returncode}: {ended.stderr}, {lines(folder + '.log')}")
    if pathlib.Path(folder, "platform.xml").read_text(encoding="utf-8").count("<link ") != before:
        wrong.append("the same command changes links")
    ended = machine.calibrate(folder)
    if ended.returncode != 2 or "the calibration is with --numa: expected the same" not in ended.stderr:
        wrong.append(f"without --numa: {ended.returncode}: {ended.stderr}")
    return wrong


def cards(command, library, folder, standin):
    machine = Machine(command, library, 2, standin)
    truth = {(NAMES[a], NAMES[b]): numbers for (a, b), numbers in COPIES.items() if max(a, b) < 2}
    for card in range(2):
        for node in range(2):
            mbps = CARD_MBPS / (1 if card == node else 1 + FAR)
            truth |= {(NAMES[node], f"GPU{card}"): (mbps, 0), (f"GPU{card}", NAMES[node]): (mbps, 0)}
    shares = [{way for way in truth if way[end] == f"GPU{card}"} for card in range(2) for end in range(2)]
    _, wrong = measure(machine, folder, truth, shares)
    near = {host.get("id"): prop.get("value") for host in xml.parse(f"{folder}/platform.xml").iter("host")
            for prop in host if prop.get("id") == "main_memory"}
    if near != {"CPU2": "RAM1", "CPU3": "RAM1", "GPU1": "RAM1"}:
        wrong.append(f"main memories: {near}")
    return wrong


def refusals(command, library, folder):
    machine, wrong = Machine(command, library, 2), []
    for what, where in (("memory", "NUMA node 1"), ("thread", "the cores of NUMA node 1")):
        ended = machine.calibrate(folder, "--numa", NODES_REFUSE=what)
        if ended.returncode != 2 or ended.stderr != (
                f"tilewright: calibrate: --numa: {where}: Operation not permitted: expected nodes that memory and "
                "threads can be bound to, or no --numa\n") or os.path.exists(folder):
            wrong.append(f"{what}: {ended.returncode}: {ended.stderr}, folder: {os.path.exists(folder)}")
    ended = machine.calibrate(folder, "--numa", NODES_COPIES="")  # copies crash
    if ended.returncode != 1 or os.listdir(folder) or not re.search(
            r"signal 6.*\n.*copies between main memories were not measured: '.*' is left as it was\n$", ended.stderr):
        wrong.append(f"no copies: {ended.returncode}: {ended.stderr}, {os.listdir(folder)}")
    return wrong


def main():
    command, library, *standin = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        if standin:
            wrong = cards(command, library, os.path.join(folder, "cards"), Standin(command, standin[0]))
        else:
            wrong = refusals(command, library, os.path.join(folder, "refused"))
            wrong += three_nodes(command, library, os.path.join(folder, "nodes"))
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
