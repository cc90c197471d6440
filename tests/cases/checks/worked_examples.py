#!/usr/bin/env python3
"""Runs the worked examples of papers on static policies, and prints each schedule in the words of the papers.

Each example has tasks with a time on each of three processors, and edges with transfer times between processors. The
processors are GPUs with links of their own. A run gives each task a processor, and each processor an order. The dates
follow from these by the papers' model, in which a transfer begins when its task ends.

Usage: worked_examples.py POLICY EXAMPLE
       worked_examples.py POLICY --random N    compares the schedules of N random graphs with those of this script"""

import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

# Times of each task on the three processors; edges as (task, successor): transfer time. Tasks count from 1.
EXAMPLES = {
    # Topcuoglu, Hariri, Wu 2002, figure 2 and table 3
    "topcuoglu": (
        [(14, 16, 9), (13, 19, 18), (11, 13, 19), (13, 8, 17), (12, 13, 10), (13, 16, 9), (7, 15, 11), (5, 11, 14),
         (18, 12, 20), (21, 7, 16)],
        {(1, 2): 18, (1, 3): 12, (1, 4): 9, (1, 5): 11, (1, 6): 14, (2, 8): 19, (2, 9): 16, (3, 7): 23, (4, 8): 27,
         (4, 9): 23, (5, 9): 13, (6, 8): 15, (7, 10): 17, (8, 10): 11, (9, 10): 13}),
    # Arabnejad, Barbosa 2014, figure 2
    "arabnejad": (
        [(22, 21, 36), (22, 18, 18), (32, 27, 43), (7, 10, 4), (29, 27, 35), (26, 17, 24), (14, 25, 30), (29, 23, 36),
         (15, 21, 8), (13, 16, 33)],
        {(1, 2): 17, (1, 3): 31, (1, 4): 29, (1, 5): 13, (1, 6): 7, (2, 8): 3, (2, 9): 30, (3, 7): 16, (4, 8): 11,
         (4, 9): 7, (5, 9): 57, (6, 8): 5, (7, 10): 9, (8, 10): 42, (9, 10): 7}),
}


def write_platform(folder, times):
    """A unit of time is a millisecond, and a transfer of as many kilobytes."""
    processors = range(3)
    pairs = [(a, b) for a in processors for b in processors if a < b]
    link = '<link id="{}" bandwidth="1MBps" latency="0" sharing_policy="SPLITDUPLEX"/>'
    route = '<route src="{}" dst="{}"><link_ctn id="{}" direction="DOWN"/></route>'
    lines = ['<?xml version="1.0"?>', '<platform version="4.1"><zone id="three" routing="Full">',
             '<host id="RAM" speed="1f"><prop id="role" value="memory"/></host>']
    lines += [f'<host id="GPU{p}" speed="1Gf"><prop id="arch" value="p{p}"/><prop id="memory" value="1GiB"/>'
              '<prop id="peer" value="yes"/></host>' for p in processors]
    lines += [link.format(f"pci{p}") for p in processors] + [link.format(f"peer{a}{b}") for a, b in pairs]
    lines += [route.format("RAM", f"GPU{p}", f"pci{p}") for p in processors]
    lines += [route.format(f"GPU{a}", f"GPU{b}", f"peer{a}{b}") for a, b in pairs]
    (folder / "platform.xml").write_text("\n".join(lines + ["</zone></platform>", ""]))
    rows = [f"t{t},p{p},1,1,s,{1000 * time[p]},0,0," for t, time in enumerate(times) for p in processors]
    (folder / "kernels.csv").write_text("\n".join(
        ["kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note"] + rows + [""]))


def write_graph(path, times, edges):
    tasks = [[t, 0] for t in range(len(times))]
    for handle, (task, successor) in enumerate(edges):
        tasks[task - 1] += [handle, 2]
        tasks[successor - 1] += [handle, 1]
    kernels = [{"name": f"t{t}", "size": "1", "precision": "s", "flops": 1} for t in range(len(times))]
    path.write_text(json.dumps({"tilewright": 1, "flops": 0, "priorities": "all", "kernels": kernels,
                                "data": [1000 * cost for cost in edges.values()], "tasks": tasks}))


def run(policy, times, edges):
    """Returns (task, processor) in the order of starts."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "three").mkdir()
        write_platform(folder / "three", times)
        write_graph(folder / "graph.json", times, edges)
        subprocess.run(["tilewright", "run", "--platform", "./three", "--workload", "file:graph.json", "--policy",
                        policy, "--runtime", "ideal", "--validate", "--trace", "trace.csv"], cwd=folder,
                       stdout=subprocess.DEVNULL, check=True)
        with open(folder / "trace.csv", encoding="utf-8") as file:
            rows = sorted(csv.DictReader(file), key=lambda row: float(row["start_s"]))
    return [(int(row["task"]) + 1, int(row["index"])) for row in rows]


def dates(ran, times, edges):
    """Yields (task, processor, start, end)."""
    where, ends, free = dict(ran), {}, [0, 0, 0]
    for task, p in ran:
        there = [ends[before] + (cost if where[before] != p else 0)
                 for (before, after), cost in edges.items() if after == task]
        start = max([free[p], *there])
        ends[task] = free[p] = start + times[task - 1][p]
        yield task, p, start, ends[task]


class Schedule:
    """A schedule under construction: an independent statement of the papers' algorithms."""

    def __init__(self, times, edges):
        self.times, self.edges = times, edges
        self.tasks = range(1, len(times) + 1)
        self.after = {t: [b for a, b in edges if a == t] for t in self.tasks}
        self.before = {t: [a for a, b in edges if b == t] for t in self.tasks}
        self.places = {}  # task: (processor, start, end)

    def mean(self, task):
        return sum(self.times[task - 1]) / 3

    def upward(self, task, part):
        return self.mean(task) + max(
            (part * self.edges[task, s] + self.upward(s, part) for s in self.after[task]), default=0)

    def downward(self, task):
        return max((self.downward(p) + self.mean(p) + self.edges[p, task] for p in self.before[task]), default=0)

    def optimistic(self, task, p):
        return max((min(self.optimistic(s, q) + self.times[s - 1][q] + (self.edges[task, s] if p != q else 0)
                        for q in range(3)) for s in self.after[task]), default=0)

    def place(self, task, p):
        """Where the task would be on the processor, in the first gap that is long enough."""
        there = [self.places[b][2] + (self.edges[b, task] if self.places[b][0] != p else 0)
                 for b in self.before[task] if b in self.places]
        start, length = max(there, default=0), self.times[task - 1][p]
        for _, begin, end in sorted(place for place in self.places.values() if place[0] == p):
            if start + length <= begin:
                break
            start = max(start, end)
        return p, start, start + length

    def first(self, task):
        return min((self.place(task, p) for p in range(3)), key=lambda place: place[2])

    def last_successor(self, task, place, rank):
        kept = dict(self.places)
        self.places[task] = place
        for s in sorted(self.after[task], key=lambda t: (-rank[t], t)):
            self.places[s] = self.first(s)
        last = max((self.places[s][2] for s in self.after[task]), default=place[2])
        self.places = kept
        return last

    def make(self, rank, choose):
        """Places all tasks: of those whose predecessors are placed, the one of the greatest rank."""
        while len(self.places) < len(self.tasks):
            free = [t for t in self.tasks if t not in self.places and all(b in self.places for b in self.before[t])]
            task = max(free, key=lambda t: (round(rank(t), 6), -t))
            self.places[task] = choose(task)
        return {task: place[0] for task, place in self.places.items()}

    def peft(self):
        table = {t: [self.optimistic(t, p) for p in range(3)] for t in self.tasks}
        return self.make(lambda t: sum(table[t]), lambda t: min(
            (self.place(t, p) for p in range(3)), key=lambda place: place[2] + table[t][place[0]]))

    def cpop(self):
        rank = {t: round(self.upward(t, 1) + self.downward(t), 6) for t in self.tasks}
        path = [max((t for t in self.tasks if not self.before[t]), key=lambda t: (rank[t], -t))]
        while self.after[path[-1]]:
            path.append(max(self.after[path[-1]], key=lambda t: (rank[t], -t)))
        fastest = min(range(3), key=lambda p: sum(self.times[t - 1][p] for t in path))
        return self.make(rank.get, lambda t: self.place(t, fastest) if t in path else self.first(t))

    def heft_lookahead(self):
        rank = {t: round(self.upward(t, 2 / 3), 6) for t in self.tasks}  # a processor and itself are one of the pairs
        return self.make(rank.get, lambda t: min((self.place(t, p) for p in range(3)), key=lambda place: (
            self.last_successor(t, place, rank), place[2])))


def random_example(seed):
    draw = random.Random(seed)
    n = draw.randint(2, 12)
    times = [tuple(draw.randint(1000, 99999) for _ in range(3)) for _ in range(n)]
    edges = {(a, b): draw.randint(1, 50000)
             for a in range(1, n + 1) for b in range(a + 1, n + 1) if draw.random() < 0.35}
    return times, edges


def compare(policy, n):
    for seed in range(n):
        times, edges = random_example(seed)
        ran = dict(run(policy, times, edges))
        expected = getattr(Schedule(times, edges), policy)()
        if ran != expected:
            print(f"seed {seed}: ran on {sorted(ran.items())}, expected {sorted(expected.items())}")
    print(n, "graphs compared")


def main(policy, example, n=0):
    if example == "--random":
        compare(policy, int(n))
        return
    times, edges = EXAMPLES[example]
    schedule = list(dates(run(policy, times, edges), times, edges))
    for p in range(3):
        print(f"P{p + 1}:", *(f"{task} [{start}, {end}]" for task, q, start, end in schedule if p == q))
    print("makespan", max(end for *_, end in schedule))


if __name__ == "__main__":
    main(*sys.argv[1:])
