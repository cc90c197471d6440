/* A schedule: the contents of a trace that figures need. */
#ifndef TW__SCHEDULE_H
#define TW__SCHEDULE_H

#include <stdio.h>

#include <tilewright/base.h>

#include "base/date.h"

struct tw__names {
	char **list;
	int n, capacity;
};

struct tw__box { /* one execution of a task on a worker */
	int worker, kernel;
	tw__ns start, end;
	double share; /* busy share of the time from start to end: 1, until boxes are merged */
	int task;     /* number of the task; -1: unknown, or several tasks */
};

struct tw__sample { /* value of a counter from `date` to its next sample */
	int counter;
	tw__ns date;
	double value;
};

struct tw__samples { /* samples of several counters; those of each are sorted by date */
	struct tw__sample *list;
	size_t n, capacity;
};

struct tw__numbers {
	double *list;
	size_t n, capacity;
};

enum { TW__READY_TASKS, TW__SUBMITTED_TASKS }; /* counters in tw__schedule.tasks */

/* The contents of a trace. Traces of earlier versions lack links, tasks, and all values that are 0 or NULL here. */
struct tw__schedule {
	struct tw__names workers, kernels, memories, links; /* names in the order of the trace; memory 0: main memory */
	struct tw__names archs;                             /* [workers] arch of each worker; "": unknown */
	struct tw__numbers capacity_bytes;                  /* [memories] capacity of each memory; 0: unknown */
	struct tw__numbers bandwidth;                       /* [links] bandwidth of each link in bytes/s; 0: unknown */
	char *workload, *policy;
	struct tw__box *boxes;
	size_t n_boxes, boxes_capacity;
	struct tw__samples used; /* bytes used in each memory */
	/* bytes/s on each link, and those that the link could pass; without samples, a link can pass its bandwidth */
	struct tw__samples flows, capacities;
	struct tw__samples use;   /* share of what each link could pass that it passed, 0 to 1 (link_use.h) */
	struct tw__samples tasks; /* numbers of ready and of submitted tasks */
	tw__ns end;               /* makespan, or the last date in the trace if that is later */
};

void tw__schedule_init(struct tw__schedule *);
void tw__schedule_finish(struct tw__schedule *);

/* Adds a name, and returns its index; -1: out of memory. tw__names_find first searches for the name, linearly, as there
 * are few kernels. */
int tw__names_append(struct tw__names *, const char *);
int tw__names_find(struct tw__names *, const char *);
void tw__names_finish(struct tw__names *);

/* Adds an execution to the schedule; false: out of memory. The next two functions add a sample and a number. */
bool tw__schedule_add_box(struct tw__schedule *, int worker, int kernel, int task, tw__ns start, tw__ns end);
bool tw__schedule_add_sample(struct tw__schedule *, struct tw__samples *, int counter, tw__ns date, double value);
bool tw__numbers_append(struct tw__numbers *, double);

/* Returns the i-th number; 0 if i is behind the last. */
double tw__numbers_at(const struct tw__numbers *, int i);

/* Writes the kind of a worker: the part of its arch's name that names its kind (tw__arch_kind_length). In a trace of an
 * earlier version, without archs: the worker's name without digits at the end. */
enum { TW__KIND_BYTES = 64 };
void tw__schedule_kind(const struct tw__schedule *, int worker, char kind[TW__KIND_BYTES]);

/* Whether a word names the kind of a worker. Such a word is the kind of tw__schedule_kind, or the worker's name without
 * the number at its end, as "CPU" for CPU3 and CPU.3. */
bool tw__schedule_is_kind(const struct tw__schedule *, int worker, const char *word);

/* Finds the workers that words name: by name, by kind, or FIRST:LAST, a range of names in the order of the trace. Sets
 * `workers` to a malloc'ed list of n workers, each once, in the order of the words. `figure`: kind of figure, for
 * messages. TW_INVALID: a word names no worker. */
int tw__schedule_choose(int **workers, int *n, const struct tw__schedule *, const char *const *words, int n_words,
                        const char *figure, const char *trace, struct tw_error *err);

/* Read a trace in the formats of src/trace, Paje and Chrome. TW_INVALID: "PATH:LINE: ...". */
int tw__schedule_read_paje(struct tw__schedule *, FILE *, const char *path, struct tw_error *err);
int tw__schedule_read_chrome(struct tw__schedule *, FILE *, const char *path, struct tw_error *err);

/* In schedule_past.c: whether the path names a folder of tables or a record, and reads such a trace. TW_INVALID: the
 * trace does not hold the whole run, or its run cannot be made again. */
bool tw__schedule_is_past(const char *path);
int tw__schedule_read_past(struct tw__schedule *, const char *path, struct tw_error *err);

/* Returns the part of a trace's path behind the last folder; a folder's own name ends in '/', as in the path. */
const char *tw__schedule_name(const char *path);

/* Whether a path has the ending, perhaps with ".gz" behind it. */
bool tw__schedule_ends_with(const char *path, const char *ending);

/* Reads a trace. The ending of its name tells the format; ".gz" may stand behind that of a file. */
int tw__schedule_read(struct tw__schedule *, const char *path, struct tw_error *err);

#endif
