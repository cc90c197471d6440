#!/usr/bin/env bash
# Draws traces that were cut between two lines, some with dates that no run has, and one with other damage.
set -u

gantt() { tilewright plot gantt "$1" -o gantt.gp; }

for trace in t.json t.paje t.record; do
	tilewright run --platform mirage --workload cholesky:nt=4 --policy eager --trace "$trace" > log
done
head -n 200 t.json > u.json
gantt u.json
sed '/^18 Z1 /,$d' t.paje > u.paje
gantt u.paje
head -n 200 t.record > u.record
gantt u.record
sed '/^6 /,$d' t.paje > whole.paje # behind the run section
gantt whole.paje && grep -o 'whole.paje.*tasks' gantt.gp
sed '5s/$/\x00/' t.paje > u.paje
gantt u.paje
sed 's/^makespan,.*/makespan,1e300/' t.record > u.record
gantt u.record
sed 's/^start,[0-9]*/start,99999999999999999999/' t.record > u.record
gantt u.record
