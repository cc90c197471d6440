"""Do structures, constants and functions of ctypes agree with those of a C compiler?"""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import tilewright as tw
from tilewright import _calls, _interface
from tilewright._library import library as loaded

HEADERS = pathlib.Path(os.environ["HEADERS"])
STRUCTURES = {
    name: kind
    for name, kind in vars(_interface).items()
    if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and name.startswith("tw_")
}
CONSTANTS = {name: value for name, value in vars(_interface).items() if name.startswith("TW_")}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """What a C program says: sizes, offsets and values by their names."""
    compiler = shutil.which("cc") or pytest.skip("no C compiler")
    lines = [f"#include <tilewright/{path.name}>" for path in sorted((HEADERS / "tilewright").glob("*.h"))]
    lines += ["#include <stdio.h>", "int main(void)", "{"]
    for name, kind in STRUCTURES.items():
        lines.append(f'printf("{name} %zu\\n", sizeof(struct {name}));')
        for member, *_ in kind._fields_:
            at = f"offsetof(struct {name}, {member}), sizeof ((struct {name} *)0)->{member}"
            lines.append(f'printf("{name}.{member} %zu %zu\\n", {at});')
    lines += [f'printf("{name} %.17g\\n", (double)({name}));' for name in CONSTANTS]
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "about.c").write_text("\n".join([*lines, "}"]))
    command = [compiler, "-w", f"-I{HEADERS}", "-o", folder / "about", folder / "about.c"]
    subprocess.run(command, check=True)
    output = subprocess.run([folder / "about"], check=True, capture_output=True, text=True).stdout
    return {name: [float(number) for number in numbers] for name, *numbers in map(str.split, output.splitlines())}


def test_there_are_structures_and_constants():
    assert len(STRUCTURES) > 20 and len(CONSTANTS) >= 50


@pytest.mark.parametrize("name", sorted(STRUCTURES))
def test_members_lie_where_the_compiler_puts_them(compiled, name):
    kind = STRUCTURES[name]
    assert compiled[name] == [ctypes.sizeof(kind)]
    for member, *_ in kind._fields_:
        about = getattr(kind, member)
        assert compiled[f"{name}.{member}"] == [about.offset, about.size], member


@pytest.mark.parametrize("name", sorted(CONSTANTS))
def test_constants(compiled, name):
    assert compiled[name] == [CONSTANTS[name]]


def test_all_exported_functions_have_types():
    """The library exports the functions of its headers; those with variable arguments are no use in Python."""
    library = loaded._name
    symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1].split("@")[0] for line in symbols.splitlines() if " T " in line}
    assert exported - set(_interface.FUNCTIONS) == {"tw_fail", "tw_log", "tw_format"}
    assert set(_interface.FUNCTIONS) <= exported


# Prints of each function the kinds of its result and its arguments: size, and whether it is a number.
KINDS = """
#include <cstdio>
#include <type_traits>
template <typename T> struct kind {
	static void print() {
		printf(" %c%zu", std::is_pointer<T>::value ? 'p' : std::is_floating_point<T>::value ? 'f' :
			std::is_class<T>::value ? 's' : std::is_signed<T>::value ? 'i' : 'u', sizeof(T));
	}
};
template <> struct kind<void> { static void print() { printf(" v"); } };
template <typename T> void print_kind() {
	kind<typename std::conditional<std::is_enum<T>::value, int, T>::type>::print();
}
template <typename R, typename... A> void print(const char *name, R (*)(A...)) {
	printf("%s", name);
	print_kind<R>();
	int all[] = {0, (print_kind<A>(), 0)...};
	(void)all;
	printf("\\n");
}
"""


def kind_of(kind):
    """The same of a type of ctypes."""
    if kind is None:
        return "v"
    size = ctypes.sizeof(kind)
    if issubclass(kind, ctypes.Structure):
        return f"s{size}"
    if not hasattr(kind, "_type_") or not isinstance(kind._type_, str) or kind._type_ in "zP":
        return f"p{size}"
    return f"{'f' if kind._type_ == 'd' else 'u' if kind._type_ in '?BHIL' else 'i'}{size}"


def test_types_of_functions(tmp_path):
    """Of all functions, and of all members that point to functions."""
    compiler = shutil.which("c++") or pytest.skip("no C++ compiler")
    expected, lines = {}, []
    for name, kinds in _interface.FUNCTIONS.items():
        expected[name] = [kind_of(kind) for kind in kinds]
        lines.append(f'print("{name}", {name});')
    for name, kind in STRUCTURES.items():
        for member, pointer in kind._fields_:
            if issubclass(pointer, ctypes._CFuncPtr):
                expected[f"{name}.{member}"] = [kind_of(k) for k in (pointer._restype_, *pointer._argtypes_)]
                lines.append(f'print("{name}.{member}", {name}().{member});')
    includes = [f"#include <tilewright/{path.name}>" for path in sorted((HEADERS / "tilewright").glob("*.h"))]
    (tmp_path / "kinds.cc").write_text("\n".join([*includes, KINDS, "int main()", "{", *lines, "}"]))
    library = pathlib.Path(loaded._name)
    subprocess.run(
        [
            compiler,
            "-w",
            f"-I{HEADERS}",
            "-o",
            tmp_path / "kinds",
            tmp_path / "kinds.cc",
            library,
            f"-Wl,-rpath,{library.parent}",
        ],
        check=True,
    )
    output = subprocess.run([tmp_path / "kinds"], check=True, capture_output=True, text=True).stdout
    assert {name: kinds for name, *kinds in map(str.split, output.splitlines())} == expected


def test_methods_have_comments():
    for kind in (_calls.SchedCalls, _calls.GraphCalls):
        methods = [method for name, method in vars(kind).items() if not name.startswith("_")]
        assert len(methods) >= 9 and all(method.__doc__ for method in methods)


def test_a_policy_may_call_all_functions_of_the_headers():
    """The methods of a run's view are the functions of sched.h and eviction.h, but for those that are left out."""
    sys.path.insert(0, os.path.join(os.environ["SOURCE"], "python"))
    import headers
    import interface

    named = {"tw_task_lacks_less": "task_lack", "tw_sched_graph": "graph", "tw_task_access": "task_accesses"}
    found = headers.read(interface.in_order(list((HEADERS / "tilewright").glob("*.h"))))
    functions = [f.name for f in found.functions.values() if f.header in ("sched.h", "eviction.h")]
    assert len(functions) > 50
    for name in functions:
        method = named.get(name, name.removeprefix("tw_"))
        assert hasattr(tw.Sched, method) or name == "tw_sched_graph" or name in interface.LEFT_OUT, name
        assert not (hasattr(tw.Sched, method) and name in interface.LEFT_OUT), name


def test_messages_call_options_as_keywords():
    scene = tw.Scene("mirage", "cholesky:nt=2")
    for call, message in (
        (lambda: scene.run(time_limit=0), "option 'time_limit=0': expected a time"),
        (lambda: scene.run(time_limit=True), "option 'time_limit': expected a value, as in 'time_limit=TIME'"),
        (lambda: scene.run(time_limt=5), "unknown option 'time_limt' .did you mean 'time_limit'"),
        (lambda: scene.run(seed=[1, 2]), "option 'seed=1,2': a list: .*; 'tilewright sweep' takes lists"),
        (lambda: tw.Platform("mirage", gpu_mem="a--b"), "option 'gpu_mem=a--b': expected a size"),
        (lambda: tw.Platform("--gpu-mem"), "'--gpu-mem'"),
    ):
        with pytest.raises(tw.Invalid, match=message):
            call()
