/* The tables that StarVZ reads (Garcia Pinto et al. 2018), as its first phase makes them from a trace of StarPU. This
 * header declares what several tables need. */
#ifndef TW__STARVZ_H
#define TW__STARVZ_H

#include "base/memory.h"
#include "graph/edges.h"
#include "graph/ranks.h"
#include "trace/formats.h"

struct tw__starvz {
	struct tw__arena arena; /* of all but `edges` */
	const struct tw__trace *t;
	/* [submitted tasks] dates in ns of each task's last execution; -1: none */
	int64_t *submit, *ready, *start, *end;
	int16_t *worker; /* [submitted tasks] the worker of each task's last execution */
	/* [submitted tasks] column SubmitOrder, which also counts hints that handles will not be used */
	int32_t *order;
	char (*resources)[80]; /* [workers] names of workers: "CPU0", "CUDA0_0", "CPU_FAST_0", "2_CPU0" of rank 2 */
	int *place;            /* [workers] number of each worker among those of its node */
	int *memory;           /* [nodes] the same of each memory */
	struct tw__edge *edges;
	size_t n_edges;
};

/* Print texts that several tables have. The job number of a task is its number plus 1. A handle is printed as its
 * number plus 1, in hexadecimal. On several nodes of a cluster, jobs and names have the rank before them, as in "2_17"
 * and "2_MEMMANAGER0". */
static inline int tw__starvz_job(tw_task task) { return task + 1; }
void tw__starvz_rank(FILE *, const struct tw__starvz *, int rank);
int tw__starvz_rank_of(const struct tw__starvz *, tw_task);
void tw__starvz_print_job(FILE *, const struct tw__starvz *, tw_task);
void tw__starvz_memory(FILE *, const struct tw__starvz *, const char *what, tw_node);
void tw__starvz_parameters(FILE *, const struct tw__starvz *, tw_task, char between);
void tw__starvz_handle(FILE *, tw_data);
/* Prints the kernel's size and precision, as "front:d", if the parameters do not have them; otherwise "0". */
void tw__starvz_footprint(FILE *, const struct tw__starvz *, tw_task);
void tw__starvz_gflop(FILE *, double flops);
void tw__starvz_span(FILE *, int64_t start_ns, int64_t end_ns); /* prints ", start, end, duration" in ms */

/* Each function writes one table with its header; ferror() shows errors of writing. */
void tw__starvz_tasks(FILE *, const struct tw__starvz *);   /* table rec.tasks: the graph, and when each task ran */
void tw__starvz_dag(FILE *, const struct tw__starvz *);     /* table dag: the dependencies */
void tw__starvz_handles(FILE *, const struct tw__starvz *); /* table rec.data_handles: the handles */
/* table paje.worker_state: executions and idle times */
void tw__starvz_worker_states(FILE *, const struct tw__starvz *);
void tw__starvz_variables(FILE *, const struct tw__starvz *); /* table paje.variable: counters */

#endif
