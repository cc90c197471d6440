/* The speed of each kernel on one core, in GFlop/s of its flops in the graph. Also its speed relative to a call of
 * sgemm or dgemm on tiles of that size in the same run. Prints one line per kernel. bench_kernels [WORKLOAD] runs one
 * workload only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall.h"
#include "graph/graph.h"
#include "problem.h"
#include "../../kernels/blas.h"

enum { REPEATS = 7 };

static double plain_gemm(int n, bool single)
{
	double best_s = 1e9, one = 1, *room = calloc(3 * (size_t)n * (size_t)n, sizeof *room);
	float single_one = 1;
	void *a = room, *b = room + (size_t)n * (size_t)n, *c = room + 2 * (size_t)n * (size_t)n;
	for (int i = 0; room && i < REPEATS; i++) {
		double start = tw__wall_s();
		if (single)
			sgemm_("N", "N", &n, &n, &n, &single_one, a, &n, b, &n, &single_one, c, &n, 1, 1);
		else
			dgemm_("N", "N", &n, &n, &n, &one, a, &n, b, &n, &one, c, &n, 1, 1);
		double took_s = tw__wall_s() - start;
		best_s = took_s < best_s ? took_s : best_s;
	}
	free(room);
	return 2.0 * n * n * n / best_s;
}

/* The shortest of several executions on the same operands; they stay as the last execution leaves them. */
static double seconds_of(const struct problem *p, tw_task t)
{
	struct tw_operand operands[MOST_OPERANDS];
	struct tw_call call = problem_call(p, t, operands);
	void *copies[8] = {NULL};
	double best_s = 1e9;
	for (int i = 0; i < call.n_operands; i++)
		memcpy(copies[i] = malloc(operands[i].bytes), operands[i].at, operands[i].bytes);
	for (int repeat = 0; repeat < REPEATS; repeat++) {
		for (int i = 0; i < call.n_operands; i++)
			memcpy(operands[i].at, copies[i], operands[i].bytes);
		double start = tw__wall_s();
		problem_call_run(p, &call);
		double took_s = tw__wall_s() - start;
		best_s = took_s < best_s ? took_s : best_s;
	}
	for (int i = 0; i < call.n_operands; i++)
		free(copies[i]);
	return best_s;
}

static void measure(const char *words, int nb, double gemm)
{
	struct problem p;
	bool seen[16] = {false};
	problem_init(&p, words);
	for (tw_task t = 0; t < tw_graph_n_tasks(p.graph); t++) {
		tw_kernel k = tw_graph_task_kernel(p.graph, t);
		double seconds = seconds_of(&p, t);
		if (seen[k])
			continue;
		seen[k] = true;
		double rate = p.graph->kernels[k].flops / seconds;
		printf("%-42s %-15s %6d %9.2f us %8.2f GFlop/s %6.2f of gemm\n", words,
		       tw_graph_kernel_name(p.graph, k), nb, seconds * 1e6, rate * 1e-9, rate / gemm);
	}
	problem_finish(&p);
}

int main(int argc, char **argv)
{
	static const char *const formats[] = {"cholesky:nt=3:nb=%d:precision=%s", "lu:nt=2:nb=%d:precision=%s",
	                                      "qr:nt=2:ib=64:nb=%d:precision=%s:copy_diagonal=yes",
	                                      "qr:nt=2:ib=64:tree=binary:nb=%d:precision=%s",
	                                      "matmul3d:nt=1:nb=%d:precision=%s"};
	static const char *const others[] = {"stencil:nx=256:ny=256:nz=64:blocks=2:iterations=1",
	                                     "stencil:nx=256:ny=256:nz=64:blocks=2:iterations=1:precision=d",
	                                     "stencil:nx=256:ny=256:nz=64:blocks=2:iterations=1:precision=b",
	                                     "life:nx=1024:ny=256:nz=16:blocks=4:iterations=1", "reduction:n=1"};
	char words[100];
	openblas_set_num_threads(1);
	for (int nb = 320; nb <= 960; nb += 640)
		for (int d = 0; d < 2; d++) {
			double gemm = plain_gemm(nb, d == 0);
			printf("%sgemm %d: %.2f GFlop/s\n", d ? "d" : "s", nb, gemm * 1e-9);
			for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
				snprintf(words, sizeof words, formats[i], nb, d ? "d" : "s");
				if (argc < 2 || strncmp(words, argv[1], strlen(argv[1])) == 0)
					measure(words, nb, gemm);
			}
		}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (argc < 2 || strncmp(others[i], argv[1], strlen(argv[1])) == 0)
			measure(others[i], 0, plain_gemm(320, true));
	return 0;
}
