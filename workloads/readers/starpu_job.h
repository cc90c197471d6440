/* Reads jobs of StarPU's traces: the records of tasks.rec, or the rows of StarVZ's table of tasks. */
#ifndef TW__STARPU_JOB_H
#define TW__STARPU_JOB_H

#include "readers/draft.h"

enum tw__starpu_key {
	TW__STARPU_CONTROL,
	TW__STARPU_NAME,
	TW__STARPU_MODEL,
	TW__STARPU_JOB_ID,
	TW__STARPU_SUBMIT_ORDER,
	TW__STARPU_PRIORITY,
	TW__STARPU_DEPENDS_ON,
	TW__STARPU_END_DEPENDENCIES,
	TW__STARPU_WORKER_ID,
	TW__STARPU_MEMORY_NODE,
	TW__STARPU_START_TIME,
	TW__STARPU_END_TIME,
	TW__STARPU_FOOTPRINT,
	TW__STARPU_GFLOP,
	TW__STARPU_PARAMETERS,
	TW__STARPU_HANDLES,
	TW__STARPU_MODES,
	TW__STARPU_SIZES,
	TW__STARPU_MPI_RANK,
	TW__STARPU_N_KEYS,
	TW__STARPU_IGNORED, /* a known key that a task graph does not need */
	TW__STARPU_UNKNOWN
};

enum tw__starpu_key tw__starpu_key(const char *text);

struct tw__starpu {
	struct tw__draft *draft;
	struct tw__name_list handles; /* names of the groups of handles that hints refer to */
	int32_t n_ranks, last_rank;   /* runs of jobs of one MPI rank, and the rank of the last one */
};

/* A job of a trace: the value of each key. */
struct tw__starpu_record {
	struct tw__starpu *reader;
	char *values[TW__STARPU_N_KEYS];   /* texts of the values, which tw__starpu_job changes; NULL or "": missing */
	uint32_t lines[TW__STARPU_N_KEYS]; /* line of each value in the file */
	uint32_t line;                     /* line in the file where the record begins */
	int32_t rank;                      /* MPI rank, which tw__starpu_record_name sets; negative: without MPI */
};

/* Returns the name of a record's job in the whole trace, as tw_starpu_job_name does. NULL, with an error: the record
 * has no id, or a long one. */
const char *tw__starpu_record_name(struct tw__starpu_record *, char *room);
enum { TW__STARPU_NAME_ROOM = 256 }; /* bytes of `room` */

/* Adds the job of a record to the draft. */
void tw__starpu_job(struct tw__starpu_record *);
void tw__starpu_finish(struct tw__starpu *);

#endif
