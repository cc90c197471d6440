/* Executes a run in a child process. A crash of the run's policy ends only the child, so the command's other runs go
 * on. */
#include "experiment/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "base/wall.h"

/* --- time limits -------------------------------------------------------------------------------------------------- */

struct tw__watched_run *tw__watched_create(int n)
{
	void *shared = mmap(NULL, (size_t)n * sizeof(struct tw__watched_run), PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		tw__no_memory((size_t)n, sizeof(struct tw__watched_run));
	return shared;
}

void tw__watched_destroy(struct tw__watched_run *runs, int n) { munmap(runs, (size_t)n * sizeof *runs); }

int tw__limit_begin(struct tw__watched_run *run, double limit_s, struct tw_error *err)
{
	memset(run, 0, sizeof *run);
	if (limit_s <= 0)
		return TW_OK;
	run->deadline_s = tw__wall_s() + limit_s;
	return tw__kill_after(limit_s, err);
}

void tw__limit_end(struct tw__watched_run *run)
{
	tw__kill_no_more();
	run->deadline_s = 0;
}

/* How far the run was, for the end of a sentence. */
static void describe(char *text, size_t room, const struct tw__pulse *pulse, const char *policy, const char *eviction)
{
	const int n_done = pulse->n_done, n_tasks = pulse->n_tasks;
	char call[300];
	tw__pulse_call_text(pulse, policy, eviction ? eviction : "of the policy", call, sizeof call);
	const char *comma = *call ? ", " : "";
	if (pulse->stage == TW__PULSE_OVER)
		snprintf(text, room, "all its %d tasks were done, but not what follows: checks, trace", n_tasks);
	else if (pulse->stage == TW__PULSE_BEFORE)
		snprintf(text, room, "its first task had not been submitted%s%s", comma, call);
	else
		snprintf(text, room, "%d of %d tasks were done, the date was %.9g s%s%s", n_done, n_tasks,
		         tw__seconds(pulse->now), comma, call);
}

void tw__limit_explain(struct tw_error *err, const struct tw__watched_run *run, double limit_s, const char *policy,
                       const char *eviction, int wait_status)
{
	char where[400];
	bool killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
	if (!killed || run->deadline_s == 0 || tw__wall_s() < run->deadline_s) {
		tw__explain_end(err, "the run's process", wait_status);
		return;
	}
	describe(where, sizeof where, &run->pulse, policy, eviction);
	tw_fail(err, TW_FAILED, "stopped after %g s (--time-limit): %s", limit_s, where);
}

/* --- a child ------------------------------------------------------------------------------------------------------ */

static void work(const void *child, int fd)
{
	const struct tw__child *c = child;
	struct tw__outcome *outcome = c->outcome;
	char *text = NULL; /* the explanation */
	size_t bytes = 0;
	FILE *explanation = c->plan->request->explain ? tw__text_open(&text, &bytes) : NULL;
	outcome->status = tw__limit_begin(c->watched, c->plan->request->time_limit_s, &outcome->err);
	if (outcome->status == TW_OK)
		tw__plan_run_here(c->plan, &c->watched->pulse, outcome, explanation);
	if (explanation)
		tw__text_close(explanation);
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
static void take(struct tw__child *c)
{
	size_t bytes;
	const char *result = tw__inbox_result(&c->inbox, &bytes);
	memcpy(c->outcome, result, sizeof *c->outcome);
	bytes -= sizeof *c->outcome;
	if (bytes > 0 && c->outcome->status == TW_OK)
		c->explanation = tw_format("%.*s", (int)bytes, result + sizeof *c->outcome);
}

bool tw__child_receive(struct tw__child *c)
{
	struct tw_error err;
	bool closed = tw__inbox_receive(&c->inbox, c->fd);
	enum tw__inbox_state state = tw__inbox_state(&c->inbox);
	if (!closed && state == TW__INBOX_PARTIAL)
		return false;
	if (state == TW__INBOX_SPOILT)
		kill(c->pid, SIGKILL);
	tw__close_hidden(c->fd);
	int wait_status = tw__wait_for(c->pid);
	if (state == TW__INBOX_SPOILT)
		tw__explain_spoilt(&err);
	else if (state == TW__INBOX_PARTIAL)
		tw__limit_explain(&err, c->watched, c->plan->request->time_limit_s, c->plan->request->policy,
		                  c->plan->request->eviction, wait_status);
	if (state == TW__INBOX_WHOLE)
		take(c);
	else
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

void tw__plan_run(const struct tw__plan *plan, struct tw__outcome *outcome)
{
	struct tw__child child;
	struct tw__watched_run *watched = tw__watched_create(1);
	if (tw__child_start(&child, plan, watched, outcome))
		while (!tw__child_receive(&child))
			;
	free(child.explanation);
	tw__watched_destroy(watched, 1);
}
