/* The readers of task graphs, one for each format; workloads/file.c chooses. */
#ifndef TW__READER_H
#define TW__READER_H

#include "readers/draft.h"

/* The user's options. */
struct tw__reading {
	const char *path;
	bool recorded;    /* times=recorded; else times=model */
	bool replay;      /* use recorded places, too */
	double flop_rate; /* for DOT nodes that have only flops */
};

/* Each function fills the draft from the file or folder. */
int tw__read_dot(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
/* Fills the graph directly; uses the draft only for kernels and counts. */
int tw__read_graph(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_starpu(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_starvz(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_wfcommons(struct tw__draft *, const struct tw__reading *, struct tw_error *err);

#endif
