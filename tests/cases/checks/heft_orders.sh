#!/usr/bin/env bash
# Three tasks on one core under heft with these orders: a chain of tasks 0 and 1, and task 2, which is ready from the
# start and not urgent. Prints the tasks in the order in which they ran.
#
#     heft_orders.sh ORDER[:PARAMETER=VALUE]...
set -eu

cat > three.json << 'END'
{"tilewright":1,"flops":0,"priorities":"all","kernels":[{"name":"potrf","size":"960","precision":"s","flops":1}],
"data":[8,8],"tasks":[[0,0,0,3],[0,0,0,3],[0,0,1,3]]}
END
for order; do
	tilewright run --platform mirage --workload file:three.json --policy "heft:order=$order" --cpus 1 --gpus 0 \
		--runtime ideal --validate --trace t.json > log
	grep -o '"task":[0-9]*' t.json | cut -d: -f 2 | xargs
done
