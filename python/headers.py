"""Reads the public headers: their constants, structures and functions, with comments.

The headers are regular enough for a reader of declarations: no bit fields, no unions, one structure a statement."""

from __future__ import annotations

import dataclasses
import pathlib
import re

# Text between declarations: comments, directives with their continuation lines, inline functions, extern "C".
SKIPPED = re.compile(
    r"\s+|/\*(?P<comment>.*?)\*/|#(?P<directive>[^\n\\]*(?:\\\n[^\n\\]*)*)\n"
    r"|static inline[^\n]*\}\n|static inline.*?\n\}|extern \"C\" \{|\}",
    re.DOTALL,
)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
PARAMETER = re.compile(r"(?P<type>.*?[\s*])(?P<name>(?!const\b)\w+)?(?P<array>(?:\[\w*\])*)$", re.DOTALL)
FUNCTION = re.compile(r"(?P<result>[\w\s*]+?[\s*])(?P<name>\w+)\((?P<parameters>.*)\)$", re.DOTALL)
POINTER = re.compile(r"(?P<result>[\w\s*]+?[\s*])\(\*(?P<name>\w+)\)\((?P<parameters>.*)\)$", re.DOTALL)
BASIC = {"void", "bool", "char", "int", "unsigned", "long", "float", "double", "size_t", "FILE"} | {
    f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)
}


@dataclasses.dataclass
class Parameter:
    type: str  # as in C, with one space between words: "const struct tw_access *"
    name: str
    length: str = ""  # of an array


@dataclasses.dataclass
class Function:
    name: str
    result: str
    parameters: list[Parameter]
    variadic: bool
    comment: str
    header: str


@dataclasses.dataclass
class Structure:
    name: str
    members: list[Parameter | Function]


@dataclasses.dataclass
class Headers:
    typedefs: dict[str, str | Function] = dataclasses.field(default_factory=dict)
    constants: dict[str, str] = dataclasses.field(default_factory=dict)  # name: expression
    abis: dict[str, tuple[int, str]] = dataclasses.field(default_factory=dict)  # name: (version, structure)
    structures: dict[str, Structure] = dataclasses.field(default_factory=dict)
    functions: dict[str, Function] = dataclasses.field(default_factory=dict)
    version: tuple[int, ...] = ()


def plain(comment: str) -> str:
    """A comment without its frame, as one paragraph."""
    return " ".join(comment.replace("\n *", "\n").split())


def parameter(text: str) -> Parameter:
    words = " ".join(text.replace("*", " * ").split())
    parts = words.split(" ")
    # A declaration without a name ends in '*' or in the name of a type.
    named = len(parts) > 1 and parts[-1] not in ("*", "const") and parts[-1] not in BASIC
    if named and parts[-2] in ("struct", "enum") or named and parts[:-1] == ["const"]:
        named = False
    name, length = "", ""
    if named:
        name, _, length = parts.pop().partition("[")
    return Parameter(" ".join(parts), name, length.rstrip("]"))


def split(text: str) -> list[str]:
    """The parts between commas outside of parentheses."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(text[begin:i])
            begin = i + 1
    return parts + [text[begin:]]


def function(text: str, pattern: re.Pattern[str], comment: str = "", header: str = "") -> Function | None:
    match = pattern.match(re.sub(r"\s*(TW_PRINTF|__attribute__)\s*\(.*\)$", "", text.strip(), flags=re.DOTALL))
    if not match:
        return None
    words = [word.strip() for word in split(match["parameters"])]
    return Function(
        match["name"],
        parameter(match["result"]).type,
        [parameter(word) for word in words if word not in ("void", "...")],
        "..." in words,
        comment,
        header,
    )


def enumerators(headers: Headers, body: str) -> None:
    previous = "-1"
    for item in split(body):
        name, _, value = (part.strip() for part in item.partition("="))
        if name:
            headers.constants[name] = value or f"{previous} + 1"
            previous = name


def structure(headers: Headers, name: str, body: str) -> None:
    members: list[Parameter | Function] = []
    for statement in filter(None, (text.strip() for text in body.split(";"))):
        pointer = function(statement, POINTER)
        if pointer:
            members.append(pointer)
            continue
        first, *others = split(statement)
        members.append(parameter(first))
        base = members[-1].type.rstrip("* ")
        members += [parameter(f"{base} {other}") for other in others]
    headers.structures[name] = Structure(name, members)


def statement(headers: Headers, text: str, comment: str, header: str) -> None:
    enum = re.match(r"enum\s*(\w*)\s*\{(.*)\}$", text, re.DOTALL)
    struct = re.match(r"struct (\w+)\s*\{(.*)\}$", text, re.DOTALL)
    if enum:
        enumerators(headers, enum[2])
    elif struct:
        structure(headers, struct[1], struct[2])
    elif text.startswith("typedef"):
        pointer = function(text[len("typedef") :], POINTER)
        alias = parameter(text[len("typedef") :])
        headers.typedefs[pointer.name if pointer else alias.name] = pointer or alias.type
        BASIC.add(pointer.name if pointer else alias.name)
    elif not re.match(r"struct \w+$", text):
        found = function(text, FUNCTION, comment, header)
        if not found:
            raise SystemExit(f"{header}: not understood: {' '.join(text.split())[:80]}")
        headers.functions[found.name] = found


def directive(headers: Headers, text: str) -> None:
    abi = re.match(r"define (TW_\w+_ABI) TW_ABI\((\d+), struct (\w+)\)", text)
    number = re.match(r"define (TW_\w+) (-?[\d.e+]+)$", text)
    version = re.match(r"define TW_VERSION TW_VERSION_OF\((.*)\)", text)
    if abi:
        headers.abis[abi[1]] = (int(abi[2]), abi[3])
    elif number:
        headers.constants[number[1]] = number[2]
    elif version:
        headers.version = tuple(int(part) for part in version[1].split(","))


def read(paths: list[pathlib.Path]) -> Headers:
    """Reads the headers; those that others include come first."""
    headers = Headers()
    for path in paths:
        text, at, comment = path.read_text(encoding="utf-8"), 0, ""
        while at < len(text):
            skipped = SKIPPED.match(text, at)
            if skipped:
                at = skipped.end()
                if skipped["comment"]:
                    comment = plain(skipped["comment"])
                elif skipped["directive"]:
                    directive(headers, skipped["directive"])
                continue
            end = re.compile(r"(?:[^;{]|\{[^}]*\})*;", re.DOTALL).match(COMMENT.sub(blank, text), at)
            if not end:
                raise SystemExit(f"{path.name}: a declaration without its end: {text[at:at + 60]!r}")
            behind = re.compile(r"[ \t]*/\*(.*?)\*/", re.DOTALL).match(text, end.end())
            clean = COMMENT.sub("", text[at : end.end() - 1]).strip()
            statement(headers, clean, plain(behind[1]) if behind else comment, path.name)
            at, comment = behind.end() if behind else end.end(), ""
    return headers


def blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
