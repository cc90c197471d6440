/* Runs a graph: opens the state of the run, runs the main loop, and closes the state. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/reduction.h"
#include "base/pages.h"
#include "base/door.h"
#include "runtime/messages.h"
#include "runtime/tasks.h"
#include "runtime/teams.h"
#include "runtime/memory/memory.h"
#include "runtime/state/domain.h"
#include "runtime/state/uses.h"
#include "runtime/state/wakeups.h"
#include "runtime/transfers/transfers.h"

/* --- the main loop of a run --------------------------------------------------------------------------------------- */

/* Lets the next runnable thread take its turn. Returns false if no thread is runnable. */
static bool next_turn(struct tw__rt *rt)
{
	if ((rt->idlers.any_called || rt->idlers.any_asks) && tw__idle_go_on(rt, tw__turns_first(rt)))
		return true;
	if (!tw__turns_queued(rt))
		return false;
	tw__driver_run(tw__turns_take(rt));
	return true;
}

static void heed_cancel(struct tw__rt *rt)
{
	if (rt->in->cancel && __atomic_load_n(rt->in->cancel, __ATOMIC_RELAXED))
		tw__rt_fail(rt, TW_CANCELLED, "the program has cancelled the run");
}

static void run_all(struct tw__rt *rt)
{
	while (rt->status == TW_OK) {
		heed_cancel(rt);
		if (rt->next_submitter->date <= rt->now)
			tw__submit(rt);
		else if (!next_turn(rt))
			return;
	}
}

static void transfer_ended(struct tw__rt *rt, struct request *r, const struct tw__completion *c)
{
	struct driver *d = issuer_of(rt, r->from, r->to);
	r->state = REQUEST_LANDED;
	tw__bus_done(rt, r, c);
	r->behind = NULL;
	*d->landed_end = r;
	d->landed_end = &r->behind;
	tw_id_set_put(&rt->moving, d->id, true);
	tw__rt_signal(d);
}

static void kernel_ended(struct tw__rt *rt, struct hold *h, const struct tw__completion *c)
{
	struct driver *d = h->driver;
	h->state = HOLD_ENDED;
	/* The end of the kernel wakes this thread, so that pushes need not. */
	if (d->accelerator && d->idle)
		tw_id_set_put(&rt->notified, d->worker, true);
	if (d->accelerator)
		tw__memory_kernel_over(rt, d->node);
	h->start = c->start;
	h->end = d->last_end = c->end;
	if (rt->in->learned && !c->interrupted)
		tw__learned_add(rt->in->learned, rt->graph->kernel[h->task], tw__task_arch(d, h),
		                tw__seconds(c->end - c->start));
	if (h->team)
		tw__team_end(h->team);
	tw__rt_record_kernel(rt, h, c->start, TW__END, c->end, c->call);
	tw__rt_signal(d);
}

/* Handles the end of a kernel, a transfer or a message. After a failure it is only counted. */
static void complete(struct tw__rt *rt, const struct tw__completion *c)
{
	struct activity *a = (struct activity *)(uintptr_t)c->token;
	rt->n_under_way -= a->kind != ACTIVITY_MESSAGE;
	if (c->status != TW_OK)
		tw__rt_fail(rt, c->status, "engine '%s': %s", rt->ops->name, c->why);
	if (rt->status != TW_OK)
		return;
	if (a->kind == ACTIVITY_TRANSFER)
		transfer_ended(rt, TW__CONTAINER(a, struct request, activity), c);
	else if (a->kind == ACTIVITY_MESSAGE)
		tw__message_ended(rt, tw__parcel_of(a), c->start, c->end);
	else
		kernel_ended(rt, TW__CONTAINER(a, struct hold, activity), c);
}

static void report_predictions(struct tw__rt *rt)
{
	struct tw__predictions p = tw__learned_predictions(rt->in->learned);
	rt->counters->predictions = p;
	tw__rt_report(rt, "predictions", (double)p.n);
	if (p.n > 0)
		tw__rt_report(rt, "prediction_error", p.error);
}

/* Reports how many candidates the plug-ins have looked at during the run. Before it: with their cost in seconds. */
static void report_looks(struct tw__rt *rt)
{
	struct tw__run_counters *c = rt->counters;
	tw__rt_report(rt, "looks", (double)(c->looks - c->decision_looks));
	if (c->decision_looks) {
		tw__rt_report(rt, "decision_looks", (double)c->decision_looks);
		tw__rt_report(rt, "decision_ns", (double)rt->decision);
	}
}

/* Ends all measures when the last task is done, though transfers may still be under way. */
static void end_measures(struct tw__rt *rt)
{
	rt->draining = true;
	tw__rt_beat(rt);
	tw__pulse_set(&rt->pulse->stage, TW__PULSE_OVER);
	rt->counters->makespan = rt->last_release;
	tw__submit_count(rt);
	for (tw_worker w = 0; w < rt->platform->n_workers; w++)
		rt->counters->joules += rt->platform->workers[w].idle_watts * tw__seconds(rt->last_release);
	if (!isnan(rt->counters->joules))
		tw__rt_report(rt, "joules", rt->counters->joules);
	if (rt->in->learned)
		report_predictions(rt);
	if (rt->cost.scan)
		report_looks(rt);
}

/* Plug-ins have called functions that have no run wrongly (base/door.h): that fails the run. */
static inline void heed_wrong_calls(struct tw__rt *rt)
{
	unsigned n = atomic_load_explicit(&tw__n_wrong_calls, memory_order_relaxed);
	if (n == rt->n_wrong_calls)
		return;
	rt->n_wrong_calls = n;
	const char *call = tw__wrong_calls_first();
	if (call)
		tw__domain_fail(rt->root, "%s", call);
	tw__wrong_calls_forget();
}

/* Lets every worker act until all wait for an event. If no event can come, the run is stuck. */
static void move(struct tw__rt *rt)
{
	for (;;) {
		run_all(rt);
		heed_wrong_calls(rt);
		const bool done = rt->n_done == rt->graph->n_tasks;
		if (done && rt->status == TW_OK && !rt->n_ends && tw__ends_begin(rt))
			continue;
		if (rt->status != TW_OK || (done && !rt->n_ends))
			end_measures(rt);
		/* Nodes of one process wait for each other, until the cluster lets one drop something. */
		if (rt->draining || rt->n_under_way || (rt->n_awaited && !rt->in->rank->processes) ||
		    tw__rt_next_date(rt) < TW__NEVER)
			return;
		if (tw__unjam(rt))
			continue;
		if (rt->n_awaited)
			return;
		tw__stuck(rt);
	}
}

static void go_on_at(struct tw__rt *rt, tw__ns now)
{
	rt->now = now;
	tw__rt_beat(rt);
	if (now == TW__LAST)
		tw__rt_fail(rt, TW_FAILED, "the run takes longer than %.0f s, the last date that there is",
		            tw__seconds(now));
	tw__rt_wake_scheduled(rt);
	if (!rt->draining)
		move(rt);
}

bool tw__run_turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct tw__rt *rt = arg;
	tw__engine_changes(rt);
	for (int i = 0; i < n; i++) {
		rt->now = now;
		complete(rt, &ended[i]);
	}
	go_on_at(rt, now);
	while ((*until = rt->draining ? TW__NEVER : tw__rt_next_date(rt)) < TW__NEVER && tw__engine_passes(rt, *until))
		go_on_at(rt, *until); /* no kernel or transfer ends by then, so the same turn goes on at that date */
	return !rt->draining || rt->n_under_way;
}

/* --- a run from opening to closing -------------------------------------------------------------------------------- */

static int init_eviction(struct tw__rt *rt)
{
	const struct tw_eviction *eviction = rt->in->eviction;
	int status = eviction->init ? eviction->init(rt->root, rt->eviction_state, rt->err) : TW_OK;
	if (status != TW_OK && !rt->err->message[0])
		tw_fail(rt->err, status, "eviction policy '%.100s': init failed and does not say why", eviction->name);
	return status;
}

/* Tells the eviction policy of the handles that have room at the start. */
static void tell_loaded(struct tw__rt *rt)
{
	for (tw_data d = 0; rt->graph->data_places[TW__HOME] && d < tw__graph_own_data(rt->graph); d++) {
		const tw_node n = tw__home_of(rt->homes, d);
		if (is_bounded(rt, n) && is_allocated(rt, d, n))
			rt->in->eviction->loaded(rt->root, rt->eviction_state, d, n);
	}
}

static void finish_eviction(struct tw__rt *rt)
{
	if (rt->in->eviction->finish)
		rt->in->eviction->finish(rt->root, rt->eviction_state);
}

static int init_plugins(struct tw__rt *rt)
{
	rt->err->message[0] = '\0';
	tw__wrong_calls_forget();
	rt->n_wrong_calls = atomic_load(&tw__n_wrong_calls);
	tw__rt_calls(rt, TW__CALL_EVICTION_INIT);
	int status = init_eviction(rt);
	if (status != TW_OK)
		return status;
	tell_loaded(rt);
	tw__rt_calls(rt, TW__CALL_INIT);
	status = tw__domains_init(rt);
	tw__rt_calls(rt, TW__CALL_NONE);
	if (status == TW_OK)
		tw__uses_open(rt);
	else
		finish_eviction(rt);
	return status;
}

/* Copies all handles that have no valid copy at home to it. */
static int collect(struct tw__rt *rt)
{
	int status = TW_OK;
	for (tw_data d = 0; rt->ops->collect && d < tw__graph_own_data(rt->graph) && status == TW_OK; d++)
		if (rt->data[d].n_valid && !is_valid(rt, d, tw__home_of(rt->homes, d)))
			status = rt->ops->collect(rt->engine, d, next_node(rt, d, VALID_ON, 0), rt->err);
	return status;
}

/* A turn that never returns: adds the plug-in's function that it is in to the engine's message. */
static void say_where(struct tw__rt *rt)
{
	char where[200];
	tw__pulse_call_text(rt->pulse, rt->in->n_domains == 1 ? rt->in->domains->policy->name : "(one of several)",
	                    rt->in->eviction->name, where, sizeof where);
	if (*where)
		tw_fail(rt->err, TW_FAILED, "%s, %s", rt->err->message, where);
}

static int drive(struct tw__rt *rt, bool *hangs)
{
	const struct tw__run_input *in = rt->in;
	const struct tw__engine_setup setup = {
		.platform = rt->platform,
		.graph = rt->graph,
		.shares = tw__run_link_shares(in->params),
		.capacity = rt->capacity,
		.homes = rt->homes,
		.seed = in->seed,
		.config = in->engine_config,
		.processes = in->rank ? in->rank->processes : NULL,
	};
	int status = in->engine->open(&rt->engine, &setup, rt->err);
	if (status == TW_OK) {
		tw__pulse_set(&rt->pulse->stage, TW__PULSE_RUNS);
		status = in->engine->drive(rt->engine, tw__run_turn, rt, rt->err);
	}
	if (status == TW_OK)
		status = rt->status;
	if (status == TW_OK)
		status = collect(rt);
	if (status == TW_OK && in->engine->finish)
		status = in->engine->finish(rt->engine, &rt->counters->engine, rt->err);
	*hangs = rt->engine && in->engine->hangs && in->engine->hangs(rt->engine);
	if (*hangs)
		say_where(rt);
	if (rt->engine)
		in->engine->close(rt->engine);
	return status;
}

/* From this number of tasks on, a run mostly waits for cache misses, so it uses huge pages. Runs with real kernels do
 * not, because their kernels are measured. */
enum { MANY_TASKS = 1 << 18 };

static struct costs costs_of(const struct tw__runtime_params *p, const struct tw__platform *platform)
{
	const int further = tw__platform_accelerators(platform) - 1, n = further > 0 ? further : 0;
	return (struct costs){
		.submit = tw__ns_of(p->submit_cost),
		.push = tw__ns_of(p->push_cost),
		.fetch = tw__ns_of(p->fetch_cost),
		.poll = tw__ns_of(p->poll_cost),
		.kernel_queue = tw__ns_of(p->kernel_queue_cost + n * p->kernel_queue_cost_per_gpu),
		.transfer_queue = tw__ns_of(p->transfer_queue_cost),
		.alloc = tw__ns_of(p->alloc_cost + n * p->alloc_cost_per_gpu),
		.turn = tw__ns_of(p->turn_cost),
		.scan = tw__ns_of(p->scan_cost),
		.message = tw__ns_of(p->message_cost),
		.receive_chunk = further < 0 ? 0 : tw__ns_of(p->receive_chunk_cost),
	};
}

/* Lets the submission begin when the decisions of the plug-ins' init have taken their time. */
static void pay_decisions(struct tw__rt *rt)
{
	int64_t n = rt->n_charged_looks = rt->counters->decision_looks = rt->counters->looks;
	rt->decision = tw__ns_of(rt->in->decision_cost * tw__seconds(tw__times_ns(rt->cost.scan, n)));
	tw__submit_begin(rt, rt->decision);
}

int tw__run_open(struct tw__rt **out, const struct tw__run_input *in, struct tw__run_counters *counters,
                 struct tw_error *err)
{
	*counters = (struct tw__run_counters){.engine = {NAN, NAN, NAN, NAN, NAN}};
	struct tw__rt *rt = *out = tw_alloc(1, sizeof *rt);
	*rt = (struct tw__rt){.in = in,
	                      .graph = in->graph,
	                      .platform = in->platform,
	                      .params = in->params,
	                      .cost = costs_of(in->params, in->platform),
	                      .ops = in->engine,
	                      .err = err,
	                      .n_nodes = in->platform->n_nodes,
	                      .counters = counters};
	rt->pulse = in->pulse ? in->pulse : &rt->own_pulse;
	atomic_store_explicit(&rt->pulse->n_tasks, rt->graph->n_tasks, memory_order_relaxed);
	int status = tw__rt_open(rt);
	if (status == TW_OK)
		status = init_plugins(rt);
	rt->has_begun = status == TW_OK;
	pay_decisions(rt);
	if (rt->graph->n_tasks >= MANY_TASKS && in->owns_process && !(in->engine->caps & TW__ENGINE_COMPUTES))
		tw__pages_advise_all();
	heed_wrong_calls(rt);
	return status == TW_OK ? rt->status : status; /* a plug-in's init may have ended the run already */
}

int tw__run_close(struct tw__rt *rt, int status)
{
	const struct tw__run_input *in = rt->in;
	if (rt->has_begun) {
		tw__domains_finish(rt);
		finish_eviction(rt);
	}
	heed_wrong_calls(rt);
	if (status == TW_OK)
		status = rt->status; /* a plug-in's finish may have failed */
	if (in->record) {
		in->record->makespan = rt->counters->makespan;
		in->record->measured = in->engine->caps & TW__ENGINE_COMPUTES;
		in->record->rounds = in->engine->caps & TW__ENGINE_ROUNDS;
	}
	tw__rt_close(rt);
	free(rt);
	return status;
}

/* --- the run of a cluster's node ---------------------------------------------------------------------------------- */

void tw__run_attach(struct tw__rt *rt, struct tw__engine *engine)
{
	rt->engine = engine;
	tw__pulse_set(&rt->pulse->stage, TW__PULSE_RUNS);
}

int tw__run_status(const struct tw__rt *rt) { return rt->status; }
tw__ns tw__run_now(const struct tw__rt *rt) { return rt->now; }
void tw__run_give_up(struct tw__rt *rt) { tw__rt_fail(rt, TW_FAILED, "another node's run has failed"); }

/* --- a run alone -------------------------------------------------------------------------------------------------- */

/* Profilers count the instructions of this function (scripts/speed), so it stays one when links are optimised. */
__attribute__((noinline)) int tw__run(const struct tw__run_input *in, struct tw__run_counters *counters,
                                      struct tw_error *err)
{
	struct tw__rt *rt;
	int status = tw__run_open(&rt, in, counters, err);
	if (status == TW_OK)
		status = drive(rt, &counters->hangs);
	return counters->hangs ? status : tw__run_close(rt, status);
}
