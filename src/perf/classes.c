#include "perf/classes.h"

#include <stdlib.h>

/* A class as it is found: one of its tasks, and the next class of the kernel. */
struct found {
	tw_task example; /* TW_NONE: the class of a kernel */
	int next;        /* TW_NONE: the last class of the kernel */
};

struct search {
	const struct tw__times *times;
	const struct tw_graph *graph;
	tw_arch *archs; /* [n_archs] those with workers */
	int n_archs;
	struct found *found; /* [classes] */
	size_t capacity;
};

/* Whether the archs with workers that can run the task are those of the class, which is one of the task's kernel. */
static bool is_of(const struct search *s, tw_task t, tw_task example)
{
	for (int i = 0; i < s->n_archs; i++) {
		tw_arch a = s->archs[i];
		bool runs = example == TW_NONE ? !isnan(s->times->mean[s->graph->kernel[t] * s->times->n_archs + a])
		                               : tw__task_can_run(s->times, s->graph, example, a);
		if (runs != tw__task_can_run(s->times, s->graph, t, a))
			return false;
	}
	return true;
}

/* Returns the class of the task, a new one if need be. */
static int find(struct tw__classes *classes, struct search *s, tw_task t)
{
	int class = s->graph->kernel[t];
	while (!is_of(s, t, s->found[class].example)) {
		if (s->found[class].next == TW_NONE) {
			TW_RESERVE(s->found, s->capacity, (size_t)classes->n + 1);
			s->found[classes->n] = (struct found){t, TW_NONE};
			s->found[class].next = classes->n;
			return classes->n++;
		}
		class = s->found[class].next;
	}
	return class;
}

void tw__classes_init(struct tw__classes *classes, const struct tw__times *times, const struct tw__platform *p,
                      const struct tw_graph *g)
{
	struct search s = {.times = times, .graph = g};
	*classes = (struct tw__classes){.n = g->n_kernels, .n_tasks = times->n_tasks};
	if (!times->has_recorded)
		return;
	classes->of_task = tw_resize(NULL, (size_t)classes->n_tasks, sizeof *classes->of_task);
	s.archs = tw_resize(NULL, (size_t)p->n_archs, sizeof *s.archs);
	for (tw_arch a = 0; a < p->n_archs; a++)
		if (tw__has_worker(p, a))
			s.archs[s.n_archs++] = a;
	TW_RESERVE(s.found, s.capacity, (size_t)g->n_kernels);
	for (tw_kernel k = 0; k < g->n_kernels; k++)
		s.found[k] = (struct found){TW_NONE, TW_NONE};
	for (tw_task t = 0; t < classes->n_tasks; t++)
		classes->of_task[t] = find(classes, &s, t);
	free(s.archs);
	free(s.found);
}

void tw__classes_finish(struct tw__classes *classes)
{
	free(classes->of_task);
	*classes = (struct tw__classes){0};
}
