/* The output of a command: stdout, or a file that keeps its old content until a complete result replaces it. */
#ifndef TW__OUTPUT_H
#define TW__OUTPUT_H

#include <stdio.h>

#include <tilewright/base.h>

struct output {
	const char *path; /* "-": stdout */
	FILE *file;
	bool is_new; /* created by output_open */
};

/* Opens the file for writing, so that an error is found early. Its old content stays until output_begin. TW_INVALID if
 * it cannot be opened. */
int output_open(struct output *, const char *path, struct tw_error *err);
/* Empties the file. The caller then writes to output->file. */
void output_begin(struct output *);
/* TW_FAILED if a write failed. */
int output_close(struct output *, struct tw_error *err);
/* After an error: removes a new file, leaves the content of an old one. Does nothing after output_close. */
void output_abandon(struct output *);

#endif
