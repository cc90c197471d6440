#!/usr/bin/env python3
"""Names of kernels survive export: random texts with quotes, backslashes, angle brackets, entities and characters of
all lengths are the same when Tilewright, Graphviz, an XML parser or Python's JSON parser reads the file.

    tests/export/names.py TILEWRIGHT [SEED]"""

import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

TILEWRIGHT = os.path.abspath(sys.argv[1])
N = 400
PIECES = ["\\", "\\", "\\\\", '"', '"', "<", ">", "<b>", "</b>", "&", "&amp;", "&#10;", "]]>", "<!--", "'", "{", "}",
          "n", "\\n", "\\N", "\\l", "\\u0041", "a", "kernel", " ", ",", ";", "=", "+", '" + "', "//", "/*", "#", "%s",
          "$x", "\u00e9", "\u2028", "\u20ac", "\U0001f600", "\ufffd", "\u202e"]
BESIDES = ["\n", "\r\n", "\t", "\0", "\x1b", "\x7f", "\x85", "\ufffe", "\uffff"]  # no names have these
failures = 0


def run(*words):
    return subprocess.run([TILEWRIGHT, *words], capture_output=True, text=True, errors="surrogateescape")


def check(what, holds, *shown):
    global failures
    if not holds:
        failures += 1
        print("fails:", what, *shown)


def text(draw, pieces=PIECES):
    return "".join(draw.choice(pieces) for _ in range(draw.randint(1, 7)))


def write_graph(path, kernels):
    """A graph of one task for each kernel, and one dependency."""
    with open(path, "w") as out:
        json.dump({"tilewright": 1, "flops": 0, "priorities": "all", "data": [], "kernels": kernels,
                   "tasks": [[k, 0, {"seconds": 1}] for k in range(len(kernels))]}, out)


def kernels_of(path):
    """Name, size, precision and archs of each task's kernel, as Python's parser reads the file."""
    with open(path, encoding="utf-8") as graph:
        graph = json.load(graph)
    keys = ("name", "size", "precision", "recorded_on")
    return [tuple(graph["kernels"][task[0]].get(key) for key in keys) for task in graph["tasks"]]


def export(source, output):
    done = run("export", "--workload", "file:" + source, "-o", output)
    check(f"{source} becomes {output}", done.returncode == 0, done.stderr)
    return done.returncode == 0


def of_graphviz(path, *options):
    return subprocess.run(["dot", *options, path], capture_output=True, text=True, check=True).stdout


def fits_dot(word):
    """DOT's quoted strings cannot hold an odd number of backslashes before a quote or the end; its other strings hold
    them, but only pairs of < and >."""
    depths = [sum((c == "<") - (c == ">") for c in word[:i]) for i in range(len(word) + 1)]
    return not re.search(r'(?<!\\)(\\\\)*\\("|$)', word) or (min(depths) == 0 and depths[-1] == 0)


def round_trips(draw):
    names = [[text(draw), text(draw), text(draw), "processors"] for _ in range(N)]
    kernels = [dict(zip(("name", "size", "precision", "recorded_on"), words), flops=0) for words in names]
    wanted = [tuple(words) for words in names]
    write_graph("a.json", kernels)
    if export("a.json", "b.json"):
        check("JSON keeps all names", kernels_of("b.json") == wanted)
    if export("a.json", "b.graphml"):
        check("GraphML keeps all names", of_graphml("b.graphml") == wanted)
        if export("b.graphml", "g.json"):
            check("and they are read back from GraphML", kernels_of("g.json") == wanted)
    fitting = [all(map(fits_dot, words)) for words in names]
    check("there are names of both sorts", 0 < sum(fitting) < N, sum(fitting))
    done = run("export", "--workload", "file:a.json", "-o", "c.dot")
    check("what DOT cannot hold is an error", done.returncode != 0 and "DOT has no string" in done.stderr, done.stderr)
    write_graph("fit.json", [kernel for kernel, fits in zip(kernels, fitting) if fits])
    wanted = [words for words, fits in zip(wanted, fitting) if fits]
    if not export("fit.json", "d.dot") or not export("d.dot", "e.json"):
        return
    check("DOT keeps all names", kernels_of("e.json") == wanted,
          [pair for pair in zip(kernels_of("e.json"), wanted) if pair[0] != pair[1]][:3])
    if shutil.which("dot"):
        nodes = json.loads(of_graphviz("d.dot", "-Tjson"))["objects"]
        check("Graphviz reads the same names",
              [(n["kernel"], n["size"], n["precision"], n["on"]) for n in nodes] == wanted)
        with open("f.dot", "w") as out:
            out.write(of_graphviz("d.dot", "-Tcanon"))
        if export("f.dot", "f.json"):
            check("and what Graphviz writes is read back", kernels_of("f.json") == wanted)


def of_graphml(path):
    root = ET.parse(path).getroot()
    space = root.tag[:root.tag.index("}") + 1]
    nodes = [{d.get("key"): d.text for d in node} for node in root.iter(space + "node")]
    return [tuple(node[key] for key in ("kernel", "size", "precision", "on")) for node in nodes]


def refused(draw):
    """Control characters and the like never get into a graph: a file's are replaced, which is told."""
    words = [text(draw, [*BESIDES[:3], *BESIDES[4:], "a", "\\", '"']) for _ in range(50)]
    words = [word if any(c in word for c in BESIDES) else word + "\x1b" for word in words]
    write_graph("bad.json", [{"name": word, "size": str(k), "precision": "s", "flops": 0}
                             for k, word in enumerate(words)])
    done = run("export", "--workload", "file:bad.json", "-o", "good.json")
    check("names are replaced, and counted",
          done.returncode == 0 and "invalid characters in their names, replaced by ?: 50" in done.stderr, done.stderr)
    names = [name for name, *_ in kernels_of("good.json")]
    check("each invalid byte becomes a question mark", names == [replaced(word) for word in words])
    with open("bad.dot", "wb") as out:
        out.write(b'digraph { 0 [kernel="a\xff\xc0\x80b" seconds=1] 1 [kernel="\xed\xa0\x80" seconds=1] }')
    if export("bad.dot", "bytes.json"):
        check("so does invalid UTF-8", [name for name, *_ in kernels_of("bytes.json")] == ["a???b", "???"])


def replaced(word):
    return re.sub("[\x00-\x1f\x7f-\x9f\ufffe\uffff]", lambda found: "?" * len(found[0].encode()), word)


def main():
    draw = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        round_trips(draw)
        refused(draw)
        os.chdir("/")
    return 1 if failures else 0


sys.exit(main())
