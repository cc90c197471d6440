"""A bundle is the installed tree with the libraries that it needs, for machines without these and without a network."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST_BYTES = 60 * 10**6
# Libraries that every system has, with the loader, and those that come with NVIDIA's driver and CUDA.
LEFT_OUT = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|cuda|cudart|cublas|cublasLt|cusolver))\.so")
MARK = "tilewright-bundle"  # a file that tells a bundle from a checkout


class Failed(Exception):
    """A step failed; the message says why."""


def call(*words, **environment):
    ended = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False,
                           env={**os.environ, **environment})
    if ended.returncode:
        raise Failed(
            f"exit status {ended.returncode} of: "
            f"{' '.join(map(str, words))}\n{(ended.stderr or ended.stdout).strip()[-2000:]}")
    return ended.stdout


def libraries_of(files, own):
    """Paths of the libraries that the files need, without those that every system has."""
    found = {}
    for file in files:
        for line in call("ldd", file, LD_LIBRARY_PATH=f"{own}:{own / 'tilewright'}").splitlines():
            words = line.split()
            if "not found" in line:
                raise Failed(f"{file} needs {words[0]}, which is not here")
            if len(words) > 2 and words[1] == "=>" and not LEFT_OUT.match(words[0]) and own not in pathlib.Path(
                words[2]).parents:
                found[words[0]] = pathlib.Path(words[2])
    return found


def fill(tree, build):
    """Makes the tree: bin/, lib/, share/, scripts/, and src/ with the files that nvcc needs."""
    with tempfile.TemporaryDirectory() as staging:
        call("meson", "install", "-C", build, "--no-rebuild", "--quiet", DESTDIR=staging)
        command = next(pathlib.Path(staging).rglob("bin/tilewright"))
        library = next(pathlib.Path(staging).rglob("libtilewright.so.*"))
        (tree / "bin").mkdir(parents=True)
        shutil.copy(command, tree / "bin")
        shutil.copytree(library.parent, tree / "lib", symlinks=True, ignore=shutil.ignore_patterns("pkgconfig"))
        shutil.copytree(command.parent.parent / "share" / "tilewright", tree / "share" / "tilewright")
    objects = [tree / "bin" / "tilewright", *(p for p in tree.rglob("*.so*") if p.is_file() and not p.is_symlink())]
    for name, path in libraries_of(objects, tree / "lib").items():
        shutil.copy(path, tree / "lib" / name)
    for folder, pattern in [("scripts", "gpu-campaign"), ("scripts/gpu", "*.py"), ("kernels", "*.h"),
                            ("src/engine/real/cuda", "cells.cu")]:
        (tree / folder).mkdir(parents=True, exist_ok=True)
        for file in (ROOT / folder).glob(pattern):
            shutil.copy(file, tree / folder)
    (tree / MARK).write_text(call(command_of(tree), "--version", **environment_of(tree)))


def write(path, build):
    if not (build / "build.ninja").is_file():
        raise Failed(f"{build} is not a build folder: expected --build BUILD, or scripts/build before")
    call("ninja", "-C", build)
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / "tilewright"
        fill(tree, build)
        call("tar", "-C", folder, "-cJf", path.resolve(), "tilewright")
    size = path.stat().st_size
    if size > MOST_BYTES:
        path.unlink()
        raise Failed(f"{path} has {size / 1e6:.0f} MB: expected {MOST_BYTES // 10**6} at most")
    print(
        f"{path}: {size / 1e6:.1f} MB. On the other machine: tar -xJf {path.name} && tilewright/scripts/gpu-campaign "
        "FOLDER")
    return 0


# --- on the machine with the GPU --------------------------------------------------------------------------------------

def is_bundle(tree=ROOT):
    return (tree / MARK).is_file()


def command_of(tree):
    return tree / "bin" / "tilewright"


def environment_of(tree):
    """The environment of a command from a bundle. Python must not use these libraries, because they may be older than
    its own."""
    return {"LD_LIBRARY_PATH": f"{tree / 'lib'}:{tree / 'lib/tilewright'}",
            "TILEWRIGHT_PLATFORMS": str(tree / "share" / "tilewright" / "platforms")}


def nvcc():
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def build_image(tree):
    """Builds the kernels of stencil and life, if the bundle was made without nvcc and this machine has it."""
    image = tree / "lib" / "tilewright" / "tilewright-cuda.fatbin"
    if image.exists() or not nvcc():
        return
    call(nvcc(), "-arch=all", "-fmad=false", "-I", tree / "kernels", "-fatbin", "-o", image,
         tree / "src/engine/real/cuda/cells.cu")


def find(given):
    """Returns the command, and the environment that it needs."""
    if given:
        return given.resolve(), {}
    if is_bundle():
        build_image(ROOT)
        return command_of(ROOT), environment_of(ROOT)
    command = ROOT / "build" / "tilewright"
    if not command.exists():
        try:
            call(ROOT / "scripts" / "build")
        except Failed as error:
            raise Failed(
                f"the command cannot be built here: {error}\nMake a bundle where it can: scripts/gpu-campaign --bundle "
                "FILE.tar.xz") from error
    return command, {}
