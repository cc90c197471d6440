#!/usr/bin/env python3
"""The examples of our documents, run.

    tests/readme/run.py [--update] COMMAND UNINSTALLED FILE.md...

COMMAND is the `tilewright` to run, UNINSTALLED the folder of a build's tilewright-uninstalled.pc. In a document,

    <!-- test -->           before a ```sh block: it must succeed, and print what the ```text block right after it
                            shows, if there is one;
    <!-- test: measured --> the same, for commands that measure: numbers, with their units, and blanks may differ;
    <!-- file: PATH -->     before any block: it must be that file of the source tree.

A ```python block goes on where the last one of its document ended. The variable PYTHON names the interpreter; if it
names none, or one that lacks packages, these blocks are skipped.

The blocks of one document run one after the other in one folder, which has examples/, traces/, scripts/cluster/,
build/meson-uninstalled/ and build/python/ in it. Nothing is set that a fresh clone lacks, except that the shell finds
the command, and Python the package.
What is measured (wall_s, tasks_per_s, peak_rss_bytes) may differ. With --update, the documents are rewritten with what
was printed."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BLOCK = re.compile(r"(?P<head><!-- (?P<kind>test|test: measured|file: (?P<path>\S+)) -->\n+```(?P<language>\w*)\n)"
                   r"(?P<body>.*?)```\n(?P<between>\n*```text\n)?", re.S)
MEASURED = re.compile(r'("(?:wall_s|tasks_per_s|peak_rss_bytes)": )[^,\n]+')
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?(?: (?:[num]?s|[KMGT]?i?B)\b)?")
NOT_IN_A_CLONE = ("PKG_CONFIG_PATH", "LD_LIBRARY_PATH", "TILEWRIGHT_PLATFORMS")
COUNTED = re.compile(r"\b([CG]PU)s\b")


def masked(text, is_measured):
    """The text without figures that differ from run to run, nor blanks at the ends of lines."""
    text = MEASURED.sub(r"\1...", text)
    if is_measured:
        text = re.sub(" +", " ", COUNTED.sub(r"\1", NUMBER.sub("0", text)))
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def run(words, place, environment):
    return subprocess.run(words, cwd=place, env=environment, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                          check=False)


class Python:
    """The Python examples of one document. Each runs behind all before it, whose output is dropped."""

    NEEDED = ("numpy", "pandas", "networkx")

    def __init__(self):
        self.program = os.environ.get("PYTHON")
        self.before = ""
        self.lacks = "there is no Python package in this build"
        if self.program:
            find = "import importlib.util as i, sys; print(*(n for n in sys.argv[1:] if not i.find_spec(n)))"
            lacking = subprocess.check_output([self.program, "-c", find, *self.NEEDED], text=True).strip()
            self.lacks = f"{self.program} lacks {lacking}" if lacking else ""

    def words(self, block):
        quiet = "import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    exec({!r}, globals())\n"
        script = quiet.format(self.before) + block if self.before else block
        self.before += block
        return [self.program, "-c", script]


def check(document, place, environment, update):
    """How many blocks there were, and how many failed."""
    text = document.read_text()
    done = failed = at = 0
    new, python, skipped = [], Python(), 0
    while found := BLOCK.search(text, at):
        line = text.count("\n", 0, found.start()) + 1
        body, end = found["body"], found.end("body") + len("```\n")
        is_python = found["language"] == "python" and not found["path"]
        if is_python and python.lacks:
            new, at, skipped = [*new, text[at:end]], end, skipped + 1
            continue
        done += 1
        new += [text[at:found.start("body")]]
        problem = None
        if found["path"]:
            wanted = (ROOT / found["path"]).read_text()
            if body != wanted:
                problem = f"the block is not {found['path']}"
            new += [wanted, "```\n"]
        else:
            words = python.words(body) if is_python else ["bash", "-euo", "pipefail", "-c", body]
            ended = run(words, place, environment)
            new += [body, "```\n"]
            if ended.returncode:
                problem = f"exit status {ended.returncode}:\n{ended.stdout}{ended.stderr}"
            if found["between"]:
                start = found.end("between")
                end = text.index("```\n", start)
                is_measured = found["kind"] == "test: measured"
                is_same = masked(ended.stdout, is_measured) == masked(text[start:end], is_measured)
                if not problem and not is_same:
                    problem = f"prints\n{ended.stdout}\nbut the document shows\n{text[start:end]}"
                new += [found["between"], text[start:end] if is_measured and is_same else ended.stdout]
        if problem and not (update and "exit status" not in problem):
            print(f"{document.name}:{line}: {problem}")
            failed += 1
        at = end
    if update:
        document.write_text("".join(new) + text[at:])
    if skipped:
        print(f"{document.name}: {skipped} Python examples skipped: {python.lacks}")
    return done, failed


def main():
    words = sys.argv[1:]
    update = words[:1] == ["--update"]
    command, uninstalled, *documents = words[update:]
    done = failed = 0
    for document in documents:
        with tempfile.TemporaryDirectory() as place:
            for folder in ("examples", "traces"):
                shutil.copytree(ROOT / folder, pathlib.Path(place, folder))
            shutil.copytree(ROOT / "scripts" / "cluster", pathlib.Path(place, "scripts", "cluster"))
            build = pathlib.Path(place, "build")
            build.mkdir()
            for folder in (pathlib.Path(uninstalled).resolve(), pathlib.Path(uninstalled).resolve().parent / "python"):
                (build / folder.name).symlink_to(folder)
            commands = pathlib.Path(place, ".commands")
            commands.mkdir()
            (commands / "tilewright").symlink_to(pathlib.Path(command).resolve())
            environment = {name: value for name, value in os.environ.items() if name not in NOT_IN_A_CLONE}
            environment |= {"PATH": f"{commands}:{os.environ['PATH']}", "LC_ALL": "C",
                            "PYTHONPATH": f"{build}/python", "PYTHONDONTWRITEBYTECODE": "1"}
            n, bad = check(pathlib.Path(document), place, environment, update)
            done, failed = done + n, failed + bad
    print(f"{done} examples, {failed} failed")
    return 1 if failed or not done else 0


if __name__ == "__main__":
    sys.exit(main())
