#!/usr/bin/env bash
# Each section "## NAME" of a document about workloads has one row for each of that workload's own parameters, in their
# order, with its default.
#
#     tests/readme/workload_params.sh TILEWRIGHT FILE.md
set -euo pipefail

# "NAME | DEFAULT", from the command: its first table, since the next one is of what all workloads take.
wanted() { # TILEWRIGHT WORKLOAD
	"$1" list workloads "$2" | awk '/^parameter/ {rows = 1; next} rows && NF == 0 {exit} rows {print $1, "|", $3}'
}

documented() { # FILE WORKLOAD
	# shellcheck disable=SC2016
	awk -v section="## $2" '/^## / {inside = $0 == section} inside' "$1" |
		sed -nE 's/^\| `([a-z0-9_]+)` \| ([^|]*) \|.*/\1 | \2/p'
}

mapfile -t names < <(sed -nE 's/^## ([a-z0-9_]+)$/\1/p' "$2")
[[ ${#names[@]} -gt 0 ]]
for name in "${names[@]}"; do
	diff -u --label "$2, $name" --label "tilewright list workloads $name" <(documented "$2" "$name") <(wanted "$1" "$name")
done
