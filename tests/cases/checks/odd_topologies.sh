#!/usr/bin/env bash
# Topologies that were cut anywhere are refused with one message: prints how often each message comes. Topologies that
# say impossible things are taken or refused in one line: prints the exit status and the number of lines of others.
set -u

topology=$DATA/hwloc/two-sockets.xml
for n in 100 1000 2000 5000 7000 9000; do
	head -c $n "$topology" > cut.xml
	tilewright platform detect -o new --hwloc-xml cut.xml 2>&1
done | sort | uniq -c | sed 's/ *//'

changes=('s/type="PU"/type="Core"/' 's/"0x0000ffff"/"0xf...f"/' 's/ cpuset="[^"]*"//' 
	's/os_index="3"/os_index="4294967295"/' '/NUMANode/d' 's/depth="[12]"/depth="77"/' 's/Bridge/Group/')
for i in "${!changes[@]}"; do
	sed "${changes[i]}" "$topology" > odd.xml
	tilewright platform detect -o "odd$i" --hwloc-xml odd.xml > log 2>&1
	echo "$? $(wc -l < log)"
done | grep -vxE '[02] 1'
