/* Where the time of workers went.
 *
 * A worker either computes, or waits for the data of a task that it has taken, or has no task. The time of the last
 * state is split by the tasks that the policy could have given it. These are the same for all workers of an arch with
 * the same domains. So sums are kept per group of such workers, and a worker takes their growth while it was idle. */
#include <string.h>

#include "explain/workers.h"
#include "graph/ranks.h"
#include "graph/reduction.h"
#include "trace/events.h"

static void add(const struct tw__account_worker *w, enum tw__why why, tw__ns time) { w->group->kind->of[why] += time; }

/* Adds the time since the last change, which had one cause. */
static void add_since(struct tw__account *a, const struct tw__account_worker *w, enum tw__why why)
{
	add(w, why, a->date - w->since);
	if (a->run->with_spans && why != TW__WHY_KERNELS && why != TW__WHY_CANCELLED)
		tw__account_span(a, (tw_worker)(w - a->workers), why, w->since, a->date);
}

/* --- idle workers ------------------------------------------------------------------------------------------------- */

static enum tw__why why_idle(const struct tw__account_group *group)
{
	return group->left == 0         ? TW__WHY_NOTHING
	       : group->ready > 0       ? TW__WHY_POLICY
	       : group->unsubmitted > 0 ? TW__WHY_SUBMISSION
	       : group->messages > 0    ? TW__WHY_NETWORK
	                                : TW__WHY_DEPENDENCIES;
}

/* Lets time go on to `date`, in the states as they are. */
static void advance(struct tw__account *a, tw__ns date)
{
	for (int i = 0; i < a->n_groups; i++) {
		enum tw__why why = why_idle(&a->groups[i]);
		a->groups[i].idle[why] += date - a->date;
		if (a->run->with_spans)
			tw__account_note_idle(a, &a->groups[i], why);
	}
	a->date = date;
}

/* Up to `patience` of the time with ready tasks is the runtime system's: a worker needs that long to get a task. */
static void end_idle(struct tw__account *a, struct tw__account_worker *w)
{
	const tw__ns *now = w->group->idle;
	for (int why = 0; why < TW__N_WHY; why++) {
		tw__ns time = now[why] - w->idle[why];
		tw__ns ours = why == TW__WHY_POLICY ? tw__earliest(time, a->run->patience) : 0;
		add(w, TW__WHY_RUNTIME, ours);
		add(w, (enum tw__why)why, time - ours);
	}
	if (a->run->with_spans)
		tw__account_idle_spans(a, w);
}

/* --- waiting workers ---------------------------------------------------------------------------------------------- */

/* Whether links of the memory are busy, or those of a memory that could send the handle. */
static bool waits_for_links(const struct tw__account *a, tw_data d, tw_node to)
{
	bool any = a->nodes[to].busy > 0 || a->moving[d] > 0;
	for (int n = 0; n < a->n_nodes && !any; n++)
		any = (*tw__account_copy(a, d, (tw_node)n) & TW__COPY_VALID) && a->nodes[n].busy > 0;
	return any;
}

/* The bytes of the handles of a worker's next task that have no room yet. */
static uint64_t missing_bytes(const struct tw__account *a, const struct tw__account_worker *w)
{
	const struct tw_graph *g = a->graph;
	uint64_t bytes = 0;
	for (uint32_t i = g->access_start[w->task]; i < g->access_start[w->task + 1]; i++) {
		tw_data d = tw__access_data(g->access[i]);
		bytes += *tw__account_copy(a, d, w->node) & TW__COPY_ROOM ? 0 : g->data_bytes[d];
	}
	return bytes;
}

/* Finds the cause why a worker waits that has taken a task. The first handle with a cause other than the runtime
 * decides. */
static enum tw__why why_waiting(const struct tw__account *a, const struct tw__account_worker *w)
{
	const struct tw_graph *g = a->graph;
	const uint64_t capacity = a->run->capacity[w->node];
	bool is_full = capacity != UINT64_MAX && a->nodes[w->node].used + missing_bytes(a, w) > capacity;
	for (uint32_t i = g->access_start[w->task]; i < g->access_start[w->task + 1]; i++) {
		tw_data d = tw__access_data(g->access[i]);
		bool reads = (tw__access_mode(g->access[i]) & TW_R) && !(g->access[i] & TW_REDUX);
		uint8_t copy = *tw__account_copy(a, d, w->node);
		bool has_room = capacity == UINT64_MAX || (copy & TW__COPY_ROOM);
		if (has_room && ((copy & TW__COPY_VALID) || !reads))
			continue;
		if (copy & TW__COPY_COMING)
			return copy & TW__COPY_EVICTED ? TW__WHY_MEMORY : TW__WHY_DATA;
		if (!has_room && (is_full || a->nodes[w->node].homing > 0))
			return TW__WHY_MEMORY;
		if (waits_for_links(a, d, w->node))
			return copy & TW__COPY_EVICTED ? TW__WHY_MEMORY : TW__WHY_DATA;
		if (!has_room && a->nodes[w->node].evicts) /* the free room is in pieces, or is kept for other tasks */
			return TW__WHY_MEMORY;
	}
	return a->tasks[w->task].parallel ? TW__WHY_TEAM : TW__WHY_RUNTIME;
}

/* A thread that waits for the write-back of a victim may release no task meanwhile. */
static enum tw__why why_now(const struct tw__account *a, const struct tw__account_worker *w)
{
	if (w->state == TW__WORKER_WAITS)
		return why_waiting(a, w);
	return a->nodes[w->node].homing > 0 ? TW__WHY_MEMORY : TW__WHY_RUNTIME;
}

static void wait_on(struct tw__account *a, struct tw__account_worker *w)
{
	add_since(a, w, w->why);
	w->since = a->date;
	w->why = why_now(a, w);
}

/* The worker waits, or releases a task, from now on. */
static void begin_wait(struct tw__account *a, struct tw__account_worker *w, enum tw__worker_state state)
{
	w->state = state;
	w->since = a->date;
	w->why = why_now(a, w);
	a->waiting[a->n_waiting++] = (tw_worker)(w - a->workers);
}

static void end_wait(struct tw__account *a, struct tw__account_worker *w)
{
	add_since(a, w, w->why);
	for (int i = 0; i < a->n_waiting; i++)
		if (a->waiting[i] == (tw_worker)(w - a->workers)) {
			a->waiting[i] = a->waiting[--a->n_waiting];
			break;
		}
}

/* --- states of workers -------------------------------------------------------------------------------------------- */

static void end_state(struct tw__account *a, struct tw__account_worker *w)
{
	if (w->state == TW__WORKER_IDLE)
		end_idle(a, w);
	else if (w->state == TW__WORKER_COMPUTES)
		add_since(a, w, TW__WHY_KERNELS);
	else if (w->state == TW__WORKER_JOINED)
		add_since(a, w, TW__WHY_TEAM);
	else
		end_wait(a, w);
}

static void begin_joined(struct tw__account *a, struct tw__account_worker *w)
{
	w->state = TW__WORKER_JOINED;
	w->since = a->date;
}

static void begin_kernel(struct tw__account *a, struct tw__account_worker *w)
{
	end_state(a, w);
	w->next_start++;
	w->state = TW__WORKER_COMPUTES;
	w->since = a->date;
}

/* The worker's next kernel is of a task that it has taken already, or it has no task. */
static void find_task(struct tw__account *a, struct tw__account_worker *w)
{
	w->task = w->next_start < w->end_starts ? a->starts[w->next_start] : TW_NONE;
	if (w->task != TW_NONE &&
	    (a->tasks[w->task].step < 2 || a->tasks[w->task].taker != (tw_worker)(w - a->workers)))
		w->task = TW_NONE;
	if (w->task != TW_NONE)
		begin_wait(a, w, TW__WORKER_WAITS);
	else if (a->teams.joined[w - a->workers] != TW_NONE)
		begin_joined(a, w);
	else
		tw__account_begin_idle(a, w);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void submit(struct tw__account *a, tw_task t)
{
	if (t < tw__graph_own_tasks(a->graph))
		tw__account_count(a, t, 0, -(a->tasks[t].predecessors == 0), 0);
	else
		tw__account_count(a, t, 0, 0, 1); /* a reduction has appended it */
	a->tasks[t].step = 1;
}

static void release(struct tw__account *a, tw_task t)
{
	const struct tw_graph *g = a->graph;
	for (uint32_t s = g->successor_start[t]; s < g->successor_start[t + 1]; s++) {
		tw_task next = g->successor[s];
		if (a->tasks[next].predecessors > 0 && --a->tasks[next].predecessors == 0 && a->tasks[next].step == 0)
			tw__account_count(a, next, 0, 1, 0);
	}
}

static void ready(struct tw__account *a, const struct tw__event *e)
{
	tw__account_count(a, e->task, 1, 0, 0);
	struct tw__account_worker *w = e->worker >= 0 ? &a->workers[e->worker] : NULL;
	if (w && w->state == TW__WORKER_IDLE) { /* its thread has pushed the task meanwhile */
		add_since(a, w, TW__WHY_RUNTIME);
		tw__account_begin_idle(a, w);
	}
}

static void take_task(struct tw__account *a, const struct tw__event *e)
{
	struct tw__account_worker *w = &a->workers[e->worker];
	tw__account_count(a, e->task, -1, 0, -1);
	a->tasks[e->task].step = 2;
	a->tasks[e->task].taker = (tw_worker)e->worker;
	if (w->state == TW__WORKER_IDLE && w->next_start < w->end_starts && a->starts[w->next_start] == e->task) {
		end_state(a, w);
		find_task(a, w);
	}
}

/* The kernel has ended on the further workers of a parallel task. */
static void end_team(struct tw__account *a, tw_task t)
{
	for (tw_worker w = 0; (w = tw__teams_next(&a->teams, t, w)) != TW_NONE; w++) {
		end_state(a, &a->workers[w]);
		a->teams.joined[w] = TW_NONE;
		a->teams.n_joined--;
		find_task(a, &a->workers[w]);
	}
}

/* A task that sends or receives a message: no worker has it. */
static void message_event(struct tw__account *a, const struct tw__event *e)
{
	if (e->kind == TW__ASSIGN)
		tw__account_count(a, e->task, -1, 0, -1);
	if (e->kind == TW__RELEASE)
		release(a, e->task);
}

static void task_event(struct tw__account *a, const struct tw__event *e)
{
	if (tw__is_message(a->graph, e->task)) {
		message_event(a, e);
		return;
	}
	struct tw__account_worker *w = &a->workers[e->worker];
	switch ((enum tw__event_kind)e->kind) {
	case TW__ASSIGN:
		take_task(a, e);
		break;
	case TW__JOIN:
		tw__teams_join(&a->teams, e);
		if (w->state == TW__WORKER_IDLE) {
			end_state(a, w);
			begin_joined(a, w);
		}
		break;
	case TW__START:
		begin_kernel(a, w);
		for (tw_worker other = 0; (other = tw__teams_next(&a->teams, e->task, other)) != TW_NONE; other++)
			begin_kernel(a, &a->workers[other]);
		break;
	case TW__END:
		end_state(a, w);
		begin_wait(a, w, TW__WORKER_RELEASES);
		end_team(a, e->task);
		break;
	case TW__CANCEL:
		if (w->state == TW__WORKER_COMPUTES)
			add_since(a, w, TW__WHY_CANCELLED);
		else
			end_state(a, w);
		tw__account_count(a, e->task, 1, 0, 1);
		a->tasks[e->task].step = 1;
		find_task(a, w);
		break;
	case TW__RELEASE:
		release(a, e->task);
		if (w->state == TW__WORKER_RELEASES) { /* otherwise it computes the next task already */
			end_state(a, w);
			find_task(a, w);
		}
		break;
	default:
		break;
	}
}

/* A transfer starts, or ends. */
static void count_transfer(struct tw__account *a, const struct tw__event *e, int by)
{
	const struct tw__node *nodes = a->run->platform->nodes;
	if (nodes[e->from].rank != nodes[e->node].rank) {
		for (int i = 0; i < a->n_groups; i++)
			a->groups[i].messages += a->groups[i].rank == nodes[e->node].rank ? by : 0;
		return;
	}
	a->moving[e->data] += by;
	a->nodes[e->node].busy += e->node == TW_RAM ? 0 : by;
	a->nodes[e->from].busy += e->from == TW_RAM ? 0 : by;
	a->nodes[e->from].homing += e->cause == TW__EVICTION ? by : 0;
}

static void copy_event(struct tw__account *a, const struct tw__event *e)
{
	uint8_t *copy = tw__account_copy(a, e->data, e->node);
	a->copies_changed = true;
	switch ((enum tw__event_kind)e->kind) {
	case TW__TRANSFER_START:
		*copy |= TW__COPY_COMING;
		count_transfer(a, e, 1);
		break;
	case TW__TRANSFER_END:
		*copy &= (uint8_t)~TW__COPY_COMING;
		count_transfer(a, e, -1);
		break;
	case TW__ALLOC:
		*copy |= TW__COPY_ROOM;
		a->nodes[e->node].used += e->bytes;
		break;
	case TW__FREE:
		*copy &= (uint8_t)~TW__COPY_ROOM;
		*copy |= e->cause == TW__EVICTION ? TW__COPY_EVICTED : 0;
		a->nodes[e->node].evicts |= e->cause == TW__EVICTION;
		a->nodes[e->node].used -= e->bytes < a->nodes[e->node].used ? e->bytes : a->nodes[e->node].used;
		break;
	case TW__VALID:
		*copy |= TW__COPY_VALID;
		*copy &= (uint8_t)~TW__COPY_EVICTED;
		break;
	case TW__INVALID:
		*copy &= (uint8_t)~TW__COPY_VALID;
		break;
	default:
		break;
	}
}

static void take(struct tw__account *a, const struct tw__event *e)
{
	switch ((enum tw__event_kind)e->kind) {
	case TW__SUBMIT:
		submit(a, e->task);
		break;
	case TW__READY:
		ready(a, e);
		break;
	case TW__ASSIGN:
	case TW__START:
	case TW__END:
	case TW__RELEASE:
	case TW__CANCEL:
	case TW__JOIN:
		task_event(a, e);
		break;
	default:
		copy_event(a, e);
		break;
	}
}

static void end_date(struct tw__account *a)
{
	for (int i = 0; i < a->n_waiting && a->copies_changed; i++)
		wait_on(a, &a->workers[a->waiting[i]]);
	a->copies_changed = false;
}

void tw__explain_workers(struct tw__explanation *e, const struct tw__explained_run *run,
                         const struct tw__past_items *items)
{
	struct tw__account a;
	struct tw__events all;
	tw__account_open(&a, e, run, items);
	tw__events_begin(&all, run->record);
	for (const struct tw__event *event; (event = tw__events_next(&all)) && event->date <= e->makespan;) {
		if (event->date != a.date) {
			end_date(&a);
			advance(&a, event->date);
		}
		take(&a, event);
	}
	end_date(&a);
	advance(&a, e->makespan);
	for (tw_worker w = 0; w < run->platform->n_workers; w++)
		end_state(&a, &a.workers[w]);
	tw__account_close(&a);
}
