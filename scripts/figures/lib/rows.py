"""Rows of results, with queries for statements."""

import re
import statistics


class Undecided(Exception):
    """The rows do not decide a statement, because rows of its kind are missing."""


class Row(dict):
    """A row's columns: row["policy"] is text, row.gflops a number."""

    def __getattr__(self, column):
        try:
            return float(self[column])
        except KeyError:
            raise AttributeError(column) from None

    def word(self, key):
        """A number in the workload's specification, such as nt=20. None: there is none."""
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
        """Bytes loaded to GPUs. Without GPUs: all bytes that moved between memory and a disk."""
        return self.h2d_bytes + self.p2p_bytes if self.gpus else self.transferred_bytes


class Rows(list):
    """Rows of successful runs. `beside`: such rows of other figures; `place`: the figure's folder."""

    beside = place = None

    @classmethod
    def that_went_well(cls, rows, beside=(), place=None):
        found = cls(row for row in rows if row["status"] == "ok")
        found.beside = cls(row for row in beside if row["status"] == "ok")
        found.place = place
        return found

    def where(self, **wanted):
        """The rows whose columns (or nt) have these values; a list allows any of its values."""
        texts = {name: {str(v) for v in (values if isinstance(values, (list, tuple, set)) else [values])}
                 for name, values in wanted.items()}
        return Rows(row for row in self
                    if all(str(row.nt if name == "nt" else row[name]) in values for name, values in texts.items()))

    def of(self, column):
        """The sorted distinct values of a column (or nt)."""
        values = {row.nt if column == "nt" else row[column] for row in self}
        try:
            return sorted(values, key=float)
        except (TypeError, ValueError):
            return sorted(values)

    def mean(self, metric, **wanted):
        """The mean of a metric over repetitions. Raises Undecided if there are no rows."""
        rows = self.where(**wanted)
        if not rows:
            raise Undecided("no run of " + ", ".join(f"{name} {value}" for name, value in wanted.items()))
        return statistics.mean(getattr(row, metric) for row in rows)

    def by_policy(self, metric, policies, **wanted):
        return {policy: self.mean(metric, policy=policy, **wanted) for policy in policies}
