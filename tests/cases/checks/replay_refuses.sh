#!/usr/bin/env bash
# Refusals of schedules by the policy replay. Each DAMAGE is an expression of sed that makes d.csv from a good schedule.
# The words empty, none, folder, nul, many and long stand for files that sed cannot make. Prints the message and the exit
# status.
#
#     replay_refuses.sh DAMAGE...
set -u

tilewright run --platform mirage --workload cholesky:nt=3 --policy heft --trace good.csv > log
for damage; do
	rm -rf d.csv
	case $damage in
	empty) : > d.csv ;;
	none) ;;
	folder) mkdir d.csv ;;
	nul) printf 'task\0,kind\n' > d.csv ;;
	long) head -c 65537 /dev/zero | tr '\0' x > d.csv ;;
	many) seq -s , 100 > d.csv ;;
	*) sed "$damage" good.csv > d.csv ;;
	esac
	{ tilewright run --platform mirage --workload cholesky:nt=3 --policy replay:file=d.csv > log; } 2>&1
	echo "= $?"
done
