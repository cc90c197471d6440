#!/usr/bin/env bash
# The cost of starting: millions of instructions of whole processes (parent and child together), with the dynamic
# loader. The columns are functions, including their callees; _dl_init also runs in dlopen.
#
#     tests/bench/startup.sh TILEWRIGHT
set -euo pipefail

tilewright=$1
if ! command -v callgrind_annotate > /dev/null; then
	echo "startup: no valgrind: expected its callgrind and callgrind_annotate in PATH"
	exit 77
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
parts=(_dl_start _dl_init dlopen tw__platform_find tw__models_read tw__generate tw__bound_area tw__identify tw__run)

measure() { # NAME COMMAND...
	rm -f "$place"/*
	# Write and reset the counts before the fork; otherwise the child's include the parent's.
	valgrind --tool=callgrind --trace-children=yes --dump-before=fork --callgrind-out-file="$place/%p.out" \
		"$tilewright" "${@:2}" > "$place/log" 2>&1 || {
		cat "$place/log"
		exit 1
	}
	for file in "$place"/*.out*; do
		callgrind_annotate --inclusive=yes --threshold=100 --show-percs=no "$file"
	done | awk -v name="$1" -v parts="${parts[*]}" '
		BEGIN { n = split(parts, part) }
		{ count = $1; gsub(",", "", count) }
		/PROGRAM TOTALS/ { total += count }
		{
			called = $2 # FILE:FUNCTION@VERSION
			sub(/^.*:/, "", called)
			sub(/@.*/, "", called)
			of[called] += count
		}
		END {
			printf "%-22s %8.2f", name, total / 1e6
			for (i = 1; i <= n; i++)
				printf " %*.2f", length(part[i]), of[part[i]] / 1e6
			print ""
		}'
}

printf '%-22s %8s %s\n' 'millions' total "${parts[*]}"
small=(run --workload cholesky:nt=2 --policy dmdas --platform mirage)
measure --version --version
measure 'list policies' list policies
measure 'run, engine native' "${small[@]}" --engine native
measure 'run, engine simgrid' "${small[@]}" --engine simgrid
measure 'describe' describe cholesky:nt=2
