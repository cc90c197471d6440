/* Where results go: a file of which only a whole result replaces what was there, or stdout. */
#ifndef TW__OUTPUT_H
#define TW__OUTPUT_H

#include <stdio.h>

#include <tilewright/base.h>

struct output {
	const char *path; /* "-": stdout */
	FILE *file;
	bool is_new; /* opening has made it */
};

/* Opens for writing, to know early that it can be; what is in the file stays until output_begin. TW_INVALID if not. */
int output_open(struct output *, const char *path, struct tw_error *err);
/* Empties the file; write then to output->file. */
void output_begin(struct output *);
/* TW_FAILED if something could not be written. */
int output_close(struct output *, struct tw_error *err);
/* Leaves things as they were. */
void output_abandon(struct output *);

#endif
