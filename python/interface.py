#!/usr/bin/env python3
"""Writes the modules of the Python package that follow from the public headers.

    interface.py OUTPUT HEADER...

OUTPUT _interface.py gets constants, structures and the types of all functions, for ctypes. OUTPUT _calls.py gets the
functions that a policy calls, as methods with the headers' comments; they refuse numbers that do not exist."""

from __future__ import annotations

import pathlib
import re
import sys
import textwrap

from headers import Function, Headers, Parameter, Structure, read

FILES = "base containers csv graph params sched policy eviction"  # headers that others include, in this order

CTYPES = {
    "void": "None",
    "bool": "c_bool",
    "int": "c_int",
    "unsigned": "c_uint",
    "double": "c_double",
    "size_t": "c_size_t",
    "char": "c_char",
    "const char *": "c_char_p",
    "void *": "c_void_p",
    "void * const": "c_void_p",
    "const char * const *": "POINTER(c_char_p)",
    "const void *": "c_void_p",
    "char *": "c_void_p",
} | {f"{sign}int{bits}_t": f"c_{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}

# Methods of policy.py, and functions that Python has no use for.
BY_HAND = {
    "tw_task_access",
    "tw_task_lacks_less",
    "tw_copies_changed",
    "tw_data_transfer_times_slowed",
    "tw_task_transfer_times",
    "tw_wake",
    "tw_wake_set",
    "tw_combine",
    "tw_report",
    "tw_running_task",
    "tw_abort_run",
    "tw_sched_graph",
    "tw_graph_access",
    "tw_graph_parts",
    "tw_graph_successors",
}
LEFT_OUT = {
    "tw_run_alloc",
    "tw_run_resize",
    "tw_run_id_set",
    "tw_sched_args",
    "tw_eviction_args",
    "tw_sched_context",
    "tw_show_planned_uses",
    "tw_planned_uses",
    "tw_data_planned_use",
    "tw_graph_recorded_place",
    "tw_graph_bottom_levels",
}

PYTHON = {"bool": "bool", "double": "float", "const char *": "bytes", "void": "None"}
BOUNDS = {"tw_task": "tasks", "tw_data": "data", "tw_worker": "workers", "tw_node": "nodes", "tw_kernel": "kernels"}


class Types:
    """Names of C's types in ctypes."""

    def __init__(self, headers: Headers) -> None:
        self.headers = headers

    def of(self, c: str) -> str:
        if c in CTYPES:
            return CTYPES[c]
        if c in self.headers.typedefs:
            target = self.headers.typedefs[c]
            return c if isinstance(target, Function) else self.of(target)
        if c.startswith("enum "):
            return "c_int"
        if c.startswith("struct ") and c[7:] in self.headers.structures:
            return c[7:]
        if c.endswith(" *") or c.endswith(" * const"):
            target = c.removesuffix(" const").removesuffix(" *").removeprefix("const ")
            opaque = target == "FILE" or target.startswith("struct ") and target[7:] not in self.headers.structures
            return "c_void_p" if opaque else f"POINTER({self.of(target)})"
        raise SystemExit(f"interface.py: no type for '{c}'")

    def function(self, f: Function) -> str:
        return ", ".join([self.of(f.result), *(self.of(p.type) for p in f.parameters)])

    def member(self, m: Parameter | Function) -> str:
        if isinstance(m, Function):
            return f'("{m.name}", CFUNCTYPE({self.function(m)}))'
        return f'("{m.name}", {self.of(m.type)}{" * " + m.length if m.length else ""})'


def with_parts_first(headers: Headers) -> list[Structure]:
    """The structures, each behind those that are its members."""
    order: dict[str, Structure] = {}

    def add(s: Structure) -> None:
        for m in s.members:
            if isinstance(m, Parameter) and m.type.startswith("struct ") and not m.type.endswith("*"):
                add(headers.structures[m.type[7:]])
        order.setdefault(s.name, s)

    for s in headers.structures.values():
        add(s)
    return list(order.values())


def listed(items: list[str], indent: str = "    ") -> str:
    return "".join(f"{indent}{item},\n" for item in items)


def write_interface(headers: Headers) -> str:
    types = Types(headers)
    imported = sorted({kind for kind in CTYPES.values() if kind.isidentifier() and kind != "None"})
    lines = [
        '"""Constants, structures and functions of the headers, for ctypes. interface.py wrote this file."""\n',
        "from ctypes import CDLL, CFUNCTYPE, POINTER, Structure, sizeof",
        f"from ctypes import {', '.join(imported)}\n",
        f'VERSION = "{".".join(map(str, headers.version))}"\n',
    ]
    lines += [f"{name} = {value}" for name, value in headers.constants.items()]
    for name, kind in headers.typedefs.items():
        if isinstance(kind, Function):
            lines.append(f"{name} = CFUNCTYPE({types.function(kind)})")
    structures = with_parts_first(headers)
    lines += [f"\n\nclass {s.name}(Structure):\n    pass" for s in structures]
    lines += ["", ""] + [f"{s.name}._fields_ = [\n{listed([types.member(m) for m in s.members])}]" for s in structures]
    lines += ["", *(f"{name} = {version} << 16 | sizeof({s})" for name, (version, s) in headers.abis.items())]
    functions = [f for f in headers.functions.values() if not f.variadic]
    entries = [f'"{f.name}": ({types.function(f)})' for f in functions]
    entries = [e if "," in e else e.replace(")", ",)") for e in entries]
    lines += [
        f"\n# Of each function, the result and the arguments.\nFUNCTIONS = {{\n{listed(entries)}}}",
        "",
        "",
        "def declare(library: CDLL) -> None:",
        '    """Tells ctypes the types of the library\'s functions."""',
        "    for name, (result, *arguments) in FUNCTIONS.items():",
        "        function = getattr(library, name)",
        "        function.restype, function.argtypes = result, arguments",
        "",
    ]
    return "\n".join(lines)


def name_of(p: Parameter) -> str:
    return (p.name or p.type.removeprefix("tw_")) + ("_" if p.name == "from" else "")


def annotation(c: str) -> str:
    return c[7:] if c.startswith("struct ") else PYTHON.get(c, "int")


def method(f: Function, prefix: str, bounds: dict[str, str]) -> str:
    arguments = [(name_of(p), p) for p in f.parameters[1:]]
    signature = "".join(f", {name}: {annotation(p.type)}" for name, p in arguments)
    result = "str" if f.result == "const char *" else annotation(f.result)
    comment = (
        re.sub(r"\btw_(graph_)?|\bTW_", "", f.comment)
        .replace("UINT64_MAX", "2**64 - 1")
        .replace("*n ", "")
        .replace("\\", "\\\\")
    )
    comment = comment[:1].upper() + comment[1:] + ("" if comment.endswith(".") else ".")
    if not f.comment:
        raise SystemExit(f"{f.header}: {f.name} has no comment")
    doc = textwrap.wrap(f'"""{comment}"""', 108)
    lines = [f"def {f.name.removeprefix(prefix)}(self{signature}) -> {result}:", *("    " + line for line in doc)]
    for name, p in arguments:
        if p.type in bounds:
            lines += [
                f"    if not 0 <= {name} < self._{bounds[p.type]}:",
                f'        raise self._no("{p.type.removeprefix("tw_")}", {name}, self._{bounds[p.type]})',
            ]
    call = f"_{f.name}({', '.join(['self._pointer', *(name for name, _ in arguments)])})"
    call += ".decode()" if f.result == "const char *" else ""
    lines.append(f"    {'return ' if f.result != 'void' else ''}{call}")
    return "\n".join("    " + line for line in lines)


def write_calls(headers: Headers) -> str:
    def methods_of(argument: str, *files: str) -> list[Function]:
        return [
            f
            for f in headers.functions.values()
            if f.header in files
            and f.parameters
            and f.parameters[0].type.removeprefix("const ") == argument
            and f.name not in BY_HAND | LEFT_OUT
        ]

    sched = methods_of("struct tw_sched *", "sched.h", "eviction.h")
    graph = [f for f in methods_of("struct tw_graph *", "graph.h") if f.parameters[0].type.startswith("const ")]
    text = [
        '"""The functions of sched.h, eviction.h and graph.h as methods. interface.py wrote this file."""\n',
        "from typing import Any, Callable\n",
        "from ._library import Error, quick\n",
    ]
    for f in sched + graph:
        text.append(f"_{f.name}: Callable[..., {annotation(f.result)}] = quick.{f.name}")
    for name, what, prefix, functions, bounds in (
        (
            "SchedCalls",
            "What a policy may ask, and do. Times are seconds, and sizes bytes.",
            "tw_",
            sched,
            {t: b for t, b in BOUNDS.items() if b != "kernels"},
        ),
        (
            "GraphCalls",
            "What a finished graph tells. Sizes are bytes.",
            "tw_graph_",
            graph,
            {t: b for t, b in BOUNDS.items() if b in ("tasks", "data", "kernels")},
        ),
    ):
        slots = ", ".join(f'"_{b}"' for b in bounds.values())
        text += [
            f'\n\nclass {name}:\n    """{what}"""\n',
            f'    __slots__ = ("_pointer", {slots})',
            "    _pointer: Any",
            *(f"    _{b}: int" for b in bounds.values()),
            "",
            "    def _no(self, what: str, number: object, n: int) -> IndexError:",
            '        return IndexError(f"no {what} {number!r}: expected a number from 0 to {n - 1}")',
            "",
            "    def __getattr__(self, name: str) -> Any:",
            '        if name == "_pointer":',
            '            raise Error("the run has ended, or is in no function of the policy: its view tells nothing")',
            "        raise AttributeError(f\"{type(self).__name__} has no attribute '{name}'\")",
        ]
        text += ["\n" + method(f, prefix, bounds) for f in functions]
    return "\n".join(text) + "\n"


def in_order(paths: list[pathlib.Path]) -> list[pathlib.Path]:
    """The headers, those that others include first."""
    order = {name: i for i, name in enumerate(FILES.split())}
    return sorted(paths, key=lambda path: (order.get(path.stem, len(order)), path.stem))


def main() -> None:
    output, *paths = map(pathlib.Path, sys.argv[1:])
    headers = read(in_order(paths))
    text = {"_interface.py": write_interface, "_calls.py": write_calls}[output.name](headers)
    output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
