"""The command tilewright, as figures need it."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]


def fail(message, status=2):
    print(f"figures: {message}", file=sys.stderr)
    sys.exit(status)


class Command:
    def __init__(self, path=None):
        """Without a path: the release build, or else the usual one."""
        builds = [pathlib.Path(path).resolve()] if path else [ROOT / "build-release/tilewright", ROOT / "build/tilewright"]
        there = [build for build in builds if build.is_file()]
        if not there:
            fail(f"no {' and no '.join(map(str, builds))}: expected the command; --tilewright names another")
        self.path = there[0]
        self.known = {}
        self.swept = {}  # figures whose sweeps are done: how many of these had failed points
        self.points = self.seconds = 0  # of previews

    def run(self, *words, **how):
        return subprocess.run([str(self.path), *map(str, words)], text=True, check=False, **how)

    def names(self, kind):
        """Of policies, workloads ...: all that this version has."""
        if kind not in self.known:
            done = self.run("list", kind, stdout=subprocess.PIPE)
            if done.returncode:
                fail(f"'{self.path} list {kind}' failed", 1)
            self.known[kind] = {line.split()[0] for line in done.stdout.splitlines() if line.strip()}
        return self.known[kind]

    def can_plot(self, kind):
        return re.search(rf"^  {kind} ", self.run("plot", "--help", stdout=subprocess.PIPE).stdout, re.MULTILINE) is not None

    def preview(self, *words):
        """Counts what a sweep would run."""
        done = self.run("sweep", *words, "--dry-run", capture_output=True)
        found = re.search(r"(\d+) of \d+ points to run, .* about ([\d.]+) (s|min|h) ", done.stderr)
        if done.returncode or not found:
            fail(done.stderr.strip() or "a preview that tells nothing", done.returncode or 1)
        self.points += int(found[1])
        self.seconds += float(found[2]) * {"s": 1, "min": 60, "h": 3600}[found[3]]

    def tell_preview(self):
        if self.points:
            print(f"{self.points} points to run: about {self.seconds / 60:.0f} min, by a rough guess of tilewright sweep --dry-run")

    def has(self, kind, spec):
        """A file's path is what its user cares for."""
        return "/" in spec or spec.split(":")[0] in self.names(kind)
