/* Output of `validate-model`: progress on stderr, new rows on stdout. */
#ifndef TW__VALIDATE_PRINT_H
#define TW__VALIDATE_PRINT_H

#include "cli/grid.h"
#include "validation/validate.h"

struct validation_shown {
	bool quiet;
	enum tw__result_format format;
	const struct tw__column_choice *columns; /* of csv and json */
	int n;                                   /* rows printed so far, or to print at the end */
	struct grid grid;
	json_t *rows; /* of JSON; NULL: out of memory */
};

void validation_shown_init(struct validation_shown *, bool quiet, enum tw__result_format,
                           const struct tw__column_choice *columns);

/* Callbacks of struct tw__validate_model; the context is the above. */
void validation_begin(void *, const struct tw__request *, int64_t point, int64_t n_points);
void validation_tick(void *, int run, bool quiet);
void validation_end(void *, const struct tw__validation *);

/* Prints the rows that wait for the end; frees all. TW_NOMEM. */
int validation_show(struct validation_shown *, struct tw_error *err);

#endif
