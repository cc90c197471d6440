#include "engine/bridges.h"

#include <stdio.h>
#include <stdlib.h>

#include <simgrid/link.h>

struct tw__bridge {
	sg_link_t link; /* NULL: no bridge, the bandwidth is the same, shared or not */
	int users;
};

int tw__bridges_init(struct tw__bridges *bridges, const struct tw_platform *platform)
{
	char name[32];
	*bridges = (struct tw__bridges){platform, calloc((size_t)platform->n_links + 1, sizeof *bridges->of)};
	for (int l = 0; bridges->of && l < platform->n_links; l++) {
		snprintf(name, sizeof name, "L%d", l);
		if (platform->links[l].shared_bandwidth < platform->links[l].bandwidth)
			bridges->of[l].link = sg_link_by_name(name);
	}
	return bridges->of ? TW_OK : TW_NOMEM;
}

void tw__bridges_finish(struct tw__bridges *bridges)
{
	free(bridges->of);
	bridges->of = NULL;
}

static void count(struct tw__bridges *bridges, const struct tw__route *route, int change)
{
	for (int l = 0; l < route->n_links; l++) {
		struct tw__bridge *bridge = &bridges->of[route->links[l]];
		const struct tw__link *link = &bridges->platform->links[route->links[l]];
		if (!bridge->link || !tw__is_first_listed(route, l))
			continue;
		bool was_shared = bridge->users > 1;
		bridge->users += change;
		if (was_shared != (bridge->users > 1))
			sg_link_set_bandwidth(bridge->link, was_shared ? link->bandwidth : link->shared_bandwidth);
	}
}

void tw__bridges_enter(struct tw__bridges *bridges, const struct tw__route *route) { count(bridges, route, 1); }

void tw__bridges_leave(struct tw__bridges *bridges, const struct tw__route *route) { count(bridges, route, -1); }
