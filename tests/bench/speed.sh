#!/usr/bin/env bash
# The speed of simulation. Each run is a whole process, from reading the platform to the result. Prints for each:
# tasks, transfers and evictions per task, wall seconds, tasks/s, microseconds per task, peak memory. Tiles of 960 at
# nt=150 are three times the GPUs' memory, with 1.7 transfers per task. Tiles of 320 fit, and show the cost of a task
# itself.
#
#     tests/bench/speed.sh TILEWRIGHT [--require]
#
# The fastest of three runs counts; the largest graph runs once. With --require the exit status is 1 if nt=80 has
# fewer tasks/s than the floors below. This is optional, because speeds depend on the machine and its other users.
set -euo pipefail

tilewright=$1 require=${2-}
declare -A floor=([ideal]=60000 [starpu]=40000) # tasks/s

value() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" <<< "$row"; }

slow=0
printf '%-8s %4s %4s %7s %10s %10s %8s %8s %8s %9s\n' runtime nb nt tasks transfers evictions wall_s tasks/s us/task peak_MiB
for runtime in ideal starpu; do
	for size in {320,960}:{20,40,80,150}; do
		nb=${size%:*} nt=${size#*:}
		tasks=$((nt * (nt + 1) * (nt + 2) / 6))
		best=
		for try in 1 2 3; do
			[[ $try == 1 || $nt -lt 150 ]] || break
			start=$EPOCHREALTIME
			row=$("$tilewright" run --platform mirage --workload "cholesky:nt=$nt:nb=$nb" --policy dmdas \
				--cpus 9 --gpus 3 --runtime "$runtime" --format json)
			end=$EPOCHREALTIME
			us=$((${end/./} - ${start/./}))
			[[ -n $best && $best -le $us ]] || best=$us
		done
		rate=$((tasks * 1000000 / best))
		awk -v r="$runtime" -v nb="$nb" -v nt="$nt" -v n="$tasks" -v t="$(value transfers)" -v e="$(value evictions)" \
			-v us="$best" -v rate="$rate" -v rss="$(value peak_rss_bytes)" 'BEGIN {
			printf "%-8s %4d %4d %7d %10.2f %10.2f %8.3f %8d %8.2f %9.1f\n",
				r, nb, nt, n, t / n, e / n, us / 1e6, rate, us / n, rss / 1048576 }'
		if [[ $size == 960:80 && $rate -lt ${floor[$runtime]} ]]; then
			echo "$runtime: $rate tasks/s are fewer than ${floor[$runtime]}"
			slow=1
		fi
	done
done
[[ $require != --require || $slow == 0 ]]
