"""Rows of results, as statements ask for them."""

import re
import statistics


class Undecided(Exception):
    """The rows do not tell: there are none of the kind that a statement is about."""


class Row(dict):
    """A row's columns: row["policy"] is text, row.gflops a number."""

    def __getattr__(self, column):
        try:
            return float(self[column])
        except KeyError:
            raise AttributeError(column) from None

    def word(self, key):
        """A number in the workload's words, as of nt=20."""
        found = re.search(rf"[:]{key}=(\d+)", self["workload"])
        return int(found[1]) if found else None

    @property
    def nt(self):
        return self.word("nt")

    def counter(self, name):
        pairs = dict(pair.split("=") for pair in self["counters"].split(";") if pair)
        return float(pairs[name])

    @property
    def loaded_bytes(self):
        """Into GPUs; without GPUs all that moved, between memory and a disk."""
        return self.h2d_bytes + self.p2p_bytes if self.gpus else self.transferred_bytes


class Rows(list):
    """Runs that went well; `beside`: those of other figures; `place`: the figure's folder."""

    beside = place = None

    @classmethod
    def that_went_well(cls, rows, beside=(), place=None):
        found = cls(row for row in rows if row["status"] == "ok")
        found.beside = cls(row for row in beside if row["status"] == "ok")
        found.place = place
        return found

    def where(self, **wanted):
        """Those whose columns (or nt) have these values, or one of a list of them."""
        texts = {name: {str(v) for v in (values if isinstance(values, (list, tuple, set)) else [values])} for name, values in wanted.items()}
        return Rows(row for row in self if all(str(row.nt if name == "nt" else row[name]) in values for name, values in texts.items()))

    def of(self, column):
        """Its different values, numbers in order."""
        values = {row.nt if column == "nt" else row[column] for row in self}
        try:
            return sorted(values, key=float)
        except (TypeError, ValueError):
            return sorted(values)

    def mean(self, metric, **wanted):
        """Over repetitions; Undecided if there are none."""
        rows = self.where(**wanted)
        if not rows:
            raise Undecided("no run of " + ", ".join(f"{name} {value}" for name, value in wanted.items()))
        return statistics.mean(getattr(row, metric) for row in rows)

    def by_policy(self, metric, policies, **wanted):
        return {policy: self.mean(metric, policy=policy, **wanted) for policy in policies}
