/* Finds the format for an exported task graph, and calls the writer of the format. */
#include "export/export.h"

#include <string.h>

#include "base/module.h"

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

static int export_graphml(FILE *f, const struct tw_graph *g, struct tw_error *err)
{
	const struct tw__graphml *module = tw__module_open(TW__GRAPHML_BUILT, "tw__graphml", "writer of GraphML", err);
	return module ? module->write(f, g, err) : TW_INVALID;
}

int tw__export(FILE *f, enum tw__export_format format, const struct tw_graph *g, struct tw_error *err)
{
	switch (format) {
	case TW__EXPORT_DOT:
		return tw__export_dot(f, g, err);
	case TW__EXPORT_GRAPHML:
		return export_graphml(f, g, err);
	case TW__EXPORT_JSON:
		break;
	}
	return tw__export_json(f, g, err);
}
