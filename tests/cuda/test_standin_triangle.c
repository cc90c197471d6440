/* The stand-in for CUDA: triangular matrices and factors. */
#include <math.h>

#include "test_standin.h"

/* The element of op(A) of a triangular A. */
static double triangular(const double *a, int upper, int trans, int unit, int i, int j)
{
	if (i == j && unit)
		return 1;
	bool in = trans ? (upper ? j <= i : j >= i) : (upper ? i <= j : i >= j);
	return in ? element(a, trans, i, j) : 0;
}

START_TEST(trsm_solves)
{
	struct lab lab;
	double a[ALL], b[ALL], x[ALL], alpha = 2;
	float falpha = (float)alpha;
	open_lab(&lab, _i & 1);
	int right = _i >> 1 & 1, upper = _i >> 2 & 1, t = _i >> 3 & 1, unit = _i >> 4 & 1;
	fill(a, ALL, 1), fill(b, ALL, 3);
	for (int i = 0; i < 8; i++)
		a[i + i * LD] = unit ? NAN : 3;
	put(&lab, 0, a, ALL), put(&lab, 2, b, ALL);
	void *da = lab.device[0], *db = lab.device[2];
	good(lab.is_double ? cublasDtrsm_v2(lab.blas, right, upper, t, unit, M, N, &alpha, da, LD, db, LD)
	                   : cublasStrsm_v2(lab.blas, right, upper, t, unit, M, N, &falpha, da, LD, db, LD));
	get(&lab, 2, x, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++) {
			double sum = 0;
			for (int k = 0; k < (right ? N : M); k++)
				sum += right ? x[i + k * LD] * triangular(a, upper, t, unit, k, j)
				             : triangular(a, upper, t, unit, i, k) * x[k + j * LD];
			near(&lab, sum, alpha * b[i + j * LD]);
		}
	close_lab(&lab);
}
END_TEST

static int trmm(const struct lab *lab, const int how[4], double alpha, void *a, void *b, int ldb, void *c, int ldc)
{
	float falpha = (float)alpha;
	int right = how[0], upper = how[1], t = how[2], unit = how[3];
	return lab->is_double ? cublasDtrmm_v2(lab->blas, right, upper, t, unit, M, N, &alpha, a, LD, b, ldb, c, ldc)
	                      : cublasStrmm_v2(lab->blas, right, upper, t, unit, M, N, &falpha, a, LD, b, ldb, c, ldc);
}

/* Out of place and in place. The other triangle of A is not read. */
START_TEST(trmm_is_trmm)
{
	struct lab lab;
	double a[ALL], b[ALL], c[ALL], is[ALL];
	int how[4] = {_i >> 1 & 1, _i >> 2 & 1, _i >> 3 & 1, _i >> 4 & 1}, in_place = _i >> 5 & 1;
	int right = how[0], upper = how[1], t = how[2], unit = how[3];
	open_lab(&lab, _i & 1);
	fill(a, ALL, 1), fill(b, ALL, 2), fill(c, ALL, in_place ? 2 : 3);
	for (int j = 0; j < 8; j++)
		for (int i = 0; i < LD; i++)
			if ((upper ? i > j : i < j) || (i == j && unit))
				a[i + j * LD] = NAN;
	put(&lab, 0, a, ALL), put(&lab, 1, b, ALL), put(&lab, 2, c, ALL);
	good(trmm(&lab, how, -1.5, lab.device[0], lab.device[in_place ? 2 : 1], LD, lab.device[2], LD));
	get(&lab, 2, is, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++) {
			double sum = 0;
			for (int k = 0; k < (right ? N : M); k++)
				sum += right ? b[i + k * LD] * triangular(a, upper, t, unit, k, j)
				             : triangular(a, upper, t, unit, i, k) * b[k + j * LD];
			c[i + j * LD] = -1.5 * sum;
		}
	for (int i = 0; i < ALL; i++)
		near(&lab, is[i], c[i]);
	close_lab(&lab);
}
END_TEST

START_TEST(trmm_refuses_overlap)
{
	struct lab lab;
	double zeros[ROOM * ROOM] = {0};
	int lower[4] = {0, 0, 0, 0}, upper[4] = {0, 1, 0, 0};
	open_lab(&lab, true);
	double *a = (double *)(void *)lab.device[0], *b = (double *)(void *)lab.device[1];
	put(&lab, 0, zeros, ROOM * ROOM), put(&lab, 1, zeros, ROOM * ROOM);
	ck_assert_int_eq(trmm(&lab, lower, 1, a, b, LD, b, LD + 1), 7);
	ck_assert_int_eq(trmm(&lab, lower, 1, a, b, LD, b + 1, LD), 7);
	ck_assert_int_eq(trmm(&lab, lower, 1, a, b, LD, a, LD), 7);
	ck_assert_int_eq(trmm(&lab, lower, 1, a, a, LD, a, LD), 7);
	/* Rows of B and C alternate; C begins in the part of A that is not read. */
	good(trmm(&lab, lower, 1, a, b, 2 * M, b + M, 2 * M));
	good(trmm(&lab, lower, 1, a, b, LD, a + (M - 1) * LD - 1, LD));
	ck_assert_int_eq(trmm(&lab, lower, 1, a, b, LD, a + (M - 1) * LD, LD), 7);
	ck_assert_int_eq(trmm(&lab, upper, 1, a, b, LD, a + (M - 1) * LD - 1, LD), 7);
	ck_assert_int_eq(trmm(&lab, (int[4]){2, 0, 0, 0}, 1, a, b, LD, b, LD), 7);
	ck_assert_int_eq(trmm(&lab, lower, 1, a, b, M - 1, b, M - 1), 7);
	ck_assert_int_eq(trmm(&lab, lower, 1, zeros, b, LD, b, LD), 7);
	good(cudaStreamSynchronize(lab.stream));
	close_lab(&lab);
}
END_TEST

static int info_of(const struct lab *lab)
{
	int info = -1;
	good(cudaMemcpyAsync(&info, lab->info, sizeof info, TW__CUDA_TO_HOST, lab->stream));
	good(cudaStreamSynchronize(lab->stream));
	return info;
}

static int potrf(const struct lab *lab, int upper, int elements)
{
	void *a = lab->device[0], *work = lab->device[1];
	return lab->is_double ? cusolverDnDpotrf(lab->solver, upper, N, a, LD, work, elements, lab->info)
	                      : cusolverDnSpotrf(lab->solver, upper, N, a, LD, work, elements, lab->info);
}

START_TEST(potrf_factors)
{
	struct lab lab;
	double a[ALL], l[ALL];
	int elements;
	open_lab(&lab, _i & 1);
	int upper = _i >> 1 & 1;
	fill(a, ALL, 1);
	for (int j = 0; j < N; j++)
		for (int i = 0; i <= j; i++)
			a[j + i * LD] = a[i + j * LD] += i == j ? 5 : 0;
	put(&lab, 0, a, ALL);
	good(lab.is_double ? cusolverDnDpotrf_bufferSize(lab.solver, upper, N, NULL, LD, &elements)
	                   : cusolverDnSpotrf_bufferSize(lab.solver, upper, N, NULL, LD, &elements));
	ck_assert_int_eq(elements, N * N);
	ck_assert_int_eq(potrf(&lab, upper, elements - 1), 3);
	ck_assert_int_eq(potrf(&lab, upper, ROOM * ROOM * 2 + 1), 3);
	good(potrf(&lab, upper, elements));
	ck_assert_int_eq(info_of(&lab), 0);
	get(&lab, 0, l, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++) {
			double sum = 0;
			for (int k = 0; k < N; k++)
				sum += triangular(l, upper, upper, 0, i, k) * triangular(l, upper, upper, 0, j, k);
			near(&lab, sum, a[i + j * LD]);
			if (upper ? i > j : i < j)
				near(&lab, l[i + j * LD], a[i + j * LD]);
		}
	a[2 + 2 * LD] = -1;
	put(&lab, 0, a, ALL);
	good(potrf(&lab, upper, elements));
	ck_assert_int_eq(info_of(&lab), 3);
	close_lab(&lab);
}
END_TEST

static int getrf(const struct lab *lab, int *pivots)
{
	void *a = lab->device[0], *work = lab->device[1];
	return lab->is_double ? cusolverDnDgetrf(lab->solver, M, N, a, LD, work, pivots, lab->info)
	                      : cusolverDnSgetrf(lab->solver, M, N, a, LD, work, pivots, lab->info);
}

START_TEST(getrf_factors_without_pivots)
{
	struct lab lab;
	double a[ALL], lu[ALL];
	int elements;
	open_lab(&lab, _i & 1);
	fill(a, ALL, 1);
	for (int i = 0; i < N; i++)
		a[i + i * LD] += 5;
	put(&lab, 0, a, ALL);
	good(lab.is_double ? cusolverDnDgetrf_bufferSize(lab.solver, M, N, NULL, LD, &elements)
	                   : cusolverDnSgetrf_bufferSize(lab.solver, M, N, NULL, LD, &elements));
	ck_assert_int_eq(elements, N);
	ck_assert_int_eq(getrf(&lab, lab.info), 9);
	good(getrf(&lab, NULL));
	ck_assert_int_eq(info_of(&lab), 0);
	get(&lab, 0, lu, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++) {
			double sum = 0;
			for (int k = 0; k < N; k++)
				sum += triangular(lu, 0, 0, 1, i, k) * triangular(lu, 1, 0, 0, k, j);
			near(&lab, sum, a[i + j * LD]);
		}
	/* The second pivot is 0. */
	a[1 + 1 * LD] = a[1 + 0 * LD] = 0;
	put(&lab, 0, a, ALL);
	good(getrf(&lab, NULL));
	ck_assert_int_eq(info_of(&lab), 2);
	close_lab(&lab);
}
END_TEST

void add_triangle_tests(TCase *cases)
{
	tcase_add_loop_test(cases, trsm_solves, 0, 32);
	tcase_add_loop_test(cases, trmm_is_trmm, 0, 64);
	tcase_add_test(cases, trmm_refuses_overlap);
	tcase_add_loop_test(cases, potrf_factors, 0, 4);
	tcase_add_loop_test(cases, getrf_factors_without_pivots, 0, 2);
}
