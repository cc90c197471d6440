#!/usr/bin/env python3
"""`tilewright validate` accepts the traces of good runs: of both simulations and of the real engine, in each format.

First runs of each kind that is special to the validator: noise, reductions, cancelled kernels, disks, 1,000 memories,
groups of cores, no transfers, plug-ins from shared objects, kernels that were measured or learnt, real and emulated
workers. Then random runs.

Usage: valid_traces.py COMMAND PLUGINS [--cases N] [--seed N] [--jobs N]
PLUGINS is the folder of the plug-ins that tests/cases uses."""

import argparse
import collections
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import drawn_words  # pylint: disable=wrong-import-position
from run_sections import FORMATS, validate  # pylint: disable=wrong-import-position

MIRAGE = "--platform mirage --workload cholesky:nt=8:nb=960 --policy dmdas"
SMALL = "--workload cholesky:nt=6:nb=64 --check none"
SPECIAL = [
    f"{MIRAGE} --noise measured",
    f"{MIRAGE} --noise lognormal:0.1 --seed 9223372036854775807",
    f"{MIRAGE} --belief-error 0.3 --gpu-mem 40MiB --eviction lfu",
    f"{MIRAGE} --communication off",
    f"{MIRAGE} --cpu-groups 4+4 --extrapolate",
    f"{MIRAGE} --cpus 0 --gpus 2 --gpu-mem 40MiB --runtime starpu:link_shares=equal",
    f"{MIRAGE} --mem GPU0=60MiB --mem GPU1=80MiB --engine native",
    "--platform mirage --workload cholesky:nt=12:nb=960 --policy heteroprio_types",
    "--platform mirage --workload reduction:n=40:shots=100:bytes=80000 --policy eager --extrapolate --gpu-mem 40MiB",
    "--platform synthetic --workload lu:nt=8:nb=960 --policy darts --extrapolate --mem RAM=100MiB",
    "--platform synthetic --workload lu:nt=8:nb=960 --policy lws --extrapolate --mem RAM=60MiB --engine native",
    "--platform cpu-outofcore --workload lu:nt=8:nb=960 --policy lws --extrapolate --mem RAM=60MiB",
    "--platform FOLDER/many.xml --workload layered:seed=3 --policy eager --extrapolate --engine native",
    "--platform FOLDER/many.xml --workload cholesky:nt=8:nb=960 --policy lws --extrapolate --gpu-mem 40MiB",
    f"{MIRAGE} --policy PLUGINS/my_policy.so",
    f"{MIRAGE} --eviction PLUGINS/my_eviction.so --gpu-mem 40MiB",
    "--platform mirage --workload PLUGINS/my_workload.so:n=4 --policy eager --extrapolate",
    "--platform mirage --workload file:FOLDER/name\\:\\,\";\n.dot --policy eager --engine native",
    f"--platform machine --policy dmdas {SMALL.replace('--check none', '')}",
    f"--platform machine --policy eager --engine native --emulate gpus=2:bandwidth=1GB/s "
    f"{SMALL.replace('--check none', '')}",
    f"--engine real --policy dmdas --learn FOLDER/learn {SMALL}",
    f"--engine real --policy lws --cpu-groups 1+1 {SMALL}",
    f"--engine real --policy dmdas --emulate gpus=2:bandwidth=100MB/s:mem=1MiB --cpus 1 {SMALL}",
    f"--engine real --policy eager --emulate gpus=3:bandwidth=50MB/s:shared=80MB/s:mem=256KiB --cpus 0 {SMALL}",
    f"--engine real --policy darts --emulate gpus=2:bandwidth=20MB/s:peer=yes:mem=512KiB --cpus 0 {SMALL}",
    f"--engine real:kernels=empty --policy lws --emulate gpus=2:bandwidth=10MB/s --cpus 1 {SMALL.split(' --check')[0]}",
    "--engine real --workload reduction:n=24:shots=1:bytes=80000 --policy eager --check none --cpus 1 "
    "--emulate gpus=2:bandwidth=100MB/s",
    f"--engine real:mode=timed --check none --gpu-mem 40MiB {MIRAGE}",
    f"--engine real:mode=timed:stretch=0.1 --check none {MIRAGE} --gpu-mem 60MiB --policy lws",
]


def many_memories(path, n=1000):
    """A platform with that many GPUs. They share two links, and have a bridge together."""
    with open(path, "w", encoding="utf-8") as file:
        print('<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
              '<platform version="4.1">\n<zone id="many" routing="Full">\n'
              '<host id="CPU" speed="1Gf" core="1024"><prop id="arch" value="cpu"/></host>\n'
              '<host id="RAM" speed="1f"><prop id="role" value="memory"/></host>\n'
              '<link id="host" bandwidth="24GBps" latency="1us"><prop id="shared_bandwidth" value="20GBps"/></link>',
              file=file)
        for i in range(n):
            print(f'<host id="GPU{i}" speed="1Gf"><prop id="arch" value="gpu"/><prop id="memory" value="1GiB"/></host>'
                  f'<link id="pci{i}" bandwidth="{8 + i % 5}GBps" latency="{3 + i % 7}us"/>', file=file)
        for i in range(n):
            print(f'<route src="RAM" dst="GPU{i}"><link_ctn id="host"/><link_ctn id="pci{i}"/></route>', file=file)
        print("</zone>\n</platform>", file=file)


def prepare(folder):
    many_memories(os.path.join(folder, "many.xml"))
    with open(os.path.join(folder, "kernels.csv"), "w", encoding="utf-8") as file:
        print("kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note\n"
              "gemm,cpu,1,960,s,80000,0,1,made up\ngemm,gpu,1,960,s,3000,0,1,made up", file=file)
    with open(os.path.join(folder, 'name:,";\n.dot'), "w", encoding="utf-8") as file:
        file.write('digraph { node [seconds="0.001"]; a -> b [size=100000]; a -> c [size=2000]; b -> d; c -> d }')


def special(words, folder, plugins):
    return [word.replace("FOLDER", folder).replace("PLUGINS", plugins) for word in words.split(" ") if word]


def drawn(seed, number, lists):
    r = random.Random(f"{seed} {number}")
    words = [word for word in drawn_words.draw(r, *lists) if word != "--validate"]
    return [*words, "--engine", r.choice(["native", "native", "native", "simgrid"])], r.choice(FORMATS)


def check(command, words, form):
    """How the case ended, and what was printed if that is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, form)
        ran = subprocess.run([command, "run", *words, "--trace", path], capture_output=True, text=True, timeout=300,
                             check=False)
        if ran.returncode:
            return "refused", ran.stderr
        status, printed = validate(command, path)
        return ("valid", "") if status == 0 and ": valid: " in printed else ("wrong", printed)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("plugins")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    command, counts, failed = os.path.abspath(args.command), collections.Counter(), 0
    lists = [drawn_words.names(command, what) for what in ("platforms", "policies", "evictions")]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        prepare(folder)
        cases = [(special(words, folder, os.path.abspath(args.plugins)), FORMATS[i % len(FORMATS)], False)
                 for i, words in enumerate(SPECIAL)]
        cases += [(*drawn(args.seed, i, lists), True) for i in range(args.cases)]
        for (words, form, may_refuse), (how, printed) in zip(cases, pool.map(lambda c: check(command, *c[:2]), cases)):
            counts[how] += 1
            if how == "wrong" or (how == "refused" and not may_refuse):
                print(f"{' '.join(words)} --trace {form}: {how}: {printed}", flush=True)
                failed += 1
    print(f"valid traces: {dict(counts)}, {failed} failed")
    return failed > 0 or counts["refused"] > args.cases / 2


if __name__ == "__main__":
    sys.exit(main())
