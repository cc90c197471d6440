#!/usr/bin/env bash
# A sweep that is killed at any moment and resumed writes the same file as a sweep that is not killed.
#
#     tests/sweep/resume.sh TILEWRIGHT [TIMES [ENGINE]]   (20, or $TIMES; simgrid)
set -euo pipefail

command=$(realpath "$1")
times=${2-${TIMES-20}} engine=${3-simgrid}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

sweep=("$command" sweep --platform mirage --workload "cholesky,lu" --nt 2:9 --policy "eager,dmdas" --gpus "1,3"
	--gpu-mem "250MiB,none" --noise 0.02 --engine "$engine" --jobs 2 --quiet --output)

# The sorted rows, without the measured columns wall_s, tasks_per_s and peak_rss_bytes.
rows() { # FILE
	cut -d, -f 1-27,31- "$1" | sort
}

start=$(date +%s%N)
"${sweep[@]}" whole.csv
took_ms=$((($(date +%s%N) - start) / 1000000))
[[ $(wc -l < whole.csv) == 129 ]] || { echo "$(wc -l < whole.csv) lines: expected 129"; exit 1; }
head -n 1 whole.csv | cut -d, -f 28-30 | grep -qx wall_s,tasks_per_s,peak_rss_bytes

RANDOM=1 # the same moments in every run of this test, if the speed is the same
cut_short=0
for ((i = 0; i < times; i++)); do
	rm -f killed.csv
	"${sweep[@]}" killed.csv &
	sweeping=$!
	sleep "$(printf '%d.%03d' $((RANDOM * took_ms / 32768 / 1000)) $((RANDOM * took_ms / 32768 % 1000)))"
	kill -9 "$sweeping" 2> /dev/null || true
	{ wait "$sweeping" || true; } 2> /dev/null
	there=0
	[[ ! -e killed.csv ]] || there=$(wc -l < killed.csv)
	((there == 129)) || cut_short=$((cut_short + 1))
	"${sweep[@]}" killed.csv
	diff <(rows whole.csv) <(rows killed.csv) || { echo "killed with $there lines in the file: the rows differ"; exit 1; }
done
echo "$times times: as if it had never been killed; $cut_short of them before the end"
((cut_short * 4 >= times)) # the others were killed after their end, as other programs left more of the machine
