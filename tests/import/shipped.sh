#!/usr/bin/env bash
# Imports StarPU's sampling directory and compares with the shipped platforms that come from it. A malformed model there is reported
# and does not affect others. Exit status 77 (skipped): the package starpu-examples, which has that directory, is not installed.
#
# Also checks gemini, if $TILEWRIGHT_REFERENCE or REFERENCE has its measurements.
#
#     tests/import/shipped.sh TILEWRIGHT PLATFORMS REFERENCE
set -euo pipefail

tilewright=$(realpath "$1") platforms=$2 reference=${TILEWRIGHT_REFERENCE:-$3}/gemini-v100
sampling=/usr/share/starpu/perfmodels/sampling
if [[ ! -d $sampling ]]; then
	echo "skipped: no $sampling (package starpu-examples)"
	exit 77
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

failed=0
fail() {
	echo "$*"
	failed=1
}

rows() { grep -v '^#' "$1/kernels.csv" | sort; }
# Compares workers, memories, routes and all kernel times. The names of links differ.
node() {
	"$tilewright" platform show "$1" | awk '/^(shared links|kernel times)/ {rest = 1} /^routes/ {routes = 1}
		NR > 1 && !rest {print routes ? $1 " " $2 " " $3 " " $4 : $0}'
}

for name in mirage sirocco idgraf attila hannibal; do
	arch=$(sed -n 's/.*<prop id="arch" value="\([^"]*\)".*/\1/p' "$platforms/$name/platform.xml" | grep -v '^cpu$' | head -n 1)
	devices=apart
	[[ $arch == *-0 ]] || devices=merged
	status=0
	"$tilewright" import "starpu:$name:dir=$sampling:models=known:gpu=${arch%-0}:devices=$devices" -o "$name" 2> "$name.err" || status=$?
	expected=0
	if [[ $name == idgraf ]]; then
		expected=1
		grep -q 'starpu_dlu_lu_model_22\.idgraf:274: .*left out' idgraf.err || fail "idgraf: the malformed model is not told"
	fi
	[[ $status == "$expected" ]] || fail "$name: exit status $status, expected $expected: $(cat "$name.err")"
	diff <(rows "$platforms/$name") <(rows "$name") || fail "$name: other kernel times are shipped"
	diff <(node "$platforms/$name/") <(node "./$name") || fail "$name: another node is shipped"
	for policy in eager dmdas; do
		for platform in "$platforms/$name/" "./$name"; do
			"$tilewright" run --platform "$platform" --workload cholesky:nt=8 --policy "$policy" --validate --format csv |
				tail -n 1 | cut -d, -f 14-25
		done | uniq | wc -l | grep -qx 1 || fail "$name: $policy differs"
	done
done
"$tilewright" import "starpu:hannibal-pitch:dir=$sampling" -o hannibal-pitch 2> /dev/null || fail "hannibal-pitch cannot be imported"

# gemini-starpu: links and routes are from the measurements of one host, kernel times from three hosts.
if [[ -d $reference ]]; then
	for host in fgcs cho_dep lu_sans_cusolver; do
		"$tilewright" import "starpu:gemini-1-$host:dir=$reference:models=known:gpu=v100" -o "gemini-$host" 2> /dev/null ||
			fail "gemini-1-$host cannot be imported"
	done
	diff <(node "$platforms/gemini-starpu/" | grep -v '^runtime parameters') <(node ./gemini-fgcs) || fail "gemini-starpu: another node is shipped"
	diff <(node "$platforms/gemini/") <(node "$platforms/gemini-starpu/") || fail "gemini: copies alone differ from those of gemini-starpu"
	cmp "$platforms/gemini/kernels.csv" "$platforms/gemini-starpu/kernels.csv" || fail "gemini-starpu: other kernel times than gemini"
	cut -d, -f1-8 gemini-*/kernels.csv > imported # without notes, as some of those shipped caution
	while read -r row; do
		grep -qxF -e "$row" imported || fail "gemini: not imported: $row"
	done < <(rows "$platforms/gemini" | cut -d, -f1-8)
else
	echo "gemini is left out: no $reference"
fi
[[ $failed == 0 ]] && echo "5 platforms are as imported"
exit "$failed"
