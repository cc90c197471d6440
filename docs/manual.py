#!/usr/bin/env python3
"""Makes the man page from what the command prints as help.

    manual.py tilewright.1.in TILEWRIGHT OUT

@SYNOPSIS@ in the template becomes the usage of all commands, @COMMANDS@ a section for each."""

import pathlib
import re
import subprocess
import sys

COLUMN = 25  # of the texts of options in help


def escaped(text):
    """Text for roff. What stands in quotes becomes bold."""
    text = re.sub(r"(?<!\w)'([^']+)'(?!\w)", r"\\fB\1\\fP", text.replace("\\", r"\e").replace("-", r"\-"))
    text = text.replace(r"\efB", r"\fB").replace(r"\efP", r"\fP")
    return r"\&" + text if text[:1] in (".", "'") else text


def head(words):
    """Options in bold, their values in italics: "-o, --output FILE"."""
    marked = []
    for word in words.split():
        comma = "," if word.endswith(",") and not word.endswith("[,") else ""
        word = escaped(word.removesuffix(",") if comma else word)
        marked.append(rf"\f{'B' if word.startswith(chr(92) + '-') else 'I'}{word}\fP{comma}")
    return " ".join(marked)


def blocks(lines):
    """Yields (head, text) of items, and (None, text) of paragraphs. Texts of items begin in one column."""
    title, text = None, []
    for line in [*lines, ""]:
        starts = re.match(r"  \S", line)
        if starts or not line or (title and not line.startswith(" ")):
            if title or text:
                yield title, " ".join(text)
            title, text = None, [line.strip()] if line else []
        elif not starts:
            text.append(line.strip())
        if starts:
            wide = len(line) > COLUMN and line[COLUMN - 1] == " "
            title, text = (line[:COLUMN].strip(), [line[COLUMN:].strip()]) if wide else (line.strip(), [])


def section(name, lines):
    yield f".SS {escaped(name)}"
    for title, text in blocks(lines):
        if title:
            yield from [".TP", head(title)]
        else:
            yield ".PP"
        yield escaped(text.strip())


def main():
    template, program, out = sys.argv[1:]

    def help_of(*words):
        return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout.splitlines()

    overview = help_of("--help")
    commands = [m[1] for m in (re.match(r"  ([a-z][a-z-]*) +", line) for line in overview) if m]
    topics = commands[commands.index("help") + 1:commands.index("tilewright")]
    synopsis, sections = [], []
    for command in commands[:commands.index("help")]:
        lines = help_of("help", command)
        end = next(i for i, line in enumerate(lines) if not re.match(r"Usage: |       ", line))
        usage = re.sub(r"\n +(?!tilewright| )", " ", "\n".join(lines[:end]).removeprefix("Usage: "))
        synopsis += [line for one in usage.split("\n") for line in (".br", escaped(one.strip()))]
        sections += section(command, lines[end:])
    synopsis += [".br", escaped("tilewright help [COMMAND|TOPIC]"), ".br", escaped("tilewright --version")]
    sections += [".SS help", escaped("Prints the options of a command, or a page about a topic:"),
                 ", ".join(rf"\fB{escaped(topic)}\fP" for topic in topics) + "."]
    page = pathlib.Path(template).read_text()
    page = page.replace("@SYNOPSIS@", "\n".join(synopsis[1:])).replace("@COMMANDS@", "\n".join(sections))
    pathlib.Path(out).write_text(page)


main()
