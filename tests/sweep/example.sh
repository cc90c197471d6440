#!/usr/bin/env bash
# Tests scripts/example-sweep with small matrices: all runs, four figures, a table. A second call runs nothing. Exit status 77
# (skipped): gnuplot is not installed.
#
#     tests/sweep/example.sh TILEWRIGHT ROOT
set -euo pipefail

tilewright=$(realpath "$1")
root=$(realpath "$2")
command -v gnuplot > /dev/null || exit 77
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

fail() {
	echo "$*"
	exit 1
}

"$tilewright" sweep "$root/examples/sweep/plan.ini" --output none.csv --dry-run 2> /dev/null > points
[[ $(wc -l < points) == 540 ]] || fail "the plan has $(wc -l < points) points: expected 3 x 6 x 3 x 10"

"$root/scripts/example-sweep" --tilewright "$tilewright" --small --jobs 2 -o out > table
grep -q '^results  out/results.csv: 108 runs, 54 points$' table || fail "no 108 runs: $(cat table)"
[[ $(grep -cE '^(eager|dmdas|darts) .* ± ' table) == 9 ]] || fail "no 9 rows: $(cat table)"

# Expected plots: three series and their error bars, with two, three and two lines for comparison. The last figure has
# three panels with three series, error bars and a bound each, and the four entries of a legend.
expect() { # FIGURE PLOTS TEXT...
	local figure=out/$1.svg plots=$2 text
	grep -q "^figure   $figure\$" table || fail "the table does not name $figure"
	[[ $(grep -c 'id="gnuplot_plot_' "$figure") == "$plots" ]] || fail "$figure has $(grep -c 'id="gnuplot_plot_' "$figure") lines, not $plots"
	for text in "${@:3}"; do
		grep -q "$text" "$figure" || fail "$figure does not say '$text'"
	done
}
expect performance 8 'performance (GFlop/s)' 'working set' eager dmdas darts 'bound (area, path)' 'peak of gemm' 'fits 1 x 100 MiB'
expect transfers 9 'transferred data (GB)' 'working set' eager dmdas darts 'bus limit' 'compulsory loads' 'leading term'
expect memory 8 'performance (GFlop/s)' 'memory of a GPU (MiB)' eager dmdas darts 'bound (area, path)'
expect ratio 25 'makespan / lower bound' 'working set' '>100 MiB a GPU' '>200 MiB a GPU' '>eager<' '>darts<'

cp out/results.csv before.csv
"$root/scripts/example-sweep" --tilewright "$tilewright" --small -o out > again
cmp before.csv out/results.csv
cmp table again

# User errors give one line.
touch file
for words in "--tilewright ./none -o out" "--tilewright $tilewright -o file"; do
	status=0
	# shellcheck disable=SC2086 # words
	"$root/scripts/example-sweep" --small $words 2> log || status=$?
	[[ $status == 2 && $(wc -l < log) == 1 ]] || fail "$words: exit status $status: $(cat log)"
	grep -q '^example-sweep: .*: .' log || fail "$words: $(cat log)"
done
