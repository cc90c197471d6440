"""What checks share: runs of the command under test, whose results are told by column."""

import csv
import subprocess
import sys


class Row(dict):
    """A row of results: row.makespan_s is a number, row["status"] text."""

    def __getattr__(self, column):
        if column not in self:
            raise AttributeError(f"no column {column}")
        return float(self[column])

    def counter(self, name=None):
        """A figure of the policy's own; without a name the first."""
        pairs = [pair.split("=", 1) for pair in self["counters"].split(";")]
        return float(next(value for key, value in pairs if name in (None, key)))

    def is_valid(self):
        return self["validated"] == "true" and self["status"] == "ok"


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [Row(row) for row in csv.DictReader(file)]


def run(*options, command="run"):
    """The rows of a run with these options, words between blanks. A run that fails ends the check."""
    words = ["tilewright", command, *" ".join(options).split(), "--format", "csv"]
    ended = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)
    if ended.returncode:
        sys.exit(f"exit status {ended.returncode} of: {' '.join(words)}")
    return [Row(row) for row in csv.DictReader(ended.stdout.splitlines())]


def by_policy(rows, column):
    return {row["policy"]: float(row[column]) for row in rows}


def say(holds, *figures, text="as said"):
    """The text if the statement holds, else the figures that it is about."""
    return text if holds else " ".join(f"{figure:g}" for figure in figures)


def choose(checks):
    """Runs the check that the command line names, with the words behind it. What a check yields is printed, line by
    line."""
    names = {check.__name__: check for check in checks}
    if len(sys.argv) < 2 or sys.argv[1] not in names:
        sys.exit(f"expected one of {', '.join(names)}")
    for line in names[sys.argv[1]](*sys.argv[2:]):
        print(line, flush=True)
