/* Child processes of runs, one for each run. */
#ifndef TW__CHILD_H
#define TW__CHILD_H

#include <sys/types.h>

#include "experiment/load.h"
#include "process/inbox.h"
#include "process/limit.h"

struct tw__child {
	const struct tw__plan *plan;
	struct tw__watched_run *watched; /* shared with the child */
	struct tw__outcome *outcome;     /* where the result goes */
	char *explanation;               /* the run's, once it has ended; malloc'ed, or NULL */
	struct tw__inbox inbox;
	pid_t pid;
	int fd;
};

/* Starts a run. All errors are in outcome->status; then there is no child, and false is returned. The watched run and
 * the outcome must live until the child has ended. */
bool tw__child_start(struct tw__child *, const struct tw__plan *, struct tw__watched_run *, struct tw__outcome *);
/* Waits for bytes of the result and reads them. True: the child has ended, and the outcome is complete. The caller
 * frees the explanation. */
bool tw__child_receive(struct tw__child *);
/* Ends the child, if the run has not ended. The outcome is then void. */
void tw__child_kill(struct tw__child *);

#endif
