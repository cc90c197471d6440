#include "plot/tips.h"

#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

/* Prints "working set: 3.1 GB" for the label "working set: the workload's data (GB)" of an axis. `half`: half the
 * width of an interval; 0: there is none. */
static void print_value(FILE *f, const char *label, double value, double half)
{
	const char *unit = strrchr(label, '('), *end = unit ? strchr(unit, ')') : NULL;
	bool has_unit = end && !end[1] && unit > label;
	int name = (int)strcspn(label, ":");
	if (has_unit && label + name > unit)
		name = (int)(unit - label) - 1;
	fprintf(f, "\n%.*s: %.5g", name, label, value);
	if (half > 0)
		fprintf(f, " ± %.2g", half);
	if (has_unit)
		fprintf(f, " %.*s", (int)(end - unit) - 1, unit + 1);
	if (half > 0)
		fputs(" (95 % confidence)", f);
}

static void print(FILE *f, const struct tw__chart *c, int curve, int panel, const struct tw__dot *d)
{
	const char *title = c->panels[panel].title;
	fprintf(f, "%s%s%s", c->curves[curve].label, *title ? ", " : "", title);
	if (c->ticks)
		fprintf(f, "\n%s", c->ticks[(int)(d->x + 0.5)]);
	else
		print_value(f, c->x_label, d->x / c->x_unit, 0);
	print_value(f, c->y_label, d->y / c->y_unit, c->has_ribbons ? 0 : (d->high - d->y) / c->y_unit);
	if (c->has_ribbons)
		fprintf(f, "\nthe best of %d configuration%s", d->n, d->n == 1 ? "" : "s");
	else
		fprintf(f, "\n%d repetition%s", d->n, d->n == 1 ? "" : "s");
}

size_t tw__tips_add(struct tw__tips *t, const struct tw__chart *c, int curve, int panel, const struct tw__dot *d)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	if (f)
		print(f, c, curve, panel, d);
	if (f && fclose(f) == 0 && TW_HAS_ROOM(t->of, t->room, t->n + 1)) {
		t->of[t->n++] = text;
		return t->n - 1;
	}
	free(text);
	t->no_memory = true;
	return 0;
}

void tw__tips_finish(struct tw__tips *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->of[i]);
	free(t->of);
}
