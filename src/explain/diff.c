#include "explain/diff.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/ranks.h"
#include "graph/reduction.h"

/* --- names: workers, kinds of workers and memories of two platforms, matched by their names ----------------------- */

static int find(const struct tw__diff_names *names, const char *name)
{
	int i = 0;
	while (i < names->n && strcmp(names->list[i], name) != 0)
		i++;
	return i;
}

/* `n`, `name`: how many names each run has, and what they are. */
static void names_init(struct tw__arena *memory, struct tw__diff_names *names, const int n[2],
                       const char *(*name)(const void *run, int), const void *const run[2])
{
	size_t most = (size_t)n[0] + (size_t)n[1];
	*names = (struct tw__diff_names){.list = tw__arena_alloc(memory, most, sizeof *names->list)};
	for (int side = 0; side < 2; side++) {
		names->in[side] = tw__arena_alloc(memory, most, sizeof *names->in[side]);
		names->number[side] = tw__arena_alloc(memory, most, sizeof *names->number[side]);
	}
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < n[side]; i++) {
			int at = find(names, name(run[side], i));
			if (at == names->n) {
				names->list[names->n++] = name(run[side], i);
				names->in[0][at] = names->in[1][at] = TW_NONE;
			}
			names->in[side][at] = i;
			names->number[side][i] = at;
		}
}

static const char *worker_name(const void *run, int i)
{
	return ((const struct tw__explained_run *)run)->platform->workers[i].name;
}

static const char *memory_name(const void *run, int i)
{
	return ((const struct tw__explained_run *)run)->platform->nodes[i].name;
}

static const char *rank_name(const void *run, int i)
{
	return ((const struct tw__explained_run *)run)->platform->rank_names[i];
}

static const char *kind_name(const void *explanation, int i)
{
	return ((const struct tw__explanation *)explanation)->kinds[i].name;
}

static void list_names(struct tw__diff *d)
{
	const struct tw__platform *a = d->runs[0]->platform, *b = d->runs[1]->platform;
	const void *const runs[2] = {d->runs[0], d->runs[1]}, *const explanations[2] = {&d->of[0], &d->of[1]};
	const int n_workers[2] = {a->n_workers, b->n_workers}, n_nodes[2] = {a->n_nodes, b->n_nodes};
	const int n_kinds[2] = {d->of[0].n_kinds, d->of[1].n_kinds};
	const int n_ranks[2] = {a->rank_names ? a->n_ranks : 0, b->rank_names ? b->n_ranks : 0};
	names_init(&d->memory, &d->workers, n_workers, worker_name, runs);
	names_init(&d->memory, &d->memories, n_nodes, memory_name, runs);
	names_init(&d->memory, &d->kinds, n_kinds, kind_name, explanations);
	names_init(&d->memory, &d->ranks, n_ranks, rank_name, runs);
}

/* An explanation has each kind whose archs have workers. */
static int kind_of_arch(const struct tw__diff *d, const char *arch)
{
	char kind[sizeof d->of[0].kinds->name];
	int k = 0;
	snprintf(kind, sizeof kind, "%.*s", (int)tw__arch_kind_length(arch), arch);
	while (strcmp(d->kinds.list[k], kind) != 0)
		k++;
	return k;
}

static void list_kinds(struct tw__diff *d)
{
	for (int run = 0; run < 2; run++) {
		const struct tw__platform *p = d->runs[run]->platform;
		d->kind_of[run] = tw__arena_alloc(&d->memory, (size_t)p->n_workers, sizeof *d->kind_of[run]);
		for (tw_worker w = 0; w < p->n_workers; w++)
			d->kind_of[run][w] = kind_of_arch(d, p->archs[p->workers[w].arch].name);
	}
}

/* --- graphs: both runs had the same ------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static int differ(const char *what, long long a, long long b, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "A has %lld %s, and B has %lld: expected two runs of one graph", a, what, b);
}

static int compare_kernels(const struct tw_graph *a, const struct tw_graph *b, tw_task t, struct tw_error *err)
{
	const struct tw__kernel *of_a = &a->kernels[a->kernel[t]], *of_b = &b->kernels[b->kernel[t]];
	if (!same_text(of_a->name, of_b->name))
		return tw_fail(err, TW_INVALID,
		               "task %d has kernel %.80s in A, and %.80s in B: expected two runs of one graph", (int)t,
		               of_a->name, of_b->name);
	if (!same_text(of_a->size, of_b->size) || !same_text(of_a->precision, of_b->precision))
		return tw_fail(err, TW_INVALID,
		               "task %d, %.80s, has another size or precision in B than in A: expected two runs of one "
		               "graph",
		               (int)t, of_a->name);
	return TW_OK;
}

static int compare_accesses(const struct tw_graph *a, const struct tw_graph *b, tw_task t, struct tw_error *err)
{
	uint32_t first_a = a->access_start[t], first_b = b->access_start[t];
	uint32_t n_a = a->access_start[t + 1] - first_a, n_b = b->access_start[t + 1] - first_b;
	if (n_a != n_b)
		return tw_fail(err, TW_INVALID,
		               "task %d accesses %u handles in A, and %u in B: expected two runs of one graph", (int)t,
		               (unsigned)n_a, (unsigned)n_b);
	for (uint32_t i = 0; i < n_a; i++) {
		tw__access of_a = a->access[first_a + i], of_b = b->access[first_b + i];
		if (tw__access_data(of_a) != tw__access_data(of_b))
			return tw_fail(err, TW_INVALID,
			               "task %d accesses handle %d in A, and handle %d in B: expected two runs of one "
			               "graph",
			               (int)t, (int)tw__access_data(of_a), (int)tw__access_data(of_b));
		if (tw__access_mode(of_a) != tw__access_mode(of_b))
			return tw_fail(err, TW_INVALID,
			               "task %d accesses handle %d in another mode in B than in A: expected two runs "
			               "of one graph",
			               (int)t, (int)tw__access_data(of_a));
	}
	return TW_OK;
}

static int compare_graphs(const struct tw_graph *a, const struct tw_graph *b, struct tw_error *err)
{
	int status = TW_OK;
	if (a->n_tasks != b->n_tasks)
		return differ("tasks", a->n_tasks, b->n_tasks, err);
	if (a->n_data != b->n_data)
		return differ("handles", a->n_data, b->n_data, err);
	for (tw_task t = 0; t < a->n_tasks && status == TW_OK; t++) {
		status = compare_kernels(a, b, t, err);
		if (status == TW_OK)
			status = compare_accesses(a, b, t, err);
	}
	for (tw_data d = 0; d < a->n_data && status == TW_OK; d++)
		if (a->data_bytes[d] != b->data_bytes[d])
			status = tw_fail(err, TW_INVALID,
			                 "handle %d has %llu bytes in A, and %llu in B: expected two runs of one graph",
			                 (int)d, (unsigned long long)a->data_bytes[d],
			                 (unsigned long long)b->data_bytes[d]);
	return status;
}

/* --- the comparison ----------------------------------------------------------------------------------------------- */

static bool same_bytes(const struct tw__diff *d)
{
	for (size_t i = 0; i < d->n_bytes; i++)
		if (d->bytes[i].transfers[0] != d->bytes[i].transfers[1] ||
		    d->bytes[i].bytes[0] != d->bytes[i].bytes[1])
			return false;
	return true;
}

/* Tasks of reductions: those that the run has appended, and those that combine what nodes contribute. */
static tw_task appended(const struct tw__diff *d, int run)
{
	const struct tw_graph *g = d->runs[run]->graph, *all = d->runs[run]->record->extended;
	return (all ? all : g)->n_tasks - (g->ranks ? 2 * g->ranks->n_messages : 0) - d->n_tasks;
}

static void compare(struct tw__diff *d)
{
	for (int run = 0; run < 2; run++)
		d->n_appended[run] = appended(d, run);
	d->same = d->of[0].makespan == d->of[1].makespan && d->n_appended[0] == d->n_appended[1];
	list_names(d);
	list_kinds(d);
	tw__diff_tasks(d);
	tw__diff_bytes(d);
	tw__diff_messages(d);
	d->same = d->same && same_bytes(d) && d->n_alone == 0;
}

int tw__diff_init(struct tw__diff *d, const struct tw__explained_run *a, const struct tw__explained_run *b,
                  struct tw_error *err)
{
	*d = (struct tw__diff){.runs = {a, b}, .n_tasks = a->program->n_tasks};
	int status = compare_graphs(a->program, b->program, err);
	for (int run = 0; run < 2 && status == TW_OK; run++) {
		struct tw__explained_run explained = *d->runs[run];
		explained.briefly = true;
		status = tw__explain_schedule(&d->of[run], &explained, err);
	}
	if (status < 0)
		tw__diff_finish(d);
	else
		compare(d);
	return status;
}

void tw__diff_finish(struct tw__diff *d)
{
	tw__explanation_finish(&d->of[0]);
	tw__explanation_finish(&d->of[1]);
	tw__arena_finish(&d->memory);
	*d = (struct tw__diff){0};
}

/* --- differences by cause ----------------------------------------------------------------------------------------- */

/* Orders the causes that have time in either run: the greatest difference first. `b` of NAN: no difference, so the
 * greatest time of A first; `a` of NAN likewise. Returns their number. */
static int order_of(const double *a, const double *b, enum tw__why order[TW__N_WHY])
{
	double size[TW__N_WHY];
	int n = 0;
	for (int why = 0; why < TW__N_WHY; why++) {
		size[why] = isnan(a[why]) ? b[why] : isnan(b[why]) ? a[why] : fabs(b[why] - a[why]);
		if (!(a[why] > 0) && !(b[why] > 0))
			continue;
		int i = n++;
		for (; i > 0 && size[order[i - 1]] < size[why]; i--)
			order[i] = order[i - 1];
		order[i] = (enum tw__why)why;
	}
	return n;
}

int tw__diff_order(const struct tw__diff *d, enum tw__why order[TW__N_WHY])
{
	double seconds[2][TW__N_WHY];
	for (int run = 0; run < 2; run++)
		for (int why = 0; why < TW__N_WHY; why++)
			seconds[run][why] = tw__seconds(d->of[run].chain[why]);
	return order_of(seconds[0], seconds[1], order);
}

double tw__diff_kind_seconds(const struct tw__diff *d, int run, int kind, enum tw__why why)
{
	int number = d->kinds.in[run][kind];
	if (number == TW_NONE)
		return NAN;
	const struct tw__kind_time *k = &d->of[run].kinds[number];
	return tw__seconds(k->of[why]) / k->n_workers;
}

int tw__diff_kind_order(const struct tw__diff *d, int kind, enum tw__why order[TW__N_WHY])
{
	double seconds[2][TW__N_WHY];
	for (int run = 0; run < 2; run++)
		for (int why = 0; why < TW__N_WHY; why++)
			seconds[run][why] = tw__diff_kind_seconds(d, run, kind, (enum tw__why)why);
	return order_of(seconds[0], seconds[1], order);
}
