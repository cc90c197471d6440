#!/usr/bin/env bash
# docs/reference/runtime.md has one row for each runtime parameter, with the defaults of all profiles.
#
#     tests/readme/params.sh TILEWRIGHT docs/reference/runtime.md
set -euo pipefail

# "NAME | STARPU | IDEAL | REAL", from the command; an empty default is '' there and (none) in the document.
defaults() { # PROFILE
	"$1" list runtimes "$2" | awk '/^parameter/ {rows = 1; next} rows {sub("^'\'\''$", "(none)", $3); print $1, $3}' | sort
}

wanted() {
	join <(defaults "$1" starpu) <(defaults "$1" ideal) | join - <(defaults "$1" real) |
		awk '{print "`" $1 "` | " $2 " | " $3 " | " $4}' | sort
}
documented() {
	# shellcheck disable=SC2016
	sed -nE 's/^\| (`[a-z_]+` \| [^|]* \| [^|]* \| [^|]*) \|.*/\1/p' "$1" | sort
}
[[ -n $(wanted "$1") ]]
diff -u <(documented "$2") <(wanted "$1")
