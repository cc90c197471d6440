#!/usr/bin/env bash
# A sweep on a real Slurm: an array of two shards, one of which is killed and requeued, gives the rows of one process.
# Prints a log of all that is done to the shards, and of their states in Slurm. Exit status 77: Slurm is not installed.
#
#     tests/sweep/slurm.sh TILEWRIGHT SCRIPTS
#
# Slurm has one node, this machine, and runs as the user of the script. Its files are in a temporary folder, its ports are
# free ones of 127.0.0.1, and it needs neither systemd nor cgroups.
set -euo pipefail
export LC_ALL=C PATH=$PATH:/usr/sbin

for program in munged slurmctld slurmd sbatch; do
	command -v $program > /dev/null || { echo "skipped: $program is not installed (packages slurm-wlm and munge)"; exit 77; }
done
TILEWRIGHT=$(realpath "$1")
export TILEWRIGHT
scripts=$(realpath "$2")
place=$(mktemp -d)
start_us=${EPOCHREALTIME/./}

# Kills all processes of this Slurm and of its jobs. They have the name of its configuration in their environment.
cleanup() { # FOLDER
	local pids
	while pids=$(grep -lzxF "SLURM_CONF=$1/slurm.conf" /proc/[0-9]*/environ 2> /dev/null | cut -d / -f 3) || true; [[ $pids ]]; do
		# shellcheck disable=SC2086 # a list
		kill -9 $pids 2> /dev/null || true
		sleep 0.05
	done
	rm -rf "$1"
}
# A guard in a session of its own cleans up after a SIGKILL of this script.
export -f cleanup
# shellcheck disable=SC2016 # expands in the guard
setsid bash -c 'tail --pid="$1" -s 0.2 -f /dev/null; cleanup "$2"' guard $$ "$place" < /dev/null > "$place/guard.log" 2>&1 &
guard=$!
trap 'cleanup "$place"; kill -- -$guard' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$place"
slurm=(env "SLURM_CONF=$place/slurm.conf")

say() { # TEXT
	local ms=$(((${EPOCHREALTIME/./} - start_us) / 1000))
	printf '%3d.%02d s  %s\n' $((ms / 1000)) $((ms % 1000 / 10)) "$*"
}
fail() { # TEXT
	say "FAILED: $*"
	tail -n 20 -- *.log
	exit 1
}

# Starts Slurm on two free ports. Fails if a daemon ends, as it does when another program has just taken its port.
start() {
	local host ports pids=() pid
	host=$(uname -n)
	host=${host%%.*}
	read -ra ports < <(python3 -c '
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*[s.getsockname()[1] for s in sockets])')
	rm -rf state spool
	mkdir state spool
	# Limits are generous, as the machine may be busy. A requeued job waits for cred_expire seconds.
	cat > slurm.conf <<-END
		ClusterName=test
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=${ports[0]}
		SlurmdPort=${ports[1]}
		CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthType=auth/munge
		AuthInfo=socket=$place/munge.socket,cred_expire=5
		StateSaveLocation=$place/state
		SlurmdSpoolDir=$place/spool
		SlurmctldPidFile=$place/slurmctld.pid
		SlurmdPidFile=$place/slurmd.pid
		ProctrackType=proctrack/pgid
		TaskPlugin=task/none
		MpiDefault=none
		MailProg=/bin/true
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		SchedulerParameters=sched_interval=1,sched_min_interval=0
		SlurmdParameters=config_overrides
		ReturnToService=2
		BatchStartTimeout=120
		MessageTimeout=60
		TCPTimeout=30
		NodeName=$host NodeAddr=127.0.0.1 CPUs=2
		PartitionName=main Nodes=$host Default=YES
	END
	"${slurm[@]}" munged --foreground --force --key-file="$place/munge.key" --socket="$place/munge.socket" \
		--pid-file="$place/munge.pid" --seed-file="$place/munge.seed" > munged.log 2>&1 &
	pids+=($!)
	"${slurm[@]}" slurmctld -D -c > slurmctld.log 2>&1 &
	pids+=($!)
	"${slurm[@]}" slurmd -D > slurmd.log 2>&1 &
	pids+=($!)
	disown "${pids[@]}"
	until [[ $("${slurm[@]}" sinfo -h -o %T 2> sinfo.log) == idle ]]; do
		for pid in "${pids[@]}"; do
			kill -0 "$pid" 2> /dev/null || { kill -9 "${pids[@]}" 2> /dev/null || true; return 1; }
		done
		((SECONDS < 120)) || fail "the node is not idle after 120 s"
		sleep 0.1
	done
}

# Reads the states of the shards from Slurm, and prints those that are new.
declare -A state=() id=()
look() {
	local shard job now
	while read -r shard job now; do
		id[$shard]=$job
		[[ ${state[$shard]-} == "$now" ]] || say "shard $shard: $now"
		state[$shard]=$now
	done < <("${slurm[@]}" squeue -h -r -t all -j "$array" -o '%K %A %T' | sort)
}
# Waits for a condition.
await() { # CONDITION...
	until look && "$@"; do
		((SECONDS < 240)) || fail "after 240 s, still waiting for: $*"
		sleep 0.05
	done
}
is() { # SHARD STATE
	[[ ${state[$1]} == "$2" ]]
}
runs_with() { # SHARD ROWS: it has this many rows, or more
	is "$1" RUNNING && (($(rows "parts/part.$1.csv") >= $2))
}
rows() { # FILE
	if [[ -s $1 ]]; then echo $(($(wc -l < "$1") - 1)); else echo 0; fi
}
# The end of a shard as Slurm reports it.
report() { # SHARD
	"${slurm[@]}" scontrol -o show job "${array}_$1" | grep -oE '\b(JobState|Restarts|ExitCode)=\S+' | paste -sd ' '
}
# The sorted rows of a file, without the columns that are measured.
compared() { # FILE
	awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) measured[i] = $i ~ /^(wall_s|tasks_per_s|peak_rss_bytes)$/ }
		{ for (i = 1; i <= NF; i++) if (!measured[i]) printf "%s,", $i; print "" }' "$1" | sort
}

printf '%s\n' 'platform = mirage' 'workload = cholesky:nt=60' 'policy = eager,dmdas,lws,dmda' 'gpus = 1,3' \
	'gpu-mem = 300MiB,none' 'noise = 0.02' 'repeat = 4' > plan.ini
"${slurm[@]}" "$TILEWRIGHT" sweep plan.ini --jobs 1 --output whole.csv --quiet
say "one process: $(rows whole.csv) rows"

(umask 077 && head -c 128 /dev/urandom > munge.key)
tries=1
until start; do
	((tries++ < 5)) || fail "Slurm does not start"
	say "a daemon has ended: again, with other ports"
done
say "$("${slurm[@]}" sinfo --version): $("${slurm[@]}" sinfo -h -o '%D node, %c CPUs, %T')"
array=$("${slurm[@]}" sbatch --parsable --array=1-2 --cpus-per-task=1 --output=part.%a.log "$scripts/slurm-array" parts plan.ini)
say "job $array: submitted, with 2 shards"

# A process that takes too much memory is killed like this. Its job fails, and is requeued by hand.
await runs_with 2 3
pid=$("${slurm[@]}" scontrol listpids "${id[2]}" | awk '$4 == "0" { print $1 }')
kill -9 "$pid"
say "shard 2: killed process $pid, the sweep"
await is 2 FAILED
first=$(rows parts/part.2.csv)
say "shard 2: $(report 2), $first rows"
"${slurm[@]}" scontrol requeue "${array}_2"
say "shard 2: requeued"

# A running job is requeued like this when a job of higher priority preempts it, or when its node fails.
await runs_with 2 $((first + 3))
"${slurm[@]}" scontrol requeue "${array}_2"
say "shard 2: requeued again, while it runs"
await is 2 PENDING
second=$(rows parts/part.2.csv)
say "shard 2: $second rows"

await is 1 COMPLETED
await is 2 COMPLETED
for shard in 1 2; do
	say "shard $shard: $(report "$shard"), $(rows "parts/part.$shard.csv") rows"
done
"$scripts/merge" parts/part.*.csv > merged.csv
diff <(compared whole.csv) <(compared merged.csv) > diff.log || fail "the merged rows are not those of one process"
say "merged: $(rows merged.csv) rows, equal to those of one process"

# The log of the job tells that each run began with the rows of the run before.
grep 'missing$' part.2.log || true
mine=$(rows parts/part.2.csv)
for had in "$first" "$second"; do
	((had < mine)) || fail "shard 2 was killed after its end"
	grep -q "has $had of $mine points, $((mine - had)) missing" part.2.log || fail "shard 2 did not go on from $had rows"
done
(($(rows parts/part.1.csv) + mine == $(rows whole.csv))) || fail "a point ran twice"
