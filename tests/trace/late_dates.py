#!/usr/bin/env python3
"""Schedules are valid at all dates, from 1 ns to 1e9 s: random graphs on random nodes, whose kernels, latencies and
transfers take some power of ten of seconds, or parts of it. Both engines validate their runs of each case. The nodes
and graphs in the folder late/ run under several policies and runtime models: they have transfers of a year.

Usage: late_dates.py COMMAND [--cases N] [--first N] [--jobs N]
A case depends only on its number; cases are numbered from FIRST (1). --keep FOLDER writes the files of all cases
there."""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from drawn_words import names  # pylint: disable=wrong-import-position

ENGINES = ("native", "simgrid")
MODES = (1, 1, 1, 2, 3, 3, 18, 19)
RUNTIMES = ("starpu:chunk_bytes=0", "ideal", "real")
PARAMETERS = ("link_shares=equal", "link_shares=latency", "conflicts=gpu_pair", "conflicts=channel", "demand_limit=1",
              "demand_limit=8", "prefetch_limit=4", "gpu_pipeline=1", "gpu_pipeline=4", "order=id", "order=random",
              "keeps_invalid=yes", "prefetch_evicts=no", "idle_write_back=yes", "window=3")
GREATEST_S = 1e9  # of one kernel: TW_MAX_SECONDS


def seconds(r, unit_s):
    """A duration of about the unit: often a round one, so that several dates coincide."""
    part = r.choice([1, 1, 1, 2, 0.5, 0.1, 10 ** r.uniform(-3, 0), 10 ** r.uniform(-6, 0)])
    return min(max(unit_s * part, 1e-9), GREATEST_S)


def graph(r, unit_s):
    sizes = [r.choice([1, r.randint(1, 1000), 10 ** 6, r.randint(1, 10 ** 6)]) for _ in range(r.randint(1, 12))]
    tasks = []
    # Half of the graphs wait for a long task first, so that short kernels and transfers have late dates.
    first_s = 10 ** r.uniform(0, 9) if r.random() < 0.5 else 0
    if first_s:
        tasks.append([0, 0, {"seconds": first_s}])
    for t in range(len(tasks), r.choice([5, 20, 60])):
        task = [r.randrange(2), r.choice([0, 0, r.randint(-5, 20)])]
        for data in r.sample(range(len(sizes)), r.randint(0, min(4, len(sizes)))):
            task += [data, r.choice(MODES)]
        more = {}
        if first_s or (t and r.random() < 0.15):
            more["after"] = [0 if first_s else r.randrange(t)]
        if r.random() < 0.3:
            more["seconds"] = seconds(r, unit_s)
        tasks.append(task + [more] if more else task)
    kernels = [{"name": name, "size": "1", "precision": "s", "flops": 1e9} for name in ("ka", "kb")]
    kernels[0]["recorded_on"] = kernels[1]["recorded_on"] = "processors+accelerators"
    written = {"tilewright": 1, "flops": 1e9 * len(tasks), "priorities": "all", "kernels": kernels, "data": sizes,
               "tasks": tasks}
    return json.dumps(written), max([0] + [sum({d: sizes[d] for d in task[2::2] if isinstance(d, int)}.values())
                                           for task in tasks])


def link(r, name, unit_s):
    """A link that passes the greatest handles within about the unit."""
    bandwidth = min(max(1e6 / seconds(r, unit_s), 1) * r.choice([1, 1, 1000]), 1e17)
    latency = r.choice([0, 0, min(seconds(r, unit_s) / 100, 100), 1e-6, 1e-5])
    sharing = r.choice(["SHARED", "SHARED", "SPLITDUPLEX", "FATPIPE"])
    return (f'<link id="{name}" bandwidth="{bandwidth:.6g}Bps" latency="{latency:.6g}s" '
            f'sharing_policy="{sharing}"/>'), sharing


def crossing(name, sharing, direction="DOWN"):
    return f'<link_ctn id="{name}"' + (f' direction="{direction}"' if sharing == "SPLITDUPLEX" else "") + "/>"


def platform(r, unit_s, most_bytes):
    """A node with some GPUs, each behind a link of its own and one of two hubs; some have links to each other."""
    n_gpus = r.randint(1, 4)
    lines = ['<?xml version="1.0"?>', '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">',
             '<platform version="4.1">', '<zone id="z" routing="Full">',
             f'<host id="CPU" speed="1Gf" core="{r.randint(1, 4) + n_gpus}"><prop id="arch" value="c0"/></host>',
             '<host id="RAM" speed="1f"><prop id="role" value="memory"/></host>']
    for g in range(n_gpus):
        room = int(most_bytes * r.choice([1.2, 2, 4, 100]) / 0.9) + 1
        lines.append(f'<host id="GPU{g}" speed="1Gf"><prop id="arch" value="g{g % 2}"/><prop id="memory" '
                     f'value="{room}"/><prop id="peer" value="yes"/></host>')
    sharing = {}
    pairs = [(a, b) for b in range(n_gpus) for a in range(b) if r.random() < 0.4]
    for name in ["hub0", "hub1", *(f"p{g}" for g in range(n_gpus)), *(f"nv{a}_{b}" for a, b in pairs)]:
        line, sharing[name] = link(r, name, unit_s)
        lines.append(line)
    for g in range(n_gpus):
        route = [f"p{g}", *(["hub" + str(g % 2)] if r.random() < 0.8 else [])]
        lines.append(f'<route src="RAM" dst="GPU{g}">' + "".join(crossing(n, sharing[n]) for n in route) + "</route>")
    for a, b in pairs:
        name = f"nv{a}_{b}"
        lines.append(f'<route src="GPU{a}" dst="GPU{b}">{crossing(name, sharing[name])}</route>')
    return "\n".join([*lines, "</zone>", "</platform>"]), ["c0", "g0", "g1"][:1 + min(n_gpus, 2)]


def kernels(r, unit_s, archs):
    rows = ["kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note"]
    rows += [f"{kernel},{arch},1,1,s,{seconds(r, unit_s) * 1e6:.9g},0,1,made up"
             for kernel in ("ka", "kb") for arch in archs]
    return "\n".join(rows) + "\n"


def make(folder, number, lists):
    """Writes the files of a case; returns the arguments of its run."""
    r = random.Random(f"late dates {number}")
    unit_s = 10.0 ** r.randint(-9, 7)
    tasks, most_bytes = graph(r, unit_s)
    # Now and then links are of another magnitude than kernels.
    link_s = unit_s if r.random() < 0.7 else 10.0 ** r.randint(-9, 7)
    node, archs = platform(r, link_s, most_bytes)
    for name, text in (("g.json", tasks), ("platform.xml", node), ("kernels.csv", kernels(r, unit_s, archs))):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    runtime = r.choice(RUNTIMES)
    chosen = {parameter.split("=")[0]: parameter for parameter in r.sample(PARAMETERS, r.randint(0, 3))}
    runtime = ":".join([runtime, *chosen.values()])
    words = ["--platform", "platform.xml", "--workload", "file:g.json", "--policy", r.choice(lists["policies"]),
             "--runtime", runtime, "--seed", str(number)]
    return words + (["--eviction", r.choice(lists["evictions"])] if r.random() < 0.3 else [])


def given():
    """Folders and arguments of the runs in late/."""
    late = os.path.join(os.path.dirname(os.path.abspath(__file__)), "late")
    for name in sorted(os.listdir(late)):
        for policy in ("eager", "static", "prio", "random", "metis", "heteroprio"):
            for runtime in RUNTIMES:
                yield os.path.join(late, name), ["--platform", "platform.xml", "--workload", "file:g.json",
                                                 "--policy", policy, "--runtime", runtime]


def run(command, folder, words, engine):
    """How the run ended, and the message."""
    ended = subprocess.run([command, "run", *words, "--engine", engine, "--validate", "--columns", "status,makespan_s"],
                           cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    if ended.returncode == 0:
        return "valid", ended.stdout.split("\n")[1].split(",")[1]
    how = ("invalid" if "validation:" in ended.stderr else "refused" if ended.returncode == 2 else
           "failed" if ended.returncode == 1 else "crashed")
    return how, ended.stderr


def case(command, keep, number, lists):
    with tempfile.TemporaryDirectory() as folder:
        if keep:
            folder = os.path.join(keep, str(number))
            os.makedirs(folder, exist_ok=True)
        words = make(folder, number, lists)
        return number, words, {engine: run(command, folder, words, engine) for engine in ENGINES}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="folder for the files of all cases")
    args = parser.parse_args()
    command, counts, failed, same, latest = os.path.abspath(args.command), collections.Counter(), 0, 0, 0
    lists = {what: names(command, what) for what in ("policies", "evictions")}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        runs = [(folder, words, engine) for folder, words in given() for engine in ENGINES]
        for (folder, words, engine), (how, message) in zip(runs, pool.map(lambda r: run(command, *r), runs)):
            if how != "valid":
                failed += 1
                print(f"{folder}: {' '.join(words)} --engine {engine}: {how}: {message.strip()}", flush=True)
        numbers = range(args.first, args.first + args.cases)
        for number, words, ended in pool.map(lambda n: case(command, args.keep, n, lists), numbers):
            hows = [how for how, _ in ended.values()]
            counts.update(hows)
            if set(hows) - {"valid", "refused"} or len(set(hows)) > 1:
                failed += 1
                for engine, (how, message) in ended.items():
                    print(f"case {number}: {' '.join(words)} --engine {engine}: {how}: {message.strip()}", flush=True)
            elif hows[0] == "valid":
                makespans = [float(text) for _, text in ended.values()]
                same += makespans[0] == makespans[1]
                latest = max(latest, *makespans)
    n_valid = counts["valid"] // len(ENGINES)
    print(f"late dates: {args.cases} cases: {dict(counts)}, {failed} failed; {same} of {n_valid} have one makespan "
          f"on both engines; the latest is {latest:g} s")
    return failed > 0 or n_valid < args.cases / 2


if __name__ == "__main__":
    sys.exit(main())
