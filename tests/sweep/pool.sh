#!/usr/bin/env bash
# Processes that make many rows each. If a process ends early, only its current point is lost. Rows do not depend on the number of
# processes, or on shared processes.
#
#     tests/sweep/pool.sh TILEWRIGHT [PRELOADED]   (PRELOADED: end_nth.c, built; without it that part is left out)
set -euo pipefail

command=$(realpath "$1")
preloaded=${2:+$(realpath "$2")}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

fail() {
	echo "$*"
	exit 1
}
points=("$command" sweep --platform mirage --policy "eager,lws,dmda,dmdas" --noise 0.02 --quiet)
sweep() { # FILE OPTION...
	"${points[@]}" --repeat 4 --output "$@"
}
small=(--workload "cholesky:nt=6,lu:nt=5" --gpu-mem "none,100MiB")

# The sorted rows with status `ok`, without the measured columns wall_s, tasks_per_s and peak_rss_bytes.
rows() { # FILE
	cut -d, -f 1-27,31- "$1" | grep ',ok,' | sort
}
failed() { grep -c ',failed,' "$1" || true; } # FILE

# The ids of the child processes of a sweep.
started_by() { pgrep -P "$1" || true; } # PID
gone() { # PID...
	for ((i = 0; i < 100; i++)); do
		kill -0 "$@" 2> /dev/null || return 0
		sleep 0.05
	done
	fail "processes are left: $*"
}

# Rows do not depend on the number of processes, or on earlier runs in a process.
sweep whole.csv "${small[@]}" --engine native --jobs 2 2> log
[[ ! -s log ]] || fail "a sweep said: $(cat log)"
[[ $(rows whole.csv | wc -l) == 64 ]] || fail "$(rows whole.csv | wc -l) rows are ok: expected 64"
for jobs in 1 5; do
	sweep "jobs.$jobs.csv" "${small[@]}" --engine native --jobs $jobs
	diff <(rows whole.csv) <(rows "jobs.$jobs.csv") || fail "--jobs $jobs: the rows differ"
done

# A process for each run gives the same rows: `run` with lists forks for each.
"$command" run --platform mirage --policy "eager,lws,dmda,dmdas" --noise 0.02 --repeat 4 --workload "cholesky:nt=6,lu:nt=5" \
	--engine native --gpu-mem 100MiB --output run.csv
diff <(rows whole.csv | grep -xFf <(rows run.csv)) <(rows run.csv) || fail "run: the rows differ"

# SimGrid's engine has a process for each point. Its rows equal those of the native engine, with makespans up to rounding.
sweep simgrid.csv "${small[@]}" --engine simgrid --jobs 2
alike() { # FILE
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } { printf "%s %s %s %s %s %s %.7f %s %s\n", $c["workload"], $c["policy"],
		$c["repeat"], $c["gpu_mem_bytes"], $c["bound_area_s"], $c["bound_critical_path_s"], $c["makespan_s"], $c["status"], $c["tasks"] }' "$1" | sort
}
diff <(alike whole.csv) <(alike simgrid.csv) || fail "engine simgrid: the rows differ"

# A process that ends in the middle of a point, after some other points.
if [[ -n $preloaded ]]; then
	for end in "11 signal 11" "9 signal 9" "6 signal 6" "0 exit status 3"; do
		for jobs in 1 2; do
			rm -f ended.csv
			status=0
			LD_PRELOAD=$preloaded END=${end%% *} END_AT=2000 sweep ended.csv "${small[@]}" --engine native --jobs $jobs 2> log || status=$?
			[[ $status == 1 ]] || fail "$end: exit status $status: expected 1"
			[[ $(wc -l < ended.csv) == 65 ]] || fail "$end: $(wc -l < ended.csv) lines: expected 65"
			n=$(failed ended.csv)
			((n >= 4 && n <= 40)) || fail "$end: $n points failed: expected some"
			[[ $(grep -c ",failed,.*${end#* }" ended.csv) == "$n" ]] || fail "$end: $(grep ,failed, ended.csv | head -n 1)"
			[[ -z $(comm -13 <(rows whole.csv) <(rows ended.csv)) ]] || fail "$end: rows beside those that failed differ"
			sweep ended.csv "${small[@]}" --engine native --jobs $jobs --retry
			diff <(rows whole.csv) <(rows ended.csv) || fail "$end: --retry: the rows differ"
		done
	done
fi

# If processes are killed from outside, each loses at most one point, and the sweep continues.
great=(--workload cholesky:nt=24 --engine native --jobs 2)
sweep quiet.csv "${great[@]}"
"${points[@]}" --repeat 4 --output killed.csv "${great[@]}" 2> log &
sweeping=$!
kills=0
for ((i = 0; i < 200 && kills < 3; i++)); do
	sleep 0.02
	victim=$(started_by $sweeping | shuf -n 1 --random-source=<(yes "$i"))
	[[ -z $victim ]] || { kill -9 "$victim" 2> /dev/null && kills=$((kills + 1)); } || true
done
wait $sweeping 2> log || true
n=$(failed killed.csv)
((kills > 0 && n <= kills)) || fail "$kills kills cost $n points"
[[ $(wc -l < killed.csv) == 17 ]] || fail "killed: $(wc -l < killed.csv) lines: expected 17"
[[ -z $(comm -13 <(rows quiet.csv) <(rows killed.csv)) ]] || fail "killed: rows beside those that failed differ"

# When a sweep ends, for any reason, its processes end, too.
for signal in INT TERM KILL; do
	rm -f ended.csv
	"${points[@]}" --repeat 10000 --output ended.csv "${great[@]}" 2> log &
	sweeping=$!
	children=()
	for ((i = 0; i < 200; i++)); do
		mapfile -t children < <(started_by $sweeping)
		[[ ${#children[@]} -lt 2 || ! -e ended.csv || $(wc -l < ended.csv) -lt 3 ]] || break
		sleep 0.05
	done
	[[ ${#children[@]} == 2 ]] || fail "${#children[@]} processes for --jobs 2: ${children[*]}"
	kill -$signal $sweeping
	{ wait $sweeping || status=$?; } 2> /dev/null
	[[ $status == $((128 + $(kill -l $signal))) ]] || fail "SIG$signal: exit status $status"
	for child in "${children[@]}"; do
		gone "$child"
	done
done
echo "as if each point had been alone; $kills kills cost $n points"
