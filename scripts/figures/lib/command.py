"""The command tilewright, for figures."""

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
        """The default is the release build, or else the usual build."""
        builds = [pathlib.Path(path).resolve()] if path else [ROOT / "build-release/tilewright",
                                                              ROOT / "build/tilewright"]
        there = [build for build in builds if build.is_file()]
        if not there:
            fail(f"no {' and no '.join(map(str, builds))}: expected the command; --tilewright names another")
        self.path = there[0]
        self.known = {}
        self.swept = {}  # by name of a figure whose sweeps have run: the number of sweeps with failed points
        self.points = self.seconds = 0  # sums of the previews

    def run(self, *words, **how):
        return subprocess.run([str(self.path), *map(str, words)], text=True, check=False, **how)

    def names(self, kind):
        """All policies, workloads ... of this version."""
        if kind not in self.known:
            done = self.run("list", kind, stdout=subprocess.PIPE)
            if done.returncode:
                fail(f"'{self.path} list {kind}' failed", 1)
            self.known[kind] = {line.split()[0] for line in done.stdout.splitlines() if line.strip()}
        return self.known[kind]

    def can_plot(self, kind):
        return re.search(rf"^  {kind} ", self.run("plot", "--help", stdout=subprocess.PIPE).stdout,
                         re.MULTILINE) is not None

    def preview(self, *words):
        """Adds the points and the estimated time of a sweep."""
        done = self.run("sweep", *words, "--dry-run", capture_output=True)
        found = re.search(r"(\d+) of \d+ points to run, .* about ([\d.]+) (s|min|h) ", done.stderr)
        if done.returncode or not found:
            fail(done.stderr.strip() or "no points in the preview of a sweep", done.returncode or 1)
        self.points += int(found[1])
        self.seconds += float(found[2]) * {"s": 1, "min": 60, "h": 3600}[found[3]]

    def tell_preview(self):
        if self.points:
            print(
                f"{self.points} points to run: about {self.seconds / 60:.0f} min, by a rough guess of tilewright sweep "
                "--dry-run")

    def has(self, kind, spec):
        """True if this version has the policy, workload ... and all policies of domains or graphs in it. A path of a
        file is not checked."""
        if kind == "policies" and re.match(r"\w+=", spec):
            return all(name in self.names(kind) for name in re.findall(r"(?:^|\+)\w+=[^:+]+:(\w+)", spec))
        if kind == "workloads" and "+" in spec:
            return all(self.has(kind, part) for part in spec.split("+"))
        return "/" in spec or spec.split(":")[0] in self.names(kind)
