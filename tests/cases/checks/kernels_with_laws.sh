#!/usr/bin/env bash
# Makes the folder p: the platform mirage with made-up kernel times, for five sizes from 10 to 80.
#
#     kernels_with_laws.sh shapes    a line, a cube on four cores, a cube that starts late, and kernels without laws
#     kernels_with_laws.sh groups    potrf, 3 * size^3 us on four cores, and the other kernels of Cholesky of size 40
set -eu

mkdir p
cp "$TILEWRIGHT_PLATFORMS/mirage/platform.xml" p
{
	echo kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note
	for s in 10 20 30 50 80; do
		cube=$((3 * s * s * s))
		case $1 in
		shapes)
			echo "line,cpu,1,${s}x$s,b,$((2 * s * s + 300)),0,7,"
			echo "cube,cpu,4,$s,b,$cube,0,7,"
			echo "late,m2070-0,1,$s,b,$((cube + 5000)),50,7,"
			;;
		groups) echo "potrf,cpu,4,$s,s,$cube,0,7," ;;
		esac
	done
	case $1 in
	shapes) printf '%s\n' odd,cpu,1,9f3a,s,5,0,0, few,cpu,1,90,d,5,1,2, few,cpu,1,900,d,10,1,2, ;;
	groups) printf '%s,cpu,4,40,s,1,0,1,\n' trsm syrk gemm ;;
	esac
} > p/kernels.csv
