/* The output of a command: stdout, or a file that keeps its old content until a complete result replaces it. */
#ifndef TW__OUTPUT_H
#define TW__OUTPUT_H

#include <stdio.h>

#include <tilewright/base.h>

#include "base/new_file.h"

struct output {
	const char *path; /* path of the file; "-": stdout */
	FILE *file;
	bool is_new;   /* whether output_open created the file */
	bool is_draft; /* whether `file` is that of `draft` */
	struct tw__new_file draft;
};

/* Opens the output file for writing, so that errors are found early. The old content stays until output_begin.
 * TW_INVALID: the file cannot be opened. */
int output_open(struct output *, const char *path, struct tw_error *err);
/* Begins the new content, which the caller then writes to output->file. It replaces a regular file when it is complete;
 * otherwise, the old content goes now. */
void output_begin(struct output *);
/* Closes the output file. TW_FAILED: a write failed; a regular file that was replaced is as it was, and a new one is
 * removed. */
int output_close(struct output *, struct tw_error *err);
/* Call after an error: removes the output file if it is new, and leaves the content of an old one. Does nothing after
 * output_close. */
void output_abandon(struct output *);

#endif
