#include "perf/learned.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "perf/rows.h"

/* Executions of a kernel on an arch before its history counts. StarPU requires 10. Here 3 are enough, because a
 * thread's first executions are not slower. */
enum { ENOUGH = 3 };

/* The believed seconds of an untried kernel. They are not 0, so that ratios of times are defined. */
#define UNTRIED_S 1e-9

/* Mean and deviation of the executions of one kernel on one arch, by Welford's algorithm. */
struct history {
	int64_t n;
	double mean_s, squares; /* squares: sum of squared distances from the mean */
};

struct tw__learned {
	const struct tw__platform *platform;
	const struct tw_graph *graph;
	struct tw__models *before; /* rows of the file of histories; NULL: there was no file */
	bool *is_ours;             /* [rows of `before`] whether the row is in `histories` */
	tw_kernel *first; /* [kernels] first kernel of the same name, size and precision: they share its history */
	struct history *histories; /* [kernel * archs + arch]; only those of first kernels are used */
	/* [kernel * archs + arch] beliefs, in seconds. mean_s, deviation: of tasks without recorded seconds; NAN: the
	 * arch cannot run them. recorded_s: of the others, on archs where their kernel was recorded. */
	double *mean_s, *deviation, *recorded_s;
	int64_t n_predicted;
	double errors; /* sum of the relative errors of the n_predicted predictions */
};

static int place_of(const struct tw__learned *l, tw_kernel k, tw_arch a)
{
	return l->first[k] * l->platform->n_archs + a;
}

/* --- histories ---------------------------------------------------------------------------------------------------- */

static void find_first(struct tw__learned *l)
{
	for (tw_kernel k = 0; k < l->graph->n_kernels; k++)
		l->first[k] = TW_NONE;
	for (tw_kernel k = 0; k < l->graph->n_kernels; k++)
		for (tw_kernel same = k; same != TW_NONE && l->first[same] == TW_NONE;
		     same = l->graph->kernels[same].next_alike)
			l->first[same] = k;
}

static void take_rows(struct tw__learned *l)
{
	l->is_ours = tw_alloc((size_t)l->before->n_rows, sizeof *l->is_ours);
	for (tw_kernel k = 0; k < l->graph->n_kernels; k++)
		for (tw_arch a = 0; a < l->platform->n_archs; a++) {
			const struct tw__kernel *kernel = &l->graph->kernels[k];
			const struct tw__arch *arch = &l->platform->archs[a];
			const struct tw__row *row = tw__models_find(l->before, kernel->name, kernel->size,
			                                            kernel->precision, arch->name, arch->cores);
			if (!row)
				continue;
			double deviation_s = 1e-6 * row->stddev_us;
			l->is_ours[row - l->before->rows] = true;
			l->histories[place_of(l, k, a)] = (struct history){
				row->samples, 1e-6 * row->mean_us, (double)row->samples * deviation_s * deviation_s};
		}
}

/* --- beliefs ------------------------------------------------------------------------------------------------------ */

static double deviation_of(const struct history *h) { return h->n > 0 ? sqrt(h->squares / (double)h->n) : 0; }

/* Updates the belief of all kernels that share the history of kernel k. An arch that cannot run a task never can. */
static void believe(struct tw__learned *l, tw_kernel k, tw_arch a)
{
	const int n = l->platform->n_archs;
	const struct history *h = &l->histories[place_of(l, k, a)];
	double mean_s = h->n >= ENOUGH ? h->mean_s : UNTRIED_S;
	for (tw_kernel same = l->first[k]; same != TW_NONE; same = l->graph->kernels[same].next_alike) {
		l->recorded_s[same * n + a] = mean_s;
		if (!isnan(l->mean_s[same * n + a])) {
			l->mean_s[same * n + a] = mean_s;
			l->deviation[same * n + a] = h->n >= ENOUGH ? deviation_of(h) : 0;
		}
	}
}

static void believe_all(struct tw__learned *l, const struct tw__times *times)
{
	const int n = l->platform->n_archs;
	for (int i = 0; i < l->graph->n_kernels * n; i++)
		l->mean_s[i] = l->deviation[i] = isnan(times->mean[i]) ? NAN : 0;
	for (tw_kernel k = 0; k < l->graph->n_kernels; k++)
		for (tw_arch a = 0; a < n; a++)
			believe(l, k, a);
}

void tw__learned_add(struct tw__learned *l, tw_kernel k, tw_arch a, double seconds)
{
	struct history *h = &l->histories[place_of(l, k, a)];
	if (!(seconds > 0))
		return;
	if (h->n >= ENOUGH) {
		l->errors += fabs(h->mean_s / seconds - 1);
		l->n_predicted++;
	}
	double apart_s = seconds - h->mean_s;
	h->n++;
	h->mean_s += apart_s / (double)h->n;
	h->squares += apart_s * (seconds - h->mean_s);
	believe(l, k, a);
}

struct tw__predictions tw__learned_predictions(const struct tw__learned *l)
{
	return (struct tw__predictions){l->n_predicted, l->n_predicted ? l->errors / (double)l->n_predicted : NAN};
}

void tw__learned_believe(struct tw__learned *l, struct tw__times *belief)
{
	belief->mean = l->mean_s;
	belief->stddev = l->deviation;
	belief->instead = l->recorded_s;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static void write_row(FILE *f, const struct tw__row *row)
{
	tw__table_put_names(f, row->kernel, row->arch, row->cores, row->size, row->precision);
	fprintf(f, "%.17g,%.17g,%" PRId64 ",\n", row->mean_us, row->stddev_us, row->samples);
}

void tw__learned_write(const struct tw__learned *l, FILE *f)
{
	fprintf(f, "# Learnt by tilewright run --learn\n%s\n", tw__kernels_header);
	for (int i = 0; l->before && i < l->before->n_rows; i++)
		if (!l->is_ours[i])
			write_row(f, &l->before->rows[i]);
	for (tw_kernel k = 0; k < l->graph->n_kernels; k++)
		for (tw_arch a = 0; a < l->platform->n_archs; a++) {
			const struct history *h = &l->histories[place_of(l, k, a)];
			const struct tw__kernel *kernel = &l->graph->kernels[k];
			const struct tw__arch *arch = &l->platform->archs[a];
			const struct tw__row row = {
				.kernel = kernel->name,
				.arch = arch->name,
				.size = kernel->size,
				.precision = kernel->precision,
				.cores = arch->cores,
				.mean_us = 1e6 * h->mean_s,
				.stddev_us = 1e6 * deviation_of(h),
				.samples = h->n,
			};
			if (h->n > 0 && l->first[k] == k)
				write_row(f, &row);
		}
}

/* --- create and destroy ------------------------------------------------------------------------------------------- */

int tw__learned_create(struct tw__learned **out, const char *path, const struct tw__times *times,
                       const struct tw__platform *p, const struct tw_graph *g, struct tw_error *err)
{
	const size_t n = (size_t)g->n_kernels * (size_t)p->n_archs;
	struct tw__learned *l = *out = tw_alloc(1, sizeof *l);
	*l = (struct tw__learned){
		.platform = p,
		.graph = g,
		.first = tw_alloc((size_t)g->n_kernels, sizeof *l->first),
		.histories = tw_alloc(n, sizeof *l->histories),
		.mean_s = tw_alloc(n, sizeof *l->mean_s),
		.deviation = tw_alloc(n, sizeof *l->deviation),
		.recorded_s = tw_alloc(n, sizeof *l->recorded_s),
	};
	find_first(l);
	if (access(path, F_OK) == 0) {
		int status = tw__models_read(&l->before, path, NULL, err);
		if (status < 0)
			return status;
		take_rows(l);
	}
	believe_all(l, times);
	return TW_OK;
}

void tw__learned_destroy(struct tw__learned *l)
{
	if (!l)
		return;
	tw__models_destroy(l->before);
	free(l->is_ours);
	free(l->first);
	free(l->histories);
	free(l->mean_s);
	free(l->deviation);
	free(l->recorded_s);
	free(l);
}
