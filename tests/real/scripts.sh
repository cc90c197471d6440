#!/usr/bin/env bash
# The scripts of scripts/real run on small graphs, and report how they ended. Their targets assume an idle machine, so
# they are ignored here.
# Usage: scripts.sh SCRIPT TILEWRIGHT, with one of the scripts
set -euo pipefail
folder=$(dirname "$1") tilewright=$2
failed=0

# Runs a command, and checks its exit status and a part of its output.
expect() { # status, regular expression, script, argument...
	local wanted=$1 pattern=$2 script=$3 status=0 output
	shift 3
	output=$("$folder/$script" "$@" 2>&1) || status=$?
	if [[ ! $status =~ ^($wanted)$ ]] || ! grep -qE -- "$pattern" <<< "$output"; then
		printf '%s %s: expected exit status %s and %s, got %s and:\n%s\n' "$script" "$*" "$wanted" "'$pattern'" "$status" "$output"
		failed=1
	fi
}

for script in starpu timed overhead kernels openblas tiles live; do
	expect 0 "usage: $script" "$script" --help
done
expect 2 'expected one of cholesky, lu, qr, stencil' timed --families forkjoin
expect 2 'expected names' timed --policies ''
expect 1 'timed: exit status 2 of: ' timed --policies nobody --tilewright "$tilewright"
expect 77 'skipped: no /nowhere/' starpu --starpu /nowhere
expect 0 '^heteroprio_auto +[0-9.]+ +[0-9.]+ +2' overhead --runs 1 --nt 8 --require no --starpu /nowhere --tilewright "$tilewright"
# This target is checked: load on the machine changes no date.
expect 0 'of 12 points; 0 outside' timed --families cholesky --policies eager,lws --stretch 0.05 --repeat 1 --mean 0.1 --worst 1 --tilewright "$tilewright"
expect 0 '^qr +s +32 +tsmqr +[0-9.]+ +[0-9.]+ +[0-9.]+$' kernels --runs 1 --nt 4 --nb 32 --ib 16 --precisions s --require no --tilewright "$tilewright"
expect '0|77' '^(Mean error|not shown)' live --families cholesky --nt 4 --nb 32 --policies eager --time-limit 1s --repeat 1 --least 1 --mean 1e9 --worst 1e9 --tilewright "$tilewright"
expect 0 '^[0-9.]+$' openblas --n 100
expect 0 '^[0-9.]+$' openblas --n 100 --routine getrf --precision d
exit $failed
