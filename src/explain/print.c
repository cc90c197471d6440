/* Explanations as text. */
#include "explain/print.h"

#include <math.h>
#include <string.h>

#include "base/spec.h"
#include "graph/graph.h"

enum { MOST_LINKS = 8 };

static void put_seconds(FILE *f, int width, double s)
{
	char text[TW__DURATION_TEXT];
	tw__duration_text(text, s);
	fprintf(f, "%*s", width, text);
}

/* One line for each sentence. */
static void put_sentences(FILE *f, const char *text)
{
	for (const char *end; (end = strstr(text, ". ")); text = end + 2)
		fprintf(f, "%.*s\n", (int)(end + 1 - text), text);
	fprintf(f, "%s\n", text);
}

/* One line for each cause, the greatest first. */
static void put_causes(FILE *f, const double *seconds, double all, const char *kernels)
{
	enum tw__why order[TW__N_WHY];
	int n = tw__why_order(seconds, order);
	for (int i = 0; i < n; i++) {
		fprintf(f, "  %-18s", order[i] == TW__WHY_KERNELS ? kernels : tw__why_names[order[i]]);
		put_seconds(f, 10, seconds[order[i]]);
		fprintf(f, "  %5.1f %%\n", 100 * seconds[order[i]] / all);
	}
}

static void put_makespan(FILE *f, const struct tw__explanation *e)
{
	double seconds[TW__N_WHY];
	for (int why = 0; why < TW__N_WHY; why++)
		seconds[why] = tw__seconds(e->chain[why]);
	fputs("\nCauses of the makespan\n", f);
	put_causes(f, seconds, tw__seconds(e->makespan), tw__why_names[TW__WHY_KERNELS]);
}

/* A table with a row for each kind of worker, and a column for each cause that has time. */
static void put_workers(FILE *f, const struct tw__explanation *e)
{
	bool used[TW__N_WHY] = {false};
	for (int i = 0; i < e->n_kinds; i++)
		for (int why = 0; why < TW__N_WHY; why++)
			used[why] |= e->kinds[i].of[why] > 0;
	fprintf(f, "\nWhere the time of workers went, in %%\n  %-16s %7s", "kind", "workers");
	for (int why = 0; why < TW__N_WHY; why++)
		if (used[why])
			fprintf(f, "  %s", tw__why_names[why]);
	putc('\n', f);
	for (int i = 0; i < e->n_kinds; i++) {
		const struct tw__kind_time *k = &e->kinds[i];
		double all = (double)k->n_workers * (double)e->makespan;
		fprintf(f, "  %-16s %7d", k->name, k->n_workers);
		for (int why = 0; why < TW__N_WHY; why++)
			if (used[why])
				fprintf(f, "  %*.1f", (int)strlen(tw__why_names[why]),
				        all > 0 ? 100 * (double)k->of[why] / all : 0);
		putc('\n', f);
	}
}

static void put_gap(FILE *f, const char *bound, double bound_s, double makespan_s, const double *gap)
{
	if (isnan(bound_s))
		return;
	fprintf(f, "\nAbove the %s bound of ", bound);
	put_seconds(f, 0, bound_s);
	fputs(": ", f);
	put_seconds(f, 0, fmax(0, makespan_s - bound_s));
	putc('\n', f);
	put_causes(f, gap, makespan_s - bound_s, "unsuited workers");
}

static void put_memories(FILE *f, const struct tw__explanation *e, const struct tw__explained_run *run)
{
	bool any = false;
	for (int n = 0; n < e->n_nodes; n++) {
		const struct tw__memory_use *m = &e->memories[n];
		if (!m->reloads)
			continue;
		if (!any)
			fputs("\nMemories that loaded evicted handles again\n", f);
		any = true;
		fprintf(f, "  %-10s %lld of %lld loads, %.4g MB; %lld evictions\n", run->platform->nodes[n].name,
		        (long long)m->reloads, (long long)m->loads, 1e-6 * (double)m->reloaded_bytes,
		        (long long)m->evictions);
	}
	for (int i = 0; i < e->n_reloaded; i++) {
		const struct tw__reloaded *r = &e->reloaded[i];
		fprintf(f, "  handle %d: %lld times into %s", (int)r->data, (long long)r->times,
		        run->platform->nodes[r->node].name);
		if (r->evictor != TW_NONE)
			fprintf(f, "; handle %d got its room", (int)r->evictor);
		putc('\n', f);
	}
}

/* The spans of a link that were saturated longest, and for how much of each. */
static void put_spans(FILE *f, const struct tw__saturated_link *l, double unit, int digits)
{
	for (int i = 0; i < l->n_spans; i++) {
		const struct tw__saturated_span *s = &l->spans[i];
		fprintf(f, "%s%.*f-%.*f (%.0f %%)", i > 0 ? ", " : "", digits, tw__seconds(s->start) / unit, digits,
		        tw__seconds(s->end) / unit, 100 * (double)s->saturated / (double)(s->end - s->start));
	}
	if (l->n_other_spans > 0)
		fprintf(f, ", %d more", l->n_other_spans);
}

/* A table of the links that were saturated for a hundredth of the makespan or longer. Dates have the unit of the
 * makespan, and the digits that show it with four. */
static void put_links(FILE *f, const struct tw__explanation *e, const struct tw__explained_run *run)
{
	const char *unit_name;
	double makespan = tw__seconds(e->makespan), unit = tw__duration_unit(makespan, &unit_name);
	int digits = makespan > 0 ? 3 - (int)floor(log10(makespan / unit)) : 0, n = 0;
	while (n < e->n_saturated && n < MOST_LINKS && e->saturated[n].saturated >= e->makespan / 100)
		n++;
	if (n == 0)
		return;
	fprintf(f, "\nSaturated links, in %% of the makespan\n  %-16s   time  chain  when, mostly (%s)\n", "link",
	        unit_name);
	for (int i = 0; i < n; i++) {
		const struct tw__saturated_link *l = &e->saturated[i];
		fprintf(f, "  %-16s  %5.1f  %5.1f  ", run->platform->links[l->link].name,
		        100 * tw__seconds(l->saturated) / makespan, 100 * tw__seconds(l->on_chain) / makespan);
		put_spans(f, l, unit, digits > 0 ? digits : 0);
		putc('\n', f);
	}
	if (n < e->n_saturated)
		fprintf(f, "  and %d more, for less time\n", e->n_saturated - n);
}

static const char *kernel_of(const struct tw__explained_run *run, tw_task t)
{
	const struct tw_graph *g = run->record->extended ? run->record->extended : run->graph;
	return g->kernels[g->kernel[t]].name;
}

static void put_chain(FILE *f, const struct tw__explanation *e, const struct tw__explained_run *run)
{
	fputs("\nThe chain\n        start         end  cause              what\n", f);
	for (size_t i = 0; i < e->n_links; i++) {
		const struct tw__chain_link *l = &e->links[i];
		put_seconds(f, 13, tw__seconds(l->start));
		put_seconds(f, 12, tw__seconds(l->end));
		fprintf(f, "  %-17s  ", tw__why_names[l->why]);
		if (l->data != TW_NONE)
			fprintf(f, "handle %d from %s to %s\n", (int)l->data, run->platform->nodes[l->from].name,
			        run->platform->nodes[l->to].name);
		else if (l->task != TW_NONE && l->worker != TW_NONE)
			fprintf(f, "task %d, %s, on %s\n", (int)l->task, kernel_of(run, l->task),
			        run->platform->workers[l->worker].name);
		else
			fputs("-\n", f);
	}
}

void tw__explanation_print(FILE *f, const struct tw__explanation *e, const struct tw__explained_run *run,
                           const struct tw__explained_name *name, bool with_chain)
{
	char sentences[2048] = "";
	tw__explain_sentences(sentences, sizeof sentences, e, run);
	if (name->trace)
		fprintf(f, "%s: ", name->trace);
	fprintf(f, "%s, policy %s, platform %s: makespan ", name->workload, name->policy, name->platform);
	put_seconds(f, 0, tw__seconds(e->makespan));
	fputs("\n\n", f);
	put_sentences(f, sentences);
	put_makespan(f, e);
	put_workers(f, e);
	put_gap(f, "critical path", e->path_s, tw__seconds(e->makespan), e->path_gap);
	put_gap(f, "area", e->area_s, tw__seconds(e->makespan), e->area_gap);
	put_links(f, e, run);
	put_memories(f, e, run);
	if (with_chain)
		put_chain(f, e, run);
}
