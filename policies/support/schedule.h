/* Schedules in files: which worker ran each task, and in which order; what `tilewright run --trace FILE.csv` writes. A help for
 * policies that follow one.
 *
 * Comma-separated values (RFC 4180, a record a line). The first line names the columns, in any order: `task`, its number in
 * the workload; `kind`, processor or accelerator; `index`, the worker, from 0 among those of its kind; `start_s`, seconds, of
 * which whole nanoseconds count; and `kernel`, if it is there, the task's, to tell that the schedule is this workload's.
 * What it also writes (`size`, `worker`, `arch`, `end_s`) is for people; columns of other names are told on the log and
 * left alone. A row for each task. A byte order mark in front is passed over. */
#ifndef TILEWRIGHT_SCHEDULE_H
#define TILEWRIGHT_SCHEDULE_H

#include <tilewright/graph.h>

struct tw_scheduled {
	struct tw_recorded_place place; /* `order` is the task's among all: by start, then as in the file */
	int32_t line;                   /* where the file says so */
};

/* `*tasks` is [tasks]: free() it. An error names the file and the line. */
int tw_schedule_read(struct tw_scheduled **tasks, const char *path, const struct tw_graph *, struct tw_error *err);

#endif
