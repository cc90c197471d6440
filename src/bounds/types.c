#include "bounds/bounds.h"

static void count_workers(struct tw__types *y, const struct tw_platform *p)
{
	for (tw_arch a = 0; a < p->n_archs; a++) {
		int n = 0;
		for (tw_worker w = 0; w < p->n_workers; w++)
			n += p->workers[w].arch == a;
		if (n == 0)
			continue;
		y->arch[y->n_resources] = a;
		y->workers[y->n_resources++] = n;
	}
}

/* Counts a task of the type, and adds its seconds on each arch to `mean`. If all tasks of the kernel take equal times
 * on an arch, `least` is that time. The sum is rounded as if tasks were added one by one. */
static void count_task(struct tw__types *y, const struct tw__bounded *in, tw_task t, int type)
{
	y->tasks[type]++;
	for (int r = 0; r < y->n_resources; r++) {
		int i = type * y->n_resources + r;
		if (y->tasks[type] > 1 && tw__times_are_equal(in->times, y->kernel[type], y->arch[r])) {
			y->mean[i] += y->least[i];
			continue;
		}
		double seconds = tw__task_run_seconds(in->times, in->graph, t, y->arch[r]);
		if (isnan(seconds))
			seconds = INFINITY;
		y->mean[i] += seconds;
		y->least[i] = y->tasks[type] == 1 ? seconds : fmin(y->least[i], seconds);
	}
}

void tw__types_init(struct tw__types *y, const struct tw__bounded *in)
{
	const struct tw_graph *g = in->graph;
	struct tw__arena *arena = &y->arena;
	*y = (struct tw__types){0};
	tw__classes_init(&y->classes, in->times, in->platform, g);
	const size_t types = (size_t)y->classes.n, resources = (size_t)in->platform->n_archs;
	y->of_class = tw__arena_alloc(arena, types, sizeof *y->of_class);
	y->kernel = tw__arena_alloc(arena, types, sizeof *y->kernel);
	y->arch = tw__arena_alloc(arena, resources, sizeof *y->arch);
	y->tasks = tw__arena_alloc(arena, types, sizeof *y->tasks);
	y->workers = tw__arena_alloc(arena, resources, sizeof *y->workers);
	y->mean = tw__arena_alloc(arena, types * resources, sizeof *y->mean);
	y->least = tw__arena_alloc(arena, types * resources, sizeof *y->least);
	count_workers(y, in->platform);
	for (int c = 0; c < y->classes.n; c++)
		y->of_class[c] = TW_NONE;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		int *type = &y->of_class[tw__class_of(&y->classes, g, t)];
		if (*type == TW_NONE) {
			*type = y->n_types;
			y->kernel[y->n_types++] = g->kernel[t];
		}
		count_task(y, in, t, *type);
	}
	for (int i = 0; i < y->n_types * y->n_resources; i++)
		y->mean[i] /= y->tasks[i / y->n_resources];
}

void tw__types_finish(struct tw__types *y)
{
	tw__classes_finish(&y->classes);
	tw__arena_finish(&y->arena);
}
