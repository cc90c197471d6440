#!/bin/bash
# Runs the cases of one file against the command.
#
#     tests/run_cases.sh TILEWRIGHT FILE.test
#
# A case starts with its command, which bash runs in an empty folder. `tilewright` is the command under test, $DATA is
# tests/cases/data, and $PLUGINS is the folder of the policies built from tests/cases/plugins. Longer checks are programs in
# tests/cases/checks, which the command calls by name. The lines below it say what is expected, all of it and in order:
#
#     # a comment (blank lines are ignored too)
#     $ tilewright list policies --names
#     = 0             the exit status; 0 if there is no such line
#     > eager         a line of standard output, exactly
#     >~ dm[a-z]*     a line that this extended regular expression matches, all of it
#     > ...           any lines, or none, up to the next one expected
#     ! text          \
#     !~ expression    } the same for standard error
#     ! ...           /
#
# A line that ends with a backslash goes on in the next line, without the blanks that the next line begins with. A stream
# without expected lines must be empty. No line has more than 120 columns (scripts/style).
set -u

command=$(realpath "$1")
cases=$(realpath "$2")
DATA=$(dirname "$cases")/data
export DATA
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
mkdir "$place/bin"
ln -s "$command" "$place/bin/tilewright"
PATH=$place/bin:$(dirname "$cases")/checks:$PATH
export PYTHONDONTWRITEBYTECODE=1
unset LANG LANGUAGE LC_MESSAGES
export LC_ALL=C

# Words that follow themselves, which no message has: "the file: the file is cut", "too noisy too noisy".
doubled="(^|: )([a-z][^:]{7,}): \\2( |:|\$)|(^| )([a-z]{3,}( [a-z]+)?) \\5( |[:.,]|\$)"

failures=0
total=0

fail() { # line, what
	printf '%s:%s: %s\n' "$2" "$3" "$1"
	ok=no
}

# Does the line $1 match the expectation $2 (its mark and text)?
matches() {
	case $2 in
	'~ '*) [[ $1 =~ ^(${2#\~ })$ ]] ;;
	' '*) [[ $1 == "${2# }" ]] ;;
	*) [[ $1 == "$2" ]] ;; # an empty line
	esac
}

# compare NAME FILE EXPECTED...
compare() {
	local name=$1 file=$2 at=0 any=no expected
	local -a lines
	shift 2
	mapfile -t lines < "$file"
	for expected; do
		if [[ $expected == ' ...' ]]; then
			any=yes
			continue
		fi
		while [[ $any == yes && $at -lt ${#lines[@]} ]] && ! matches "${lines[at]}" "$expected"; do
			at=$((at + 1))
		done
		any=no
		if [[ $at -ge ${#lines[@]} ]]; then
			fail "$name ends, expected:$expected" "$cases" "$start"
			return
		elif ! matches "${lines[at]}" "$expected"; then
			fail "$name, line $((at + 1)): ${lines[at]}" "$cases" "$start"
			fail "          expected:$expected" "$cases" "$start"
			return
		fi
		at=$((at + 1))
	done
	if [[ $any == no && $at -lt ${#lines[@]} ]]; then
		fail "$name, line $((at + 1)): ${lines[at]}" "$cases" "$start"
		fail "          expected nothing more" "$cases" "$start"
	fi
}

# Runs the case collected so far.
finish_case() {
	[[ -n $script ]] || return
	local got double
	total=$((total + 1))
	ok=yes
	rm -rf "$place/here"
	mkdir "$place/here"
	(cd "$place/here" && exec bash -c "$script") > "$place/stdout" 2> "$place/stderr" < /dev/null
	got=$?
	# AddressSanitizer does not know the stacks that SimGrid makes for its actors, and says so.
	sed -i '/ASan is ignoring requested __asan_handle_no_return/,/sanitizers\/issues\/189/d' "$place/stderr"
	# The real engine says that other programs run here, as they may.
	sed -i '/threads lost their cores for .* of the time in kernels: other programs run here$/d' "$place/stderr"
	[[ $got == "$status" ]] || fail "exit status $got, expected $status" "$cases" "$start"
	compare stdout "$place/stdout" ${out[@]+"${out[@]}"}
	compare stderr "$place/stderr" ${err[@]+"${err[@]}"}
	double=$(grep -E -m 1 "$doubled" "$place/stderr") && fail "stderr says something twice: $double" "$cases" "$start"
	if [[ $ok == no ]]; then
		failures=$((failures + 1))
		printf '    $ %s\n' "$script"
		head -n 5 "$place/stderr" | sed 's/^/    stderr: /'
	fi
}

script=
number=0
while IFS= read -r line || [[ -n $line ]]; do
	number=$((number + 1))
	first=$number
	while [[ $line == *\\ ]] && IFS= read -r more; do
		number=$((number + 1))
		line=${line%\\}${more#"${more%%[! ]*}"}
	done
	case $line in
	'$ '*)
		finish_case
		script=${line#\$ } start=$first status=0
		out=() err=()
		;;
	'= '*) status=${line#= } ;;
	'>'*) out+=("${line#>}") ;;
	'!'*) err+=("${line#!}") ;;
	'' | '#'*) ;;
	*)
		printf '%s:%s: %s: expected a line that starts with $, =, >, ! or #\n' "$cases" "$number" "$line"
		exit 1
		;;
	esac
done < "$cases"
finish_case

printf '%d cases, %d failed\n' "$total" "$failures"
[[ $failures == 0 && $total -gt 0 ]]
