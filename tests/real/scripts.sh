#!/usr/bin/env bash
# scripts/real runs, on small graphs, and tells how it ended. Its targets are for an idle machine: here none counts.
# Usage: scripts.sh SCRIPT TILEWRIGHT
set -euo pipefail
real=$1 tilewright=$2
failed=0

# A command with the exit status and a part of the output that it must have.
expect() { # status, regular expression, argument...
	local wanted=$1 pattern=$2 status=0 output
	shift 2
	output=$("$real" "$@" 2>&1) || status=$?
	if [[ $status != "$wanted" ]] || ! grep -qE -- "$pattern" <<< "$output"; then
		printf 'real %s: expected exit status %s and %s, got %s and:\n%s\n' "$*" "$wanted" "'$pattern'" "$status" "$output"
		failed=1
	fi
}

expect 0 'overhead' --help
for command in starpu timed overhead blas; do
	expect 0 "usage: real $command" "$command" --help
done
expect 2 'expected NAME:CPUS\+GPUS' timed --platforms mirage
expect 77 'skipped: no /nowhere/' starpu --starpu /nowhere
expect 0 '^heteroprio +[0-9.]+ +[0-9.]+ +2' overhead --runs 1 --nt 8 --require no --starpu /nowhere --tilewright "$tilewright"
expect 0 'within$' timed --runs 1 --orders 2 --stretch 1 --platforms synthetic:1+1 --policies dmdas --within 1e9 --bytes-within 1e9 \
	--workload cholesky:nt=3 --tilewright "$tilewright"
expect 0 '^[0-9.]+$' blas --n 100
expect 0 '^[0-9.]+$' blas --n 100 --routine getrf --precision d
exit $failed
