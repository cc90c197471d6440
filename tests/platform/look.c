#include "look.h"

#include <check.h>
#include <string.h>

tw_node node(const struct tw__platform *p, const char *name)
{
	for (tw_node n = 0; n < p->n_nodes; n++)
		if (strcmp(p->nodes[n].name, name) == 0)
			return n;
	ck_abort_msg("no node %s", name);
	return TW_NONE;
}

const struct tw__route *route(const struct tw__platform *p, const char *from, const char *to)
{
	return tw__route_of(p, node(p, from), node(p, to));
}

int times_listed(const struct tw__platform *p, const struct tw__route *r, const char *link)
{
	int n = 0;
	for (int i = 0; i < r->n_links; i++)
		n += strcmp(p->links[r->links[i]].name, link) == 0;
	return n;
}
