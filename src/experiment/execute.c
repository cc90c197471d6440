/* Executes a run in this process: its events, and what is made of them then: trace, validation, explanation. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/door.h"
#include "base/json_text.h"
#include "base/wall.h"
#include "cluster/cluster.h"
#include "cluster/processes.h"
#include "experiment/load.h"
#include "explain/explain.h"
#include "graph/parts.h"
#include "process/fork.h"
#include "process/shared_object.h"
#include "request/fields.h"
#include "request/identity.h"
#include "trace/write.h"

/* --- validation and trace ----------------------------------------------------------------------------------------- */

struct tw__validation_input tw__plan_validation(const struct tw__plan *plan)
{
	const struct tw__scene *scene = plan->scene;
	return (struct tw__validation_input){
		.platform = tw__plan_platform(plan),
		.graph = scene->graph,
		.times = &plan->truth,
		.capacity = plan->capacity,
		.homes = tw__run_homes(scene->platform, scene->graph, &plan->params, plan->capacity),
		.shares = tw__run_link_shares(&plan->params),
		.domains = tw__plan_domains(plan),
		.moves_nothing = tw__computing_is_empty(plan),
	};
}

static int validate(const struct tw__plan *plan, struct tw__record *record, struct tw_error *err)
{
	const struct tw__validation_input input = tw__plan_validation(plan);
	int status = tw__validate(&input, record, NULL, err);
	return status < 0 ? tw_fail(err, status, "validation: %s", err->message) : TW_OK;
}

/* The digests of the run's inputs, for its trace. An input that can be read only once, or that is gone by now, has
 * none; nor has a program's own graph. */
static void identify_inputs(const struct tw__request *request, struct tw__run_about *about,
                            struct tw__run_argument pairs[TW__N_INPUTS], char digests[][TW__DIGEST_TEXT])
{
	struct tw_error ignored;
	for (int i = 0; i < TW__N_INPUTS; i++)
		if (!(i == TW__INPUT_WORKLOAD && request->own.graph) &&
		    tw__identify_input((enum tw__input)i, request, digests[i], &ignored) == TW_OK)
			pairs[about->n_fingerprints++] = (struct tw__run_argument){
				.name = (char *)(uintptr_t)tw__input_name((enum tw__input)i), .value = digests[i]};
	about->fingerprints = pairs;
}

struct tw__traced tw__plan_traced(const struct tw__plan *plan, struct tw__record *record)
{
	return (struct tw__traced){
		.platform = tw__plan_platform(plan),
		.graph = plan->scene->graph,
		.record = record,
		.workload = plan->request->workload,
		.policy = plan->request->policy,
		.capacity = plan->capacity,
		.shares = tw__run_link_shares(&plan->params),
		.domains = tw__plan_domains(plan),
	};
}

int tw__plan_write_trace(const struct tw__plan *plan, const char *path, struct tw__record *record, struct tw_error *err)
{
	const struct tw__request *request = plan->request;
	struct tw__run_about about = {
		.version = tw__results_version(), .identity = plan->identity, .mean = plan->truth.mean};
	struct tw__run_argument *arguments = tw__arguments_of(request, &about.n_arguments);
	about.arguments = arguments;
	struct tw__run_argument inputs[TW__N_INPUTS];
	char digests[TW__N_INPUTS][TW__DIGEST_TEXT];
	identify_inputs(request, &about, inputs, digests);
	struct tw__traced traced = tw__plan_traced(plan, record);
	traced.about = &about;
	int status = tw__trace_write(path, &traced, err);
	tw__arguments_free(arguments, about.n_arguments);
	return status;
}

/* --- explanation -------------------------------------------------------------------------------------------------- */

/* Returns how long a worker may wait for a ready task before the policy is blamed. It is the cost of the runtime's
 * steps in between, as each step may wait for the same steps of all other workers. */
static tw__ns patience(const struct tw__plan *plan, bool measured)
{
	const struct tw__runtime_params *p = &plan->params;
	const struct tw__platform *platform = plan->scene->platform;
	double step_s = p->push_cost + p->turn_cost + p->poll_cost * platform->n_nodes;
	return tw__ns_of(step_s * platform->n_workers + (measured ? 100e-6 : 0));
}

struct tw__explained_run tw__plan_explained(const struct tw__plan *plan, struct tw__record *record)
{
	const struct tw__platform *platform = tw__plan_platform(plan);
	return (struct tw__explained_run){
		.platform = platform,
		.graph = plan->scene->graph,
		.program = tw__scene_program(plan->scene),
		.times = &plan->truth,
		.capacity = plan->capacity,
		.homes = tw__run_homes(platform, plan->scene->graph, &plan->params, plan->capacity),
		.shares = tw__run_link_shares(&plan->params),
		.domains = tw__plan_domains(plan),
		.patience = patience(plan, record->measured),
		.record = record,
	};
}

int tw__plan_explain(const struct tw__plan *plan, struct tw__record *record, enum tw__explain_as format, FILE *f,
                     struct tw_error *err)
{
	const struct tw__request *request = plan->request;
	const struct tw__explained_run run = tw__plan_explained(plan, record);
	const struct tw__explained_name name = {
		.platform = request->platform, .workload = request->workload, .policy = request->policy};
	struct tw__explanation e;
	int status = tw__explain_schedule(&e, &run, err);
	if (status < 0)
		return status;
	if (format == TW__EXPLAIN_JSON)
		tw__json_put(f, tw__explanation_json(&e, &run, &name, false), JSON_REAL_PRECISION(15));
	else
		tw__explanation_print(f, &e, &run, &name, false);
	tw__explanation_finish(&e);
	if (fflush(f) != 0 || ferror(f))
		return tw_fail(err, TW_FAILED, "the explanation cannot be written: %s", strerror(errno));
	return TW_OK;
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

/* Resets the peak resident memory of this process, which earlier points of a sweep may have raised. Without
 * /proc/self/clear_refs the peak of earlier points counts for this point, too. */
static void forget_peak(void)
{
	int fd = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)!write(fd, "5", 1); /* writing 5 resets the peak memory: see proc(5) */
	close(fd);
}

static int run_own_or_foreign(const struct tw__run_input *input, const struct tw__plan *plan,
                              struct tw__outcome *outcome)
{
	const struct tw__request *request = plan->request;
	struct tw__own_state own;
	bool foreign = tw__is_foreign(request);
	if (foreign)
		tw__foreign_begin(&own);
	int status = plan->request->n_processes > 1 ? tw__processes_run(input, tw__scene_program(plan->scene),
	                                                                &outcome->counters, &outcome->err)
	                                            : tw__cluster_run(input, &outcome->counters, &outcome->err);
	if (foreign && !tw__foreign_end(&own) && status == TW_OK)
		status =
			tw_fail(&outcome->err, TW_FAILED,
		                "a plug-in changed the rounding mode of floating-point numbers: expected it unchanged");
	return status;
}

/* The input of a run, and all that it fills. Threads of a run that hangs may use them for ever. */
struct state {
	struct tw__run_input input;
	struct tw__record record;
	struct tw__learning learning;
};

/* --- graphs alone ------------------------------------------------------------------------------------------------- */

/* The times of a part of the graph. `own`: [archs] room for the arrays of single tasks' seconds. */
static struct tw__times times_of_part(const struct tw__times *times, const struct tw_graph *part, tw_task first,
                                      double **own)
{
	struct tw__times of = *times;
	of.n_tasks = part->n_tasks;
	of.noise.first = first;
	for (int a = 0; times->own && a < times->n_archs; a++)
		own[a] = times->own[a] ? times->own[a] + first : NULL;
	of.own = times->own ? own : NULL;
	return of;
}

/* Runs a graph of the plan's alone, without the others, from date 0 on. Returns its makespan; TW__NEVER: the run has
 * failed. */
static tw__ns run_alone(const struct tw__plan *plan, const struct tw__run_input *all, int i)
{
	const tw_task first = plan->scene->graph->parts[i].first;
	struct tw_graph *part = tw__graph_part(plan->scene->graph, i, true);
	double **own[2];
	for (int k = 0; k < 2; k++)
		own[k] = tw_alloc((size_t)all->truth->n_archs, sizeof **own);
	const struct tw__times truth = times_of_part(all->truth, part, first, own[0]),
			       belief = times_of_part(all->belief, part, first, own[1]);
	struct tw__run_input input = *all;
	input.engine = &tw__engine_native; /* SimGrid simulates once in a process */
	input.graph = part;
	input.truth = &truth;
	input.belief = &belief;
	input.domain_of = all->domain_of ? all->domain_of + first : NULL;
	input.learned = NULL; /* the policy believes what it knows at the end of the run */
	input.record = NULL;
	input.pulse = NULL;
	struct tw__outcome *alone = tw_alloc(1, sizeof *alone);
	int status = run_own_or_foreign(&input, plan, alone);
	tw__ns makespan = status == TW_OK ? alone->counters.makespan : TW__NEVER;
	free(alone);
	free(own[0]);
	free(own[1]);
	tw_graph_destroy(part);
	return makespan;
}

static void name_graphs(const struct tw_graph *graph, struct tw__run_counters *c)
{
	for (int i = 0; i < c->n_graphs; i++)
		snprintf(c->graphs[i].name, sizeof c->graphs[i].name, "%s", graph->parts[i].name);
}

/* Engines that compute would take the time of each run once more. */
static void run_graphs_alone(const struct tw__plan *plan, const struct tw__run_input *input, struct tw__run_counters *c)
{
	for (int i = 0; i < c->n_graphs && !(plan->plugins.engine->caps & TW__ENGINE_COMPUTES); i++)
		c->graphs[i].alone = run_alone(plan, input, i);
}

/* --- the run with all that follows -------------------------------------------------------------------------------- */

static int run(const struct tw__plan *plan, struct state *s, struct tw__record *record, struct tw__pulse *pulse,
               struct tw__outcome *outcome, FILE *explanation)
{
	const struct tw__request *request = plan->request;
	s->input = tw__plan_input(plan, record);
	if (s->learning.learned)
		s->input.belief = &s->learning.belief;
	s->input.learned = s->learning.learned;
	s->input.owns_process = tw__is_child();
	s->input.pulse = pulse;
	if (tw__is_child()) /* another process's peak is not ours to reset */
		forget_peak();
	double start_s = tw__wall_s();
	int status = run_own_or_foreign(&s->input, plan, outcome);
	outcome->run_s = tw__wall_s() - start_s;

	struct rusage usage;
	if (getrusage(RUSAGE_SELF, &usage) == 0)
		outcome->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024; /* Linux gives ru_maxrss in KiB */
	if (status < 0)
		return status;
	if (!(plan->plugins.engine->caps & TW__ENGINE_COMPUTES) && !plan->domain_of)
		tw__memo_add_fits(plan->scene->memo, plan->runtime);

	if (request->process > 0) /* process 0 has the results */
		return TW_OK;
	name_graphs(plan->scene->graph, &outcome->counters);
	run_graphs_alone(plan, &s->input, &outcome->counters);
	if (plan->history && (status = tw__history_take(plan->history, record, &outcome->err)) < 0)
		return status;
	/* Write the trace before validation: users need the trace to look at an error that the validator finds. */
	if (request->trace)
		status = tw__plan_write_trace(plan, request->trace, record, &outcome->err);
	if (status == TW_OK && request->validate) {
		status = validate(plan, record, &outcome->err);
		outcome->validated = status == TW_OK;
	}
	if (status == TW_OK && explanation)
		status = tw__plan_explain(plan, record, request->explain, explanation, &outcome->err);
	return status;
}

static void run_recorded(const struct tw__plan *plan, struct tw__pulse *pulse, struct tw__outcome *outcome,
                         FILE *explanation, struct tw__record *kept)
{
	bool records = plan->request->trace || plan->request->validate || plan->history || explanation || kept;
	struct state *s = tw_alloc(1, sizeof *s);
	tw__record_init(&s->record);
	outcome->status = tw__learning_begin(&s->learning, plan, &outcome->err);
	if (outcome->status == TW_OK)
		outcome->status = run(plan, s, records ? &s->record : NULL, pulse, outcome, explanation);
	if (outcome->status == TW_OK) /* last, as a run that failed in any way must not save learnt kernel times */
		outcome->status = tw__learning_save(&s->learning, plan, &outcome->err);
	if (outcome->counters.hangs)
		return;
	tw__learning_finish(&s->learning);
	if (kept && outcome->status == TW_OK)
		*kept = s->record;
	else
		tw__record_finish(&s->record);
	free(s);
}

void tw__plan_run_here(const struct tw__plan *plan, struct tw__pulse *pulse, struct tw__outcome *outcome,
                       FILE *explanation, struct tw__record *record)
{
	struct tw__door door;
	memset(outcome, 0, sizeof *outcome);
	if (TW__MEMORY_RUNS_OUT(&door)) {
		outcome->status = tw__out_of_memory(&outcome->err);
		return;
	}
	run_recorded(plan, pulse, outcome, explanation, record);
	tw__door_close(&door);
}
