/* Finds the format for an exported task graph, and calls the writer of the format. */
#include "export/export.h"

#include <string.h>

static const struct {
	const char *ending;
	int (*write)(FILE *, const struct tw_graph *, struct tw_error *err);
} formats[] = {{".dot", tw__export_dot},
               {".gv", tw__export_dot},
               {".graphml", tw__export_graphml},
               {".json", tw__export_json}};

int tw__export_format(const char *path, struct tw_error *err)
{
	size_t length = strlen(path);
	for (int i = 0; i < (int)(sizeof formats / sizeof formats[0]); i++) {
		size_t n = strlen(formats[i].ending);
		if (length > n && !strcmp(path + length - n, formats[i].ending))
			return i;
	}
	return tw_fail(err, TW_INVALID, "'%.200s': expected a file that ends in .dot, .gv, .graphml or .json", path);
}

int tw__export(FILE *f, int format, const struct tw_graph *g, struct tw_error *err)
{
	if (g->n_parts && formats[format].write != tw__export_json)
		return tw_fail(err, TW_INVALID, "%d graphs with dates of arrival: this format has one, expected .json",
		               g->n_parts);
	if ((g->n_lineages || g->around) && formats[format].write != tw__export_json)
		return tw_fail(err, TW_INVALID,
		               "divided handles or recursive tasks: this format has none, expected .json");
	/* Recorded places are there if the workload has replay=yes. */
	if (g->place && formats[format].write != tw__export_json)
		tw_log(TW_LOG_WARNING, "this format keeps no recorded workers: expected .json to keep them");
	return formats[format].write(f, g, err);
}
