#!/usr/bin/env bash
# `tilewright help COMMAND` prints what `tilewright COMMAND --help` and `-h` do.
set -u

for command; do
	for option in --help -h; do
		diff <(tilewright help "$command") <(tilewright "$command" $option)
	done
done
