#!/usr/bin/env bash
# Is `pip install .` all that a user of Python needs? Installs a source tree into a fresh environment VENV, without the
# network, by a build in BUILD. Then package, command and modules work with nothing but the installed files, while source
# and build have other names.
#
#     tests/install/wheel.sh SOURCE BUILD VENV PYTHON
set -euo pipefail

source=$1 build=$2 venv=$3 python=$4
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
log=$place/log

fail() {
	echo "FAILED: $1"
	tail -n 30 "$log"
	exit 1
}

"$python" -m venv --system-site-packages "$venv" > "$log" 2>&1 || fail "python -m venv"
# Optimizing takes longer than the test.
"$venv/bin/pip" install --no-index --no-build-isolation --no-deps --config-settings=setup-args=-Doptimization=plain \
	--config-settings=builddir="$build" "$source" > "$log" 2>&1 || fail "pip install"
platforms=$(cd "$source/platforms" && printf '%s\n' */ | tr -d / | LC_ALL=C sort)
mv "$source" "$source.away"
mv "$build" "$build.away"

clean() {
	env -i PATH=/usr/bin:/bin HOME="$place" "$@"
}
cd "$place"
tilewright=$venv/bin/tilewright
clean "$venv/bin/python" -c 'import tilewright as tw; print("tilewright", tw.__version__)' > "$log" 2>&1 || fail "import"
[[ $(< "$log") == "$(clean "$tilewright" --version)" ]] || fail "the command has another version"
[[ $(clean "$tilewright" list platforms --names 2>&1) == "$platforms" ]] ||
	fail "the command finds other platforms than there are"
for engine in native simgrid; do
	clean "$tilewright" run --platform mirage --workload cholesky:nt=4 --policy dmdas --engine "$engine" --validate > "$log" 2>&1 ||
		fail "a run with the engine $engine"
done
simulate='import tilewright as tw; print(tw.Scene("mirage", "cholesky:nt=4").run("dmdas", engine="simgrid").tasks.end_s.max())'
[[ $(clean "$venv/bin/python" -c "$simulate") == "0.081513173" ]] || fail "a run from Python"
mv "$source.away" "$source"
mv "$build.away" "$build"
echo "pip install gives the package, the command, its modules and platforms"
