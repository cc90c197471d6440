/* Selects the part of a platform that a run uses: of a single node, or the same part of each node of a cluster. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "platform/choice.h"
#include "platform/cluster.h"

/* Returns the rank whose memory a bound names, as in "node3.RAM", and sets *memory to the name in that rank's platform;
 * TW_NONE: the bound names no rank. */
static int rank_of(const struct tw__platform *all, const struct tw__bound *bound, const char **memory)
{
	for (int r = 0; r < all->n_ranks; r++) {
		const size_t length = strlen(all->rank_names[r]);
		if (strncasecmp(bound->node, all->rank_names[r], length) == 0 && bound->node[length] == '.') {
			*memory = bound->node + length + 1;
			return r;
		}
	}
	*memory = bound->node;
	return TW_NONE;
}

static bool is_anywhere(const struct tw__platform *all, const char *memory)
{
	for (int k = 0; k < all->n_kinds; k++)
		if (tw__memory_named(all->kinds[k], memory) != TW_NONE)
			return true;
	return false;
}

/* Finds the bounds on the memories of a rank's platform: first those that name the rank, whose number it returns. Those
 * without a rank follow, unless this node has no such memory but others do, or one of the former is for it. */
static int bounds_of(struct tw__bounds *own, const struct tw__platform *all, const struct tw__bounds *bounds, int rank)
{
	const struct tw__platform *kind = all->kinds[all->kind_of[rank]];
	int n_own = 0;
	*own = (struct tw__bounds){0};
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < bounds->n; i++) {
			const char *memory;
			if (rank_of(all, &bounds->of[i], &memory) != (pass == 0 ? rank : TW_NONE))
				continue;
			const tw_node n = tw__memory_named(kind, memory);
			bool is_left_out = pass == 1 && n == TW_NONE && is_anywhere(all, memory);
			for (int j = 0; j < n_own && pass == 1; j++)
				is_left_out |= tw__memory_named(kind, own->of[j].node) == n;
			if (is_left_out)
				continue;
			own->of[own->n].bytes = bounds->of[i].bytes;
			memcpy(own->of[own->n++].node, memory, strlen(memory) + 1);
			n_own += pass == 0;
		}
	return n_own;
}

/* Selects the part of each rank. of_rank, [n_ranks], gets platforms of which equal ones are the same: `made`, which has
 * room for n_ranks, gets each of them once. */
static int select_ranks(const struct tw__platform **of_rank, struct tw__platform **made, int *n_made,
                        const struct tw__platform *all, const struct tw__platform_choice *choice,
                        const struct tw__bounds *bounds, struct tw_error *err)
{
	const struct tw__platform **usual = tw_alloc((size_t)all->n_kinds, sizeof *usual);
	int status = TW_OK;
	for (int r = 0; r < all->n_ranks && status == TW_OK; r++) {
		struct tw__bounds own;
		const int k = all->kind_of[r];
		const bool has_own = bounds_of(&own, all, bounds, r);
		if (has_own || !usual[k]) {
			status = tw__node_select(&made[*n_made], all->kinds[k], choice, &own, err);
			of_rank[r] = status == TW_OK ? made[(*n_made)++] : NULL;
			usual[k] = has_own ? usual[k] : of_rank[r];
		} else {
			of_rank[r] = usual[k];
		}
	}
	free(usual);
	return status;
}

static int select_cluster(struct tw__platform **selected, const struct tw__platform *all,
                          const struct tw__platform_choice *choice, const struct tw__bounds *bounds,
                          struct tw_error *err)
{
	int n_made = 0;
	const struct tw__platform **of_rank = tw_alloc((size_t)all->n_ranks, sizeof *of_rank);
	struct tw__platform **made = tw_alloc((size_t)all->n_ranks, sizeof *made);
	int status = select_ranks(of_rank, made, &n_made, all, choice, bounds, err);
	if (status == TW_OK) {
		struct tw__network network;
		tw__cluster_network(&network, all);
		status = tw__cluster_join(selected, &network, of_rank, err);
		free(network.routes);
	}
	for (int i = 0; i < n_made; i++)
		tw__platform_destroy(made[i]);
	free(made);
	free(of_rank);
	return status;
}

int tw__platform_select(struct tw__platform **selected, const struct tw__platform *all,
                        const struct tw__platform_choice *choice, struct tw_error *err)
{
	struct tw__bounds bounds;
	*selected = NULL;
	int status = tw__bounds_parse(&bounds, choice->mem, err);
	if (status == TW_OK && all->n_kinds && choice->no_communication)
		status = tw_fail(err, TW_INVALID,
		                 "--communication off on platform '%s', which has %d nodes: expected a single node",
		                 all->name, all->n_ranks);
	if (status < 0)
		return status;
	return all->n_kinds ? select_cluster(selected, all, choice, &bounds, err)
	                    : tw__node_select(selected, all, choice, &bounds, err);
}
