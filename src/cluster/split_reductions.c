/* Reductions to which tasks of several ranks contribute. Each rank reduces what its own tasks contribute, as a single
 * node does: the owner's add to the handle, and those of another rank to its share. The shares go to the owner as
 * messages, in the order of ranks, and a task for each adds it to the handle. So does starpu_mpi_redux_data. */
#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cluster/split_state.h"
#include "graph/reduction.h"

void tw__split_open_reductions(struct split *s)
{
	const struct tw_graph *g = s->from;
	if (!g->n_phases)
		return;
	const size_t n = (size_t)g->n_phases;
	s->open = tw_resize(NULL, (size_t)g->n_data, sizeof *s->open);
	s->priority = tw_resize(NULL, n, sizeof *s->priority);
	s->adding = tw_alloc((size_t)g->n_data * s->words, sizeof *s->adding);
	s->share_of = tw_alloc((size_t)g->n_data * (size_t)s->n_ranks, sizeof *s->share_of);
	for (tw_data d = 0; d < g->n_data; d++)
		s->open[d] = TW_NONE;
	for (size_t p = 0; p < n; p++)
		s->priority[p] = INT32_MIN;
}

void tw__split_close_reductions(struct split *s)
{
	free(s->open);
	free(s->priority);
	free(s->adding);
	free(s->share_of);
	free(s->shares);
	free(s->combined);
}

static int32_t *share_of(const struct split *s, tw_data d, int32_t rank)
{
	return &s->share_of[(size_t)d * (size_t)s->n_ranks + (size_t)rank];
}

tw_data tw__split_contributes_to(const struct split *s, uint32_t access, int32_t rank)
{
	const tw_data d = tw__access_data(s->from->access[access]);
	return s->distribution->owner[d] == rank ? d : s->from->n_data + *share_of(s, d, rank) - 1;
}

static void combine(struct split *s, int32_t phase, int32_t rank)
{
	const tw_data d = s->from->phases[phase].data;
	const int32_t owner = s->distribution->owner[d], share = *share_of(s, d, rank) - 1;
	send_message(s, (struct sent){s->from->n_data + share, TW_NONE, rank, owner, s->priority[phase]});
	add_step(s, owner, STEP_COMBINE, (int32_t)s->n_combined);
	TW_RESERVE(s->combined, s->combined_capacity, s->n_combined + 1);
	s->combined[s->n_combined++] = (struct combined){
		.share = share, .priority = s->priority[phase], .kernel = s->from->phases[phase].combine};
}

static void end_reduction(struct split *s, tw_data d)
{
	uint64_t *adding = s->adding + (size_t)d * s->words;
	const int32_t phase = s->open[d];
	if (phase == TW_NONE)
		return;
	for (int32_t rank = 0; rank < s->n_ranks; rank++) {
		if (tw__bit(adding, rank) && rank != s->distribution->owner[d])
			combine(s, phase, rank);
		tw__bit_put(adding, rank, false);
	}
	make_owners(s, d);
	s->open[d] = TW_NONE;
}

void tw__split_end_reductions(struct split *s)
{
	for (tw_data d = 0; d < s->from->n_data; d++)
		end_reduction(s, d);
}

void tw__split_contribute(struct split *s, tw_task t)
{
	const struct tw_graph *g = s->from;
	const int32_t rank = s->rank[t];
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		const tw_data d = tw__access_data(g->access[a]);
		if (!(g->access[a] & TW_REDUX)) {
			end_reduction(s, d);
			continue;
		}
		const int32_t phase = s->open[d] = tw__graph_phase_of(g, a);
		int32_t *share = share_of(s, d, rank);
		tw__bit_put(s->adding + (size_t)d * s->words, rank, true);
		if (g->priority[t] > s->priority[phase])
			s->priority[phase] = g->priority[t];
		if (rank == s->distribution->owner[d] || *share)
			continue;
		TW_RESERVE(s->shares, s->shares_capacity, s->n_shares + 1);
		s->shares[s->n_shares++] = (struct share){d, rank};
		*share = (int32_t)s->n_shares;
	}
}
