/* The error message for a kernel that no worker has a time for: which time is missing, and which rows would help. */
#include "perf/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether a worker of the arch could run the kernel if kernels.csv had a time for it. */
static bool may_run(const struct tw__platform *p, const struct tw__kernel *kernel, tw_arch a)
{
	return tw__has_worker(p, a) && tw__may_run(kernel, &p->archs[a]);
}

/* Whether a worker of this platform could use the row's time. */
static bool is_usable(const struct tw__row *row, const struct tw__platform *p)
{
	for (int a = 0; a < p->n_archs; a++)
		if (strcmp(row->arch, p->archs[a].name) == 0 && row->cores == p->archs[a].cores && tw__has_worker(p, a))
			return true;
	return false;
}

static bool is_new_size(const struct tw__models *models, const struct tw__platform *p, int i)
{
	const struct tw__row *row = &models->rows[i];
	for (int j = 0; j < i; j++) {
		const struct tw__row *other = &models->rows[j];
		if (strcmp(other->kernel, row->kernel) == 0 && strcmp(other->size, row->size) == 0 &&
		    strcmp(other->precision, row->precision) == 0 && is_usable(other, p))
			return false;
	}
	return true;
}

/* Lists the sizes and precisions of `kernel` that have times on this platform, in the file's order: "320 (s), 640
 * (s)". Entries that do not fit are replaced by "...". */
static void list_sizes(char *text, size_t room, const struct tw__models *models, const struct tw__platform *p,
                       const char *kernel)
{
	static const char rest[] = ", ...";
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; i < models->n_rows; i++) {
		const struct tw__row *row = &models->rows[i];
		if (strcmp(row->kernel, kernel) != 0 || !is_usable(row, p) || !is_new_size(models, p, i))
			continue;
		size_t left = room - used - strlen(rest);
		int length = snprintf(text + used, left, "%s%s (%s)", used ? ", " : "", row->size, row->precision);
		if ((size_t)length >= left) {
			strcpy(text + used, used ? rest : rest + 2);
			return;
		}
		used += (size_t)length;
	}
}

/* Lists the archs that have workers: "m2070, cpu with 10 cores". */
static void list_archs(char *text, size_t room, const struct tw__platform *p)
{
	size_t used = 0;
	text[0] = '\0';
	for (tw_arch a = 0; a < p->n_archs && used < room; a++) {
		char cores[32] = "";
		if (!tw__has_worker(p, a))
			continue;
		if (p->archs[a].cores > 1)
			snprintf(cores, sizeof cores, " with %d cores", p->archs[a].cores);
		used += (size_t)snprintf(text + used, room - used, "%s%.40s%s", used ? ", " : "", p->archs[a].name,
		                         cores);
	}
}

/* Returns the first arch with a worker that may run the kernel; n_archs: there is none. */
static tw_arch first_arch(const struct tw__platform *p, const struct tw__kernel *kernel)
{
	tw_arch a = 0;
	while (a < p->n_archs && !may_run(p, kernel, a))
		a++;
	return a;
}

static bool extrapolation_helps(const struct tw__models *models, const struct tw__platform *p,
                                const struct tw__kernel *kernel)
{
	bool helps = false;
	double spread;
	for (tw_arch a = 0; a < p->n_archs; a++)
		if (may_run(p, kernel, a))
			helps |= !isnan(tw__flop_rate_seconds(models, kernel, &p->archs[a])) ||
			         tw__models_find(models, tw__general_name(kernel->name), kernel->size,
			                         kernel->precision, p->archs[a].name, 1) ||
			         !isnan(tw__regression_seconds(models, kernel, kernel->name, &p->archs[a],
			                                       p->archs[a].cores, &spread));
	return helps;
}

/* Returns what the requested extrapolation lacks, as a part of the message; "": the user did not request one. */
static const char *why_not_extrapolated(const struct tw__models *models, const struct tw__kernel *kernel)
{
	return !models->extrapolate ? ""
	       : kernel->flops <= 0 ? ", and no flops to extrapolate from"
	                            : ", and no gemm of that precision to extrapolate from";
}

/* Explains why no worker can use recorded seconds: they are those of one core, and all archs that could run the tasks
 * are groups. Returns "" if that is not the reason. */
static const char *why_not_recorded(const struct tw__platform *p, const struct tw_graph *graph,
                                    const struct tw__kernel *kernel)
{
	for (tw_arch a = 0; a < p->n_archs && graph->seconds && kernel->recorded_on; a++)
		if (p->archs[a].cores > 1 && may_run(p, kernel, a) && tw__names_arch(kernel->recorded_on, &p->archs[a]))
			return "; its tasks' recorded seconds are those of one core, and a group cannot use them";
	return "";
}

int tw__times_missing(const struct tw__models *models, const struct tw__platform *p, const struct tw_graph *graph,
                      int k, struct tw_error *err)
{
	const struct tw__kernel *kernel = &graph->kernels[k];
	char archs[80], known[192], what[496], wanted[256];
	list_archs(archs, sizeof archs, p);
	snprintf(what, sizeof what,
	         "%.120s: no time of kernel '%.40s', size %.120s, precision '%.20s' on the workers of platform "
	         "'%.40s' (%s)",
	         models->path, kernel->name, kernel->size, kernel->precision, p->name, archs);
	tw_arch a = first_arch(p, kernel);
	if (a == p->n_archs)
		return tw_fail(err, TW_INVALID, "%s: expected a worker that may run it: %.80s", what, kernel->archs);

	list_sizes(known, sizeof known, models, p, kernel->name);
	if (!*known)
		list_sizes(known, sizeof known, models, p, tw__general_name(kernel->name));
	if (!*known)
		snprintf(wanted, sizeof wanted, "a row %.40s,%.40s,%d,%.120s,%.20s", kernel->name, p->archs[a].name,
		         p->archs[a].cores, kernel->size, kernel->precision);
	else
		snprintf(wanted, sizeof wanted, "one of the sizes that have times: %s", known);
	bool offer = !models->extrapolate && !models->offers_nothing && extrapolation_helps(models, p, kernel);
	return tw_fail(err, TW_INVALID, "%s%s%s: expected %s%s", what, why_not_extrapolated(models, kernel),
	               why_not_recorded(p, graph, kernel), wanted, offer ? "; or --extrapolate" : "");
}
