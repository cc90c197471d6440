/* Options of figures, as texts: those of `tilewright plot`, and of programs. */
#ifndef TW__PLOT_OPTIONS_H
#define TW__PLOT_OPTIONS_H

#include "plot/plot.h"
#include "request/words.h"

/* Options that some figures alone take belong to groups: those of results, those with one legend, and of traces
 * `order`, `gantt` and both. */
enum { TW__OF_RESULTS, TW__OF_LEGEND, TW__OF_ORDER, TW__OF_GANTT, TW__OF_TRACES, TW__N_OPTION_GROUPS };

/* {0}: no option was given. Values point into the texts of the options. */
struct tw__plot_options {
	struct tw__figure_request figure;
	struct tw__trace_request trace;
	bool keep_script;
	struct tw__repeated where;
	int *iterations; /* malloc'ed */
	struct tw__words workers, fold, names;
	const char *given[TW__N_OPTION_GROUPS]; /* the last option given of each group; NULL: none */
};

void tw__plot_options_finish(struct tw__plot_options *);
/* Takes an option by its name; `text` is NULL if it has no value. `option`: what messages call it, as in "--x". */
int tw__plot_take(struct tw__plot_options *, const char *name, const char *option, const char *text,
                  struct tw_error *err);
/* The names of all options, from 0; NULL: there is none of that number. */
const char *tw__plot_option_at(const void *unused, int i);
/* Whether the option needs a value. The option must exist. */
bool tw__plot_option_has_value(const char *name);

/* Writes the names of all kinds of figures to `text`, as in "'gantt', 'order', 'gflops' ...". */
const char *tw__plot_kinds(char *text, size_t size);
/* Checks that the kind exists, and whether it is one of results. */
int tw__plot_check_kind(const char *kind, bool *of_results, struct tw_error *err);
/* Checks that the options given belong to this kind, which exists. */
int tw__plot_check(const struct tw__plot_options *, const char *kind, struct tw_error *err);

/* Draws the figure of a file: results or a trace, as the kind needs. */
int tw__plot_file(struct tw__plot_options *, const char *kind, const char *file, const char *output,
                  struct tw_error *err);
/* Draws the Gantt chart of a run in memory, with that name. `explained`: for the option explain. */
int tw__plot_run(struct tw__plot_options *, const struct tw__traced *, const struct tw__explained_run *explained,
                 const char *name, const char *output, struct tw_error *err);

#endif
