#!/usr/bin/env python3
"""One training step of a neural network, with an optimizer task of 322 accesses, runs under every policy.

    training_step.py LAYERS > step.json      writes the graph
    training_step.py                         checks it with 80 layers

Parameters (1 MB) start on cards; activations and gradients of them (4 MB), and gradients of parameters, are discarded.
"""

import csv
import io
import json
import subprocess
import sys

MB = 10**6
PARAMETER, ACTIVATION = 1 * MB, 4 * MB
R, W, RW = 1, 2, 3
KERNELS = "embed", "forward", "loss", "backward", "optimizer"


def training_step(layers, cards=1):
    """Returns the graph in Tilewright's JSON: forward, backward, and one task that updates all parameters."""
    sizes, tasks, discarded, homes = [], [], [], []

    def handle(size, home=None):
        sizes.append(size)
        number = len(sizes) - 1
        if home is None:
            discarded.append(number)
        else:
            homes.append([number, home])
        return number

    def submit(kernel, *accesses):
        seconds = {"gpu_seconds": 0.001, "cpu_seconds": 0.01}
        tasks.append([KERNELS.index(kernel), 0, *(x for access in accesses for x in access), seconds])

    embedding = handle(PARAMETER, 1)
    weights = [(handle(PARAMETER, 1 + i % cards), handle(PARAMETER, 1 + i % cards)) for i in range(layers)]
    inputs = [handle(ACTIVATION) for _ in range(layers + 1)]
    submit("embed", (embedding, R), (inputs[0], W))
    for i, (weight, bias) in enumerate(weights):
        submit("forward", (inputs[i], R), (weight, R), (bias, R), (inputs[i + 1], W))
    error = handle(ACTIVATION)
    submit("loss", (inputs[layers], R), (error, W))
    parameters, gradients = [embedding], []
    for i, (weight, bias) in reversed(list(enumerate(weights))):
        before, slopes = handle(ACTIVATION), (handle(PARAMETER), handle(PARAMETER))
        submit("backward", (before, W), (slopes[0], W), (slopes[1], W), (error, R), (inputs[i], R), (weight, R))
        parameters += [weight, bias]
        gradients += slopes
        error = before
    gradients.append(handle(PARAMETER))
    submit("embed", (error, R), (gradients[-1], W))
    submit("optimizer", *((p, RW) for p in parameters), *((g, R) for g in gradients))
    kernels = [{"name": name, "size": "1", "precision": "s", "flops": 1} for name in KERNELS]
    return {"tilewright": 1, "flops": 0, "priorities": "all", "kernels": kernels, "data": sizes, "discarded": discarded,
            "homes": homes, "ends": homes, "tasks": tasks}


def wide(n):
    """Two tasks of n accesses, and small ones that write each handle before them."""
    one = {"gpu_seconds": 0.001, "cpu_seconds": 0.001}
    tasks = []
    for _ in range(2):
        tasks += [[0, 0, d, RW, one] for d in range(n)]
        tasks.append([1, 0, *(x for d in range(n) for x in (d, R if d % 2 else RW)), one])
    kernels = [{"name": name, "size": "1", "precision": "s", "flops": 1} for name in ("small", "wide")]
    return {"tilewright": 1, "flops": 0, "priorities": "all", "kernels": kernels, "data": [10000] * n, "tasks": tasks}


def write(name, graph):
    with open(name, "w", encoding="utf-8") as file:
        json.dump(graph, file)


def command(*words):
    done = subprocess.run(["tilewright", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def run(name, *words):
    """Returns the rows of a run on mirage."""
    columns = "policy,eviction,loads,evictions,writebacks,validated,status"
    text = command("run", "--platform", "mirage", "--workload", f"file:{name}", "--validate", "--format", "csv",
                   "--columns", columns, *words)
    rows = list(csv.DictReader(io.StringIO(text)))
    for row in rows:
        if (row["validated"], row["status"]) != ("true", "ok"):
            sys.exit(f"{words}: {row}")
    return rows


def check_peak(layers):
    """In a memory for the peak of live data by hand nothing is evicted; with one byte less, it is."""
    write("step.json", training_step(layers))
    parameters = 2 * layers + 1
    accesses = (len(training_step(layers)["tasks"][-1]) - 3) // 2
    # in the last layer's backward task: its two gradients, all inputs of layers, and two gradients of activations
    peak = (parameters + 2) * PARAMETER + (layers + 2) * ACTIVATION
    described, = json.loads(command("describe", "--format", "json", "step.json"))
    if described["peak_live_bytes"] != peak or accesses != 2 * parameters:
        sys.exit(f"peak {described['peak_live_bytes']}, expected {peak}; {accesses} accesses")
    for size, fits in ((peak, True), (peak - 1, False)):
        row, = run("step.json", "--policy", "eager", "--gpus", "1", "--cpus", "0", "--runtime",
                   "ideal:gpu_pipeline=1", "--mem", f"GPU0={size}")
        moved = [int(row[column]) for column in ("loads", "evictions", "writebacks")]
        if (moved == [0, 0, 0]) != fits:
            sys.exit(f"{size} bytes: loads, evictions, write-backs {moved}")
    return accesses


def check_formats():
    """Graphs come back from GraphML, and run on the real engine without kernels."""
    for name in "cards.json", "wide.json":
        command("export", "--workload", f"file:{name}", "-o", "a.json")
        command("export", "--workload", f"file:{name}", "-o", "a.graphml")
        command("export", "--workload", "file:a.graphml", "-o", "b.json")
        command("export", "--workload", f"file:{name}", "-o", "a.dot")
        with open("a.json", encoding="utf-8") as first, open("b.json", encoding="utf-8") as second:
            if json.load(first)["tasks"] != json.load(second)["tasks"]:
                sys.exit(f"{name}: GraphML has other tasks")


def main():
    accesses = check_peak(80)
    policies = [line.split()[0] for line in command("list", "policies").splitlines() if line[:1].islower()]
    policies.remove("replay")
    write("cards.json", training_step(80, 3))
    n = 0
    for engine in "native", "simgrid":
        n += len(run("cards.json", "--policy", ",".join(policies), "--eviction", "lru,belady", "--gpu-mem", "400MB",
                     "--engine", engine))
    write("wide.json", wide(5000))
    n += len(run("wide.json", "--policy", ",".join(policies), "--gpu-mem", "80MB"))
    check_formats()
    run("wide.json", "--policy", "eager,dmdas", "--engine", "real:kernels=empty", "--cpus", "1", "--gpus", "0")
    print(f"{accesses} accesses: {'all' if n == 5 * len(policies) else n} policies")


if len(sys.argv) > 1:
    print(json.dumps(training_step(int(sys.argv[1]))))
else:
    main()
