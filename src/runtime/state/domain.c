/* Opens and closes domains, and calls the functions of their policies. */
#include "runtime/state/domain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "graph/parts.h"
#include "graph/reduction.h"
#include "runtime/state/wrong.h"

/* --- opening and closing ------------------------------------------------------------------------------------------ */

void tw__view_open(struct tw__rt *rt, struct tw_sched *s, const struct tw__domain *domain)
{
	const struct tw__platform *p = rt->platform;
	size_t n = (size_t)p->n_workers;
	struct tw__worker *worker = tw_alloc(n, sizeof *worker);
	*s = (struct tw_sched){.rt = rt,
	                       .domain = domain,
	                       .policy = domain->policy,
	                       .worker = worker,
	                       .global = tw_alloc(n, sizeof *s->global),
	                       .local = tw_alloc(n, sizeof *s->local)};
	tw_id_set_init(&s->workers, p->n_workers);
	for (tw_worker w = 0; w < p->n_workers; w++) {
		bool has = tw__domain_has(domain, w);
		s->local[w] = has ? s->n_workers : TW_NONE;
		tw_id_set_put(&s->workers, w, has);
		if (!has)
			continue;
		s->global[s->n_workers] = w;
		worker[s->n_workers++] = p->workers[w];
	}
}

/* The domains of all tasks, with those that reductions append: they belong to the domain of the first contribution. */
static void open_tasks(struct tw__rt *rt)
{
	const struct tw__run_input *in = rt->in;
	if (!in->domain_of)
		return;
	rt->domain_of = tw_alloc((size_t)tw__graph_max_tasks(rt->graph), sizeof *rt->domain_of);
	for (tw_task t = 0; t < in->graph->n_tasks; t++)
		rt->domain_of[t] = in->domain_of[t];
}

void tw__domains_open(struct tw__rt *rt)
{
	const struct tw__run_input *in = rt->in;
	rt->views = tw_alloc((size_t)in->n_domains + 1, sizeof *rt->views);
	rt->common_flags = ~0u;
	for (int i = 0; i < in->n_domains; i++) {
		struct tw_sched *s = &rt->views[i];
		tw__view_open(rt, s, &in->domains[i]);
		s->state = tw_alloc(1, in->domains[i].policy->state_size + 1);
		s->random =
			tw__random_create(in->seed, i ? (enum tw__stream)(TW__STREAM_DOMAIN + i) : TW__STREAM_POLICY);
		rt->common_flags &= in->domains[i].policy->flags;
		rt->n_planning += in->domains[i].policy->planned_use != NULL;
	}
	rt->root = rt->views;
	if (in->domain_of) {
		static const struct tw__domain all;
		rt->root += in->n_domains;
		tw__view_open(rt, rt->root, &all);
		rt->root->domain = in->domains;
		rt->root->random = rt->views->random;
	}
	rt->asks_first = tw_alloc((size_t)rt->platform->n_workers, sizeof *rt->asks_first);
	if (in->domain_of)
		rt->is_placed = tw_alloc(tw__bit_words(tw__graph_max_tasks(rt->graph)), sizeof *rt->is_placed);
	open_tasks(rt);
}

static void close_view(struct tw_sched *s)
{
	free(s->state);
	free(s->worker);
	free(s->global);
	free(s->local);
	tw_id_set_finish(&s->workers);
	if (s->children)
		free(s->children->last);
	free(s->children);
}

static void close_children(struct tw__rt *rt)
{
	for (struct tw__child *c; (c = rt->newest_child);) {
		rt->newest_child = c->older;
		close_view(&c->view);
		tw__random_destroy(c->view.random);
		free(c->domain.workers);
		free(c->has_arch);
		free(c->given_to);
		free(c);
	}
}

void tw__domains_close(struct tw__rt *rt)
{
	close_children(rt);
	for (int i = 0; rt->views && i <= rt->in->n_domains; i++) {
		close_view(&rt->views[i]);
		if (i < rt->in->n_domains)
			tw__random_destroy(rt->views[i].random);
	}
	free(rt->views);
	free(rt->domain_of);
	free(rt->is_placed);
	free(rt->asks_first);
}

static void finish_first(struct tw__rt *rt, int n)
{
	for (struct tw__child *c = rt->newest_child; c; c = c->older)
		if (c->has_begun && c->view.policy->finish)
			c->view.policy->finish(&c->view, c->view.state);
	for (int i = 0; i < n; i++)
		if (rt->views[i].policy->finish)
			rt->views[i].policy->finish(&rt->views[i], rt->views[i].state);
}

/* Finds what holds for all tasks, as most runs have one policy and one graph. */
static enum priorities priorities_of(const struct tw__rt *rt)
{
	const struct tw_graph *g = rt->graph;
	if (!rt->only || g->n_parts)
		return PRIORITIES_BY_POLICY;
	if (rt->common_flags & TW_SORTS_BY_PRIORITY || g->priority_scope == TW_PRIORITY_FOR_ALL)
		return PRIORITIES_AS_GIVEN;
	if (!(rt->common_flags & TW_SEES_CRITICAL))
		return PRIORITIES_UNSEEN;
	return g->priority_scope == TW_PRIORITY_FOR_LOOKING ? PRIORITIES_AS_GIVEN : PRIORITIES_CRITICAL;
}

/* Whether policies of the run may split tasks. */
static bool splits(const struct tw__rt *rt)
{
	bool any = false;
	for (int i = 0; rt->graph->around && i < rt->in->n_domains; i++)
		any |= rt->in->domains[i].policy->splits != NULL;
	return any;
}

/* Whether the policy's domain has tasks inside recursive ones. */
static bool has_inside(const struct tw_sched *s)
{
	while (s->child)
		s = s->child->parent;
	for (tw_task t = 0; t < s->rt->n_own_tasks; t++)
		if (s->rt->graph->around[t] != TW_NONE && tw__domain_of(s->rt, t) == s)
			return true;
	return false;
}

int tw__check_splits(const struct tw_sched *s, struct tw_error *err)
{
	char text[TW__POLICY_TEXT];
	tw__domain_text(s, text);
	if (splits(s->rt) && s->policy->flags & TW_PLANS_ALL && has_inside(s))
		return tw_fail(err, TW_INVALID,
		               "%s plans all tasks before the run, and recursive tasks may be split: expected a policy "
		               "that does not, or a workload without recursive tasks",
		               text);
	if (s->child && s->policy->splits && s->rt->graph->around)
		return tw_fail(err, TW_INVALID,
		               "%s splits tasks: expected it as a policy of the run, not below another one", text);
	return TW_OK;
}

int tw__domains_init(struct tw__rt *rt)
{
	char text[TW__POLICY_TEXT];
	rt->makes_children = true;
	for (int i = 0; i < rt->in->n_domains; i++) {
		struct tw_sched *s = &rt->views[i];
		const struct tw_policy *policy = s->policy;
		int status = tw__check_splits(s, rt->err);
		if (status == TW_OK && policy->init)
			status = policy->init(s, s->state, rt->err);
		if (status == TW_OK)
			continue;
		if (!rt->err->message[0])
			tw_fail(rt->err, status, "%s: init failed and does not say why", tw__domain_text(s, text));
		finish_first(rt, i);
		return status;
	}
	rt->makes_children = false;
	rt->only = rt->in->n_domains > 1 || rt->newest_child ? NULL : rt->views;
	rt->priorities = priorities_of(rt);
	return TW_OK;
}

void tw__domains_finish(struct tw__rt *rt) { finish_first(rt, rt->in->n_domains); }

/* --- calls -------------------------------------------------------------------------------------------------------- */

tw_task tw__domain_pop_any(struct tw__rt *rt, tw_worker w, const struct tw_sched **from)
{
	const int n = rt->in->n_domains, first = rt->asks_first[w];
	*from = rt->views;
	for (int i = 0; i < n; i++) {
		const int k = first + i < n ? first + i : first + i - n;
		if (rt->views[k].local[w] == TW_NONE)
			continue;
		*from = &rt->views[k];
		tw_task t = tw__domain_ask(&rt->views[k], w);
		if (t == TW_NONE && rt->status == TW_OK)
			continue;
		if (rt->params->domains_in_turn)
			rt->asks_first[w] = k + 1 < n ? k + 1 : 0;
		return t;
	}
	return TW_NONE;
}

void tw__domain_place_for_all(const struct tw_sched *from, tw_task t, tw_worker w)
{
	struct tw__rt *rt = from->rt;
	if (tw__bit(rt->is_placed, t))
		return;
	tw__bit_put(rt->is_placed, t, true);
	tw__children_placed(from, t, w);
	while (from->child)
		from = from->child->parent;
	for (int i = 0; rt->params->domains_tell && i < rt->in->n_domains; i++) {
		struct tw_sched *s = &rt->views[i];
		if (s != from && s->local[w] != TW_NONE && s->policy->placed)
			s->policy->placed(s, s->state, t, s->local[w]);
	}
}

void tw__domains_tell_loaded(struct tw__rt *rt, tw_data d, tw_node n)
{
	if (rt->newest_child)
		tw__children_loaded(rt, d, n);
	for (int i = 0; i < rt->in->n_domains; i++) {
		struct tw_sched *s = &rt->views[i];
		if (s->policy->data_loaded)
			s->policy->data_loaded(s, s->state, d, n);
	}
}

void tw__domains_tell_evicted(struct tw__rt *rt, tw_data d, tw_node n)
{
	if (rt->newest_child)
		tw__children_evicted(rt, d, n);
	for (int i = 0; i < rt->in->n_domains; i++) {
		struct tw_sched *s = &rt->views[i];
		if (s->policy->data_evicted)
			s->policy->data_evicted(s, s->state, d, n);
	}
}

static void add_planned_use(struct tw_planned_use *all, struct tw_sched *s, tw_data d, tw_node n)
{
	if (s->is_queue || !s->policy->planned_use)
		return;
	struct tw_planned_use use = s->policy->planned_use(s, s->state, d, n);
	all->next = use.next < all->next ? use.next : all->next;
	all->taken += use.taken;
	all->planned += use.planned;
}

struct tw_planned_use tw__domains_add_planned_uses(struct tw__rt *rt, tw_data d, tw_node n)
{
	struct tw_planned_use all = {.next = TW_NEVER};
	for (struct tw__child *c = rt->newest_child; c; c = c->older)
		add_planned_use(&all, &c->view, d, n);
	for (int i = 0; i < rt->in->n_domains; i++)
		add_planned_use(&all, &rt->views[i], d, n);
	return all;
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

const char *tw__domain_text(const struct tw_sched *s, char text[TW__POLICY_TEXT])
{
	const struct tw__domain *domain = s->domain;
	char above[TW__POLICY_TEXT];
	if (s->child)
		snprintf(text, TW__POLICY_TEXT, "policy '%.60s', child '%s' of %.500s", domain->policy->name,
		         s->child->name, tw__domain_text(s->child->parent, above));
	else if (s == s->rt->root && s->rt->domain_of)
		snprintf(text, TW__POLICY_TEXT, "a policy");
	else if (!s->rt->domain_of)
		snprintf(text, TW__POLICY_TEXT, "policy '%s'", domain->policy->name);
	else
		snprintf(text, TW__POLICY_TEXT, "policy '%s' of domain '%s'", domain->policy->name, domain->name);
	return text;
}

void tw__domain_fail(const struct tw_sched *s, const char *format, ...)
{
	char policy[TW__POLICY_TEXT], text[sizeof s->rt->err->message];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	tw__rt_fail(s->rt, TW_FAILED, "%s or eviction '%s': %s", tw__domain_text(s, policy), s->rt->in->eviction->name,
	            text);
}

void tw__rt_wrong(const struct tw_sched *s, const char *function, const char *what, int32_t given, int32_t n)
{
	tw__domain_fail(s, "%s: %s %d: expected one from 0 to %d", function, what, (int)given, (int)n - 1);
}
