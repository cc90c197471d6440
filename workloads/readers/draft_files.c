/* Files that the tasks of a workflow read and write, as handles of a draft. */
#include "readers/draft.h"

#include <stdlib.h>
#include <string.h>

int tw__draft_file(struct tw__draft *d, int32_t job, const char *name, uint64_t bytes, unsigned mode, uint32_t line,
                   struct tw_error *err)
{
	int32_t known = d->data_names.n;
	tw_data data = tw__draft_data(d, name, strlen(name), bytes, line, err);
	if (data >= 0 && data < known && tw_graph_data_bytes(d->graph, data) != (bytes ? bytes : 1))
		tw__draft_count(d, "files with several sizes, of which the first is used", 1);
	return data < 0 ? data : tw__draft_access(d, job, data, mode, err);
}

int tw__draft_wait_for_writers(struct tw__draft *d, struct tw_error *err)
{
	enum { NOBODY = -1, SEVERAL = -2 };
	int32_t *writer = malloc(((size_t)d->data_names.n + 1) * sizeof *writer);
	if (!writer)
		return tw__draft_no_memory(d, err);
	for (int32_t i = 0; i < d->data_names.n; i++)
		writer[i] = NOBODY;
	for (size_t a = 0; a < d->n_accesses; a++) {
		int32_t *of = &writer[d->accesses[a].data], job = d->accesses[a].job;
		if (d->accesses[a].mode & TW_W)
			*of = *of == NOBODY || *of == job ? job : SEVERAL;
	}
	int status = TW_OK;
	for (size_t a = 0; a < d->n_accesses && status == TW_OK; a++) {
		int32_t of = writer[d->accesses[a].data], job = d->accesses[a].job;
		if (!(d->accesses[a].mode & TW_W) && of >= 0 && of != job)
			status = tw__draft_edge(d, of, job, err);
	}
	for (int32_t i = 0; i < d->data_names.n; i++)
		if (writer[i] == SEVERAL)
			tw__draft_count(d, "files with several writers, in the file's order", 1);
	free(writer);
	return status;
}
