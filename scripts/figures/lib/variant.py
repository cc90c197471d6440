"""Values of options that are files in the figure's folder, such as a variant of a platform of the tree."""

import os
import pathlib
import re

from lib.command import ROOT, fail

PLATFORMS = pathlib.Path(os.environ.get("TILEWRIGHT_PLATFORMS", ROOT / "platforms"))


class Written:
    """A value with files in the figure's folder, `place`."""

    def text(self, place):
        """The text of the option."""
        raise NotImplementedError

    def make(self, place, command):
        """Writes the files."""
        raise NotImplementedError

    @staticmethod
    def path(file):
        """The file's path for an option: a name without a slash would be that of something in the tree."""
        path = os.path.relpath(file)
        return path if path.startswith(("..", "/")) else f"./{path}"


class Variant(Written):
    """A platform of the tree, with other numbers in its platform.xml. `changes`: pairs of a pattern, which must occur,
    and its replacement. `cpu_times`: the factor of all times of kernels on cores. `kernels`: lines more for
    kernels.csv."""

    def __init__(self, base, name, *changes, cpu_times=1, kernels=()):
        self.base, self.name, self.changes, self.cpu_times, self.kernels = base, name, changes, cpu_times, kernels

    def text(self, place):
        return self.path(pathlib.Path(place) / self.name)

    def make(self, place, _command):
        folder = pathlib.Path(place) / self.name
        folder.mkdir(parents=True, exist_ok=True)
        text = (PLATFORMS / self.base / "platform.xml").read_text(encoding="utf-8")
        for pattern, replacement in self.changes:
            text, n = re.subn(pattern, replacement, text)
            if not n:
                fail(f"platform '{self.base}': its platform.xml has no {pattern}: expected it for {self.name}")
        (folder / "platform.xml").write_text(text, encoding="utf-8")
        for table in (PLATFORMS / self.base).glob("*.csv"):
            lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
            lines += [f"{line}\n" for line in self.kernels if table.name == "kernels.csv"]
            (folder / table.name).write_text("".join(self.scaled(lines)), encoding="utf-8")

    def scaled(self, lines):
        """The lines of a table of kernels, with other times on cores."""
        column = None
        for line in lines:
            cells = line.split(",")
            if line.startswith("#") or not line.strip() or self.cpu_times == 1:
                pass
            elif column is None:
                column = cells.index("mean_us")
            elif cells[1] == "cpu":
                cells[column] = f"{float(cells[column]) * self.cpu_times:.6g}"
                line = ",".join(cells)
            yield line
