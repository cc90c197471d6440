/* A workload to compute for real: its graph, its kernels and its data. Any error ends the process. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "engine/real/serial.h"

struct problem {
	const char *words;
	struct tw_graph *graph;
	struct tw__family *family;
	void **at;       /* [handles] */
	void *workspace; /* aligned, of the family's size */
	uint64_t seed;
};

/* "cholesky:nt=4:nb=8". Handles that `fill` leaves as they are hold 0xc1 in each byte: no small numbers. */
void problem_init(struct problem *, const char *words);
void problem_refill(struct problem *);
void problem_finish(struct problem *);

/* Open the family alone, for the graph of these words or another one: the status, and the message. */
int problem_open_for(struct tw__family **, const struct tw_graph *, const char *words, struct tw_error *err);
int problem_open(struct tw__family **, struct tw_graph **, const char *words, struct tw_error *err);

void problem_run(struct problem *);
int problem_check(const struct problem *, double *residual);

/* One task, by hand: its kernel and its operands. */
struct tw_call problem_call(const struct problem *, tw_task, struct tw_operand operands[TW_MAX_ACCESSES]);
int problem_call_run(const struct problem *, const struct tw_call *);

#endif
