"""Run sections (docs/reference/traces.md) as lists of lines, in and out of the traces that hold them."""

import gzip
import os
import re
import subprocess

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
        inside = text[text.index('],"tilewright":[\n') + len('],"tilewright":[\n'):text.rindex("\n]}")]
        return [line.rstrip(",")[1:-1].replace("\\\\", "\\") for line in inside.split("\n")]
    return [line for event in re.findall(r'^18 Z.*"([^"]*)"$', text, re.M) for line in event.split(";")]


def write(path, lines):
    """Replaces the section of a trace. Other parts stay, as no command that reads sections reads them."""
    if path.endswith("/"):
        with gzip.open(path + "run.record.gz", "wt", encoding="utf-8", compresslevel=1) as file:
            file.write("\n".join(lines) + "\n")
    elif path.endswith(".record"):
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    elif path.endswith(".json"):
        quoted = ('"' + line.replace("\\", "\\\\") + '"' for line in lines)
        with open(path, "w", encoding="utf-8") as file:
            file.write('{"traceEvents":[\n],"tilewright":[\n' + ",\n".join(quoted) + "\n]}\n")
    else:
        with open(path, "w", encoding="utf-8") as file:
            file.write("%EventDef PajeDefineEventType 18\n%  Run string\n%EndEventDef\n")
            for i in range(0, len(lines), 50):
                file.write(f'18 Z{i} "{";".join(lines[i:i + 50])}"\n')


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
