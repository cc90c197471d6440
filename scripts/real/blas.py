"""OpenBLAS from Python, without anything of ours in between."""

import array
import ctypes

LIBRARY = "libopenblas.so.0"


class Blas:
    """Its routines in one precision, 's' or 'd': blas.potrf(b"L", n, matrix, n, info). Whole numbers, factors and single letters are
    passed as Fortran wants them; matrices are this class's."""

    def __init__(self, precision):
        self.precision, self.library = precision, ctypes.CDLL(LIBRARY)
        self.real, self.kind = {"s": (ctypes.c_float, "f"), "d": (ctypes.c_double, "d")}[precision]

    def __getattr__(self, routine):
        function = getattr(self.library, f"{self.precision}{routine}_")
        function.restype = None

        def call(*arguments):
            letters = [1 for a in arguments if isinstance(a, bytes)]  # their lengths come last
            function(*map(self.argument, arguments), *map(ctypes.c_size_t, letters))
        return call

    def argument(self, value):
        if isinstance(value, int):
            return ctypes.byref(ctypes.c_int(value))
        return ctypes.byref(self.real(value)) if isinstance(value, float) else value

    def matrix(self, n, columns=None, diagonal=0):
        """n rows. Entries in [-0.5, 0.5], which repeat; on the diagonal `diagonal`, unless it is 0."""
        columns = columns or n
        pattern = array.array(self.kind, ((i * 7919 % 10007) / 10007 - 0.5 for i in range(n + 10007)))
        matrix = (self.real * (n * columns))()
        at, size, source = ctypes.addressof(matrix), ctypes.sizeof(self.real), pattern.buffer_info()[0]
        for column in range(columns):
            ctypes.memmove(at + column * n * size, source + column * 31 % 10007 * size, n * size)
            if diagonal:
                matrix[column * (n + 1)] = diagonal
        return matrix
