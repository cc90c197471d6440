#!/usr/bin/env python3
"""`tilewright validate` refuses each event of a run section that has an impossible value in one field: every kind of
event, every field, in each format that holds the section. It also refuses whatever `explain`, `diff` and `plot` refuse,
for records that are damaged anywhere.

Usage: damaged_fields.py COMMAND"""

import os
import random
import subprocess
import sys
import tempfile

from run_sections import FORMATS, make, write

RUNS = {
    "evictions": "--engine native --platform mirage --workload cholesky:nt=6:nb=960 --policy dmdas --gpus 2 --cpus 2 "
                 "--gpu-mem 20MiB --runtime ideal",
    "cancelled": "--engine simgrid --platform mirage --workload cholesky:nt=12:nb=960 --policy heteroprio_types",
    "reductions": "--engine native --platform mirage --workload reduction:n=6:shots=100:bytes=80000 --policy eager "
                  "--gpus 2 --cpus 1 --extrapolate",
}
N_RANDOM = max(1, 40 // int(os.environ.get("EVERY", "1")))  # damages of each kind
ANYWHERE = ["nan", "inf", "", " ", "1e3", "0x1", "1.5", "+1", "9223372036854775808", "-9223372036854775809"]
EVENTS = {"submit": "T", "ready": "TR", "assign": "TWN", "start": "TWN", "end": "TWN", "release": "TWN",
          "cancel": "TWN", "transfer_start": "DNNBIC", "transfer_end": "DNNBIC", "alloc": "DNOBC", "free": "DNOBC",
          "valid": "DN", "invalid": "DN"}


def counts(lines):
    """How many of each there are; the fields of all events."""
    events = [line.split(",") for line in lines if line.split(",")[0] in EVENTS]
    return {"W": sum(line.startswith("worker,") for line in lines),
            "N": sum(line.startswith("memory,") for line in lines),
            "T": 1 + max(int(e[2]) for e in events if e[0] == "submit"),
            "D": 1 + max(int(e[2]) for e in events if EVENTS[e[0]][0] == "D"),
            "makespan": int(next(line for line in lines if line.startswith("makespan,")).split(",")[1])}


def impossible(letter, n):
    """Values that a field cannot have."""
    if letter == "date":
        return [*ANYWHERE, "-1", str(n["makespan"] + 1), str(2 ** 63 - 2), str(2 ** 63 - 1)]
    if letter in "OI":
        return [*ANYWHERE, "-1", str(2 ** 63 - 1)]
    if letter == "B":
        return [*ANYWHERE, "-1", "0", "99", str(2 ** 63 - 1)]
    if letter == "C":
        return [*ANYWHERE, "-1", "0", "4", "99", "demands", "Demand"]
    most = n["W"] if letter == "R" else n[letter]
    numbers = ["-2", str(most), str(max(99, most)), "32767", "32768", str(2 ** 31 - 1), str(2 ** 31), str(2 ** 63 - 1)]
    return ANYWHERE + numbers + ([] if letter == "R" else ["-1"])


def ways(lines, kinds):
    """Damaged sections, each with what was damaged: the first and the last event of each kind."""
    n = counts(lines)
    for kind in kinds:
        letters = EVENTS[kind]
        places = [i for i, line in enumerate(lines) if line.split(",")[0] == kind]
        for place in places[:1] + places[1:][-1:]:
            fields = lines[place].split(",")
            for field, letter in enumerate(["date", *letters], 1):
                values = impossible(letter, n)
                for value in values if place == places[0] else values[len(ANYWHERE):]:
                    damaged = [*fields[:field], value, *fields[field + 1:]]
                    yield f"{lines[place]}: '{value}' as field {field}", place, ",".join(damaged)
            if kind.startswith("transfer"):
                yield f"{lines[place]}: no route", place, ",".join([*fields[:3], fields[4], *fields[4:]])
            yield f"{lines[place]}: a field less", place, ",".join(fields[:-1])
            yield f"{lines[place]}: a field more", place, ",".join([*fields, "0"])


def call(command, *words):
    return subprocess.run([command, *words], capture_output=True, text=True, timeout=300, check=False)


def valid_ones(command, paths):
    """The traces that are called valid, of many; one process checks some hundred."""
    valid = set()
    for i in range(0, len(paths), 400):
        ended = call(command, "validate", *paths[i:i + 400])
        if ended.returncode not in (0, 1, 2):
            print(f"validate: exit status {ended.returncode}: {ended.stderr[-300:]}")
            valid.update(paths[i:i + 400])
        valid |= {line.split(": valid: ")[0] for line in ended.stdout.splitlines() if ": valid: " in line}
    return valid


def impossible_fields(command, folder, name, lines):
    """Writes each damaged section in a format of its own, so that every format gets each kind of damage."""
    for form in FORMATS:
        path = os.path.join(folder, name, form)
        if make(command, path, RUNS[name]) != lines or path not in valid_ones(command, [path]):
            print(f"{name}: {form}: the undamaged trace is refused")
            return 1, 0
    kinds = [kind for kind in EVENTS if name == "evictions" or kind in ("cancel", "submit", "ready")]
    paths = {}
    for i, (what, place, line) in enumerate(ways(lines, kinds)):
        form = FORMATS[i % len(FORMATS)] if name == "evictions" else "t.record"
        path = os.path.join(folder, f"{name}{i}", form)
        os.makedirs(path if path.endswith("/") else os.path.dirname(path))
        write(path, [*lines[:place], line, *lines[place + 1:]], os.path.join(folder, name, form))
        paths[path] = what
    valid = valid_ones(command, list(paths))
    for path in valid:
        print(f"{name}: {os.path.basename(path)}: valid: {paths.get(path, path)}")
    failed = len(valid)
    for i, (path, what) in enumerate(paths.items()):
        if i % 50 == 0 or "no route" in what:
            crashed = messages(other_commands(command, os.path.join(folder, name, "t.record"), path), {0, 2})
            failed += len(crashed)
            if crashed:
                print(f"{name}: {what}: {crashed}")
    return failed, len(paths)


def damage(r, text):
    """Changes a byte, a number or a line of the text."""
    at = r.randrange(len(text))
    how = r.randrange(4)
    if how == 0:
        return text[:at] + r.choice("0123456789,;-.abxn\\\"\n") + text[at + 1:]
    if how == 1:
        return text[:at] + text[at + r.randint(1, 9):]
    lines = text.split("\n")
    line = r.randrange(len(lines) - 1)
    if how == 2:
        fields = lines[line].split(",")
        fields[r.randrange(len(fields))] = r.choice(["-1", "0", "1", "2", "3", "99", str(r.getrandbits(40)), "nan"])
        lines[line] = ",".join(fields)
    else:
        lines[line] = lines[r.randrange(len(lines))]
    return "\n".join(lines)


def other_commands(command, good, path):
    """How the commands end that also read traces."""
    commands = {"explain": ["explain", path], "diff": ["diff", good, path],
                "plot": ["plot", "gantt", path, "-o", path + ".svg"]}
    return {name: call(command, *words) for name, words in commands.items()}


def messages(ended, good_statuses):
    """The messages of the commands that did not end with one of these statuses."""
    return [f"{name}: exit status {how.returncode}: {how.stderr.strip()[-200:]}" for name, how in ended.items()
            if how.returncode not in good_statuses]


def random_damage(command, folder, name, form):
    """Damage anywhere in a trace that validate lets pass, but another command does not."""
    r, failed = random.Random(name + form), 0
    good, ending = os.path.join(folder, name, form), os.path.splitext(form)[1]
    with open(good, encoding="utf-8") as file:
        text = file.read()
    paths = [os.path.join(folder, f"random-{name}{i}{ending}") for i in range(N_RANDOM)]
    for path in paths:
        with open(path, "w", encoding="utf-8") as file:
            file.write(damage(r, text))
    for path in sorted(valid_ones(command, paths)):
        refused = messages(other_commands(command, good, path), {0})
        if refused:
            failed += 1
            print(f"{path}: valid, but refused by {refused}")
    return failed


def main():
    command, failed, tried = os.path.abspath(sys.argv[1]), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name, words in RUNS.items():
            lines = make(command, os.path.join(folder, name, "t.record"), words)
            wrong, n = impossible_fields(command, folder, name, lines)
            failed += wrong + sum(random_damage(command, folder, name, form) for form in FORMATS if form[-1] != "/")
            tried += n
    print(f"damaged fields: {tried} impossible fields, {3 * N_RANDOM * len(RUNS)} random damages, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
