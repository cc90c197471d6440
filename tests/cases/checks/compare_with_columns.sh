#!/usr/bin/env bash
# Compares real.csv, with columns that no result has, with sim.csv, with each of these sets of OPTIONS. Prints the
# exit status of a failure and the last line of standard error; of a comparison that works that line and the table.
#
#     compare_with_columns.sh 'OPTION...'...
set -u

printf 'n,ms\n1,x\n' > real.csv
printf 'workload,makespan_s,eviction\nw,1,lru\nw,3,fifo\n' > sim.csv
for options; do
	# shellcheck disable=SC2086 # they are words
	tilewright compare real.csv sim.csv $options > out 2> err || echo $?
	tail -n 1 err
	head -n 4 out
done
