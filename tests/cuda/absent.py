#!/usr/bin/env python3
"""Machines without a driver, without CUDA, with an old driver, or with GPUs for which no kernels were compiled.

Simulations are not affected, and runs on cores do not mention it. Runs that ask for a GPU end with one line that gives
the reason."""

import argparse
import json
import pathlib
import re
import sys

from standin import IMAGE, Standin

SIMULATED = ["run", "--platform", "mirage", "--workload", "cholesky:nt=4", "--policy", "dmdas", "--format", "json"]
MACHINE = ["run", "--engine", "real", "--platform", "machine", "--policy", "eager", "--format", "json"]
MIRAGE = ["run", "--engine", "real", "--platform", "mirage", "--extrapolate", "--cpus", 1, "--gpus", 1, "--gpu-mem",
          "64MiB", "--policy", "eager"]
CHOLESKY = ["--workload", "cholesky:nt=3:nb=48"]
CELLS = {"stencil": ["--workload", "stencil:nx=8:ny=8:nz=16:blocks=4:iterations=1"],
         "life": ["--workload", "life:nx=8:ny=8:nz=16:blocks=4:iterations=1"]}
# Settings of the stand-in, and the reason in messages.
WITHOUT = {
    "no driver": ({"driver": 0}, "NVIDIA's driver is not running"),
    "no CUDA": ({"cuda": "/nonexistent"}, "CUDA's runtime was not found: /nonexistent/libcudart"),
    "an old driver": ({"driver": 11040},
                      r"NVIDIA's driver supports CUDA 11\.4, and the runtime is CUDA 13\.0: expected a newer driver"),
    "no GPU": ({"gpus": 0}, "CUDA shows no GPU"),
}
OTHER_ARCHS = {"image_error": 209, "capability": "8.7"}
counts = {True: 0, False: 0}


def expect(standin, what, words, settings, status=0, says=None, gpus=None, calls=None):
    """`says`: a regular expression for the only line on standard error; None: no line. `gpus`: of the first row.
    `calls`: of CUDA."""
    ended = standin.run(*words, **settings)
    rows = json.loads(ended.stdout) if ended.returncode == 0 and ended.stdout.startswith("[") else []
    good = ended.returncode == status and (re.fullmatch(f"tilewright: {says}\n", ended.stderr) if says
                                           else not ended.stderr)
    good = good and (gpus is None
                     or (rows and rows[0]["gpus"] == gpus)) and (calls is None or standin.counted()[0] == calls)
    good = good and not standin.counted()[1]
    counts[bool(good)] += 1
    if not good:
        print(
            f"{what}: {' '.join(map(str, words))}: status {ended.returncode}, expected {status} and "
            f"{says or 'silence'}, "
            f"{gpus} GPUs, {calls} calls; got {standin.counted()} and\n{ended.stdout}{ended.stderr}", flush=True)


def check_without(standin, what, settings, reason):
    expect(standin, what, SIMULATED, settings, calls=0)
    expect(standin, what, MACHINE + CHOLESKY, settings, gpus=0)
    expect(standin, what, MACHINE + CHOLESKY + ["--gpus", 1], settings, 2,
           f"--gpus 1: this machine has no GPU that can be used: .*{reason}.*: expected --gpus 0, or --emulate "
           "gpus=N:bandwidth=\\.\\.\\.")
    expect(standin, what, MIRAGE + CHOLESKY, settings, 2,
           f".*this machine has no device for accelerator 'GPU0' \\(.*{reason}.*\\): expected --gpus 0, or --emulate")


def check_other_archs(standin):
    what, words = ("other archs",
                   f"'GPU0' has compute capability 8\\.7: {IMAGE} was built for .*: expected a build with "
                   "-Dcuda-archs=87")
    expect(standin, what, SIMULATED, OTHER_ARCHS, calls=0)
    expect(standin, what, MACHINE + CHOLESKY + ["--gpus", 1, "--cpus", 1], OTHER_ARCHS, gpus=1)
    for cells in CELLS.values():
        expect(standin, what, MACHINE + cells + ["--gpus", 0], OTHER_ARCHS, gpus=0, calls=0)
        expect(standin, what, MACHINE + cells + ["--gpus", 1], OTHER_ARCHS, 1, f".*{words}")
        expect(standin, what, MIRAGE + cells, OTHER_ARCHS, 1, f".*{words}")


def check_without_image(standin):
    """A build without nvcc: cells are updated on cores."""
    (pathlib.Path(standin.folder.name) / IMAGE).unlink()
    idle = "warning: platform 'machine': no kernel of workload '.*' has a time on stand-in: 1 worker stays idle"
    for name, cells in CELLS.items():
        kernel, says = {"stencil": ("cl_update", None), "life": ("life_update", idle)}[name]
        expect(standin, "no image", MACHINE + cells + ["--gpus", 1, "--cpus", 1], {}, says=says, gpus=1)
        expect(standin, "no image", MACHINE + cells + ["--gpus", 1, "--cpus", 0], {}, 2,
               f".*kernel '{kernel}' does not run on GPUs: expected --cpus 1 at least")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("standin")
    options = parser.parse_args()
    standin = Standin(options.command, options.standin)
    for what, (settings, reason) in WITHOUT.items():
        check_without(standin, what, settings, reason)
    expect(standin, "one GPU", MACHINE + CHOLESKY + ["--gpus", 2], {"gpus": 1}, 2,
           "--gpus 2: CUDA shows 1: expected at most as many")
    check_other_archs(standin)
    if not (standin.command.parent / "src/engine/real/cuda" / IMAGE).exists():
        check_without_image(standin)
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] else 0


if __name__ == "__main__":
    sys.exit(main())
