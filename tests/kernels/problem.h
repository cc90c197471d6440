/* A workload for real computation: its graph, its kernels and its data. Any error ends the process. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "base/memory.h"
#include "engine/real/family.h"

struct problem {
	const char *words;
	struct tw_graph *graph;
	struct tw__family *family;
	void **at;       /* [handles] */
	void *workspace; /* aligned, of the family's size */
	uint64_t seed;
};

/* Opens a workload such as "cholesky:nt=4:nb=8". Handles that `fill` does not write have 0xc1 in each byte, which
 * gives no small numbers. */
void problem_init(struct problem *, const char *words);
void problem_refill(struct problem *);
void problem_finish(struct problem *);

/* Open only the family, for a given graph or for the workload's graph. They return the status and the message. */
int problem_open_for(struct tw__family **, const struct tw_graph *, const char *words, struct tw_error *err);
int problem_open(struct tw__family **, struct tw_graph **, const char *words, struct tw_error *err);

void problem_run(struct problem *);
int problem_check(const struct problem *, double *residual);

/* The call of a single task: its kernel and its operands. */
enum { MOST_OPERANDS = 64 };
struct tw_call problem_call(const struct problem *, tw_task, struct tw_operand operands[MOST_OPERANDS]);
int problem_call_run(const struct problem *, const struct tw_call *);

#endif
