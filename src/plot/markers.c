/* Vertical lines at sizes where the data fit the memories of all GPUs together. */
#include <math.h>
#include <string.h>

#include "base/spec.h"
#include "plot/results.h"
#include "results/columns.h"

static void mark(struct tw__panel *panel, double x, const char *what, const char *where, const char *brief)
{
	if (!isfinite(x) || panel->n_markers == TW__MAX_MARKERS)
		return;
	for (int i = 0; i < panel->n_markers; i++)
		if (fabs(panel->markers[i].x - x) <= 1e-9 * x)
			return;
	struct tw__marker *m = &panel->markers[panel->n_markers++];
	m->x = x;
	snprintf(m->label, sizeof m->label, "%s%s", what, where);
	snprintf(m->brief, sizeof m->brief, "%s", brief);
}

/* Returns the working set of the workload at the size where its inputs have `fitting` bytes. Inputs grow linearly with
 * nt, the output quadratically. */
static double set_of_inputs(const struct tw__facts *facts, double fitting)
{
	double growth = fitting / facts->inputs_bytes;
	return fitting + (facts->working_set_bytes - facts->inputs_bytes) * growth * growth;
}

void tw__figure_mark(const struct tw__figure *g, struct tw__panel *panel, double memory_bytes, double gpus,
                     const struct tw__facts *facts)
{
	char where[64], memory[32];
	if (!(gpus > 0))
		return;
	if (g->request->x == TW__X_MEMORY) {
		double set = facts->working_set_bytes, inputs = facts->inputs_bytes;
		snprintf(where, sizeof where, " (%s)", tw__amount_text(memory, sizeof memory, set));
		mark(panel, inputs / gpus, "A and B fit", where, "A and B fit");
		mark(panel, inputs / 2 / gpus, "B fits", where, "B fits");
		snprintf(where, sizeof where, " (%s) fits", memory);
		mark(panel, set / gpus, "the whole set", where, "fits");
		return;
	}
	snprintf(where, sizeof where, " %.0f x %s", gpus, tw__memory_text(memory, sizeof memory, memory_bytes / gpus));
	mark(panel, set_of_inputs(facts, memory_bytes), "A and B fit", where, "A and B fit");
	mark(panel, set_of_inputs(facts, 2 * memory_bytes), "B fits", where, "B fits");
	mark(panel, memory_bytes, "fits", where, "fits");
}
