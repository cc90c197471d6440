"""The policy replay with the schedule of another run."""

import pathlib

from lib.plan import Plan
from lib.variant import Written


class Recorded(Written):
    """`run`: options of the run whose schedule is replayed, as those of a plan. `relax`: replay's parameter."""

    def __init__(self, name, relax, **run):
        self.name, self.relax, self.run = name, relax, Plan(**run)

    def file(self, place):
        return pathlib.Path(place) / f"{self.name}.csv"

    def text(self, place):
        return f"replay:file={self.path(self.file(place))}:relax={self.relax}"

    def make(self, place, command):
        self.run.make(None, place, command)
        command.run("run", *self.run.words(None, place), "--trace", self.file(place), "--format", "csv", "--output",
                    pathlib.Path(place) / f"{self.name}-run.csv").check_returncode()
