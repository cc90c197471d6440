/* The readers of task graphs, one for each format of files. workloads/file.c chooses one. */
#ifndef TW__READER_H
#define TW__READER_H

#include "readers/draft.h"

/* The user's parameters of the workload `file`. */
struct tw__reading {
	const char *path;
	bool recorded;    /* times=recorded: tasks take their recorded times; false: times=model */
	bool replay;      /* replay=yes: tasks also get their recorded places */
	double flop_rate; /* flop/s that gives nodes without kernel and seconds their time */
	/* For formats without units: one unit of time in seconds, and one of data in bytes. 0: not given, so 1 s or
	 * 1 B, which a warning says. */
	double unit_seconds, unit_bytes;
};

/* For formats whose times have no unit. The `seconds` of all jobs are units of time so far. Turns the jobs into tasks
 * of the kernel `task`, which take that time on every worker. `entry` and `exit`, unless TW_NONE, only order. */
int tw__take_units(struct tw__draft *, const struct tw__reading *, int32_t entry, int32_t exit, struct tw_error *err);

/* Reads a workflow of Pegasus. */
int tw__read_dax(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
/* Reads a DOT file into the draft. The functions below read other formats. */
int tw__read_dot(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_graphml(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
/* Reads a file of Tilewright's own format directly into the graph; uses the draft only for kernels and counts. */
int tw__read_graph(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
/* Reads a file of PSPLIB, the library of project scheduling problems. */
int tw__read_psplib(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
/* Reads a task graph of the project SAGA. */
int tw__read_saga(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_starpu(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_starvz(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
/* Reads a file of the Standard Task Graph Set. */
int tw__read_stg(struct tw__draft *, const struct tw__reading *, struct tw_error *err);
int tw__read_wfcommons(struct tw__draft *, const struct tw__reading *, struct tw_error *err);

#endif
