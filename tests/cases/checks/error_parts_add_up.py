#!/usr/bin/env python3
"""Rows of validate-model in FILE: the parts of the error add up to minus the error, and nothing is left over.

    error_parts_add_up.py FILE"""

import sys

from runs import rows_of

for row in rows_of(sys.argv[1]):
    parts = row.part_kernels + row.part_order + row.part_bus + row.part_runtime + row.part_rest
    total = parts + row.makespan_error
    print(row["policy"], row["status"], row["runs"], "adds up" if abs(total) < 1e-10 else total,
          "nothing is left" if abs(row.part_rest) < 1e-3 else row.part_rest, int(row.makespan_real_s > 0))
