/* The options of `tilewright sweep`, from the command line and from a plan. */
#ifndef TW__SWEEP_OPTIONS_H
#define TW__SWEEP_OPTIONS_H

#include "cli/cli.h"
#include "sweep/sweep.h"

struct sweep_options {
	struct tw__inputs inputs;
	struct tw__sweep sweep;
	bool dry_run, quiet;
	char *plan; /* content of the plan, which values of options point into; NULL: no plan */
};

/* Parses the command line and the plan. Returns an exit status, or a negative value if there is a sweep to run. The
 * caller calls sweep_options_finish in any case. */
int sweep_options_init(struct sweep_options *, int argc, char **argv);
void sweep_options_finish(struct sweep_options *);

extern const struct cli_option sweep_table[];

#endif
