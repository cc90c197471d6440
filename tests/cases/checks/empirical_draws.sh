#!/usr/bin/env bash
# With empirical noise each duration is one of the samples, each drawn about as often as the others (128 of 512
# times): prints whether the run is valid, the source of kernel times, and each duration with the number 1 where it is
# drawn as often as it should.
set -eu

empirical_platform.sh --only
tilewright run --platform ./e --workload matmul3d:nt=8:nb=100 --policy random --noise empirical --validate \
	--trace t.json --format csv | columns.py validated kernel_model
grep '"cat":"task"' t.json | sed 's/.*"dur":\([0-9.]*\),.*/\1/' | sort -n | uniq -c |
	awk '{print $2, ($1 > 98 && $1 < 158)}'
