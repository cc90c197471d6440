/* SimGrid's fat tree: levels of switches above the nodes. A label of a node or switch has a number for each level; two
 * of neighbouring levels are joined if their labels differ at most in the upper level's number. Routes go up by
 * destination (d-mod-k) until a switch has the destination below it, and then down. */
#include <stdlib.h>
#include <string.h>

#include "platform/wiring.h"

/* Pairs of switches are looked at when they are joined, so their number is bounded. */
enum { MOST_SWITCHES = 8192 };

/* A node (level 0) or a switch. */
struct stage {
	int level, position, number, limiter;
	int *label; /* [levels] */
	int n_up, n_down;
	/* [n_up], [n_down]: the cables to those above and below, which are `above[i]` and `below[i]` */
	struct tw__cable *up, *down;
	struct stage **above, **below;
};

struct fat_tree {
	struct tw__wiring *w;
	int levels;
	const int *down, *up, *ports;    /* [levels]: children, parents, and parallel cables between each two levels */
	int first[TW__MOST_IN_LIST + 2]; /* the first stage of each level; behind the last level, the end */
	struct stage *stages;
};

/* Numbers the labels of a level, the first number fastest. */
static void label_level(const struct fat_tree *t, int level)
{
	for (int s = t->first[level]; s < t->first[level + 1]; s++) {
		int rest = s - t->first[level];
		for (int i = 0; i < t->levels; i++) {
			const int most = i < level ? t->up[i] : t->down[i];
			t->stages[s].label[i] = rest % most;
			rest /= most;
		}
	}
}

static void make_stages(const struct fat_tree *t)
{
	const int n_hosts = t->w->cluster->n_hosts;
	for (int level = 0; level <= t->levels; level++) {
		for (int s = t->first[level]; s < t->first[level + 1]; s++) {
			const int number = level ? 2 * n_hosts - 1 - (s - n_hosts) : s;
			const int n_up = level < t->levels ? t->up[level] * t->ports[level] : 0;
			const int n_down = level ? t->down[level - 1] * t->ports[level - 1] : 0;
			t->stages[s] = (struct stage){
				.level = level,
				.position = s - t->first[level],
				.number = number,
				.limiter = tw__wire_limiter(t->w, number),
				.label = tw_alloc((size_t)t->levels, sizeof(int)),
				.n_up = n_up,
				.n_down = n_down,
				.up = tw_alloc((size_t)n_up, sizeof(struct tw__cable)),
				.down = tw_alloc((size_t)n_down, sizeof(struct tw__cable)),
				.above = tw_alloc((size_t)n_up, sizeof(struct stage *)),
				.below = tw_alloc((size_t)n_down, sizeof(struct stage *)),
			};
		}
		label_level(t, level);
	}
}

static bool are_joined(const struct fat_tree *t, const struct stage *parent, const struct stage *child)
{
	for (int i = 0; i < t->levels; i++)
		if (parent->label[i] != child->label[i] && i + 1 != parent->level)
			return false;
	return true;
}

static void join_stages(const struct fat_tree *t)
{
	int number = 0;
	for (int s = 0; s < t->first[t->levels]; s++) {
		struct stage *child = &t->stages[s];
		const int level = child->level;
		for (int p = t->first[level + 1]; p < t->first[level + 2]; p++) {
			struct stage *parent = &t->stages[p];
			if (!are_joined(t, parent, child))
				continue;
			for (int port = 0; port < t->ports[level]; port++) {
				const int above = parent->label[level] + port * t->up[level];
				const int below = child->label[level] + port * t->down[level];
				const struct tw__cable cable =
					tw__wire_cable(t->w, t->w->cluster->bandwidth, "link_from_%d_%d_%d",
				                       child->number, parent->number, number++);
				child->up[above] = parent->down[below] = cable;
				child->above[above] = parent;
				parent->below[below] = child;
			}
		}
	}
}

/* Whether a node is below a switch. */
static bool is_below(const struct fat_tree *t, const struct stage *node, const struct stage *root)
{
	if (root->level <= node->level)
		return false;
	for (int i = 0; i < t->levels; i++)
		if ((i < node->level || i >= root->level) && root->label[i] != node->label[i])
			return false;
	return true;
}

static void go(const struct fat_tree *t, const struct stage *from, const struct stage *to)
{
	const struct stage *at = from;
	while (!is_below(t, to, at)) {
		int d = to->position;
		for (int i = 0; i < at->level; i++)
			d /= t->up[i];
		d %= at->n_up;
		tw__wire_hop(t->w, at->limiter);
		tw__wire_hop(t->w, at->up[d].up);
		at = at->above[d];
	}
	while (at != to) {
		const int d = from->position % t->ports[at->level - 1];
		/* SimGrid goes on with the same index one level below. */
		for (int i = d * t->down[at->level - 1]; i < at->n_down; i++)
			if (i % t->down[at->level - 1] == to->label[at->level - 1]) {
				tw__wire_hop(t->w, at->down[i].down);
				tw__wire_hop(t->w, at->limiter);
				at = at->below[i];
			}
	}
	tw__wire_hop(t->w, to->limiter);
}

/* Counts the stages of each level, and checks their numbers and that of links. */
static int count_stages(struct fat_tree *t)
{
	const struct tw__wiring *w = t->w;
	int64_t n_links = 0, n_stages = 0, n_hosts = 1;
	for (int i = 0; i < t->levels && n_hosts <= INT32_MAX; i++)
		n_hosts *= t->down[i];
	int status = tw__wire_check(w, n_hosts, 0);
	for (int level = 0; level <= t->levels && status == TW_OK; level++) {
		int64_t here = 1;
		for (int i = 0; i < t->levels && here <= INT32_MAX; i++)
			here *= i < level ? t->up[i] : t->down[i];
		t->first[level] = (int)n_stages;
		n_stages += here;
		if (n_stages > w->cluster->n_hosts + MOST_SWITCHES)
			return tw__raw_fail(w->raw, w->cluster->line, w->err,
			                    "topo_parameters '%.80s' make more than %d switches: expected fewer",
			                    w->cluster->parameters, MOST_SWITCHES);
		n_links += here;
		if (level < t->levels)
			n_links += 2 * here * t->up[level] * t->ports[level];
		status = tw__wire_check(w, n_hosts, n_links);
	}
	t->first[t->levels + 1] = (int)n_stages;
	return status;
}

/* Reads "LEVELS;DOWN,...;UP,...;PORTS,...", where each list has LEVELS numbers. */
static int read_parameters(struct tw__lists *lists, const struct tw__wiring *w)
{
	static const char form[] = "2;4,4;1,2;1,2";
	int status = tw__wire_lists(lists, w, 4, (const int[]){1, 0, 0, 0}, form);
	for (int i = 1; i < 4 && status == TW_OK; i++)
		if (lists->n[i] != lists->of[0][0])
			status = tw__raw_fail(w->raw, w->cluster->line, w->err,
			                      "topo_parameters '%.80s': expected %d numbers in each list, as in %s",
			                      w->cluster->parameters, lists->of[0][0], form);
	return status;
}

int tw__wire_fat_tree(struct tw__wiring *w)
{
	struct tw__lists lists;
	int status = read_parameters(&lists, w);
	struct fat_tree t = {w, lists.of[0][0], lists.of[1], lists.of[2], lists.of[3], {0}, NULL};
	if (status == TW_OK)
		status = count_stages(&t);
	if (status < 0)
		return status;
	const int n_hosts = w->cluster->n_hosts, n_stages = t.first[t.levels + 1];
	t.stages = tw_alloc((size_t)n_stages, sizeof *t.stages);
	make_stages(&t);
	join_stages(&t);
	for (int from = 0; from < n_hosts && status == TW_OK; from++)
		for (int to = 0; to < n_hosts && status == TW_OK; to++)
			if (from != to) {
				go(&t, &t.stages[from], &t.stages[to]);
				status = tw__wire_route(w, from, to);
			}
	for (int s = 0; s < n_stages; s++) {
		free(t.stages[s].label);
		free(t.stages[s].up);
		free(t.stages[s].down);
		free(t.stages[s].above);
		free(t.stages[s].below);
	}
	free(t.stages);
	return status;
}
