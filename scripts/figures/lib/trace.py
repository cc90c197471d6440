"""Pictures of one run, and the order of tasks in its trace."""

import math
import re
from collections import Counter

from lib.plot import Plot
from lib.rows import Undecided

TASK = re.compile(r'"ph":"X","pid":1,"tid":(\d+),"ts":([0-9.]+),.*"cat":"task","name":"(gemm|syrk)".*"data":"([^"]*)"')
ANY_TASK = re.compile(r'"ph":"X","pid":1,"tid":(\d+),"ts":([0-9.]+),"dur":([0-9.]+),.*"cat":"task","name":"(\w+)"')


class Map(Plot):
    """`tilewright plot KIND` of the trace of one run. `run` is a plan with one point. The picture has a mark for each
    task, so it is too large for the tree."""

    def __init__(self, panel, kind, run, *words):
        super().__init__(panel, kind, *words, in_docs=False)
        self.run = run

    def source(self, place):
        return place / f"{self.panel}.json"

    def prepare(self, options, place, command):
        """Makes a new trace each time, because a trace does not contain the version of the command."""
        self.run.make(options.size, place, command)
        words = self.run.words(options.size, place)
        self.there = command.can_plot(self.kind)
        if not self.there:
            print(
                f"{place.name}: 'tilewright plot {self.kind}' is not in this version: picture {self.panel} is left out")
        return command.run("run", *words, "--trace", self.source(place), "--format", "csv", "--output",
                           place / f"{self.panel}.csv").returncode


class Update:
    """One gemm or syrk: its worker, its start, its tiles, the tile that it writes, and its iteration."""

    def __init__(self, found):
        self.worker, self.start = int(found[1]), float(found[2])
        data = [word.split() for word in found[4].split(", ")]
        tiles = [tile(int(number)) for number, _ in data]
        self.tiles = frozenset(tiles)
        self.written = next(t for t, (_, mode) in zip(tiles, data) if mode == "RW")
        self.k = tiles[0][1]


def tile(number):
    """The row and column of a tile of a lower triangle, which has consecutive numbers row by row."""
    row = (math.isqrt(8 * number + 1) - 1) // 2
    return row, number - row * (row + 1) // 2


def matches(rows, panel, pattern):
    """The lines of the trace of a picture that have the pattern."""
    path = rows.place / f"{panel}.json" if rows.place else None
    if not path or not path.is_file():
        raise Undecided(f"no trace of {panel}")
    with open(path, encoding="utf-8") as file:
        return [match for match in map(pattern.search, file) if match]


class Run:
    """A task in a trace: its worker (the GPUs are the first), its kernel, and its end."""

    def __init__(self, found):
        self.worker, self.kernel, self.end = int(found[1]), found[4], float(found[2]) + float(found[3])


def runs(rows, panel):
    found = [Run(match) for match in matches(rows, panel, ANY_TASK)]
    if not found:
        raise Undecided(f"no tasks in the trace of {panel}")
    return found


def idle_at_the_end(found, workers):
    """By worker, the part of the makespan after its last task; all of it for a worker without tasks."""
    makespan = max(run.end for run in found)
    return [1 - max((run.end for run in found if run.worker == worker), default=0) / makespan for worker in workers]


def updates(rows, panel):
    found = [Update(match) for match in matches(rows, panel, TASK)]
    if not found:
        raise Undecided(f"no updates in the trace of {panel}")
    return sorted(found, key=lambda update: update.start)


def pieces(found, most):
    """Pieces of consecutive updates, each on at most `most` different tiles."""
    cut, tiles = [[]], frozenset()
    for update in found:
        if len(tiles | update.tiles) > most:
            tiles = frozenset()
            cut.append([])
        tiles |= update.tiles
        cut[-1].append(update)
    return cut


def most_repeated(found):
    """The greatest number of updates of one tile, which are of as many iterations."""
    return max(Counter(update.written for update in found).values(), default=0)


def windows(found, length=200):
    """Means over windows of `length` updates: the number of different tiles, including read ones, and the writes per
    written tile."""
    pieces = [found[i:i + length] for i in range(0, len(found) - length + 1, length)]
    if not pieces:
        raise Undecided(f"fewer than {length} updates")
    touched = sum(len(frozenset().union(*(u.tiles for u in piece))) for piece in pieces) / len(pieces)
    written = sum(len({u.written for u in piece}) for piece in pieces) / len(pieces)
    return touched, length / written
