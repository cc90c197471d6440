#!/usr/bin/env bash
# The least memory that a refused run names is true: a run with it succeeds, with one byte less it is refused.
#
#     least_memory.sh OPTION SMALL RUN_OPTION...    as in: least_memory.sh --gpu-mem 1MB --platform mirage ...
#     least_memory.sh --mem RAM=1MB RUN_OPTION...
#
# Prints the option that the message names.
set -euo pipefail

option=$1
small=$2
shift 2
prefix=
[[ $small != *=* ]] || prefix=${small%%=*}=
run() { # SIZE
	tilewright run --engine native --policy "${POLICY:-eager}" --extrapolate --validate --columns status,validated "${@:2}" "$option" "$prefix$1" 2>&1
}
told=$(run "${small#*=}" "$@") && { echo "$small suffices: $told" && exit 1; }
# The message has bytes where the memory has the same four digits.
least_of() { # MESSAGE
	[[ $1 =~ ' expected at least '([0-9.]+)\ ([A-Za-z]+) ]] || { echo "no least size: $1" >&2 && exit 1; }
	awk -v n="${BASH_REMATCH[1]}" -v unit="${BASH_REMATCH[2]}" 'BEGIN {of["bytes"] = of["B"] = 1
		for (i = 1; i <= 3; i++) {p = substr("KMG", i, 1); of[p "B"] = 1000 ^ i; of[p "iB"] = 1024 ^ i}
		printf "%d\n", n * of[unit]}'
}
least=$(least_of "$told")
for part in 10000 9999 9998 9997 9996 9995 9994; do
	near=$(run $((least * part / 10000)) "$@") || [[ $near != *"at least "*" bytes,"* ]] || break
done
[[ $near != *"at least "*" bytes,"* ]] || least=$(least_of "$near")
[[ $told =~ as\ with\ ($option\ [^ ,]+) ]] || { echo "no option: $told" && exit 1; }
named=${BASH_REMATCH[1]}
# The option may ask for more than this memory needs: the greatest need of all GPUs. Its size is the least, rounded up.
run "$least" "$@" | grep -qx ok,true || { echo "$least bytes do not suffice: $(run "$least" "$@")" && exit 1; }
value=${named#* }
run "${value#"$prefix"}" "$@" | grep -qx ok,true || { echo "$named does not suffice" && exit 1; }
if run $((least - 1)) "$@" > told; then
	echo "one byte less than $least suffices, too"
	exit 1
fi
grep -q "expected at least $least bytes," told || { echo "one byte less: $(cat told)" && exit 1; }
echo "$named"
