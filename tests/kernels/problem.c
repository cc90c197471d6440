#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "experiment/load.h"

/* Not Check's assertions, so that a benchmark can use this file, too. */
static void must(bool holds, const char *words, const struct tw_error *err)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", words, err ? err->message : "out of memory");
	abort();
}

int problem_open_for(struct tw__family **family, const struct tw_graph *graph, const char *words, struct tw_error *err)
{
	struct tw__workload_words parsed;
	*family = NULL;
	must(tw__workload_words_init(&parsed, words, err) == TW_OK, words, err);
	int status = tw__family_open(family, parsed.spec.name, parsed.args, graph, err);
	tw__workload_words_finish(&parsed);
	return status;
}

int problem_open(struct tw__family **family, struct tw_graph **graph, const char *words, struct tw_error *err)
{
	must(tw__generate(graph, words, err) == TW_OK, words, err);
	return problem_open_for(family, *graph, words, err);
}

void problem_refill(struct problem *p)
{
	for (tw_data d = 0; d < tw_graph_n_data(p->graph); d++) {
		memset(p->at[d], 0xc1, tw_graph_data_bytes(p->graph, d));
		p->family->kernels->fill(p->family->shape, p->seed, d, p->at[d], tw_graph_data_bytes(p->graph, d));
	}
}

void problem_init(struct problem *p, const char *words)
{
	struct tw_error err = {""};
	*p = (struct problem){.words = words, .seed = 42};
	must(problem_open(&p->family, &p->graph, words, &err) == TW_OK, words, &err);
	p->at = calloc((size_t)tw_graph_n_data(p->graph), sizeof *p->at);
	p->workspace = tw__aligned_room(p->family->workspace_bytes);
	must(p->at && p->workspace, words, NULL);
	for (tw_data d = 0; d < tw_graph_n_data(p->graph); d++)
		must((p->at[d] = tw__aligned_room(tw_graph_data_bytes(p->graph, d))), words, NULL);
	problem_refill(p);
}

void problem_finish(struct problem *p)
{
	for (tw_data d = 0; d < tw_graph_n_data(p->graph); d++)
		free(p->at[d]);
	free(p->at);
	free(p->workspace);
	tw__family_close(p->family);
	tw_graph_destroy(p->graph);
}

void problem_run(struct problem *p)
{
	struct tw_error err = {""};
	must(tw__serial_run(p->graph, p->family, p->seed, p->at, NULL, NULL, &err) == TW_OK, p->words, &err);
}

int problem_check(const struct problem *p, double *residual)
{
	struct tw_error err = {""};
	int status = p->family->kernels->check(p->family->shape, p->seed, p->at, residual, &err);
	must(status == TW_OK || status == TW_FAILED, p->words, &err);
	must((status == TW_OK) == !err.message[0], p->words, &err);
	return status;
}

struct tw_call problem_call(const struct problem *p, tw_task t, struct tw_operand operands[MOST_OPERANDS])
{
	int n = tw_graph_n_accesses(p->graph, t);
	if (n > MOST_OPERANDS)
		abort();
	for (int i = 0; i < n; i++) {
		struct tw_access a = tw_graph_access(p->graph, t, i);
		operands[i] = (struct tw_operand){p->at[a.data], tw_graph_data_bytes(p->graph, a.data),
		                                  a.mode == TW_REDUX ? TW_REDUX | TW_RW : (unsigned)a.mode};
	}
	return tw__family_call(p->family, p->seed, t, p->workspace, operands, n);
}

int problem_call_run(const struct problem *p, const struct tw_call *call)
{
	return p->family->codelets[tw_graph_task_kernel(p->graph, call->task)]->run(call);
}
