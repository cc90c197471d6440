/* Explanations as JSON. Members with a value of NULL are left out; jansson notes that it is out of memory by NULL. */
#include <math.h>

#include "base/json_text.h"
#include "explain/print.h"

/* [{"name": ..., "seconds": ..., "share": ...}], the greatest first; shares are parts of `all`. */
static json_t *causes(const double *seconds, double all)
{
	enum tw__why order[TW__N_WHY];
	int n = tw__why_order(seconds, order);
	json_t *list = json_array();
	for (int i = 0; i < n; i++)
		json_array_append_new(list, json_pack("{s:s, s:f, s:f}", "name", tw__why_names[order[i]], "seconds",
		                                      seconds[order[i]], "share", seconds[order[i]] / all));
	return list;
}

static json_t *workers(const struct tw__explanation *e, const struct tw__explained_run *run)
{
	json_t *list = json_array();
	for (int i = 0; i < e->n_kinds; i++) {
		const struct tw__kind_time *k = &e->kinds[i];
		double seconds[TW__N_WHY];
		for (int why = 0; why < TW__N_WHY; why++)
			seconds[why] = tw__seconds(k->of[why]);
		json_array_append_new(list,
		                      json_pack("{s:s, s:b, s:i, s:o}", "kind", k->name, "accelerator",
		                                run->platform->archs[k->arch].accelerator, "workers", k->n_workers,
		                                "causes", causes(seconds, k->n_workers * tw__seconds(e->makespan))));
	}
	return list;
}

static json_t *gap(double bound_s, double makespan_s, const double *seconds)
{
	if (isnan(bound_s))
		return json_null();
	double all = fmax(0, makespan_s - bound_s);
	return json_pack("{s:f, s:f, s:o}", "bound_s", bound_s, "gap_s", all, "causes", causes(seconds, all));
}

static json_t *memories(const struct tw__explanation *e, const struct tw__explained_run *run)
{
	json_t *list = json_array();
	for (int n = 0; n < e->n_nodes; n++) {
		const struct tw__memory_use *m = &e->memories[n];
		json_array_append_new(
			list, json_pack("{s:s, s:I, s:I, s:I, s:I}", "memory", run->platform->nodes[n].name, "loads",
		                        (json_int_t)m->loads, "loads_again", (json_int_t)m->reloads, "bytes_again",
		                        (json_int_t)m->reloaded_bytes, "evictions", (json_int_t)m->evictions));
	}
	return list;
}

static json_t *reloaded(const struct tw__explanation *e, const struct tw__explained_run *run)
{
	json_t *list = json_array();
	for (int i = 0; i < e->n_reloaded; i++) {
		const struct tw__reloaded *r = &e->reloaded[i];
		json_t *item = json_pack("{s:i, s:s, s:I}", "handle", (int)r->data, "memory",
		                         run->platform->nodes[r->node].name, "times", (json_int_t)r->times);
		if (r->evictor != TW_NONE)
			json_object_set_new(item, "evictor", json_integer(r->evictor));
		json_array_append_new(list, item);
	}
	return list;
}

static json_t *saturated_spans(const struct tw__saturated_link *l)
{
	json_t *list = json_array();
	for (int i = 0; i < l->n_spans; i++) {
		const struct tw__saturated_span *s = &l->spans[i];
		json_array_append_new(list, json_pack("{s:f, s:f, s:f}", "start_s", tw__seconds(s->start), "end_s",
		                                      tw__seconds(s->end), "saturated_s", tw__seconds(s->saturated)));
	}
	return list;
}

static json_t *saturated_links(const struct tw__explanation *e, const struct tw__explained_run *run)
{
	json_t *list = json_array();
	for (int i = 0; i < e->n_saturated; i++) {
		const struct tw__saturated_link *l = &e->saturated[i];
		double seconds = tw__seconds(l->saturated);
		json_array_append_new(list, json_pack("{s:o, s:f, s:f, s:f, s:o, s:i}", "link",
		                                      tw__json_text(run->platform->links[l->link].name), "seconds",
		                                      seconds, "share", seconds / tw__seconds(e->makespan),
		                                      "chain_seconds", tw__seconds(l->on_chain), "intervals",
		                                      saturated_spans(l), "other_intervals", l->n_other_spans));
	}
	return list;
}

static json_t *chain(const struct tw__explanation *e, const struct tw__explained_run *run)
{
	json_t *list = json_array();
	for (size_t i = 0; i < e->n_links; i++) {
		const struct tw__chain_link *l = &e->links[i];
		json_t *item = json_pack("{s:f, s:f, s:s}", "start_s", tw__seconds(l->start), "end_s",
		                         tw__seconds(l->end), "cause", tw__why_names[l->why]);
		if (l->task != TW_NONE)
			json_object_set_new(item, "task", json_integer(l->task));
		if (l->worker != TW_NONE)
			json_object_set_new(item, "worker", json_string(run->platform->workers[l->worker].name));
		if (l->data != TW_NONE) {
			json_object_set_new(item, "handle", json_integer(l->data));
			json_object_set_new(item, "from", json_string(run->platform->nodes[l->from].name));
			json_object_set_new(item, "to", json_string(run->platform->nodes[l->to].name));
		}
		json_array_append_new(list, item);
	}
	return list;
}

json_t *tw__explanation_json(const struct tw__explanation *e, const struct tw__explained_run *run,
                             const struct tw__explained_name *name)
{
	double seconds[TW__N_WHY], makespan_s = tw__seconds(e->makespan);
	char sentences[2048] = "";
	for (int why = 0; why < TW__N_WHY; why++)
		seconds[why] = tw__seconds(e->chain[why]);
	tw__explain_sentences(sentences, sizeof sentences, e, run);
	return json_pack("{s:o*, s:o, s:o, s:o, s:f, s:s, s:o, s:{s:f, s:f}, s:o, s:{s:o, s:o}, s:o, s:o, s:o, s:o}",
	                 "trace", name->trace ? tw__json_text(name->trace) : NULL, "platform",
	                 tw__json_text(name->platform), "workload", tw__json_text(name->workload), "policy",
	                 tw__json_text(name->policy), "makespan_s", makespan_s, "summary", sentences, "causes",
	                 causes(seconds, makespan_s), "chain_ran", "cores_s", tw__seconds(e->chain_ran[0]),
	                 "accelerators_s", tw__seconds(e->chain_ran[1]), "workers", workers(e, run), "gaps",
	                 "critical_path", gap(e->path_s, makespan_s, e->path_gap), "area",
	                 gap(e->area_s, makespan_s, e->area_gap), "memories", memories(e, run), "loaded_again",
	                 reloaded(e, run), "saturated_links", saturated_links(e, run), "chain", chain(e, run));
}
