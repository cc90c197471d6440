#!/usr/bin/env bash
# Draws figures of results in which one number of the first row is another: numbers that no run has, counters that are
# no numbers, and columns that are empty. The last five figures are drawn, or the exit status tells.
set -u

tilewright run --platform mirage --workload cholesky:nt=4 --policy eager,lws --output r.csv
plot() { # column, its value, figure and options
	awk -F, -v OFS=, -v column="$1" -v value="$2" \
		'NR == 1 {for (i = 1; i <= NF; i++) if ($i == column) at = i} NR == 2 {$at = value} 1' r.csv > t.csv
	shift 2
	tilewright plot "$@" t.csv -o t.gp
}
plot gflops -1 gflops
plot gflops 1e308 bars
plot makespan_s 1e-300 gflops
plot gpus -1 gflops
plot counters a=b counters
plot counters 'a=1;b=1e99' counters --counter b
plot gflops '' gflops && plot gflops '' cloud && plot transferred_bytes '' transfers &&
	plot bound_critical_path_s '' ratio && plot gflops 1e-300 ratio
