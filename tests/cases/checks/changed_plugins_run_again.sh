#!/usr/bin/env bash
# A sweep with plug-ins goes on where it ended, and their changed files change the identity of rows. Prints the lines
# of the results, twice, and the number of different identities of the sweep's rows, and of four runs.
set -eu

cp "$PLUGINS"/my_*.so .
sweep=(--platform mirage --workload 'cholesky:nt=3,./my_workload.so:n=3' --policy eager
	--eviction 'lru,./my_eviction.so' --quiet)
for _ in 1 2; do
	tilewright sweep "${sweep[@]}" --output r.csv
	wc -l < r.csv
done
columns.py identity < r.csv | sort -u | wc -l

identity() {
	tilewright run --platform mirage --workload "$1" --policy eager --eviction "$2" --columns identity | tail -n 1
}
both() {
	identity cholesky:nt=2 ./my_eviction.so
	identity ./my_workload.so:n=2 lru
}
both > identities
echo >> my_eviction.so
echo >> my_workload.so
both >> identities
sort -u identities | wc -l
