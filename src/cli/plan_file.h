/* Plans: files of options, with one `name = value` on each line. Names are those of the command line, without
 * dashes. */
#ifndef TW__PLAN_FILE_H
#define TW__PLAN_FILE_H

#include <getopt.h>

#include <tilewright/base.h>

/* Reads a plan. Calls `take` for each line, in order, with the letter of the line's option. Only the option
 * `repeatable` may occur twice. `*text`: the content of the file, which the values point into; the caller frees it,
 * also after an error. Messages of TW_INVALID name file and line. */
int plan_file_read(char **text, const char *path, const struct option *known, int repeatable,
                   int (*take)(void *context, int option, const char *value, struct tw_error *err), void *context,
                   struct tw_error *err);

#endif
