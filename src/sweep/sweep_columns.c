/* The columns of a sweep's output file, chosen by --columns. */
#include "results/columns.h"
#include "sweep/sweep.h"

/* Resuming a sweep also needs the engine of each row. */
int tw__sweep_columns(struct tw__column_choice *choice, const char *text, struct tw_error *err)
{
	struct cell columns[TW__MAX_COLUMNS];
	int n = tw__result_names(columns), status = tw__result_columns(choice, text, err);
	if (status < 0)
		return status;
	tw__column_choice_add(choice, "engine", false, columns, n);
	tw__column_choice_resume(choice, columns, n);
	return TW_OK;
}
