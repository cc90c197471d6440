#!/usr/bin/env bash
# With empirical noise each duration is one of the samples, and all are drawn about equally often: 128 of 512 times.
# Prints whether the run is valid, and the source of kernel times. Then each duration, with a 1 if it came often enough.
set -eu

empirical_platform.sh --only
tilewright run --platform ./e --workload matmul3d:nt=8:nb=100 --policy random --noise empirical --validate \
	--trace t.json --format csv | columns.py validated kernel_model
grep '"cat":"task"' t.json | sed 's/.*"dur":\([0-9.]*\),.*/\1/' | sort -n | uniq -c |
	awk '{print $2, ($1 > 98 && $1 < 158)}'
