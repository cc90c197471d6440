/* Prints where the numbers of links come from. */
#include <stdlib.h>
#include <string.h>

#include "base/cell_table.h"
#include "cli/show.h"

enum { MAX_LINKS = 12 }; /* links that a row names; further ones are only counted */

static const char not_said[] = "unknown";

/* A number of a link, and where it comes from. */
struct said {
	enum tw__link_number number;
	const char *origin;
	int link;
};

static int compare_said(const void *one, const void *other)
{
	const struct said *a = one, *b = other;
	int order = (int)a->number - (int)b->number;
	if (!order)
		order = strcmp(a->origin, b->origin);
	return order ? order : a->link - b->link;
}

void print_link_origins(FILE *f, const struct tw__platform *p)
{
	static const char *const names[] = {"bandwidth", "shared bandwidth", "latency"};
	static const struct cell_column columns[] = {{.title = "number"}, {.title = "origin"}, {.title = "links"}, {0}};
	struct cell_table t = {.columns = columns, .indent = "  "};
	size_t n = 0, n_told = 0;
	struct said *all = tw_alloc((size_t)p->n_links * TW__N_LINK_NUMBERS, sizeof *all);
	for (int i = 0; i < p->n_links; i++)
		for (int number = 0; number < TW__N_LINK_NUMBERS; number++) {
			const char *origin = p->links[i].origins[number];
			n_told += origin != NULL;
			if (origin || tw__link_has(&p->links[i], number))
				all[n++] = (struct said){number, origin ? origin : not_said, i};
		}
	qsort(all, n, sizeof *all, compare_said);
	for (size_t i = 0, end; i < n && n_told; i = end) {
		struct cell_list list = {.most = MAX_LINKS};
		for (end = i; end < n && all[end].number == all[i].number && !strcmp(all[end].origin, all[i].origin);)
			tw__list_add(&list, "%s", p->links[all[end++].link].name);
		tw__cells_add(&t, cell_text(names[all[i].number]), cell_text(all[i].origin), tw__list_cell(&list));
	}
	if (n_told) {
		fputs("\nsources of link numbers\n", f);
		tw__cells_print(&t, f);
	}
	free(all);
}
