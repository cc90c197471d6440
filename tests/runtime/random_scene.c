#include "random_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "random_world.h"

static uint32_t below(struct tw__random *r, uint32_t n) { return tw__random_below(r, n); }

/* --- domains ------------------------------------------------------------------------------------------------------ */

static bool can_run(const struct world *w, const bool *has, tw_kernel k)
{
	for (tw_worker i = 0; i < w->platform->n_workers; i++)
		if (has[i] && !isnan(w->times.mean[k * w->times.n_archs + w->platform->workers[i].arch]))
			return true;
	return false;
}

/* Adds a domain with some of the workers, as text. `all`: with all. */
static void add_domain(struct random_domains *d, const struct world *w, struct tw__random *r, bool all)
{
	size_t at = strlen(d->policy);
	const char *between = "";
	tw_worker n = w->platform->n_workers, least = (tw_worker)below(r, (uint32_t)n);
	at += (size_t)snprintf(d->policy + at, RANDOM_TEXT - at, "%sd%d=", d->n ? "+" : "", d->n);
	for (tw_worker i = 0; i < n; i++) {
		d->has[d->n][i] = all || i == least || below(r, 3) == 0;
		if (!d->has[d->n][i])
			continue;
		at += (size_t)snprintf(d->policy + at, RANDOM_TEXT - at, "%s%s", between, w->platform->workers[i].name);
		between = "/";
	}
	/* two policies with teams on common cores may wait for each other (docs/reference/parallel-tasks.md) */
	const char *policy = random_policy(r);
	const bool has_teams = strncmp(policy, "parallel_", 9) == 0;
	snprintf(d->policy + at, RANDOM_TEXT - at, ":%s", has_teams && d->has_teams ? "eager" : policy);
	d->has_teams |= has_teams;
	d->n++;
}

void random_domains(struct random_domains *d, const struct world *w, struct tw__random *r)
{
	const struct tw_graph *g = w->graph;
	memset(d, 0, sizeof *d);
	for (int n = 1 + (int)below(r, 4); d->n < n;)
		add_domain(d, w, r, d->n == 0);
	if (d->n == 1 && below(r, 2)) { /* alone, it may have some of the workers, too */
		struct random_domains one = {0};
		bool all = true;
		add_domain(&one, w, r, false);
		for (tw_kernel k = 0; k < g->n_kernels; k++)
			all &= can_run(w, one.has[0], k);
		for (int32_t p = 0; p < g->n_phases; p++)
			all &= can_run(w, one.has[0], g->phases[p].combine);
		if (all)
			*d = one;
	}
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		int domain = (int)below(r, (uint32_t)d->n);
		for (int32_t p = 0; p < g->n_phases; p++) /* its accumulators are combined there, too */
			if (g->kernel[g->phases[p].first] == k && !can_run(w, d->has[domain], g->phases[p].combine))
				domain = 0;
		if (!can_run(w, d->has[domain], k))
			domain = 0;
		size_t at = strlen(d->assign);
		snprintf(d->assign + at, RANDOM_TEXT - at, "%s%s=d%d", at ? "," : "", tw_graph_kernel_name(g, k),
		         domain);
	}
}

/* --- graphs ------------------------------------------------------------------------------------------------------- */

struct tw_graph *joined_graphs(const struct tw_joined_graph *of, int n)
{
	struct tw_graph *g;
	struct tw_error err = {""};
	ck_assert_msg(tw__graph_join(&g, of, n, &err) == TW_OK, "%s", err.message);
	return g;
}

/* Repeats the seconds that single tasks have. */
static void repeat_own_seconds(struct tw__times *times, int copies)
{
	size_t n = (size_t)times->n_tasks;
	for (int a = 0; times->own && a < times->n_archs; a++) {
		times->own[a] = realloc(times->own[a], n * (size_t)copies * sizeof *times->own[a]);
		for (int c = 1; c < copies; c++)
			memcpy(times->own[a] + (size_t)c * n, times->own[a], n * sizeof *times->own[a]);
	}
	times->n_tasks *= copies;
}

void random_graphs(struct world *w, struct tw__random *r, int n, const char *const *domains)
{
	struct tw_joined_graph of[3];
	for (int i = 0; i < n; i++)
		of[i] = (struct tw_joined_graph){w->graph, below(r, 3) ? 1e-3 * below(r, 20) : 0,
		                                 domains && below(r, 2) ? domains[i] : NULL};
	struct tw_graph *g = joined_graphs(of, n);
	tw_graph_destroy(w->graph);
	w->graph = g;
	repeat_own_seconds(&w->times, n);
}
