/* One workload on this machine, in a process of its own. */
#ifndef TW__CALIBRATE_POINT_H
#define TW__CALIBRATE_POINT_H

#include "calibrate/calibration.h"
#include "experiment/load.h"

struct tw__point_setup {
	struct tw__calibration *calibration; /* gets what the process measures, while it runs */
	const struct tw__request *request;   /* seed, emulate */
	const struct tw_platform *platform;  /* the workers that measure */
	const struct tw_graph *graph;
	const struct tw__workload_words *words;
	const int *entry; /* see collect.h */
	double limit_s;
	bool measures_buses; /* the calibration has none yet */
	/* Some times a second: false ends it. `entry`: the last one that was measured, or TW_NONE. */
	bool (*tick)(void *context, int entry);
	void *context;
	int stop_fd; /* that ends it as well once it can be read */
};

/* TW_OK, too, if it was ended. TW_FAILED, TW_INVALID: the process' message. What was measured before is kept. */
int tw__point_run(const struct tw__point_setup *, struct tw_error *err);

#endif
