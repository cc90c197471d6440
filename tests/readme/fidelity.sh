#!/bin/bash
# The README's table of makespans and transfers has the rows of docs/evidence/fidelity.md that it says it has, with the same figures.
#
#     tests/readme/fidelity.sh README.md docs/evidence/fidelity.md [--print]
set -euo pipefail

wanted=$(awk -F'|' '{gsub(/ /, "")} $3 == "9+3" && $5 == "all" && $4 == 20 {
	print "| " $2 " | " $6 " | " $7 " | " $8 " | " $12 " |"}' "$2")
if [[ ${3-} == --print ]]; then
	echo "$wanted"
	exit
fi
[[ $(wc -l <<< "$wanted") == 6 ]] || { echo "$2: expected 6 rows of 9+3 workers and 20 tiles"; exit 1; }
diff <(sed -n '/^| policy | StarPU s |/,/^$/p' "$1" | sed -n '3,/^$/p' | sed '/^$/d') - <<< "$wanted"
