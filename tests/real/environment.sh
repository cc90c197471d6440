#!/bin/bash
# The real engine in a bad environment: each command ends in time, with the right exit status and a line that gives
# the reason.
#
#     tests/real/environment.sh TILEWRIGHT PLUGINS
#
# PLUGINS is the folder with the plug-ins made from hostile_kernels.c.
set -u

tilewright=$(realpath "$1")
plugins=$(realpath "$2")
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
unset TILEWRIGHT_KERNELS HOSTILE HWLOC_SYNTHETIC HWLOC_XMLFILE HWLOC_THISSYSTEM
export LC_ALL=C
# Otherwise a sanitizer ends the process before the engine can print a message.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:allocator_may_return_null=1:handle_segv=0:handle_abort=0
export TSAN_OPTIONS=${TSAN_OPTIONS-}:allocator_may_return_null=1:handle_segv=0:atexit_sleep_ms=0
sanitized=no
if nm -D "$tilewright" "$(dirname "$tilewright")"/src/libtilewright.so 2> /dev/null | grep -qE '__[at]san_init'; then
	sanitized=yes
fi
total=0 failures=0

run=("$tilewright" run --engine real:patience=0.3s --workload cholesky:nt=6:nb=32 --policy dmdas --format csv)
emulated=(--emulate gpus=2:mem=1MiB:bandwidth=2GB/s)

# expect WHAT STATUS EXPRESSION COMMAND...: the expression matches a line of standard error; "": it is empty.
expect() {
	local what=$1 status=$2 expression=$3 got why=
	shift 3
	total=$((total + 1))
	timeout -k 1 60 "$@" > stdout 2> stderr < /dev/null
	got=$?
	[[ $got == "$status" ]] || why="exit status $got, expected $status"
	if [[ -n $expression ]]; then
		grep -qE "$expression" stderr || why="$why; no line: $expression"
	elif grep -qv 'warning:' stderr; then
		why="$why; there are errors"
	fi
	sed -i '/^==[0-9]*==WARNING: [A-Za-z]*Sanitizer failed to allocate/d' stderr
	if grep -qv '^tilewright: ' stderr; then
		why="$why; lines that are not the command's"
	fi
	if [[ -n $why ]]; then
		failures=$((failures + 1))
		printf '%s: %s\n' "$what" "${why#; }"
		head -n 8 stderr | sed 's/^/    /'
	fi
}

# hostile HOW STATUS EXPRESSION [OPTION...]
hostile() {
	local how=$1 status=$2 expression=$3
	shift 3
	expect "kernels: $how" "$status" "$expression" env HOSTILE="$how" TILEWRIGHT_KERNELS="$plugins/hostile_good.so" "${run[@]}" "$@"
}

# --- kernels -------------------------------------------------------------------------------------------------------

given=(--platform mirage --workload cholesky:nt=6:nb=960 --cpus 1 --gpus 0) # its kernels have times, so none is measured
timed=(--engine real:mode=timed:patience=0.3s:stretch=0.01)

hostile fine 0 ''
hostile code 1 "kernel 'potrf' of task 0 on worker 'CPU[01]' returned 42, while kernels were timed"
hostile code 1 "kernel 'potrf' of task 0 on worker 'CPU0' returned 42" "${given[@]}"
hostile code 1 "kernel 'potrf' of task 0 returned 42" "${given[@]}" "${timed[@]}"
hostile 'late code' 1 "kernel '[a-z]*' of task 5 on worker 'CPU0' returned 42" "${given[@]}"
hostile segv 1 "process( that times kernels)? was ended by signal 11 \(Segmentation fault\)"
hostile segv 1 "process( that times kernels)? was ended by signal 11 \(Segmentation fault\)" "${given[@]}"
hostile kill 1 "process was ended by signal 9 \(Killed\)" "${given[@]}"
hostile exit 1 "process ended without a result \(exit status 0\)" "${given[@]}"
hostile sleep 1 "the run waits for task 0 \(potrf\) on worker 'CPU[01]', submitted at .* s, while kernels were timed"
hostile loop 1 "the run waits for task 0 \(potrf\) on worker 'CPU[01]', submitted at .* s, while kernels were timed"
hostile sleep 1 "the run waits for task 0 \(potrf\) on worker 'CPU0'" "${given[@]}"
hostile loop 1 "the run waits for task 0 \(potrf\) on worker 'CPU0'" "${given[@]}"
small=("${given[@]}" --workload cholesky:nt=6:nb=320) # the watchdog waits for 100 times the longest kernel
hostile 'late sleep' 1 "the run waits for task 5 \(trsm\) on worker 'CPU0'" "${small[@]}" # other kernels were rehearsed
hostile 'late loop' 1 "the run waits for task 5 \(trsm\) on worker 'CPU0'" "${small[@]}"
hostile sleep 1 "kernel 'potrf' of task 0 has not returned" "${given[@]}" "${timed[@]}"
hostile 'serial sleep' 1 "task 0 \(potrf\) of a serial run has not returned" "${given[@]}" "${timed[@]}"
hostile refuse 2 'these kernels are for nobody'
hostile wrong 1 'these numbers are wrong'
hostile workspace 1 'out of memory'
if [[ $sanitized == no ]]; then
	hostile 'fill hangs' 1 'the run waits for the initial content of data [0-9]* on worker' --engine real:patience=0.1s
	run=(bash -c 'ulimit -v 2000000; exec "$@"' - "${run[@]}")
	hostile eat 1 "kernel 'potrf' of task 0 on worker 'CPU[01]' returned 12" --engine real:patience=50s
	run=("${run[@]:4}")
fi

# --- the plug-in ---------------------------------------------------------------------------------------------------

expect 'no plug-in' 1 'none.so: no plug-in with real kernels' env TILEWRIGHT_KERNELS="$place/none.so" "${run[@]}"
expect 'a folder' 1 'no plug-in with real kernels' env TILEWRIGHT_KERNELS="$place" "${run[@]}"
head -c 100 "$plugins/hostile_good.so" > short.so
expect 'a short file' 1 'no plug-in with real kernels' env TILEWRIGHT_KERNELS="$place/short.so" "${run[@]}"
echo nonsense > nonsense.so
expect 'no library' 1 'no plug-in with real kernels' env TILEWRIGHT_KERNELS="$place/nonsense.so" "${run[@]}"
expect 'another interface' 1 'kernels for interface [0-9]+ of [0-9]+ bytes: expected [0-9]+ of [0-9]+' \
	env TILEWRIGHT_KERNELS="$plugins/hostile_other_abi.so" "${run[@]}"
expect 'no table' 1 'no kernels: expected a table' env TILEWRIGHT_KERNELS="$plugins/hostile_no_table.so" "${run[@]}"
expect 'a kernel is missing' 2 "kernel 'gemm' has no real kernel" \
	env TILEWRIGHT_KERNELS="$plugins/hostile_no_kernels.so" "${run[@]}"
expect 'a function is missing' 1 'expected codelets with run, open, fill and check' \
	env TILEWRIGHT_KERNELS="$plugins/hostile_no_fill.so" "${run[@]}"

# --- the machine ---------------------------------------------------------------------------------------------------

run[3]=real # kernels that compute need more patience
expect 'one core' 0 '' taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "${run[@]}" "${emulated[@]}"
# Other programs take the cores.
spinners=()
for _ in $(seq $((3 * $(nproc)))); do
	while :; do :; done &
	spinners+=($!)
done
expect 'busy cores' 0 "policy 'dmdas', workload '.*': threads lost their cores for [0-9]+ % of the time in kernels" \
	"${run[@]}" --engine real --workload cholesky:nt=8:nb=512 --check none
kill "${spinners[@]}"
wait "${spinners[@]}" 2> /dev/null
expect 'no standard input' 0 '' bash -c 'exec "$@" <&-' - "${run[@]}"
expect 'another machine' 0 '' env HWLOC_SYNTHETIC='pack:1 core:2 pu:1' "${run[@]}" "${emulated[@]}"
grep -q 'workers are not bound to cores' stderr || { echo 'another machine: no warning'; failures=$((failures + 1)); }
expect 'a machine that is none' 2 'hwloc cannot read it' env HWLOC_SYNTHETIC=nonsense "${run[@]}"
expect 'no such machine' 2 'No such file' env HWLOC_XMLFILE="$place/none.xml" "${run[@]}"
expect 'full output' 1 "cannot be written: No space left on device" "${run[@]}" --output /dev/full
ln -s /dev/full full.json
expect 'full trace' 1 "full.json: cannot be written: No space left on device" "${run[@]}" --trace full.json
expect 'no folder for the trace' 2 'cannot be written' "${run[@]}" --trace none/trace.json
if unshare -rm true 2> /dev/null; then
	expect 'no /proc/meminfo' 0 '' unshare -rm bash -c 'mount --bind /dev/null /proc/meminfo; exec "$@"' - "${run[@]}"
fi
if [[ $sanitized == no ]]; then # sanitizers need the address space
	for kib in 400000 700000 1000000; do
		# BLAS retries for ever to get its memory.
		# shellcheck disable=SC2016
		expect "$kib KiB" 1 'Cannot allocate memory|out of memory: .*ulimit -v|\(ulimit -v allows' \
			bash -c 'ulimit -v "$0"; exec "$@"' "$kib" "${run[@]}" --engine real:patience=1s --emulate gpus=1:mem=2GiB:bandwidth=1GB/s
	done
fi

# The superuser has no limit of threads.
chmod 755 "$place"
other=(setpriv --reuid=54321 --clear-groups)
if "${other[@]}" "$tilewright" --version > /dev/null 2>&1; then
	for threads in 3 4; do
		# shellcheck disable=SC2016
		expect "$threads threads" 1 "no thread for .*\(ulimit -u allows $threads processes and threads\)" \
			bash -c 'ulimit -u "$0"; exec "$@"' "$threads" "${other[@]}" "${run[@]}" --gpus 0
	done
fi

echo "$total commands, $failures failed"
[[ $failures == 0 ]]
