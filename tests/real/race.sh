#!/bin/bash
# A race between two kernels, planted, is found by the thread sanitizer.
#
#     tests/real/race.sh TILEWRIGHT PLUGINS
#
# The sanitizer knows the engine's own hand-overs, since they are C11 atomics, and the BLAS, which it has not compiled, runs in
# the thread that calls it: nothing has to be suppressed. A report in a run's process makes it end with status 66, so the run
# fails.
set -eu

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

run=("$1" run --engine real --workload cholesky:nt=6:nb=32 --policy eager --emulate gpus=1:mem=1MiB:bandwidth=2GB/s --format csv)
export TILEWRIGHT_KERNELS=$2/hostile_good.so TSAN_OPTIONS=halt_on_error=1:exitcode=66:atexit_sleep_ms=0

if ! HOSTILE=none "${run[@]}" > /dev/null 2> "$place/log" || [[ -s $place/log ]]; then
	cat "$place/log"
	echo "race: reports without a race"
	exit 1
fi
if HOSTILE=race "${run[@]}" > /dev/null 2> "$place/log"; then
	echo "race: the planted race is not found"
	exit 1
fi
grep -q 'WARNING: ThreadSanitizer: data race' "$place/log"
grep -q hostile_kernels.c "$place/log"
echo "race: found"
