#!/usr/bin/env bash
# The identity of a row follows from all that the row follows from, and from nothing else.
#
#     identities.sh options    how many runs have each identity: some have default options, and the others differ in one
#     identities.sh files      how many identities there are of files with different contents
set -eu

cp -r "$DATA/one" p
chmod -R u+w p
identity() { tilewright run --platform ./p --columns identity "$@" | tail -n 1; }
plain() { identity --workload cholesky:nt=2:nb=100 --policy eager "$@"; }

options() {
	plain
	plain
	plain --eviction lru
	plain --runtime starpu
	plain --noise 0
	touch p/kernels.csv
	plain
	plain --runtime ideal
	plain --seed 2
	plain --noise 0.1
	plain --belief-error 0.1
	plain --cpus 1
	plain --validate
	plain --extrapolate
	plain --communication off
	plain --eviction fifo
	identity --workload cholesky:nt=2:nb=100 --policy lws
}

files() {
	plain
	sed -i 's/^\(potrf,[^,]*,[^,]*,[^,]*,[^,]*\),\([0-9]*\)/\1,1\2/' p/kernels.csv
	plain
	for n in 2 3; do
		tilewright export --workload "cholesky:nt=$n:nb=100" -o g.json
		identity --workload file:g.json --policy eager
	done
	cp "$PLUGINS/good.so" .
	identity --workload cholesky:nt=2:nb=100 --policy ./good.so
	echo >> good.so
	identity --workload cholesky:nt=2:nb=100 --policy ./good.so
}

case $1 in
options) options | sort | uniq -c | sort -rn | awk '{print $1}' | xargs ;;
files) files | sort -u | wc -l ;;
esac
