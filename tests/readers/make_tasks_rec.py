#!/usr/bin/env python3
"""Writes a tasks.rec, as StarPU would, of a tile Cholesky factorisation (cholesky_implicit): NT tiles per side, of NB x
NB elements of 4 bytes. Tests read it back and compare; benchmarks read a large one. Records come in the order of the
tasks' ends. Some dependencies go through internal jobs of StarPU."""

import random
import sys


class Trace:
    def __init__(self, nt, nb, out):
        self.nt, self.nb, self.out = nt, nb, out
        self.jobs = self.submitted = 0
        self.records = []
        self.writer, self.readers = {}, {}
        self.random = random.Random(1)
        self.free = [0.0] * 3  # the date from which each worker is free; worker 0 is a GPU
        self.end = {}

    def emit(self, lines):
        self.records.append("".join(f"{key}: {value}\n" for key, value in lines) + "\n")
        if len(self.records) > 64:
            self.out.write(self.records.pop(self.random.randrange(64)))

    def handle(self, m, n):
        return f"{0x556f00000000 + 64 * (m * self.nt + n):x}"

    def job(self):
        self.jobs += 1
        return self.jobs

    def task(self, name, model, gflop, priority, accesses):
        depends = []
        for tile, mode in accesses:
            if mode == "R":
                depends += [self.writer[tile]] if tile in self.writer else []
            else:
                depends += self.readers.get(tile) or ([self.writer[tile]] if tile in self.writer else [])
        start = max([self.end[d] for d in depends], default=0)
        if depends and self.jobs % 7 == 0:
            through = self.job()
            self.emit([("Name", "_starpu_data_acquire_cb_pre"), ("JobId", through), ("DependsOn", depends[0]),
                       ("DepLabels", "ghost"), ("Footprint", 0), ("MPIRank", -1)])
            depends[0] = through
        job = self.job()
        for tile, mode in accesses:
            if mode == "R":
                self.readers.setdefault(tile, []).append(job)
            else:
                self.writer[tile], self.readers[tile] = job, []
        worker = min(range(3), key=lambda w: max(self.free[w], start))
        start = max(self.free[worker], start)
        self.end[job] = self.free[worker] = start + (2.5 if worker == 0 else 80)
        self.submitted += 1
        size = 4 * self.nb * self.nb
        self.emit([("Name", name), ("Model", model), ("File", "cholesky.c"), ("Line", 1), ("JobId", job),
                   ("SubmitOrder", self.submitted)] + ([("Priority", priority)] if priority else []) +
                  ([("DependsOn", " ".join(map(str, depends))), ("DepLabels", " ".join(["task"] * len(depends)))]
                   if depends else []) +
                  [("Tag", 0), ("WorkerId", worker), ("MemoryNode", 1 if worker == 0 else 0),
                   ("SubmitTime", "0.029000"), ("StartTime", f"{start:f}"), ("EndTime", f"{self.end[job]:f}"),
                   ("Footprint", "24c84a50"), ("GFlop", f"{gflop:f}"), ("Iteration", 0),
                   ("Parameters", "".join(f" M{self.nb}x{self.nb}x4" for _ in accesses[:2])),
                   ("Handles", " ".join(self.handle(*tile) for tile, _ in accesses)),
                   ("Modes", " ".join(mode for _, mode in accesses)),
                   ("Sizes", " ".join(str(size) for _ in accesses)), ("MPIRank", -1)])

    def wont_use(self, tile):
        self.submitted += 1
        self.emit([("Control", "WontUse"), ("JobId", self.job()), ("SubmitOrder", self.submitted),
                   ("SubmitTime", "0.1"), ("Handles", self.handle(*tile)), ("MPIRank", -1)])

    def write(self):
        nt, cube = self.nt, self.nb ** 3 / 1e9
        for k in range(nt):
            self.task("POTRF", "chol_model_potrf", cube / 3, 2 * nt - 2 * k, [((k, k), "RW")])
            for m in range(k + 1, nt):
                self.task("TRSM", "chol_model_trsm", cube, 2 * nt - 2 * k - m, [((k, k), "R"), ((m, k), "RW")])
            self.wont_use((k, k))
            for n in range(k + 1, nt):
                self.task("SYRK", "chol_model_syrk", cube, 2 * nt - 2 * k - n, [((n, k), "R"), ((n, n), "RW")])
                for m in range(n + 1, nt):
                    self.task("GEMM", "chol_model_gemm", 2 * cube, 2 * nt - 2 * k - m - n,
                              [((m, k), "R"), ((n, k), "R"), ((m, n), "RW")])
                self.wont_use((n, k))
        self.out.write("".join(self.records))


if __name__ == "__main__":
    if len(sys.argv) != 3 or not all(word.isdigit() and int(word) > 0 for word in sys.argv[1:]):
        sys.exit(f"usage: {sys.argv[0]} NT NB > tasks.rec")
    Trace(int(sys.argv[1]), int(sys.argv[2]), sys.stdout).write()
