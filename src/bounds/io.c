#include <string.h>

#include "bounds/bounds.h"

/* Returns the flops per element that is loaded, divided by the square root of the number of elements that the memory
 * holds. It is 1, except for symmetric kernels; NAN: unknown workload. */
static double intensity(const char *workload)
{
	static const struct {
		const char *name;
		double flops_per_element;
	} known[] = {{"cholesky", M_SQRT2}, {"lu", 1}, {"matmul2d", 1}, {"matmul3d", 1}};
	size_t length = strcspn(workload, ":");
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strlen(known[i].name) == length && strncmp(known[i].name, workload, length) == 0)
			return known[i].flops_per_element;
	return NAN;
}

double tw__leading_io_bytes(const char *workload, const struct tw_graph *g, double memory_bytes)
{
	if (g->n_kernels == 0 || !g->kernels[0].precision)
		return NAN;
	double element_bytes = g->kernels[0].precision[0] == 'd' ? 8 : 4;
	return element_bytes * g->flops / (intensity(workload) * sqrt(memory_bytes / element_bytes));
}
