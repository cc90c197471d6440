/* How long a great graph takes to build, and what it takes of memory: Cholesky of 180 x 180 tiles, 988,260 tasks. */
#include <malloc.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "experiment/load.h"

enum { MAX_BYTES_PER_TASK = 150 };

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peak_bytes(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return 1024.0 * (double)usage.ru_maxrss;
}

int main(void)
{
	struct tw_graph *g;
	struct tw_error err = {""};
	struct mallinfo2 before = mallinfo2();
	double peak_before = peak_bytes(), start = seconds_now();
	if (tw__generate(&g, "cholesky:nt=180", &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	double took = seconds_now() - start, tasks = (double)tw_graph_n_tasks(g), peak = peak_bytes() - peak_before;
	struct mallinfo2 after = mallinfo2();
	double used = (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
	tw_graph_destroy(g);
	printf("%.0f tasks: %.3f s (expected below 2 s), %.0f tasks/s\n", tasks, took, tasks / took);
	printf("finished graph: %.1f bytes per task (at most %d)\n", used / tasks, MAX_BYTES_PER_TASK);
	printf("while it was built: %.1f bytes per task\n", peak / tasks);
	return used / tasks > MAX_BYTES_PER_TASK;
}
