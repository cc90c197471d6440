#!/usr/bin/env python3
"""Messages name options that their command has: each text of the source with "--option" is compared with the --help of
all commands that can print the text. "tilewright COMMAND --option" in a text is compared with that command's help.

    hints.py TILEWRIGHT SOURCE_FOLDER"""
import pathlib
import re
import subprocess
import sys

# Which commands print the texts of a file. The first pattern that fits counts; the path begins below src.
PRINTED_BY = [
    (r"cli/run_progress\.", "run"),
    (r"cli/(sweep|progress)", "sweep"),
    (r"cli/(detect|show|platform)", "platform"),
    (r"cli/folder\.", "platform import"),
    (r"cli/(output|options|main|grid|table|signals|warnings)\.", ""),  # the callers name the option
    (r"cli/validate_(model|print)\.", "validate-model"),
    (r"cli/(compare|describe|plot)", None),
    (r"cli/", None),  # the command that the file is named after
    (r"platform/(choice|cluster_select)\.c", "run sweep"),
    (r"request/(domains|fields|field_values|graph_words|inputs|plugins|words)\.c", "sweep"),
    (r"(cluster|experiment)/processes\.c", "run"),
    (r"report/", "report"),
    (r"calibrate/read\.c", "calibrate"),  # validate-model reads the identity alone, and gets no hint: way_out
    (r"calibrate/", "calibrate"),
    (r"validation/", "validate-model"),
    (r"plot/", "plot"),
    (r"explain/diff", "diff"),
    (r"explain/", "explain"),
    (r"api/analysis\.", "bounds"),
    (r"import/", "import"),
    (r"perf/(learned)\.", "run"),
    (r"perf/times\.", "run sweep bounds"),
    (r"perf/", "run sweep bounds describe"),  # validate-model: tw__models_offer_nothing
    (r"results/(adapt|compare)", "compare"),
    (r"results/(choose|where)\.", "plot compare report"),
    (r"experiment/learn\.", "run"),
    (r"(cluster/distribution|experiment/scene)", "run sweep bounds"),  # of clusters
    (r"results/again\.", "run sweep"),  # says how the row was made
    (r"sweep/", "sweep"),
    (r"experiment/batch\.", "run"),
    (r"(experiment/(computing|load|child)|results/rows)\.", "run sweep"),
    (r"machine/machine\.", "run sweep calibrate validate-model"),  # bounds, describe: lacks_emulate
    (r"machine/machine_needs\.", "run sweep calibrate"),
    (r"platform/select\.", "run sweep"),  # of options that only these have
    (r"machine/machine_topology\.", ""),  # options of lstopo
    (r"platform/(groups|emulate)\.", "run sweep calibrate"),
    (r"engine/real/", "run sweep"),
    (r"engine/", ""),  # SimGrid's options
    (r"base/new_file\.", "platform import calibrate"),
]


def texts_of(source):
    """The string literals of a C file, with neighbours joined, and their lines."""
    source = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), source, flags=re.S)
    for group in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', source):
        pieces = re.findall(r'"((?:[^"\\\n]|\\.)*)"', group.group())
        yield source.count("\n", 0, group.start()) + 1, "".join(pieces).replace("\\n", "\n")


def main():
    tilewright, root = sys.argv[1], pathlib.Path(sys.argv[2])
    helped = {}

    def options_of(command):
        if command not in helped:
            text = subprocess.run([tilewright, command, "--help"], capture_output=True, text=True).stdout
            helped[command] = set(re.findall(r"^ +(?:-\w, )?(--[a-z][a-z-]*)", text, flags=re.M))
            helped[command] |= set(re.findall(r"\[(--[a-z][a-z-]*)", text))
        return helped[command]

    wrong, seen = 0, 0
    for path in sorted((root / "src").rglob("*.[ch]")):
        below = path.relative_to(root / "src").as_posix()
        commands = next((c for pattern, c in PRINTED_BY if re.match(pattern, below)), None)
        if below.startswith("cli/") and commands is None:
            stem = path.stem.split("_")[0]
            commands = stem if options_of(stem) else ""
        for line, text in texts_of(path.read_text()):
            for found in re.finditer(r"(?:tilewright ([a-z-]+)[^'\n:;]*?)?(?<![\w-])(--[a-z][a-z-]*[a-z])", text):
                if commands is None:
                    sys.exit(f"{below}:{line}: no command is known for '{found.group()}': add one to PRINTED_BY")
                for command in [found.group(1)] if found.group(1) else commands.split():
                    seen += 1
                    if found.group(2) not in options_of(command) | {"--help", "--version"}:
                        print(f"{below}:{line}: {command} has no {found.group(2)}: {text.strip()[:100]}")
                        wrong += 1
    print(f"{seen} options in texts, {wrong} of which their command lacks")
    sys.exit(1 if wrong or seen < 100 else 0)


main()
