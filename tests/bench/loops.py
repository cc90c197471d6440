"""One graph simulated by bare loops, beside Tilewright: SimGrid's S4U (loop_s4u.cpp), SimPy (loop_simpy.py), StarPU.

The loops have what a simulation needs at least: a queue of ready tasks, 8 workers and dependencies. They know no data,
no transfers, no costs of a runtime and no policies."""

import json
import pathlib
import resource
import shutil
import subprocess
import sys

WORKERS = 8
WRITES = 2  # TW_W
HERE = pathlib.Path(__file__).resolve().parent


def cpu_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(command, n_tasks, **more):
    """Tasks a second of processor time, and what the command prints."""
    before = cpu_s()
    output = subprocess.run(command, check=True, capture_output=True, text=True, **more).stdout
    return n_tasks / (cpu_s() - before), output


def write_graph(bench, words, path):
    """Writes the graph for the loops: the number of tasks, then a line for each: its seconds, and its predecessors."""
    exported = path.with_suffix(".json")
    subprocess.run([bench.command, "export", "--workload", words, "-o", exported], check=True, capture_output=True)
    tasks = json.loads(exported.read_text())["tasks"]
    writer, readers, lines = {}, {}, []
    for number, task in enumerate(tasks):
        before = set()
        accesses = [word for word in task[2:] if isinstance(word, int)]  # after the kernel and the priority
        for data, mode in zip(accesses[::2], accesses[1::2]):
            before |= {writer[data]} if data in writer else set()
            if mode & WRITES:
                before |= set(readers.pop(data, ()))
                writer[data] = number
            else:
                readers.setdefault(data, []).append(number)
        lines.append(" ".join(["0.001", str(len(before)), *map(str, sorted(before))]))
    path.write_text(f"{len(tasks)}\n" + "\n".join(lines) + "\n")
    return len(tasks)


def s4u(graph, n_tasks, folder):
    compiler, program = shutil.which("c++"), folder / "loop_s4u"
    if not compiler:
        return "skipped: no C++ compiler"
    built = subprocess.run([compiler, "-std=c++17", "-O2", HERE / "loop_s4u.cpp", "-o", program, "-lsimgrid"],
                           capture_output=True, text=True, check=False)
    if built.returncode:
        return "skipped: no headers of SimGrid's S4U"
    return timed([program, graph, str(WORKERS)], n_tasks)[0]


def simpy(graph, n_tasks):
    if subprocess.run([sys.executable, "-c", "import simpy"], capture_output=True, check=False).returncode:
        return "skipped: SimPy is not installed (python3-simpy3)"
    return timed([sys.executable, HERE / "loop_simpy.py", graph, str(WORKERS)], n_tasks)[0]


def starpu():
    if subprocess.run(["pkg-config", "--exists", "starpu-1.4"], check=False).returncode:
        return "skipped: StarPU is not installed"
    return "see scripts/starpu: StarPU needs programs of its own"


def compare(bench, words, folder):
    """Pairs of a name and tasks a second, or a text that says why there is none."""
    graph = folder / "graph.txt"
    n_tasks = write_graph(bench, words, graph)
    given = ["--cpus", str(WORKERS), "--gpus", "0", "--workload", words, "--policy", "eager"]
    before = cpu_s()
    bench.row(given)
    rate = n_tasks / (cpu_s() - before)
    return [("Tilewright, eager, runtime starpu", rate), ("SimGrid's S4U, bare loop", s4u(graph, n_tasks, folder)),
            ("SimPy, bare loop", simpy(graph, n_tasks)), ("StarPU with SimGrid", starpu())]
