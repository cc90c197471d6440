#include "cli/table.h"

#include "base/spec.h"
#include "cli/grid.h"

/* Returns the type of a parameter as text, such as "integer"; for a choice, the values to choose from. */
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

int print_params(FILE *f, const struct tw_param *params, struct tw_error *err)
{
	if (!params || !params[0].name) {
		fputs("It takes no parameters.\n", f);
		return TW_OK;
	}
	char range[TW__RANGE_BYTES];
	struct grid g = {.columns = 5};
	for (const char *const *title = (const char *const[]){"parameter", "type", "default", "range", "meaning", NULL};
	     *title; title++)
		grid_add(&g, "%s", *title);
	for (const struct tw_param *p = params; p->name; p++) {
		grid_add(&g, "%s", p->name);
		grid_add(&g, "%s", type_of(p));
		grid_add(&g, "%s", default_of(p));
		grid_add(&g, "%s", tw__param_range(p, range, sizeof range));
		grid_add(&g, "%s", p->help ? p->help : "");
	}
	fputc('\n', f);
	return grid_print(&g, f, "", err);
}
