#include "readers/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

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

/* Makes the text of a pair of a writer and a file's name; the caller frees it. Returns its length; negative: no
 * memory. */
static int pair(char **text, const struct tw__files *f, int32_t writer, int32_t file)
{
	return asprintf(text, "%d\n%s", (int)writer, tw__name_list_text(&f->names, file));
}

static int add_writer(struct tw__files *f, const struct tw__use *use, struct tw_error *err)
{
	char *text;
	int length = pair(&text, f, use->job, use->file);
	if (length < 0)
		return tw__draft_no_memory(f->draft, err);
	int32_t known = f->written.n, number = tw__name_list_add(&f->written, text, (size_t)length);
	free(text);
	if (number == TW_NONE || !TW_HAS_ROOM(f->bytes, f->bytes_capacity, (size_t)number + 1))
		return tw__draft_no_memory(f->draft, err);
	if (number < known)
		return TW_OK;
	f->bytes[number] = use->bytes;
	f->writer[use->file] = f->writer[use->file] == TW_NONE ? use->job : TW__SEVERAL;
	return TW_OK;
}

int tw__files_use(struct tw__files *f, int32_t job, const char *name, uint64_t bytes, enum tw_mode mode, uint32_t line,
                  struct tw_error *err)
{
	int32_t known = f->names.n, file = tw__name_list_add(&f->names, name, strlen(name));
	if (file == TW_NONE || !TW_HAS_ROOM(f->uses, f->uses_capacity, f->n + 1) ||
	    !TW_HAS_ROOM(f->writer, f->writer_capacity, (size_t)file + 1))
		return tw__draft_no_memory(f->draft, err);
	if (file == known)
		f->writer[file] = TW_NONE;
	struct tw__use *use = &f->uses[f->n++];
	*use = (struct tw__use){job, file, bytes, line, (uint8_t)mode};
	return mode & TW_W ? add_writer(f, use, err) : TW_OK;
}

/* Accesses the file of that name which `writer` wrote, or, with TW_NONE, which is there at the start. Returns 1; or 0
 * if `writer` writes no such file. */
static int take(struct tw__files *f, const struct tw__use *use, int32_t writer, unsigned mode, struct tw_error *err)
{
	char *text;
	int length = pair(&text, f, writer, use->file);
	if (length < 0)
		return tw__draft_no_memory(f->draft, err);
	int32_t number = tw__name_list_find(&f->written, text, (size_t)length), known = f->draft->data_names.n;
	uint64_t bytes = number == TW_NONE ? use->bytes : f->bytes[number];
	tw_data data = writer != TW_NONE && number == TW_NONE
	                       ? TW_NONE
	                       : tw__draft_data(f->draft, text, (size_t)length, bytes, use->line, err);
	free(text);
	if (writer != TW_NONE && number == TW_NONE)
		return 0;
	if (data < 0)
		return data;
	if (data < known || number != TW_NONE)
		tw__draft_count(f->draft,
		                "sizes of files that differ from the writer's or the first one, which is used",
		                use->bytes != tw_graph_data_bytes(f->draft->graph, data) && use->bytes);
	int status = tw__draft_access(f->draft, use->job, data, mode, err);
	return status < 0 ? status : 1;
}

/* Reads the files of those writers on which the job depends directly. Without any, the job reads its own one, or the
 * one that is there at the start. */
static int read_several(struct tw__files *f, const struct tw__use *use, const struct tw__neighbours *predecessors,
                        struct tw_error *err)
{
	int n = 0, status = TW_OK;
	for (uint32_t p = predecessors->start[use->job]; p < predecessors->start[use->job + 1] && status >= 0; p++)
		n += status = take(f, use, predecessors->job[p], TW_R, err);
	if (status < 0 || n)
		return status;
	status = take(f, use, use->job, TW_R, err);
	if (status)
		return status;
	tw__draft_count(f->draft, "reads of files whose writers are no predecessors, taken as files from before", 1);
	return take(f, use, TW_NONE, TW_R, err);
}

static int take_use(struct tw__files *f, const struct tw__use *use, const struct tw__neighbours *predecessors,
                    struct tw_error *err)
{
	int32_t writer = f->writer[use->file];
	int status = TW_OK;
	if ((use->mode & TW_R) && writer == TW__SEVERAL)
		status = read_several(f, use, predecessors, err);
	else if (use->mode & TW_R)
		status = take(f, use, writer, TW_R, err);
	if (status >= 0 && (use->mode & TW_R) && writer >= 0 && writer != use->job)
		status = tw__draft_edge(f->draft, writer, use->job, err);
	if (status >= 0 && (use->mode & TW_W))
		status = take(f, use, use->job, TW_W, err);
	return status < 0 ? status : TW_OK;
}

int tw__files_take(struct tw__files *f, struct tw_error *err)
{
	struct tw__neighbours predecessors;
	int status = tw__neighbours_init(&predecessors, f->draft, true, err);
	for (size_t i = 0; i < f->n && status == TW_OK; i++)
		status = take_use(f, &f->uses[i], &predecessors, err);
	for (int32_t i = 0; i < f->names.n; i++)
		tw__draft_count(f->draft, "files with several writers, each of which has its own",
		                f->writer[i] == TW__SEVERAL);
	tw__neighbours_finish(&predecessors);
	return status;
}
