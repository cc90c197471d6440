/* Prints the output of `validate-model`: progress on stderr, new rows on stdout. */
#ifndef TW__VALIDATE_PRINT_H
#define TW__VALIDATE_PRINT_H

#include "base/cell_table.h"
#include "validation/validate.h"

struct validation_shown {
	bool quiet;
	enum tw__result_format format;
	const struct tw__column_choice *columns; /* of csv and json */
	int n;                                   /* number of rows printed so far, or kept for the end */
	struct cell_table table;
	json_t *rows; /* rows kept for JSON; NULL: out of memory, or another format */
};

void validation_shown_init(struct validation_shown *, bool quiet, enum tw__result_format,
                           const struct tw__column_choice *columns);

/* Callbacks for struct tw__validate_model, whose context is a struct validation_shown. */
void validation_begin(void *, const struct tw__request *, int64_t point, int64_t n_points);
void validation_tick(void *, int run, bool quiet);
void validation_end(void *, const struct tw__validation *);

/* Prints the rows that were kept for the end, and frees all. TW_NOMEM: out of memory. */
int validation_show(struct validation_shown *, struct tw_error *err);

#endif
