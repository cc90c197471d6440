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
 * Each GPU has one list of tasks. The policy halves the set of lists, and the tasks with it, until one list is left. It
 * does not ask METIS for more than two parts, because METIS may then print messages. A part gets work in proportion to
 * the speed of its GPUs, up to METIS' tolerance. Stealing during the run corrects the rest. */
#include <math.h>
#include <metis.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>

#include "policies/support/order_lists.h"
#include "policies/support/sharing.h"

/* METIS seeds rand() and sets signal handlers, which all threads share. */
static pthread_mutex_t metis = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) { pthread_mutex_lock(&metis); }
static void unlock(void) { pthread_mutex_unlock(&metis); }

/* Lets no other thread hold the lock at a fork: the child would wait for it for ever. */
static void guard_forks(void) { pthread_atfork(lock, unlock, unlock); }

/* Seed of METIS' random numbers. It is constant, so that equal runs have equal results. */
static const idx_t seed = 1;

struct partition {
	struct tw_order_lists *lists;
	const struct tw_sched *s;
	const struct tw_sharing *sharing;
	double *shares; /* [lists] part of all work that each list should get; the parts add up to 1 */
	/* METIS' graph of the tasks that are being halved: vertex v is the v-th of these tasks. */
	idx_t *start, *neighbour, *edge_weight, *vertex_weight, *part;
	/* [vertices] index in `neighbour` of the last edge that leads to this vertex; TW_NONE: no edge yet */
	idx_t *edge_to;
	/* Vertices whose tasks use handle d: the n_ring[d] entries from index first_task[d] on. */
	idx_t *ring;
	size_t *n_ring;
	int64_t looks;   /* number of edges that were added to METIS' graphs, parallel ones included */
	tw_task *sorted; /* [vertices] scratch array of sort() */
};

static void finish_partition(struct partition *p)
{
	free(p->shares);
	free(p->start);
	free(p->neighbour);
	free(p->edge_weight);
	free(p->vertex_weight);
	free(p->part);
	free(p->edge_to);
	free(p->ring);
	free(p->n_ring);
	free(p->sorted);
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
	size_t n = (size_t)sh->n_tasks, edges = count_edges(sh);
	struct partition p = {
		.lists = lists,
		.s = s,
		.sharing = sh,
		.shares = tw_alloc((size_t)lists->n, sizeof *p.shares),
		.start = tw_alloc(n + 1, sizeof *p.start),
		.neighbour = tw_alloc(edges, sizeof *p.neighbour),
		.edge_weight = tw_alloc(edges, sizeof *p.edge_weight),
		.vertex_weight = tw_alloc(n, sizeof *p.vertex_weight),
		.part = tw_alloc(n, sizeof *p.part),
		.edge_to = tw_alloc(n, sizeof *p.edge_to),
		.ring = tw_alloc(sh->first_task[sh->n_data], sizeof *p.ring),
		.n_ring = tw_alloc((size_t)sh->n_data, sizeof *p.n_ring),
		.sorted = tw_alloc(n, sizeof *p.sorted),
	};
	tw_order_lists_shares(lists, s, p.shares);
	return p;
}

/* --- METIS' graph of tasks ---------------------------------------------------------------------------------------- */

/* Turns a weight between 0 and `greatest` into an integer from 1 to 1000. The maximum is lower if n such weights could
 * overflow an idx_t. */
static idx_t weight(double value, double greatest, double n)
{
	double most = fmin(1000, (1 << 30) / (n + 1));
	return (idx_t)(1 + fmax(0, most - 1) * value / greatest);
}

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

static void join(struct partition *p, idx_t from, idx_t to, idx_t edge_weight)
{
	idx_t *end = &p->start[from + 1];
	p->looks++;
	if (p->edge_to[to] < p->start[from]) {
		p->edge_to[to] = *end;
		p->neighbour[*end] = to;
		p->edge_weight[(*end)++] = 0;
	}
	p->edge_weight[p->edge_to[to]] += edge_weight;
}

static void make_graph(struct partition *p, const tw_task *tasks, tw_task n)
{
	const struct tw_sharing *sh = p->sharing;
	double longest = 0, greatest = 0, edges = 0;
	make_rings(p, tasks, n);
	for (tw_data d = 0; d < sh->n_data; d++) {
		greatest = fmax(greatest, bytes_a_task(p, d));
		edges += 2 * (double)p->n_ring[d] * log2((double)p->n_ring[d] + 1);
	}
	for (tw_task v = 0; v < n; v++) {
		longest = fmax(longest, tw_order_lists_work(p->lists, p->s, tasks[v]));
		p->edge_to[v] = TW_NONE;
	}
	for (tw_task v = 0; v < n; v++) {
		p->vertex_weight[v] = weight(tw_order_lists_work(p->lists, p->s, tasks[v]), longest, n);
		p->start[v + 1] = p->start[v];
		for (size_t i = sh->first_data[tasks[v]]; i < sh->first_data[tasks[v] + 1]; i++) {
			tw_data d = sh->data[i];
			const idx_t *ring = p->ring + sh->first_task[d];
			size_t k = p->n_ring[d], low = 0, high = k;
			idx_t edge_weight = weight(bytes_a_task(p, d), greatest, edges);
			while (high - low > 1)
				*(ring[(low + high) / 2] <= v ? &low : &high) = (low + high) / 2;
			for (size_t step = 1; step < k; step *= 2) {
				join(p, v, ring[(low + step) % k], edge_weight);
				join(p, v, ring[(low + k - step) % k], edge_weight);
			}
		}
	}
}

/* --- halving the set of tasks ------------------------------------------------------------------------------------- */

/* Halves the tasks without METIS: the first tasks form part 0, until they have the part `share` of the work. */
static void cut(struct partition *p, const tw_task *tasks, tw_task n, double share)
{
	double all = 0, before = 0;
	for (tw_task v = 0; v < n; v++)
		all += tw_order_lists_work(p->lists, p->s, tasks[v]);
	for (tw_task v = 0; v < n; v++) {
		double work = tw_order_lists_work(p->lists, p->s, tasks[v]);
		p->part[v] = before + work / 2 >= share * all;
		before += work;
	}
}

/* Moves the tasks of part 0 in front of those of part 1; both parts keep their order. Returns how many tasks are in
 * part 0. */
static tw_task sort(struct partition *p, tw_task *tasks, tw_task n)
{
	tw_task first = 0;
	for (idx_t part = 0, at = 0; part < 2; part++)
		for (tw_task v = 0; v < n; v++)
			if (p->part[v] == part) {
				p->sorted[at++] = tasks[v];
				first += part == 0;
			}
	memcpy(tasks, p->sorted, (size_t)n * sizeof *tasks);
	return first;
}

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
	double share = all > 0 ? first / all : 0.5;
	real_t shares[2] = {(real_t)share, 1 - (real_t)share}; /* METIS refuses parts of 0, also if rounded */
	make_graph(p, tasks, n);
	if (n < 2 || p->start[n] == 0 || shares[0] <= 0 || shares[1] <= 0 || shares[0] >= 1 || shares[1] >= 1) {
		cut(p, tasks, n, share);
	} else {
		idx_t vertices = n, one = 1, two = 2, cut_weight, options[METIS_NOPTIONS];
		METIS_SetDefaultOptions(options);
		options[METIS_OPTION_SEED] = seed;
		lock();
		int result =
			METIS_PartGraphRecursive(&vertices, &one, p->start, p->neighbour, p->vertex_weight, NULL,
		                                 p->edge_weight, &two, shares, NULL, options, &cut_weight, p->part);
		unlock();
		if (result != METIS_OK)
			return result;
	}
	tw_task n_first = sort(p, tasks, n);
	int result = share_out(p, tasks, n_first, list, n_lists / 2);
	return result != METIS_OK
	               ? result
	               : share_out(p, tasks + n_first, n - n_first, list + n_lists / 2, n_lists - n_lists / 2);
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct tw_order_lists *lists = state;
	struct tw_sharing sharing = tw_sharing_of(tw_sched_graph(s));
	int result = METIS_ERROR_MEMORY;
	pthread_once(&once, guard_forks);
	tw_order_lists_init(lists, s);
	if (count_edges(&sharing) < INT32_MAX) { /* METIS numbers edges with an idx_t, which has 32 bits */
		tw_task n, *tasks = tw_order_lists_tasks(lists, s, &n);
		struct partition p = partition_of(lists, s, &sharing);
		result = share_out(&p, tasks, n, 0, lists->n);
		tw_looked_at(s, p.looks);
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
