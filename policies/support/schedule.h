/* Schedules in files: the worker of each task, and the order of tasks, as written by `tilewright run --trace
 * FILE.csv`. For policies that follow a schedule.
 *
 * The format is comma-separated values (RFC 4180), one record a line, one row for each task. The first line names the
 * columns, in any order:
 * - `task`: its number in the workload;
 * - `kind`: processor or accelerator;
 * - `index`: the worker, from 0 among those of its kind;
 * - `start_s`: seconds, rounded to whole nanoseconds;
 * - `kernel` (optional): the kernel of the task, to check that the schedule belongs to this workload.
 *
 * The columns `size`, `worker`, `arch` and `end_s`, also written, are for people. Other columns cause a warning and
 * are ignored. A byte order mark at the start is skipped. */
#ifndef TILEWRIGHT_SCHEDULE_H
#define TILEWRIGHT_SCHEDULE_H

#include <tilewright/graph.h>

struct tw_scheduled {
	struct tw_recorded_place place; /* `order` is the task's place among all: by start, then by line */
	int32_t line;                   /* line of the task in the file */
};

/* `*tasks` is [tasks]; the caller frees it. An error names the file and the line. */
int tw_schedule_read(struct tw_scheduled **tasks, const char *path, const struct tw_graph *, struct tw_error *err);

#endif
