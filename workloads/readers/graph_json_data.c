/* The handles of Tilewright's own format of task graphs, and what it says of them. */
#include <stdlib.h>

#include "readers/graph_json.h"

enum { MAX_BITS = 60 };

/* Takes the error that the graph keeps since a builder function failed, with a message about the value `at`. */
void tw__graph_json_refuse(const struct graph_file *f, const struct tw__json_at *at)
{
	struct tw_error why;
	int status = tw_graph_finish(f->graph, &why);
	tw__json_fail(at, "%s", why.message);
	f->draft->status = status; /* perhaps TW_NOMEM */
}

/* Divides handles whose first parts come next, as the list "parts" says. *done: how many of its items were taken; they
 * are in the order of the first parts. Returns the number of parts, or 0. */
static int read_parts(const struct graph_file *f, const struct tw__json_at *list, size_t *done, const uint64_t *bytes,
                      size_t n_bytes)
{
	struct tw__json_at item = tw__json_item(list, *done);
	struct tw__json_at whole = tw__json_item(&item, 0), first = tw__json_item(&item, 1),
			   n = tw__json_item(&item, 2);
	const tw_data next = tw_graph_n_data(f->graph);
	if (tw__json_array(&item) != 3)
		tw__json_fail(&item, "%zu items, expected a data, its first part and a number of parts",
		              tw__json_array(&item));
	const int64_t d = tw__json_int(&whole, 0, (int64_t)n_bytes - 1), part = tw__json_int(&first, next, INT32_MAX);
	const int64_t count = tw__json_int(&n, 1, (int64_t)n_bytes - next);
	if (f->draft->status != TW_OK || part > next)
		return 0;
	++*done;
	if (tw_graph_partition(f->graph, (tw_data)d, (int)count, bytes + next) == TW_NONE)
		tw__graph_json_refuse(f, &item);
	return (int)count;
}

void tw__graph_json_data(const struct graph_file *f, const struct tw__json_at *list, const struct tw__json_at *parts)
{
	const uint64_t most = (uint64_t)1 << MAX_BITS;
	const size_t n = tw__json_array(list), n_divided = parts->value ? tw__json_array(parts) : 0;
	uint64_t *bytes = tw_alloc(n, sizeof *bytes), sum = 0;
	struct tw__json_at at = {0};
	size_t done = 0;
	for (size_t i = 0; tw__json_next(list, &at); i++) {
		bytes[i] = tw__json_bytes(&at, 1);
		if (bytes[i] > most - sum)
			tw__json_fail(&at, "more than 2^60 bytes of data up to here, expected fewer");
		sum += bytes[i];
	}
	for (size_t i = 0; i < n && f->draft->status == TW_OK;) {
		const int n_parts = done < n_divided ? read_parts(f, parts, &done, bytes, n) : 0;
		if (!n_parts && f->draft->status == TW_OK && tw_graph_data(f->graph, bytes[i]) == TW_NONE)
			tw__graph_json_refuse(f, list);
		i += n_parts ? (size_t)n_parts : 1;
	}
	if (done < n_divided && f->draft->status == TW_OK)
		tw__json_fail(parts, "first parts beyond the data, expected them in ascending order");
	free(bytes);
}

int64_t tw__graph_json_handle(const struct graph_file *f, const struct tw__json_at *at)
{
	return tw__json_int(at, 0, (int64_t)tw_graph_n_data(f->graph) - 1);
}

void tw__graph_json_discarded(const struct graph_file *f, const struct tw__json_at *list)
{
	struct tw__json_at at = {0};
	while (list->value && tw__json_next(list, &at)) {
		int64_t data = tw__graph_json_handle(f, &at);
		if (f->draft->status == TW_OK)
			tw_graph_discard(f->graph, (tw_data)data);
	}
}

void tw__graph_json_places(const struct graph_file *f, const struct tw__json_at *list,
                           void (*set)(struct tw_graph *, tw_data, tw_node))
{
	struct tw__json_at pair = {0};
	while (list->value && tw__json_next(list, &pair)) {
		struct tw__json_at first = tw__json_item(&pair, 0), second = tw__json_item(&pair, 1);
		size_t items = tw__json_array(&pair);
		if (items != 2)
			tw__json_fail(&pair, "%zu items, expected a data and a memory", items);
		int64_t data = tw__graph_json_handle(f, &first), memory = tw__json_int(&second, 0, TW_MAX_MEMORIES - 1);
		if (f->draft->status == TW_OK)
			set(f->graph, (tw_data)data, (tw_node)memory);
	}
}

void tw__graph_json_reductions(const struct graph_file *f, const struct tw__json_at *list)
{
	struct tw__json_at pair = {0};
	while (list->value && tw__json_next(list, &pair)) {
		struct tw__json_at first = tw__json_item(&pair, 0), second = tw__json_item(&pair, 1);
		size_t items = tw__json_array(&pair);
		if (items != 2)
			tw__json_fail(&pair, "%zu items, expected a data and a kernel", items);
		int64_t data = tw__graph_json_handle(f, &first),
			combine = tw__json_int(&second, 0, (int64_t)f->n_kernels - 1);
		if (f->draft->status == TW_OK)
			tw_graph_reduction(f->graph, (tw_data)data, f->kernels[combine]);
	}
}
