"""Pictures of a figure."""

import csv

from lib.rows import Undecided


class Plot:
    """A picture: `tilewright plot KIND` with some words, of all rows or of those whose workload begins with
    `workload`. `in_docs`: docs/evidence/figures.md shows it, and the tree keeps it."""

    def __init__(self, panel, kind, *words, workload=None, in_docs=True):
        self.panel, self.kind, self.words, self.workload, self.in_docs = panel, kind, words, workload, in_docs
        self.there = True  # False: this version cannot draw it

    def prepare(self, _options, _place, _command):
        """Makes other files to draw. Returns 0, or nonzero on failure."""
        return 0

    def write(self, _rows, _place):
        """Writes the rows to draw if they are not those of the figure. Returns False if there are none."""
        return True

    def source(self, place):
        """The file to draw."""
        return place / "rows.csv"

    def arguments(self, rows):
        chosen = dict.fromkeys(row["workload"] for row in rows if self.workload
                               and row["workload"].startswith(self.workload))
        return [*self.words, *(["--where", "workload=" + ",".join(chosen)] if self.workload else [])]


class Changed(Plot):
    """A picture of other rows: `function` takes those of the figure and returns those to draw."""

    def __init__(self, panel, kind, function, *words, in_docs=True):
        super().__init__(panel, kind, *words, in_docs=in_docs)
        self.function = function

    def source(self, place):
        return place / f"{self.panel}.csv"

    def write(self, rows, place):
        try:
            found = self.function(rows)
        except Undecided as why:
            print(f"{place.name}: picture {self.panel} is left out: {why}")
            self.there = False
            return False
        with open(self.source(place), "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, found[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(dict(row) | {"identity": n} for n, row in enumerate(found))
        return True


class Derived(Changed):
    """Bars of a number that is not in the results. `function` takes the rows and returns rows with a column
    `metric`."""

    def __init__(self, panel, metric, function, in_docs=True):
        super().__init__(panel, "bars", function, "--metric", metric, in_docs=in_docs)
