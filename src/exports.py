#!/usr/bin/env python3
"""Writes a linker's version script: the library exports the functions of the public headers, and nothing else.

    exports.py OUTPUT HEADER..."""

import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INLINE = re.compile(r"^static inline.*?^}", re.DOTALL | re.MULTILINE)
DIRECTIVE = re.compile(r"^#.*(?:\\\n.*)*", re.MULTILINE)


def functions(header):
    """The functions that the header declares and does not define. Tables of functions in structs have other names."""
    text = header.read_text(encoding="utf-8")
    for kind in COMMENT, INLINE, DIRECTIVE:
        text = kind.sub("", text)
    return re.findall(r"\b(tw_\w+)\(", text)


def main():
    output, *headers = map(pathlib.Path, sys.argv[1:])
    names = sorted({name for header in headers for name in functions(header)})
    output.write_text("{\nglobal:\n" + "".join(f"\t{name};\n" for name in names) + "local:\n\t*;\n};\n",
                      encoding="utf-8")


if __name__ == "__main__":
    main()
