"""Run sections (docs/reference/traces.md) as lists of lines, in and out of the traces that hold them."""

import gzip
import os
import re
import subprocess

MARK = '],"tilewright":[\n'
FORMATS = ("t.record", "t.json", "t.paje", "t/")


def read(path):
    """The lines of the section of a trace."""
    if path.endswith("/"):
        with gzip.open(path + "run.record.gz", "rt", encoding="utf-8") as file:
            return file.read().splitlines()
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".record"):
        return text.splitlines()
    if path.endswith(".json"):
        inside = text[text.index(MARK) + len(MARK):text.rindex("\n]}")]
        return [line.rstrip(",")[1:-1].replace("\\\\", "\\") for line in inside.split("\n")]
    return [line for event in re.findall(r'^18 Z.*"([^"]*)"$', text, re.M) for line in event.split(";")]


def write(path, lines, shown=None):
    """Replaces the section of a trace. What else the trace shows stays, or is that of the trace `shown`."""
    if path.endswith("/"):
        with gzip.open(path + "run.record.gz", "wt", encoding="utf-8", compresslevel=1) as file:
            file.write("\n".join(lines) + "\n")
        return
    text = ""
    if not path.endswith(".record"):
        with open(shown or path, encoding="utf-8") as file:
            text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        if path.endswith(".record"):
            file.write("\n".join(lines) + "\n")
        elif path.endswith(".json"):
            quoted = ('"' + line.replace("\\", "\\\\") + '"' for line in lines)
            file.write(text[:text.index(MARK) + len(MARK)] + ",\n".join(quoted) + "\n]}\n")
        else:
            events = [f'18 Z{i} "{";".join(lines[i:i + 50])}"\n' for i in range(0, len(lines), 50)]
            first = text.index("\n18 Z") + 1
            file.write(text[:first] + "".join(events) + re.sub(r"(?m)^18 Z.*\n", "", text[first:]))


def make(command, path, words):
    """Runs `tilewright run` with a trace; returns the lines of its section."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    subprocess.run([command, "run", *words.split(), "--trace", path], check=True, stdout=subprocess.DEVNULL,
                   timeout=300)
    return read(path)


def validate(command, path):
    """The exit status and all that was printed."""
    ended = subprocess.run([command, "validate", path], capture_output=True, text=True, timeout=300, check=False)
    return ended.returncode, ended.stdout + ended.stderr
