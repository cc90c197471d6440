#include "policies/support/halving.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>

/* METIS seeds rand() and sets signal handlers, which all threads share. */
static pthread_mutex_t metis = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) { pthread_mutex_lock(&metis); }
static void unlock(void) { pthread_mutex_unlock(&metis); }

/* Lets no other thread hold the lock at a fork: the child would wait for it for ever. */
static void guard_forks(void) { pthread_atfork(lock, unlock, unlock); }

/* Seed of METIS' random numbers. It is constant, so that equal runs have equal results. */
static const idx_t seed = 1;

void tw_halving_init(struct tw_halving *h, size_t vertices, size_t edges)
{
	*h = (struct tw_halving){
		.work = tw_alloc(vertices, sizeof *h->work),
		.start = tw_alloc(vertices + 1, sizeof *h->start),
		.neighbour = tw_alloc(edges, sizeof *h->neighbour),
		.edge_weight = tw_alloc(edges, sizeof *h->edge_weight),
		.vertex_weight = tw_alloc(vertices, sizeof *h->vertex_weight),
		.part = tw_alloc(vertices, sizeof *h->part),
		.edge_to = tw_alloc(vertices, sizeof *h->edge_to),
		.sorted = tw_alloc(vertices, sizeof *h->sorted),
	};
}

void tw_halving_finish(struct tw_halving *h)
{
	free(h->work);
	free(h->start);
	free(h->neighbour);
	free(h->edge_weight);
	free(h->vertex_weight);
	free(h->part);
	free(h->edge_to);
	free(h->sorted);
}

void tw_halving_begin(struct tw_halving *h, tw_task n)
{
	for (tw_task v = 0; v < n; v++)
		h->edge_to[v] = TW_NONE;
}

void tw_halving_join(struct tw_halving *h, idx_t from, idx_t to, idx_t weight)
{
	idx_t *end = &h->start[from + 1];
	h->looks++;
	if (h->edge_to[to] < h->start[from]) {
		h->edge_to[to] = *end;
		h->neighbour[*end] = to;
		h->edge_weight[(*end)++] = 0;
	}
	h->edge_weight[h->edge_to[to]] += weight;
}

idx_t tw_halving_weight(double value, double greatest, double n)
{
	double most = fmin(1000, (1 << 30) / (n + 1));
	return (idx_t)(1 + (greatest > 0 ? fmax(0, most - 1) * value / greatest : 0));
}

/* Halves the tasks without METIS: the first tasks form part 0, until they have the part `share` of the work. */
static void cut(struct tw_halving *h, tw_task n, double share)
{
	double all = 0, before = 0;
	for (tw_task v = 0; v < n; v++)
		all += h->work[v];
	for (tw_task v = 0; v < n; v++) {
		h->part[v] = before + h->work[v] / 2 >= share * all;
		before += h->work[v];
	}
}

static int partition(struct tw_halving *h, tw_task n, real_t *shares)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	idx_t vertices = n, one = 1, two = 2, cut_weight, options[METIS_NOPTIONS];
	double longest = 0;
	for (tw_task v = 0; v < n; v++)
		longest = fmax(longest, h->work[v]);
	for (tw_task v = 0; v < n; v++)
		h->vertex_weight[v] = tw_halving_weight(h->work[v], longest, n);
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = seed;
	pthread_once(&once, guard_forks);
	lock();
	int result = METIS_PartGraphRecursive(&vertices, &one, h->start, h->neighbour, h->vertex_weight, NULL,
	                                      h->edge_weight, &two, shares, NULL, options, &cut_weight, h->part);
	unlock();
	return result;
}

static tw_task sort(struct tw_halving *h, tw_task *tasks, tw_task n)
{
	tw_task first = 0;
	for (idx_t part = 0, at = 0; part < 2; part++)
		for (tw_task v = 0; v < n; v++)
			if (h->part[v] == part) {
				h->sorted[at++] = tasks[v];
				first += part == 0;
			}
	memcpy(tasks, h->sorted, (size_t)n * sizeof *tasks);
	return first;
}

int tw_halve(struct tw_halving *h, tw_task *tasks, tw_task n, double share, tw_task *n_first)
{
	real_t shares[2] = {(real_t)share, 1 - (real_t)share}; /* METIS refuses parts of 0, also if rounded */
	int result = METIS_OK;
	if (n < 2 || h->start[n] == 0 || shares[0] <= 0 || shares[1] <= 0 || shares[0] >= 1 || shares[1] >= 1)
		cut(h, n, share);
	else
		result = partition(h, n, shares);
	if (result == METIS_OK)
		*n_first = sort(h, tasks, n);
	return result;
}
