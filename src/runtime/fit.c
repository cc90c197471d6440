/* Before a run: does every task fit, with all its data, into each memory where it may run? */
#include <math.h>
#include <stdio.h>

#include "runtime/runtime.h"

/* Whether the data of one task, the greatest first, find places in an empty memory. */
static bool fits(const struct tw_graph *g, tw_task t, uint64_t capacity, uint64_t chunk_bytes,
                 uint64_t chunk_data_bytes)
{
	uint64_t bytes[TW_MAX_ACCESSES] = {0}, sum = 0, offset;
	int n = tw_graph_n_accesses(g, t), allocations;
	for (int i = 0; i < n; i++) {
		bytes[i] = tw_graph_data_bytes(g, tw_graph_access(g, t, i).data);
		sum += bytes[i];
		for (int j = i; j > 0 && bytes[j] > bytes[j - 1]; j--) {
			uint64_t swap = bytes[j];
			bytes[j] = bytes[j - 1];
			bytes[j - 1] = swap;
		}
	}
	if (sum > capacity)
		return false;
	if (!chunk_bytes || (bytes[0] <= chunk_data_bytes && sum + (uint64_t)n * TW__ROOM_GRAIN <= chunk_bytes))
		return true; /* one chunk takes them all */
	struct tw__room room;
	bool all = tw__room_init(&room, capacity, chunk_bytes, chunk_data_bytes) == TW_OK;
	for (int i = 0; all && i < n; i++)
		all = tw__room_take(&room, bytes[i], &offset, &allocations) == TW_OK;
	tw__room_finish(&room);
	return all;
}

static int check(const struct tw__run_input *in, tw_task t, const struct tw__worker *w, uint64_t capacity,
                 struct tw_error *err)
{
	if (fits(in->graph, t, capacity, tw__memory_chunk_bytes(in->platform, in->params, w->node),
	         in->params->chunk_data_bytes))
		return TW_OK;
	uint64_t sum = 0, chunk = tw__memory_chunk_bytes(in->platform, in->params, w->node);
	for (int i = 0; i < tw_graph_n_accesses(in->graph, t); i++)
		sum += tw_graph_data_bytes(in->graph, tw_graph_access(in->graph, t, i).data);
	char whole[64] = "";
	if (chunk)
		snprintf(whole, sizeof whole, " in whole chunks of %llu", (unsigned long long)chunk);
	return tw_fail(
		err, TW_INVALID,
		"task %d (%s) needs %llu bytes for its %d data, memory '%s' of worker '%s' has %llu usable bytes%s: "
		"expected room for each task",
		(int)t, tw_graph_kernel_name(in->graph, tw_graph_task_kernel(in->graph, t)), (unsigned long long)sum,
		tw_graph_n_accesses(in->graph, t), in->platform->nodes[w->node].name, w->name,
		(unsigned long long)capacity, whole);
}

int tw__run_check_fit(const struct tw__run_input *in, const uint64_t *capacity, struct tw_error *err)
{
	const struct tw_platform *p = in->platform;
	if (tw__run_home(p, capacity) == TW_RAM && capacity[TW_RAM] != UINT64_MAX) {
		uint64_t sum = 0;
		for (tw_data d = 0; d < in->graph->n_data; d++)
			sum += in->graph->data_bytes[d];
		return tw_fail(
			err, TW_INVALID,
			"main memory '%s' is bounded to %llu bytes and has no backing memory, expected a platform "
			"with a disk (the workload has %llu bytes)",
			p->nodes[TW_RAM].name, (unsigned long long)capacity[TW_RAM], (unsigned long long)sum);
	}
	for (int w = 0; w < p->n_workers; w++) {
		bool seen = capacity[p->workers[w].node] ==
		            UINT64_MAX; /* one worker for each pair of arch and memory is enough */
		for (int v = 0; v < w && !seen; v++)
			seen = p->workers[v].node == p->workers[w].node && p->workers[v].arch == p->workers[w].arch;
		for (tw_task t = 0; !seen && t < in->graph->n_tasks; t++) {
			if (isnan(tw__task_seconds(in->belief, in->graph, t, p->workers[w].arch)))
				continue;
			int status = check(in, t, &p->workers[w], capacity[p->workers[w].node], err);
			if (status != TW_OK)
				return status;
		}
	}
	return TW_OK;
}
