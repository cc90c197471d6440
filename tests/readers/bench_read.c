/* Measures how long a workload takes to be read or generated. Prints tasks, seconds, and peak bytes per task. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/wall.h"
#include "experiment/load.h"

static double peak_bytes(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return 1024.0 * (double)usage.ru_maxrss;
}

/* Arguments: SPEC [SECONDS], the longest allowed time. */
int main(int argc, char **argv)
{
	struct tw_graph *g;
	struct tw_error err = {""};
	if (argc < 2)
		return 2;
	double peak_before = peak_bytes(), start = tw__wall_s();
	if (tw__generate(&g, argv[1], &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	double took = tw__wall_s() - start, tasks = (double)tw_graph_n_tasks(g), peak = peak_bytes() - peak_before;
	tw_graph_destroy(g);
	printf("%9.0f tasks  %7.3f s  %8.0f tasks/s  peak %4.0f bytes/task\n", tasks, took, tasks / took, peak / tasks);
	return argc > 2 && took > strtod(argv[2], NULL);
}
