#!/usr/bin/env bash
# Makes the folder p, a node, and g.json, a graph. Under the case's memory limits, main memory is full of handles that
# the GPU's second task has overwritten. A victim must be written back there before the GPU's thread finishes that task.
set -eu

mkdir p
cp "$TILEWRIGHT_PLATFORMS/synthetic/platform.xml" p
cat > p/kernels.csv << 'END'
kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note
on_cpu,fast,1,960,s,1000,0,0,
on_gpu,gpu-a,1,960,s,20000,0,0,
END
cat > g.json << 'END'
{"tilewright":1,"flops":1e9,"priorities":"sorting",
"kernels":[{"name":"on_cpu","size":"960","precision":"s","flops":1e8},
{"name":"on_gpu","size":"960","precision":"s","flops":1e9}],
"data":[3686400,3686400,3686400,3686400,3686400,3686400],
"tasks":[[0,0,0,2,1,2,2,2],[1,0,3,2,4,2],[1,0,0,2,1,2,2,2],[1,0,3,1,5,1]]}
END
