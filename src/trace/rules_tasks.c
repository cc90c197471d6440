/* Checks events of tasks against the rules about tasks and workers. */
#include <math.h>
#include <stdlib.h>

#include "graph/parts.h"
#include "graph/ranks.h"
#include "graph/reduction.h"
#include "trace/replay.h"

static const char *kernel_name(const struct tw__replay *r, tw_task t)
{
	return r->graph->kernels[r->graph->kernel[t]].name;
}

static const char *worker_name(const struct tw__replay *r, tw_worker w)
{
	return w == TW_NONE ? "no worker" : r->in->platform->workers[w].name;
}

static const struct {
	uint8_t before, after;
	const char *verb;
} steps[] = {
	[TW__SUBMIT] = {TW__NEW, TW__SUBMITTED, "submitted"},    [TW__READY] = {TW__SUBMITTED, TW__IS_READY, "ready"},
	[TW__ASSIGN] = {TW__IS_READY, TW__ASSIGNED, "assigned"}, [TW__START] = {TW__ASSIGNED, TW__RUNNING, "started"},
	[TW__END] = {TW__RUNNING, TW__ENDED, "ended"},           [TW__RELEASE] = {TW__ENDED, TW__RELEASED, "released"},
	[TW__CANCEL] = {TW__RUNNING, TW__IS_READY, "cancelled"},
};

/* The rule ONCE: a task goes through its steps in order, each once. From its assignment on, it stays on one worker and
 * in that worker's memory. Cancelling its kernel returns the task to the state before its assignment. */
static int check_once(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__task_state *t = &r->tasks[e->task];
	const char *name = kernel_name(r, e->task), *verb = steps[e->kind].verb;
	if (t->step != steps[e->kind].before)
		return tw__violation(r, TW__RULE_ONCE, "task %d (%s) is %s %s", (int)e->task, name, verb,
		                     t->step > steps[e->kind].before ? "a second time" : "before its previous step");
	t->step = steps[e->kind].after;
	if (e->kind < TW__ASSIGN)
		return TW_OK;
	if (e->kind == TW__ASSIGN)
		t->worker = e->worker, t->node = e->node;
	if (e->worker != t->worker)
		return tw__violation(r, TW__RULE_ONCE, "task %d (%s) is %s on %s but was assigned to %s", (int)e->task,
		                     name, verb, worker_name(r, e->worker), worker_name(r, t->worker));
	if (tw__is_message(r->graph, e->task))
		return tw__replay_message(r, e);
	if (e->node != r->in->platform->workers[e->worker].node)
		return tw__violation(r, TW__RULE_ONCE, "task %d (%s) is %s in memory %d, which is not that of %s",
		                     (int)e->task, name, verb, e->node, worker_name(r, e->worker));
	return TW_OK;
}

/* The rule ARRIVAL: a task is submitted when its graph has arrived. By the rule ONCE, its other events are later. */
static int check_arrival(struct tw__replay *r, const struct tw__event *e)
{
	tw__ns arrival = tw__graph_arrival(r->graph, e->task);
	if (e->date >= arrival)
		return TW_OK;
	return tw__violation(r, TW__RULE_ARRIVAL, "task %d (%s) is submitted before its graph arrives, at %.9f s",
	                     (int)e->task, kernel_name(r, e->task), tw__seconds(arrival));
}

/* The rule DOMAIN: a worker of the task's domain runs it. */
static int check_domain(struct tw__replay *r, const struct tw__event *e)
{
	if (tw__domain_allows(&r->in->domains, r->graph, e->task, e->worker))
		return TW_OK;
	return tw__violation(r, TW__RULE_DOMAIN, "task %d (%s) is assigned to %s, which is not in its domain",
	                     (int)e->task, kernel_name(r, e->task), worker_name(r, e->worker));
}

/* The rule DEPENDENCIES: when a task becomes ready, all its predecessors have been released. By the rule ONCE, they
 * have then also been released when it starts. */
static int check_dependencies(struct tw__replay *r, const struct tw__event *e)
{
	uint32_t left = r->tasks[e->task].predecessors_left;
	if (left)
		return tw__violation(r, TW__RULE_DEPENDENCIES,
		                     "task %d (%s) is ready while %u of its predecessors are not done", (int)e->task,
		                     kernel_name(r, e->task), (unsigned)left);
	return TW_OK;
}

/* Whether the worker has released a predecessor of the task, all of whose predecessors have been released. */
static bool has_released(const struct tw__replay *r, int worker, tw_task t)
{
	const int16_t *releasers = &r->releasers[r->tasks[t].releasers];
	for (uint32_t i = 0; i < tw__graph_predecessors(r->graph)[t]; i++)
		if (releasers[i] == worker)
			return true;
	return false;
}

/* The rule DEPENDENCIES, about the worker that releases a task: it has released one of the task's predecessors. The
 * submitting thread releases only tasks whose predecessors were released before. Of appended tasks, those that begin a
 * reduction have no predecessors: the next thread that ends a task releases them, or a message. */
static int check_releaser(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw__task_state *t = &r->tasks[e->task];
	const bool appended = e->task >= tw__graph_own_tasks(r->graph),
		   begins = appended && tw__graph_predecessors(r->graph)[e->task] == 0;
	if (tw_graph_around(r->graph, e->task) != TW_NONE && !tw__graph_predecessors(r->graph)[e->task])
		return TW_OK; /* by the worker that has released the task around it */
	if (e->worker == TW_NONE ? ((t->released_early || has_released(r, TW_NONE, e->task)) && !appended) ||
	                                   (begins && r->graph->ranks)
	                         : has_released(r, e->worker, e->task) || begins)
		return TW_OK;
	return tw__violation(r, TW__RULE_DEPENDENCIES, "task %d (%s) is released by %s, which %s", (int)e->task,
	                     kernel_name(r, e->task),
	                     e->worker == TW_NONE ? "its submission" : worker_name(r, e->worker),
	                     e->worker == TW_NONE ? "came before the end of its predecessors"
	                                          : "has released none of its predecessors");
}

/* The rule EXCLUSIVE: a worker starts a kernel only when no other kernel runs on it. */
static int check_exclusive(struct tw__replay *r, const struct tw__event *e)
{
	tw_task other = r->running[e->worker];
	if (other != TW_NONE)
		return tw__violation(r, TW__RULE_EXCLUSIVE, "task %d (%s) starts on %s, which is running task %d",
		                     (int)e->task, kernel_name(r, e->task), worker_name(r, e->worker), (int)other);
	return TW_OK;
}

/* The rule DURATION: a kernel takes its modelled time. If durations were measured, the models must only have a time for
 * the kernel on this arch. */
static int check_duration(struct tw__replay *r, const struct tw__event *e)
{
	tw_arch arch = tw__replay_arch(r, e);
	tw__ns took = r->tasks[e->task].took = e->date - r->tasks[e->task].start;
	if (arch == TW_NONE || isnan(tw__task_seconds(r->in->times, r->graph, e->task, arch)))
		return tw__violation(r, TW__RULE_DURATION, "task %d (%s) ran on %s, for which its kernel has no time",
		                     (int)e->task, kernel_name(r, e->task), worker_name(r, e->worker));
	tw__ns modelled = tw__task_length(r->in->times, r->graph, e->task, arch);
	if (took < 0)
		return tw__violation(r, TW__RULE_DURATION, "task %d (%s) ends %.9f s before it starts on %s",
		                     (int)e->task, kernel_name(r, e->task), tw__seconds(-took),
		                     worker_name(r, e->worker));
	if (!r->measured && took != modelled)
		return tw__violation(r, TW__RULE_DURATION, "task %d (%s) took %.9f s on %s instead of %.9f s",
		                     (int)e->task, kernel_name(r, e->task), tw__seconds(took),
		                     worker_name(r, e->worker), tw__seconds(modelled));
	return TW_OK;
}

/* The rule DURATION: a cancelled kernel has run at most for its modelled time. */
static int check_not_over(struct tw__replay *r, const struct tw__event *e)
{
	tw_arch arch = r->in->platform->workers[e->worker].arch;
	tw__ns ran = e->date - r->tasks[e->task].start;
	double modelled_s = tw__task_run_seconds(r->in->times, r->graph, e->task, arch);
	if (!isnan(modelled_s) && ran <= tw__task_length(r->in->times, r->graph, e->task, arch))
		return TW_OK;
	return tw__violation(r, TW__RULE_DURATION,
	                     "task %d (%s) is cancelled after %.9f s on %s, where it takes %.9f s", (int)e->task,
	                     kernel_name(r, e->task), tw__seconds(ran), worker_name(r, e->worker), modelled_s);
}

/* The rule INPUTS, when a kernel starts: the handle of each access has room in the worker's memory, and inputs are
 * valid there. Later changes are checked when room is freed (PINNED) and when copies are invalidated
 * (check_not_read). */
static int check_inputs(struct tw__replay *r, const struct tw__event *e, tw__access access)
{
	tw_data d = tw__replay_accessed(r, access, e->worker);
	const struct tw__copy *copy = tw__copy_of(r, d, e->node);
	const char *name = kernel_name(r, e->task), *node = tw__node_name(r, e->node);
	if (tw__bounded(r, e->node) && !copy->room)
		return tw__violation(r, TW__RULE_INPUTS, "task %d (%s) starts while its data %d has no room in %s",
		                     (int)e->task, name, (int)d, node);
	bool reads = (access & TW_R) || ((access & TW_REDUX) && r->contributions[d] > 0);
	if (reads && copy->valid != r->data[d].version)
		return tw__violation(r, TW__RULE_INPUTS,
		                     "task %d (%s) starts while data %d, which it reads, is not valid in %s",
		                     (int)e->task, name, (int)d, node);
	return TW_OK;
}

/* The rule COHERENCE, when a kernel starts: no other task writes its output, and no transfer brings a copy of the
 * output to this memory. */
static int check_sole_writer(struct tw__replay *r, const struct tw__event *e, tw_data d)
{
	if (r->data[d].writer != TW_NONE)
		return tw__violation(r, TW__RULE_COHERENCE,
		                     "task %d (%s) starts to write data %d, which task %d is writing", (int)e->task,
		                     kernel_name(r, e->task), (int)d, (int)r->data[d].writer);
	if (tw__copy_of(r, d, e->node)->incoming)
		return tw__violation(r, TW__RULE_COHERENCE,
		                     "task %d (%s) starts to write data %d while a transfer brings it to %s",
		                     (int)e->task, kernel_name(r, e->task), (int)d, tw__node_name(r, e->node));
	return TW_OK;
}

static int start(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw_graph *g = r->graph;
	const bool computes = !tw__is_message(g, e->task);
	int status = computes ? check_exclusive(r, e) : TW_OK;
	if (status == TW_OK && computes)
		status = tw__replay_team_starts(r, e);
	if (status == TW_OK)
		status = tw__replay_versions(r, e);
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1] && status == TW_OK; i++) {
		status = check_inputs(r, e, g->access[i]);
		if (status == TW_OK && (tw__access_mode(g->access[i]) & TW_W))
			status = check_sole_writer(r, e, tw__access_data(g->access[i]));
	}
	if (status != TW_OK)
		return status;
	r->tasks[e->task].start = e->date;
	if (computes)
		r->running[e->worker] = e->task;
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++) {
		tw_data d = tw__replay_accessed(r, g->access[i], e->worker);
		struct tw__copy *copy = tw__copy_of(r, d, e->node);
		copy->pins++;
		if (tw__access_mode(g->access[i]) & TW_R)
			copy->readers++;
		if (tw__access_mode(g->access[i]) & TW_W) {
			r->data[d].writer = e->task;
			r->data[d].version++; /* other copies, and transfers under way, now have an old version */
		}
	}
	return TW_OK;
}

/* Commits a write: the task's result becomes the current content of the handle. */
static void commit(struct tw__replay *r, const struct tw__event *e, tw_data d)
{
	struct tw__copy *copy = tw__copy_of(r, d, e->node);
	r->data[d].writer = TW_NONE;
	r->data[d].commit_node = e->node;
	r->data[d].commit_date = e->date;
	if (copy->valid)
		copy->valid = r->data[d].version;
	tw__touch(r, d);
}

static void count_use(struct tw__replay *r, tw_data d)
{
	if (--r->data[d].uses_left == 0)
		r->data[d].is_dead = tw__data_use(r->graph, d) == TW__USE_DISCARDED;
}

static int release(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw_graph *g = r->graph;
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++) {
		tw_data d = tw__replay_accessed(r, g->access[i], e->worker);
		unsigned mode = tw__access_mode(g->access[i]);
		struct tw__copy *copy = tw__copy_of(r, d, e->node);
		copy->pins--;
		if (mode & TW_R)
			copy->readers--;
		if (mode & TW_REDUX) {
			r->contributions[d]++;
			r->data[d].version++;
		}
		if (mode & (TW_W | TW_REDUX))
			commit(r, e, d);
		if (e->task < tw__graph_own_tasks(g))
			count_use(r, tw__access_data(g->access[i]));
	}
	int status = e->task >= tw__graph_own_tasks(g) ? tw__replay_combine(r, e->task) : TW_OK;
	if (status != TW_OK)
		return status;
	tw__replay_successors(r, e);
	return tw__replay_versions(r, e);
}

/* Ends a cancelled task, which has not written: copies that were valid when it started are current again. */
static int cancel(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw_graph *g = r->graph;
	r->running[e->worker] = TW_NONE;
	if (tw__teams_count(&r->teams, e->task) > 0)
		return tw__violation(r, TW__RULE_TEAM, "task %d (%s), which several workers run, is cancelled",
		                     (int)e->task, kernel_name(r, e->task));
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++) {
		tw_data d = tw__replay_accessed(r, g->access[i], e->worker);
		struct tw__copy *copy = tw__copy_of(r, d, e->node);
		copy->pins--;
		if (tw__access_mode(g->access[i]) & TW_R)
			copy->readers--;
		if (tw__access_mode(g->access[i]) & TW_W) {
			r->data[d].writer = TW_NONE;
			r->data[d].version--;
			tw__touch(r, d);
		}
	}
	return check_not_over(r, e);
}

static int end(struct tw__replay *r, const struct tw__event *e)
{
	if (tw__is_message(r->graph, e->task))
		return TW_OK;
	r->running[e->worker] = TW_NONE;
	tw__replay_contributes(r, e);
	int status = check_duration(r, e);
	tw__replay_team_ends(r, e);
	return status;
}

int tw__replay_task(struct tw__replay *r, const struct tw__event *e)
{
	if (e->kind == TW__JOIN)
		return tw__replay_join(r, e);
	if (tw__replay_splits(r, e))
		return tw__replay_split_ends(r, e);
	int status = check_once(r, e);
	if ((status = status == TW_OK ? tw__replay_recursive(r, e) : status) != TW_OK)
		return status;
	switch (e->kind) {
	case TW__SUBMIT:
		r->tasks[e->task].released_early = r->tasks[e->task].predecessors_left == 0;
		return check_arrival(r, e);
	case TW__READY:
		status = check_dependencies(r, e);
		return status == TW_OK ? check_releaser(r, e) : status;
	case TW__ASSIGN:
		tw__replay_assigned(r, e);
		return tw__is_message(r->graph, e->task) ? TW_OK : check_domain(r, e);
	case TW__START:
		return start(r, e);
	case TW__END:
		return end(r, e);
	case TW__RELEASE:
		return release(r, e);
	case TW__CANCEL:
		return cancel(r, e);
	default:
		return TW_OK;
	}
}

/* The rule MAKESPAN, as a lower bound: the longest path of the submitted graph, where each task takes its time on the
 * fastest arch with workers, or its measured time. It is summed in doubles, which are exact up to 2^53 ns. */
static int check_critical_path(struct tw__replay *r, tw__ns makespan)
{
	const struct tw_graph *g = r->in->graph;
	double *best = tw_alloc(2 * ((size_t)g->n_tasks + 1), sizeof *best);
	tw__times_best(r->in->times, r->in->platform, g, best);
	for (tw_task t = 0; r->measured && t < g->n_tasks; t++)
		best[t] = (double)r->tasks[t].took;
	tw__graph_least_durations(g, best);
	double bound = tw__graph_bottom_levels(g, best, best + g->n_tasks + 1);
	free(best);
	double rounding = bound < 0x1p53 ? 0 : bound * g->n_tasks * 0x1p-52;
	if ((double)makespan < bound - rounding)
		return tw__violation(r, TW__RULE_MAKESPAN,
		                     "the makespan of %.9f s is shorter than the critical path of %.9f s",
		                     tw__seconds(makespan), bound / TW__NS_PER_S);
	return TW_OK;
}

int tw__replay_tasks_end(struct tw__replay *r, tw__ns makespan)
{
	for (tw_task t = 0; t < r->graph->n_tasks; t++)
		if (r->tasks[t].step != TW__RELEASED && !tw__replay_skips(r, t))
			return tw__violation(r, TW__RULE_ONCE, "task %d (%s) is not done when the run ends", (int)t,
			                     kernel_name(r, t));
	if (makespan < r->last_release || (makespan > r->last_release && !r->graph->data_places[TW__END_PLACE]))
		return tw__violation(r, TW__RULE_MAKESPAN,
		                     "the makespan is %.9f s, but the last task is released at %.9f s",
		                     tw__seconds(makespan), tw__seconds(r->last_release));
	/* Transfers that are under way or queued go on when all tasks are done, and all of them end. Threads do nothing
	 * more, save those of real runs, which note such ends. */
	if (!r->measured && r->last_act > makespan)
		return tw__violation(r, TW__RULE_MAKESPAN,
		                     "the run goes on after its makespan of %.9f s with more than transfers",
		                     tw__seconds(makespan));
	return check_critical_path(r, makespan);
}
