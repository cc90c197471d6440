"""A schedule of Cholesky by triangle blocks, for the policy replay.

Gonthier, Thibault and Marchal 2024, section 7.1.2: with the results R of trsm in memory, a processing unit computes all
syrk and gemm tasks of TriangleBlock(R), the tiles whose row and column are both in R, over several iterations. The
paper leaves the partition of the matrix into such blocks to its reference. Here a step has `side` iterations. It
factorises that many columns, and then updates the tiles on the right of them, in groups of `side` rows: first the
triangle of each group, then blocks with one row of each group. Block (a, b) has row (a + b u) mod `side` of group u. If
`side` is a prime and there are no more groups, each tile between two groups is in exactly one block."""

import pathlib

from lib.variant import Written


def numbers(nt):
    """The number of each task in the workload cholesky, by its iteration and the tile that it writes."""
    found = {}
    for k in range(nt):
        found[k, k, k] = len(found)
        for row in range(k + 1, nt):
            found[k, row, k] = len(found)
        for column in range(k + 1, nt):
            for row in range(column, nt):
                found[k, row, column] = len(found)
    return found


def panel(nt, first, end):
    """The tasks that write columns `first` to `end` - 1 in the iterations of these columns."""
    for k in range(first, end):  # the tiles above the end
        for column in range(k, end):
            for row in range(column, end):
                yield k, row, column
    for row in range(end, nt):  # and below, row by row
        for k in range(first, end):
            for column in range(k, end):
                yield k, row, column


def triangle_block(rows, first, end):
    """The updates of TriangleBlock(rows) in some iterations, without diagonal tiles."""
    for k in range(first, end):
        for n, column in enumerate(rows):
            for row in rows[n + 1:]:
                yield k, row, column


def order(nt, side):
    """The tasks in the order of the schedule: iteration, row and column of the tile that each writes."""
    for first in range(0, nt, side):
        end = min(first + side, nt)
        yield from panel(nt, first, end)
        groups = range(end, nt, side)
        for start in groups:
            group = range(start, min(start + side, nt))
            for k in range(first, end):
                for column in group:
                    for row in range(column, group.stop):
                        yield k, row, column
        for a in range(side):
            for b in range(side):
                rows = [start + (a + b * u) % side for u, start in enumerate(groups)]
                yield from triangle_block([row for row in rows if row < nt], first, end)


class Schedule(Written):
    """The policy replay with such a schedule for one GPU."""

    def __init__(self, nt, side):
        self.nt, self.side = nt, side

    def file(self, place):
        return pathlib.Path(place) / f"triangles-{self.nt}-{self.side}.csv"

    def text(self, place):
        return f"replay:file={self.path(self.file(place))}"

    def make(self, place, _command):
        number = numbers(self.nt)
        lines = [f"{number[task]},accelerator,0,{start}" for start, task in enumerate(order(self.nt, self.side))]
        self.file(place).write_text("\n".join(["task,kind,index,start_s", *lines, ""]), encoding="utf-8")
