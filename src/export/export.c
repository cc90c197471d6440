/* Finds the format for an exported task graph, and calls the writer of the format. */
#include "export/export.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *ending;
	enum tw__export_format format;
} endings[] = {{".dot", TW__EXPORT_DOT},
               {".gv", TW__EXPORT_DOT},
               {".graphml", TW__EXPORT_GRAPHML},
               {".json", TW__EXPORT_JSON}};

int tw__export_format(enum tw__export_format *format, const char *path, struct tw_error *err)
{
	size_t length = strlen(path);
	for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
		size_t n = strlen(endings[i].ending);
		if (length > n && !strcmp(path + length - n, endings[i].ending)) {
			*format = endings[i].format;
			return TW_OK;
		}
	}
	return tw_fail(err, TW_INVALID, "'%.200s': expected a file that ends in .dot, .gv, .graphml or .json", path);
}

const char *tw__seconds_key(const struct tw_graph *g, const struct tw__arch_seconds *s)
{
	const char *name = g->arch_names[s->name];
	return !strcmp(name, "processors") ? "cpu_seconds" : !strcmp(name, "accelerators") ? "gpu_seconds" : NULL;
}

/* Recorded places are there if the workload has replay=yes. */
static void warn_of_places(const struct tw_graph *g, enum tw__export_format format)
{
	if (g->place && format != TW__EXPORT_JSON)
		tw_log(TW_LOG_WARNING, "this format keeps no recorded workers: expected .json to keep them");
}

int tw__export_combine(tw_kernel **out, const struct tw_graph *g, struct tw_error *err)
{
	tw_kernel *combine = *out = malloc(((size_t)g->n_data + 1) * sizeof *combine);
	bool same = true;
	if (!combine)
		return tw_fail(err, TW_NOMEM, "out of memory for the reductions of %d data", (int)g->n_data);
	for (tw_data d = 0; d < g->n_data; d++)
		combine[d] = TW_NONE;
	for (int p = 0; p < g->n_phases; p++) {
		tw_kernel *of = &combine[g->phases[p].data];
		same = same && (*of == TW_NONE || *of == g->phases[p].combine);
		*of = g->phases[p].combine;
	}
	if (same)
		return TW_OK;
	free(combine);
	return tw_fail(
		err, TW_FAILED,
		"two kernels combine one handle, one after the other: expected one kernel for each handle, as the "
		"format stores one");
}

int tw__export(FILE *f, enum tw__export_format format, const struct tw_graph *g, struct tw_error *err)
{
	warn_of_places(g, format);
	switch (format) {
	case TW__EXPORT_DOT:
		return tw__export_dot(f, g, err);
	case TW__EXPORT_GRAPHML:
		return tw__export_graphml(f, g, err);
	case TW__EXPORT_JSON:
		break;
	}
	return tw__export_json(f, g, err);
}
