#!/usr/bin/env bash
# Draws of empirical noise depend on the seed and the task alone, not on the policy or the order of the samples.
# Prints, for each of two seeds, how many of four runs have the same critical path and are valid.
set -eu

empirical_platform.sh --twice
for platform in ./e ./f; do
	for seed in 1 2; do
		for policy in eager dmda; do
			tilewright run --platform $platform --workload cholesky:nt=6:nb=100 --policy $policy \
				--noise empirical --seed $seed --validate --format csv 2> told |
				columns.py bound_critical_path_s validated
		done
	done
done | sort | uniq -c | awk '{print $1, $3}'
cat told >&2
