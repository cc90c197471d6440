#!/usr/bin/env bash
# Tests scripts/cluster: parts of a sweep, from an array of jobs or from GNU parallel (if it is installed), give the whole sweep.
#
#     tests/sweep/cluster.sh TILEWRIGHT SCRIPTS
set -euo pipefail

TILEWRIGHT=$(realpath "$1")
export TILEWRIGHT
scripts=$(realpath "$2")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

printf '%s\n' 'platform = mirage' 'workload = cholesky' 'nt = 2:5' 'policy = eager,dmdas,lws' 'noise = 0.02' > plan.ini
rows() { # FILE
	head -n 1 "$1"
	tail -n +2 "$1" | cut -d, -f 1-27,31- | sort
}
same() { # FILE
	diff <(rows whole.csv) <(rows "$1") || { echo "$1: expected the rows of the whole sweep"; exit 1; }
}
"$TILEWRIGHT" sweep plan.ini --output whole.csv --quiet

# Runs a job of an array, with the variables that Slurm sets. The script slurm.sh runs a real Slurm.
job() { # ARRAY SHARD FOLDER
	local jobs
	read -ra jobs <<< "$1"
	SLURM_ARRAY_TASK_ID=$2 SLURM_ARRAY_TASK_MIN=${jobs[0]} SLURM_ARRAY_TASK_MAX=${jobs[-1]} SLURM_ARRAY_TASK_COUNT=${#jobs[@]} \
		SLURM_CPUS_PER_TASK=1 "$scripts/slurm-array" "$3" plan.ini --quiet
}
for k in 1 2; do
	job '1 2 3' $k 'the parts'
done
SHARDS=3 job 3 3 'the parts'
"$scripts/merge" 'the parts'/part.*.csv > merged.csv
same merged.csv
"$scripts/merge" merged.csv merged.csv 'the parts/part.2.csv' > twice.csv
same twice.csv

# Truncated parts, and parts of other sweeps.
expect() { # MESSAGE, then a command that ends with 2
	local message=$1 status=0
	shift
	"$@" > out 2> log || status=$?
	[[ $status == 2 && $(cat log) == *"$message"* ]] || { echo "'$*': status $status, $(cat log): expected 2, $message"; exit 1; }
}
head -c -5 whole.csv > cut.csv
sed '1s/makespan_s/makespan/' whole.csv > other.csv
printf 'a,b\n1,2\n' > table.csv
expect 'the last line is truncated' "$scripts/merge" whole.csv cut.csv
expect 'other.csv:1: expected the same header' "$scripts/merge" whole.csv other.csv
expect 'expected results' "$scripts/merge" table.csv
expect 'none.csv: expected a file' "$scripts/merge" whole.csv none.csv
expect 'no file' "$scripts/merge"
expect 'expected --array=1-N' job '2 3' 2 parts
expect 'expected --array=1-N' job '1 3' 1 parts
expect 'expected N ALL.csv' "$scripts/parallel" 0 all.csv plan.ini

if command -v parallel > log; then
	"$scripts/parallel" 4 'all of them.csv' plan.ini --quiet
	same 'all of them.csv'
	"$scripts/parallel" 4 'all of them.csv' plan.ini 2> log
	[[ $(grep -c 'has 3 of 3 points, 0 missing' log) == 4 ]] || { cat log; exit 1; }
	same 'all of them.csv'
else
	echo "GNU parallel is not installed: scripts/cluster/parallel is not tested"
fi
