#!/usr/bin/env python3
"""Each link of our pages to a file of the tree, or to a heading in it, leads somewhere; and docs/README.md has each
page of docs/.

    tests/readme/links.py ROOT"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(page):
    """GitHub's names of a page's headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for title in re.findall(r"^#+ (.*)$", text, re.M):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        yield re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    faults, reached, n = [], set(), 0
    for page in pages:
        text = re.sub(r"^```.*?^```", lambda m: "\n" * m[0].count("\n"), page.read_text(encoding="utf-8"),
                      flags=re.S | re.M)
        for match in LINK.finditer(text):
            target = match[1]
            if re.match(r"\w+:", target):
                continue
            n += 1
            path, _, anchor = target.partition("#")
            file = (page.parent / path).resolve() if path else page
            where = f"{page.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}"
            if not file.exists():
                faults.append(f"{where}: {target} is not there")
            elif anchor and anchor not in anchors(file):
                faults.append(f"{where}: {target}: no such heading")
            if page == root / "docs/README.md":
                reached.add(file)
    for page in pages[2:]:
        if page != root / "docs/README.md" and page not in reached:
            faults.append(f"docs/README.md: lacks {page.relative_to(root)}")
    print("\n".join(faults) or f"{n} links in {len(pages)} pages")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
