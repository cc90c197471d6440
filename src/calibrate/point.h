/* Measures one workload on this machine, in a child process. */
#ifndef TW__CALIBRATE_POINT_H
#define TW__CALIBRATE_POINT_H

#include "calibrate/calibration.h"
#include "experiment/load.h"

struct tw__point_setup {
	struct tw__calibration *calibration; /* receives the measurements while the process runs */
	const struct tw__request *request;   /* seed, emulate */
	const struct tw_platform *platform;  /* the measuring workers */
	const struct tw_graph *graph;
	const struct tw__workload_words *words;
	const int *entry; /* see collect.h */
	double limit_s;
	bool measures_buses; /* the calibration has no links yet */
	/* Called a few times a second; false stops the measurement. `entry`: measured last, or TW_NONE. */
	bool (*tick)(void *context, int entry);
	void *context;
	int stop_fd; /* when readable, the measurement stops, too */
};

/* TW_OK also if it was stopped. TW_FAILED, TW_INVALID: with the process's message. Measurements up to then are kept. */
int tw__point_run(const struct tw__point_setup *, struct tw_error *err);

#endif
