"""Calls OpenBLAS from Python, without code of Tilewright."""

import array
import ctypes

LIBRARY = "libopenblas.so.0"


class Blas:
    """OpenBLAS's routines in one precision, 's' or 'd': blas.potrf(b"L", n, matrix, n, info). Integers, factors and
    letters are passed as Fortran expects; matrices come from this class."""

    def __init__(self, precision):
        self.precision, self.routines = precision, ctypes.CDLL(LIBRARY)
        self.real, self.kind = {"s": (ctypes.c_float, "f"), "d": (ctypes.c_double, "d")}[precision]

    def __getattr__(self, routine):
        function = getattr(self.routines, f"{self.precision}{routine}_")
        function.restype = None

        def call(*arguments):
            letters = [1 for a in arguments if isinstance(a, bytes)]  # Fortran passes their lengths last
            function(*map(self.argument, arguments), *map(ctypes.c_size_t, letters))
        return call

    def argument(self, value):
        if isinstance(value, int):
            return ctypes.byref(ctypes.c_int(value))
        return ctypes.byref(self.real(value)) if isinstance(value, float) else value

    def matrix(self, n, columns=None, diagonal=0):
        """A matrix of n rows, with repeating entries in [-0.5, 0.5], and `diagonal` on the diagonal unless it is 0."""
        columns = columns or n
        pattern = array.array(self.kind, ((i * 7919 % 10007) / 10007 - 0.5 for i in range(n + 10007)))
        matrix = (self.real * (n * columns))()
        at, size, source = ctypes.addressof(matrix), ctypes.sizeof(self.real), pattern.buffer_info()[0]
        for column in range(columns):
            ctypes.memmove(at + column * n * size, source + column * 31 % 10007 * size, n * size)
            if diagonal:
                matrix[column * (n + 1)] = diagonal
        return matrix
