/* Reads the file of a performance model of StarPU. Each value has a line of its own unless stated otherwise:
 *
 *  version
 *  number of combinations; for each:
 *    number of kinds of devices; for each: kind, number of the device, cores
 *    number of implementations; for each:
 *      number of entries
 *      9 values of a log-log regression, on one line; 3 of a power law, on one line
 *      number of coefficients of a multiple regression, followed by them on the same line
 *      each entry, on one line: footprint (hexadecimal), bytes, [flops,] mean, deviation, sum, sum of squares,
 *      executions
 *
 * The import computes the mean as sum / executions, which has more digits. It ignores the regressions, which are fitted
 * again where needed. */
#include "import/starpu_import.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <tilewright/graph.h>

enum { OLDEST_VERSION = 44, NEWEST_VERSION = 46, MAX_COUNT = 1 << 14 };
/* Tolerance: relative difference between the mean and sum / executions, both rounded to 7 digits. */
static const double most_apart = 0.01;

static int read_fields(struct tw__starpu_lines *l, const char *what, int least, int most)
{
	int status = tw__starpu_lines_next(l);
	if (status < 0)
		return status;
	if (l->n == 0)
		return tw__starpu_lines_fail(l, "the file ends: expected %s", what);
	if (l->n < least || l->n > most)
		return tw__starpu_lines_fail(l, "%d values: expected %s, %d values", l->n, what, most);
	return TW_OK;
}

/* Reads a line with `least` to `most` values, all of which must be numbers, and ignores them. */
static int read_numbers(struct tw__starpu_lines *l, const char *what, int least, int most)
{
	double ignored;
	int status = read_fields(l, what, least, most);
	for (int i = 0; i < l->n && status == TW_OK; i++)
		status = tw__starpu_lines_real(l, i, what, &ignored);
	return status;
}

static int read_unsigned(struct tw__starpu_lines *l, int place, int base, const char *what, uint64_t most,
                         uint64_t *value)
{
	char *end;
	errno = 0;
	unsigned long long v = strtoull(l->values[place], &end, base);
	if (*end || errno || l->values[place][0] == '-' || v > most)
		return tw__starpu_lines_fail(l, "'%.60s': expected %s", l->values[place], what);
	*value = v;
	return TW_OK;
}

/* Checks that the mean and the sums of an entry fit together, to detect missing or misplaced values. */
static int check_sums(struct tw__starpu_lines *l, const struct tw__starpu_entry *e, double mean)
{
	const double most_us = TW_MAX_SECONDS * 1e6;
	const char *sum = l->values[l->n - 3], *sum2 = l->values[l->n - 2];
	double n = (double)e->n;
	if (!(e->sum > 0 && e->sum / n <= most_us && e->sum2 >= 0 && e->sum2 / n <= most_us * most_us))
		return tw__starpu_lines_fail(l, "sums '%.30s', '%.30s': expected those of times above 0, at most %g us",
		                             sum, sum2, most_us);
	if (!(fabs(mean * n - e->sum) <= most_apart * e->sum))
		return tw__starpu_lines_fail(
			l, "mean '%.30s', %llu executions, sum '%.30s': expected mean = sum / executions",
			l->values[l->n - 5], (unsigned long long)e->n, sum);
	return TW_OK;
}

static int read_entry(struct tw__starpu_lines *l, const struct tw__starpu_entry *where, struct tw__starpu_model *m)
{
	struct tw__starpu_entry e = *where;
	uint64_t footprint = 0;
	double mean = 0;
	int status = read_fields(l, "an entry of a history", m->version == OLDEST_VERSION ? 7 : 8, 8), last = l->n - 1;
	if (status == TW_OK)
		status = read_unsigned(l, 0, 16, "a hash of 8 hexadecimal digits", UINT32_MAX, &footprint);
	if (status == TW_OK)
		status = read_unsigned(l, 1, 10, "the bytes of the data", UINT64_MAX, &e.bytes);
	if (status == TW_OK)
		status = tw__starpu_lines_real(l, last - 2, "the sum of the times", &e.sum);
	if (status == TW_OK)
		status = tw__starpu_lines_real(l, last - 1, "the sum of the times' squares", &e.sum2);
	if (status == TW_OK)
		status = read_unsigned(l, last, 10, "the number of executions", UINT32_MAX, &e.n);
	if (status == TW_OK)
		status = tw__starpu_lines_real(l, last - 4, "the mean of the times", &mean);
	if (status == TW_OK && e.n > 0)
		status = check_sums(l, &e, mean);
	if (status < 0)
		return status;
	e.footprint = (uint32_t)footprint;
	TW_RESERVE(m->entries, m->capacity, m->n_entries + 1);
	m->entries[m->n_entries++] = e;
	return TW_OK;
}

static int read_implementation(struct tw__starpu_lines *l, const struct tw__starpu_entry *where, bool wanted,
                               struct tw__starpu_model *m)
{
	long long n;
	int status = tw__starpu_lines_int(l, "a number of entries", 0, MAX_COUNT, &n);
	if (status == TW_OK)
		status = read_numbers(l, "a log-log regression", 9, 9);
	if (status == TW_OK)
		status = read_numbers(l, "a power law", 3, 3);
	if (status == TW_OK)
		status = read_fields(l, "a multiple regression", 1, TW__STARPU_MAX_FIELDS);
	size_t before = m->n_entries;
	for (long long i = 0; i < n && status == TW_OK; i++)
		status = read_entry(l, where, m);
	if (!wanted)
		m->n_entries = before;
	return status;
}

static int read_combination(struct tw__starpu_lines *l, struct tw__starpu_model *m)
{
	struct tw__starpu_entry where = {0};
	long long n_kinds, n, kind = 0, device = 0, cores = 0;
	int status = tw__starpu_lines_int(l, "a number of kinds of devices", 1, MAX_COUNT, &n_kinds);
	for (long long i = 0; i < n_kinds && status == TW_OK; i++) {
		status = tw__starpu_lines_int(l, "a kind of device", 0, MAX_COUNT, &kind);
		if (status == TW_OK)
			status = tw__starpu_lines_int(l, "the number of a device", 0, MAX_COUNT, &device);
		if (status == TW_OK)
			status = tw__starpu_lines_int(l, "a number of cores", 1, MAX_COUNT, &cores);
	}
	if (status == TW_OK)
		status = tw__starpu_lines_int(l, "a number of implementations", 0, MAX_COUNT, &n);
	where.device_type = (int)kind;
	where.device = (int)device;
	where.cores = (int)cores;
	for (long long i = 0; status == TW_OK && i < n; i++) {
		where.implementation = (int)i;
		status = read_implementation(l, &where, n_kinds == 1, m);
	}
	m->n_mixed += status == TW_OK && n_kinds > 1;
	return status;
}

static int read_all(struct tw__starpu_lines *l, struct tw__starpu_model *m)
{
	long long version = 0, n = 0;
	int status = tw__starpu_lines_int(l, "the version of the format", OLDEST_VERSION, NEWEST_VERSION, &version);
	if (status == TW_OK)
		status = tw__starpu_lines_int(l, "a number of combinations of devices", 0, MAX_COUNT, &n);
	m->version = (int)version;
	for (long long i = 0; status == TW_OK && i < n; i++)
		status = read_combination(l, m);
	if (status == TW_OK)
		status = tw__starpu_lines_next(l);
	if (status == TW_OK && l->n > 0) /* ignores the rest of the file, as StarPU does */
		tw_log(TW_LOG_WARNING, "%s:%d: more than the %lld combinations announced: the rest is left out",
		       l->path, l->line, n);
	return status;
}

int tw__starpu_model_read(struct tw__starpu_model *m, const char *path, struct tw_error *err)
{
	struct tw__starpu_lines lines;
	*m = (struct tw__starpu_model){0};
	int status = tw__starpu_lines_open(&lines, path, err);
	if (status < 0)
		return status;
	status = read_all(&lines, m);
	tw__starpu_lines_close(&lines);
	if (status < 0)
		tw__starpu_model_finish(m);
	return status;
}

void tw__starpu_model_finish(struct tw__starpu_model *m)
{
	free(m->entries);
	m->entries = NULL;
}
