"""A platform that differs from one of the tree in some numbers of its platform.xml."""

import os
import pathlib
import re

from lib.command import ROOT, fail

PLATFORMS = pathlib.Path(os.environ.get("TILEWRIGHT_PLATFORMS", ROOT / "platforms"))


class Variant:
    """`changes`: pairs of a pattern, which has to be there, and what replaces each place of it."""

    def __init__(self, base, name, *changes):
        self.base, self.name, self.changes = base, name, changes

    def write(self, place):
        """A folder of that name in `place`. Returns its path, as --platform takes it."""
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
