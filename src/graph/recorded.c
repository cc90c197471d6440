/* Records of single tasks: their durations, and where they ran. */
#include <math.h>
#include <string.h>

#include "base/one_line.h"
#include "graph/build.h"
#include "graph/reduction.h"

enum { MAX_ARCH_NAMES = 64 };

/* --- durations ---------------------------------------------------------------------------------------------------- */

static int grow_seconds(struct tw_graph *g, size_t needed)
{
	size_t known = g->build->seconds_capacity;
	if (!TW__HAS_ROOM(g->seconds, g->build->seconds_capacity, needed))
		return TW_NOMEM;
	for (; known < g->build->seconds_capacity; known++)
		g->seconds[known] = NAN;
	return TW_OK;
}

static bool is_duration(struct tw_graph *g, tw_task task, double seconds)
{
	if (seconds > 0 && seconds <= TW_MAX_SECONDS)
		return true;
	TW__REFUSE(g, "task %d takes %g s, expected a time above 0, at most %g", (int)task, seconds, TW_MAX_SECONDS);
	return false;
}

void tw_graph_set_seconds(struct tw_graph *g, tw_task task, double seconds)
{
	if (!tw__build_is_known(g, "seconds of", task) || !is_duration(g, task, seconds))
		return;
	if (grow_seconds(g, (size_t)task + 1))
		tw__build_fail_memory(g);
	else
		g->seconds[task] = seconds;
}

/* Returns the index of the name in arch_names, and adds it if it is missing. TW_NONE: the graph has failed. */
static int find_arch_name(struct tw_graph *g, const char *name)
{
	int i = 0;
	while (name && i < g->n_arch_names && strcmp(g->arch_names[i], name) != 0)
		i++;
	if (name && i < g->n_arch_names)
		return i;
	if (!name || !*name || strpbrk(name, "+,=\"\\") || !tw__is_text(name))
		return TW__REFUSE(g,
		                  "seconds on '%.60s': expected the name of an arch, text without control characters "
		                  "and the characters + , = \" \\",
		                  name ? name : "(NULL)");
	if (i == MAX_ARCH_NAMES)
		return TW__REFUSE(g, "seconds on '%.60s': expected at most %d names of archs", name, MAX_ARCH_NAMES);
	if (!TW__HAS_ROOM(g->arch_names, g->build->arch_names_capacity, (size_t)i + 1) ||
	    !(g->arch_names[i] = strdup(name)))
		return tw__build_fail_memory(g);
	return g->n_arch_names++;
}

static bool has_seconds_on(const struct tw_graph *g, tw_task task, int name)
{
	for (size_t i = g->n_arch_seconds; i > 0 && g->arch_seconds[i - 1].task == task; i--)
		if (g->arch_seconds[i - 1].name == name)
			return true;
	return false;
}

bool tw_graph_set_seconds_on(struct tw_graph *g, const char *arch, double seconds)
{
	const tw_task task = g ? g->n_tasks - 1 : TW_NONE;
	if (!tw__build_is_known(g, "seconds of", task) || !is_duration(g, task, seconds))
		return false;
	int name = find_arch_name(g, arch);
	if (name == TW_NONE)
		return false;
	if (has_seconds_on(g, task, name))
		TW__REFUSE(g, "task %d has seconds on '%.60s' twice", (int)task, arch);
	else if (!TW__HAS_ROOM(g->arch_seconds, g->build->arch_seconds_capacity, g->n_arch_seconds + 1))
		tw__build_fail_memory(g);
	else
		g->arch_seconds[g->n_arch_seconds++] = (struct tw__arch_seconds){task, name, seconds};
	return !tw__build_failed(g);
}

const struct tw__arch_seconds *tw__graph_seconds_on(const struct tw_graph *g, tw_task t,
                                                    const struct tw__arch_seconds **end)
{
	size_t low = 0, high = g->n_arch_seconds;
	if (!high) /* without an array there is nothing to point into */
		return *end = NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (g->arch_seconds[middle].task < t)
			low = middle + 1;
		else
			high = middle;
	}
	while (high < g->n_arch_seconds && g->arch_seconds[high].task == t)
		high++;
	*end = g->arch_seconds + high;
	return g->arch_seconds + low;
}

/* --- places ------------------------------------------------------------------------------------------------------- */

static int grow_places(struct tw_graph *g, size_t needed)
{
	size_t known = g->build->place_capacity;
	if (!TW__HAS_ROOM(g->place, g->build->place_capacity, needed))
		return TW_NOMEM;
	for (; known < g->build->place_capacity; known++)
		g->place[known].worker = TW_NONE;
	return TW_OK;
}

void tw_graph_set_recorded_place(struct tw_graph *g, tw_task task, struct tw_recorded_place place)
{
	if (!tw__build_is_known(g, "recorded place of", task))
		return;
	if (place.worker < 0 || place.order < 0)
		TW__REFUSE(g, "task %d was recorded on worker %d, there number %d, expected 0 or more", (int)task,
		           (int)place.worker, (int)place.order);
	else if (grow_places(g, (size_t)task + 1))
		tw__build_fail_memory(g);
	else
		g->place[task] = place;
}

const struct tw_recorded_place *tw_graph_recorded_place(const struct tw_graph *g, tw_task t)
{
	bool known = g->place && !g->build && t >= 0 && t < tw__graph_own_tasks(g) && g->place[t].worker != TW_NONE;
	return known ? &g->place[t] : NULL;
}

int tw__build_complete_recorded(struct tw_graph *g)
{
	if (g->seconds && grow_seconds(g, (size_t)g->n_tasks))
		return TW_NOMEM;
	return g->place ? grow_places(g, (size_t)g->n_tasks) : TW_OK;
}
