/* Measures of a task graph on a platform: kernel times, links, and no other limit. Each task takes its modelled time,
 * workers are unlimited, and data are where they are needed. */
#ifndef TW__TIMED_H
#define TW__TIMED_H

#include "describe/describe.h"
#include "perf/models.h"

enum { TW__PARALLELISM_BINS = 60 };

/* All tasks on one arch alone. */
struct tw__on_arch {
	tw_arch arch;
	tw_task n_without_time; /* tasks that cannot run there */
	double critical_path_s; /* NAN if there are such tasks */
	double work_s;          /* sum over all tasks; NAN likewise */
};

struct tw__timed {
	int n_archs; /* archs that have workers */
	struct tw__on_arch *on;

	/* Each task on its fastest arch, and started when its predecessors have ended. */
	double critical_path_s, work_s;
	tw_task most_running;                 /* the most tasks that run at one date */
	double running[TW__PARALLELISM_BINS]; /* mean number of running tasks; the bins divide the critical path */

	/* The time of transfers from main memory to other memories in which workers compute, one after the other. NAN:
	 * there is no other memory, or no route to one. */
	double read_transfer_s;   /* one transfer for each access that reads: nothing is reused */
	double handle_transfer_s; /* one for each handle that a task reads: everything is reused */
};

void tw__describe_timed(struct tw__timed *, const struct tw_graph *, const struct tw__times *,
                        const struct tw__platform *);
void tw__timed_finish(struct tw__timed *);

#endif
