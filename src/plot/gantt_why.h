/* The layer of a Gantt chart that explains the run: the chain that the makespan hangs on, and the causes of idle
 * time. */
#ifndef TW__GANTT_WHY_H
#define TW__GANTT_WHY_H

#include "experiment/past.h"
#include "plot/gantt_layout.h"

/* A part of the chain, on the row of a worker. */
struct tw__gantt_step {
	tw__ns start, end;
	int worker;
	bool computes; /* a kernel; otherwise a transfer or a wait */
};

struct tw__gantt_why {
	struct tw__schedule idle;     /* a box for each idle time; its kernel is an enum tw__why */
	struct tw__gantt_step *chain; /* the last step first */
	size_t n_chain;
	bool drawn[TW__N_WHY];   /* causes that have boxes */
	bool in_rows[TW__N_WHY]; /* causes that have boxes in rows of one worker */
	struct tw__explanation explanation;
	char sentences[2048]; /* of the explanation */
};

/* Explains a run; `columns`: of the time axis (visible.h). The caller finishes it in any case. */
int tw__gantt_why_of(struct tw__gantt_why *, const struct tw__past *, int columns, struct tw_error *err);
void tw__gantt_why_finish(struct tw__gantt_why *);

/* Print all values as named blocks, then plot them: the idle time below the kernels, the chain above. `n`: number of
 * things plotted so far; they return the number afterwards. */
void tw__gantt_why_print(struct tw__gantt *);
int tw__gantt_why_plot_idle(struct tw__gantt *, int n);
int tw__gantt_why_plot_chain(struct tw__gantt *, int n);

#endif
