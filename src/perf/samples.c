#include "perf/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SAMPLES = 1 << 22 };
enum { KERNEL, ARCH, CORES, SIZE, PRECISION, US, N_COLUMNS };
const char tw__samples_header[] = "kernel,arch,cores,size,precision,us";
static const char *const columns[N_COLUMNS] = {"kernel", "arch", "cores", "size", "precision", "us"};

struct sample {
	int row;
	double us;
};

struct reading {
	struct tw__models *models;
	struct sample *samples;
	size_t n, capacity;
};

static int add_sample(struct tw__table *t, char **fields)
{
	struct reading *r = t->context;
	double us;
	int64_t cores;
	int status = tw__table_count(t, &cores, columns[CORES], fields[CORES], 1, TW__MAX_CORES);
	if (status == TW_OK)
		status = tw__table_us(t, &us, columns[US], fields[US], false);
	for (int i = KERNEL; i <= PRECISION && status == TW_OK; i++)
		status = i == CORES ? TW_OK : tw__table_name(t, columns[i], fields[i]);
	if (status == TW_OK)
		status = tw__known_archs_check(&r->models->archs, t, fields[ARCH]);
	if (status == TW_OK && r->n == MAX_SAMPLES)
		status = tw__table_fail(t, "too many samples, expected at most %d", MAX_SAMPLES);
	if (status < 0)
		return status;

	const struct tw__row *row =
		tw__models_find(r->models, fields[KERNEL], fields[SIZE], fields[PRECISION], fields[ARCH], (int)cores);
	TW_RESERVE(r->samples, r->capacity, r->n + 1);
	r->samples[r->n++] = (struct sample){row ? (int)(row - r->models->rows) : r->models->n_rows, us};
	return row ? TW_OK
	           : tw__models_add(t, r->models,
	                            (struct tw__row){.kernel = fields[KERNEL],
	                                             .arch = fields[ARCH],
	                                             .size = fields[SIZE],
	                                             .precision = fields[PRECISION],
	                                             .source = "",
	                                             .caution = "",
	                                             .cores = (int)cores,
	                                             .line = t->line});
}

/* Orders samples by row, then by value, because their order in the file must not matter. */
static int by_row(const void *one, const void *other)
{
	const struct sample *a = one, *b = other;
	return a->row != b->row ? a->row - b->row : (a->us > b->us) - (a->us < b->us);
}

/* Gives a row its n samples, which are adjacent from `first` on. */
static void give(struct tw__models *models, const struct sample *samples, size_t first, size_t n)
{
	struct tw__row *row = &models->rows[samples[first].row];
	double mean = 0, variance = 0;
	for (size_t i = first; i < first + n; i++)
		mean += samples[i].us / (double)n;
	for (size_t i = first; i < first + n; i++) {
		variance += pow(samples[i].us - mean, 2) / (double)n;
		models->factors[i] = samples[i].us / mean;
	}
	row->draws = (struct tw__draws){first, n};
	if (row->mean_us > 0)
		return;
	row->mean_us = mean;
	row->stddev_us = sqrt(variance);
	row->samples = (int64_t)n;
}

static void give_all(struct reading *r)
{
	struct tw__models *models = r->models;
	models->factors = tw_alloc(r->n, sizeof *models->factors);
	models->n_factors = r->n;
	qsort(r->samples, r->n, sizeof *r->samples, by_row);
	for (size_t first = 0, n; first < r->n; first += n) {
		for (n = 1; first + n < r->n && r->samples[first + n].row == r->samples[first].row;)
			n++;
		give(models, r->samples, first, n);
	}
}

int tw__samples_read(struct tw__models *models, struct tw_error *err)
{
	const char *slash = strrchr(models->path, '/');
	char *path = tw_format("%.*ssamples.csv", slash ? (int)(slash + 1 - models->path) : 0, models->path);
	struct reading r = {.models = models};
	struct tw__table table = {.path = path,
	                          .content = "kernel times",
	                          .header = tw__samples_header,
	                          .add = add_sample,
	                          .context = &r,
	                          .err = err};
	int status = access(path, F_OK) == 0 ? tw__table_read(&table) : TW_OK;
	if (status == TW_OK && r.n > 0)
		give_all(&r);
	free(r.samples);
	free(path);
	return status;
}
