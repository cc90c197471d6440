#!/usr/bin/env bash
# With too little memory for GLPK or igraph, the command leaves out a bound or a measure, and says so. It prints the
# others, and nothing aborts.
#
#     tests/bounds/memory.sh TILEWRIGHT
set -euo pipefail

tilewright=$(realpath "$1")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
export OPENBLAS_NUM_THREADS=1 # igraph's; with more threads it may never return without memory

# Runs the command with at most so many KiB of address space. Fails if a signal ends the command.
within() { # KIB WORD...
	local status=0
	(ulimit -v "$1" && exec "$tilewright" "${@:2}") > out 2> log || status=$?
	((status < 126)) || [[ $(cat log) == *'loading shared libraries'* || $(cat log) == *'initial thread'* ]] ||
		{ echo "$*: exit status $status: $(cat log)" >&2; exit 1; }
	return $status
}

# Prints the least KiB with which the command ends well.
least() { # WORD...
	local low=1000 high=4000000
	while ((high - low > 50)); do
		if within $(((low + high) / 2)) "$@"; then
			high=$(((low + high) / 2))
		else
			low=$(((low + high) / 2))
		fi
	done
	echo $high
}

# From the least memory on, each line stands there with its value, or the bound is said to be left out. Addresses are
# random, so a run with a little more memory may still have too little; it says so.
check() { # STEP LINES NAME WORD...
	local from lines=$2 name=$3 left_out=0 i
	from=$(least "${@:4}")
	for ((i = 0; i < 10; i++)); do
		if ! within $((from + i * $1)) "${@:4}"; then
			grep -qE 'memory|loading shared libraries|initial thread' log || { echo "${*:4}: $(cat log)"; exit 1; }
			continue
		fi
		[[ $(wc -l < out) -ge $lines ]] || { echo "${*:4}: $(wc -l < out) lines: $(cat log)"; exit 1; }
		if grep -qE "^tilewright: warning: the $name .*left out: .*memory" log; then
			left_out=$((left_out + 1))
		elif [[ -s log ]]; then
			echo "${*:4}: $(cat log)"
			exit 1
		fi
	done
	((left_out > 0)) || { echo "${*:4}: never left out, from $from KiB on"; exit 1; }
	echo "${*:4}: from $from KiB on, left out $left_out times"
}

check 50 10 "bound '(area with critical path|iterative|MILP)'" bounds --platform mirage --workload cholesky:nt=6
check 200 20 'largest antichain' describe --workload cholesky:nt=40
