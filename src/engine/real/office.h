/* Runs in several processes, each with one node of a cluster (engine/transport.h): messages, and the results of all. */
#ifndef TW__OFFICE_H
#define TW__OFFICE_H

#include "engine/real/real.h"

/* Returns the graph of the workload: of several processes, that of all together. */
static inline const struct tw_graph *tw__program_graph(const struct tw__engine *e)
{
	return e->processes ? e->processes->program : e->graph;
}

/* Returns the number of a task, or a handle, in the program, whose graph may be that of several processes. */
static inline tw_task tw__program_task(const struct tw__engine *e, tw_task t)
{
	return e->processes ? e->processes->task_origin[t] : t;
}
static inline tw_data tw__program_data(const struct tw__engine *e, tw_data d)
{
	return e->processes ? e->processes->data_origin[d] : d;
}

/* --- messages.c --- */
int tw__office_open(struct tw__engine *, struct tw_error *err);
void tw__office_close(struct tw__engine *); /* ends under way are given up */
/* Waits for all processes, then starts the clock and the thread. */
int tw__office_start(struct tw__engine *, struct tw_error *err);
/* After a run that has succeeded: waits until all processes have got as far. Checks that no message is left. */
int tw__office_settle(struct tw__engine *, struct tw_error *err);
void tw__real_message(struct tw__engine *, int32_t message, tw_data, uint64_t token); /* in a turn */
void tw__office_note(struct tw__engine *, const struct tw__job *); /* in a turn: the job, of any kind, has ended */

/* --- gather.c --- */
/* Sends this process's results to process 0. There, sets at[d] to the content of each handle of the program, in room[]
 * or in main memory. */
void tw__gather(struct tw__engine *, void **at, char *room, const uint64_t *place);

#endif
