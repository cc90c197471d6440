/* Writes kernels.csv of an imported node. */
#include "import/import.h"

#include <math.h>

#include "perf/models.h"
#include "perf/table.h"

void tw__import_write_kernels(const struct tw__import *import, FILE *f)
{
	fprintf(f,
	        "# Kernel times of the node %s.\n"
	        "# Source of all figures: StarPU's performance models for this host, %s.\n"
	        "# mean = sum / n; stddev = sqrt(sum of squares / n - mean^2). StarPU hashes the dimensions:\n"
	        "# each size has that hash and number of bytes. A size of 8 hexadecimal digits is an unresolved hash.\n"
	        "%s\n",
	        import->platform->name, import->source, tw__kernels_header);
	for (size_t i = 0; i < import->n_rows; i++) {
		const struct tw__import_row *r = &import->rows[i];
		double n = (double)r->n, mean = r->sum / n, variance = r->sum2 / n - mean * mean;
		double part = r->derived ? 0.5 : 1;
		const char precision[] = {r->precision, '\0'};
		tw__table_put_names(f, r->kernel, r->arch, r->cores, r->size, precision);
		fprintf(f, "%.9g,%.9g,%llu,%s%s", part * mean, variance > 0 ? part * sqrt(variance) : 0,
		        (unsigned long long)r->n, r->derived ? "derived: gemm/2" : "",
		        r->derived && r->n_devices > 1 ? "; " : "");
		if (r->n_devices > 1)
			fprintf(f, "mean over %d GPUs weighted by samples", r->n_devices);
		fputc('\n', f);
	}
}
