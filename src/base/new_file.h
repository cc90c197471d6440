/* Replaces a file atomically. The new content goes to a temporary file, which gets the file's name when it is complete.
 * Until then, and if the process is killed before, readers see the old file. */
#ifndef TW__NEW_FILE_H
#define TW__NEW_FILE_H

#include <stdio.h>

#include <tilewright/base.h>

/* The fate of a file that has the final name already: it is replaced, the new file is an error (EEXIST), or the new
 * file is dropped. */
enum tw__new_file_rule { TW__REPLACE, TW__REFUSE, TW__KEEP };

struct tw__new_file {
	char path[4096], final[4096]; /* `path` "": the content is written in place */
	enum tw__new_file_rule rule;  /* TW__REPLACE unless the caller sets another one */
	FILE *f;                      /* the temporary file, to which the caller writes the new content */
	bool has_name;                /* whether the temporary file has its name, `path`, already */
	bool is_made;                 /* whether the new file has its final name */
};

/* Flushes a stream. Returns 0, or the errno of a write that failed, also if that was an earlier one. */
int tw__flush(FILE *);
/* Flushes a stream, syncs it to the disk if wanted, and closes it. Returns as tw__flush. */
int tw__close(FILE *, bool sync);

/* Opens a temporary file in the folder for the new content of the file `name`. `option`, such as "--output", is the
 * command-line option that gave the folder; error messages show it. TW_INVALID: the folder is not writable. */
int tw__new_file_in(struct tw__new_file *, const char *option, const char *folder, const char *name,
                    struct tw_error *err);
/* Opens a temporary file beside `path`. Content is written in place if `path` is a device, a pipe or an unlinked file,
 * or if its folder cannot be written to. TW_FAILED: neither is possible. */
int tw__new_file_open(struct tw__new_file *, const char *path, struct tw_error *err);
/* Syncs the new content to the disk and renames the temporary file. TW_FAILED: the old file is unchanged. */
int tw__new_file_close(struct tw__new_file *, struct tw_error *err);
int tw__new_file_end(struct tw__new_file *); /* the same, for callers with a message of their own: 0 or an errno */
/* Deletes the temporary file; the old file is unchanged. */
void tw__new_file_drop(struct tw__new_file *);

/* Creates the folder if it does not exist. TW_INVALID: the folder cannot be created, or the file `name` not written. */
int tw__new_file_try(const char *option, const char *folder, const char *name, struct tw_error *err);

#endif
