/* Options of the command compare. */
#ifndef TW__COMPARE_OPTIONS_H
#define TW__COMPARE_OPTIONS_H

#include "request/words.h"

struct compare_options {
	const char *metric;
	double tolerance; /* largest relative error of a point; NAN: no limit */
	struct tw__words ignore, policies;
	struct tw__repeated where, columns, values, scales;
	int format;          /* enum tw__result_format; -1, until the options end: not given */
	const char *plot;    /* the file of --plot; NULL: none */
	const char *printed; /* columns to print, as --columns names them; NULL: all */
};

/* Starts from no options, and takes them. Returns CLI_GO_ON, with optind behind the options, or an exit status. The
 * caller finishes the options in any case. */
int compare_options_init(struct compare_options *, int argc, char **argv);
void compare_options_finish(struct compare_options *);

/* Checks the options for this number of files. TW_INVALID: some do not fit together. */
int compare_options_check(const struct compare_options *, int n_files, struct tw_error *err);

extern const char *const compare_usage[]; /* ends with NULL */

#endif
