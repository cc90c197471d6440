#!/usr/bin/env bash
# Six handles, the last with accumulators, dealt out by the policy static to three GPUs, two for each. Prints whether
# the run is valid, and where the first task of each handle ran.
set -eu

cat > a.json << 'END'
{"tilewright":1,"flops":0,"priorities":"all","kernels":[{"name":"gemm","size":"960","precision":"s","flops":1e9}],
"data":[8,8,8,8,8,8],"reductions":[[5,0]],
"tasks":[[0,0,0,3],[0,0,1,3],[0,0,2,3],[0,0,3,3],[0,0,4,3],[0,0,5,3],[0,0,5,8],[0,0,5,8],[0,0,5,1]]}
END
tilewright run --platform mirage --workload file:a.json --policy static --cpus 0 --validate --trace t.json \
	--format csv | columns.py validated
sed -n 's/.*"tid":\([0-9]*\).*"name":"gemm","args":{"task":\([0-9]*\).*/\2 on GPU \1/p' t.json | sort -n | head -n 6
