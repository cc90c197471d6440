/* Time limits of runs: a timer of the run's own process kills it. So a limit holds whatever a plug-in or an engine
 * does, and even while the parent prepares other runs. */
#ifndef TW__LIMIT_H
#define TW__LIMIT_H

#include "runtime/pulse.h"
#include <tilewright/base.h>

/* A run's pulse and limit, in memory that its process shares with the parent. */
struct tw__watched_run {
	struct tw__pulse pulse;
	double deadline_s; /* on the clock of base/wall.h; 0: no limit */
};

/* `n` of them, all zero; processes that are forked later share them. NULL: the system has no memory for them. */
struct tw__watched_run *tw__watched_create(int n);
void tw__watched_destroy(struct tw__watched_run *, int n);

/* Kills this process, a child, after so many seconds. TW_SYSTEM: the system has no timer. */
int tw__kill_after(double limit_s, struct tw_error *err);

/* In the run's process: from now on the limit counts, in seconds of wall time; 0: none. Also resets the pulse.
 * TW_SYSTEM: the system has no timer. */
int tw__limit_begin(struct tw__watched_run *, double limit_s, struct tw_error *err);
void tw__limit_end(struct tw__watched_run *);

/* The process of the run has ended without a result: says why. The limit counts as the reason if the process was killed
 * behind its deadline. */
void tw__limit_explain(struct tw_error *, const struct tw__watched_run *, double limit_s, const char *policy,
                       const char *eviction, int wait_status);

#endif
