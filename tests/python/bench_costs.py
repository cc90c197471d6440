"""What Python costs, as ratios within one process. Prints each with its limit; the exit status is 1 if one is above.

    bench_costs.py [N]    medians of N (default: 9)"""

import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import policies
import test_graphs

import tilewright as tw
from tilewright._library import COMMAND

N = int(sys.argv[1]) if len(sys.argv) > 1 else 9
failed = False


def now():
    """The CPU time of this process and of children that have ended: a busy machine changes it less than the clock."""
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def seconds(*functions):
    """The median CPU time of each function. They take turns."""
    times = [[] for _ in functions]
    for _ in range(N):
        for function, mine in zip(functions, times):
            begin = now()
            function()
            mine.append(now() - begin)
    return [statistics.median(mine) for mine in times]


def tell(what, value, limit, unit=""):
    global failed
    failed |= value > limit
    print(
        f"{what}: {value:.3g}{unit}, expected at most {limit}{unit}{'' if value <= limit else ': TOO MUCH'}", flush=True
    )


def main():
    platform = tw.Platform("mirage", cpus=9, gpus=3)
    scenes = {nt: tw.Scene(platform, f"cholesky:nt={nt}") for nt in (20, 40)}
    for nt, scene in scenes.items():
        mine, twin = seconds(
            lambda: scene.run(policies.Eager, records=False), lambda: scene.run("eager", records=False)
        )
        tell(f"eager in Python over eager in C, nt={nt}", mine / twin, 3)

    run = scenes[40].run("dmda")
    run.task_array
    table, simulation = seconds(lambda: run.tasks, lambda: scenes[40].run("dmda"))
    tell("DataFrame of 11,480 tasks over their run under dmda", table / simulation, 0.2)

    with tempfile.TemporaryDirectory() as folder:
        counter = iter(range(10**6))

        def sweep():
            words = [
                "--platform",
                "mirage",
                "--cpus=9",
                "--gpus=3",
                "--workload",
                "cholesky:nt=20",
                "--policy",
                "dmdas",
            ]
            output = pathlib.Path(folder, f"{next(counter)}.csv")
            command = [COMMAND, "sweep", *words, "--seed=1:100", "--jobs=1", "--quiet", "--output", output]
            subprocess.run(command, check=True)

        def runs():
            scene = tw.Scene(tw.Platform("mirage", cpus=9, gpus=3), "cholesky:nt=20")
            return [scene.run("dmdas", seed=seed, records=False).row for seed in range(1, 101)]

        here, there = seconds(runs, sweep)
        tell("100 runs from Python over sweep --jobs 1", here / there, 1.2)

    about = test_graphs.layered(10**6, 1000)
    (build,) = seconds(lambda: tw.Graph.from_arrays(**about).finish())
    tell("a graph of 10^6 tasks from arrays", build, 2, " s")
    return failed


if __name__ == "__main__":
    sys.exit(main())
