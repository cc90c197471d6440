/* A script of actions at given dates for an engine, and the engine's answers. One script per process: Check forks for
 * each test. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <check.h>
#include <math.h>

#include "engine/engine.h"

enum { MAX_ACTIONS = 256 };

/* Dates and seconds of kernels are whole nanoseconds: script_add rounds them. */
struct action {
	double date;
	enum { EXEC, TRANSFER, CANCEL } what;
	int32_t from, to; /* TRANSFER: memories; EXEC: `from` is the worker; CANCEL: `from` is the index of an action */
	double amount;    /* in seconds or bytes */
};

struct answer {
	bool ended;
	int place;         /* index among all completions, from 0 */
	double start, end; /* as reported */
};

struct script {
	struct tw__platform *platform;
	enum tw__link_shares shares;
	struct action actions[MAX_ACTIONS]; /* sorted by date */
	int n_actions;
	double step; /* greatest time between two turns; INFINITY: only as needed */
	/* Results. */
	struct answer answers[MAX_ACTIONS];
	int n_ended;
	double last;         /* date at which nothing was under way any more */
	char complaint[256]; /* a violation of the engine's contract; "": none */
};

/* Adds hosts, links and routes between the usual first and last lines. */
void script_platform(struct script *, const char *xml);
int script_add(struct script *, struct action); /* returns its index */
int script_transfer(struct script *, double date, tw_node from, tw_node to, double bytes);
int script_exec(struct script *, double date, tw_worker, double seconds);
int script_cancel(struct script *, double date, int action);
void script_play(struct script *); /* fails if there is a complaint */
void script_finish(struct script *);

/* Computes the expected dates by a separate simulation: weighted max-min sharing, one queue per worker. It does not
 * support CANCEL. */
void oracle_play(const struct script *, struct answer *);

/* Opens an engine that drives `turn`; returns the result of the drive. */
struct stage {
	const struct tw__engine_ops *ops;
	struct tw__engine *engine;
};
int stage_run(const struct tw__platform *, enum tw__link_shares, tw__turn *turn, void *arg, struct stage *);
void stage_exec(struct stage *, tw_worker, double seconds, uint64_t token);

/* Engines round ends of transfers up. */
#define assert_date(date, expected) ck_assert_double_eq_tol((date), (expected), 1.01e-9)
#define assert_answer(s, i, from, until)                  \
	do {                                              \
		ck_assert((s)->answers[i].ended);         \
		assert_date((s)->answers[i].start, from); \
		assert_date((s)->answers[i].end, until);  \
	} while (0)

/* Of random cases, only each EVERY-th of the environment is tried: 1 if it is not there. */
int script_every(void);
/* Adds a loop test, for every script_every()-th of its numbers from 0. */
void add_every(TCase *, const TTest *, int n);
int run_suite(Suite *);

#endif
