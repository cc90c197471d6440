/* The attributes that keep a whole graph of Tilewright, as src/export/graphml.c writes them: all handles with their
 * bytes, the accesses of each task, and the kernels that combine accumulators. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers/digraph.h"
#include "readers/draft_steps.h"
#include "readers/input.h"

static const char blanks[] = " \t\r\n";

/* Returns a copy of a text to split, which the caller frees; NULL: out of memory. */
static char *copy_of(const struct tw__digraph *g, int32_t text)
{
	return strdup(text == TW_NONE ? "" : tw__name_list_text(&g->texts, text));
}

int tw__digraph_handles(struct tw__digraph *g)
{
	char *copy = copy_of(g, g->whole.handles), *rest, name[24];
	int status = copy ? TW_OK : tw__draft_no_memory(g->draft, g->err);
	for (char *word = copy ? strtok_r(copy, blanks, &rest) : NULL; word && status == TW_OK;
	     word = strtok_r(NULL, blanks, &rest)) {
		uint64_t bytes;
		int length = snprintf(name, sizeof name, "%d", (int)g->draft->data_names.n);
		if (tw__draft_bytes(g->draft, word, &bytes) && bytes)
			status = tw__draft_data(g->draft, name, (size_t)length, bytes, g->whole.line, g->err);
		else
			status = tw__draft_fail(g->draft, g->whole.line, g->err,
			                        "handles: '%.40s', expected bytes, from 1 to 2^60", word);
		status = status < 0 ? status : TW_OK;
	}
	free(copy);
	return status;
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

int tw__digraph_accesses(struct tw__digraph *g, int32_t node)
{
	char *copy = copy_of(g, g->nodes[node].accesses), *rest;
	int status = copy ? TW_OK : tw__draft_no_memory(g->draft, g->err);
	for (char *word = copy ? strtok_r(copy, blanks, &rest) : NULL; word && status == TW_OK;
	     word = strtok_r(NULL, blanks, &rest)) {
		int64_t handle, mode;
		if (read_handle(g, word, &handle) && read_mode(strtok_r(NULL, blanks, &rest), &mode))
			status = tw__draft_access(g->draft, node, (tw_data)handle, (unsigned)mode, g->err);
		else
			status = tw__draft_fail(g->draft, g->draft->jobs[node].line, g->err,
			                        "accesses of node '%.60s': '%.20s', expected a handle below %d, and a "
			                        "mode: 1, 2, 3, 4, 8, 18 or 19",
			                        tw__name_list_text(&g->draft->job_names, node), word,
			                        (int)g->draft->data_names.n);
	}
	free(copy);
	return status;
}

/* Reads a line: a handle, and the flops, name, size, precision, archs and recorded archs of a kernel. */
static int read_reduction(struct tw__digraph *g, char *line)
{
	const char *fields[7];
	int64_t handle;
	double flops;
	int n = 0;
	for (char *field; n < 7 && (field = strsep(&line, "\t"));)
		fields[n++] = field;
	if (n < 7 || line || !read_handle(g, fields[0], &handle) || !tw__text_real(fields[1], &flops) || flops < 0)
		return tw__draft_fail(
			g->draft, g->whole.line, g->err,
			"reductions: '%.40s', expected a handle and a kernel in 7 fields, with tabs between",
			n ? fields[0] : "");
	const char *on = g->reading->recorded && *fields[6] ? fields[6] : NULL;
	tw_kernel kernel =
		tw__draft_kernel(g->draft, fields[2], fields[3], fields[4], flops, on, g->whole.line, g->err);
	if (kernel < 0)
		return kernel;
	if (*fields[5])
		tw_graph_restrict(g->draft->graph, kernel, fields[5]);
	tw_graph_reduction(g->draft->graph, (tw_data)handle, kernel);
	return TW_OK;
}

int tw__digraph_reductions(struct tw__digraph *g)
{
	char *copy = copy_of(g, g->whole.reductions), *rest;
	int status = copy ? TW_OK : tw__draft_no_memory(g->draft, g->err);
	for (char *line = copy ? strtok_r(copy, "\r\n", &rest) : NULL; line && status == TW_OK;
	     line = strtok_r(NULL, "\r\n", &rest))
		status = read_reduction(g, line);
	free(copy);
	return status;
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

int tw__digraph_check_flows(struct tw__digraph *g)
{
	struct tw__draft_accesses of;
	int status = tw__draft_accesses_init(&of, g->draft, g->err);
	for (size_t i = 0; i < g->n_flows && status == TW_OK; i++) {
		const struct tw__digraph_flow *f = &g->flows[i];
		const char *name = f->edge.data == TW_NONE ? "" : tw__name_list_text(&g->texts, f->edge.data);
		int64_t handle;
		if (!read_handle(g, name, &handle) || !accesses(g, &of, f->from, handle, TW_W | TW_REDUX) ||
		    !accesses(g, &of, f->to, handle, TW_RW) ||
		    tw_graph_data_bytes(g->draft->graph, (tw_data)handle) != f->edge.bytes)
			status = tw__draft_fail(
				g->draft, f->line, g->err,
				"an edge with data '%.20s' of %llu bytes, expected a handle of this size, "
				"which '%.60s' writes and '%.60s' accesses",
				name, (unsigned long long)f->edge.bytes,
				tw__name_list_text(&g->draft->job_names, f->from),
				tw__name_list_text(&g->draft->job_names, f->to));
	}
	tw__draft_accesses_finish(&of);
	return status;
}
