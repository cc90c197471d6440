/* LU factorisation of a tile without pivoting. precision.c includes this file once for each precision, with REAL,
 * NAME and BLAS defined.
 *
 * The code factors one half of the tile after the other. It also inverts the blocks on the diagonal, so that the rest
 * is gemm: BLAS's own trsm is slow on a tile. This is as stable as trsm if these small blocks are well conditioned. */

typedef REAL NAME(block)[LU_BLOCK][LU_BLOCK]; /* a square block of a tile: [column][row] */

/* Factors one block on the diagonal, of n x n. Loops have a fixed length, so that the compiler can vectorise over
 * columns. Returns 0, or the number, from 1, of the first zero pivot. */
VECTOR_CLONES static int NAME(factor_block)(int n, REAL *a, int ld)
{
	NAME(block) block;
	REAL factor[LU_BLOCK];
	for (int j = 0; j < LU_BLOCK; j++)
		for (int i = 0; i < LU_BLOCK; i++)
			block[j][i] = i < n && j < n ? a[i + (ptrdiff_t)j * ld] : 0;
	for (int k = 0; k < n; k++) {
		if (block[k][k] == 0)
			return k + 1;
		REAL inverse = 1 / block[k][k];
		for (int i = 0; i < LU_BLOCK; i++) {
			factor[i] = i > k ? block[k][i] * inverse : 0;
			block[k][i] = i > k ? factor[i] : block[k][i];
		}
		for (int j = k + 1; j < n; j++) {
			REAL other = block[j][k];
			for (int i = 0; i < LU_BLOCK; i++)
				block[j][i] -= factor[i] * other;
		}
	}
	for (int j = 0; j < n; j++)
		for (int i = 0; i < n; i++)
			a[i + (ptrdiff_t)j * ld] = block[j][i];
	return 0;
}

/* Computes the inverses of L and U of a factored block. Sums go along rows of L's inverse and along columns of U's. */
VECTOR_CLONES static void NAME(invert_block)(int n, const REAL *a, int ld, NAME(block) l, NAME(block) u)
{
	NAME(block) row;
	for (int j = 0; j < LU_BLOCK; j++)
		for (int i = 0; i < LU_BLOCK; i++)
			row[j][i] = u[j][i] = i == j;
	for (int k = 0; k < n; k++) {
		REAL inverse = 1 / a[k + (ptrdiff_t)k * ld];
		for (int i = 0; i < LU_BLOCK; i++)
			u[k][i] *= inverse;
		for (int j = k + 1; j < n; j++) {
			REAL below = a[j + (ptrdiff_t)k * ld], right = a[k + (ptrdiff_t)j * ld];
			for (int i = 0; i < LU_BLOCK; i++) {
				row[j][i] -= below * row[k][i];
				u[j][i] -= right * u[k][i];
			}
		}
	}
	for (int j = 0; j < LU_BLOCK; j++)
		for (int i = 0; i < LU_BLOCK; i++)
			l[j][i] = row[i][j];
}

/* copy: a buffer for a block row or block column of the tile. ld: the distance between the tile's columns, in
 * elements. */
struct NAME(lu) {
	REAL *copy;
	int ld;
};

/* Computes B = L^-1 B, with L of n x n, B of n x m. `inverses`: those of L and U for each block on the diagonal. */
static void NAME(solve_left)(const struct NAME(lu) * lu, int n, int m, const REAL *l, NAME(block) * inverses, REAL *b)
{
	REAL one = 1, minus = -1, zero = 0;
	if (n <= LU_BLOCK) {
		for (int j = 0; j < m; j++)
			memcpy(lu->copy + (ptrdiff_t)j * n, b + (ptrdiff_t)j * lu->ld, (size_t)n * sizeof *b);
		BLAS(gemm)
		("N", "N", &n, &m, &n, &one, inverses[0][0], &(int){LU_BLOCK}, lu->copy, &n, &zero, b, &lu->ld, 1, 1);
		return;
	}
	int half = lu_half(n), rest = n - half;
	NAME(solve_left)(lu, half, m, l, inverses, b);
	BLAS(gemm)("N", "N", &rest, &m, &half, &minus, l + half, &lu->ld, b, &lu->ld, &one, b + half, &lu->ld, 1, 1);
	NAME(solve_left)(lu, rest, m, l + half + (ptrdiff_t)half * lu->ld, inverses + 2 * (half / LU_BLOCK), b + half);
}

/* Computes B = B U^-1, with U of n x n and B of m x n. `inverses` is as for solve_left. */
static void NAME(solve_right)(const struct NAME(lu) * lu, int n, int m, const REAL *u, NAME(block) * inverses, REAL *b)
{
	REAL one = 1, minus = -1, zero = 0;
	if (n <= LU_BLOCK) {
		for (int j = 0; j < n; j++)
			memcpy(lu->copy + (ptrdiff_t)j * m, b + (ptrdiff_t)j * lu->ld, (size_t)m * sizeof *b);
		BLAS(gemm)
		("N", "N", &m, &n, &n, &one, lu->copy, &m, inverses[1][0], &(int){LU_BLOCK}, &zero, b, &lu->ld, 1, 1);
		return;
	}
	int half = lu_half(n), rest = n - half;
	const REAL *right = u + (ptrdiff_t)half * lu->ld;
	REAL *rest_of_b = b + (ptrdiff_t)half * lu->ld;
	NAME(solve_right)(lu, half, m, u, inverses, b);
	BLAS(gemm)("N", "N", &m, &rest, &half, &minus, b, &lu->ld, right, &lu->ld, &one, rest_of_b, &lu->ld, 1, 1);
	NAME(solve_right)(lu, rest, m, right + half, inverses + 2 * (half / LU_BLOCK), rest_of_b);
}

static int NAME(factor)(const struct NAME(lu) * lu, int n, REAL *a, NAME(block) * inverses)
{
	if (n <= LU_BLOCK) {
		int status = NAME(factor_block)(n, a, lu->ld);
		if (status == 0)
			NAME(invert_block)(n, a, lu->ld, inverses[0], inverses[1]);
		return status;
	}
	int half = lu_half(n), rest = n - half;
	REAL *below = a + half, *right = a + (ptrdiff_t)half * lu->ld, *last = right + half, one = 1, minus = -1;
	int status = NAME(factor)(lu, half, a, inverses);
	if (status)
		return status;
	NAME(solve_left)(lu, half, rest, a, inverses, right);
	NAME(solve_right)(lu, half, rest, a, inverses, below);
	BLAS(gemm)("N", "N", &rest, &rest, &half, &minus, below, &lu->ld, right, &lu->ld, &one, last, &lu->ld, 1, 1);
	status = NAME(factor)(lu, rest, last, inverses + 2 * (half / LU_BLOCK));
	return status ? half + status : 0;
}

static uint64_t NAME(getrf_bytes)(int n)
{
	uint64_t blocks = ((uint64_t)n + LU_BLOCK - 1) / LU_BLOCK;
	return blocks * (2 * sizeof(NAME(block)) + LU_BLOCK * LU_BLOCK * sizeof(REAL));
}

static int NAME(getrf)(int n, void *a, void *work)
{
	NAME(block) *inverses = work;
	int blocks = (n + LU_BLOCK - 1) / LU_BLOCK;
	const struct NAME(lu) lu = {inverses[2 * blocks][0], n};
	return NAME(factor)(&lu, n, a, inverses);
}
