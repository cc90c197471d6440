#!/usr/bin/env bash
# Prints what bash completes for `tilewright WORD...`, one word on each line; the last word is to be completed.
set -euo pipefail

# shellcheck source=/dev/null
source "$(dirname "${BASH_SOURCE[0]}")/../../../docs/completion/tilewright.bash"
[[ $# -gt 1 ]] || set -- "$@" ''
COMP_WORDS=(tilewright "$@")
COMP_CWORD=$#
set +e
_tilewright
printf '%s\n' "${COMPREPLY[@]}"
