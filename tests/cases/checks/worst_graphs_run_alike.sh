#!/bin/bash
# Searches a graph on which a policy loses most against another, and runs both on the graph, on mirage.
#
#     worst_graphs_run_alike.sh POLICY AGAINST [OPTION]...
set -euo pipefail

policy=$1
against=$2
shift 2
node=(--platform mirage --cpus 2 --gpus 2 "$@" --format csv)
searched=$(tilewright adversary "${node[@]}" --policy "$policy" --against "$against" --tasks 8 --restarts 4 -o worst.json |
	sed 1d)
runs=$(tilewright run "${node[@]}" --policy "$policy,$against" --workload file:worst.json --validate \
	--columns makespan_s,validated | sed 1d)
python3 - "$searched" "$runs" << 'END'
import sys

searched, runs = sys.argv[1].split(","), [line.split(",") for line in sys.argv[2].split()]
policy, against, first, worst, makespan, other = searched[0], searched[1], *searched[9:13]
same = runs == [[makespan, "true"], [other, "true"]]
ratio = float(worst)
right = ratio >= float(first) and abs(ratio - float(makespan) / float(other)) < 1e-6 * ratio
print(f"{policy} loses against {against}: {'same' if same else 'other'} makespans, "
      f"{'' if right else 'wrong '}ratio of {'at least 2' if ratio >= 2 else worst}")
END
