/* The stand-in for CUDA: products and sums of matrices. */
#include <math.h>

#include "test_standin.h"

START_TEST(gemm_is_gemm)
{
	struct lab lab;
	double a[ALL], b[ALL], c[ALL], is[ALL], alpha = -1.5, beta = 0.5;
	float falpha = (float)alpha, fbeta = (float)beta;
	open_lab(&lab, _i & 1);
	int ta = _i >> 1 & 1, tb = _i >> 2 & 1;
	fill(a, ALL, 1), fill(b, ALL, 2), fill(c, ALL, 3);
	put(&lab, 0, a, ALL), put(&lab, 1, b, ALL), put(&lab, 2, c, ALL);
	void *da = lab.device[0], *db = lab.device[1], *dc = lab.device[2];
	good(lab.is_double ? cublasDgemm_v2(lab.blas, ta, tb, M, N, K, &alpha, da, LD, db, LD, &beta, dc, LD)
	                   : cublasSgemm_v2(lab.blas, ta, tb, M, N, K, &falpha, da, LD, db, LD, &fbeta, dc, LD));
	get(&lab, 2, is, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++) {
			double sum = 0;
			for (int k = 0; k < K; k++)
				sum += element(a, ta, i, k) * element(b, tb, k, j);
			c[i + j * LD] = alpha * sum + beta * c[i + j * LD];
		}
	for (int i = 0; i < ALL; i++)
		near(&lab, is[i], c[i]);
	close_lab(&lab);
}
END_TEST

START_TEST(syrk_is_syrk)
{
	struct lab lab;
	double a[ALL], c[ALL], is[ALL], alpha = -1, beta = 2;
	float falpha = (float)alpha, fbeta = (float)beta;
	open_lab(&lab, _i & 1);
	int upper = _i >> 1 & 1, t = _i >> 2 & 1;
	fill(a, ALL, 1), fill(c, ALL, 3);
	put(&lab, 0, a, ALL), put(&lab, 2, c, ALL);
	void *da = lab.device[0], *dc = lab.device[2];
	good(lab.is_double ? cublasDsyrk_v2(lab.blas, upper, t, N, K, &alpha, da, LD, &beta, dc, LD)
	                   : cublasSsyrk_v2(lab.blas, upper, t, N, K, &falpha, da, LD, &fbeta, dc, LD));
	get(&lab, 2, is, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++) {
			double sum = 0;
			for (int k = 0; k < K; k++)
				sum += element(a, t, i, k) * element(a, t, j, k);
			if (upper ? i <= j : i >= j)
				c[i + j * LD] = alpha * sum + beta * c[i + j * LD];
		}
	for (int i = 0; i < ALL; i++)
		near(&lab, is[i], c[i]);
	close_lab(&lab);
}
END_TEST

static int geam(const struct lab *lab, int ta, int tb, double alpha, void *a, int lda, double beta, void *b, int ldb,
                void *c, int ldc)
{
	float falpha = (float)alpha, fbeta = (float)beta;
	return lab->is_double ? cublasDgeam(lab->blas, ta, tb, M, N, &alpha, a, lda, &beta, b, ldb, c, ldc)
	                      : cublasSgeam(lab->blas, ta, tb, M, N, &falpha, a, lda, &fbeta, b, ldb, c, ldc);
}

/* Adds to c as cuBLAS should. */
static void add(double *c, int ta, int tb, double alpha, const double *a, double beta, const double *b)
{
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++)
			c[i + j * LD] = alpha * element(a, ta, i, j) + beta * element(b, tb, i, j);
}

START_TEST(geam_is_geam)
{
	struct lab lab;
	double a[ALL], b[ALL], c[ALL], is[ALL];
	open_lab(&lab, _i & 1);
	int ta = _i >> 1 & 1, tb = _i >> 2 & 1;
	fill(a, ALL, 1), fill(b, ALL, 2), fill(c, ALL, 3);
	put(&lab, 0, a, ALL), put(&lab, 1, b, ALL), put(&lab, 2, c, ALL);
	good(geam(&lab, ta, tb, -1.5, lab.device[0], LD, 0.5, lab.device[1], LD, lab.device[2], LD));
	get(&lab, 2, is, ALL);
	add(c, ta, tb, -1.5, a, 0.5, b);
	for (int i = 0; i < ALL; i++)
		near(&lab, is[i], c[i]);
	close_lab(&lab);
}
END_TEST

START_TEST(geam_is_in_place)
{
	struct lab lab;
	double a[ALL], b[ALL], c[ALL], is[ALL];
	open_lab(&lab, _i & 1);
	fill(a, ALL, 1), fill(b, ALL, 2);
	for (int which = 0; which < 2; which++) { /* C is A, C is B */
		int ta = which == 1 && _i >> 1, tb = which == 0 && _i >> 1;
		fill(c, ALL, 1 + (unsigned)which);
		put(&lab, 0, a, ALL), put(&lab, 1, b, ALL);
		good(geam(&lab, ta, tb, -1.5, lab.device[0], LD, 0.5, lab.device[1], LD, lab.device[which], LD));
		get(&lab, which, is, ALL);
		add(c, ta, tb, -1.5, a, 0.5, b);
		for (int i = 0; i < ALL; i++)
			near(&lab, is[i], c[i]);
	}
	close_lab(&lab);
}
END_TEST

START_TEST(geam_does_not_read_what_counts_nothing)
{
	struct lab lab;
	double a[ALL], b[ALL], c[ALL], is[ALL], alpha = _i >> 1 & 1 ? 2 : 0, beta = _i >> 2 & 1 ? 3 : 0;
	open_lab(&lab, _i & 1);
	fill(a, ALL, 1), fill(b, ALL, 2), fill(c, ALL, 3);
	for (int i = 0; i < ALL; i++) {
		a[i] = alpha != 0 ? a[i] : NAN;
		b[i] = beta != 0 ? b[i] : NAN;
	}
	put(&lab, 0, a, ALL), put(&lab, 1, b, ALL), put(&lab, 2, c, ALL);
	good(geam(&lab, 0, 0, alpha, lab.device[0], LD, beta, lab.device[1], LD, lab.device[2], LD));
	get(&lab, 2, is, ALL);
	for (int j = 0; j < N; j++)
		for (int i = 0; i < M; i++)
			c[i + j * LD] = (alpha != 0 ? 2 * a[i + j * LD] : 0) + (beta != 0 ? 3 * b[i + j * LD] : 0);
	for (int i = 0; i < ALL; i++)
		near(&lab, is[i], c[i]);
	close_lab(&lab);
}
END_TEST

START_TEST(geam_refuses_overlap)
{
	struct lab lab;
	open_lab(&lab, true);
	char *a = lab.device[0], *b = lab.device[1];
	enum { TALL = 2 * M };
	good(cudaMemsetAsync(a, 0, ROOM * ROOM * sizeof(double), lab.stream));
	good(cudaMemsetAsync(b, 0, ROOM * ROOM * sizeof(double), lab.stream));
	ck_assert_int_eq(geam(&lab, 1, 0, 1, a, LD, 1, b, LD, a, LD), 7);
	ck_assert_int_eq(geam(&lab, 0, 1, 1, a, LD, 1, b, LD, b, LD), 7);
	ck_assert_int_eq(geam(&lab, 0, 0, 1, a, LD, 1, b, LD, a, LD + 1), 7);
	ck_assert_int_eq(geam(&lab, 0, 0, 1, a, LD, 1, b, LD, b, LD + 1), 7);
	ck_assert_int_eq(geam(&lab, 0, 0, 1, a, TALL, 1, b, LD, a + (M - 1) * sizeof(double), TALL), 7);
	/* The upper and the lower half of a matrix do not overlap; A and B may be the same. */
	good(geam(&lab, 0, 0, 1, a, TALL, 1, a, TALL, a + M * sizeof(double), TALL));
	/* Other refused calls. */
	ck_assert_int_eq(geam(&lab, 0, 0, 1, a, M - 1, 1, a, LD, b, LD), 7);
	ck_assert_int_eq(geam(&lab, 3, 0, 1, a, LD, 1, a, LD, b, LD), 7);
	ck_assert_int_eq(geam(&lab, 0, 0, 1, a, LD, 0, NULL, LD, b, LD), 7);
	ck_assert_int_eq(geam(&lab, 0, 0, 1, a, LD, 1, a, LD, b + (ROOM * ROOM - N * LD) * sizeof(double) + 32, LD), 7);
	good(cudaStreamSynchronize(lab.stream));
	close_lab(&lab);
}
END_TEST

void add_blas_tests(TCase *cases)
{
	tcase_add_loop_test(cases, gemm_is_gemm, 0, 8);
	tcase_add_loop_test(cases, syrk_is_syrk, 0, 8);
	tcase_add_loop_test(cases, geam_is_geam, 0, 8);
	tcase_add_loop_test(cases, geam_is_in_place, 0, 4);
	tcase_add_loop_test(cases, geam_does_not_read_what_counts_nothing, 0, 8);
	tcase_add_test(cases, geam_refuses_overlap);
}
