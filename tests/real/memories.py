#!/usr/bin/env python3
"""The real engine on platforms with several main memories, which are emulated as their accelerators are. Each case is a
random platform with two or four main memories, a workload, a place where handles start, five policies, and ample memory
or the least that fits a task. All numbers are checked, allocated memory is poisoned, and schedules are validated.
Usage: memories.py TILEWRIGHT [--cases N] [--first I]"""
import argparse
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile

POLICIES = ["eager", "lws", "dmdas", "random", "heft"]
WORKLOADS = ["cholesky:nt=6:nb=64", "lu:nt=5:nb=64:precision=d", "qr:nt=4:nb=64:ib=16",
             "stencil:nx=20:ny=20:nz=80:blocks=8:iterations=6",
             "reduction:n=40:shots=2000:bytes=800:scratch=4KiB"]
HOMES = ["first", "interleaved", "first_touch"]
CASES = list(itertools.product(WORKLOADS, HOMES, [2, 4], [False, True]))  # the last: tight memory


def link(name, source, target, bandwidth):
    return ('<link id="%s" bandwidth="%dGBps" latency="1us" sharing_policy="SPLITDUPLEX"/>\n'
            '<route src="%s" dst="%s"><link_ctn id="%s" direction="UP"/></route>\n'
            % (name, bandwidth, source, target, name))


def host(name, speed, cores, **props):
    return '<host id="%s" speed="%s" core="%d">%s</host>\n' % (
        name, speed, cores, "".join('<prop id="%s" value="%s"/>' % prop for prop in props.items()))


def platform(rng, mains):
    """A platform file, and the number of accelerators."""
    names = ["RAM"] + ["RAM%d" % i for i in range(1, mains)]
    hosts = "".join(host(name, "1f", 1, role="memory") for name in names)
    # one core in all, or two, as this machine may have no more; memories without either are not in use
    cores = rng.sample(range(mains), 2)
    hosts += "".join(host("CPU%d" % m, "1Gf", 1, arch="cpu", main_memory=names[m]) for m in cores)
    links = "".join(link("%s-%s" % pair, pair[0], pair[1], rng.randint(2, 20))
                    for pair in itertools.combinations(names, 2))
    gpus = rng.randint(1, 4)
    for g in range(gpus):
        near = rng.randrange(mains)
        hosts += host("GPU%d" % g, "1Gf", 1, arch="gpu", memory="64MiB", driver="none", peer="yes",
                      main_memory=names[near])
        for m, name in enumerate(names):
            if m == near or rng.random() < 0.3:
                links += link("GPU%d-%s" % (g, name), name, "GPU%d" % g, rng.randint(1, 8))
    for a, b in itertools.combinations(range(gpus), 2):
        if rng.random() < 0.3:
            links += link("peer%d-%d" % (a, b), "GPU%d" % a, "GPU%d" % b, 10)
    return ('<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
            '<platform version="4.1"><zone id="z" routing="Full">\n%s%s</zone></platform>\n' % (hosts, links)), gpus


def run(options, number):
    """Runs a case; returns what is wrong, or None."""
    rng = random.Random(number)
    workload, homes, mains, tight = CASES[number % len(CASES)]
    with tempfile.TemporaryDirectory() as folder:
        xml, gpus = platform(rng, mains)
        with open(os.path.join(folder, "platform.xml"), "w") as f:
            f.write(xml)
        with open(os.path.join(folder, "kernels.csv"), "w") as f:
            f.write("kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note\n")
            f.write("".join("gemm,%s,1,64,%s,%d,0,1,\n" % (arch, p, us)
                            for arch, us in (("cpu", 300), ("gpu", 100)) for p in "sd"))
        command = [options.tilewright, "run", "--engine", "real:poison=yes", "--platform", folder, "--emulate",
                   "gpus=%d:memories=%d" % (gpus, mains), "--workload", workload, "--policy", ",".join(POLICIES),
                   "--runtime", "real:homes=%s" % homes, "--check", "full", "--validate", "--format", "json",
                   "--extrapolate", "--seed", str(number + 1)]
        if mains == 2 and rng.random() < 0.5:  # both are in use, as each has a core
            command += ["--mem", "RAM1=%dKiB" % rng.choice([200, 1000])]

        def start(memory):
            more = ["--gpu-mem", memory] if memory else []
            return subprocess.run(command + more, capture_output=True, text=True, timeout=options.timeout)
        done = start("1" if tight else None)
        if tight:
            told = re.search(r"--gpu-mem ([0-9]+\S*)", done.stderr)
            if not told:
                return "no memory is enough: " + done.stderr
            done = start(told.group(1))
    try:
        rows = json.loads(done.stdout)
    except ValueError:
        rows = []
    wrong = ["%s: %s" % (row["policy"], row["message"]) for row in rows
             if row["status"] != "ok" or not row["validated"] or row["residual"] is None]
    if len(rows) != len(POLICIES) or done.returncode:
        wrong.append("exit status %d: %s" % (done.returncode, done.stderr.strip()))
    return "; ".join(wrong) or None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tilewright")
    parser.add_argument("--cases", type=int, default=len(CASES))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--timeout", type=float, default=300, help="of one command, in seconds")
    options = parser.parse_args()
    wrong = 0
    for number in range(options.first, options.first + options.cases):
        what = run(options, number)
        if what:
            wrong += 1
            print("case %d, %s: %s" % (number, CASES[number % len(CASES)], what))
    print("%d cases of %d runs, %d wrong" % (options.cases, len(POLICIES), wrong))
    sys.exit(1 if wrong or options.cases < 1 else 0)


main()
