#!/usr/bin/env bash
# The cost of a simulation with each engine: millions of instructions of the whole process (parent and child
# together), and CPU seconds. The fastest of several pairs of runs counts.
#
#     tests/bench/engines.sh TILEWRIGHT
set -euo pipefail

tilewright=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

simulate() { # ENGINE NT
	"${@:3}" "$tilewright" run --platform mirage --workload "cholesky:nt=$2" --policy dmdas --engine "$1" --format csv > "$place/row"
}

# Write and reset the counts before the fork; otherwise the child's include the parent's.
count() { # ENGINE NT
	rm -f "$place"/*.out*
	simulate "$1" "$2" valgrind --quiet --tool=callgrind --trace-children=yes --dump-before=fork \
		--callgrind-out-file="$place/%p.out" 2> "$place/log" || {
		cat "$place/log"
		exit 1
	}
	cat "$place"/*.out* | awk '/^(totals|summary):/ { total[$1] += $2 } END { printf "%.1f", (total["totals:"] ? total["totals:"] : total["summary:"]) / 1e6 }'
}

cpu_s() { # ENGINE NT
	local TIMEFORMAT='%U %S'
	{ time simulate "$1" "$2"; } 2>&1 | awk '{ print $1 + $2 }'
}

if command -v valgrind > /dev/null; then
	printf '%-8s %4s %12s\n' engine nt 'instructions'
	for run in native:80 native:30 simgrid:30; do
		printf '%-8s %4d %10s M\n' "${run%:*}" "${run#*:}" "$(count "${run%:*}" "${run#*:}")"
	done
else
	echo "engines: no valgrind: instructions are not counted"
fi

least=(1e9 1e9)
for _ in 1 2 3 4 5; do
	pair=("$(cpu_s native 80)" "$(cpu_s simgrid 80)")
	for i in 0 1; do
		least[i]=$(awk -v a="${least[i]}" -v b="${pair[i]}" 'BEGIN { print a < b ? a : b }')
	done
done
awk -v n="${least[0]}" -v s="${least[1]}" 'BEGIN { printf "nt=80, CPU seconds: native %.3f, simgrid %.3f, ratio %.3f\n", n, s, n / s }'
