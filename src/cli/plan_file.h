/* Files of options: one `name = value` a line, the names those of the command line without dashes. */
#ifndef TW__PLAN_FILE_H
#define TW__PLAN_FILE_H

#include <getopt.h>

#include <tilewright/base.h>

/* Calls `take` for each line, in order, with the letter of the option. No option may be there twice but `repeatable`.
 * `*text`: the file, which the values point into; the caller's to free, whatever is returned. TW_INVALID names file and
 * line. */
int plan_file_read(char **text, const char *path, const struct option *known, int repeatable,
                   int (*take)(void *context, int option, const char *value, struct tw_error *err), void *context,
                   struct tw_error *err);

#endif
