#include "policies/support/locality.h"

#include <math.h>
#include <stdlib.h>

/* --- the memory that a task is closest to ------------------------------------------------------------------------- */

int tw_locate(const struct tw_sched *s, tw_task task, struct tw_located *data)
{
	int n_accesses = tw_task_n_accesses(s, task), n = 0;
	for (int i = 0; i < n_accesses; i++) {
		struct tw_access access = tw_task_access(s, task, i);
		if (access.mode & TW_SCRATCH)
			continue;
		uint64_t hosts = tw_data_valid_nodes(s, access.data, 0);
		bool written = access.mode & (TW_W | TW_REDUX);
		data[n++] = (struct tw_located){tw_data_bytes(s, access.data), written, hosts};
	}
	return n;
}

double tw_locality_score(enum tw_locality formula, const struct tw_located *data, int n, tw_node node)
{
	double read = 0, written = 0, squares = 0, missing_read = 0, missing_written = 0;
	int n_hosted_written = 0, n_written = 0;
	for (int i = 0; i < n; i++) {
		double bytes = (double)data[i].bytes;
		bool hosted = data[i].hosts >> node & 1;
		n_written += data[i].written;
		if (hosted && data[i].written) {
			written += bytes;
			squares += bytes * bytes;
			n_hosted_written++;
		} else if (hosted) {
			read += bytes;
		} else if (data[i].written) {
			missing_written += bytes;
		} else {
			missing_read += bytes;
		}
	}
	switch (formula) {
	case TW_LS_SDH:
		return read + written;
	case TW_LS_SDH2:
		return read + squares;
	case TW_LS_SDHB:
		return read + TW_SDHB_THETA * n_hosted_written * written;
	default:
		return n ? -(missing_read + missing_written * (2 - (double)n_written / n)) : 0;
	}
}

/* Returns the set of memories that host the same handles of the task as `node`, and so have the same score. */
static uint64_t alike_nodes(const struct tw_located *data, int n, tw_node node)
{
	uint64_t alike = UINT64_MAX;
	for (int i = 0; i < n; i++)
		alike &= data[i].hosts >> node & 1 ? data[i].hosts : ~data[i].hosts;
	return alike;
}

uint64_t tw_locality_best(enum tw_locality formula, const struct tw_located *data, int n, uint64_t among)
{
	uint64_t best = 0;
	double most = -INFINITY;
	for (uint64_t left = among, alike; left; left &= ~alike) {
		tw_node node = __builtin_ctzll(left);
		alike = alike_nodes(data, n, node) & left;
		double score = tw_locality_score(formula, data, n, node);
		if (score > most)
			best = 0;
		if (score >= most) {
			most = score;
			best |= alike;
		}
	}
	return best;
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
static int sort_others(tw_node *sorted, tw_node own, int n_nodes, uint64_t among, const double *distance)
{
	int n = 0;
	for (tw_node node = n_nodes - 1; node >= 0; node--) {
		if (node == own || !(among >> node & 1))
			continue;
		int place = n++;
		for (; place > 0 && distance[node] < distance[sorted[place - 1]]; place--)
			sorted[place] = sorted[place - 1];
		sorted[place] = node;
	}
	return n;
}

int tw_grid_order(struct tw_grid_place *order, tw_node own, int n_nodes, uint64_t among, const double *distance,
                  int n_priorities, int group, int stride)
{
	tw_node others[64];
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
