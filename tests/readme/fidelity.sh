#!/bin/bash
# The README's table of makespans and transfers has the rows of docs/evidence/fidelity.md that it says it has, with the same figures.
#
#     tests/readme/fidelity.sh README.md docs/evidence/fidelity.md [--print]
set -euo pipefail

wanted=$(awk -F'|' '{gsub(/ /, "")} $3 == "9+3" && $5 == "all" && ($4 == 20 || $4 == 40) {
	print "| " $2 " | " $4 " | " $6 " | " $7 " | " $8 " | " $12 " |"}' "$2")
if [[ ${3-} == --print ]]; then
	echo "$wanted"
	exit
fi
[[ $(wc -l <<< "$wanted") == 12 ]] || { echo "$2: expected 12 rows of 9+3 workers and 20 or 40 tiles"; exit 1; }
diff <(sed -n '/^| policy | tiles |/,/^$/p' "$1" | sed -n '3,/^$/p' | sed '/^$/d') - <<< "$wanted"
