/* Scheduling domains (thesis, section 3.8). Each has a policy, and workers that run its tasks. A policy knows the
 * workers of its domain alone, by numbers of their own. A run without domains has one, with all workers and tasks. A
 * child of a policy (section 3.9, tilewright/compose.h) has a view of its own, too. */
#ifndef TW__RUNTIME_DOMAIN_H
#define TW__RUNTIME_DOMAIN_H

#include <tilewright/compose.h>

#include "graph/parts.h"
#include "runtime/state/state.h"

/* The view of a run that one policy has. Numbers of workers in a domain are in the order of the run's numbers. */
struct tw_sched {
	struct tw__rt *rt;
	const struct tw__domain *domain;
	const struct tw_policy *policy; /* the domain's */
	void *state;                    /* of the policy */
	struct tw__random *random;
	tw_worker n_workers;
	struct tw__worker *worker;     /* [n_workers] */
	tw_worker *global;             /* [n_workers] the run's number of each */
	tw_worker *local;              /* [the run's workers] number in the domain; TW_NONE: the worker is not in it */
	struct tw_id_set workers;      /* by the run's numbers */
	struct tw__child *child;       /* of a child: the rest of its state; NULL: the view of a domain */
	struct tw__children *children; /* NULL: the policy has none */
	bool is_queue;                 /* whether the policy's actions do nothing: it, or a policy above, is a queue */
};

/* The children of one policy. */
struct tw__children {
	struct tw__child *of[TW_MOST_CHILDREN];
	int n;
	uint8_t *last; /* [tasks that there may be] the child that got each task last, from 1; 0: none has */
};

/* The state of a child. */
struct tw__child {
	struct tw_sched view;
	struct tw__domain domain; /* of the view alone: the child's policy, arguments and workers */
	char name[TW_CHILD_NAME];
	struct tw_sched *parent;
	struct tw__child *older; /* the child of any policy that was made before, or NULL */
	const struct tw_id_set *tasks;
	bool *has_arch; /* [archs] whether one of its workers has the arch */
	/* [tasks that there may be] the worker, by the child's number, for which it gave each task; or a state */
	tw_worker *given_to;
	struct tw_child_tasks n;
	bool has_begun; /* whether the init of its policy succeeded */
};
enum { TW__CHILD_NEVER_HAD = -1, TW__CHILD_HAS = -2, TW__CHILD_DONE = -3 };

/* Returns the view of the task's policy. */
static inline struct tw_sched *tw__domain_of(const struct tw__rt *rt, tw_task t)
{
	return &rt->views[rt->domain_of ? rt->domain_of[t] : 0];
}

/* Whether the task can run on the worker: its kernel has a time there, and its domain has the worker. */
static inline bool tw__domain_can_run(const struct tw__rt *rt, tw_task t, tw_worker w)
{
	return tw__domain_of(rt, t)->local[w] != TW_NONE &&
	       tw__task_can_run(rt->in->belief, rt->graph, t, rt->platform->workers[w].arch);
}

/* Whether a view is the child's, or one below. */
static inline bool tw__is_below(const struct tw_sched *s, const struct tw__child *child)
{
	while (s->child && s->child != child)
		s = s->child->parent;
	return s->child == child;
}

/* For functions that only runs with children call, so that other runs do not save registers for them. */
#define RARE __attribute__((cold, noinline))

/* Returns the view of the lowest policy that got the task last. */
RARE const struct tw_sched *tw__children_holder(const struct tw_sched *, tw_task);
static inline const struct tw_sched *tw__holder_of(const struct tw__rt *rt, tw_task t)
{
	const struct tw_sched *s = tw__domain_of(rt, t);
	return s->children ? tw__children_holder(s, t) : s;
}

/* Whether the task belongs to the child, and to all policies above it (tw_task_is_mine). */
RARE bool tw__children_is_its(const struct tw_sched *, tw_task);

/* Opens the view of a domain or child, whose policy has no state yet. */
void tw__view_open(struct tw__rt *, struct tw_sched *, const struct tw__domain *);
void tw__domains_open(struct tw__rt *);
void tw__domains_close(struct tw__rt *);

/* TW_INVALID: the policy of the view plans all tasks, of which some may be split, or splits tasks and is a child. */
int tw__check_splits(const struct tw_sched *, struct tw_error *);
/* Calls the policies' init. After a failure, none has to be finished. */
int tw__domains_init(struct tw__rt *);
void tw__domains_finish(struct tw__rt *);

/* Call functions of the task's policy. Workers have the run's numbers. */
static inline void tw__domain_push(struct tw__rt *rt, tw_task t, tw_worker released_by)
{
	struct tw_sched *s = tw__domain_of(rt, t);
	tw__rt_calls(rt, TW__CALL_PUSH);
	s->policy->push(s, s->state, t, released_by == TW_NONE ? TW_NONE : s->local[released_by]);
	tw__rt_calls(rt, TW__CALL_NONE);
}

/* Tell the children that have given the task: started, or done. `queue`: those that are this queue or below it; NULL:
 * those that are no queues. */
RARE void tw__children_started(struct tw__rt *, tw_task, const struct tw__child *queue);
RARE void tw__children_started_first(struct tw__rt *, tw_task, tw_worker); /* and then the policy above them */
RARE void tw__children_done(struct tw__rt *, tw_task, const struct tw__child *queue);
/* The kernel of the task was cancelled by a policy, which has the task again. */
RARE void tw__children_cancelled(struct tw__rt *, tw_task, const struct tw_sched *by);
/* Tell all children. Those at or above `from`, and queues, do not need to know of a place. */
RARE void tw__children_loaded(struct tw__rt *, tw_data, tw_node);
RARE void tw__children_evicted(struct tw__rt *, tw_data, tw_node);
RARE void tw__children_placed(const struct tw_sched *from, tw_task, tw_worker);

static inline void tw__domain_started(struct tw__rt *rt, tw_task t, tw_worker w)
{
	struct tw_sched *s = tw__domain_of(rt, t);
	if (s->children)
		tw__children_started_first(rt, t, w);
	else if (s->policy->started)
		s->policy->started(s, s->state, t, s->local[w]);
}

static inline void tw__domain_done(struct tw__rt *rt, tw_task t, tw_worker w)
{
	struct tw_sched *s = tw__domain_of(rt, t);
	tw__rt_calls(rt, TW__CALL_DONE);
	if (s->children)
		tw__children_done(rt, t, NULL);
	if (s->policy->done)
		s->policy->done(s, s->state, t, s->local[w]);
	tw__rt_calls(rt, TW__CALL_NONE);
}

static inline tw_task tw__domain_ask(struct tw_sched *s, tw_worker w)
{
	tw__rt_calls(s->rt, TW__CALL_POP);
	tw_task t = s->policy->pop(s, s->state, s->local[w]);
	tw__rt_calls(s->rt, TW__CALL_NONE);
	return t;
}

/* Asks the policies of the worker's domains, until one gives a task. *from: the view of the policy that gave it. */
tw_task tw__domain_pop_any(struct tw__rt *, tw_worker, const struct tw_sched **from);
static inline tw_task tw__domain_pop(struct tw__rt *rt, tw_worker w, const struct tw_sched **from)
{
	if (rt->domain_of)
		return tw__domain_pop_any(rt, w, from);
	*from = rt->views;
	return tw__domain_ask(rt->views, w);
}

/* Tells other policies that have the worker that it will run the task, unless they know. Policies above the one that
 * places or has given the task, and queues, are not told. */
void tw__domain_place_for_all(const struct tw_sched *, tw_task, tw_worker);
static inline void tw__domain_place(const struct tw_sched *from, tw_task t, tw_worker w)
{
	if (from->rt->is_placed)
		tw__domain_place_for_all(from, t, w);
}

/* The worker has got the task from a policy. */
static inline void tw__domain_popped(const struct tw__rt *rt, tw_task t, tw_worker w)
{
	if (rt->is_placed)
		tw__domain_place_for_all(tw__holder_of(rt, t), t, w);
}

/* Tell all policies. */
RARE void tw__domains_tell_loaded(struct tw__rt *, tw_data, tw_node);
RARE void tw__domains_tell_evicted(struct tw__rt *, tw_data, tw_node);
static inline void tw__domains_loaded(struct tw__rt *rt, tw_data d, tw_node n)
{
	struct tw_sched *s = rt->only;
	if (!s)
		tw__domains_tell_loaded(rt, d, n);
	else if (s->policy->data_loaded)
		s->policy->data_loaded(s, s->state, d, n);
}
static inline void tw__domains_evicted(struct tw__rt *rt, tw_data d, tw_node n)
{
	struct tw_sched *s = rt->only;
	if (!s)
		tw__domains_tell_evicted(rt, d, n);
	else if (s->policy->data_evicted)
		s->policy->data_evicted(s, s->state, d, n);
}
/* The planned uses of all policies that plan. */
struct tw_planned_use tw__domains_add_planned_uses(struct tw__rt *, tw_data, tw_node);
static inline struct tw_planned_use tw__domains_planned_use(struct tw__rt *rt, tw_data d, tw_node n)
{
	struct tw_sched *s = rt->only;
	return s && s->policy->planned_use ? s->policy->planned_use(s, s->state, d, n)
	                                   : tw__domains_add_planned_uses(rt, d, n);
}

/* The priority that a policy with these flags sees, and the one that the task's policy sees (tw_task_priority). */
static inline int32_t tw__priority_for(const struct tw__rt *rt, unsigned flags, tw_task t)
{
	bool sees_critical = flags & TW_SEES_CRITICAL;
	if (flags & TW_SORTS_BY_PRIORITY)
		return rt->graph->priority[t];
	enum tw_priority_scope scope = tw__graph_priority_scope(rt->graph, t);
	if (scope == TW_PRIORITY_FOR_ALL || (sees_critical && scope == TW_PRIORITY_FOR_LOOKING))
		return rt->graph->priority[t];
	return sees_critical && rt->graph->critical[t];
}

static inline int32_t tw__domain_priority(const struct tw__rt *rt, tw_task t)
{
	switch (rt->priorities) {
	case PRIORITIES_AS_GIVEN:
		return rt->graph->priority[t];
	case PRIORITIES_CRITICAL:
		return rt->graph->critical[t];
	case PRIORITIES_UNSEEN:
		return 0;
	case PRIORITIES_BY_POLICY:
		break;
	}
	return tw__priority_for(rt, tw__holder_of(rt, t)->policy->flags, t);
}

/* Writes "policy 'NAME'", and " of domain 'NAME'" if the run has several, or ", child 'NAME' of policy ...". Returns
 * the text. */
enum { TW__POLICY_TEXT = 600 };
const char *tw__domain_text(const struct tw_sched *, char text[TW__POLICY_TEXT]);
/* Fails the run, because the policy of that view, or the eviction policy, has done something wrong. */
void tw__domain_fail(const struct tw_sched *, const char *format, ...) TW_PRINTF(2, 3);

#endif
