/* SimGrid's dragonfly. Nodes hang on routers ("blades"). Green links join the routers of a chassis, and black ones the
 * equal routers of a group's chassis. One blue link joins any two groups i and j: at router j of the first chassis of
 * group i. Routes are minimal, but for those within a group: SimGrid 3.32 takes them through the first chassis, which
 * is kept here. */
#include <stdlib.h>

#include "platform/wiring.h"

struct router {
	int group, chassis, blade, limiter, blue;
	int *green, *black;      /* [blades], [chassis]: links to the other routers */
	struct tw__cable *nodes; /* [nodes of a router] */
};

struct dragonfly {
	struct tw__wiring *w;
	int groups, chassis, blades, nodes; /* of each of these, how many one of the level above has */
	struct router *routers;             /* [groups * chassis * blades] */
};

static struct router *router_at(const struct dragonfly *d, int group, int chassis, int blade)
{
	return &d->routers[(group * d->chassis + chassis) * d->blades + blade];
}

static void make_routers(const struct dragonfly *d)
{
	int number = 2 * d->w->cluster->n_hosts;
	for (int r = 0; r < d->groups * d->chassis * d->blades; r++) {
		d->routers[r] = (struct router){.group = r / (d->chassis * d->blades),
		                                .chassis = r / d->blades % d->chassis,
		                                .blade = r % d->blades,
		                                .limiter = tw__wire_limiter(d->w, --number),
		                                .green = tw_alloc((size_t)d->blades, sizeof(int)),
		                                .black = tw_alloc((size_t)d->chassis, sizeof(int)),
		                                .nodes = tw_alloc((size_t)d->nodes, sizeof(struct tw__cable))};
	}
}

/* Joins routers; `widths`: how many links of each color a cable stands for. */
static void make_cables(const struct dragonfly *d, const struct tw__lists *widths)
{
	struct tw__wiring *w = d->w;
	const double bandwidth = w->cluster->bandwidth;
	int number = 0;
	for (int r = 0; r < d->groups * d->chassis * d->blades; r++)
		for (int n = 0; n < d->nodes; n++)
			d->routers[r].nodes[n] =
				tw__wire_cable(w, bandwidth, "local_link_from_router_%d_to_node_%d_%d", r, n, number++);
	for (int i = 0; i < d->groups * d->chassis; i++)
		for (int j = 0; j < d->blades; j++)
			for (int k = j + 1; k < d->blades; k++) {
				const struct tw__cable cable =
					tw__wire_cable(w, bandwidth * widths->of[2][1],
				                       "green_link_in_chassis_%d_between_routers_%d_and_%d_%d",
				                       i % d->chassis, j, k, number++);
				d->routers[i * d->blades + j].green[k] = cable.up;
				d->routers[i * d->blades + k].green[j] = cable.down;
			}
	for (int i = 0; i < d->groups; i++)
		for (int j = 0; j < d->chassis; j++)
			for (int k = j + 1; k < d->chassis; k++)
				for (int l = 0; l < d->blades; l++) {
					const struct tw__cable cable = tw__wire_cable(
						w, bandwidth * widths->of[1][1],
						"black_link_in_group_%d_between_chassis_%d_and_%d_blade_%d_%d", i, j, k,
						l, number++);
					router_at(d, i, j, l)->black[k] = cable.up;
					router_at(d, i, k, l)->black[j] = cable.down;
				}
	for (int i = 0; i < d->groups; i++)
		for (int j = i + 1; j < d->groups; j++) {
			struct router *one = router_at(d, i, 0, j), *other = router_at(d, j, 0, i);
			const struct tw__cable cable =
				tw__wire_cable(w, bandwidth * widths->of[0][1],
			                       "blue_link_between_group_%d_and_%d_routers_%d_and_%d_%d", i, j,
			                       (int)(one - d->routers), (int)(other - d->routers), number++);
			one->blue = cable.up;
			other->blue = cable.down;
		}
}

/* Goes from a router to the group of `to`; returns the router there. */
static const struct router *cross_groups(const struct dragonfly *d, const struct router *at, const struct router *to)
{
	if (at->blade != to->group) {
		tw__wire_hop(d->w, at->limiter);
		tw__wire_hop(d->w, at->green[to->group]);
		at = router_at(d, at->group, at->chassis, to->group);
	}
	if (at->chassis != 0) {
		tw__wire_hop(d->w, at->limiter);
		tw__wire_hop(d->w, at->black[0]);
		at = router_at(d, at->group, 0, to->group);
	}
	tw__wire_hop(d->w, at->blue);
	tw__wire_hop(d->w, at->limiter);
	return router_at(d, to->group, 0, at->group);
}

static void cross_routers(const struct dragonfly *d, const struct router *at, const struct router *to)
{
	if (at->group != to->group)
		at = cross_groups(d, at, to);
	if (at->blade != to->blade) {
		tw__wire_hop(d->w, at->limiter);
		tw__wire_hop(d->w, at->green[to->blade]);
		at = router_at(d, to->group, 0, to->blade);
	}
	if (at->chassis != to->chassis) {
		tw__wire_hop(d->w, at->limiter);
		tw__wire_hop(d->w, at->black[to->chassis]);
	}
}

static int make_routes(const struct dragonfly *d, const int *limiters)
{
	const int n = d->w->cluster->n_hosts;
	int status = TW_OK;
	for (int from = 0; from < n && status == TW_OK; from++)
		for (int to = 0; to < n && status == TW_OK; to++) {
			const struct router *here = &d->routers[from / d->nodes], *there = &d->routers[to / d->nodes];
			if (from == to)
				continue;
			tw__wire_hop(d->w, limiters[from]);
			tw__wire_hop(d->w, here->nodes[from % d->nodes].up);
			if (here != there)
				cross_routers(d, here, there);
			tw__wire_hop(d->w, there->limiter);
			tw__wire_hop(d->w, there->nodes[to % d->nodes].down);
			tw__wire_hop(d->w, limiters[to]);
			status = tw__wire_route(d->w, from, to);
		}
	return status;
}

/* Checks the numbers before any of them is used for memory. */
static int check(const struct dragonfly *d)
{
	const struct tw__wiring *w = d->w;
	const int64_t groups = d->groups, chassis = d->chassis, blades = d->blades;
	const int64_t routers = groups * chassis * blades;
	/* Without the last factor, there are too many in any case. */
	const int64_t hosts = routers > INT32_MAX ? routers : routers * d->nodes;
	if (hosts != w->cluster->n_hosts)
		return tw__wire_check(w, hosts, 0);
	if (groups > blades && groups > 1)
		return tw__raw_fail(
			w->raw, w->cluster->line, w->err,
			"topo_parameters '%.80s': %d groups, but %d routers in a chassis: expected at least as "
			"many routers, which join groups",
			w->cluster->parameters, d->groups, d->blades);
	return tw__wire_check(w, hosts, 2 * routers * (2 * d->nodes + blades + chassis) + groups * groups);
}

int tw__wire_dragonfly(struct tw__wiring *w)
{
	struct tw__lists lists;
	int status = tw__wire_lists(&lists, w, 4, (const int[]){2, 2, 2, 1}, "3,4;4,3;5,1;2");
	struct dragonfly d = {w, lists.of[0][0], lists.of[1][0], lists.of[2][0], lists.of[3][0], NULL};
	if (status == TW_OK)
		status = check(&d);
	if (status < 0)
		return status;
	const int n_routers = d.groups * d.chassis * d.blades;
	int *limiters = tw_alloc((size_t)w->cluster->n_hosts, sizeof *limiters);
	d.routers = tw_alloc((size_t)n_routers, sizeof *d.routers);
	for (int h = 0; h < w->cluster->n_hosts; h++)
		limiters[h] = tw__wire_limiter(w, h);
	make_routers(&d);
	make_cables(&d, &lists);
	status = make_routes(&d, limiters);
	for (int r = 0; r < n_routers; r++) {
		free(d.routers[r].green);
		free(d.routers[r].black);
		free(d.routers[r].nodes);
	}
	free(d.routers);
	free(limiters);
	return status;
}
