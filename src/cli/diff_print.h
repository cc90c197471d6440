/* Prints the differences of two runs, as text for people and as JSON for programs. docs/reference/diff.md describes
 * both. */
#ifndef TW__DIFF_PRINT_H
#define TW__DIFF_PRINT_H

#include <jansson.h>
#include <stdio.h>

#include "experiment/past.h"
#include "explain/diff.h"

/* TW_NOMEM. The caller checks ferror() for write errors. */
int print_diff(FILE *, const struct tw__diff *, const struct tw__past runs[2], struct tw_error *err);
int print_diff_json(FILE *, const struct tw__diff *, const struct tw__past runs[2], struct tw_error *err);

/* Calls `tell` for each argument whose values differ; a value of NULL was not given. Names of traces are left out. */
void diff_arguments(const struct tw__past runs[2], void (*tell)(void *, const char *name, const char *a, const char *b),
                    void *context);

#endif
