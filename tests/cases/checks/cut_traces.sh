#!/usr/bin/env bash
# Draws traces that were cut between two lines, one with a date that no run has, and some with other damage.
set -u

gantt() { tilewright plot gantt "$1" -o gantt.gp; }

for trace in t.json t.paje; do
	tilewright run --platform mirage --workload cholesky:nt=4 --policy eager --trace "$trace" > log
done
for ending in json paje; do
	head -n 200 "t.$ending" > "u.$ending"
	gantt "u.$ending"
done
sed -i "s/^7 [^ ]*/7 9999999999999/" t.paje
gantt t.paje
sed '5s/$/\x00/' t.paje > u.paje
gantt u.paje
sed '1s/"makespan_s":[^,]*/"makespan_s":1e300/' t.json > u.json
gantt u.json
sed '/"cat":"task"/s/"ts":[0-9.]*/"ts":1e30/' t.json > u.json
gantt u.json
