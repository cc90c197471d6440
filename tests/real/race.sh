#!/bin/bash
# The thread sanitizer finds an intentional race between two kernels.
#
#     tests/real/race.sh TILEWRIGHT PLUGINS
#
# The sanitizer understands the engine's synchronisation, because it uses C11 atomics. BLAS is not instrumented, but
# runs in the calling thread. So no suppressions are needed. A report makes a run's process end with status 66, so the
# run fails.
set -eu

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

run=("$1" run --engine real --workload cholesky:nt=6:nb=32 --policy eager --emulate gpus=1:mem=1MiB:bandwidth=2GB/s --format csv)
export TILEWRIGHT_KERNELS=$2/hostile_good.so TSAN_OPTIONS=halt_on_error=1:exitcode=66:atexit_sleep_ms=0

# The run may say that other programs have the cores.
if ! HOSTILE=none "${run[@]}" > /dev/null 2> "$place/log" || grep -v 'threads lost their cores' "$place/log"; then
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
