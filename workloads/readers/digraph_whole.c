/* The attributes that keep a whole graph of Tilewright, as src/export/graphml.c writes them. They are all handles with
 * their bytes, the accesses of each task, discarded handles, places of handles, and the kernels that combine
 * accumulators. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers/digraph.h"
#include "readers/draft_steps.h"

static const char blanks[] = " \t\r\n";

/* Returns a copy of a text to split, which the caller frees. */
static char *copy_of(const struct tw__digraph *g, int32_t text)
{
	return tw_copy_text(text == TW_NONE ? "" : tw__name_list_text(&g->texts, text));
}

void tw__digraph_handles(struct tw__digraph *g)
{
	struct tw__draft *d = g->draft;
	char *copy = copy_of(g, g->whole.handles), *rest, name[24];
	uint64_t bytes;
	for (char *word = strtok_r(copy, blanks, &rest); word && d->status == TW_OK;
	     word = strtok_r(NULL, blanks, &rest)) {
		snprintf(name, sizeof name, "%d", (int)d->data_names.n);
		if (tw__draft_bytes(d, word, &bytes) && bytes)
			tw__draft_data(d, name, bytes, g->whole.line);
		else
			tw__draft_fail(d, g->whole.line, "handles: '%.40s', expected bytes, from 1 to 2^60", word);
	}
	free(copy);
}

static bool read_handle(const struct tw__digraph *g, const char *word, int64_t *handle)
{
	return word && tw__text_int(word, handle) && *handle >= 0 && *handle < g->draft->data_names.n;
}

static bool read_mode(const char *word, int64_t *mode)
{
	if (!word || !tw__text_int(word, mode) || *mode < TW_R || *mode > (TW__LAST_WRITE | TW_RW))
		return false;
	int64_t access = *mode & ~(int64_t)TW__LAST_WRITE;
	bool known = (access >= TW_R && access <= TW_RW) || access == TW_SCRATCH || access == TW_REDUX;
	return known && (access == *mode || (access & TW_W));
}

void tw__digraph_accesses(struct tw__digraph *g, int32_t node)
{
	struct tw__draft *d = g->draft;
	char *copy = copy_of(g, g->nodes[node].accesses), *rest;
	int64_t handle, mode;
	for (char *word = strtok_r(copy, blanks, &rest); word && d->status == TW_OK;
	     word = strtok_r(NULL, blanks, &rest))
		if (read_handle(g, word, &handle) && read_mode(strtok_r(NULL, blanks, &rest), &mode))
			tw__draft_access(d, node, (tw_data)handle, (unsigned)mode);
		else
			tw__draft_fail(d, d->jobs[node].line,
			               "accesses of node '%.60s': '%.20s', expected a handle below %d, and a mode: 1, "
			               "2, 3, 4, 8, 18 or 19",
			               tw__name_list_text(&d->job_names, node), word, (int)d->data_names.n);
	free(copy);
}

void tw__digraph_discarded(struct tw__digraph *g)
{
	struct tw__draft *d = g->draft;
	char *copy = copy_of(g, g->whole.discarded), *rest;
	int64_t handle;
	for (char *word = strtok_r(copy, blanks, &rest); word && d->status == TW_OK;
	     word = strtok_r(NULL, blanks, &rest))
		if (read_handle(g, word, &handle))
			tw_graph_discard(d->graph, (tw_data)handle);
		else
			tw__draft_fail(d, g->whole.line, "discarded: '%.40s', expected a handle below %d", word,
			               (int)d->data_names.n);
	free(copy);
}

void tw__digraph_places(struct tw__digraph *g, const char *key, int32_t text,
                        void (*set)(struct tw_graph *, tw_data, tw_node))
{
	struct tw__draft *d = g->draft;
	char *copy = copy_of(g, text), *rest;
	int64_t handle, memory;
	for (char *word = strtok_r(copy, blanks, &rest); word && d->status == TW_OK;
	     word = strtok_r(NULL, blanks, &rest)) {
		const char *second = strtok_r(NULL, blanks, &rest);
		if (read_handle(g, word, &handle) && second && tw__text_int(second, &memory) && memory >= 0 &&
		    memory < TW_MAX_MEMORIES)
			set(d->graph, (tw_data)handle, (tw_node)memory);
		else
			tw__draft_fail(d, g->whole.line,
			               "%s: '%.40s', expected a handle below %d, and a memory below %d", key, word,
			               (int)d->data_names.n, TW_MAX_MEMORIES);
	}
	free(copy);
}

/* Reads a line: a handle, and the flops, name, size, precision, archs and recorded archs of a kernel. */
static void read_reduction(struct tw__digraph *g, char *line)
{
	struct tw__draft *d = g->draft;
	const char *fields[7];
	int64_t handle;
	double flops;
	int n = 0;
	for (char *field; n < 7 && (field = strsep(&line, "\t"));)
		fields[n++] = field;
	if (n < 7 || line || !read_handle(g, fields[0], &handle) || !tw__text_real(fields[1], &flops) || flops < 0) {
		tw__draft_fail(d, g->whole.line,
		               "reductions: '%.40s', expected a handle and a kernel in 7 fields, with tabs between",
		               n ? fields[0] : "");
		return;
	}
	tw_kernel kernel = tw__draft_kernel(d, fields[2], fields[3], fields[4], flops, *fields[6] ? fields[6] : NULL,
	                                    g->whole.line);
	if (*fields[5])
		tw_graph_restrict(d->graph, kernel, fields[5]);
	tw_graph_reduction(d->graph, (tw_data)handle, kernel);
}

void tw__digraph_reductions(struct tw__digraph *g)
{
	char *copy = copy_of(g, g->whole.reductions), *rest;
	for (char *line = strtok_r(copy, "\r\n", &rest); line && g->draft->status == TW_OK;
	     line = strtok_r(NULL, "\r\n", &rest))
		read_reduction(g, line);
	free(copy);
}

static bool accesses(const struct tw__digraph *g, const struct tw__draft_accesses *of, int32_t node, int64_t handle,
                     unsigned modes)
{
	for (uint32_t i = of->start[node]; i < of->start[node + 1]; i++) {
		const struct tw__draft_access *access = &g->draft->accesses[of->place[i]];
		if (access->data == handle && (access->mode & modes))
			return true;
	}
	return false;
}

void tw__digraph_check_flows(struct tw__digraph *g)
{
	struct tw__draft *d = g->draft;
	struct tw__draft_accesses of;
	tw__draft_accesses_init(&of, d);
	for (size_t i = 0; i < g->n_flows && d->status == TW_OK; i++) {
		const struct tw__digraph_flow *f = &g->flows[i];
		const char *name = f->edge.data == TW_NONE ? "" : tw__name_list_text(&g->texts, f->edge.data);
		int64_t handle;
		if (!read_handle(g, name, &handle) || !accesses(g, &of, f->from, handle, TW_W | TW_REDUX) ||
		    !accesses(g, &of, f->to, handle, TW_RW) ||
		    tw_graph_data_bytes(d->graph, (tw_data)handle) != f->edge.bytes)
			tw__draft_fail(d, f->line,
			               "an edge with data '%.20s' of %llu bytes, expected a handle of this size, which "
			               "'%.60s' writes and '%.60s' accesses",
			               name, (unsigned long long)f->edge.bytes,
			               tw__name_list_text(&d->job_names, f->from),
			               tw__name_list_text(&d->job_names, f->to));
	}
	tw__draft_accesses_finish(&of);
}
