#include "cli/table.h"

#include <string.h>

/* "integer", or what a choice is between. */
static const char *type_of(const struct tw_param *p)
{
	static const char *const names[] = {
		[TW_PARAM_INT] = "integer", [TW_PARAM_REAL] = "number", [TW_PARAM_BYTES] = "size",
		[TW_PARAM_TIME] = "time",   [TW_PARAM_FLAG] = "yes|no", [TW_PARAM_CHOICE] = "choice",
		[TW_PARAM_TEXT] = "text",
	};
	return p->type == TW_PARAM_CHOICE && p->choices ? p->choices : names[p->type];
}

static const char *default_of(const struct tw_param *p)
{
	return !p->fallback ? "(required)" : *p->fallback ? p->fallback : "''";
}

static int wider(int width, const char *text) { return (int)strlen(text) > width ? (int)strlen(text) : width; }

void print_params(FILE *f, const struct tw_param *params)
{
	if (!params || !params[0].name) {
		fputs("It takes no parameters.\n", f);
		return;
	}
	int name = (int)strlen("parameter"), type = (int)strlen("type"), fallback = (int)strlen("default");
	for (const struct tw_param *p = params; p->name; p++) {
		name = wider(name, p->name);
		type = wider(type, type_of(p));
		fallback = wider(fallback, default_of(p));
	}
	fprintf(f, "\n%-*s  %-*s  %-*s  meaning\n", name, "parameter", type, "type", fallback, "default");
	for (const struct tw_param *p = params; p->name; p++)
		fprintf(f, "%-*s  %-*s  %-*s  %s\n", name, p->name, type, type_of(p), fallback, default_of(p),
		        p->help ? p->help : "");
}

void print_platform(FILE *f, const struct tw_platform *p)
{
	fprintf(f, "%s%s%s\n\nworkers of architecture\n", p->name, *p->summary ? ": " : "", p->summary);
	for (int a = 0; a < p->n_archs; a++) {
		int n = 0;
		for (int w = 0; w < p->n_workers; w++)
			n += p->workers[w].arch == a;
		fprintf(f, "  %s: %d%s\n", p->archs[a].name, n,
		        p->archs[a].accelerator ? " (accelerators; each takes a core)" : "");
	}
	fputs("memories\n", f);
	for (int n = 0; n < p->n_nodes; n++) {
		fprintf(f, "  %s: ", p->nodes[n].name);
		if (p->nodes[n].memory_bytes)
			fprintf(f, "%.1f MiB\n", (double)p->nodes[n].memory_bytes / (1 << 20));
		else
			fputs("unbounded\n", f);
	}
	fputs("routes (of one transfer alone)\n", f);
	for (int from = 0; from < p->n_nodes; from++)
		for (int to = 0; to < p->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(p, from, to);
			if (from != to && route->n_links)
				fprintf(f, "  %s -> %s: %.3f GB/s after %.1f us\n", p->nodes[from].name,
				        p->nodes[to].name, route->bandwidth / 1e9, route->latency * 1e6);
		}
}
