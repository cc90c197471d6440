/* The functions of tilewright/compose.h: a policy makes children, gives them tasks, and gets tasks from them. */
#include <stdio.h>
#include <string.h>

#include "base/spec.h"
#include "graph/reduction.h"
#include "runtime/state/domain.h"
#include "runtime/state/wrong.h"

/* --- making a child ----------------------------------------------------------------------------------------------- */

/* Returns the policy that the parameter of the parent names; NULL: it names none. */
static const struct tw__args_policy *named_by(const struct tw_sched *parent, const char *param)
{
	struct tw__args_policy *named;
	for (int i = 0; (named = tw__args_next_policy(parent->domain->args, &i));)
		if (param && strcmp(named->param, param) == 0)
			return named->policy ? named : NULL;
	return NULL;
}

static int check(const struct tw_sched *parent, const struct tw_child *wanted, const char *name, struct tw_error *err)
{
	char text[TW__POLICY_TEXT];
	const int n = parent->children ? parent->children->n : 0;
	tw__domain_text(parent, text);
	if (!parent->rt->makes_children || (parent->rt->domain_of && parent == parent->rt->root))
		return tw_fail(err, TW_FAILED, "%s: tw_child_create: expected a call from the init of a policy", text);
	if (!named_by(parent, wanted->param))
		return tw_fail(
			err, TW_FAILED,
			"%s: tw_child_create: parameter '%.60s': expected one of type TW_PARAM_POLICY that names a "
			"policy",
			text, wanted->param ? wanted->param : "(NULL)");
	if (!*name || strlen(name) >= TW_CHILD_NAME ||
	    strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") != strlen(name))
		return tw_fail(
			err, TW_FAILED,
			"%s: tw_child_create: child '%.60s': expected a name with 1 to %d letters, digits and '_'",
			text, name, TW_CHILD_NAME - 1);
	if (n == TW_MOST_CHILDREN)
		return tw_fail(err, TW_FAILED, "%s: tw_child_create: expected at most %d children", text,
		               TW_MOST_CHILDREN);
	return TW_OK;
}

/* The parent's workers, or a part of them, by the run's numbers. */
static bool *workers_of(const struct tw_sched *parent, const struct tw_child *wanted)
{
	bool *has = tw_alloc((size_t)parent->rt->platform->n_workers, sizeof *has);
	for (tw_worker w = 0; w < parent->n_workers; w++)
		has[parent->global[w]] = !wanted->workers || wanted->workers[w];
	return has;
}

static void add_to_parent(struct tw__child *c, tw_task n_tasks)
{
	struct tw_sched *parent = c->parent;
	if (!parent->children) {
		parent->children = tw_alloc(1, sizeof *parent->children);
		parent->children->last = tw_alloc((size_t)n_tasks, sizeof *parent->children->last);
	}
	parent->children->of[parent->children->n++] = c;
}

/* Policies that plan ahead: eviction policies read the plan of a single one without calls (tw_show_planned_uses). */
static void count_planning(struct tw__rt *rt)
{
	if (++rt->n_planning > 1)
		memset(rt->planned_uses, 0, (size_t)rt->n_nodes * sizeof *rt->planned_uses);
}

static struct tw__child *open_child(struct tw_sched *parent, const struct tw_child *wanted, const char *name)
{
	struct tw__rt *rt = parent->rt;
	const struct tw__args_policy *named = named_by(parent, wanted->param);
	const tw_task n_tasks = tw__graph_max_tasks(rt->graph);
	struct tw__child *c = tw_alloc(1, sizeof *c);
	int place = 0;
	for (const struct tw__child *older = rt->newest_child; older; older = older->older)
		place++;
	c->domain = (struct tw__domain){.name = parent->domain->name,
	                                .policy = named->policy,
	                                .args = named->args,
	                                .workers = workers_of(parent, wanted),
	                                .context = parent->domain->context};
	c->parent = parent;
	c->tasks = wanted->tasks;
	snprintf(c->name, sizeof c->name, "%s", name);
	tw__view_open(rt, &c->view, &c->domain);
	c->view.child = c;
	c->view.is_queue = wanted->is_queue || parent->is_queue;
	c->view.state = tw_alloc(1, named->policy->state_size + 1);
	c->view.random = tw__random_create(rt->in->seed, (enum tw__stream)(TW__STREAM_CHILD + place));
	c->has_arch = tw_alloc((size_t)rt->platform->n_archs, sizeof *c->has_arch);
	for (tw_worker w = 0; w < c->view.n_workers; w++)
		c->has_arch[c->view.worker[w].arch] = true;
	c->given_to = tw_resize(NULL, (size_t)n_tasks, sizeof *c->given_to);
	for (tw_task t = 0; t < n_tasks; t++)
		c->given_to[t] = TW__CHILD_NEVER_HAD;
	c->older = rt->newest_child;
	rt->newest_child = c;
	rt->common_flags &= named->policy->flags;
	if (!rt->is_placed)
		rt->is_placed = tw_alloc(tw__bit_words(n_tasks), sizeof *rt->is_placed);
	if (named->policy->planned_use && !c->view.is_queue)
		count_planning(rt);
	add_to_parent(c, n_tasks);
	return c;
}

static bool can_run(const struct tw__child *c, tw_task t)
{
	const struct tw__rt *rt = c->view.rt;
	for (tw_arch a = 0; a < rt->platform->n_archs; a++)
		if (c->has_arch[a] && tw__task_can_run(rt->in->belief, rt->graph, t, a))
			return true;
	return false;
}

/* Policies plan all their tasks, so a child's workers can run all of them. */
static int check_tasks(const struct tw__child *c, struct tw_error *err)
{
	const struct tw__rt *rt = c->view.rt;
	char text[TW__POLICY_TEXT];
	for (tw_task t = 0; t < rt->n_own_tasks; t++)
		if (tw_task_is_mine(&c->view, t) && !can_run(c, t))
			return tw_fail(err, TW_INVALID,
			               "%s: task %d (%s) has no time on any of its workers: expected other workers, "
			               "or a set of tasks without it",
			               tw__domain_text(&c->view, text), (int)t,
			               tw_graph_kernel_name(rt->graph, rt->graph->kernel[t]));
	return TW_OK;
}

static int init(struct tw__child *c, struct tw_error *err)
{
	char text[TW__POLICY_TEXT];
	err->message[0] = '\0';
	int status = c->view.policy->init ? c->view.policy->init(&c->view, c->view.state, err) : TW_OK;
	c->has_begun = status == TW_OK;
	if (status == TW_OK)
		return TW_OK;
	tw__domain_text(&c->view, text);
	return err->message[0] ? tw_fail(err, status, "%s: %s", text, err->message)
	                       : tw_fail(err, status, "%s: init failed and does not say why", text);
}

int tw_child_create(struct tw_sched **child, struct tw_sched *parent, const struct tw_child *wanted,
                    struct tw_error *err)
{
	const char *name = wanted->name ? wanted->name : wanted->param;
	*child = NULL;
	int status = check(parent, wanted, name ? name : "", err);
	if (status == TW_OK) {
		struct tw__child *c = open_child(parent, wanted, name);
		*child = &c->view;
		status = tw__check_splits(&c->view, err);
		if (status == TW_OK)
			status = check_tasks(c, err);
		if (status == TW_OK)
			status = init(c, err);
	}
	/* the run fails even if the parent's init does not say so */
	if (status < 0)
		tw__rt_fail(parent->rt, status, "%s", err->message);
	return status;
}

/* --- giving and getting tasks ------------------------------------------------------------------------------------- */

/* Returns what is wrong about giving the task to the child; NULL: nothing. */
static const char *why_not(const struct tw__child *c, tw_task t)
{
	const struct tw__rt *rt = c->view.rt;
	const struct tw__children *siblings = c->parent->children;
	const int last = siblings->last[t];
	if (rt->remaining[t] != 0)
		return "which is not ready, or a worker has it";
	if (last && siblings->of[last - 1]->given_to[t] == TW__CHILD_HAS)
		return siblings->of[last - 1] == c ? "which it has already" : "which another child has";
	if (!tw_task_is_mine(&c->view, t))
		return "which is none of its tasks";
	return can_run(c, t) ? NULL : "which none of its workers can run";
}

static bool is_wrong_child(const struct tw_sched *s, const char *function)
{
	if (!s->child)
		tw__domain_fail(s, "%s: expected a child of the policy", function);
	return !s->child;
}

void tw_child_push(struct tw_sched *child, tw_task t, tw_worker released_by)
{
	struct tw__child *c = child->child;
	char text[TW__POLICY_TEXT];
	if (is_wrong_child(child, __func__) || WRONG_TASK(c->parent, t) ||
	    (released_by != TW_NONE && WRONG_WORKER(c->parent, released_by)))
		return;
	const char *wrong = why_not(c, t);
	if (wrong) {
		tw__rt_fail(child->rt, TW_FAILED, "%s is given task %d, %s", tw__domain_text(child, text), (int)t,
		            wrong);
		return;
	}
	int place = 0;
	while (c->parent->children->of[place] != c)
		place++;
	c->parent->children->last[t] = (uint8_t)(place + 1);
	c->n.taken -= c->given_to[t] >= 0; /* the parent has cancelled it */
	c->n.queued++;
	c->given_to[t] = TW__CHILD_HAS;
	child->policy->push(child, child->state, t,
	                    released_by == TW_NONE ? TW_NONE : child->local[c->parent->global[released_by]]);
}

/* Whether the child must not give the worker that task. Then the run has failed. */
static bool is_wrong_task(const struct tw__child *c, tw_task t, tw_worker w)
{
	struct tw__rt *rt = c->view.rt;
	char text[TW__POLICY_TEXT];
	if (t < 0 || t >= rt->graph->n_tasks || c->given_to[t] != TW__CHILD_HAS)
		tw__rt_fail(rt, TW_FAILED, "%s gives task %d, which it does not have", tw__domain_text(&c->view, text),
		            (int)t);
	else if (rt->remaining[t] != 0)
		tw__rt_fail(rt, TW_FAILED, "%s gives task %d, which its parent has given to a worker before",
		            tw__domain_text(&c->view, text), (int)t);
	else if (!tw__task_can_run(rt->in->belief, rt->graph, t, c->view.worker[w].arch))
		tw__rt_fail(rt, TW_FAILED, "%s gives task %d (%s) to worker '%s', for which its kernel has no time",
		            tw__domain_text(&c->view, text), (int)t,
		            tw_graph_kernel_name(rt->graph, rt->graph->kernel[t]), c->view.worker[w].name);
	return rt->status != TW_OK;
}

tw_task tw_child_pop(struct tw_sched *child, tw_worker worker)
{
	struct tw__child *c = child->child;
	if (is_wrong_child(child, __func__) || WRONG_WORKER(c->parent, worker) || child->rt->status != TW_OK)
		return TW_NONE;
	const tw_worker w = child->local[c->parent->global[worker]];
	tw_task t = w == TW_NONE ? TW_NONE : child->policy->pop(child, child->state, w);
	if (t == TW_NONE || is_wrong_task(c, t, w))
		return TW_NONE;
	c->n.queued--;
	c->n.taken++;
	c->given_to[t] = w;
	if (child->is_queue && !c->parent->is_queue) {
		tw__children_started(child->rt, t, c);
		tw__children_done(child->rt, t, c);
	}
	return t;
}

struct tw_child_tasks tw_child_tasks(const struct tw_sched *child)
{
	return is_wrong_child(child, __func__) ? (struct tw_child_tasks){0, 0, 0} : child->child->n;
}
