#!/usr/bin/env bash
# A last row that was cut, wherever it was cut, is dropped and runs again; the other rows stay, and the file is as it
# would have been.
set -u

sweep() {
	tilewright sweep --platform mirage --workload cholesky --nt 2:4 --policy eager --jobs 1 --output r.csv --quiet
}
results() { cut -d, -f 1-27,31-50 "$1"; } # without what is measured

sweep
cp r.csv whole.csv
size=$(wc -c < r.csv)
last=$(tail -n 1 r.csv | wc -c)
for cut in 1 2 17 34 60 $((last / 2)) $((last - 1)); do
	cp whole.csv r.csv
	truncate -s $((size - cut)) r.csv
	sweep
	cmp <(head -n 3 whole.csv) <(head -n 3 r.csv)
	cmp <(results whole.csv) <(results r.csv)
done 2>&1 | sed '/ASan is ignoring/,/issues\/189/d' | uniq -c | sed 's/^ *//'
