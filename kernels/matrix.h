/* Random matrices that are not stored: each entry is a function of the seed, the row and the column. Checks of results
 * thus recompute the original matrix. */
#ifndef TW__MATRIX_H
#define TW__MATRIX_H

#include <math.h>

#include <tilewright/base.h>

/* A random matrix. Entries are multiples of 2^-24 in [-0.5, 0.5); on the diagonal multiples of 2^-8, plus `shift`. So
 * entries are exact in single and in double precision. */
struct tw__matrix {
	uint64_t seed;
	int64_t rows, columns;
	int64_t shift; /* number added to the entries on the diagonal */
	bool symmetric;
};

/* Returns a square matrix, or one with more rows than columns, with ceil(sqrt(columns)) added to the diagonal. Without
 * this shift, the symmetric matrix has eigenvalues below 2 sqrt(n / 12). So the shifted matrix is positive definite,
 * and LU needs no pivoting. */
struct tw__matrix tw__matrix_shifted(uint64_t seed, int64_t rows, int64_t columns, bool symmetric);

/* Mixes all 64 bits of z: the finaliser of splitmix64 (Steele, Lea and Flood 2014). */
static inline uint64_t tw__mix(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Returns 64 random bits that depend on seed and place alone. `seed` must be a result of tw__mix. */
static inline uint64_t tw__random_bits(uint64_t seed, uint64_t place)
{
	return tw__mix(seed + place * 0x9e3779b97f4a7c15);
}

static inline double tw__matrix_entry(const struct tw__matrix *m, int64_t row, int64_t column)
{
	bool turned = m->symmetric && column > row;
	int64_t i = turned ? column : row, j = turned ? row : column;
	uint64_t bits = tw__random_bits(m->seed, (uint64_t)i + (uint64_t)j * (uint64_t)m->rows);
	if (i == j)
		return (double)(bits >> 56) * 0x1p-8 - 0.5 + (double)m->shift;
	return (double)(bits >> 40) * 0x1p-24 - 0.5;
}

/* Computes y = A x, or y = A^T x if `transposed`. Returns the Frobenius norm of A. */
double tw__matrix_times(const struct tw__matrix *, bool transposed, const double *x, double *y);

/* Fills x with n random numbers in [-1, 1). Each `number` gives another vector. */
void tw__random_vector(double *x, int64_t n, uint64_t seed, int number);

double tw__norm(const double *x, int64_t n); /* returns the Euclidean norm of a vector */
void tw__subtract(double *x, const double *y, int64_t n);

/* Allocates n vectors of `length` zeros; vector[i] is the i-th of them. free(vector) frees all vectors. */
double **tw__vectors(int n, int64_t length);

enum { TW__VECTORS = 2 }; /* the number of random vectors that a check uses */

/* Returns the greater one of two residuals; NaN counts as the greatest. */
static inline double tw__worse(double a, double b) { return isnan(a) || a > b ? a : b; }

/* Ends a check: returns TW_OK if residual <= bound, else TW_FAILED with a message (so NaN fails). `what` names the norm
 * in the message, such as "||A - L L^T||". */
int tw__verdict(const char *workload, const char *what, double residual, double bound, struct tw_error *err);

#endif
