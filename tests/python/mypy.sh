#!/usr/bin/env bash
# Are the types of the package right?
#
#     mypy.sh PACKAGE
set -euo pipefail

if ! command -v mypy > /dev/null; then
	echo "skipped: mypy is not installed"
	exit 77
fi
cache=$(mktemp -d)
trap 'rm -rf "$cache"' EXIT
cd "$(dirname "$1")"
MYPYPATH=. mypy --strict --cache-dir "$cache" -p tilewright
