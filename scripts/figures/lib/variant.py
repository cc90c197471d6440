"""A variant of a platform of the tree, with other numbers in its platform.xml."""

import os
import pathlib
import re

from lib.command import ROOT, fail

PLATFORMS = pathlib.Path(os.environ.get("TILEWRIGHT_PLATFORMS", ROOT / "platforms"))


class Variant:
    """A variant. `changes`: pairs of a pattern, which must occur, and its replacement."""

    def __init__(self, base, name, *changes):
        self.base, self.name, self.changes = base, name, changes

    def write(self, place):
        """Writes the variant to a folder of its name in `place`. Returns the folder's path for --platform."""
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
        path = os.path.relpath(folder)
        return path if path.startswith(("..", "/")) else f"./{path}"
