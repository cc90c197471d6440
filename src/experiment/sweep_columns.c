/* The columns of a sweep's output file, chosen by --columns. */
#include <string.h>

#include "experiment/columns.h"
#include "experiment/sweep.h"

/* Resuming a sweep needs engine, version and identity of each row. The option --retry needs the status, and users need
 * the message of a failed point. The script scripts/cluster/merge takes the last column as the identity. */
int tw__sweep_columns(struct tw__column_choice *choice, const char *text, struct tw_error *err)
{
	static const char *const needed[] = {"engine", "status", "message", "version", "identity"};
	struct cell columns[TW__MAX_COLUMNS];
	int n = tw__result_names(columns), status = tw__result_columns(choice, text, err);
	for (size_t i = 0; status == TW_OK && i < sizeof needed / sizeof *needed; i++)
		tw__column_choice_add(choice, needed[i], strcmp(needed[i], "identity") == 0, columns, n);
	return status;
}
