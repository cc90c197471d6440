"""The command `tilewright`, of the same installation as the package."""

import os
import sys

from ._library import COMMAND


def main() -> None:
    """Becomes the command."""
    os.execv(COMMAND, ["tilewright", *sys.argv[1:]])


if __name__ == "__main__":
    main()
