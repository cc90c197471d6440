#!/usr/bin/env python3
"""Commands whose file cannot be written as a whole say so, leave no part of it, and keep the file that was there.

    full_disk.py TILEWRIGHT

A limit on the size of files stands for a full disk."""
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

TILEWRIGHT = pathlib.Path(sys.argv[1]).resolve()
ROOM = 600  # bytes of a file
GRAPH = ["--workload", "cholesky:nt=6"]
RUN = ["run", "--engine", "native", "--platform", "mirage", *GRAPH, "--policy", "eager"]


def run(*words, room=None):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    return subprocess.run([TILEWRIGHT, *words], capture_output=True, text=True, preexec_fn=limit if room else None)


def files():
    return sorted(path for path in pathlib.Path(".").rglob("*") if path.name != "rows.csv")


def check(name, *words):
    """With `name` as the output, with and without an older file or folder of that name. Returns what is wrong."""
    words = [word.replace("OUT", name) for word in words]
    told = run(*words, room=ROOM)
    if told.returncode == 0 or "File too large" not in told.stderr or name.rstrip("/") not in told.stderr:
        return f"{words}: exit status {told.returncode}: {told.stderr}"
    if files():
        return f"{words}: left {[str(f) for f in files()]}"
    if name.endswith("/") or words[0] in ("import", "platform"):
        return None
    pathlib.Path(name).write_text("old\n")
    told = run(*words, room=ROOM)
    left, kept = [str(f) for f in files()], pathlib.Path(name).read_text()
    pathlib.Path(name).unlink()
    good = told.returncode and left == [name] and kept == "old\n"
    return None if good else f"{words}: not as it was: {left}: {kept[:40]}"


def main():
    run(*RUN, "--repeat", "3", "--output", "rows.csv")
    cases = [(f"a{end}", *RUN, "--trace", "OUT") for end in (".json", ".paje", ".csv", ".record", "/")]
    cases += [(f"a{end}", *RUN, "--repeat", "9", "--output", "OUT") for end in (".csv", ".json", ".txt")]
    cases += [(f"a{end}", "export", *GRAPH, "-o", "OUT") for end in (".json", ".dot", ".graphml")]
    cases += [("a.html", "report", "rows.csv", "--gantt", "none", "-o", "OUT"),
              ("a.gp", "plot", "gflops", "rows.csv", "-o", "OUT"),
              ("a", "platform", "detect", "--output", "OUT")]
    if shutil.which("gnuplot"):
        cases += [("a.svg", "plot", "gflops", "rows.csv", "-o", "OUT")]
    if pathlib.Path("/usr/share/starpu/perfmodels/sampling/bus/mirage.platform.v4.xml").exists():
        cases += [("a", "import", "starpu:mirage", "--output", "OUT")]
    wrong = [what for what in (check(*case) for case in cases) if what]
    print("\n".join(wrong) or f"{len(cases)} files cannot be written, and nothing is left")
    sys.exit(bool(wrong))


with tempfile.TemporaryDirectory() as folder:
    __import__("os").chdir(folder)
    main()
