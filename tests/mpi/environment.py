"""The environment of runs that mpirun starts, also with sanitizers."""
import os

ENV = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
           LSAN_OPTIONS="print_suppressions=0:suppressions="
           + os.path.join(os.path.dirname(os.path.abspath(__file__)), "leaks.supp"),
           ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":fast_unwind_on_malloc=0")  # MPI has no frame pointers
