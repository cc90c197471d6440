/* The tables of StarVZ (Garcia Pinto et al. 2018), as its first phase makes them from a trace of StarPU. This header
 * has what several tables share. */
#ifndef TW__STARVZ_H
#define TW__STARVZ_H

#include "graph/edges.h"
#include "trace/formats.h"

struct tw__starvz {
	const struct tw__trace *t;
	int64_t *submit, *ready, *start, *end; /* [program's tasks] ns, of the last execution; -1: none */
	int16_t *worker;                       /* [program's tasks] */
	int32_t *order;        /* [program's tasks] SubmitOrder; it also counts hints that handles will not be used */
	char (*resources)[80]; /* [workers] their names: "CPU0", "CUDA0_0", "CPU_FAST_0" */
	struct tw__edge *edges;
	size_t n_edges;
};

/* Text that several tables have. Job numbers are tasks counted from 1. Handles are hexadecimal numbers, counted from
 * 1. */
static inline int tw__starvz_job(tw_task task) { return task + 1; }
void tw__starvz_parameters(FILE *, const struct tw__starvz *, tw_task, char between);
void tw__starvz_handle(FILE *, tw_data);
void tw__starvz_footprint(FILE *, const struct tw__starvz *,
                          tw_task); /* "front:d" if no parameter has it, otherwise "0" */
void tw__starvz_gflop(FILE *, double flops);
void tw__starvz_span(FILE *, int64_t start_ns, int64_t end_ns); /* ", start, end, duration" in ms */

/* One table each, with its header. TW_OK or TW_NOMEM; write errors show in ferror(). */
int tw__starvz_tasks(FILE *, const struct tw__starvz *);         /* rec.tasks: the graph, and when each task ran */
int tw__starvz_dag(FILE *, const struct tw__starvz *);           /* dag: the dependencies */
int tw__starvz_handles(FILE *, const struct tw__starvz *);       /* rec.data_handles: the handles */
int tw__starvz_worker_states(FILE *, const struct tw__starvz *); /* paje.worker_state: executions and idle times */
int tw__starvz_variables(FILE *, const struct tw__starvz *);     /* paje.variable: counters */
int tw__starvz_links(FILE *, const struct tw__starvz *);         /* paje.link: transfers */
int tw__starvz_entities(FILE *, const struct tw__starvz *);      /* entities: workers, memories, and their types */

#endif
