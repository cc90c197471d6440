#!/usr/bin/env bash
# Neither the command nor the library needs BLAS or CUDA. A simulation never loads the plug-in with real kernels; a
# real run does.
#
#     tests/real/links.sh TILEWRIGHT LIBTILEWRIGHT.so
set -euo pipefail

for file in "$1" "$2"; do
	if readelf -d "$file" | grep -E 'NEEDED.*(openblas|cublas|cudart|cusolver)'; then
		echo "links: $file needs these"
		exit 1
	fi
done

loads() { # OPTION...: does a run load the plug-in?
	LD_DEBUG=files "$tilewright" run --workload cholesky:nt=3:nb=64 --policy eager "$@" 2>&1 | grep tilewright-kernels > /dev/null
}

tilewright=$1
if loads --platform mirage --extrapolate; then
	echo "links: a simulation loads the kernels' plug-in"
	exit 1
fi
loads --engine real || {
	echo "links: a real run does not load the kernels' plug-in"
	exit 1
}
