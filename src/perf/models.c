/* Reads kernels.csv: one measured kernel time per row. The file may be untrusted, so all fields are checked. */
#include "perf/rows.h"

#include <stdlib.h>
#include <string.h>

enum { KERNEL, ARCH, CORES, SIZE, PRECISION, MEAN, STDDEV, SAMPLES, NOTE, ORIGIN, N_COLUMNS };
const char tw__kernels_header[] = "kernel,arch,cores,size,precision,mean_us,stddev_us,samples,note";
static const char *const columns[N_COLUMNS] = {
	"kernel", "arch", "cores", "size", "precision", "mean_us", "stddev_us", "samples", "note", "origin",
};

/* Returns the part of a note behind "caution: "; "" if the note does not begin so. */
static const char *caution_of(const char *note)
{
	static const char mark[] = "caution: ";
	return strncmp(note, mark, strlen(mark)) == 0 ? note + strlen(mark) : note + strlen(note);
}

static int add_row(struct tw__table *t, char **fields)
{
	struct tw__models *models = t->context;
	struct tw__row row = {.kernel = fields[KERNEL],
	                      .arch = fields[ARCH],
	                      .size = fields[SIZE],
	                      .precision = fields[PRECISION],
	                      .line = t->line};
	static const int names[] = {KERNEL, ARCH, SIZE, PRECISION};
	int64_t cores;
	int status = tw__table_count(t, &cores, columns[CORES], fields[CORES], 1, TW__MAX_CORES);
	if (status == TW_OK)
		status = tw__table_us(t, &row.mean_us, columns[MEAN], fields[MEAN], false);
	if (status == TW_OK)
		status = tw__table_us(t, &row.stddev_us, columns[STDDEV], fields[STDDEV], true);
	if (status == TW_OK)
		status = tw__table_count(t, &row.samples, columns[SAMPLES], fields[SAMPLES], 0, INT64_MAX);
	for (int i = 0; i < 4 && status == TW_OK; i++)
		status = tw__table_name(t, columns[names[i]], fields[names[i]]);
	if (status == TW_OK)
		status = tw__row_origin_read(&row.origin, &row.source, t, fields[ORIGIN]);
	if (status == TW_OK)
		status = tw__known_archs_check(&models->archs, t, row.arch);
	if (status < 0)
		return status;
	row.cores = (int)cores;
	row.caution = caution_of(fields[NOTE]);
	if (row.origin == TW__UNKNOWN_ORIGIN && row.samples > 0)
		row.origin = TW__MEASURED;

	return tw__models_add(t, models, row);
}

int tw__models_read(struct tw__models **read, const char *path, const struct tw__platform *platform,
                    struct tw_error *err)
{
	struct tw__models *models = tw_alloc(1, sizeof *models);
	models->path = tw_copy_text(path);
	struct tw__table table = {.path = path,
	                          .content = "kernel times",
	                          .header = tw__kernels_header,
	                          .more = columns[ORIGIN],
	                          .add = add_row,
	                          .context = models,
	                          .err = err};
	tw__known_archs_init(&models->archs, platform);
	int status = tw__table_read(&table);
	if (status == TW_OK)
		status = tw__samples_read(models, err);
	tw__known_archs_finish(&models->archs);
	tw__between_prepare(models);
	*read = status == TW_OK ? models : NULL;
	if (status < 0)
		tw__models_destroy(models);
	return status;
}

void tw__models_rename(struct tw__models *models, const char *name)
{
	free(models->path);
	models->path = tw_copy_text(name);
}

void tw__models_extrapolate(struct tw__models *models) { models->extrapolate = true; }

void tw__models_offer_nothing(struct tw__models *models) { models->offers_nothing = true; }

void tw__models_speed_up(struct tw__models *models, struct tw__factors *speedups, struct tw__factors *amdahl,
                         struct tw__factors *time_factors)
{
	models->speedups = speedups;
	models->amdahl = amdahl;
	models->time_factors = time_factors;
}

void tw__models_destroy(struct tw__models *models)
{
	if (!models)
		return;
	tw__models_drop_rows(models);
	free(models->by_cores);
	free(models->factors);
	free(models->path);
	free(models);
}
