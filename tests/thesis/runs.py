"""Runs of the command, as rows with numbers; statements about them, as lines with their figures."""

import csv
import io
import pathlib
import re
import subprocess
import sys

class Command:
    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()

    def run(self, platform, workload, *policies, **options):
        """One row for each policy: a dict of the columns of --format csv. Options as in gpu_mem="1GB"."""
        command = [self.path, "run", "--platform", platform, "--workload", workload, "--policy", ",".join(policies),
                   "--format", "csv"]
        for option, value in options.items():
            command += ["--" + option.replace("_", "-")] + ([] if value is True else [str(value)])
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def gflops(self, *arguments, **options):
        return [float(row["gflops"]) for row in self.run(*arguments, **options)]

    def kernels(self, platform, workload, policy, **options):
        """What one run executed: a list of (task, worker counted from 1, accelerators first, start, end)."""
        self.run(platform, workload, policy, trace="trace.json", **options)
        event = re.compile(r'"ph":"X","pid":1,"tid":(\d+),"ts":([0-9.]+),"dur":([0-9.]+).*?"task":(\d+)')
        with open("trace.json", encoding="utf-8") as file:
            found = [event.search(line) for line in file]
        return [(int(e[4]), int(e[1]), float(e[2]), float(e[2]) + float(e[3])) for e in found if e]

    def dependencies(self, workload):
        """Pairs of tasks of a graph."""
        subprocess.run([self.path, "export", "--workload", workload, "-o", "graph.dot"], check=True)
        with open("graph.dot", encoding="utf-8") as file:
            found = [re.match(r"\s*(\d+) -> (\d+)", line) for line in file]
        return {(int(e[1]), int(e[2])) for e in found if e}


class Statements:
    """Says each statement with its figures, and counts those that do not hold."""

    def __init__(self):
        self.n = self.failed = 0

    def say(self, what, figures, holds):
        self.n += 1
        self.failed += not holds
        print(f"{'holds' if holds else 'FAILS'}  {what}: {figures}")

    def end(self):
        print(f"{self.n} statements, {self.failed} do not hold")
        sys.exit(self.failed > 0)
