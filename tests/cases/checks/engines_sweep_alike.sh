#!/usr/bin/env bash
# A sweep without --engine uses native, also into a file with rows of SimGrid. Rows of both engines are the same but for
# that word and what is measured. Prints the engines of the rows of each file.
set -eu

options=(--platform mirage --workload cholesky --nt 3:5 --policy 'eager,dmdas' --gpu-mem 40MiB --quiet)
engines() { columns.py engine < "$1" | sort | uniq -c | sed 's/^ *//'; }
results() { columns.py --without engine,wall_s,tasks_per_s,peak_rss_bytes,identity < "$1" | sort; }

tilewright sweep "${options[@]}" --output native.csv
engines native.csv
tilewright sweep "${options[@]}" --engine simgrid --output simgrid.csv
cmp <(results native.csv) <(results simgrid.csv)

head -n 3 simgrid.csv > both.csv
tilewright sweep "${options[@]}" --output both.csv
engines both.csv
cmp <(results native.csv) <(results both.csv | uniq)
