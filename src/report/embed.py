#!/usr/bin/env python3
"""Writes the page's style and scripts as C: their bytes, and digests for the page's Content-Security-Policy.

    embed.py OUT.c FILE..."""

import base64
import hashlib
import os
import sys

out, *files = sys.argv[1:]
with open(out, "w") as c:
    c.write('#include "report/report.h"\n\n')
    for number, path in enumerate(files):
        data = open(path, "rb").read()
        if b"</" + os.path.splitext(path)[1][1:].replace("js", "script").replace("css", "style").encode() in data:
            sys.exit(f"{path}: contains the end tag of its element: expected none")
        c.write(f"static const char bytes{number}[] = {{")
        for i, byte in enumerate(data):
            c.write(("\n\t" if i % 24 == 0 else "") + f"{byte if byte < 128 else byte - 256},")
        c.write("0};\n\n")
    c.write("const struct tw__asset tw__assets[] = {\n")
    for number, path in enumerate(files):
        data = open(path, "rb").read()
        digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
        c.write(f'\t{{"{os.path.basename(path)}", bytes{number}, {len(data)}, "sha256-{digest}"}},\n')
    c.write("\t{0},\n};\n")
