"""Runs of the command with the stand-in for CUDA."""

import os
import pathlib
import struct
import subprocess
import tempfile

LIBRARIES = ["libcudart.so.13", "libcuda.so.1", "libcublas.so.13", "libcusolver.so.12"]
ALIVE = ["allocations", "registered ranges", "streams", "events", "handles of cuBLAS", "handles of cuSOLVER", "modules"]
IMAGE = "tilewright-cuda.fatbin"


class Standin:
    """The stand-in as a folder with CUDA's libraries and an image for modules; what it counted in the last run."""

    def __init__(self, command, standin):
        self.command, self.folder = pathlib.Path(command).resolve(), tempfile.TemporaryDirectory()
        self.tally = pathlib.Path(self.folder.name) / "tally"
        for library in LIBRARIES:
            (pathlib.Path(self.folder.name) / library).symlink_to(pathlib.Path(standin).resolve())
        (pathlib.Path(self.folder.name) / IMAGE).write_text("stand-in\n")

    def run(self, *words, timeout_s=120, **settings):
        """The ended process. Settings: gpus=3, fail_at=7 ..., as in standin.h."""
        self.tally.unlink(missing_ok=True)
        environment = {f"STANDIN_{name.upper()}": str(value) for name, value in settings.items()}
        return subprocess.run([self.command, "run", "--engine", "real", "--platform", "mirage", *map(str, words)], capture_output=True,
                              text=True, timeout=timeout_s, check=False,
                              env={**os.environ, "TILEWRIGHT_CUDA": self.folder.name, "STANDIN_TALLY": str(self.tally), **environment})

    def counted(self):
        """Calls, and by name what is alive."""
        values = struct.unpack(f"{1 + len(ALIVE)}l", self.tally.read_bytes())
        return values[0], {name: n for name, n in zip(ALIVE, values[1:]) if n}
