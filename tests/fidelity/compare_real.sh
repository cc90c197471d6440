#!/usr/bin/env bash
# tilewright compare with the table of a real card, as it is (see scripts/fidelity-real, which holds more against it). Exit status 77, which
# meson takes as "skipped", where the table is not.
#
#     tests/fidelity/compare_real.sh TILEWRIGHT
set -euo pipefail

tilewright=$(realpath "$1")
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
table=${TILEWRIGHT_REFERENCE:-$tree/../shared/reference}/v100_measured_matmul2d.csv
if [[ ! -f $table ]]; then
	echo "skipped: no $table"
	exit 77
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place"

for policy in eager:lru dmdar:lru hfp:belady; do
	"$tilewright" sweep --platform gemini-starpu --workload matmul2d --nt 5:40:5 --cpus 0 --gpus 1 --gpu-mem 500MiB \
		--policy "${policy%:*}" --eviction "${policy#*:}" --output simulated.csv --quiet
done
theirs=(--column 'policy={algo}' --column 'workload=matmul2d:nt={tiles}' --value 'policy:hfp+U+R+belady=hfp')
"$tilewright" compare "$table" simulated.csv "${theirs[@]}" --metric gflops --tolerance 15%
# Bytes are told in GiB, of eleven iterations.
"$tilewright" compare "$table" simulated.csv "${theirs[@]}" --metric h2d_bytes --column 'h2d_bytes={h2d_GB_total}' \
	--scale h2d_bytes=97612893.1 --tolerance 15% > bytes.txt
grep -qx '24 points, joined on workload, policy' bytes.txt || { cat bytes.txt; exit 1; }
