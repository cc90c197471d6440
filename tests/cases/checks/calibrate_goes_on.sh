#!/usr/bin/env bash
# A second calibration keeps the samples that are there and adds kernels; with --force it begins anew. Prints the
# kernels after either.
set -eu

calibrate() { # workload, options
	tilewright calibrate --output d --workload "$1:nt=3:nb=32:precision=d" --cpus 1 --gpus 0 \
		--time-limit 10ms --quiet "${@:2}" 2> told
}
samples() { grep -c '^potrf,cpu,1,32,' d/samples.csv; }
kernels() { cut -d, -f 1 d/kernels.csv | tail -n +3 | sort | xargs; }

calibrate cholesky
before=$(samples)
calibrate lu
[[ $(samples) == "$before" ]] && kernels
calibrate lu --force
kernels
