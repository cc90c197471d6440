/* The text that `tilewright describe` prints. */
#ifndef TW__DESCRIBE_TEXT_H
#define TW__DESCRIBE_TEXT_H

#include "describe/described.h"

void describe_print_text(const struct tw__described *);

#endif
