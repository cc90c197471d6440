/* Finds the format for an exported task graph, and calls the writer of the format. */
#include "export/export.h"

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

/* Recorded places are there if the workload has replay=yes. */
static void warn_of_places(const struct tw_graph *g, enum tw__export_format format)
{
	if (g->place && format != TW__EXPORT_JSON)
		tw_log(TW_LOG_WARNING, "this format keeps no recorded workers: expected .json to keep them");
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
