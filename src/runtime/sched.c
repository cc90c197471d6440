/* The functions of tilewright/sched.h by which policies act on a run. */
#include <tilewright/sched.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/tasks.h"
#include "runtime/memory/memory.h"
#include "runtime/state/domain.h"
#include "runtime/state/uses.h"
#include "runtime/state/wakeups.h"
#include "runtime/state/wrong.h"
#include "runtime/teams.h"
#include "runtime/transfers/transfers.h"

/* --- memory of policies ------------------------------------------------------------------------------------------- */

void *tw_run_alloc(const struct tw_sched *s, size_t n, size_t element_bytes)
{
	return tw__arena_alloc(s->rt->plugins_memory, n, element_bytes);
}

void *tw_run_resize(const struct tw_sched *s, void *array, size_t n, size_t element_bytes)
{
	return tw__arena_resize(s->rt->plugins_memory, array, n, element_bytes);
}

struct tw_id_set tw_run_id_set(const struct tw_sched *s, int32_t capacity)
{
	int32_t n_words = capacity / 64 + 1;
	return (struct tw_id_set){tw_run_alloc(s, (size_t)n_words, sizeof(uint64_t)), n_words};
}

/* --- random numbers, plans and reports ---------------------------------------------------------------------------- */

double tw_random(struct tw_sched *s) { return tw__random_uniform(s->random); }
double tw_random_victim(struct tw_sched *s) { return tw__random_uniform(s->rt->eviction_random); }

bool tw_plans_are_read(const struct tw_sched *s) { return s->rt->in->eviction->flags & TW_NEEDS_PLAN; }

struct tw_planned_use tw_data_planned_use(struct tw_sched *s, tw_data d, tw_node n)
{
	char text[TW__POLICY_TEXT];
	struct tw__rt *rt = s->rt;
	if (WRONG_DATA(s, d) || WRONG_NODE(s, n))
		return (struct tw_planned_use){.next = TW_NEVER};
	if (rt->uses)
		return tw__uses_of(rt, d, n);
	if (!rt->n_planning)
		tw__rt_fail(rt, TW_FAILED,
		            "eviction policy '%s': tw_data_planned_use: %s plans no uses: expected a policy that does, "
		            "or TW_NEEDS_PLAN in the flags",
		            rt->in->eviction->name, tw__domain_text(rt->root, text));
	return tw__domains_planned_use(rt, d, n);
}

void tw_show_planned_uses(struct tw_sched *s, tw_node n, const struct tw_planned_use *uses)
{
	struct tw__rt *rt = s->rt;
	if (!WRONG_NODE(s, n) && !s->is_queue && rt->n_planning <= 1)
		rt->planned_uses[n] = uses;
}

const struct tw_planned_use *tw_planned_uses(const struct tw_sched *s, tw_node n)
{
	return WRONG_NODE(s, n) || s->rt->uses ? NULL : s->rt->planned_uses[n];
}

void tw_abort_run(struct tw_sched *s, const char *message)
{
	tw__domain_fail(s, "%s", message ? message : "ends the run, and does not say why");
}

/* Whether a figure may have that name: letters, digits and '_'. */
static bool is_figure_name(const char *name)
{
	size_t n = name ? strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") : 0;
	return n > 0 && n < 32 && !name[n];
}

/* Writes the name of a figure, behind those of the domain and of the child that reports it. */
static void write_figure(const struct tw_sched *s, char full[TW__FIGURE_NAME], const char *name)
{
	char inner[TW__FIGURE_NAME];
	snprintf(full, TW__FIGURE_NAME, "%s", name);
	for (; s->child; s = s->child->parent) {
		memcpy(inner, full, sizeof inner);
		snprintf(full, TW__FIGURE_NAME, "%s.%.*s", s->child->name, TW__FIGURE_NAME - TW_CHILD_NAME - 1, inner);
	}
	if (s->rt->domain_of && s != s->rt->root) {
		memcpy(inner, full, sizeof inner);
		snprintf(full, TW__FIGURE_NAME, "%s.%.*s", s->domain->name, TW__FIGURE_NAME - TW__DOMAIN_NAME - 1,
		         inner);
	}
}

void tw_report(struct tw_sched *s, const char *name, double value)
{
	char full[TW__FIGURE_NAME];
	if (!is_figure_name(name)) {
		tw__domain_fail(s, "tw_report: '%.60s': expected 1 to 31 letters, digits and '_'",
		                name ? name : "(NULL)");
		return;
	}
	write_figure(s, full, name);
	if (!tw__rt_report(s->rt, full, value))
		tw__domain_fail(s, "tw_report: '%s': expected at most %d figures of a run", full,
		                tw__rt_most_figures(s->rt));
}

/* --- the cost of looking ------------------------------------------------------------------------------------------ */

bool tw_looks_cost(const struct tw_sched *s) { return s->rt->cost.scan > 0; }

void tw_looked_at(const struct tw_sched *s, int64_t n)
{
	struct tw__rt *rt = s->rt;
	if (rt->cost.scan == 0)
		return;
	if (n >= 0 && n <= TW_MOST_LOOKS - rt->counters->looks)
		rt->counters->looks += n;
	else /* a policy may count where it has a constant run, and yet a wrong count ends the run */
		tw__domain_fail(s, "tw_looked_at: %lld candidates: expected from 0 to %lld in all calls together",
		                (long long)n, (long long)TW_MOST_LOOKS);
}

/* --- actions that need memory ------------------------------------------------------------------------------------- */

static int32_t prefetch_data(struct tw__rt *rt, tw_data d, tw_node n)
{
	tw__prefetch(rt, d, n, TW_R, 0, CLASS_PREFETCH);
	return TW_NONE;
}

void tw_place(struct tw_sched *s, tw_task t, tw_worker w)
{
	if (!WRONG_TASK(s, t) && !WRONG_WORKER(s, w) && !s->is_queue)
		tw__domain_place(s, t, s->global[w]);
}

static int32_t prefetch_task(struct tw__rt *rt, tw_task t, tw_node n)
{
	tw__prefetch_task(rt, t, n);
	return TW_NONE;
}

void tw_prefetch_data(struct tw_sched *s, tw_data d, tw_node n)
{
	struct tw__rt *rt = s->rt;
	if (!WRONG_DATA(s, d) && !WRONG_NODE(s, n) && !s->is_queue)
		tw__act(rt, prefetch_data, d, n);
}

void tw_prefetch_task(struct tw_sched *s, tw_task t, tw_node n)
{
	struct tw__rt *rt = s->rt;
	if (!WRONG_TASK(s, t) && !WRONG_NODE(s, n) && !s->is_queue)
		tw__act(rt, prefetch_task, t, n);
}

/* --- cancelling running kernels ----------------------------------------------------------------------------------- */

tw_task tw_running_task(const struct tw_sched *s, tw_worker worker, double *start)
{
	const struct tw__rt *rt = s->rt;
	if (WRONG_WORKER(s, worker))
		return TW_NONE;
	struct driver *d = &rt->drivers[s->global[worker]];
	const struct hold *h = tw__driver_running(d);
	if (!h && d->n_held && held(d, 0)->state == HOLD_JOINED)
		h = held(d, 0)->team->master;
	if (!h || h->state != HOLD_LAUNCHED)
		return TW_NONE;
	*start = tw__seconds(tw__latest(h->start, h->driver->last_end));
	return h->task;
}

bool tw_can_cancel(const struct tw_sched *s) { return s->rt->ops->caps & TW__ENGINE_CANCELS; }

static tw_task cancel(struct tw__rt *rt, tw_worker worker, tw_node unused)
{
	(void)unused;
	struct driver *d = &rt->drivers[worker];
	struct hold *h = tw__driver_running(d);
	if (!h || h->team || h != held(d, 0) || !tw_can_cancel(rt->root) ||
	    rt->ops->cancel(tw__engine_at(rt), token_of(&h->activity)) != TW_OK)
		return TW_NONE;
	tw_task task = h->task;
	rt->n_under_way--;
	tw__task_cancel(d, h);
	tw__driver_drop(d);
	if (d->accelerator)
		tw__memory_kernel_over(rt, d->node);
	return task;
}

/* Whether a worker got the task from the policy, or from a child below it. */
static bool has_given(const struct tw_sched *s, tw_task task)
{
	return s->child ? !s->is_queue && s->child->given_to[task] >= 0 : tw__domain_of(s->rt, task) == s;
}

tw_task tw_cancel(struct tw_sched *s, tw_worker worker)
{
	double start;
	if (WRONG_WORKER(s, worker))
		return TW_NONE;
	tw_task task = tw_running_task(s, worker, &start);
	if (task == TW_NONE || !has_given(s, task))
		return TW_NONE;
	task = tw__act(s->rt, cancel, s->global[worker], TW_RAM);
	if (task != TW_NONE && s->rt->newest_child)
		tw__children_cancelled(s->rt, task, s);
	return task;
}

/* --- waking workers ----------------------------------------------------------------------------------------------- */

static bool longer_idle(const struct driver *a, const struct driver *b)
{
	if (a->accelerator != b->accelerator)
		return a->accelerator;
	return a->idle_since < b->idle_since;
}

/* Returns the workers 64 * word + i, for each bit i, that can run the task. */
static uint64_t able(const struct tw__rt *rt, tw_task task, int word)
{
	uint64_t who = 0;
	for (tw_arch a = 0; a < rt->platform->n_archs; a++)
		if (tw__task_can_run(rt->in->belief, rt->graph, task, a))
			who |= rt->of_arch[a].words[word];
	return who;
}

/* Wakes idle workers that can run the task, in the order of their numbers, up to the first one that was not woken
 * already. With order=idle_time, wakes only the worker that has been idle longest, accelerators first. */
void tw_wake_first_idle(struct tw_sched *s, tw_task task)
{
	struct tw__rt *rt = s->rt;
	struct driver *first = NULL;
	if (WRONG_TASK(s, task) || s->is_queue)
		return;
	for (int word = 0; word < rt->idle.n_words; word++) {
		uint64_t who = rt->idle.words[word] & s->workers.words[word];
		if (!who || !(who &= able(rt, task, word)))
			continue;
		uint64_t untold = who & ~rt->notified.words[word];
		if (rt->order != ORDER_IDLE_TIME) {
			/* only workers up to the first one that was not woken already */
			if (untold)
				who &= untold ^ (untold - 1);
			rt->notified.words[word] |= who;
			tw__rt_signal_workers(rt, word, who);
			if (untold)
				return;
		}
		for (; untold; untold &= untold - 1) {
			struct driver *d = &rt->drivers[64 * word + __builtin_ctzll(untold)];
			if (!first || longer_idle(d, first))
				first = d;
		}
	}
	if (first) {
		tw_id_set_put(&rt->notified, first->worker, true);
		tw__rt_signal(first);
	}
}

void tw_wake(struct tw_sched *s, tw_worker worker)
{
	if (s->is_queue)
		return;
	if (worker == TW_ALL)
		for (int32_t word = 0; word < s->workers.n_words; word++)
			tw__rt_signal_workers(s->rt, word, s->workers.words[word]);
	else if (!WRONG_WORKER(s, worker))
		tw__rt_signal(&s->rt->drivers[s->global[worker]]);
}

/* The workers have numbers of the domain. In a domain with all workers these are the run's numbers. */
void tw_wake_set(struct tw_sched *s, const struct tw_id_set *who)
{
	bool all = s->n_workers == s->rt->platform->n_workers;
	if (s->is_queue)
		return;
	for (int32_t word = 0; all && word < who->n_words && word < s->workers.n_words; word++)
		tw__rt_signal_workers(s->rt, word, who->words[word] & s->workers.words[word]);
	for (tw_worker w = 0; !all && (w = tw_id_set_next(who, NULL, w)) != TW_NONE && w < s->n_workers; w++)
		tw__rt_signal(&s->rt->drivers[s->global[w]]);
}
