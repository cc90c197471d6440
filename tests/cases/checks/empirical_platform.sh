#!/usr/bin/env bash
# Makes the folder e: the platform $DATA/one, with samples of 3, 5, 1 and 7 s of gemm. With --only the kernel has no
# other time; with --twice the folder f has the same samples in the opposite order.
set -eu

cp -r "$DATA/one" e
chmod -R u+w e
[[ ${1:-} != --only ]] || sed -i '/^gemm/d' e/kernels.csv
header=kernel,arch,cores,size,precision,us
{ echo $header && echo '# measured' && printf 'gemm,cpu,1,100,s,%s\n' 3000000 5000000 1000000 7000000; } > e/samples.csv
if [[ ${1:-} == --twice ]]; then
	cp -r e f
	{ echo $header && tail -n 4 e/samples.csv | tac; } > f/samples.csv
fi
