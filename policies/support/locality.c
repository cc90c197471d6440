#include "policies/support/locality.h"

#include <math.h>
#include <stdlib.h>

/* --- the memory that a task is closest to ------------------------------------------------------------------------- */

struct tw_located *tw_located_create(const struct tw_sched *s, tw_node n_nodes)
{
	const int most = tw_graph_most_accesses(tw_sched_graph(s));
	struct tw_located *data = tw_run_alloc(s, (size_t)most, sizeof *data);
	for (int i = 0; i < most; i++)
		data[i].hosts = tw_run_id_set(s, n_nodes);
	return data;
}

int tw_locate(const struct tw_sched *s, tw_task task, struct tw_located *data)
{
	int n_accesses = tw_task_n_accesses(s, task), n = 0;
	tw_node n_nodes = tw_n_nodes(s);
	for (int i = 0; i < n_accesses; i++) {
		struct tw_access access = tw_task_access(s, task, i);
		if (access.mode & TW_SCRATCH)
			continue;
		struct tw_located *d = &data[n++];
		d->bytes = tw_data_bytes(s, access.data);
		d->written = access.mode & (TW_W | TW_REDUX);
		for (tw_node first = 0; first < n_nodes; first += 64)
			d->hosts.words[first / 64] = tw_data_valid_nodes(s, access.data, first);
	}
	return n;
}

/* Bytes of a task's handles that a memory hosts, and of those that it lacks (missing). Handles that the task only reads
 * and handles that it writes are counted apart. written_squares: the sum of the squares of bytes. */
struct hosted {
	double read, written, written_squares, missing_read, missing_written;
	int n_written; /* number of hosted handles that the task writes */
};

/* Adds up the bytes for the memory `node`. Sets *alike to those memories of the node's word of a set that host the same
 * handles of the task, and so have the same score. */
static struct hosted add_up(const struct tw_located *data, int n, tw_node node, uint64_t *alike)
{
	struct hosted sum = {0};
	*alike = UINT64_MAX;
	for (int i = 0; i < n; i++) {
		double bytes = (double)data[i].bytes;
		uint64_t hosts = data[i].hosts.words[node / 64];
		bool hosted = hosts >> node % 64 & 1;
		*alike &= hosted ? hosts : ~hosts;
		if (hosted && data[i].written) {
			sum.written += bytes;
			sum.written_squares += bytes * bytes;
			sum.n_written++;
		} else if (hosted) {
			sum.read += bytes;
		} else if (data[i].written) {
			sum.missing_written += bytes;
		} else {
			sum.missing_read += bytes;
		}
	}
	return sum;
}

/* Returns the score of a memory for a task with n handles, of which the task writes n_written. */
static double score(enum tw_locality formula, const struct hosted *sum, int n, int n_written)
{
	switch (formula) {
	case TW_LS_SDH:
		return sum->read + sum->written;
	case TW_LS_SDH2:
		return sum->read + sum->written_squares;
	case TW_LS_SDHB:
		return sum->read + TW_SDHB_THETA * sum->n_written * sum->written;
	default:
		return n ? -(sum->missing_read + sum->missing_written * (2 - (double)n_written / n)) : 0;
	}
}

static int count_written(const struct tw_located *data, int n)
{
	int n_written = 0;
	for (int i = 0; i < n; i++)
		n_written += data[i].written;
	return n_written;
}

double tw_locality_score(enum tw_locality formula, const struct tw_located *data, int n, tw_node node)
{
	uint64_t alike;
	struct hosted sum = add_up(data, n, node, &alike);
	return score(formula, &sum, n, count_written(data, n));
}

void tw_locality_best(const struct tw_located *data, int n, const struct tw_id_set *among, struct tw_id_set *best)
{
	double most[TW_N_LOCALITIES];
	int n_written = count_written(data, n);
	for (int f = 0; f < TW_N_LOCALITIES; f++)
		most[f] = -INFINITY;
	for (int32_t word = 0; word < among->n_words; word++) {
		for (int f = 0; f < TW_N_LOCALITIES; f++)
			best[f].words[word] = 0;
		for (uint64_t left = among->words[word], alike; left; left &= ~alike) {
			struct hosted sum = add_up(data, n, word * 64 + __builtin_ctzll(left), &alike);
			for (int f = 0; f < TW_N_LOCALITIES; f++) {
				double now = score((enum tw_locality)f, &sum, n, n_written);
				for (int32_t i = 0; now > most[f] && i <= word; i++)
					best[f].words[i] = 0;
				if (now >= most[f]) {
					most[f] = now;
					best[f].words[word] |= alike & left;
				}
			}
		}
	}
}

void tw_cheapest_nodes(const struct tw_sched *s, tw_task task, const struct tw_id_set *among, double *seconds,
                       struct tw_id_set *best)
{
	double least = INFINITY;
	tw_task_transfer_times(s, task, seconds);
	tw_id_set_clear(best);
	for (tw_node node = 0; (node = tw_id_set_next(among, NULL, node)) != TW_NONE; node++) {
		if (seconds[node] < least)
			tw_id_set_clear(best);
		if (seconds[node] <= least) {
			least = seconds[node];
			tw_id_set_put(best, node, true);
		}
	}
}

tw_node tw_choose_node(const struct tw_id_set *best, tw_node here)
{
	if (tw_id_set_has(best, here))
		return here;
	int32_t word = best->n_words - 1;
	while (!best->words[word])
		word--;
	return word * 64 + 63 - __builtin_clzll(best->words[word]);
}

/* --- distances between memories ----------------------------------------------------------------------------------- */

double tw_priority_distance(const int *i, const int *j, int n_buckets, int n_i, int n_j)
{
	double sum = 0, most = n_i > n_j ? n_i : n_j;
	for (int k = 0; k < n_buckets; k++)
		sum += abs(i[k] - j[k]);
	return 1 - sum / ((most + 1) * (most + 2) / 2);
}

double tw_locality_distance(double priority_distance, double transfer_distance, double alpha)
{
	return priority_distance * alpha + transfer_distance * (1 - alpha);
}

/* --- the order in which workers visit task lists ------------------------------------------------------------------ */

/* Fills sorted[] with the memories in `among` other than `own`, the closest first. Returns their number. */
static int sort_others(tw_node *sorted, tw_node own, int n_nodes, const struct tw_id_set *among, const double *distance)
{
	int n = 0;
	for (tw_node node = n_nodes - 1; node >= 0; node--) {
		if (node == own || !tw_id_set_has(among, node))
			continue;
		int place = n++;
		for (; place > 0 && distance[node] < distance[sorted[place - 1]]; place--)
			sorted[place] = sorted[place - 1];
		sorted[place] = node;
	}
	return n;
}

int tw_grid_order(struct tw_grid_place *order, tw_node own, int n_nodes, const struct tw_id_set *among,
                  const double *distance, int n_priorities, int group, int stride, tw_node *others)
{
	int n_others = sort_others(others, own, n_nodes, among, distance), n = 0;
	int near = group < n_others ? group : n_others;
	for (int first = 0; first < n_priorities; first += stride) {
		int end = stride < n_priorities - first ? first + stride : n_priorities;
		for (int p = first; p < end; p++)
			order[n++] = (struct tw_grid_place){p, own};
		for (int p = first; p < end; p++)
			for (int i = 0; i < near; i++)
				order[n++] = (struct tw_grid_place){p, others[i]};
	}
	for (int p = 0; p < n_priorities; p++)
		for (int i = near; i < n_others; i++)
			order[n++] = (struct tw_grid_place){p, others[i]};
	return n;
}
