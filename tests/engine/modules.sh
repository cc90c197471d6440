#!/usr/bin/env bash
# SimGrid, igraph and hwloc are loaded when a command needs them. If they cannot be loaded, one line says so, and
# everything else works.
#
#     tests/engine/modules.sh TILEWRIGHT LIBTILEWRIGHT-PRIVATE.so
set -euo pipefail

tilewright=$1 library=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
small=(run --workload cholesky:nt=2 --policy dmdas --platform mirage)

fail() {
	echo "modules: $1"
	exit 1
}

maps() { # LIBRARY COMMAND...: does the command load it?
	LD_DEBUG=files "$tilewright" "${@:2}" 2>&1 | grep -a "$1" > /dev/null
}

for none in 'libsimgrid|libns3|tilewright-simgrid' 'libigraph|liblapack|libstdc|tilewright-measures' \
	'libhwloc|libudev|tilewright-hwloc'; do
	for command in --version 'list engines' "${small[*]} --engine native" "export --workload cholesky:nt=2 -o $place/graph.dot"; do
		read -ra words <<< "$command"
		! maps "${none//|/\\|}" "${words[@]}" || fail "'$command' loads one of $none"
	done
done
maps libsimgrid "${small[@]}" --engine simgrid || fail "a run with the engine simgrid does not load SimGrid"
maps libhwloc platform detect -o "$place/mine" || fail "the platform of this machine does not load hwloc"
maps libigraph describe cholesky:nt=2 || fail "a description does not load igraph"

# A copy that finds modules beside its library but cannot open them.
mkdir -p "$place/src"
cp "$tilewright" "$place/tilewright"
cp "$library" "$place/src/$(readelf -d "$library" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')"
touch "$place"/src/tilewright-{simgrid,measures,hwloc}.so
copy() {
	LD_LIBRARY_PATH=$place/src "$place/tilewright" "$@"
}

refuses() { # MESSAGE COMMAND...
	local status=0
	copy "${@:2}" > "$place/out" 2> "$place/err" || status=$?
	if [[ $status != 2 || -s $place/out || $(wc -l < "$place/err") != 1 ]] || ! grep -q "$1" "$place/err"; then
		cat "$place/out" "$place/err"
		fail "'${*:2}' ends with status $status: expected 2, and one line with '$1'"
	fi
}

refuses "tilewright-simgrid.so: no engine 'simgrid': .*file too short" "${small[@]}" --engine simgrid
refuses 'tilewright-measures.so: no measures of graphs: .*file too short' describe cholesky:nt=2
refuses 'tilewright-hwloc.so: no description of machines: .*file too short' platform detect -o "$place/other"
copy list engines | grep -q '^simgrid ' || fail "the engine simgrid is not listed without its module"
copy "${small[@]}" --engine native > /dev/null || fail "the engine native does not run without SimGrid"

# A module of another version, with a library for it: the library's name has the version.
version=$("$tilewright" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+')
other=${version//[0-9]/9}
LC_ALL=C sed "s/$version\x00/$other\x00/g" "$(dirname "$library")/tilewright-simgrid.so" > "$place/src/tilewright-simgrid.so"
ln -s "libtilewright-private.so.$version" "$place/src/libtilewright-private.so.$other"
refuses "no engine 'simgrid': the module has version $other: expected $version" "${small[@]}" --engine simgrid
