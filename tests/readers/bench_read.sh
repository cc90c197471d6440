#!/usr/bin/env bash
# Measures the reading of large task graphs: a million tasks as a tasks.rec of StarPU, the same compressed, as our JSON, and as
# DOT. The exit status is 1 if the first takes 10 s or more. The files temporarily take 900 MB in $TMPDIR.
#
#     tests/readers/bench_read.sh TILEWRIGHT BENCH_READ
set -euo pipefail

tilewright=$1 read=$2
here=$(dirname "${BASH_SOURCE[0]}")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

measure() { # file, [seconds]
	printf '%-12s %5d MB ' "$1" $(($(stat -c %s "$place/$1") / 1000000))
	"$read" "file:$place/$1" ${2+"$2"}
}

python3 "$here/make_tasks_rec.py" 181 960 > "$place/tasks.rec"
measure tasks.rec 10
gzip -1 "$place/tasks.rec"
measure tasks.rec.gz
for ending in json dot; do
	"$tilewright" export --workload cholesky:nt=181 -o "$place/graph.$ending"
	measure "graph.$ending"
done
