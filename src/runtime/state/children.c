/* Tells the children of policies (tilewright/compose.h) what happens in the run, the child that was made last first. So
 * children know before their parents. */
#include "runtime/state/domain.h"

const struct tw_sched *tw__children_holder(const struct tw_sched *s, tw_task t)
{
	while (s->children && s->children->last[t])
		s = &s->children->of[s->children->last[t] - 1]->view;
	return s;
}

bool tw__children_is_its(const struct tw_sched *s, tw_task t)
{
	for (; s->child; s = s->child->parent)
		if (s->child->tasks && t < s->rt->n_own_tasks && !tw_id_set_has(s->child->tasks, t))
			return false;
	return s == tw__domain_of(s->rt, t);
}

void tw__children_loaded(struct tw__rt *rt, tw_data d, tw_node n)
{
	for (struct tw__child *c = rt->newest_child; c; c = c->older)
		if (c->view.policy->data_loaded)
			c->view.policy->data_loaded(&c->view, c->view.state, d, n);
}

void tw__children_evicted(struct tw__rt *rt, tw_data d, tw_node n)
{
	for (struct tw__child *c = rt->newest_child; c; c = c->older)
		if (c->view.policy->data_evicted)
			c->view.policy->data_evicted(&c->view, c->view.state, d, n);
}

void tw__children_placed(const struct tw_sched *from, tw_task t, tw_worker w)
{
	for (struct tw__child *c = from->rt->newest_child; c; c = c->older) {
		const tw_worker local = c->view.local[w];
		if (!tw__is_below(from, c) && !c->view.is_queue && local != TW_NONE && c->view.policy->placed)
			c->view.policy->placed(&c->view, c->view.state, t, local);
	}
}

/* Whether the child has given the task, and is told of it. */
static bool is_told(const struct tw__child *c, tw_task t, const struct tw__child *queue)
{
	return c->given_to[t] >= 0 && (queue ? tw__is_below(&c->view, queue) : !c->view.is_queue);
}

void tw__children_started(struct tw__rt *rt, tw_task t, const struct tw__child *queue)
{
	for (struct tw__child *c = rt->newest_child; c; c = c->older) {
		if (!is_told(c, t, queue))
			continue;
		c->n.taken--;
		c->n.running++;
		if (c->view.policy->started)
			c->view.policy->started(&c->view, c->view.state, t, c->given_to[t]);
	}
}

void tw__children_started_first(struct tw__rt *rt, tw_task t, tw_worker w)
{
	struct tw_sched *s = tw__domain_of(rt, t);
	tw__children_started(rt, t, NULL);
	if (s->policy->started)
		s->policy->started(s, s->state, t, s->local[w]);
}

void tw__children_done(struct tw__rt *rt, tw_task t, const struct tw__child *queue)
{
	for (struct tw__child *c = rt->newest_child; c; c = c->older) {
		if (!is_told(c, t, queue))
			continue;
		const tw_worker w = c->given_to[t];
		c->given_to[t] = TW__CHILD_DONE;
		c->n.running--;
		if (c->view.policy->done)
			c->view.policy->done(&c->view, c->view.state, t, w);
	}
}

void tw__children_cancelled(struct tw__rt *rt, tw_task t, const struct tw_sched *by)
{
	for (struct tw__child *c = rt->newest_child; c; c = c->older) {
		if (!is_told(c, t, NULL))
			continue;
		bool has = tw__is_below(by, c);
		c->n.running--;
		c->n.taken += !has;
		c->n.queued += has;
		c->given_to[t] = has ? TW__CHILD_HAS : c->given_to[t];
	}
}
