#include "explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/past_items.h"

const char *const tw__why_names[TW__N_WHY] = {
	[TW__WHY_KERNELS] = "kernels",
	[TW__WHY_BUSY] = "busy workers",
	[TW__WHY_SLOW] = "slow workers",
	[TW__WHY_DEPENDENCIES] = "dependencies",
	[TW__WHY_DATA] = "data",
	[TW__WHY_MEMORY] = "memory",
	[TW__WHY_POLICY] = "policy",
	[TW__WHY_RUNTIME] = "runtime",
	[TW__WHY_SUBMISSION] = "submission",
	[TW__WHY_CANCELLED] = "cancelled kernels",
	[TW__WHY_NOTHING] = "nothing left",
	[TW__WHY_TEAM] = "forming teams",
	[TW__WHY_NETWORK] = "network",
};

/* Until now each arch was a kind of its own, since archs have different prices. `by_domain`: workers of several domains
 * are not merged. */
static void merge_kinds(struct tw__explanation *e, const struct tw__platform *p, bool by_domain)
{
	int n = 0;
	for (int i = 0; i < e->n_kinds; i++) {
		struct tw__kind_time kind = e->kinds[i];
		const char *arch = p->archs[kind.arch].name;
		snprintf(kind.name, sizeof kind.name, "%.*s", (int)tw__arch_kind_length(arch), arch);
		int k = 0;
		while (k < n &&
		       (strcmp(e->kinds[k].name, kind.name) != 0 || (by_domain && e->kinds[k].domains != kind.domains)))
			k++;
		if (k == n) {
			e->kinds[n++] = kind;
			continue;
		}
		e->kinds[k].n_workers += kind.n_workers;
		for (int why = 0; why < TW__N_WHY; why++)
			e->kinds[k].of[why] += kind.of[why];
	}
	e->n_kinds = n;
}

/* Adds up where the kernels of the chain ran. */
static void add_chain_ran(struct tw__explanation *e, const struct tw__platform *p)
{
	for (size_t i = 0; i < e->n_links; i++) {
		const struct tw__chain_link *l = &e->links[i];
		if (l->computes)
			e->chain_ran[p->archs[p->workers[l->worker].arch].accelerator] += l->end - l->start;
	}
}

/* --- gaps: the distance from a bound to the makespan, split into causes ------------------------------------------- */

/* Multiplies the parts so that their sum is the gap: rounding, or a damaged trace, may have made it another one. */
static void scale(double part[TW__N_WHY], double gap)
{
	double sum = 0;
	for (int why = 0; why < TW__N_WHY; why++)
		sum += part[why];
	for (int why = 0; why < TW__N_WHY; why++)
		part[why] *= sum > 0 ? gap / sum : 0;
}

/* The chain without as much of its kernels' time as the critical path needs, scaled to the gap. Kernels that wait for
 * each other come first. */
static void split_path_gap(struct tw__explanation *e)
{
	double *part = e->path_gap, path_s = e->path_s;
	const enum tw__why covered[] = {TW__WHY_DEPENDENCIES, TW__WHY_BUSY, TW__WHY_SLOW};
	for (int why = 0; why < TW__N_WHY; why++)
		part[why] = tw__seconds(e->chain[why]);
	for (size_t i = 0; i < sizeof covered / sizeof *covered; i++) {
		double in_path = fmin(path_s, part[covered[i]]);
		part[covered[i]] -= in_path;
		path_s -= in_path;
	}
	scale(part, fmax(0, tw__seconds(e->makespan) - e->path_s));
}

/* Let y_r be the price of a second of arch r, with sum_r m_r y_r = 1 for m_r workers. The makespan is the cost of all
 * time of all workers. The bound is the cost of all tasks, each on the arch where it costs least. So the gap is the
 * cost of the time without kernels, and what tasks cost more than that. */
static int split_area_gap(struct tw__explanation *e, const struct tw__explained_run *run, struct tw_error *err)
{
	const struct tw__bounded in = {run->platform, run->graph, run->times};
	double *price = tw_alloc((size_t)run->platform->n_archs, sizeof *price);
	int status = tw__bound_area(&in, price, &e->area_s, err);
	for (int i = 0; i < e->n_kinds; i++)
		for (int why = 0; why < TW__N_WHY; why++)
			e->area_gap[why] += price[e->kinds[i].arch] * tw__seconds(e->kinds[i].of[why]);
	e->area_gap[TW__WHY_KERNELS] = fmax(0, e->area_gap[TW__WHY_KERNELS] - e->area_s);
	scale(e->area_gap, fmax(0, tw__seconds(e->makespan) - e->area_s));
	free(price);
	return status;
}

static int explain_gaps(struct tw__explanation *e, const struct tw__explained_run *run, struct tw_error *err)
{
	e->path_s = tw__times_critical_path(run->times, run->platform, run->graph);
	split_path_gap(e);
	return split_area_gap(e, run, err);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

int tw__explain_schedule(struct tw__explanation *e, const struct tw__explained_run *run, struct tw_error *err)
{
	struct tw__past_items items;
	*e = (struct tw__explanation){.makespan = run->record->makespan, .n_nodes = run->platform->n_nodes};
	if (tw__times_ns(e->makespan, run->platform->n_workers) == TW__LAST)
		return tw_fail(err, TW_INVALID, "a makespan of %.3g s is too long", tw__seconds(e->makespan));
	tw__record_sort(run->record);
	e->memories = tw_alloc((size_t)e->n_nodes, sizeof *e->memories);
	tw__past_items_init(&items, run, e);
	tw__explain_chain(e, run, &items);
	tw__explain_workers(e, run, &items);
	if (run->platform->n_ranks > 1 && !run->briefly)
		tw__explain_ranks(e, run);
	if (run->graph->n_parts)
		tw__explain_graphs(e, &items);
	tw__past_items_finish(&items);
	int status = run->briefly ? TW_OK : explain_gaps(e, run, err);
	if (status == TW_OK && !run->briefly)
		tw__explain_links(e, run);
	if (status == TW_OK) {
		add_chain_ran(e, run->platform);
		merge_kinds(e, run->platform, !run->briefly);
	}
	if (status < 0)
		tw__explanation_finish(e);
	return status;
}

void tw__explanation_finish(struct tw__explanation *e)
{
	free(e->kinds);
	free(e->ranks);
	free(e->links);
	free(e->spans);
	free(e->memories);
	free(e->saturated);
	*e = (struct tw__explanation){0};
}

const char *tw__kind_text(char text[TW__KIND_TEXT], const struct tw__kind_time *kind, const struct tw__run_domains *d)
{
	char domains[TW__DOMAINS_TEXT];
	snprintf(text, TW__KIND_TEXT, "%s%s%s", kind->name, d->n ? " in " : "",
	         d->n ? tw__domains_text(domains, d, kind->domains) : "");
	return text;
}

int tw__why_order(const double *amount, enum tw__why order[TW__N_WHY])
{
	int n = 0;
	for (int why = 0; why < TW__N_WHY; why++) {
		if (!(amount[why] > 0))
			continue;
		int i = n++;
		for (; i > 0 && amount[order[i - 1]] < amount[why]; i--)
			order[i] = order[i - 1];
		order[i] = (enum tw__why)why;
	}
	return n;
}
