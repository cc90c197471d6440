#!/usr/bin/env bash
# scripts/speed measures runs, and writes the tables of a page from its own output.
#
#     tests/bench/speed_page.sh TILEWRIGHT SCRIPT
set -euo pipefail

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"
printf 'Before\n<!-- measured -->\nold\n<!-- end -->\nBetween\n' > page.md
printf '<!-- measured over nodes -->\nolder\n<!-- end of nodes -->\nAfter\n' >> page.md
"$2" --tilewright "$1" --policy eager --policy dmdas --graph grid --node '8 cores' --tasks 1000 --counted 50 > rows.csv
grep -qE '^grid,eager,8 cores,ample,([0-9]+|nan),-?[0-9]+,[0-9]+$' rows.csv
grep -qE '^grid,dmdas,8 cores,ample,' rows.csv
grep -qE '^# Tilewright, eager, runtime starpu: [0-9,]+$' rows.csv
"$2" --from rows.csv --docs page.md
[[ $(sed -n '1p;2p;$p' page.md | tr '\n' ' ') == 'Before <!-- measured --> After ' ]]
[[ $(grep -c '^old$' page.md) == 0 ]]
[[ $(grep -cE '^\| (eager|dmdas) \|' page.md) == 4 ]]
grep -qE '^\| (SimPy|SimGrid)' page.md
grep -q '^older' page.md
"$2" --tilewright "$1" --graph cluster --cluster-nt 12 > clusters.csv
[[ $(grep -cE '^cluster,(eager|dmdas),(1 node|(4|16|64|99) nodes),(12 cores|"9 cores, 3 GPUs"),nan,[0-9]+,[0-9]+$' clusters.csv) == 20 ]]
"$2" --from clusters.csv --docs page.md
[[ $(grep -cE '^\| (eager|dmdas) \| (12 cores|9 cores, 3 GPUs)( \| [0-9]+\.[0-9]){5} \|$' page.md) == 4 ]]
[[ $(grep -c '^older' page.md) == 0 && $(tail -n 1 page.md) == After ]]
