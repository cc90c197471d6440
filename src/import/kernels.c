/* Writes kernels.csv of an imported node. */
#include "import/import.h"

#include <math.h>

#include "base/print.h"
#include "perf/models.h"
#include "perf/row_origin.h"
#include "perf/table.h"

static void put_origin(FILE *f, const struct tw__import *import, const struct tw__import_row *r)
{
	char origin[300];
	snprintf(origin, sizeof origin, "%s: %sStarPU's models of %.200s",
	         tw__origin_names[r->derived ? TW__EXTRAPOLATED : TW__MEASURED], r->derived ? "half of gemm in " : "",
	         import->host);
	tw__csv_put(f, origin);
}

void tw__import_write_kernels(const struct tw__import *import, FILE *f)
{
	fprintf(f,
	        "# Kernel times of the node %s.\n"
	        "# Source of all figures: StarPU's performance models for this host, %s.\n"
	        "# mean = sum / n; stddev = sqrt(sum of squares / n - mean^2). StarPU hashes the dimensions:\n"
	        "# each size has that hash and number of bytes. A size of 8 hexadecimal digits is an unresolved hash.\n"
	        "%s,origin\n",
	        import->platform->name, import->source, tw__kernels_header);
	for (size_t i = 0; i < import->n_rows; i++) {
		const struct tw__import_row *r = &import->rows[i];
		double n = (double)r->n, mean = r->sum / n, variance = r->sum2 / n - mean * mean;
		double part = r->derived ? 0.5 : 1;
		const char precision[] = {r->precision, '\0'};
		tw__table_put_names(f, r->kernel, r->arch, r->cores, r->size, precision);
		fprintf(f, "%.9g,%.9g,%llu,", part * mean, variance > 0 ? part * sqrt(variance) : 0,
		        (unsigned long long)r->n);
		if (r->n_devices > 1)
			fprintf(f, "mean over %d GPUs weighted by samples", r->n_devices);
		fputc(',', f);
		put_origin(f, import, r);
		fputc('\n', f);
	}
}
