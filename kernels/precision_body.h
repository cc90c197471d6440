/* The functions of a struct tw__precision. precision.c includes this file once for each precision, with REAL, NAME and
 * BLAS defined. */

static void NAME(gemm)(char transa, char transb, int m, int n, int k, double alpha, const void *a, int lda,
                       const void *b, int ldb, double beta, void *c, int ldc)
{
	REAL factor = (REAL)alpha, kept = (REAL)beta;
	BLAS(gemm)(&transa, &transb, &m, &n, &k, &factor, a, &lda, b, &ldb, &kept, c, &ldc, 1, 1);
}

static void NAME(syrk)(int n, int k, double alpha, const void *a, int lda, double beta, void *c, int ldc)
{
	REAL factor = (REAL)alpha, kept = (REAL)beta;
	BLAS(syrk)("L", "N", &n, &k, &factor, a, &lda, &kept, c, &ldc, 1, 1);
}

/* Solves one half of the system after the other, with gemm in between, because OpenBLAS's own trsm is slow on a tile.
 * The first half does not depend on the second. */
static void NAME(trsm)(char side, char uplo, char trans, char diag, int m, int n, const void *a, int lda, void *b,
                       int ldb)
{
	REAL one = 1, minus = -1, *rest_of_b;
	int order = side == 'L' ? m : n, half = order / 2, rest = order - half;
	const REAL *beside = (const REAL *)a + (uplo == 'L' ? half : (ptrdiff_t)half * lda);
	const REAL *rest_of_a = (const REAL *)a + half + (ptrdiff_t)half * lda;
	if (order <= TRSM_BLOCK) {
		BLAS(trsm)(&side, &uplo, &trans, &diag, &m, &n, &one, a, &lda, b, &ldb, 1, 1, 1, 1);
	} else if (side == 'L') {
		rest_of_b = (REAL *)b + half;
		NAME(trsm)(side, uplo, trans, diag, half, n, a, lda, b, ldb);
		BLAS(gemm)(&trans, "N", &rest, &n, &half, &minus, beside, &lda, b, &ldb, &one, rest_of_b, &ldb, 1, 1);
		NAME(trsm)(side, uplo, trans, diag, rest, n, rest_of_a, lda, rest_of_b, ldb);
	} else {
		rest_of_b = (REAL *)b + (ptrdiff_t)half * ldb;
		NAME(trsm)(side, uplo, trans, diag, m, half, a, lda, b, ldb);
		BLAS(gemm)("N", &trans, &m, &rest, &half, &minus, b, &ldb, beside, &lda, &one, rest_of_b, &ldb, 1, 1);
		NAME(trsm)(side, uplo, trans, diag, m, rest, rest_of_a, lda, rest_of_b, ldb);
	}
}

static int NAME(potrf)(int n, void *a, int lda)
{
	int info = 0;
	BLAS(potrf)("L", &n, a, &lda, &info, 1);
	return info;
}

static int NAME(geqrt)(int n, int ib, void *a, void *t, void *work)
{
	int info = 0;
	BLAS(geqrt)(&n, &n, &ib, a, &n, t, &ib, work, &info);
	return info;
}

static void NAME(gemqrt)(int m, int n, int ib, const void *v, const void *t, void *c, int ldc, void *work)
{
	int info = 0;
	BLAS(gemqrt)("L", "T", &m, &n, &m, &ib, v, &m, t, &ib, c, &ldc, work, &info, 1, 1);
}

static int NAME(tpqrt)(int n, int l, int ib, void *a, void *b, void *t, void *work)
{
	int info = 0;
	BLAS(tpqrt)(&n, &n, &l, &ib, a, &n, b, &n, t, &ib, work, &info);
	return info;
}

static void NAME(tpmqrt)(int m, int n, int l, int ib, const void *v, const void *t, void *a, void *b, void *work)
{
	int info = 0;
	BLAS(tpmqrt)("L", "T", &m, &n, &m, &l, &ib, v, &m, t, &ib, a, &m, b, &m, work, &info, 1, 1);
}

static void NAME(lacpy)(int m, int n, const void *a, void *b, int ld) { BLAS(lacpy)("A", &m, &n, a, &ld, b, &ld, 1); }

static void NAME(fill)(const struct tw__matrix *matrix, int64_t row, int64_t column, int rows, int columns, void *at)
{
	REAL *element = at;
	for (int j = 0; j < columns; j++)
		for (int i = 0; i < rows; i++)
			*element++ = (REAL)tw__matrix_entry(matrix, row + i, column + j);
}

/* Finds the stored rows of column j that count in the region: from `*first` to before `*end`. */
static void NAME(stored)(enum tw__region region, int rows, int j, int *first, int *end)
{
	*first = region == TW__LOWER ? j : region == TW__UNIT_LOWER ? j + 1 : 0;
	*end = region == TW__UPPER && j < rows ? j + 1 : rows;
}

static void NAME(times)(double *y, enum tw__region region, int rows, int columns, const void *a, int ld,
                        const double *x)
{
	for (int j = 0; j < columns; j++) {
		const REAL *column = (const REAL *)a + (size_t)j * (size_t)ld;
		int first, end;
		NAME(stored)(region, rows, j, &first, &end);
		for (int i = first; i < end; i++)
			y[i] += (double)column[i] * x[j];
		if (region == TW__UNIT_LOWER)
			y[j] += x[j];
	}
}

static void NAME(transposed_times)(double *y, enum tw__region region, int rows, int columns, const void *a, int ld,
                                   const double *x)
{
	for (int j = 0; j < columns; j++) {
		const REAL *column = (const REAL *)a + (size_t)j * (size_t)ld;
		int first, end;
		double sum = region == TW__UNIT_LOWER ? x[j] : 0;
		NAME(stored)(region, rows, j, &first, &end);
		for (int i = first; i < end; i++)
			sum += (double)column[i] * x[i];
		y[j] += sum;
	}
}
