#!/usr/bin/env bash
# A sweep without --engine uses native, or the engine of the rows that are there. Rows of both engines are the same
# but for that word and what is measured. Prints the engines of the rows of four sweeps.
set -eu

options=(--platform mirage --workload cholesky --nt 3:5 --policy 'eager,dmdas' --gpu-mem 40MiB --quiet)
engines() { columns.py engine < "$1" | sort | uniq -c | sed 's/^ *//'; }
results() { columns.py --without engine,wall_s,tasks_per_s,peak_rss_bytes,identity < "$1" | sort; }

tilewright sweep "${options[@]}" --output native.csv
engines native.csv
tilewright sweep "${options[@]}" --engine simgrid --output simgrid.csv
head -n 3 simgrid.csv > half.csv
tilewright sweep "${options[@]}" --output half.csv
engines half.csv
cmp <(results native.csv) <(results simgrid.csv)
cmp <(results native.csv) <(results half.csv)

# Only a row that is damaged: there is no engine to go on with.
{ head -n 1 simgrid.csv && tail -n 1 simgrid.csv | head -c 20; } > torn.csv
tilewright sweep "${options[@]}" --output torn.csv
engines torn.csv
