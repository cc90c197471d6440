/* Executes a run in a child process. A crash of the run's policy ends only the child, so the command's other runs go
 * on. */
#include "experiment/child.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "base/door.h"
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
	bool killed = wait_status == TW__END_UNKNOWN || (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL);
	if (!killed || run->deadline_s == 0 || tw__wall_s() < run->deadline_s) {
		tw__explain_end(err, "the run's process", wait_status);
		return;
	}
	describe(where, sizeof where, &run->pulse, policy, eviction);
	tw_fail(err, TW_FAILED, "stopped after %g s (--time-limit): %s", limit_s, where);
}

/* --- a child ------------------------------------------------------------------------------------------------------ */

/* The front of a child's result. Messages of the log, the explanation and the record follow. */
struct front {
	struct tw__outcome outcome;
	size_t log_bytes, explanation_bytes;
};

/* Keeps a message for the parent, whose callback may be code that cannot run in a child. */
static void keep_message(enum tw_log_level level, const char *message, void *log)
{
	fprintf(log, "%d%s\n", (int)level, message);
}

static void put(FILE *f, const void *bytes, size_t n)
{
	if (n > 0)
		fwrite(bytes, 1, n, f);
}

static void work(const void *child, int fd)
{
	const struct tw__child *c = child;
	struct front front;
	struct tw__record record;
	char *log = NULL, *explanation = NULL, *events = NULL, *tail;
	size_t events_bytes = 0, bytes;
	memset(&front, 0, sizeof front);
	struct tw__outcome *outcome = &front.outcome;
	FILE *messages = c->keeps_log ? tw__text_open(&log, &front.log_bytes) : NULL;
	if (messages)
		tw_set_log(keep_message, messages);
	FILE *f = c->plan->request->explain ? tw__text_open(&explanation, &front.explanation_bytes) : NULL;
	outcome->status = tw__limit_begin(c->watched, c->plan->request->time_limit_s, &outcome->err);
	if (outcome->status == TW_OK)
		tw__plan_run_here(c->plan, &c->watched->pulse, outcome, f, c->record ? &record : NULL);
	if (f)
		tw__text_close(f);
	tw__limit_end(c->watched);
	if (c->record && outcome->status == TW_OK) {
		events = tw__record_pack(&record, c->plan->scene->platform->n_workers, &events_bytes);
		tw__record_finish(&record);
	}
	if (messages) {
		tw_set_log(NULL, NULL);
		tw__text_close(messages);
	}
	if (!c->keeps_log) /* otherwise a program may have memory that this check cannot follow */
		tw__check_leaks();
	FILE *all = tw__text_open(&tail, &bytes);
	put(all, log, front.log_bytes);
	put(all, explanation, front.explanation_bytes);
	put(all, events, events_bytes);
	tw__text_close(all);
	tw__send(fd, &front, sizeof front, tail, bytes);
	free(log);
	free(explanation);
	free(events);
	free(tail);
}

static void fail(struct tw__outcome *outcome, const struct tw_error *err)
{
	memset(outcome, 0, sizeof *outcome);
	outcome->status = TW_FAILED;
	outcome->err = *err;
}

bool tw__child_start(struct tw__child *c, const struct tw__plan *plan, struct tw__watched_run *watched,
                     struct tw__outcome *outcome, bool keeps_log, struct tw__record *record)
{
	struct tw_error err;
	*c = (struct tw__child){.keeps_log = keeps_log,
	                        .record = record,
	                        .plan = plan,
	                        .watched = watched,
	                        .outcome = outcome,
	                        .inbox = {.least = sizeof(struct front)}};
	memset(outcome, 0, sizeof *outcome);
	memset(watched, 0, sizeof *watched);
	if (tw__fork(&c->pid, &c->fd, work, c, "the run", &err) == TW_OK)
		return true;
	fail(outcome, &err);
	return false;
}

static void tell_log(const char *log, const char *end)
{
	const char *line = log, *next;
	for (; line < end && (next = memchr(line, '\n', (size_t)(end - line))); line = next + 1)
		tw_log((enum tw_log_level)(*line - '0'), "%.*s", (int)(next - line - 1), line + 1);
}

/* Takes the whole result out of the inbox. False: its parts have other sizes than its front says. */
static bool take(struct tw__child *c)
{
	size_t bytes;
	struct front front;
	const char *log = tw__inbox_result(&c->inbox, &bytes) + sizeof front;
	memcpy(&front, log - sizeof front, sizeof front);
	bytes -= sizeof front;
	if (front.log_bytes > bytes || front.explanation_bytes > bytes - front.log_bytes)
		return false;
	const char *explanation = log + front.log_bytes, *events = explanation + front.explanation_bytes;
	tell_log(log, explanation);
	*c->outcome = front.outcome;
	if (front.outcome.status != TW_OK)
		return true;
	if (front.explanation_bytes > 0)
		c->explanation = tw_format("%.*s", (int)front.explanation_bytes, explanation);
	return !c->record || tw__record_unpack(c->record, events, bytes - (size_t)(events - log), c->plan->scene->graph,
	                                       c->plan->scene->platform);
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
	c->pid = 0;
	if (state == TW__INBOX_SPOILT)
		tw__explain_spoilt(&err);
	else if (state == TW__INBOX_PARTIAL)
		tw__limit_explain(&err, c->watched, c->plan->request->time_limit_s, c->plan->request->policy,
		                  c->plan->request->eviction, wait_status);
	if (state == TW__INBOX_WHOLE && !take(c)) {
		tw__explain_spoilt(&err);
		state = TW__INBOX_SPOILT;
	}
	if (state != TW__INBOX_WHOLE)
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

/* How often a run is asked whether it is cancelled. */
enum { CANCEL_MS = 50 };

/* Whether the child has ended, of itself or because the run was cancelled. */
static bool has_ended(struct tw__child *c, const int *cancel)
{
	struct pollfd polled = {c->fd, POLLIN, 0};
	if (!cancel || poll(&polled, 1, CANCEL_MS) > 0)
		return tw__child_receive(c);
	if (!__atomic_load_n(cancel, __ATOMIC_RELAXED))
		return false;
	tw__child_kill(c);
	c->outcome->status = tw_fail(&c->outcome->err, TW_CANCELLED, "the program has cancelled the run");
	return true;
}

/* Runs the plan in a child. If memory runs out in this process, the child is ended. */
static void run_in_child(const struct tw__plan *plan, struct tw__child *c, struct tw__watched_run *watched,
                         struct tw__outcome *outcome, struct tw__record *record)
{
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door)) {
		if (c->pid > 0)
			tw__child_kill(c);
		outcome->status = tw__out_of_memory(&outcome->err);
		return;
	}
	if (tw__child_start(c, plan, watched, outcome, true, record))
		while (!has_ended(c, plan->cancel))
			;
	tw__door_close(&door);
}

void tw__plan_run(const struct tw__plan *plan, struct tw__outcome *outcome, char **explanation,
                  struct tw__record *record)
{
	struct tw__child child = {0};
	struct tw__watched_run *watched = tw__watched_create(1);
	run_in_child(plan, &child, watched, outcome, record);
	if (explanation)
		*explanation = child.explanation;
	else
		free(child.explanation);
	tw__watched_destroy(watched, 1);
}
