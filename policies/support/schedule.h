/* Schedules in files: the worker of each task, and the order of tasks, as `tilewright run --trace FILE.csv` writes
 * them. For policies that follow a schedule.
 *
 * The format is comma-separated values (RFC 4180), one record a line, one row for each task. The first line names the
 * columns, in any order:
 * - `task`: the number of the task in the workload;
 * - `kind`: kind of worker, processor or accelerator;
 * - `index`: the worker, from 0 among those of its kind;
 * - `start_s`: start of the task in seconds, rounded to whole nanoseconds;
 * - `kernel` (optional): the kernel of the task, to check that the schedule belongs to this workload.
 *
 * The columns `size`, `worker`, `arch` and `end_s`, also written, are for people. Other columns cause a warning and are
 * ignored. A byte order mark at the start is skipped. */
#ifndef TILEWRIGHT_SCHEDULE_H
#define TILEWRIGHT_SCHEDULE_H

#include <tilewright/graph.h>

struct tw_scheduled {
	/* Worker of the task; `order` is the task's place among all tasks: by start, then by line. */
	struct tw_recorded_place place;
	int32_t line; /* line of the task in the file, from 1 */
};

/* Reads a schedule for the tasks of the graph. Sets `*tasks` to an array with one entry per task, which the caller
 * frees. On failure, `err` names the file and the line. */
int tw_schedule_read(struct tw_scheduled **tasks, const char *path, const struct tw_graph *, struct tw_error *err);

#endif
