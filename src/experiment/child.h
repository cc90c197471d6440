/* Child processes of runs, one for each run, and their time limits. A timer of the run's own process kills it. So a
 * limit holds whatever a plug-in or an engine does, and even while the parent prepares other runs. */
#ifndef TW__CHILD_H
#define TW__CHILD_H

#include <sys/types.h>

#include "experiment/load.h"
#include "process/fork.h"
#include "runtime/pulse.h"

/* A run's pulse and limit, in memory that its process shares with the parent. */
struct tw__watched_run {
	struct tw__pulse pulse;
	double deadline_s; /* on the clock of base/wall.h; 0: no limit */
};

/* `n` of them, all zero; processes that are forked later share them. */
struct tw__watched_run *tw__watched_create(int n);
void tw__watched_destroy(struct tw__watched_run *, int n);

/* In the run's process: from now on the limit counts, in seconds of wall time; 0: none. Also resets the pulse.
 * TW_SYSTEM: the system has no timer. */
int tw__limit_begin(struct tw__watched_run *, double limit_s, struct tw_error *err);
void tw__limit_end(struct tw__watched_run *);

/* The process of the run has ended without a result: says why. The limit counts as the reason if the process was killed
 * behind its deadline. */
void tw__limit_explain(struct tw_error *, const struct tw__watched_run *, double limit_s, const char *policy,
                       const char *eviction, int wait_status);

struct tw__child {
	const struct tw__plan *plan;
	struct tw__watched_run *watched; /* shared with the child */
	struct tw__outcome *outcome;     /* where the result goes */
	bool keeps_log;                  /* whether the log's messages come with the result */
	struct tw__record *record;       /* where the events go; NULL: they are not wanted */
	char *explanation;               /* the run's, once it has ended; malloc'ed, or NULL */
	struct tw__inbox inbox;
	pid_t pid;
	int fd;
};

/* Starts a run. All errors are in outcome->status; then there is no child, and false is returned. The watched run and
 * the outcome must live until the child has ended. */
bool tw__child_start(struct tw__child *, const struct tw__plan *, struct tw__watched_run *, struct tw__outcome *,
                     bool keeps_log, struct tw__record *);
/* Waits for bytes of the result and reads them. True: the child has ended, and the outcome is complete. The caller
 * frees the explanation. */
bool tw__child_receive(struct tw__child *);
/* Ends the child, if the run has not ended. The outcome is then void. */
void tw__child_kill(struct tw__child *);

#endif
