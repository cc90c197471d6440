#ifndef SAME_H
#define SAME_H

#include "platform/platform.h"

/* Expects two single nodes that are equal in every field. */
void expect_same(const struct tw__platform *, const struct tw__platform *);

#endif
