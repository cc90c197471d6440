#!/usr/bin/env python3
"""A bare loop over SimPy that simulates a graph (see loops.py): loop_simpy.py FILE WORKERS prints the makespan."""

import sys

import simpy  # pylint: disable=import-error


def main(path, n_workers):
    lines = open(path, encoding="utf-8").read().splitlines()[1:]
    seconds, missing, successors = [], [], [[] for _ in lines]
    for number, line in enumerate(lines):
        words = line.split()
        seconds.append(float(words[0]))
        missing.append(int(words[1]))
        for before in words[2:]:
            successors[int(before)].append(number)
    env = simpy.Environment()
    ready = simpy.Store(env)
    ends = [0.0]

    def worker():
        while True:
            task = yield ready.get()
            yield env.timeout(seconds[task])
            ends[0] = env.now
            for after in successors[task]:
                missing[after] -= 1
                if not missing[after]:
                    yield ready.put(after)

    for task, n in enumerate(missing):
        if not n:
            ready.put(task)
    for _ in range(int(n_workers)):
        env.process(worker())
    env.run()
    print(f"{ends[0]:.6f}")


main(*sys.argv[1:])
