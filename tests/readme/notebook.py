#!/usr/bin/env python3
"""The notebooks of examples/, executed from top to bottom.

    tests/readme/notebook.py [--html FOLDER] NOTEBOOK.ipynb...

PYTHONPATH must find the package. Each cell must run, and nothing may come on standard error. Notebooks are committed
without outputs. A cell's metadata "shows" names a text or a kind of output ("image/svg+xml") that its outputs must
have. The page of the notebook must show all figures; --html keeps it. Exit status 77: a package is missing."""

import importlib.util
import os
import pathlib
import re
import sys
import tempfile

NEEDED = ("ipykernel", "nbconvert", "numpy", "pandas", "networkx")


def outputs_of(cell):
    """All texts that the cell has shown, and the names of their kinds."""
    for output in cell.outputs:
        yield output.get("text", "")
        for kind, content in output.get("data", {}).items():
            yield f"{kind} {content if isinstance(content, str) else ''}"


def problems(path, preprocessor):
    """What is wrong with the notebook, line by line, and the executed notebook."""
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    found = [f"cell {i}: it is committed with outputs" for i, cell in enumerate(cells, 1) if cell.outputs]
    with tempfile.TemporaryDirectory() as place:
        preprocessor.preprocess(notebook, {"metadata": {"path": place}})
    for i, cell in enumerate(cells, 1):
        shown = "\n".join(outputs_of(cell))
        errors = [o.get("text", o.get("evalue")) for o in cell.outputs if o.get("name") == "stderr"]
        found += [f"cell {i}: on standard error: {text}" for text in errors]
        wanted = cell.metadata.get("shows", "")
        found += [f"cell {i}: it does not show '{wanted}' but\n{shown}"] if wanted not in shown else []
    return found, notebook


def main():
    words = sys.argv[1:]
    folder = pathlib.Path(words[1]) if words[:1] == ["--html"] else None
    paths = [pathlib.Path(word) for word in words[2 if folder else 0:]]
    missing = [name for name in NEEDED if not importlib.util.find_spec(name)]
    if missing:
        print(f"skipped: {sys.executable} lacks {' '.join(missing)}")
        return 77
    from nbconvert import HTMLExporter
    from nbconvert.preprocessors import CellExecutionError, ExecutePreprocessor

    failed = 0
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "IPYTHONDIR": home, "PYTHONWARNINGS": "ignore"}
        os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
        for path in paths:
            try:
                found, notebook = problems(path, ExecutePreprocessor(timeout=120, kernel_name="python3"))
            except CellExecutionError as error:
                found, notebook = [re.sub(r"\x1b\[[\d;]*m", "", str(error))], None
            for text in found:
                print(f"{path.name}: {text}")
            failed += len(found)
            if not notebook:
                continue
            page, _ = HTMLExporter().from_notebook_node(notebook)
            if folder:
                (folder / f"{path.stem}.html").write_text(page)
            figures = sum(cell.metadata.get("shows") == "image/svg+xml" for cell in notebook.cells)
            shown = page.count('<img style="max-width: 100%" src="data:image/svg+xml;base64,')
            if shown != figures:
                print(f"{path.name}: its page shows {shown} figures: expected {figures}")
                failed += 1
    print(f"{len(paths)} notebooks, {failed} problems")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
