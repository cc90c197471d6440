#!/usr/bin/env bash
# CONTRIBUTING.md names every script, README.md the two that do all, and no document one that is not there. Usage:
# scripts.sh ROOT
set -euo pipefail
cd "$1"
failed=0

row=$(grep "^| \`scripts/\`" CONTRIBUTING.md)
for script in scripts/*; do
	[[ -f $script ]] || continue
	if [[ $row != *"\`${script#scripts/}\`"* ]]; then
		echo "CONTRIBUTING.md: the row on scripts/ lacks ${script#scripts/}"
		failed=1
	fi
done
# shellcheck disable=SC2016 # backquotes are what the row has
for name in $(grep -oE '`[a-z-]+`' <<<"$row" | tr -d '`'); do
	if [[ ! -x scripts/$name ]]; then
		echo "CONTRIBUTING.md: the row on scripts/ names $name, which is not there"
		failed=1
	fi
done
for script in quickstart check; do
	if ! grep -q "^- \`scripts/$script\` " README.md; then
		echo "README.md lacks a line about scripts/$script"
		failed=1
	fi
done
while IFS=: read -r file script; do
	if [[ ! -x $script ]]; then
		echo "$file: $script is not there"
		failed=1
	fi
done < <(grep -oE '\bscripts/[a-z-]+' README.md CONTRIBUTING.md docs/*.md docs/*/*.md | sort -u)
exit $failed
