#!/usr/bin/env bash
# Prints a topology of hwloc with a matrix of bandwidths in MB/s:
#
#     with_matrix.sh FILE NAME OBJECTS VALUES
#
# OBJECTS: numbers of devices of the operating system (gp_index), or objects of several types, as in "OSDev:102 PCIDev:9".
set -euo pipefail

read -ra objects <<< "$3"
element=distances2
attributes="nbobjs=\"${#objects[@]}\" name=\"$2\""
if [[ $3 == *:* ]]; then
	element=distances2hetero
	attributes+=' kind="25"'
else
	attributes+=' kind="9" type="OSDev" indexing="gp"'
fi
grep -v '^</topology>' "$1"
echo "<$element $attributes><indexes length=\"${#3}\">$3</indexes><u64values length=\"${#4}\">$4</u64values></$element>"
echo '</topology>'
