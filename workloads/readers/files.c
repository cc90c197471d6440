#include "readers/files.h"

#include <stdlib.h>
#include <string.h>

#include "readers/draft_steps.h"

void tw__files_finish(struct tw__files *f)
{
	tw__name_list_finish(&f->names);
	tw__name_list_finish(&f->written);
	free(f->writer);
	free(f->bytes);
	free(f->uses);
	*f = (struct tw__files){0};
}

/* Returns the text of a pair of a writer and a file's name; the caller frees it. */
static char *pair(const struct tw__files *f, int32_t writer, int32_t file)
{
	return tw_format("%d\n%s", (int)writer, tw__name_list_text(&f->names, file));
}

static void add_writer(struct tw__files *f, const struct tw__use *use)
{
	char *text = pair(f, use->job, use->file);
	int32_t known = f->written.n, number = tw__name_list_add(&f->written, text, strlen(text));
	free(text);
	TW_RESERVE(f->bytes, f->bytes_capacity, (size_t)number + 1);
	if (number < known)
		return;
	f->bytes[number] = use->bytes;
	f->writer[use->file] = f->writer[use->file] == TW_NONE ? use->job : TW__SEVERAL;
}

void tw__files_use(struct tw__files *f, int32_t job, const char *name, uint64_t bytes, enum tw_mode mode, uint32_t line)
{
	int32_t known = f->names.n, file = tw__name_list_add(&f->names, name, strlen(name));
	TW_RESERVE(f->uses, f->uses_capacity, f->n + 1);
	TW_RESERVE(f->writer, f->writer_capacity, (size_t)file + 1);
	if (file == known)
		f->writer[file] = TW_NONE;
	struct tw__use *use = &f->uses[f->n++];
	*use = (struct tw__use){job, file, bytes, line, (uint8_t)mode};
	if (mode & TW_W)
		add_writer(f, use);
}

/* Accesses the file of that name which `writer` wrote, or, with TW_NONE, which is there at the start. False: `writer`
 * writes no such file. */
static bool take(struct tw__files *f, const struct tw__use *use, int32_t writer, unsigned mode)
{
	char *text = pair(f, writer, use->file);
	int32_t number = tw__name_list_find(&f->written, text, strlen(text)), known = f->draft->data_names.n;
	bool exists = writer == TW_NONE || number != TW_NONE;
	uint64_t bytes = number == TW_NONE ? use->bytes : f->bytes[number];
	tw_data data = exists ? tw__draft_data(f->draft, text, bytes, use->line) : TW_NONE;
	free(text);
	if (data < 0)
		return exists;
	if (data < known || number != TW_NONE)
		tw__draft_count(f->draft,
		                "sizes of files that differ from the writer's or the first one, which is used",
		                use->bytes != tw_graph_data_bytes(f->draft->graph, data) && use->bytes);
	tw__draft_access(f->draft, use->job, data, mode);
	return true;
}

/* Reads the files of those writers on which the job depends directly. Without any, the job reads its own one, or the
 * one that is there at the start. */
static void read_several(struct tw__files *f, const struct tw__use *use, const struct tw__neighbours *predecessors)
{
	bool found = false;
	for (uint32_t p = predecessors->start[use->job]; p < predecessors->start[use->job + 1]; p++)
		found |= take(f, use, predecessors->job[p], TW_R);
	if (found || take(f, use, use->job, TW_R))
		return;
	tw__draft_count(f->draft, "reads of files whose writers are no predecessors, taken as files from before", 1);
	take(f, use, TW_NONE, TW_R);
}

static void take_use(struct tw__files *f, const struct tw__use *use, const struct tw__neighbours *predecessors)
{
	int32_t writer = f->writer[use->file];
	if ((use->mode & TW_R) && writer == TW__SEVERAL)
		read_several(f, use, predecessors);
	else if (use->mode & TW_R)
		take(f, use, writer, TW_R);
	if ((use->mode & TW_R) && writer >= 0 && writer != use->job)
		tw__draft_edge(f->draft, writer, use->job);
	if (use->mode & TW_W)
		take(f, use, use->job, TW_W);
}

void tw__files_take(struct tw__files *f)
{
	struct tw__neighbours predecessors = tw__neighbours_of(f->draft, true);
	for (size_t i = 0; i < f->n && f->draft->status == TW_OK; i++)
		take_use(f, &f->uses[i], &predecessors);
	for (int32_t i = 0; i < f->names.n; i++)
		tw__draft_count(f->draft, "files with several writers, each of which has its own",
		                f->writer[i] == TW__SEVERAL);
	tw__neighbours_finish(&predecessors);
}
