#!/usr/bin/env python3
"""Statements of Augonnet 2011 about scheduling policies, as orderings and ratios, with their figures. More of them are
in scripts/figures, figure by figure, and, on other subjects too, in tests/cases/thesis.test;
docs/evidence/conclusions.md tells about all.

    tests/thesis/statements.py TILEWRIGHT

In the thesis's words: greedy is eager, heft-tm dm:prefetch=no, heft-tm-pr dm, heft-tmdp dmda:prefetch=no, heft-tmdp-pr
dmda. Its GPUs run one kernel at a time and fetch the data of the next when it ends (CUDA 3.2): gpu_pipeline=1. Exit
status: 1, a statement does not hold."""

import json
import math
import os
import sys
import tempfile

sys.dont_write_bytecode = True  # beside runs.py, in the source tree
from runs import Command, Statements

QR_POLICIES = ["eager", "dm:prefetch=no", "dm", "dmda:prefetch=no", "dmda"]
AS_IN_2011 = {"runtime": "starpu:gpu_pipeline=1"}


def figures(values, form="{:.2f}"):
    return " ".join(form.format(value) for value in values)


def greedy_leaves_the_last_tasks_to_cores(tw, st):
    """Section 3.1.1, figures 3.1 and 3.10: two GPUs, two cores, a blocked product."""
    for nt in 4, 6, 8, 10:
        idle = {}
        for policy in "eager", "dm":
            kernels = tw.kernels("barracuda", f"matmul2d:nt={nt}:nb=960:k={nt * 960}", policy, extrapolate=True,
                                 runtime="ideal:gpu_pipeline=1")
            last = max(end for *_, end in kernels)
            idle[policy] = 1 - max(end for _, worker, _, end in kernels if worker <= 2) / last
        st.say(f"3.1.1: product of {nt * nt} blocks: the GPUs wait for the cores at the end, under greedy alone",
               f"for {idle['eager']:.3f} of the makespan; heft-tm {idle['dm']:.3f}",
               idle["eager"] > 0.15 and idle["dm"] == 0)


def locality_and_prefetching(tw, st):
    """Section 7.3.3: more GPUs, more gain by locality; prefetching and locality compose; without locality, no speed by
    size."""
    speeds = [tw.gflops("mordor", "qr:nt=26", *QR_POLICIES[1:], gpus=gpus, **AS_IN_2011) for gpus in range(1, 5)]
    gains = [s[3] - s[1] for s in speeds]
    st.say("7.3.3: GFlop/s gained by the penalty for data, 1 to 4 GPUs", figures(gains, "{:.0f}"),
           abs(gains[0]) < 0.05 * speeds[0][1] and gains[1] > gains[0] and gains[2] > gains[1] + 100
           and gains[3] > gains[2] + 100)
    neither, prefetching, locality, both = speeds[3]
    st.say("7.3.3: 4 GPUs: times as fast by prefetching, by locality, by both",
           figures(v / neither for v in (prefetching, locality, both)),
           prefetching > 1.05 * neither and locality > 1.05 * neither
           and both / neither > 0.95 * (prefetching / neither) * (locality / neither))
    st.say("7.4b: the fourth GPU makes heft-tm-pr slower, heft-tmdp-pr faster",
           f"{speeds[3][1] / speeds[2][1]:.2f}, {speeds[3][3] / speeds[2][3]:.2f} times as fast",
           speeds[3][1] < speeds[2][1] and speeds[3][3] > 1.15 * speeds[2][3])
    used = {}
    for nt in 10, 26, 32:
        for row in tw.run("mordor", f"qr:nt={nt}", "dm", "dmda", **AS_IN_2011):
            used[row["policy"], nt] = float(row["transferred_bytes"]) / float(row["makespan_s"]) / 2e9
    st.say("7.4b: what stops heft-tm-pr: part of the bus in use, 10, 26 and 32 tiles a side; heft-tmdp-pr",
           f'{figures(used["dm", nt] for nt in (10, 26, 32))}; {figures(used["dmda", nt] for nt in (10, 26, 32))}',
           used["dm", 10] < 0.9 and min(used["dm", 26], used["dm", 32]) > 0.97
           and max(used["dmda", 26], used["dmda", 32]) < 0.6)


def ready_tasks(tw, workload, policy, **options):
    """How many tasks are ready and wait, on average over the run."""
    kernels = tw.kernels("attila", workload, policy, **options)
    end = {task: e for task, _, _, e in kernels}
    ready = dict.fromkeys(end, 0.0)
    for before, task in tw.dependencies(workload):
        ready[task] = max(ready[task], end[before])
    return sum(start - ready[task] for task, _, start, _ in kernels) / max(end.values())


def priorities_of_cholesky(tw, st):
    """Section 3.3.1, figure 3.8: three C2050 and 12 cores are faster with priorities, as more tasks are ready."""
    waiting = [ready_tasks(tw, f"cholesky:nt=11{priority}", "dmdap") for priority in (":priority=none", "")]
    st.say("3.8: ready tasks, on average, without and with priorities", figures(waiting), waiting[1] > 1.1 * waiting[0])


def feedback(tw, st):
    """Sections 3.4.4 and 3.5.4: what keeps wrong predictions from adding up."""
    for error in 0, 0.05, 0.1, 0.2, 0.5:
        mean = {}
        for policy in "dm", "dm:feedback=no":
            speeds = [tw.gflops("barracuda", "lu:nt=12", policy, gpus=1, extrapolate=True, belief_error=error,
                                seed=seed)[0] for seed in range(1, 6)]
            mean[policy] = sum(speeds) / len(speeds)
        ratio = mean["dm"] / mean["dm:feedback=no"]
        st.say(f"3.5.4: predictions wrong by {error}: heft-tm, and without feedback",
               f"{figures(mean.values(), '{:.0f}')} GFlop/s, {ratio:.2f} times as fast",
               0.99 < ratio < 1.01 if error == 0 else ratio > 1 if error < 0.1 else ratio > 1.15)


def write_node(folder, cores, times):
    """Three GPUs of one second a task, and cores; `times`: seconds of gemm on groups of so many cores."""
    os.makedirs(folder, exist_ok=True)
    gpus = "".join(f'<host id="GPU{i}" speed="1Gf"><prop id="arch" value="gpu"/><prop id="memory" value="4GB"/></host>'
                   for i in range(3))
    routes = "".join(f'<route src="RAM" dst="GPU{i}"><link_ctn id="bus"/></route>' for i in range(3))
    with open(f"{folder}/platform.xml", "w", encoding="utf-8") as file:
        file.write(
            f'<platform version="4.1"><zone id="node" routing="Full"><host id="CPU" speed="1Gf" core="{cores}"><prop '
            'id="arch" value="cpu"/></host>'
            f'{gpus}<host id="RAM" speed="1f"/><link id="bus" bandwidth="1GBps" '
            f'latency="1us"/>{routes}</zone></platform>')
    with open(f"{folder}/kernels.csv", "w", encoding="utf-8") as file:
        file.write("kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note\ngemm,gpu,1,960,s,1000000,0,1,\n")
        for group, seconds in times.items():
            file.write(f"gemm,cpu,{group},960,s,{seconds * 1e6:.6f},0,1,\n")
    return "./" + folder


def identical_tasks(n):
    graph = {"tilewright": 1, "flops": 0, "priorities": "all",
             "kernels": [{"name": "gemm", "size": "960", "precision": "s", "flops": 1}],
             "data": [8] * n, "tasks": [[0, 0, i, 3] for i in range(n)]}
    with open(f"{n}.json", "w", encoding="utf-8") as file:
        json.dump(graph, file)
    return f"file:{n}.json"


def how_many_tasks_it_takes(tw, st):
    """Section 4.3.3: 3 GPUs, 12 cores, a GPU as fast as s = 4 cores; the cores one by one, or together, scaling
    perfectly."""
    node = write_node("perfect", 15, {1: 4, 12: 4 / 12})
    ideal = {"runtime": "ideal", "communication": "off"}

    def busy(n, **cores):
        """How many GPUs and how many CPU workers work, and how long it takes."""
        kernels = tw.kernels(node, identical_tasks(n), "dm", **cores, **ideal)
        workers = {worker for _, worker, _, _ in kernels}
        return sum(w <= 3 for w in workers), sum(w > 3 for w in workers), max(end for *_, end in kernels) / 1e6

    alone = {n: busy(n, cpus=12) for n in (3, 10, 12, 13, 23, 24)}
    st.say("4.1: cores one by one work if ceil(N / 3) > 4: tasks, and how many cores work",
           ", ".join(f"{n}: {a[1]}" for n, a in alone.items()),
           all((a[1] > 0) == (math.ceil(n / 3) > 4) for n, a in alone.items()))
    st.say("4.3: and all of them from 3 x 4 + 12 = 24 tasks on", ", ".join(f"{n}: {a[1]}" for n, a in alone.items()),
           alone[24][:2] == (3, 12) and alone[23][1] < 12)
    together = {n: busy(n, cpu_groups=12) for n in (3, 4, 5, 6, 10)}
    st.say(
        "4.2, 4.6: together they always work, and all workers from 3 + 12/4 = 6 tasks on: tasks, GPUs and groups that "
        "work",
        ", ".join(f"{n}: {a[0]} + {a[1]}" for n, a in together.items()),
        all(a[1] == 1 for a in together.values()) and together[6][:2] == (3, 1) and together[5][0] < 3)
    st.say("4.3.3: the example of 10 tasks: seconds with cores one by one, and together",
           figures([alone[10][2], together[10][2]]),
           together[10][2] < 0.6 * alone[10][2])


def few_tasks_on_twelve_cores(tw, st):
    """Figure 4.8. That 12 cores together are 10 % slower than 12 tasks at a time is the thesis's measurement, and given
    here."""
    node = write_node("measured", 12, {1: 4, 12: 4 / 12 / 0.9})
    counts = [1, 4, 9, 12, 13, 16, 24, 25, 36]
    part = {}
    for cores in ({"cpus": 12}, {"cpu_groups": 12}):
        for n in counts:
            row, = tw.run(node, identical_tasks(n), "dm", gpus=0, runtime="ideal", **cores)
            part[n, "cpus" in cores] = n * 4 / 12 / float(row["makespan_s"])
    st.say(f"4.8: part of the peak with sequential tasks, {figures(counts, '{}')} of them",
           figures(part[n, True] for n in counts),
           all((part[n, True] > 0.999) == (n % 12 == 0) for n in counts) and part[13, True] < 0.6)
    st.say("4.8: with parallel tasks", figures(part[n, False] for n in counts),
           all(0.89 < part[n, False] < 0.91 for n in counts))


def main():
    tw, st = Command(sys.argv[1]), Statements()
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        greedy_leaves_the_last_tasks_to_cores(tw, st)
        locality_and_prefetching(tw, st)
        priorities_of_cholesky(tw, st)
        feedback(tw, st)
        how_many_tasks_it_takes(tw, st)
        few_tasks_on_twelve_cores(tw, st)
        os.chdir("/")
    st.end()


if __name__ == "__main__":
    main()
