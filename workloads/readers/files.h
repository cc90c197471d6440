/* The files that the tasks of a workflow read and write, as handles of a draft. Tasks name files in any order; the
 * handles come when all tasks are known.
 *
 * A task that reads a file waits for the task that writes it. If several tasks write files of one name, each of them
 * has its own: workflows run each task in a folder of its own. A reader then takes the files of those writers that it
 * depends on directly. */
#ifndef READERS_FILES_H
#define READERS_FILES_H

#include "readers/draft.h"

struct tw__use {
	int32_t job, file; /* a job of the draft; number of the file's name */
	uint64_t bytes;
	uint32_t line;
	uint8_t mode; /* enum tw_mode */
};

struct tw__files {
	struct tw__draft *draft;
	struct tw__name_list names;   /* names of the files */
	int32_t *writer;              /* [names.n] the job that writes files of that name; or TW_NONE, or TW__SEVERAL */
	struct tw__name_list written; /* pairs of a writer and a name, as texts */
	uint64_t *bytes;              /* [written.n] size of each */
	struct tw__use *uses;
	size_t n, uses_capacity, writer_capacity, bytes_capacity;
};
enum { TW__SEVERAL = -2 };

void tw__files_finish(struct tw__files *);

/* Says that a task reads or writes a file. */
void tw__files_use(struct tw__files *, int32_t job, const char *name, uint64_t bytes, enum tw_mode, uint32_t line);

/* Adds the handles, accesses and dependencies of all uses to the draft, whose other dependencies are complete. A handle
 * has the size that its writer says, or, if nobody writes it, the first reader. */
void tw__files_take(struct tw__files *);

#endif
