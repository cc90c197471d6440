/* The options of `tilewright sweep`, from the command line and from a plan. */
#ifndef TW__SWEEP_OPTIONS_H
#define TW__SWEEP_OPTIONS_H

#include "cli/run_options.h"
#include "cli/sweep_lists.h"

struct sweep_options {
	struct run_options shared;
	struct sweep_lists lists;
	int jobs, shard, n_shards;
	bool retry, dry_run, quiet;
	const char *output;
	struct tw__column_choice columns;
	char *plan; /* content of the plan, which values of options point into; NULL: no plan */
};

/* Parses the command line and the plan. Returns an exit status, or a negative value if there is a sweep to run. */
int sweep_options_init(struct sweep_options *, int argc, char **argv);
void sweep_options_finish(struct sweep_options *);

/* Returns the sweep that the options describe. It points into the options. */
struct tw__sweep sweep_options_sweep(const struct sweep_options *);

#endif
