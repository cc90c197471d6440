/* Scheduling domains (thesis, section 3.8). Each has a policy, and workers that run its tasks. A policy knows the
 * workers of its domain alone, by numbers of their own. A run without domains has one, with all workers and tasks. */
#ifndef TW__RUNTIME_DOMAIN_H
#define TW__RUNTIME_DOMAIN_H

#include "runtime/state/state.h"

/* The view of a run that one policy has. Numbers of workers in a domain are in the order of the run's numbers. */
struct tw_sched {
	struct tw__rt *rt;
	const struct tw__domain *domain;
	const struct tw_policy *policy; /* the domain's */
	void *state;                    /* of the policy */
	struct tw__random *random;
	tw_worker n_workers;
	struct tw__worker *worker; /* [n_workers] */
	tw_worker *global;         /* [n_workers] the run's number of each */
	tw_worker *local;          /* [the run's workers] number in the domain; TW_NONE: the worker is not in it */
	struct tw_id_set workers;  /* by the run's numbers */
};

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

void tw__domains_open(struct tw__rt *);
void tw__domains_close(struct tw__rt *);

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

static inline void tw__domain_started(struct tw__rt *rt, tw_task t, tw_worker w)
{
	struct tw_sched *s = tw__domain_of(rt, t);
	if (s->policy->started)
		s->policy->started(s, s->state, t, s->local[w]);
}

static inline void tw__domain_done(struct tw__rt *rt, tw_task t, tw_worker w)
{
	struct tw_sched *s = tw__domain_of(rt, t);
	tw__rt_calls(rt, TW__CALL_DONE);
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

/* Tells the policies of the worker's other domains that it will run the task, unless they know. */
void tw__domain_place_for_all(const struct tw_sched *, tw_task, tw_worker);
static inline void tw__domain_place(const struct tw_sched *from, tw_task t, tw_worker w)
{
	if (from->rt->is_placed)
		tw__domain_place_for_all(from, t, w);
}

/* Tell all policies. */
void tw__domains_loaded(struct tw__rt *, tw_data, tw_node);
void tw__domains_evicted(struct tw__rt *, tw_data, tw_node);
/* The planned uses of all policies that plan. */
struct tw_planned_use tw__domains_planned_use(struct tw__rt *, tw_data, tw_node);

/* The priority that the task's policy sees (tw_task_priority). */
int32_t tw__domain_priority(const struct tw__rt *, tw_task);

/* Writes "policy 'NAME'", and " of domain 'NAME'" if the run has several. Returns the text. */
enum { TW__POLICY_TEXT = 600 };
const char *tw__domain_text(const struct tw_sched *, char text[TW__POLICY_TEXT]);
/* Fails the run, because the policy of that view, or the eviction policy, has done something wrong. */
void tw__domain_fail(const struct tw_sched *, const char *format, ...) TW_PRINTF(2, 3);

#endif
