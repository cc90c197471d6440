/* Time and memory to build a large graph: Cholesky of 180 x 180 tiles, 988,260 tasks. Also the time of a million tasks
 * from arrays, and of each other generator for about 200,000 tasks. Times are processor time, so that other load on
 * the machine matters little. */
#include <malloc.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/wall.h"
#include "experiment/load.h"

enum { MAX_BYTES_PER_TASK = 150 };

static double peak_bytes(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return 1024.0 * (double)usage.ru_maxrss;
}

/* Each graph has 195,000 to 205,000 tasks. */
static const char *const generators[] = {
	"chain:n=200000",
	"cholesky:nt=105",
	"cholesky_taskset:nt=105",
	"forkjoin:stages=100:width=1900",
	"grid:n=200000",
	"independent:n=200000",
	"layered:n=200000",
	"layered:n=200000:fat=0.8:density=0.01:regular=0.5:jump=4",
	"life:blocks=64:iterations=3125",
	"lu:nt=84",
	"matmul2d:nt=447",
	"matmul2d:nt=447:output=yes:order=random",
	"matmul3d:nt=58",
	"matmul3d:nt=58:independent=yes",
	"qr:nt=84",
	"qr:nt=84:copy_diagonal=yes",
	"qr:nt=16:mt=1450:tree=domains:domains=16",
	"qr:nt=67:tree=binary",
	"reduction:n=200000",
	"sparse:nt=10000:density=0.002",
	"star:n=200000",
	"stencil:blocks=64:iterations=1042",
};

static int time_generators(void)
{
	int slow = 0;
	for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++) {
		struct tw_graph *g;
		struct tw_error err = {""};
		clock_t start = clock();
		if (tw__generate(&g, generators[i], &err) < 0) {
			fprintf(stderr, "%s\n", err.message);
			return 1;
		}
		double took = (double)(clock() - start) / CLOCKS_PER_SEC;
		tw_task tasks = tw_graph_n_tasks(g);
		tw_graph_destroy(g);
		printf("%s: %d tasks: %.3f s (at most 0.5 s)\n", generators[i], (int)tasks, took);
		slow |= took > 0.5 || tasks < 195000 || tasks > 205000;
	}
	return slow;
}

/* A million tasks with three accesses each, to 10,000 handles, from arrays and one by one. */
static int time_arrays(void)
{
	enum { N = 1000000, EACH = 3, N_DATA = 10000 };
	static tw_kernel kernel[N];
	static int64_t first_access[N + 1];
	static tw_data data[EACH * N];
	static uint8_t mode[EACH * N];
	static uint64_t bytes[N_DATA];
	double took[2];
	for (int t = 0; t <= N; t++)
		first_access[t] = (int64_t)EACH * t;
	for (int a = 0; a < EACH * N; a++) {
		data[a] = (tw_data)((uint32_t)a * 7919u % N_DATA);
		mode[a] = a % EACH ? TW_R : TW_RW;
	}
	for (int d = 0; d < N_DATA; d++)
		bytes[d] = 1000;
	for (int many = 0; many < 2; many++) {
		const struct tw_task_arrays arrays = {.size = sizeof arrays,
		                                      .n = N,
		                                      .kernel = kernel,
		                                      .first_access = first_access,
		                                      .data = data,
		                                      .mode = mode};
		struct tw_graph *g = tw_graph_create();
		struct tw_error err = {""};
		clock_t start = clock();
		tw_graph_kernel(g, "work", "1", "d", 0);
		tw_graph_data_many(g, N_DATA, bytes);
		if (many)
			tw_graph_submit_many(g, &arrays);
		for (int t = 0; t < N && !many; t++) {
			struct tw_access list[EACH];
			for (int i = 0; i < EACH; i++)
				list[i] = (struct tw_access){data[EACH * t + i], (enum tw_mode)mode[EACH * t + i]};
			tw_graph_submit(g, kernel[t], 0, list, EACH);
		}
		took[many] = (double)(clock() - start) / CLOCKS_PER_SEC;
		if (tw_graph_finish(g, &err) < 0) {
			fprintf(stderr, "%s\n", err.message);
			return 1;
		}
		double finished = (double)(clock() - start) / CLOCKS_PER_SEC;
		printf("%d tasks, %d edges %s: %.3f s, finished after %.3f s (at most 1 s)\n", N,
		       (int)g->successor_start[N], many ? "from arrays" : "one by one", took[many], finished);
		tw_graph_destroy(g);
		if (finished > 1)
			return 1;
	}
	return 0;
}

int main(void)
{
	struct tw_graph *g;
	struct tw_error err = {""};
	struct mallinfo2 before = mallinfo2();
	double peak_before = peak_bytes(), start = tw__wall_s();
	if (tw__generate(&g, "cholesky:nt=180", &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	double took = tw__wall_s() - start, tasks = (double)tw_graph_n_tasks(g), peak = peak_bytes() - peak_before;
	struct mallinfo2 after = mallinfo2();
	double used = (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
	tw_graph_destroy(g);
	printf("%.0f tasks: %.3f s (expected below 2 s), %.0f tasks/s\n", tasks, took, tasks / took);
	printf("finished graph: %.1f bytes per task (at most %d)\n", used / tasks, MAX_BYTES_PER_TASK);
	printf("during the build: %.1f bytes per task\n", peak / tasks);
	return time_arrays() | time_generators() | (used / tasks > MAX_BYTES_PER_TASK);
}
