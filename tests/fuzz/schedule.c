/* Reads damaged files with schedules, for a graph of ten tasks. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "policies/support/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

enum { N_TASKS = 10 };

static struct tw_graph *make_graph(void)
{
	struct tw_graph *g = tw_graph_create();
	tw_kernel kernels[] = {tw_graph_kernel(g, "potrf", "960", "s", 1),
	                       tw_graph_kernel(g, "a,\"b\"", "960", "s", 1)};
	tw_data d = tw_graph_data(g, 8);
	struct tw_error err;
	for (int t = 0; t < N_TASKS; t++)
		tw_graph_submit(g, kernels[t % 2], 0, &(struct tw_access){d, TW_R}, 1);
	if (tw_graph_finish(g, &err) < 0)
		abort();
	return g;
}

/* The result must be a valid schedule, or a one-line error. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static struct tw_graph *graph;
	char path[64];
	struct tw_error err = {""};
	struct tw_scheduled *tasks;
	int fd = memfd_create("schedule", MFD_CLOEXEC);
	if (!graph)
		graph = make_graph();
	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	int status = tw_schedule_read(&tasks, path, graph, &err);
	close(fd);
	if (status == TW_OK) {
		bool seen[N_TASKS] = {false};
		for (int t = 0; t < N_TASKS; t++) {
			int order = tasks[t].place.order;
			if (tasks[t].line < 2 || tasks[t].place.worker < 0 || order < 0 || order >= N_TASKS ||
			    seen[order])
				abort();
			seen[order] = true;
		}
		free(tasks);
		return 0;
	}
	if (!err.message[0] || tasks)
		abort();
	for (const char *c = err.message; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			abort();
	return 0;
}
