#!/usr/bin/env bash
# Counts the instructions of whole runs, from the runtime's start to its end, with callgrind. Prints instructions per
# task for each policy: on few and many cores or GPUs, for small and large graphs, with the ratio. Counts depend on
# the compiler, but little on the machine.
#
#     tests/bench/growth.sh TILEWRIGHT [cores|gpus|tasks]... [POLICY]...
#
# Without names: all three, for some policies. Cores and GPUs: Cholesky with $NT tiles a side (12). Skipped without
# valgrind.
set -euo pipefail

tilewright=$1 nt=${NT-12}
shift
if ! command -v valgrind > /dev/null; then
	echo "skipped: valgrind is not installed"
	exit 77
fi

kinds=() policies=()
for word; do
	case $word in cores | gpus | tasks) kinds+=("$word") ;; *) policies+=("$word") ;; esac
done
((${#kinds[@]})) || kinds=(cores gpus tasks)
((${#policies[@]})) || policies=(eager lws dmdas heteroprio darts)

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# A platform with N cores, or with N GPUs. Each GPU has its own PCI link behind a link of the host's.
make_platform() { # FOLDER CORES GPUS
	mkdir "$1"
	{
		echo '<?xml version="1.0"?>'
		echo '<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
		echo '<platform version="4.1"><zone id="growth" routing="Full">'
		echo "<host id=\"CPU\" speed=\"1Gf\" core=\"$2\"><prop id=\"arch\" value=\"core\"/></host>"
		echo '<host id="RAM" speed="1f"><prop id="role" value="memory"/></host>'
		echo '<link id="host" bandwidth="240GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>'
		for ((i = 0; i < $3; i++)); do
			echo "<host id=\"GPU$i\" speed=\"1Gf\"><prop id=\"arch\" value=\"gpu\"/><prop id=\"memory\" value=\"8GiB\"/></host>"
			echo "<link id=\"pci$i\" bandwidth=\"16GBps\" latency=\"7us\" sharing_policy=\"SPLITDUPLEX\"/>"
		done
		for ((i = 0; i < $3; i++)); do
			echo "<route src=\"RAM\" dst=\"GPU$i\"><link_ctn id=\"host\" direction=\"DOWN\"/><link_ctn id=\"pci$i\" direction=\"DOWN\"/></route>"
		done
		echo '</zone></platform>'
	} > "$1/platform.xml"
	{
		echo 'kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note'
		local kernel core gpu
		for kernel in potrf:9830:4915 trsm:25278:2527 syrk:24576:884 gemm:44236:1474; do
			IFS=: read -r kernel core gpu <<< "$kernel"
			echo "$kernel,core,1,960,s,$core,0,0,made up"
			(($3 == 0)) || echo "$kernel,gpu,1,960,s,$gpu,0,0,made up"
		done
	} > "$1/kernels.csv"
}

# Instructions per task of a run. The command runs in a child process; instructions outside of the run are not
# counted.
count() { # PLATFORM CORES GPUS NT POLICY
	rm -f "$folder"/callgrind.*
	valgrind --tool=callgrind --trace-children=yes --toggle-collect=tw__run \
		--callgrind-out-file="$folder/callgrind.%p" "$tilewright" run --engine native --platform "$folder/$1" \
		--cpus "$2" --gpus "$3" --workload "cholesky:nt=$4" --policy "$5" --format csv > /dev/null 2> "$folder/log" ||
		{ cat "$folder/log" >&2 && return 1; }
	awk -v n=$(($4 * ($4 + 1) * ($4 + 2) / 6)) '/^totals:/ && $2 > most { most = $2 } END { printf "%d\n", most / n }' \
		"$folder"/callgrind.*
}

row() { # WHAT POLICY, then PLATFORM CORES GPUS NT three times
	local what=$1 policy=$2 counts=()
	shift 2
	while (($#)); do
		counts+=("$(count "$1" "$2" "$3" "$4" "$policy")")
		shift 4
	done
	printf '%-6s %-18s %10d %10d %10d %8.2f\n' "$what" "$policy" "${counts[@]}" \
		"$(awk "BEGIN { print ${counts[2]} / ${counts[0]} }")"
}

make_platform "$folder/cores" 512 0
make_platform "$folder/gpus" 64 60
echo "instructions a task: cores 8, 64, 512 (nt=$nt); gpus 8, 30, 60 (nt=$nt); tasks nt=10, 20, 40 (8 GPUs)"
printf '%-6s %-18s %10s %10s %10s %8s\n' what policy first second third ratio
for kind in "${kinds[@]}"; do
	for policy in "${policies[@]}"; do
		case $kind in
		cores) row cores "$policy" cores 8 0 "$nt" cores 64 0 "$nt" cores 512 0 "$nt" ;;
		gpus) row gpus "$policy" gpus 0 8 "$nt" gpus 0 30 "$nt" gpus 0 60 "$nt" ;;
		tasks) row tasks "$policy" gpus 0 8 10 gpus 0 8 20 gpus 0 8 40 ;;
		esac
	done
done
