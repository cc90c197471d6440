/* Executes a run in a child process. A crash of the run's policy ends only the child, so the command's other runs go
 * on. */
#include "experiment/child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/wall.h"
#include "experiment/arguments.h"
#include "experiment/computing.h"
#include "experiment/explained.h"
#include "experiment/learn.h"
#include "process/foreign.h"
#include "process/fork.h"
#include "request/identity.h"
#include "trace/write.h"

struct tw__validation_input tw__plan_validation(const struct tw__plan *plan)
{
	const struct tw__scene *scene = plan->scene;
	return (struct tw__validation_input){
		.platform = scene->platform,
		.graph = scene->graph,
		.times = &plan->truth,
		.capacity = plan->capacity,
		.home = tw__run_home(scene->platform, plan->capacity),
		.shares = tw__run_link_shares(&plan->params),
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
 * none. */
static void identify_inputs(const struct tw__request *request, struct tw__run_about *about,
                            struct tw__run_argument pairs[TW__N_INPUTS], char digests[][TW__DIGEST_TEXT])
{
	struct tw_error ignored;
	for (int i = 0; i < TW__N_INPUTS; i++)
		if (tw__identify_input((enum tw__input)i, request, digests[i], &ignored) == TW_OK)
			pairs[about->n_fingerprints++] = (struct tw__run_argument){
				.name = (char *)(uintptr_t)tw__input_name((enum tw__input)i), .value = digests[i]};
	about->fingerprints = pairs;
}

static int write_trace(const struct tw__plan *plan, struct tw__record *record, struct tw_error *err)
{
	const struct tw__request *request = plan->request;
	struct tw__run_about about = {
		.version = tw__results_version(), .identity = plan->identity, .mean = plan->truth.mean};
	struct tw__run_argument *arguments = tw__arguments_of(request, &about.n_arguments);
	if (!arguments)
		return tw_fail(err, TW_NOMEM, "out of memory");
	about.arguments = arguments;
	struct tw__run_argument inputs[TW__N_INPUTS];
	char digests[TW__N_INPUTS][TW__DIGEST_TEXT];
	identify_inputs(request, &about, inputs, digests);
	const struct tw__traced traced = {
		.platform = plan->scene->platform,
		.graph = plan->scene->graph,
		.record = record,
		.workload = request->workload,
		.policy = request->policy,
		.capacity = plan->capacity,
		.about = &about,
		.shares = tw__run_link_shares(&plan->params),
	};
	int status = tw__trace_write(request->trace, &traced, err);
	tw__arguments_free(arguments, about.n_arguments);
	return status;
}

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

static int run_own_or_foreign(const struct tw__run_input *input, const struct tw__request *request,
                              struct tw__outcome *outcome)
{
	struct tw__own_state own;
	bool foreign = tw__is_foreign(request);
	if (foreign)
		tw__foreign_begin(&own);
	int status = tw__run(input, &outcome->counters, &outcome->err);
	if (foreign && !tw__foreign_end(&own) && status == TW_OK)
		status =
			tw_fail(&outcome->err, TW_FAILED,
		                "a plug-in changed the rounding mode of floating-point numbers: expected it unchanged");
	return status;
}

static int run(const struct tw__plan *plan, const struct tw__learning *learning, struct tw__record *record,
               struct tw__pulse *pulse, struct tw__outcome *outcome, FILE *explanation)
{
	const struct tw__request *request = plan->request;
	static struct tw__run_input input; /* static: a thread of a run that hangs may still read `input` */
	input = tw__plan_input(plan, record);
	if (learning->learned)
		input.belief = &learning->belief;
	input.learned = learning->learned;
	input.pulse = pulse;
	forget_peak();
	double start_s = tw__wall_s();
	int status = run_own_or_foreign(&input, request, outcome);
	outcome->run_s = tw__wall_s() - start_s;

	struct rusage usage;
	if (getrusage(RUSAGE_SELF, &usage) == 0)
		outcome->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024; /* Linux gives ru_maxrss in KiB */
	if (status < 0)
		return status;
	if (!(plan->plugins.engine->caps & TW__ENGINE_COMPUTES))
		tw__memo_add_fits(plan->scene->memo, plan->runtime);

	if (plan->history && (status = tw__history_take(plan->history, record, &outcome->err)) < 0)
		return status;
	/* Write the trace before validation: users need the trace to look at an error that the validator finds. */
	if (request->trace)
		status = write_trace(plan, record, &outcome->err);
	if (status == TW_OK && request->validate) {
		status = validate(plan, record, &outcome->err);
		outcome->validated = status == TW_OK;
	}
	if (status == TW_OK && explanation)
		status = tw__plan_explain(plan, record, explanation, &outcome->err);
	return status;
}

void tw__plan_run_here(const struct tw__plan *plan, struct tw__pulse *pulse, struct tw__outcome *outcome,
                       FILE *explanation)
{
	memset(outcome, 0, sizeof *outcome);
	bool records = plan->request->trace || plan->request->validate || plan->history || explanation;
	static struct tw__record record; /* static: a thread of a run that hangs may still use the record */
	tw__record_init(&record);
	static struct tw__learning learning; /* static: a thread of a run that hangs may still use the learnt times */
	outcome->status = tw__learning_begin(&learning, plan, &outcome->err);
	if (outcome->status == TW_OK)
		outcome->status = run(plan, &learning, records ? &record : NULL, pulse, outcome, explanation);
	if (outcome->status == TW_OK) /* last, as a run that failed in any way must not save learnt kernel times */
		outcome->status = tw__learning_save(&learning, plan, &outcome->err);
	if (outcome->counters.hangs)
		return;
	tw__learning_finish(&learning);
	tw__record_finish(&record);
}

static void work(const void *child, int fd)
{
	const struct tw__child *c = child;
	struct tw__outcome *outcome = c->outcome;
	char *text = NULL; /* the explanation */
	size_t bytes = 0;
	FILE *explanation = c->plan->request->explain ? open_memstream(&text, &bytes) : NULL;
	outcome->status = c->plan->request->explain && !explanation
	                          ? tw_fail(&outcome->err, TW_NOMEM, "out of memory for the explanation")
	                          : tw__limit_begin(c->watched, c->plan->request->time_limit_s, &outcome->err);
	if (outcome->status == TW_OK)
		tw__plan_run_here(c->plan, &c->watched->pulse, outcome, explanation);
	if (explanation && fclose(explanation) != 0 && outcome->status == TW_OK)
		outcome->status = tw_fail(&outcome->err, TW_NOMEM, "out of memory for the explanation");
	tw__limit_end(c->watched);
	tw__check_leaks();
	tw__send(fd, outcome, sizeof *outcome, text, text ? bytes : 0);
	free(text);
}

static void fail(struct tw__outcome *outcome, const struct tw_error *err)
{
	memset(outcome, 0, sizeof *outcome);
	outcome->status = TW_FAILED;
	outcome->err = *err;
}

bool tw__child_start(struct tw__child *c, const struct tw__plan *plan, struct tw__watched_run *watched,
                     struct tw__outcome *outcome)
{
	struct tw_error err;
	*c = (struct tw__child){
		.plan = plan, .watched = watched, .outcome = outcome, .inbox = {.least = sizeof *outcome}};
	memset(outcome, 0, sizeof *outcome);
	memset(watched, 0, sizeof *watched);
	if (tw__fork(&c->pid, &c->fd, work, c, "the run", &err) == TW_OK)
		return true;
	fail(outcome, &err);
	return false;
}

/* Takes the whole result out of the inbox. */
static int take(struct tw__child *c, struct tw_error *err)
{
	size_t bytes;
	const char *result = tw__inbox_result(&c->inbox, &bytes);
	memcpy(c->outcome, result, sizeof *c->outcome);
	bytes -= sizeof *c->outcome;
	if (bytes == 0 || c->outcome->status < 0)
		return TW_OK;
	c->explanation = strndup(result + sizeof *c->outcome, bytes);
	return c->explanation ? TW_OK : tw_fail(err, TW_NOMEM, "out of memory for the explanation");
}

bool tw__child_receive(struct tw__child *c)
{
	struct tw_error err;
	int closed = tw__inbox_receive(&c->inbox, c->fd, &err);
	enum tw__inbox_state state = tw__inbox_state(&c->inbox);
	if (closed == 0 && state == TW__INBOX_PARTIAL)
		return false;
	if (closed < 0 || state == TW__INBOX_SPOILT)
		kill(c->pid, SIGKILL);
	tw__close_hidden(c->fd);
	int wait_status = tw__wait_for(c->pid);
	bool good = state == TW__INBOX_WHOLE && take(c, &err) == TW_OK;
	if (state == TW__INBOX_SPOILT)
		tw__explain_spoilt(&err);
	else if (state == TW__INBOX_PARTIAL && closed > 0)
		tw__limit_explain(&err, c->watched, c->plan->request->time_limit_s, c->plan->request->policy,
		                  c->plan->request->eviction, wait_status);
	if (!good)
		fail(c->outcome, &err);
	tw__inbox_finish(&c->inbox);
	return true;
}

void tw__child_kill(struct tw__child *c)
{
	kill(c->pid, SIGKILL);
	tw__close_hidden(c->fd);
	tw__wait_for(c->pid);
	tw__inbox_finish(&c->inbox);
}

void tw__plan_run(const struct tw__plan *plan, struct tw__outcome *outcome, char **explanation)
{
	struct tw__child child;
	struct tw__watched_run *watched = tw__watched_create(1);
	struct tw_error err;
	*explanation = NULL;
	if (!watched) {
		tw_fail(&err, TW_NOMEM, "out of memory");
		fail(outcome, &err);
		return;
	}
	if (tw__child_start(&child, plan, watched, outcome))
		while (!tw__child_receive(&child))
			;
	*explanation = child.explanation;
	tw__watched_destroy(watched, 1);
}
