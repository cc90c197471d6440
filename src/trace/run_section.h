/* The run section of a trace: the whole record of the run, and how to make the run again. With it a trace can be
 * validated and explained without anything else; the other parts of a trace are for other programs.
 *
 * The section is a list of lines of comma-separated text (tilewright/csv.h). Dates and durations are nanoseconds.
 *
 *	tilewright,1               version of the section
 *	made_by,VERSION,IDENTITY   program and models; fingerprint of the run's inputs
 *	argument,NAME,VALUE        what the user asked for: experiment/arguments.h
 *	worker,NAME,ARCH           each worker, in the platform's order
 *	memory,NAME,BYTES          each memory; usable bytes, or "none" for no limit
 *	time,KERNEL,ARCH,SECONDS   mean time of a kernel of the graph (its number and the arch's), if it runs there
 *	makespan,NS
 *	measured                   only if durations were measured on a real machine
 *	rounds                     only if dates of transfers have the rounding error of a clock of doubles
 *	reduction,PHASE,DATA...    accumulators of a reduction, in the order in which the run appended its tasks
 *	submit,DATE,TASK                                 events, in the order of their dates
 *	ready,DATE,TASK,WORKER                           the worker that released the task; -1: none
 *	assign|start|end|release|cancel,DATE,TASK,WORKER,NODE
 *	transfer_start|transfer_end,DATE,DATA,FROM,TO,BYTES,ID,CAUSE
 *	alloc|free,DATE,DATA,NODE,OFFSET,BYTES,CAUSE
 *	valid|invalid,DATE,DATA,NODE
 *	total,N                    number of events; the last line
 *
 * Where it stands: Paje: behind the events, in comments that begin with "# run: ". Chrome: behind the events, an
 * array "tilewright" of strings. A folder of tables: the file run.record.gz. A file .record holds the section alone. */
#ifndef TW__RUN_SECTION_H
#define TW__RUN_SECTION_H

#include "trace/formats.h"

enum { TW__RUN_SECTION_VERSION = 1 };

struct tw__run_section {
	char *version, *identity; /* "" if the writer did not know them */
	struct tw__run_argument *arguments;
	int n_arguments;
	struct tw__section_worker {
		char *name, *arch;
	} * workers;
	int n_workers;
	struct tw__section_memory {
		char *name;
		uint64_t capacity; /* UINT64_MAX: no limit */
	} * memories;
	int n_memories;
	struct tw__section_time {
		int32_t kernel, arch;
		double seconds;
	} * times;
	size_t n_times;
	struct tw__section_reduction {
		int32_t phase;
		int n;
		tw_data *accumulators;
	} * reductions;
	size_t n_reductions;
	struct tw__record record; /* without `extended`: see tw__run_section_extend */
	bool complete;            /* the last line has been read */
	const char *path;         /* of the trace; belongs to the caller */
};

/* Writing: run_section_write.c. Calls `put` for each line, without line break. TW_OK or TW_NOMEM. */
typedef void tw__section_put(void *context, const char *line);
int tw__run_section_put(const struct tw__trace *, tw__section_put *, void *context);

/* Reads the section of a trace. The end of `path` tells the format, as for tw__trace_write. TW_INVALID: the file
 * cannot be read, or is damaged; the message names the line. *found: whether the trace has a section; TW_OK without one
 * means that another program, or an earlier version, wrote the trace. The caller finishes the section in any case. */
int tw__run_section_read(struct tw__run_section *, const char *path, bool *found, struct tw_error *err);
void tw__run_section_finish(struct tw__run_section *);

/* Takes the next line of a section. TW_INVALID: the message does not name the line. */
int tw__run_section_take(struct tw__run_section *, char *line, struct tw_error *err);

/* The value of an argument; NULL: not given. */
const char *tw__run_section_argument(const struct tw__run_section *, const char *name);

/* Appends the tasks of the run's reductions to a copy of its graph, in record.extended. TW_INVALID: the graph has no
 * such reductions. */
int tw__run_section_extend(struct tw__run_section *, const struct tw_graph *, struct tw_error *err);

/* Whether all numbers in the record name tasks, workers, memories and handles of the run. TW_INVALID: one does not. */
int tw__run_section_check(const struct tw__run_section *, const struct tw_platform *, const struct tw_graph *,
                          struct tw_error *err);

/* Names of enum tw__event_kind: "submit", "transfer_start", ... */
extern const char *const tw__event_names[TW__N_EVENT_KINDS];

#endif
