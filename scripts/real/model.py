"""Shared code of the scripts that run validate-model: the command, its rows, tables in Markdown."""

import csv
import subprocess

import measure

PARTS = ("kernels", "order", "bus", "runtime", "rest")


def command(options, *words):
    """Runs tilewright. Accepts exit status 1 of validate-model: some points failed or were too noisy, as their rows
    say."""
    ended = subprocess.run([options.tilewright, *map(str, words)], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           stdout=subprocess.DEVNULL,
                           text=True, check=False)
    if ended.returncode not in (0, 1) or (ended.returncode == 1 and words[0] != "validate-model"):
        raise measure.Failed(
            f"exit status {ended.returncode} of: tilewright {' '.join(map(str, words))}\n{ended.stderr.strip()}")


def rows_of(path):
    """The rows of validate-model. Points that were too noisy have status 'failed'. Other failures raise Failed."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except FileNotFoundError as error:
        raise measure.Failed(f"validate-model has written no rows: {error}") from error
    if not rows:
        raise measure.Failed(f"{path}: no rows")
    if failed := [row for row in rows if row["status"] != "ok" and "too noisy" not in row["message"]]:
        raise measure.Failed(f"{failed[0]['workload']} {failed[0]['policy']}: {failed[0]['message']}")
    return rows


def percent(row, column):
    return 100 * float(row[column])


def mean_and_worst(values):
    values = [abs(value) for value in values]
    return sum(values) / len(values), max(values)


def print_markdown(titles, rows, n_left=2):
    print("| " + " | ".join(titles) + " |")
    print("|" + "---|" * n_left + "---:|" * (len(titles) - n_left))
    for row in rows:
        print("| " + " | ".join(row) + " |")
