#!/usr/bin/env bash
# On a terminal, a sweep shows a progress bar.
#
#     tests/sweep/terminal.sh TILEWRIGHT
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
