/* Options of the command plot. */
#ifndef TW__PLOT_OPTIONS_H
#define TW__PLOT_OPTIONS_H

#include "request/words.h"
#include "plot/plot.h"

struct plot_options {
	struct tw__figure_request request;
	struct tw__order_request order;
	struct tw__gantt_request gantt;
	struct tw__repeated where;
	int *iterations; /* malloc'ed */
	struct tw__words workers, fold, names;
	/* Name of an option given that only figures of results take, or only those with a legend, or only 'order', or
	 * only 'gantt', or only both; NULL: none. */
	const char *of_results, *of_legend, *of_order, *of_gantt, *of_traces;
};

/* Starts from no options, and takes them. Returns CLI_GO_ON, with optind at the kind of figure, or an exit status. The
 * caller finishes the options in any case. */
int plot_options_init(struct plot_options *, int argc, char **argv);
void plot_options_finish(struct plot_options *);

/* Returns the kind of figure of results with this name, or NULL. */
const struct tw__figure_kind *plot_kind(const char *name);

/* Checks that the options belong to this kind of figure, and the number of files. Returns CLI_GO_ON or an exit
 * status. */
int plot_options_check(const struct plot_options *, const char *kind, int n_files);

extern const char *const plot_usage[]; /* ends with NULL */

#endif
