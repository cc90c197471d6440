#!/usr/bin/env bash
# On a terminal, a sweep shows a progress bar, and a long run a line.
#
#     tests/sweep/terminal.sh TILEWRIGHT HANGS.so   (tests/cases/plugins)
#
# Exit status 77 (skipped): this machine has no pseudo-terminals.
set -euo pipefail

tilewright=$(realpath "$1")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

if ! script -qec true /dev/null > log 2>&1; then
	echo "skipped: no pseudo-terminal: $(cat log)" >&2
	exit 77
fi
script -qec "$tilewright sweep --platform mirage --workload cholesky --nt 2:20 --policy eager --output r.csv" /dev/null > log
tr '\r' '\n' < log | grep -aE '\[\.+\] 0 of 19 points, 0 failed, 0\.0 a second' > bars
[[ $(wc -l < r.csv) == 20 ]]

# A run shows a line once it has taken two seconds, and removes it.
cp "$2" hangs.so
script -qec "$tilewright run --platform mirage --workload cholesky:nt=4 --policy eager,./hangs.so --time-limit 3s --output r.json" /dev/null > log || true
tr '\r' '\n' < log | grep -aE 'run 2 of 2: 0 of 20 tasks done, date 2e-06 s, [23] s' > lines
grep -aqP '\r\x1b\[Ktilewright: policy .*: the run failed: stopped after 3 s' log
# Not before, not elsewhere.
script -qec "$tilewright run --platform mirage --workload cholesky:nt=4 --policy eager,./hangs.so --time-limit 1s --output r.json" /dev/null > log || true
[[ $(grep -ac 'tasks done, date' log) == 0 ]]
"$tilewright" run --platform mirage --workload cholesky:nt=4 --policy ./hangs.so --time-limit 3s --output r.json 2> log || true
[[ $(wc -l < log) == 1 ]]
