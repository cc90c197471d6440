#include "matrix.h"

struct tw__matrix tw__matrix_shifted(uint64_t seed, int64_t rows, int64_t columns, bool symmetric)
{
	return (struct tw__matrix){
		.seed = tw__mix(seed),
		.rows = rows,
		.columns = columns,
		.shift = (int64_t)ceil(sqrt((double)columns)),
		.symmetric = symmetric,
	};
}

double tw__matrix_times(const struct tw__matrix *m, bool transposed, const double *x, double *y)
{
	double squares = 0;
	for (int64_t i = 0; i < (transposed ? m->columns : m->rows); i++)
		y[i] = 0;
	for (int64_t j = 0; j < m->columns; j++) {
		double sum = 0;
		for (int64_t i = 0; i < m->rows; i++) {
			double entry = tw__matrix_entry(m, i, j);
			squares += entry * entry;
			if (transposed)
				sum += entry * x[i];
			else
				y[i] += entry * x[j];
		}
		if (transposed)
			y[j] = sum;
	}
	return sqrt(squares);
}

void tw__random_vector(double *x, int64_t n, uint64_t seed, int number)
{
	uint64_t own = tw__mix(seed ^ tw__mix((uint64_t)number + 1));
	for (int64_t i = 0; i < n; i++)
		x[i] = (double)(tw__random_bits(own, (uint64_t)i) >> 11) * 0x1p-52 - 1;
}

double tw__norm(const double *x, int64_t n)
{
	double squares = 0;
	for (int64_t i = 0; i < n; i++)
		squares += x[i] * x[i];
	return sqrt(squares);
}

void tw__subtract(double *x, const double *y, int64_t n)
{
	for (int64_t i = 0; i < n; i++)
		x[i] -= y[i];
}

double **tw__vectors(int n, int64_t length)
{
	double **vector = tw_alloc((size_t)n * ((size_t)length + 1), sizeof(double)); /* pointers, then numbers */
	for (int i = 0; i < n; i++)
		vector[i] = (double *)(vector + n) + i * length;
	return vector;
}

int tw__verdict(const char *workload, const char *what, double residual, double bound, struct tw_error *err)
{
	if (residual <= bound)
		return TW_OK;
	return tw_fail(err, TW_FAILED, "workload '%s': wrong results: %s is %.3g: expected at most %.3g", workload,
	               what, residual, bound);
}
