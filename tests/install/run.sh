#!/usr/bin/env bash
# Is an installed copy all that somebody needs? Builds and installs a copy of the source tree, deletes it, and builds and runs
# examples/policy, eviction, workload and program with nothing but the installed files and pkg-config.
#
# With PYTHON that has meson-python, wheel.sh checks first what `pip install` builds of the copy. Most objects are the same.
#
#     tests/install/run.sh SOURCE MESON PYTHON
set -euo pipefail

source=$1 meson=$2 python=$3
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
prefix=$place/prefix
log=$place/log

fail() {
	echo "FAILED: $1"
	[[ ! -f $log ]] || tail -n 30 "$log"
	exit 1
}

# The command finds platforms in the source tree that it was built from: this copy must be gone when it runs.
mkdir "$place/source"
tar -C "$source" --exclude='./build*' --exclude=./.git -cf - . | tar -C "$place/source" -xf -
if "$python" -c 'import mesonpy, pandas, pip, venv' 2> /dev/null; then
	bash "${BASH_SOURCE[0]%/*}/wheel.sh" "$place/source" "$place/build" "$place/venv" "$python"
	"$meson" configure -Dwheel=false -Dprefix="$prefix" "$place/build" > "$log" 2>&1 || fail "meson configure"
else
	echo "pip install is not checked: $python lacks one of: mesonpy pandas pip venv"
	"$meson" setup --prefix="$prefix" -Dbuildtype=plain "$place/build" "$place/source" > "$log" 2>&1 || fail "meson setup"
fi
# The target `usable` is all that is installed; without --no-rebuild, meson would build the tests as well.
ninja -C "$place/build" usable > "$log" 2>&1 || fail "ninja usable"
"$meson" install -C "$place/build" --no-rebuild > "$log" 2>&1 || fail "meson install"
for kind in policy eviction workload program; do
	cp -r "$source/examples/$kind" "$place/$kind"
done
rm -rf "$place/source" "$place/build"

# Nothing of the caller's environment, the test runner's least of all.
pc=$(find "$prefix" -name tilewright.pc)
[[ -n $pc ]] || fail "tilewright.pc is not installed"
clean() {
	env -i PATH=/usr/bin:/bin HOME="$place" PKG_CONFIG_PATH="$(dirname "$pc")" "$@"
}
tilewright=$prefix/bin/tilewright

for header in "$source"/include/tilewright/*.h; do
	[[ -f $prefix/include/tilewright/${header##*/} ]] || fail "${header##*/} is not installed"
done
for file in man/man1/tilewright.1 bash-completion/completions/tilewright tilewright/platforms/mirage/platform.xml \
	tilewright/platforms/mirage/kernels.csv; do
	[[ -s $prefix/share/$file ]] || fail "share/$file is not installed"
done

for kind in policy eviction workload program; do
	clean make -C "$place/$kind" > "$log" 2>&1 || fail "examples/$kind: make"
done
cp "$place"/eviction/my_eviction.so "$place"/workload/my_workload.so "$place/policy"

cd "$place/policy"
clean "$tilewright" --version > "$log" 2>&1 || fail "tilewright --version"
platforms=$(cd "$source/platforms" && printf '%s\n' */ | tr -d / | LC_ALL=C sort)
[[ $(clean "$tilewright" list platforms --names 2>&1) == "$platforms" ]] ||
	fail "the installed command finds other platforms than there are"

rm my_policy.so
# The line that README.md gives.
# shellcheck disable=SC2016
clean sh -c 'cc -shared -fPIC $(pkg-config --cflags tilewright) -o my_policy.so my_policy.c' > "$log" 2>&1 ||
	fail "examples/policy: cc"

# The Python package, which the interpreter of the system finds where meson puts it.
packages=$(dirname "$(find "$prefix" -path '*-packages/tilewright' -type d)")
clean env PYTHONPATH="$packages" python3 -c 'import tilewright as tw; print(tw.__version__)' > "$log" 2>&1 || fail "import tilewright"
[[ "tilewright $(< "$log")" == "$(clean "$tilewright" --version)" ]] || fail "the Python package has another version"
simulate='import tilewright as tw; print(tw.Scene("mirage", "cholesky:nt=4").run("dmdas", engine="simgrid", records=False).makespan)'
[[ $(clean env PYTHONPATH="$packages" python3 -c "$simulate") == "0.081513173" ]] || fail "a run from Python"
[[ $(clean env PYTHONPATH="$packages" python3 -m tilewright --version) == "$(clean "$tilewright" --version)" ]] ||
	fail "python3 -m tilewright"

# Programs of one's own: the simulation gets what the command prints, and graph and policy run.
clean "$place/program/own_graph" > "$log" 2>&1 || fail "examples/program: own_graph"
[[ $(wc -l < "$log") == 26 && $(< "$log") == "eager: "*"dmda: "*" encode 4" ]] || fail "own_graph does not print two schedules"
clean "$place/program/own_policy" > "$log" 2>&1 || fail "examples/program: own_policy"
[[ $(wc -l < "$log") == 4 && $(< "$log") == "dmda "*"near "* ]] || fail "own_policy does not print four runs"
clean "$place/program/simulation" > "$log" 2>&1 || fail "examples/program: simulation"
clean "$tilewright" run --platform mirage --workload cholesky:nt=12 --policy dmdas --engine native --gpu-mem 100MiB \
	--format json > row 2>&1 || fail "a run to compare it with"
rate=$(python3 -c 'import json; print("%.1f" % json.load(open("row"))[0]["gflops"])')
[[ $(wc -l < "$log") == 5 && $(tail -n 1 "$log") == "100 "*" $rate" ]] || fail "the program does not get $rate GFlop/s, as the command does"

clean "$tilewright" run --platform mirage --workload cholesky:nt=8 --policy ./my_policy.so:slower=5 --validate \
	--format csv > "$log" 2>&1 || fail "a run with the policy"
grep -q '^mirage,cholesky:nt=8,./my_policy.so:slower=5,.*,true,ok,' "$log" || fail "the run's schedule is not validated"
clean "$tilewright" run --platform mirage --workload ./my_workload.so:n=20 --policy ./my_policy.so --eviction ./my_eviction.so \
	--gpu-mem 100MB --validate --format csv > "$log" 2>&1 || fail "a run with three plug-ins"
grep -q '^mirage,./my_workload.so:n=20,./my_policy.so,./my_eviction.so,.*,true,ok,' "$log" || fail "their schedule is not validated"

# Without SimGrid's module other engines work, and a line says what is missing.
small=(run --platform mirage --workload cholesky:nt=2 --policy dmdas)
module=$(find "$prefix" -name tilewright-simgrid.so)
clean "$tilewright" export --workload cholesky:nt=2 -o graph.graphml > "$log" 2>&1 || fail "an export to GraphML"
clean "$tilewright" describe cholesky:nt=2 > "$log" 2>&1 || fail "a description of a graph"
rm "$module"
clean "$tilewright" "${small[@]}" --engine native > "$log" 2>&1 || fail "a run without SimGrid's module"
! clean "$tilewright" "${small[@]}" --engine simgrid > "$log" 2>&1 || fail "the engine simgrid runs without its module"
[[ $(wc -l < "$log") == 1 && $(< "$log") == *"no engine 'simgrid': "*'No such file'* ]] || fail "the error without SimGrid's module"
echo "an installed copy builds and runs a policy, an eviction policy, a workload and programs of one's own"
