/* The readers of task graphs, one for each format; workloads/file.c chooses. */
#ifndef TW__READER_H
#define TW__READER_H

#include "readers/draft.h"

/* What the user asked for. */
struct tw__reading {
	const char *path;
	bool recorded;    /* times=recorded; else model */
	bool replay;      /* recorded places, too */
	double flop_rate; /* of nodes in DOT that tell their flops alone */
};

/* Each fills the draft from the file, or the folder. */
int tw__read_dot(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
/* Needs no draft but for kernels: the graph itself is filled. */
int tw__read_graph(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_starpu(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_starvz(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_wfcommons(struct tw__draft *, const struct tw__reading *, struct tw_error *err);

#endif
