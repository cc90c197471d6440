#include "explain/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/past.h"

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
};

/* Until now each arch was a kind of its own, since archs have different prices. */
static void merge_kinds(struct tw__explanation *e, const struct tw_platform *p)
{
	int n = 0;
	for (int i = 0; i < e->n_kinds; i++) {
		struct tw__kind_time kind = e->kinds[i];
		const char *arch = p->archs[kind.arch].name;
		snprintf(kind.name, sizeof kind.name, "%.*s", (int)tw__arch_kind_length(arch), arch);
		int k = 0;
		while (k < n && strcmp(e->kinds[k].name, kind.name) != 0)
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
static void add_chain_ran(struct tw__explanation *e, const struct tw_platform *p)
{
	for (size_t i = 0; i < e->n_links; i++) {
		const struct tw__chain_link *l = &e->links[i];
		if (l->computes)
			e->chain_ran[p->archs[p->workers[l->worker].arch].accelerator] += l->end - l->start;
	}
}

int tw__explain_schedule(struct tw__explanation *e, const struct tw__explained_run *run, struct tw_error *err)
{
	struct tw__past_items items = {0};
	*e = (struct tw__explanation){.makespan = run->record->makespan, .n_nodes = run->platform->n_nodes};
	if (tw__times_ns(e->makespan, run->platform->n_workers) == TW__LAST)
		return tw_fail(err, TW_INVALID, "a makespan of %.3g s is too long", tw__seconds(e->makespan));
	tw__record_sort(run->record);
	e->memories = calloc((size_t)e->n_nodes + 1, sizeof *e->memories);
	int status = e->memories && !run->record->out_of_memory ? TW_OK : tw_fail(err, TW_NOMEM, "out of memory");
	if (status == TW_OK)
		status = tw__past_items_init(&items, run, e, err);
	if (status == TW_OK)
		status = tw__explain_chain(e, run, &items, err);
	if (status == TW_OK)
		status = tw__explain_workers(e, run, &items, err);
	if (status == TW_OK)
		status = tw__explain_gaps(e, run, err);
	if (status == TW_OK)
		status = tw__explain_links(e, run, err);
	tw__past_items_finish(&items);
	if (status == TW_OK) {
		add_chain_ran(e, run->platform);
		merge_kinds(e, run->platform);
	}
	if (status < 0)
		tw__explanation_finish(e);
	return status;
}

void tw__explanation_finish(struct tw__explanation *e)
{
	free(e->kinds);
	free(e->links);
	free(e->spans);
	free(e->memories);
	free(e->saturated);
	*e = (struct tw__explanation){0};
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
