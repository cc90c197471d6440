#!/usr/bin/env python3
"""Columns of a table on standard input, chosen by name, as words with blanks between; without the header.

    columns.py NAME...            these
    columns.py --without NAME,... all but these, and the header, too"""

import csv
import sys


def main():
    reader = csv.reader(sys.stdin)
    header = next(reader)
    rows = list(reader)
    if sys.argv[1] == "--without":
        left_out = sys.argv[2].split(",")
        chosen = [i for i, name in enumerate(header) if name not in left_out]
        rows.insert(0, header)
    else:
        left_out = sys.argv[1:]
        chosen = [header.index(name) for name in left_out]
    if any(name not in header for name in left_out):
        sys.exit(f"expected columns of {','.join(header)}")
    for row in rows:
        print(" ".join(row[i] for i in chosen))


main()
