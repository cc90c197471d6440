/* metis: METIS partitions the tasks among the GPUs so that few handles are needed on several GPUs. HFP (policies/hfp.c)
 * then packs each part. The paper is Gonthier, Marchal, Thibault 2021, "Experiments with multiple GPUs": "We also added
 * a partitionner, hMETIS, and used it in combination with HFP".
 *
 * The paper's hMETIS partitions hypergraphs: tasks are vertices, and a handle joins all its tasks. It is not free
 * software. METIS (Karypis, Kumar 1998) partitions graphs, so this policy turns each handle into edges. The tasks of a
 * handle, in the order of submission, form a ring. Each task is joined with the tasks 1, 2, 4, 8 ... places further. An
 * edge weighs the handle's bytes divided by the handle's number of tasks. When a ring of k tasks is cut into two arcs,
 * about 2k edges are cut, wherever the arcs begin. So the cost of a handle depends only on how many parts need it.
 *
 * Two simpler graphs are worse. Edges between all pairs of a handle's tasks make a graph of quadratic size, in which
 * even cuts cost more than uneven ones. One extra vertex per handle, joined with the handle's tasks, makes METIS cut
 * the rows and columns of a matrix product at random.
 *
 * Each GPU has one list of tasks. The policy halves the set of lists, and the tasks with it, until one list is left. A
 * part gets work in proportion to the speed of its GPUs, up to METIS' tolerance. Stealing during the run corrects the
 * rest. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>

#include "policies/support/halving.h"
#include "policies/support/order_lists.h"
#include "policies/support/sharing.h"

struct partition {
	struct tw_order_lists *lists;
	const struct tw_sched *s;
	const struct tw_sharing *sharing;
	double *shares; /* [lists] part of all work that each list should get; the parts add up to 1 */
	struct tw_halving halving;
	/* Vertices whose tasks use handle d: the n_ring[d] entries from index first_task[d] on. */
	idx_t *ring;
	size_t *n_ring;
};

static void finish_partition(struct partition *p)
{
	tw_halving_finish(&p->halving);
	free(p->shares);
	free(p->ring);
	free(p->n_ring);
}

/* Returns an upper bound of the number of edges in METIS' graph, both ways counted. */
static size_t count_edges(const struct tw_sharing *sh)
{
	size_t edges = 0;
	for (tw_data d = 0; d < sh->n_data; d++)
		for (size_t k = sh->first_task[d + 1] - sh->first_task[d], step = 1; step < k; step *= 2)
			edges += 2 * k;
	return edges;
}

static struct partition partition_of(struct tw_order_lists *lists, const struct tw_sched *s,
                                     const struct tw_sharing *sh)
{
	struct partition p = {
		.lists = lists,
		.s = s,
		.sharing = sh,
		.shares = tw_alloc((size_t)lists->n, sizeof *p.shares),
		.ring = tw_alloc(sh->first_task[sh->n_data], sizeof *p.ring),
		.n_ring = tw_alloc((size_t)sh->n_data, sizeof *p.n_ring),
	};
	tw_halving_init(&p.halving, (size_t)sh->n_tasks, count_edges(sh));
	tw_order_lists_shares(lists, s, p.shares);
	return p;
}

/* --- METIS' graph of tasks ---------------------------------------------------------------------------------------- */

static void make_rings(struct partition *p, const tw_task *tasks, tw_task n)
{
	const struct tw_sharing *sh = p->sharing;
	memset(p->n_ring, 0, (size_t)sh->n_data * sizeof *p->n_ring);
	for (tw_task v = 0; v < n; v++)
		for (size_t i = sh->first_data[tasks[v]]; i < sh->first_data[tasks[v] + 1]; i++)
			p->ring[sh->first_task[sh->data[i]] + p->n_ring[sh->data[i]]++] = v;
}

static double bytes_a_task(const struct partition *p, tw_data d)
{
	return p->n_ring[d] ? (double)p->sharing->bytes[d] / (double)p->n_ring[d] : 0;
}

static void make_graph(struct partition *p, const tw_task *tasks, tw_task n)
{
	const struct tw_sharing *sh = p->sharing;
	double greatest = 0, edges = 0;
	make_rings(p, tasks, n);
	for (tw_data d = 0; d < sh->n_data; d++) {
		greatest = fmax(greatest, bytes_a_task(p, d));
		edges += 2 * (double)p->n_ring[d] * log2((double)p->n_ring[d] + 1);
	}
	tw_halving_begin(&p->halving, n);
	for (tw_task v = 0; v < n; v++) {
		p->halving.work[v] = tw_order_lists_work(p->lists, p->s, tasks[v]);
		tw_halving_vertex(&p->halving, v);
		for (size_t i = sh->first_data[tasks[v]]; i < sh->first_data[tasks[v] + 1]; i++) {
			tw_data d = sh->data[i];
			const idx_t *ring = p->ring + sh->first_task[d];
			size_t k = p->n_ring[d], low = 0, high = k;
			idx_t edge_weight = tw_halving_weight(bytes_a_task(p, d), greatest, edges);
			while (high - low > 1)
				*(ring[(low + high) / 2] <= v ? &low : &high) = (low + high) / 2;
			for (size_t step = 1; step < k; step *= 2) {
				tw_halving_join(&p->halving, v, ring[(low + step) % k], edge_weight);
				tw_halving_join(&p->halving, v, ring[(low + k - step) % k], edge_weight);
			}
		}
	}
}

/* --- halving the set of tasks ------------------------------------------------------------------------------------- */

/* Distributes the tasks, given in ascending order, to the lists `list` .. `list` + n_lists - 1. Returns METIS_OK, or
 * METIS' error. */
static int share_out(struct partition *p, tw_task *tasks, tw_task n, int list, int n_lists)
{
	if (n_lists == 1) {
		tw_order_lists_pack(p->lists, p->s, p->sharing, tasks, n, list, 1);
		return METIS_OK;
	}
	double first = 0, all = 0;
	for (int k = 0; k < n_lists; k++) {
		all += p->shares[list + k];
		first += k < n_lists / 2 ? p->shares[list + k] : 0;
	}
	tw_task n_first;
	make_graph(p, tasks, n);
	int result = tw_halve(&p->halving, tasks, n, all > 0 ? first / all : 0.5, &n_first);
	if (result == METIS_OK)
		result = share_out(p, tasks, n_first, list, n_lists / 2);
	return result != METIS_OK
	               ? result
	               : share_out(p, tasks + n_first, n - n_first, list + n_lists / 2, n_lists - n_lists / 2);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw_order_lists *lists = state;
	struct tw_sharing sharing = tw_sharing_of(tw_sched_graph(s));
	int result = METIS_ERROR_MEMORY;
	tw_order_lists_init(lists, s);
	if (count_edges(&sharing) <= TW_HALVING_EDGES) {
		tw_task n, *tasks = tw_order_lists_tasks(lists, s, &n);
		struct partition p = partition_of(lists, s, &sharing);
		result = share_out(&p, tasks, n, 0, lists->n);
		tw_looked_at(s, p.halving.looks);
		finish_partition(&p);
		free(tasks);
	}
	tw_sharing_finish(&sharing);
	if (result == METIS_OK)
		return TW_OK;
	bool memory = result == METIS_ERROR_MEMORY;
	return tw_fail(err, memory ? TW_NOMEM : TW_FAILED, "policy 'metis': %s",
	               memory ? "out of memory for the graph of tasks that share data" : "METIS failed");
}

const struct tw_policy tw_policy_metis = {
	.abi = TW_POLICY_ABI,
	.name = "metis",
	.summary = "METIS partitions the tasks among GPUs; hfp packs each part",
	.params = tw_packing_params,
	.eviction = "belady",
	.init = init,
	TW_ORDER_LISTS_MEMBERS,
};
