"""Values of options that are files in the figure's folder, such as a variant of a platform of the tree."""

import os
import pathlib
import re

from lib.command import ROOT, fail

PLATFORMS = pathlib.Path(os.environ.get("TILEWRIGHT_PLATFORMS", ROOT / "platforms"))


class Written:
    """A value that writes itself to a folder. `write` returns the text of the option."""

    def write(self, place):
        raise NotImplementedError

    @staticmethod
    def path(file):
        """The file's path for an option: a name without a slash would be that of something in the tree."""
        path = os.path.relpath(file)
        return path if path.startswith(("..", "/")) else f"./{path}"


class Variant(Written):
    """A platform of the tree, with other numbers in its platform.xml. `changes`: pairs of a pattern, which must occur, and its replacement."""

    def __init__(self, base, name, *changes):
        self.base, self.name, self.changes = base, name, changes

    def write(self, place):
        """Writes the variant to a folder of its name in `place`."""
        folder = pathlib.Path(place) / self.name
        folder.mkdir(parents=True, exist_ok=True)
        text = (PLATFORMS / self.base / "platform.xml").read_text(encoding="utf-8")
        for pattern, replacement in self.changes:
            text, n = re.subn(pattern, replacement, text)
            if not n:
                fail(f"platform '{self.base}': its platform.xml has no {pattern}: expected it for {self.name}")
        (folder / "platform.xml").write_text(text, encoding="utf-8")
        for table in (PLATFORMS / self.base).glob("*.csv"):
            (folder / table.name).write_text(table.read_text(encoding="utf-8"), encoding="utf-8")
        return self.path(folder)
