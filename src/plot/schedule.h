/* What a figure needs of a trace. */
#ifndef TW__SCHEDULE_H
#define TW__SCHEDULE_H

#include <stdio.h>

#include <tilewright/base.h>

#include "base/date.h"

struct tw__names {
	char **list;
	int n, capacity;
};

struct tw__box { /* one execution */
	int worker, kernel;
	tw__ns start, end;
	double share; /* of that time in which the worker was busy: 1, until boxes are merged */
	int task;     /* -1: not known, or several */
};

struct tw__sample { /* a counter's value from that date on */
	int counter;
	tw__ns date;
	double value;
};

struct tw__samples { /* by date, for each counter */
	struct tw__sample *list;
	size_t n, capacity;
};

struct tw__numbers {
	double *list;
	size_t n, capacity;
};

enum { TW__READY_TASKS, TW__SUBMITTED_TASKS }; /* counters of tasks */

/* Traces of earlier versions have neither links nor tasks, and none of what is 0 or NULL here when it is not known. */
struct tw__schedule {
	struct tw__names workers, kernels, memories, links; /* in the trace's order; the main memory is the first */
	struct tw__names archs;                             /* [workers] */
	struct tw__numbers capacity_bytes;                  /* [memories] */
	struct tw__numbers bandwidth;                       /* [links] bytes/s */
	char *workload, *policy;
	struct tw__box *boxes;
	size_t n_boxes, boxes_capacity;
	struct tw__samples used;  /* of memories, bytes */
	struct tw__samples flows; /* of links, bytes/s */
	struct tw__samples tasks; /* how many */
	tw__ns end;               /* the makespan, or the last date if that is later */
};

void tw__schedule_init(struct tw__schedule *);
void tw__schedule_finish(struct tw__schedule *);

/* Index, or -1 when out of memory. _find looks for the name first; kernels are few. */
int tw__names_append(struct tw__names *, const char *);
int tw__names_find(struct tw__names *, const char *);

/* False: out of memory. */
bool tw__schedule_add_box(struct tw__schedule *, int worker, int kernel, int task, tw__ns start, tw__ns end);
bool tw__schedule_add_sample(struct tw__schedule *, struct tw__samples *, int counter, tw__ns date, double value);
bool tw__numbers_append(struct tw__numbers *, double);

/* 0 behind the last. */
double tw__numbers_at(const struct tw__numbers *, int i);

/* The kind of a worker, in `kind`: that of its arch (tw__arch_kind_length); of an earlier version's trace, its name without the digits at the end. */
enum { TW__KIND_BYTES = 64 };
void tw__schedule_kind(const struct tw__schedule *, int worker, char kind[TW__KIND_BYTES]);

/* Readers of the formats in src/trace. TW_INVALID: "PATH:LINE: ...". */
int tw__schedule_read_paje(struct tw__schedule *, FILE *, const char *path, struct tw_error *err);
int tw__schedule_read_chrome(struct tw__schedule *, FILE *, const char *path, struct tw_error *err);

/* By the file's ending. */
int tw__schedule_read(struct tw__schedule *, const char *path, struct tw_error *err);

#endif
