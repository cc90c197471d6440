/* Results as a text table. */
#ifndef TW__RESULT_TEXT_H
#define TW__RESULT_TEXT_H

#include "experiment/experiment.h"

int tw__result_write_text(FILE *, const struct tw__result *, int n, struct tw_error *err);

#endif
