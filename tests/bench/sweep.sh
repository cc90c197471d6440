#!/usr/bin/env bash
# The cost of a sweep. Runs the same points with the engines native and simgrid alternately. Prints the processor time
# of each sweep with all its processes, and the ratio.
#
#     tests/bench/sweep.sh TILEWRIGHT [POINTS [PAIRS]]   (400 points, 3 pairs)
set -euo pipefail

tilewright=$(realpath "$1") points=${2-400} pairs=${3-3}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

TIMEFORMAT='%U %S %R'
cost() { # ENGINE OPTION...
	rm -f rows.csv
	{ time "$tilewright" sweep --platform mirage --workload cholesky:nt=20 --policy eager,lws,dmda,dmdas --repeat $(((points + 3) / 4)) \
		--jobs 2 --quiet --output rows.csv --engine "$@"; } 2>&1
}
printf '%-12s %-10s %10s %10s %10s %12s\n' noise engine user_s system_s wall_s of_simgrid
for noise in 0 0.02; do
	for ((i = 0; i < pairs; i++)); do
		simgrid=$(cost simgrid --noise $noise)
		native=$(cost native --noise $noise)
		awk -v noise=$noise -v s="$simgrid" -v n="$native" 'BEGIN {
			split(s, a, " "); split(n, b, " ")
			printf "%-12s %-10s %10.2f %10.2f %10.2f\n", noise, "simgrid", a[1], a[2], a[3]
			printf "%-12s %-10s %10.2f %10.2f %10.2f %12.2f\n", noise, "native", b[1], b[2], b[3], (b[1] + b[2]) / (a[1] + a[2]) }'
	done
done
