#!/usr/bin/env python3
"""Writes the pages of `tilewright help TOPIC` as C, from docs/topics/.

    topics.py OUT.c FILE.md..."""

import json
import os
import re
import sys
import textwrap

WIDTH = 80


def plain(text):
    """Markdown without its marks. A link to another page names its path in the source tree."""
    text = re.sub(r"\[([^]]+)\]\(\.\./([^)#]+)(#[^)]*)?\)", r"\1 (docs/\2)", text)
    return re.sub(r"`([^`]*)`", r"'\1'", text.replace("**", ""))


def paragraphs(lines):
    """Yields paragraphs and items of lists, each as one line. An item begins with '- '."""
    lines = [line.strip() for line in lines]
    whole = ""
    for line in lines + [""]:
        if whole and (not line or line.startswith("- ")):
            yield plain(whole)
            whole = ""
        whole = f"{whole} {line}".strip()


def page(path):
    """The title and the text of a page."""
    with open(path, encoding="utf-8") as file:
        heading, *lines = file.read().splitlines()
    if not heading.startswith("# "):
        sys.exit(f"{path}: expected a first line '# TITLE'")
    title, text, was_item = heading[2:], heading[2:] + "\n", False
    for paragraph in paragraphs(lines):
        is_item = paragraph.startswith("- ")
        text += ("" if is_item and was_item else "\n") + textwrap.fill(
            paragraph, WIDTH, subsequent_indent="  " if is_item else "", break_on_hyphens=False,
            break_long_words=False) + "\n"
        was_item = is_item
    return title, text


def main():
    out, *files = sys.argv[1:]
    with open(out, "w", encoding="utf-8") as c:
        c.write('#include "cli/topics.h"\n\nconst struct topic topics[] = {\n')
        for path in files:
            title, text = page(path)
            name = os.path.splitext(os.path.basename(path))[0]
            c.write(f"\t{{{json.dumps(name)}, {json.dumps(title)},\n")
            c.writelines(f"\t {json.dumps(line)}\n" for line in text.splitlines(keepends=True))
            c.write("\t},\n")
        c.write("\t{0},\n};\n")


main()
