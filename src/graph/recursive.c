/* Recursive tasks: tasks with another way to do them, as tasks inside. Augonnet 2011, section 4.4, names divisible
 * tasks; StarPU calls them recursive. While tasks inside are submitted, handles have a build state of their own:
 * these tasks depend on each other alone. */
#include <stdlib.h>

#include "graph/build.h"

/* The build state of a handle outside of the tasks inside. */
struct tw__outside {
	tw_data data;
	struct tw__data_build state;
};

/* Begins a build state of its own for the handle, unless it has one at this level. */
static void isolate_one(struct tw_graph *g, tw_data d)
{
	struct tw__graph_build *b = g->build;
	struct tw__data_build *data = &b->data[d];
	const uint32_t level = b->levels[b->n_levels - 1].number;
	if (data->level == level || tw__build_failed(g))
		return;
	if (!TW__HAS_ROOM(b->outside, b->outside_capacity, b->n_outside + 1)) {
		tw__build_fail_memory(g);
		return;
	}
	b->outside[b->n_outside++] = (struct tw__outside){d, *data};
	data->level = level;
	data->last_writer = TW_NONE;
	data->readers = TW__NOBODY;
}

static void isolate_parts(struct tw_graph *g, tw_data d)
{
	const struct tw__lineage lineage = g->build->data[d].lineage;
	isolate_one(g, d);
	for (tw_data part = lineage.first_part; part < lineage.first_part + lineage.n_parts; part++)
		isolate_parts(g, part);
}

void tw__build_isolate(struct tw_graph *g, tw_data d)
{
	for (tw_data above = d; (above = g->build->data[above].lineage.parent) != TW_NONE;)
		isolate_one(g, above);
	isolate_parts(g, d);
}

void tw_graph_begin_recursive(struct tw_graph *g)
{
	if (tw__build_refuses(g))
		return;
	struct tw__graph_build *b = g->build;
	const tw_task task = g->n_tasks - 1;
	if (task < 0 || b->n_levels == TW__MOST_LEVELS || (b->n_insides && b->insides[b->n_insides - 1].end > task)) {
		TW__REFUSE(g, "task %d is recursive: expected a task, not yet recursive, in at most %d others",
		           (int)task, TW__MOST_LEVELS);
		return;
	}
	if (b->n_levels && b->levels[b->n_levels - 1].task == task) {
		TW__REFUSE(g, "task %d is recursive twice: expected a task inside first", (int)task);
		return;
	}
	for (uint32_t a = g->access_start[task]; a < g->access_start[task + 1]; a++)
		if (g->access[a] & TW_REDUX) {
			TW__REFUSE(g, "task %d is recursive: expected no access with TW_REDUX", (int)task);
			return;
		}
	b->levels[b->n_levels++] =
		(struct tw__level){.task = task, .number = ++b->last_level, .first_outside = b->n_outside};
}

void tw_graph_end_recursive(struct tw_graph *g)
{
	if (tw__build_refuses(g))
		return;
	struct tw__graph_build *b = g->build;
	if (!b->n_levels || g->n_tasks == b->levels[b->n_levels - 1].task + 1) {
		TW__REFUSE(g, "the end of a recursive task: expected its begin before, and tasks inside");
		return;
	}
	const struct tw__level level = b->levels[--b->n_levels];
	while (b->n_outside > level.first_outside) {
		const struct tw__outside *outside = &b->outside[--b->n_outside];
		struct tw__data_build *data = &b->data[outside->data], inside = *data;
		tw__build_forget_readers(g, data);
		*data = outside->state;
		data->used_as |= inside.used_as;
		data->lineage = inside.lineage;
		data->last_user = inside.last_user;
	}
	if (!TW__HAS_ROOM(b->insides, b->insides_capacity, b->n_insides + 1)) {
		tw__build_fail_memory(g);
		return;
	}
	b->insides[b->n_insides++] = (struct tw__inside){level.task, g->n_tasks};
}

const char *tw__build_wrong_inside(const struct tw_graph *g, tw_data d, unsigned mode)
{
	const struct tw__graph_build *b = g->build;
	const tw_task around = b->levels[b->n_levels - 1].task;
	bool allowed = false;
	if (b->data[d].lineage.parent == TW_NONE && b->data[d].lineage.first_part == TW_NONE)
		return "a divided handle, or a part, as the task is inside a recursive one";
	for (uint32_t a = g->access_start[around]; a < g->access_start[around + 1]; a++)
		for (tw_data above = d; above != TW_NONE; above = b->data[above].lineage.parent)
			allowed |= tw__access_data(g->access[a]) == above && (g->access[a] & TW_W || !(mode & TW_W));
	return allowed ? NULL
	               : "accesses to handles of the recursive task around it, or to parts of them, as it has them";
}

bool tw__build_may_depend(const struct tw_graph *g, tw_task on)
{
	const struct tw__graph_build *b = g->build;
	const tw_task around = b->n_levels ? b->levels[b->n_levels - 1].task : TW_NONE;
	if (b->n_insides && b->insides[b->n_insides - 1].end == g->n_tasks)
		return false; /* the last task is inside one that has ended */
	for (size_t i = b->n_insides; i-- > 0 && b->insides[i].end > on;)
		if (b->insides[i].task < on && b->insides[i].task > around)
			return false;
	return on > around;
}

int tw__build_insides(struct tw_graph *g)
{
	const struct tw__graph_build *b = g->build;
	if (b->n_levels)
		return TW__REFUSE(g, "recursive task %d has no end (tw_graph_end_recursive)",
		                  (int)b->levels[b->n_levels - 1].task);
	if (!b->n_insides)
		return TW_OK;
	g->around = malloc((size_t)g->n_tasks * sizeof *g->around);
	g->inside_end = calloc((size_t)g->n_tasks, sizeof *g->inside_end);
	if (!g->around || !g->inside_end)
		return tw__build_fail_memory(g);
	for (tw_task t = 0; t < g->n_tasks; t++)
		g->around[t] = TW_NONE;
	/* tasks inside others come first, so the closest one around a task is set first */
	for (size_t i = 0; i < b->n_insides; i++) {
		g->inside_end[b->insides[i].task] = b->insides[i].end;
		for (tw_task t = b->insides[i].task + 1; t < b->insides[i].end; t++)
			g->around[t] = g->around[t] == TW_NONE ? b->insides[i].task : g->around[t];
	}
	return TW_OK;
}

void tw__graph_least_durations(const struct tw_graph *g, double *seconds)
{
	if (!g->around)
		return;
	double *path = tw_alloc((size_t)g->n_tasks, sizeof *path);
	for (tw_task t = g->n_tasks - 1; t >= 0; t--) {
		double below = 0, inside = 0;
		for (uint32_t s = g->successor_start[t]; s < g->successor_start[t + 1]; s++)
			below = path[g->successor[s]] > below ? path[g->successor[s]] : below;
		for (tw_task in = t + 1; in < g->inside_end[t]; in++)
			inside = g->around[in] == t && path[in] > inside ? path[in] : inside;
		if (g->inside_end[t] && inside < seconds[t])
			seconds[t] = inside;
		path[t] = seconds[t] + below;
	}
	for (tw_task t = 0; t < g->n_tasks; t++)
		seconds[t] = g->around[t] == TW_NONE ? seconds[t] : 0;
	free(path);
}

void tw__insides_append(struct tw_graph *to, const struct tw_graph *from, tw_task task, tw_task n)
{
	const tw_task shift = to->n_tasks - task;
	if (!to->around && !from->around)
		return;
	const tw_task first = to->around ? to->n_tasks : 0;
	to->around = tw_resize(to->around, (size_t)(to->n_tasks + n), sizeof *to->around);
	to->inside_end = tw_resize(to->inside_end, (size_t)(to->n_tasks + n), sizeof *to->inside_end);
	for (tw_task t = first; t < to->n_tasks + n; t++) {
		const bool known = t >= to->n_tasks && from->around;
		const tw_task around = known ? from->around[t - shift] : TW_NONE;
		const tw_task end = known ? from->inside_end[t - shift] : 0;
		to->around[t] = around == TW_NONE ? TW_NONE : around + shift;
		to->inside_end[t] = end ? end + shift : 0;
	}
}
