"""Measures cuBLAS and cuSOLVER alone on one whole matrix, as a reference for the rates of runs."""

import array
import ctypes
import os
import pathlib
import sys
import time

TO_DEVICE, NO, LOWER = 1, 0, 0
RUNS = 3
FILES = {"cudart": ["libcudart.so.13", "libcudart.so.12", "libcudart.so"],
         "cublas": ["libcublas.so.13", "libcublas.so.12", "libcublas.so"],
         "cusolver": ["libcusolver.so.12", "libcusolver.so.11", "libcusolver.so"]}
FOLDERS = [os.environ.get("TILEWRIGHT_CUDA", ""), "", "/usr/local/cuda/lib64"]


class Failed(Exception):
    """A call failed, or a library is missing."""


def library(name):
    for folder in FOLDERS:
        for file in FILES[name]:
            try:
                return ctypes.CDLL(str(pathlib.Path(folder) / file))
            except OSError:
                pass
    raise Failed(f"{name}: library not found")


class Gpu:
    """The first GPU, with a stream and library handles, for one precision: 's' or 'd'."""

    def __init__(self, precision):
        self.cuda, self.blas, self.solver = map(library, FILES)
        self.letter = precision.upper()
        self.real, self.kind = {"s": (ctypes.c_float, "f"), "d": (ctypes.c_double, "d")}[precision]
        self.bytes = ctypes.sizeof(self.real)
        self.stream, self.blas_handle, self.solver_handle = (ctypes.c_void_p() for _ in range(3))
        self.rooms = []
        self.call(self.cuda.cudaSetDevice, 0)
        self.call(self.cuda.cudaStreamCreateWithFlags, ctypes.byref(self.stream), 1)
        self.call(self.blas.cublasCreate_v2, ctypes.byref(self.blas_handle))
        self.call(self.blas.cublasSetStream_v2, self.blas_handle, self.stream)
        self.call(self.solver.cusolverDnCreate, ctypes.byref(self.solver_handle))
        self.call(self.solver.cusolverDnSetStream, self.solver_handle, self.stream)

    def close(self):
        for room in self.rooms:
            self.call(self.cuda.cudaFree, room)
        self.call(self.solver.cusolverDnDestroy, self.solver_handle)
        self.call(self.blas.cublasDestroy_v2, self.blas_handle)
        self.call(self.cuda.cudaStreamDestroy, self.stream)

    @staticmethod
    def call(function, *arguments):
        status = function(*arguments)
        if status:
            raise Failed(f"{function.__name__}: error {status}")

    def wait(self):
        self.call(self.cuda.cudaStreamSynchronize, self.stream)

    def room(self, n_bytes):
        at = ctypes.c_void_p()
        self.call(self.cuda.cudaMalloc, ctypes.byref(at), ctypes.c_size_t(n_bytes))
        self.rooms.append(at)
        return at

    def copy(self, at, offset, source, n_bytes):
        self.call(self.cuda.cudaMemcpyAsync, ctypes.c_void_p(at.value + offset), ctypes.c_void_p(source),
                  ctypes.c_size_t(n_bytes), TO_DEVICE,
                  self.stream)

    def fill(self, at, n, diagonal):
        """A matrix with repeating entries in [-0.5, 0.5]. A large `diagonal` on the diagonal makes pivoting
        unnecessary."""
        block = array.array(self.kind, ((i * 7919 % 1000003) / 1000003 - 0.5 for i in range(min(n * n, 1 << 20))))
        source, have, all_bytes = block.buffer_info()[0], len(block) * self.bytes, n * n * self.bytes
        for offset in range(0, all_bytes, have):
            self.copy(at, offset, source, min(have, all_bytes - offset))
        one = self.real(diagonal)
        for i in range(n if diagonal else 0):
            self.copy(at, i * (n + 1) * self.bytes, ctypes.addressof(one), self.bytes)
        self.wait()

    def best(self, prepare, work):
        """Seconds of the fastest of some runs, after a warm-up run."""
        seconds = []
        for _ in range(1 + RUNS):
            prepare()
            start = time.perf_counter()
            work()
            self.wait()
            seconds.append(time.perf_counter() - start)
        return min(seconds[1:])

    def gemm(self, n):
        a, b, c = (self.room(n * n * self.bytes) for _ in range(3))
        for matrix in (a, b, c):
            self.fill(matrix, n, 0)
        one = self.real(1)
        function = getattr(self.blas, f"cublas{self.letter}gemm_v2")
        return 2 * n**3, self.best(lambda: None, lambda: self.call(
            function, self.blas_handle, NO, NO, n, n, n, ctypes.byref(one), a, n, b, n, ctypes.byref(one), c, n))

    def factor(self, routine, n):
        """Seconds of potrf, or of getrf without pivoting, on the whole matrix."""
        a, info, elements = self.room(n * n * self.bytes), self.room(4), ctypes.c_int()
        shape = [LOWER, n] if routine == "potrf" else [n, n]
        name = f"cusolverDn{self.letter}{routine}"
        self.call(getattr(self.solver, f"{name}_bufferSize"), self.solver_handle, *shape, a, n, ctypes.byref(elements))
        work, function = self.room(max(1, elements.value) * self.bytes), getattr(self.solver, name)
        rest = [elements.value, info] if routine == "potrf" else [None, info]
        seconds = self.best(lambda: self.fill(a, n, n),
                            lambda: self.call(function, self.solver_handle, *shape, a, n, work, *rest))
        return (n**3 / 3 if routine == "potrf" else 2 * n**3 / 3), seconds


def main():
    """Usage: libraries.py N_GEMM N_FACTOR. Writes lines of CSV."""
    n_gemm, n_factor = int(sys.argv[1]), int(sys.argv[2])
    print("routine,precision,n,seconds,gflops")
    for precision in "sd":
        for routine, n in [("gemm", n_gemm), ("potrf", n_factor), ("getrf", n_factor)]:
            gpu = Gpu(precision)
            flops, seconds = gpu.gemm(n) if routine == "gemm" else gpu.factor(routine, n)
            gpu.close()
            print(f"{routine},{precision},{n},{seconds:.6f},{flops / seconds * 1e-9:.1f}", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as error:
        print(f"libraries: {error}", file=sys.stderr)
        sys.exit(1)
