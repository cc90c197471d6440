#!/usr/bin/env python3
"""Schedules of random graphs on random nodes, where nothing is rounded: times are whole microseconds, sizes whole
kilobytes, and links give each copy all of their gigabytes per second."""

import csv
import random
import subprocess
import sys

COSTS = {"submit_cost": 1, "push_cost": 1, "fetch_cost": 1, "poll_cost": 1, "kernel_queue_cost": 10,
         "transfer_queue_cost": 10, "alloc_cost": 175}
GRAPHS = 40


def write_platform(r, scale, gpus_differ=False, bandwidth=2e9):
    """Bandwidths are divided by `scale`, kernel times are multiplied by it."""
    gpus = range(r.randint(2, 4))
    hosts = [f"<host id='C' speed='1Gf' core='{len(gpus) + 3}'><prop id='arch' value='c'/></host>",
             "<host id='RAM' speed='1f'><prop id='role' value='memory'/></host>"]
    routes = []
    for g in gpus:
        hosts.append(f"<host id='G{g}' speed='1Gf'><prop id='arch' value='g{g if gpus_differ else 0}'/>"
                     "<prop id='memory' value='64GiB'/></host>"
                     f"<link id='l{g}' bandwidth='{bandwidth / r.choice([1, 2]) / scale!r}Bps' "
                     f"latency='{r.choice([0, 1, 10]) * scale if bandwidth < 1e18 else 0}us' "
                     "sharing_policy='FATPIPE'/>")
        routes.append(f"<route src='RAM' dst='G{g}'><link_ctn id='l{g}'/></route>")
    with open("platform.xml", "w", encoding="utf-8") as file:
        file.write("<?xml version='1.0'?><!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
                   "<platform version='4.1'><zone id='z' routing='Full'>\n"
                   + "\n".join(hosts + routes) + "</zone></platform>\n")
    with open("kernels.csv", "w", encoding="utf-8") as file:
        file.write("kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note,origin\n")
        for kernel in range(4):
            us = r.randint(50, 300)
            for arch, slower in [("c", 5)] + [(f"g{g}", 1) for g in (gpus if gpus_differ else [0])]:
                own = us * slower * (1 + r.random() / 1000 if gpus_differ else 1)
                file.write(f"k{kernel},{arch},1,1,s,{own * scale!r},0,10,,measured: here\n")


def write_graph(r):
    data = range(r.randint(4, 20))
    tasks = [[r.randrange(4), r.randrange(5),
              *[x for d in r.sample(data, r.randint(1, 4)) for x in (d, r.choice([1, 1, 1, 2, 3]))]]
             for _ in range(r.randint(10, 60))]
    kernels = ",".join(f'{{"name":"k{k}","size":"1","precision":"s","flops":1}}' for k in range(4))
    with open("graph.json", "w", encoding="utf-8") as file:
        file.write(f'{{"tilewright":1,"flops":1,"priorities":"all","kernels":[{kernels}],'
                   f'"data":{[1000 * r.randint(1, 2000) for _ in data]},"tasks":{tasks}}}')


def schedule(policy, *options):
    """The events: kind, date, and what they are about."""
    subprocess.run(["tilewright", "run", "--platform", "./platform.xml", "--workload", "file:graph.json", "--policy",
                    policy, "--engine", "native", "--trace", "run.record", *options], check=True,
                   stdout=subprocess.DEVNULL)
    with open("run.record", encoding="utf-8") as file:
        return [(row[0], int(row[1]), row[2:]) for row in csv.reader(file)
                if row[0] in ("assign", "start", "end", "release", "transfer_start", "transfer_end", "valid")]


def doubled():
    """Yields the policies whose dates do not all double with all times."""
    names = subprocess.run(["tilewright", "list", "policies", "--names"], check=True, capture_output=True, text=True)
    for policy in set(names.stdout.split()) - {"replay"}:
        dates = []
        for scale in (1, 2):
            r = random.Random(policy)
            write_platform(r, scale)
            write_graph(r)
            runtime = "starpu:" + ":".join(f"{name}={us * scale}us" for name, us in COSTS.items())
            dates.append([(kind, 2 * date / scale, about)
                          for kind, date, about in schedule(policy, "--runtime", runtime)])
        if dates[0] != dates[1]:
            yield policy


def without_transfers(how):
    """Yields how many schedules of dm and dmda differ where transfers take less than a femtosecond, or none."""
    differ = 0
    for seed in range(GRAPHS):
        r = random.Random(seed)
        write_platform(r, 1, how == "gpus_differ", 1e18)
        write_graph(r)
        off = ["--communication", "off"] if how == "no_communication" else []
        differ += schedule("dm", *off) != schedule("dmda", *off)
    yield f"{differ} of {GRAPHS}"


if __name__ == "__main__":
    if sys.argv[1] == "doubled":
        print(*sorted(doubled()))
    else:
        print(*without_transfers(sys.argv[1]))
