/* What a figure needs of a trace. */
#ifndef TW__SCHEDULE_H
#define TW__SCHEDULE_H

#include <stdio.h>

#include <tilewright/base.h>

struct tw__names {
	char **list;
	int n, capacity;
};

struct tw__box { /* one execution */
	int worker, kernel;
	double start, end;
	double share; /* of that time in which the worker was busy: 1, until boxes are merged */
	int task;     /* -1: not known, or several */
};

struct tw__sample { /* bytes used from that date on */
	int memory;
	double date, bytes;
};

struct tw__schedule {
	struct tw__names workers, kernels, memories; /* in the trace's order; the main memory is the first */
	struct tw__box *boxes;
	struct tw__sample *samples; /* by date, for each memory */
	size_t n_boxes, boxes_capacity, n_samples, samples_capacity;
	double end; /* the makespan, or the last date if that is later */
};

void tw__schedule_init(struct tw__schedule *);
void tw__schedule_finish(struct tw__schedule *);

/* Index, or -1 when out of memory. _find looks for the name first; kernels are few. */
int tw__names_append(struct tw__names *, const char *);
int tw__names_find(struct tw__names *, const char *);

/* False: out of memory. */
bool tw__schedule_add_box(struct tw__schedule *, int worker, int kernel, double start, double end);
bool tw__schedule_add_sample(struct tw__schedule *, int memory, double date, double bytes);

/* Readers of the formats in src/trace. TW_INVALID: "PATH:LINE: ...". */
int tw__schedule_read_paje(struct tw__schedule *, FILE *, const char *path, struct tw_error *err);
int tw__schedule_read_chrome(struct tw__schedule *, FILE *, const char *path, struct tw_error *err);

/* By the file's ending. */
int tw__schedule_read(struct tw__schedule *, const char *path, struct tw_error *err);

#endif
