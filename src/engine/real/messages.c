/* Messages to and from other processes, if these are the nodes of a cluster. One thread makes all calls of the
 * transport. The processes tell each other a few times a second what they do. So all notice when every process waits,
 * and when all have ended. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "engine/real/office.h"

/* The news of a process, which are added up: whether it has ended; whether nothing but messages is under way; a number
 * that grows with all that happens. */
enum { ENDED, IDLE, MOVED, N_NEWS };

#define ROUND_S 0.1      /* between two rounds of news, unless the run has ended here */
#define QUIET_S 2.0      /* all wait for so long, and for the longest message: then one is lost */
#define SLOWEST_RATE 5e7 /* bytes per second of a message */
#define SPIN_S 20e-6     /* looks for ends of messages without a nap */
#define NAP_S 100e-6     /* the longest nap between two looks */

struct tw__post_office {
	struct tw__engine *engine;
	struct tw__seat seat;
	pthread_t thread;
	bool runs;
	atomic_bool leaves, has_ended;
	struct tw__job **of; /* by the number of the end */
	size_t capacity;
	int n_numbers, n_under_way;
	bool *begun; /* [messages] whether this process has begun its end */
	int64_t n_moved;
	int64_t *versions; /* [data] version of the content in main memory; only turns use it */
	/* The round of news. */
	bool asks;
	tw__ns asked;
	int64_t own[TW__TRANSPORT_MOST_VALUES], all[TW__TRANSPORT_MOST_VALUES], moved;
	int n_quiet;
	int status; /* with its message, once the thread has returned */
	struct tw_error err;
	char why[300];
};

static const struct tw__message *message_of(const struct tw__post_office *o, int32_t message)
{
	return &o->engine->processes->whole->ranks->messages[message];
}

/* Returns the number of a message's handle in the program; TW_NONE: it has none. */
static tw_data data_of(const struct tw__post_office *o, int32_t message)
{
	const struct tw_graph *whole = o->engine->processes->whole;
	const tw_task t = message_of(o, message)->receive;
	return whole->ranks->data_origin[tw__access_data(whole->access[whole->access_start[t]])];
}

/* "message 7 with data 3 from process 0 to process 1" */
static const char *name(const struct tw__post_office *o, int32_t message, char *text, size_t room)
{
	const struct tw__message *m = message_of(o, message);
	char with[40] = "";
	if (data_of(o, message) != TW_NONE)
		snprintf(with, sizeof with, " with data %d", (int)data_of(o, message));
	snprintf(text, room, "message %d%s from process %d to process %d", (int)message, with, (int)m->from,
	         (int)m->to);
	return text;
}

/* --- both ends of a message --------------------------------------------------------------------------------------- */

static uint64_t sum_of(const void *at, uint64_t bytes)
{
	const char *from = at;
	uint64_t sum = bytes, word;
	for (; bytes >= sizeof word; bytes -= sizeof word, from += sizeof word) {
		memcpy(&word, from, sizeof word);
		sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 32;
	}
	for (; bytes > 0; bytes--)
		sum = (sum ^ (unsigned char)*from++) * UINT64_C(0x9e3779b97f4a7c15);
	return sum;
}

static bool sends(const struct tw__post_office *o, const struct tw__job *job)
{
	return message_of(o, job->message)->from == o->engine->processes->number;
}

void tw__real_message(struct tw__engine *e, int32_t message, tw_data d, uint64_t token)
{
	struct tw__job *job = tw__job_get(e, token);
	e->n_busy--; /* others than this process end it */
	job->is_message = true;
	job->message = message;
	job->data = d;
	job->target = tw__spaces_at(&e->spaces, TW_RAM, d);
	job->bytes = e->graph->data_bytes[d];
	job->envelope = (struct tw__envelope){.number = message, .version = e->office->versions[d]};
	tw__seat_give(&e->office->seat, &job->post);
}

static void begin(struct tw__post_office *o, struct tw__job *job)
{
	const struct tw__processes *p = o->engine->processes;
	const struct tw__message *m = message_of(o, job->message);
	const bool is_sent = sends(o, job);
	job->start = tw__clock_now(&o->engine->clock);
	if (is_sent)
		job->envelope.sum = sum_of(job->target, job->bytes);
	const int number = p->ops->begin(p->transport, is_sent, is_sent ? m->to : m->from, job->message, &job->envelope,
	                                 job->target, job->bytes);
	TW_RESERVE(o->of, o->capacity, (size_t)number + 1);
	o->n_numbers = number < o->n_numbers ? o->n_numbers : number + 1;
	o->of[number] = job;
	o->begun[job->message] = true;
	o->n_under_way++;
	o->n_moved++;
}

/* "the content of task 4", or "initial content" */
static const char *version_text(char *text, size_t room, int64_t version)
{
	snprintf(text, room, version == TW_NONE ? "initial content" : "the content of task %lld", (long long)version);
	return text;
}

/* Sets job->why if the message is not the expected one. */
static void check(struct tw__post_office *o, struct tw__job *job)
{
	const struct tw__envelope *e = &job->envelope;
	const int64_t version = o->engine->processes->version[job->message];
	char what[120], got[40], right[40];
	name(o, job->message, what, sizeof what);
	if (e->number != job->message)
		snprintf(o->why, sizeof o->why, "%s has the content of message %lld", what, (long long)e->number);
	else if (e->sum != sum_of(job->target, job->bytes))
		snprintf(o->why, sizeof o->why, "%s was changed on its way: its checksum is wrong", what);
	else if (e->version != version)
		snprintf(o->why, sizeof o->why, "%s has %s: expected %s", what,
		         version_text(got, sizeof got, e->version), version_text(right, sizeof right, version));
	else
		return;
	job->why = o->why;
}

static void end(struct tw__post_office *o, struct tw__job *job)
{
	struct tw__engine *e = o->engine;
	job->end = tw__clock_now(&e->clock);
	o->n_under_way--;
	o->n_moved++;
	if (!sends(o, job)) {
		check(o, job);
		e->processes->received++;
		e->processes->received_bytes += job->bytes;
	}
	tw__job_ended(e, job);
}

void tw__office_note(struct tw__engine *e, const struct tw__job *job)
{
	const struct tw_graph *g = e->graph;
	int64_t *versions = e->office->versions;
	if (job->is_message)
		versions[job->data] = job->envelope.version;
	if (job->is_message || job->is_copy || job->is_content || job->is_rehearsal)
		return;
	for (uint32_t a = g->access_start[job->task]; a < g->access_start[job->task + 1]; a++)
		if (g->access[a] & TW_W)
			versions[tw__access_data(g->access[a])] = e->processes->task_origin[job->task];
}

/* --- the news of all processes ------------------------------------------------------------------------------------ */

static void fail(struct tw__post_office *o, const char *format, ...) TW_PRINTF(2, 3);
static void fail(struct tw__post_office *o, const char *format, ...)
{
	char text[400];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	o->status = tw_fail(&o->err, TW_FAILED, "%s", text);
	tw__watch_fail(&o->engine->watch, o->status, &o->err);
}

/* Combines values of all processes, which do this at one time. False: the thread is to leave meanwhile. */
static bool combine(struct tw__post_office *o)
{
	const struct tw__processes *p = o->engine->processes;
	p->ops->combine(p->transport, true, o->own, o->all, TW__TRANSPORT_MOST_VALUES);
	while (!p->ops->is_combined(p->transport)) {
		if (o->leaves)
			return false;
		tw__seat_wait(&o->seat, NAP_S);
	}
	return true;
}

/* Returns the least number of the messages that this process waits to receive, or that others are to receive; INT_MAX:
 * there is none. */
static int least(const struct tw__post_office *o, bool is_sent)
{
	int number = INT_MAX;
	for (int i = 0; i < o->n_numbers; i++)
		if (o->of[i] && sends(o, o->of[i]) == is_sent && o->of[i]->message < number)
			number = o->of[i]->message;
	return number;
}

/* All processes wait. Says for which message: the program's first one that a process waits to receive. If there is
 * none, it is the first that nobody receives. */
static void blame(struct tw__post_office *o)
{
	const struct tw__processes *p = o->engine->processes;
	char what[120];
	memset(o->own, 0, sizeof o->own);
	o->own[0] = -least(o, false);
	o->own[1] = -least(o, true);
	if (!combine(o))
		return;
	const bool lacks_send = o->all[0] != -INT_MAX;
	const int number = (int)-o->all[!lacks_send];
	if (number == INT_MAX) {
		fail(o, "stuck: all processes wait, and none for a message");
		return;
	}
	const struct tw__message *m = message_of(o, number);
	o->own[0] = p->number == m->from && o->begun[number];
	o->own[1] = p->number == m->to && o->begun[number];
	if (!combine(o))
		return;
	name(o, number, what, sizeof what);
	if (!lacks_send && o->all[1])
		fail(o, "stuck: all processes wait: %s was received, but from another send", what);
	else if (!lacks_send)
		fail(o, "stuck: all processes wait: %s was sent, and nobody receives it: its task is not ready", what);
	else if (o->all[0])
		fail(o, "stuck: all processes wait: %s was sent, and has not arrived", what);
	else
		fail(o, "stuck: all processes wait: %s is not sent: its task is not ready", what);
}

/* All processes have ended: each message was received once. A further one must not be there. */
static void look_for_more(struct tw__post_office *o)
{
	const struct tw__processes *p = o->engine->processes;
	int from;
	int32_t message;
	char what[120];
	memset(o->own, 0, sizeof o->own);
	if (p->ops->finds(p->transport, &from, &message))
		o->own[0] = 1 + message;
	if (combine(o) && o->all[0] > p->whole->ranks->n_messages)
		fail(o, "a message with the number %d has arrived, which no task sends", (int)o->all[0] - 1);
	else if (o->all[0])
		fail(o, "%s has arrived more than once", name(o, (int32_t)o->all[0] - 1, what, sizeof what));
}

static int most_quiet(const struct tw__processes *p)
{
	return (int)((QUIET_S + (double)p->most_bytes / SLOWEST_RATE) / ROUND_S);
}

/* Begins a round of news, or looks whether it has ended. False: the run is over. */
static bool exchange(struct tw__post_office *o)
{
	struct tw__engine *e = o->engine;
	const struct tw__processes *p = e->processes;
	const tw__ns now = tw__clock_now(&e->clock);
	if (!o->asks) {
		const bool ended = o->has_ended;
		if (!ended && tw__seconds(now - o->asked) < ROUND_S)
			return true;
		o->own[ENDED] = ended;
		o->own[IDLE] = ended || (e->n_busy == 0 && !tw__baton_is_led(e->baton));
		o->own[MOVED] = o->n_moved + (int64_t)tw__baton_turns(e->baton);
		p->ops->combine(p->transport, false, o->own, o->all, N_NEWS);
		o->asks = true;
		o->asked = now;
	}
	if (!p->ops->is_combined(p->transport))
		return true;
	o->asks = false;
	const bool quiet = o->all[IDLE] == p->n && o->all[MOVED] == o->moved;
	o->n_quiet = quiet ? o->n_quiet + 1 : 0;
	o->moved = o->all[MOVED];
	if (o->all[ENDED] == p->n)
		look_for_more(o);
	else if (o->n_quiet > most_quiet(p))
		blame(o);
	else
		return true;
	return false;
}

/* --- the thread --------------------------------------------------------------------------------------------------- */

/* Begins and ends what there is. Returns whether there was anything. */
static bool serve_once(struct tw__post_office *o)
{
	const struct tw__processes *p = o->engine->processes;
	bool any = false;
	int n;
	for (struct tw__post *post; (post = tw__seat_poll(&o->seat)); any = true)
		begin(o, tw__job_of(post));
	const int *numbers = p->ops->ended(p->transport, &n);
	for (int i = 0; i < n; i++) {
		struct tw__job *job = o->of[numbers[i]];
		o->of[numbers[i]] = NULL;
		end(o, job);
	}
	return any || n > 0;
}

/* A nap is as long as an eighth of the time without news, so a message that comes soon is noticed soon. */
static void serve(void *arg)
{
	struct tw__post_office *o = arg;
	const struct tw__clock *clock = &o->engine->clock;
	tw__ns last = tw__clock_now(clock);
	prctl(PR_SET_TIMERSLACK, 1UL); /* naps end as precisely as possible */
	while (!o->leaves && exchange(o)) {
		const tw__ns now = tw__clock_now(clock);
		last = serve_once(o) ? now : last;
		const double without_s = tw__seconds(now - last);
		if (!o->n_under_way)
			tw__seat_wait(&o->seat, o->asks ? NAP_S : ROUND_S);
		else if (without_s > SPIN_S)
			tw__seat_wait(&o->seat, without_s < 8 * NAP_S ? without_s / 8 : NAP_S);
	}
}

int tw__office_open(struct tw__engine *e, struct tw_error *err)
{
	const struct tw__processes *p = e->processes;
	const int64_t n = p->whole->ranks->n_messages;
	if (n > p->ops->most_messages(p->transport))
		return tw_fail(err, TW_INVALID, "engine 'real': %lld messages: MPI has %lld tags: expected fewer tasks",
		               (long long)n, (long long)p->ops->most_messages(p->transport));
	if (p->most_bytes > INT_MAX)
		return tw_fail(err, TW_INVALID,
		               "engine 'real': a message of %llu bytes: expected handles of %d at most",
		               (unsigned long long)p->most_bytes, INT_MAX);
	struct tw__post_office *o = e->office = tw__aligned_room(sizeof *o);
	memset(o, 0, sizeof *o);
	o->engine = e;
	tw__seat_init(&o->seat);
	o->begun = tw__arena_alloc(&e->memory, (size_t)n, sizeof *o->begun);
	o->versions = tw__arena_alloc(&e->memory, (size_t)e->graph->n_data, sizeof *o->versions);
	for (tw_data d = 0; d < e->graph->n_data; d++)
		o->versions[d] = TW_NONE;
	return TW_OK;
}

static void stop(struct tw__post_office *o)
{
	if (o->runs)
		pthread_join(o->thread, NULL);
	o->runs = false;
}

void tw__office_close(struct tw__engine *e)
{
	struct tw__post_office *o = e->office;
	if (!o)
		return;
	o->leaves = true;
	tw__seat_nudge(&o->seat);
	stop(o);
	free(o->of);
	free(o);
}

int tw__office_start(struct tw__engine *e, struct tw_error *err)
{
	const struct tw__processes *p = e->processes;
	struct timespec zero = {0};
	p->ops->start(p->transport, &zero, sizeof zero); /* the others may come much later */
	clock_gettime(CLOCK_MONOTONIC, &zero);
	p->ops->start(p->transport, &zero, sizeof zero);
	if (p->ops->is_one_machine(p->transport))
		e->clock.zero = zero;
	else
		clock_gettime(CLOCK_MONOTONIC, &e->clock.zero);
	e->office->runs = tw__start_thread(e, &e->office->thread, serve, e->office, "messages", err) == TW_OK;
	return e->office->runs ? TW_OK : TW_SYSTEM;
}

int tw__office_settle(struct tw__engine *e, struct tw_error *err)
{
	struct tw__post_office *o = e->office;
	o->has_ended = true;
	tw__seat_nudge(&o->seat);
	stop(o);
	return o->status == TW_OK ? TW_OK : tw_fail(err, o->status, "engine 'real': %s", o->err.message);
}
