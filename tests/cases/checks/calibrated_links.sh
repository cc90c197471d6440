#!/usr/bin/env bash
# Calibrates emulated links that are known, alone and together. Prints the links (MB/s, us), the kernels, the files,
# and of a simulation on the calibrated platform and of a run here: validated, status and source of kernel times.
set -eu

links() { # ID MB/s us
	sed -nE 's/.*<link id="(.*)" bandwidth="(.*)Bps" latency="(.*)s".*/\1 \2 \3/p' c/platform.xml |
		awk '{us = sub(/u$/, "", $3) ? $3 : $3 * 1e6; printf "%s %.0f %.1f\n", $1, $2 / 1e6, us}'
}
# Other programs of this machine may delay a copy: then the links are measured again, at most three times.
for _ in 1 2 3 4; do
	tilewright calibrate --output c --workload cholesky:nt=3:nb=32:precision=d --cpus 1 --time-limit 1s --quiet \
		--force --emulate gpus=2:mem=256MiB:bandwidth=1GB/s:latency=50us:shared=1500MB/s 2> told
	(($(links | grep -cE ' 1000 50.0| 1500 0.0') == 6)) && break
done
links
grep -v '^#' c/kernels.csv | cut -d, -f 1-5 | sort
ls -A c
run() {
	tilewright run --platform ./c --workload cholesky:nt=6:nb=32:precision=d --policy dmdas --validate \
		--format csv "$@" | columns.py validated status kernel_model
}
run --runtime real --noise empirical
run --engine real --emulate gpus=2
