#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cell_table.h"
#include "base/json_text.h"
#include "base/spec.h"
#include "graph/graph.h"

/* MOST_LINKS: of the platform, in the text. MOST_CHAIN: links of the chain, in JSON, unless all are wanted. */
enum { MOST_LINKS = 8, MOST_CHAIN = 1000 };

/* An explanation that becomes text or JSON. Tables that both have are made once: a function then returns JSON, or it
 * prints text and returns NULL. Members of JSON with a value of NULL are left out. */
struct printed {
	const struct tw__explanation *e;
	const struct tw__explained_run *run;
	double makespan_s;
	FILE *f; /* of the text; NULL: JSON */
};

static json_t *end(struct printed *p, struct cell_table *t)
{
	if (!p->f)
		return tw__cells_array(t);
	tw__cells_print(t, p->f);
	return NULL;
}

static double percent(const struct printed *p, tw__ns time) { return 100 * tw__seconds(time) / p->makespan_s; }

/* --- causes ------------------------------------------------------------------------------------------------------- */

/* The causes, the greatest first; their shares are parts of `all`. `kernels`: the name of kernels in the text. */
static json_t *causes(struct printed *p, const double *seconds, double all, const char *kernels)
{
	static const struct cell_column columns[] = {{.key = "name", .title = "", .width = 18},
	                                             {.key = "seconds", .title = "", .unit = UNIT_DURATION, .width = 8},
	                                             {.key = "share", .title = "", .unit = UNIT_PERCENT, .width = 7},
	                                             {0}};
	struct cell_table t = {.columns = columns, .is_json = !p->f, .indent = "  "};
	enum tw__why order[TW__N_WHY];
	int n = tw__why_order(seconds, order);
	for (int i = 0; i < n; i++) {
		const char *name = p->f && order[i] == TW__WHY_KERNELS ? kernels : tw__why_names[order[i]];
		tw__cells_add(&t, cell_text(name), cell_real(seconds[order[i]]), cell_real(seconds[order[i]] / all));
	}
	return end(p, &t);
}

static json_t *causes_of(struct printed *p, const tw__ns *time, double all)
{
	double seconds[TW__N_WHY];
	for (int why = 0; why < TW__N_WHY; why++)
		seconds[why] = tw__seconds(time[why]);
	return causes(p, seconds, all, tw__why_names[TW__WHY_KERNELS]);
}

static json_t *gap(struct printed *p, const char *bound, double bound_s, const double *seconds)
{
	char text[2][TW__DURATION_TEXT];
	double all = fmax(0, p->makespan_s - bound_s);
	if (isnan(bound_s))
		return p->f ? NULL : json_null();
	if (!p->f)
		return json_pack("{s:f, s:f, s:o}", "bound_s", bound_s, "gap_s", all, "causes",
		                 causes(p, seconds, all, NULL));
	fprintf(p->f, "\nAbove the %s bound of %s: %s\n", bound, tw__duration_text(text[0], bound_s),
	        tw__duration_text(text[1], all));
	return causes(p, seconds, p->makespan_s - bound_s, "unsuited workers");
}

/* The names of the domains in the set; NULL: the run has no domains. */
static json_t *domains_json(const struct tw__run_domains *d, tw__domain_set set)
{
	json_t *list = d->n ? json_array() : NULL;
	for (int i = 0; i < d->n; i++)
		if (set >> i & 1)
			tw__json_append(list, json_string(d->names[i]));
	return list;
}

static json_t *workers_json(struct printed *p)
{
	json_t *list = json_array();
	for (int i = 0; i < p->e->n_kinds; i++) {
		const struct tw__kind_time *k = &p->e->kinds[i];
		tw__json_append(list, json_pack("{s:s, s:o*, s:b, s:i, s:o}", "kind", k->name, "domains",
		                                domains_json(&p->run->domains, k->domains), "accelerator",
		                                p->run->platform->archs[k->arch].accelerator, "workers", k->n_workers,
		                                "causes", causes_of(p, k->of, k->n_workers * p->makespan_s)));
	}
	return list;
}

/* A table with a row for each kind of worker, and a column for each cause that has time. Kinds have a column for their
 * domains if the run has any. */
static void put_workers(struct printed *p)
{
	const struct tw__explanation *e = p->e;
	const struct tw__run_domains *d = &p->run->domains;
	struct cell_column columns[TW__N_WHY + 4] = {{.title = "kind", .width = 15}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	bool used[TW__N_WHY] = {false};
	int n = 1;
	if (d->n > 0)
		columns[n++] = (struct cell_column){.title = "domain"};
	columns[n++] = (struct cell_column){.title = "workers"};
	for (int i = 0; i < e->n_kinds; i++)
		for (int why = 0; why < TW__N_WHY; why++)
			used[why] |= e->kinds[i].of[why] > 0;
	for (int why = 0; why < TW__N_WHY; why++)
		if (used[why])
			columns[n++] = (struct cell_column){.title = tw__why_names[why], .format = "%.1f"};
	for (int i = 0; i < e->n_kinds; i++) {
		const struct tw__kind_time *k = &e->kinds[i];
		double all = (double)k->n_workers * (double)e->makespan;
		char domains[TW__DOMAINS_TEXT];
		struct cell cells[TW__N_WHY + 3] = {cell_text(k->name)};
		n = 1;
		if (d->n > 0)
			cells[n++] = cell_text(tw__domains_text(domains, d, k->domains));
		cells[n++] = cell_integer(k->n_workers);
		for (int why = 0; why < TW__N_WHY; why++)
			if (used[why])
				cells[n++] = cell_real(all > 0 ? 100 * (double)k->of[why] / all : 0);
		tw__cells_row(&t, cells, (size_t)n);
	}
	fputs("\nWhere the time of workers went, in %\n", p->f);
	end(p, &t);
}

/* --- memories ----------------------------------------------------------------------------------------------------- */

static json_t *memories_json(const struct printed *p)
{
	static const struct cell_column columns[] = {{.key = "memory"},      {.key = "loads"},
	                                             {.key = "loads_again"}, {.key = "bytes_again"},
	                                             {.key = "evictions"},   {0}};
	struct cell_table t = {.columns = columns, .is_json = true};
	for (int n = 0; n < p->e->n_nodes; n++) {
		const struct tw__memory_use *m = &p->e->memories[n];
		tw__cells_add(&t, cell_text(p->run->platform->nodes[n].name), cell_integer(m->loads),
		              cell_integer(m->reloads), cell_bytes(m->reloaded_bytes), cell_integer(m->evictions));
	}
	return tw__cells_array(&t);
}

static json_t *reloaded_json(const struct printed *p)
{
	json_t *list = json_array();
	for (int i = 0; i < p->e->n_reloaded; i++) {
		const struct tw__reloaded *r = &p->e->reloaded[i];
		json_t *item = json_pack("{s:i, s:s, s:I}", "handle", (int)r->data, "memory",
		                         p->run->platform->nodes[r->node].name, "times", (json_int_t)r->times);
		if (r->evictor != TW_NONE)
			tw__json_set(item, "evictor", json_integer(r->evictor));
		tw__json_append(list, item);
	}
	return list;
}

static void put_memories(const struct printed *p)
{
	const struct tw__node *nodes = p->run->platform->nodes;
	bool any = false;
	for (int n = 0; n < p->e->n_nodes; n++) {
		const struct tw__memory_use *m = &p->e->memories[n];
		if (!m->reloads)
			continue;
		fprintf(p->f, "%s  %-10s %lld of %lld loads, %.4g MB; %lld evictions\n",
		        any ? "" : "\nMemories that loaded evicted handles again\n", nodes[n].name,
		        (long long)m->reloads, (long long)m->loads, 1e-6 * (double)m->reloaded_bytes,
		        (long long)m->evictions);
		any = true;
	}
	for (int i = 0; i < p->e->n_reloaded; i++) {
		const struct tw__reloaded *r = &p->e->reloaded[i];
		fprintf(p->f, "  handle %d: %lld times into %s", (int)r->data, (long long)r->times,
		        nodes[r->node].name);
		if (r->evictor != TW_NONE)
			fprintf(p->f, "; handle %d got its room", (int)r->evictor);
		putc('\n', p->f);
	}
}

/* --- links -------------------------------------------------------------------------------------------------------- */

static json_t *spans_json(const struct tw__saturated_link *l)
{
	json_t *list = json_array();
	for (int i = 0; i < l->n_spans; i++) {
		const struct tw__saturated_span *s = &l->spans[i];
		tw__json_append(list, json_pack("{s:f, s:f, s:f}", "start_s", tw__seconds(s->start), "end_s",
		                                tw__seconds(s->end), "saturated_s", tw__seconds(s->saturated)));
	}
	return list;
}

static json_t *links_json(const struct printed *p)
{
	json_t *list = json_array();
	for (int i = 0; i < p->e->n_saturated; i++) {
		const struct tw__saturated_link *l = &p->e->saturated[i];
		double seconds = tw__seconds(l->saturated);
		tw__json_append(list,
		                json_pack("{s:o, s:f, s:f, s:f, s:o, s:i}", "link",
		                          tw__json_text(p->run->platform->links[l->link].name), "seconds", seconds,
		                          "share", seconds / p->makespan_s, "chain_seconds", tw__seconds(l->on_chain),
		                          "intervals", spans_json(l), "other_intervals", l->n_other_spans));
	}
	return list;
}

/* The spans of a link that were saturated longest, and for how much of each. */
static struct cell spans_cell(const struct tw__saturated_link *l, double unit, int digits)
{
	struct cell_list spans = {0};
	for (int i = 0; i < l->n_spans; i++) {
		const struct tw__saturated_span *s = &l->spans[i];
		tw__list_add(&spans, "%.*f-%.*f (%.0f %%)", digits, tw__seconds(s->start) / unit, digits,
		             tw__seconds(s->end) / unit, 100 * (double)s->saturated / (double)(s->end - s->start));
	}
	if (l->n_other_spans > 0)
		tw__list_add(&spans, "%d more", l->n_other_spans);
	return tw__list_cell(&spans);
}

/* A table of the links that were saturated for a hundredth of the makespan or longer. Dates have the unit of the
 * makespan, and the digits that show it with four. */
static void put_links(struct printed *p)
{
	const struct tw__explanation *e = p->e;
	const char *unit_name;
	char when[32];
	double unit = tw__duration_unit(p->makespan_s, &unit_name);
	int digits = p->makespan_s > 0 ? 3 - (int)floor(log10(p->makespan_s / unit)) : 0, n = 0;
	snprintf(when, sizeof when, "when, mostly (%s)", unit_name);
	const struct cell_column columns[] = {{.title = "link", .width = 16},
	                                      {.title = "time", .format = "%.1f", .width = 5},
	                                      {.title = "chain", .format = "%.1f", .width = 5},
	                                      {.title = when},
	                                      {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	for (; n < e->n_saturated && n < MOST_LINKS && e->saturated[n].saturated >= e->makespan / 100; n++) {
		const struct tw__saturated_link *l = &e->saturated[n];
		tw__cells_add(&t, cell_text(p->run->platform->links[l->link].name), cell_real(percent(p, l->saturated)),
		              cell_real(percent(p, l->on_chain)), spans_cell(l, unit, digits > 0 ? digits : 0));
	}
	if (n == 0)
		return;
	fputs("\nSaturated links, in % of the makespan\n", p->f);
	end(p, &t);
	if (n < e->n_saturated)
		fprintf(p->f, "  and %d more, for less time\n", e->n_saturated - n);
}

/* --- the chain ---------------------------------------------------------------------------------------------------- */

static json_t *link_json(const struct printed *p, const struct tw__chain_link *l)
{
	const struct tw__platform *platform = p->run->platform;
	json_t *item = json_pack("{s:f, s:f, s:s}", "start_s", tw__seconds(l->start), "end_s", tw__seconds(l->end),
	                         "cause", tw__why_names[l->why]);
	if (l->task != TW_NONE)
		tw__json_set(item, "task", json_integer(l->task));
	if (l->worker != TW_NONE)
		tw__json_set(item, "worker", json_string(platform->workers[l->worker].name));
	if (l->data != TW_NONE) {
		tw__json_set(item, "handle", json_integer(l->data));
		tw__json_set(item, "from", json_string(platform->nodes[l->from].name));
		tw__json_set(item, "to", json_string(platform->nodes[l->to].name));
	}
	return item;
}

static tw__ns length_of(const struct tw__chain_link *l) { return l->end - l->start; }

static int longest_first(const void *a, const void *b)
{
	const tw__ns *x = a, *y = b;
	return (*x < *y) - (*x > *y);
}

/* Returns the length of the shortest link among the `n` longest; *n_equal: how many of these have this length. */
static tw__ns least_length(const struct tw__explanation *e, size_t n, size_t *n_equal)
{
	tw__ns *lengths = tw_resize(NULL, e->n_links, sizeof *lengths);
	for (size_t i = 0; i < e->n_links; i++)
		lengths[i] = length_of(&e->links[i]);
	qsort(lengths, e->n_links, sizeof *lengths, longest_first);
	const tw__ns least = lengths[n - 1];
	for (*n_equal = 0; *n_equal < n && lengths[n - 1 - *n_equal] == least;)
		++*n_equal;
	free(lengths);
	return least;
}

/* The links in the order of time: all, or the longest MOST_CHAIN. */
static json_t *chain_json(const struct printed *p, bool whole)
{
	const struct tw__explanation *e = p->e;
	const bool all = whole || e->n_links <= MOST_CHAIN;
	size_t n_equal = 0;
	const tw__ns least = all ? 0 : least_length(e, MOST_CHAIN, &n_equal);
	json_t *list = json_array();
	for (size_t i = 0; i < e->n_links; i++) {
		const tw__ns length = length_of(&e->links[i]);
		if (all || length > least || (length == least && n_equal > 0)) {
			tw__json_append(list, link_json(p, &e->links[i]));
			n_equal -= !all && length == least;
		}
	}
	return list;
}

static struct cell what_cell(const struct tw__explained_run *run, const struct tw__chain_link *l)
{
	const struct tw__platform *p = run->platform;
	const struct tw_graph *g = run->record->extended ? run->record->extended : run->graph;
	if (l->data != TW_NONE)
		return cell_format("handle %d from %s to %s", (int)l->data, p->nodes[l->from].name,
		                   p->nodes[l->to].name);
	if (l->task == TW_NONE || l->worker == TW_NONE)
		return cell_text("-");
	return cell_format("task %d, %s, on %s", (int)l->task, g->kernels[g->kernel[l->task]].name,
	                   p->workers[l->worker].name);
}

static void put_chain(struct printed *p)
{
	static const struct cell_column columns[] = {{.title = "start", .unit = UNIT_DURATION, .width = 13},
	                                             {.title = "end", .unit = UNIT_DURATION, .width = 10},
	                                             {.title = "cause", .width = 17},
	                                             {.title = "what"},
	                                             {0}};
	struct cell_table t = {.columns = columns};
	for (size_t i = 0; i < p->e->n_links; i++) {
		const struct tw__chain_link *l = &p->e->links[i];
		tw__cells_add(&t, cell_ns(l->start), cell_ns(l->end), cell_text(tw__why_names[l->why]),
		              what_cell(p->run, l));
	}
	fputs("\nThe chain\n", p->f);
	end(p, &t);
}

/* One line for each sentence. */
static void put_sentences(FILE *f, const char *text)
{
	for (const char *end; (end = strstr(text, ". ")); text = end + 2)
		fprintf(f, "%.*s\n", (int)(end + 1 - text), text);
	fprintf(f, "%s\n", text);
}

void tw__explanation_print(FILE *f, const struct tw__explanation *e, const struct tw__explained_run *run,
                           const struct tw__explained_name *name, bool with_chain)
{
	struct printed p = {e, run, tw__seconds(e->makespan), f};
	char sentences[2048] = "", text[TW__DURATION_TEXT];
	tw__explain_sentences(sentences, sizeof sentences, e, run);
	fprintf(f, "%s%s%s, policy %s, platform %s: makespan %s\n\n", name->trace ? name->trace : "",
	        name->trace ? ": " : "", name->workload, name->policy, name->platform,
	        tw__duration_text(text, p.makespan_s));
	put_sentences(f, sentences);
	fputs("\nCauses of the makespan\n", f);
	causes_of(&p, e->chain, p.makespan_s);
	put_workers(&p);
	tw__ranks_table(e, run->platform, f);
	tw__graph_times_table(e, run->graph, f);
	gap(&p, "critical path", e->path_s, e->path_gap);
	gap(&p, "area", e->area_s, e->area_gap);
	put_links(&p);
	put_memories(&p);
	if (with_chain)
		put_chain(&p);
}

json_t *tw__explanation_json(const struct tw__explanation *e, const struct tw__explained_run *run,
                             const struct tw__explained_name *name, bool whole_chain)
{
	struct printed p = {e, run, tw__seconds(e->makespan), NULL};
	char sentences[2048] = "";
	tw__explain_sentences(sentences, sizeof sentences, e, run);
	json_t *chain = chain_json(&p, whole_chain);
	const size_t n_left_out = e->n_links - json_array_size(chain);
	json_t *left_out = n_left_out > 0 ? json_integer((json_int_t)n_left_out) : NULL;
	return json_pack(
		"{s:o*, s:o, s:o, s:o, s:f, s:s, s:o, s:{s:f,s:f}, s:o, s:o*,s:o*, s:{s:o,s:o}, s:o,s:o,s:o,s:o, s:o*}",
		"trace", name->trace ? tw__json_text(name->trace) : NULL, "platform", tw__json_text(name->platform),
		"workload", tw__json_text(name->workload), "policy", tw__json_text(name->policy), "makespan_s",
		p.makespan_s, "summary", sentences, "causes", causes_of(&p, e->chain, p.makespan_s), "chain_ran",
		"cores_s", tw__seconds(e->chain_ran[0]), "accelerators_s", tw__seconds(e->chain_ran[1]), "workers",
		workers_json(&p), "nodes", tw__ranks_table(e, run->platform, NULL), "graphs",
		tw__graph_times_table(e, run->graph, NULL), "gaps", "critical_path",
		gap(&p, NULL, e->path_s, e->path_gap), "area", gap(&p, NULL, e->area_s, e->area_gap), "memories",
		memories_json(&p), "loaded_again", reloaded_json(&p), "saturated_links", links_json(&p), "chain", chain,
		"chain_left_out", left_out);
}
