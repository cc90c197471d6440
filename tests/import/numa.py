#!/usr/bin/env python3
"""StarPU's measurements of NUMA nodes become main memories, from files that this script makes up. A copy on the
imported node takes the measured time.

    tests/import/numa.py TILEWRIGHT
"""

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

# In MB/s and us, from row to column: two NUMA nodes and two cards. CUDA0 is near NUMA 0, CUDA1 near NUMA 1.
MEMORIES = ["NUMA 0", "NUMA 1", "CUDA 0", "CUDA 1"]
BANDWIDTHS = [
    ["0", "20000", "6000", "4000"],
    ["19000", "0", "4100", "6100"],
    ["6200", "4200", "0", "3000"],
    ["4300", "6300", "3100", "0"],
]
LATENCIES = [["0", "2", "10", "14"], ["3", "0", "15", "11"], ["12", "16", "0", "20"], ["17", "13", "21", "0"]]

CARD = (
    '<host id="CUDA{0}" speed="2Gf"><prop id="memsize" value="3000000000"/>'
    '<prop id="memcpy_peer" value="1"/></host>\n'
)
HEAD = '''<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "http://simgrid.org/simgrid.dtd">
<platform version="4">
<AS id="AS0" routing="Full">
<host id="MAIN" speed="1f"/>
'''
LINK = '<link id="{0}" bandwidth="{1}MBps" latency="{2}us"/>\n'
ROUTE = '<route src="{0}" dst="{1}" symmetrical="NO"><link_ctn id="{0}-{1}"/>{2}</route>\n'


def platform(memories):
    """StarPU's XML has one memory for all NUMA nodes, and a link that all copies share."""
    text = HEAD
    text += "".join(f'<host id="CPU{i}" speed="2Gf"/>\n' for i in range(5))
    text += CARD.format(0) + CARD.format(1) + f'<host id="{memories}" speed="1f"/>\n<host id="DISK0" speed="1f"/>\n'
    text += LINK.format("Host", 6500, 0)
    ends = [memories, "CUDA0", "CUDA1"]
    pairs = [(a, b) for a in ends for b in ends if a != b]
    text += "".join(LINK.format(f"{a}-{b}", 3000, 10) for a, b in pairs)
    text += "".join(LINK.format(f"{a}-{b}", 100, 10) for a, b in ((memories, "DISK0"), ("DISK0", memories)))
    text += "".join(ROUTE.format(a, b, '<link_ctn id="Host"/>') for a, b in pairs)
    text += "".join(ROUTE.format(a, b, "") for a, b in ((memories, "DISK0"), ("DISK0", memories)))
    return text + "</AS>\n</platform>\n"


def matrix(rows, names=None):
    names = names or MEMORIES
    head = "# " + "\t".join("to " + name for name in names)
    return "\n".join([head] + ["\t".join(row) for row in rows]) + "\n"


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def tilewright(*words):
    return subprocess.run([command, *words], text=True, capture_output=True, check=False)


def give(bandwidth, latency, memories="RAM"):
    write("sampling/bus/made.platform.v4.xml", platform(memories))
    write("sampling/bus/made.bandwidth", bandwidth)
    write("sampling/bus/made.latency", latency)


def imported(*options):
    done = tilewright("import", ":".join(["starpu:made:dir=sampling", *options]), "-o", "made", "--force")
    if done.returncode:
        sys.exit(f"import {options}: {done.stderr}")
    zone = ET.parse("made/platform.xml").getroot().find("zone")
    hosts = zone.findall("host")
    return {host.get("id"): {p.get("id"): p.get("value") for p in host.findall("prop")} for host in hosts}


def expect(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found}, expected {expected}")


def mains(hosts):
    return [name for name, props in hosts.items() if props.get("role") == "memory"]


def near(hosts):
    return {name: props.get("main_memory", "RAM") for name, props in hosts.items() if "arch" in props}


def check_import():
    give(matrix(BANDWIDTHS), matrix(LATENCIES))
    hosts = imported()
    expect("main memories", mains(hosts), ["RAM", "RAM1"])
    # five cores in equal parts: three and two
    expected = dict.fromkeys(["CPU0", "CPU1", "CPU2", "GPU0"], "RAM") | dict.fromkeys(["CPU3", "CPU4", "GPU1"], "RAM1")
    expect("main memories of workers", near(hosts), expected)
    expect("numa=first", mains(imported("numa=first")), ["RAM"])
    imported("bus=simulated")
    one = [[row[0], *row[2:]] for i, row in enumerate(BANDWIDTHS) if i != 1]
    names = ["NUMA 0", "CUDA 0", "CUDA 1"]
    give(matrix(one, names), matrix(one, names))
    expect("one NUMA node", mains(imported()), ["RAM"])


def check_times():
    """A task of 1 us on one worker, whose handle of 1 MB starts in one of the memories."""
    give(matrix(BANDWIDTHS), matrix(LATENCIES))
    imported()
    write("made/kernels.csv", "kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note\n"
          "a,cpu,1,1,s,1,0,1,\na,cuda,1,1,s,1,0,1,\n")
    for home in (0, 1):
        write("one.json", '{"tilewright":1,"flops":1,"priorities":"all","kernels":[{"name":"a","size":"1","precision":'
              f'"s","flops":1}}],"data":[1000000],"homes":[[0,{home}]],"tasks":[[0,0,0,1]]}}')
        for worker, to in (("CPU0", 0), ("CPU3", 1), ("GPU0", 2), ("GPU1", 3)):
            domains = f"one={worker}:eager+rest=all:eager"
            options = ["--gpus", "0"] if to < 2 else []
            done = tilewright("run", "--platform", "./made", "--workload", "file:one.json", "--policy", domains,
                              "--runtime", "ideal", "--validate", "--format", "csv", *options)
            if done.returncode:
                sys.exit(f"{worker}: {done.stderr}")
            head, row = done.stdout.splitlines()[:2]
            makespan = float(row.split(",")[head.split(",").index("makespan_s")])
            copy = float(LATENCIES[home][to]) * 1e-6 + 1 / float(BANDWIDTHS[home][to]) if home != to else 0
            if abs(makespan - copy - 1e-6) > 2e-9:
                sys.exit(f"from NUMA {home} to {worker}: {makespan} s, expected {copy + 1e-6}")


def refused(what, message):
    done = tilewright("import", "starpu:made:dir=sampling", "-o", "refused")
    if done.returncode != 2 or message not in done.stderr or done.stderr.count("\n") != 1:
        sys.exit(f"{what}: {done.returncode}: {done.stderr}")


def check_hostile():
    def changed(rows, i, j, value):
        copy = [list(row) for row in rows]
        copy[i][j] = value
        return matrix(copy)

    good = matrix(BANDWIDTHS), matrix(LATENCIES)
    give(changed(BANDWIDTHS, 0, 1, "nan"), good[1])
    refused("nan", "made.bandwidth:2: nan MB/s from memory 0 to 1: expected")
    give(changed(BANDWIDTHS, 3, 1, "0"), good[1])
    refused("no bandwidth", "made.bandwidth:5: 0 MB/s from memory 3 to 1")
    give(good[0], changed(LATENCIES, 1, 0, "-1"))
    refused("negative", "made.latency:3: -1 us from memory 1 to 0")
    give(good[0], matrix(LATENCIES, ["NUMA 0", "CUDA 0", "CUDA 1"]))
    refused("fewer names", "made.latency: 1 NUMA nodes, expected 2 as in")
    give(good[0], matrix(LATENCIES).split("\n", 1)[1])
    refused("no names", "made.latency: 1 NUMA nodes, expected 2 as in")
    give(matrix([row[:3] for row in BANDWIDTHS[:3]]), matrix([row[:3] for row in LATENCIES[:3]]))
    refused("a card too few", "made.bandwidth: 3 rows and columns: expected one for 'CUDA1'")
    more = ["NUMA 0", "NUMA 1", "NUMA 2", "CUDA 0", "CUDA 1"]
    give(matrix(BANDWIDTHS, more), matrix(LATENCIES, more))
    refused("more names than rows", "made.bandwidth: 4 rows and columns: expected one for")


command = os.path.abspath(sys.argv[1])
with tempfile.TemporaryDirectory() as place:
    os.chdir(place)
    os.makedirs("sampling/bus")
    os.makedirs("sampling/codelets/45")
    check_import()
    check_times()
    check_hostile()
