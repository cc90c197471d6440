#!/usr/bin/env bash
# Is `pip install .` all that a user of Python needs? Installs a copy of the source tree into a fresh environment, without the
# network, and deletes the copy. Then package, command and modules work with nothing but the installed files.
#
#     tests/install/wheel.sh SOURCE PYTHON
set -euo pipefail

source=$1 python=$2
if ! "$python" -c 'import mesonpy, pandas, pip, venv' 2> /dev/null; then
	echo "skipped: $python lacks one of: mesonpy pandas pip venv"
	exit 77
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
log=$place/log

fail() {
	echo "FAILED: $1"
	tail -n 30 "$log"
	exit 1
}

mkdir "$place/source"
tar -C "$source" --exclude='./build*' --exclude=./.git -cf - . | tar -C "$place/source" -xf -
"$python" -m venv --system-site-packages "$place/venv" > "$log" 2>&1 || fail "python -m venv"
# Optimizing takes longer than the test.
"$place/venv/bin/pip" install --no-index --no-build-isolation --no-deps --config-settings=setup-args=-Doptimization=plain \
	"$place/source" > "$log" 2>&1 || fail "pip install"
rm -rf "$place/source"

clean() {
	env -i PATH=/usr/bin:/bin HOME="$place" "$@"
}
cd "$place"
tilewright=$place/venv/bin/tilewright
clean "$place/venv/bin/python" -c 'import tilewright as tw; print("tilewright", tw.__version__)' > "$log" 2>&1 || fail "import"
[[ $(< "$log") == "$(clean "$tilewright" --version)" ]] || fail "the command has another version"
platforms=$(cd "$source/platforms" && printf '%s\n' */ | tr -d / | LC_ALL=C sort)
[[ $(clean "$tilewright" list platforms --names 2>&1) == "$platforms" ]] ||
	fail "the command finds other platforms than there are"
for engine in native simgrid; do
	clean "$tilewright" run --platform mirage --workload cholesky:nt=4 --policy dmdas --engine "$engine" --validate > "$log" 2>&1 ||
		fail "a run with the engine $engine"
done
simulate='import tilewright as tw; print(tw.Scene("mirage", "cholesky:nt=4").run("dmdas", engine="simgrid").tasks.end_s.max())'
[[ $(clean "$place/venv/bin/python" -c "$simulate") == "0.081513173" ]] || fail "a run from Python"
echo "pip install gives the package, the command, its modules and platforms"
