/* The contents of a trace that figures need. */
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
	double share; /* busy share of that time: 1, until boxes are merged */
	int task;     /* -1: unknown, or several */
};

struct tw__sample { /* value of a counter from that date on */
	int counter;
	tw__ns date;
	double value;
};

struct tw__samples { /* for each counter, sorted by date */
	struct tw__sample *list;
	size_t n, capacity;
};

struct tw__numbers {
	double *list;
	size_t n, capacity;
};

enum { TW__READY_TASKS, TW__SUBMITTED_TASKS }; /* counters of tasks */

/* Traces of earlier versions lack links, tasks, and all values that are 0 or NULL here. */
struct tw__schedule {
	struct tw__names workers, kernels, memories, links; /* in the order of the trace; memory 0: main */
	struct tw__names archs;                             /* [workers] */
	struct tw__numbers capacity_bytes;                  /* [memories] */
	struct tw__numbers bandwidth;                       /* [links] bytes/s */
	char *workload, *policy;
	struct tw__box *boxes;
	size_t n_boxes, boxes_capacity;
	struct tw__samples used;  /* of memories, bytes */
	struct tw__samples flows; /* of links, bytes/s */
	struct tw__samples tasks; /* numbers of tasks */
	tw__ns end;               /* makespan, or the last date if later */
};

void tw__schedule_init(struct tw__schedule *);
void tw__schedule_finish(struct tw__schedule *);

/* Return the index, or -1 when out of memory. tw__names_find first searches the name, linearly, as there are few
 * kernels. */
int tw__names_append(struct tw__names *, const char *);
int tw__names_find(struct tw__names *, const char *);

/* False: out of memory. */
bool tw__schedule_add_box(struct tw__schedule *, int worker, int kernel, int task, tw__ns start, tw__ns end);
bool tw__schedule_add_sample(struct tw__schedule *, struct tw__samples *, int counter, tw__ns date, double value);
bool tw__numbers_append(struct tw__numbers *, double);

/* 0 behind the last. */
double tw__numbers_at(const struct tw__numbers *, int i);

/* The kind of a worker: that of its arch (tw__arch_kind_length). For a trace without archs, of an earlier version, its
 * name without digits at the end. */
enum { TW__KIND_BYTES = 64 };
void tw__schedule_kind(const struct tw__schedule *, int worker, char kind[TW__KIND_BYTES]);

/* Readers for the formats of src/trace. TW_INVALID: "PATH:LINE: ...". */
int tw__schedule_read_paje(struct tw__schedule *, FILE *, const char *path, struct tw_error *err);
int tw__schedule_read_chrome(struct tw__schedule *, FILE *, const char *path, struct tw_error *err);

/* Chooses the reader by the ending of the file's name. */
int tw__schedule_read(struct tw__schedule *, const char *path, struct tw_error *err);

#endif
