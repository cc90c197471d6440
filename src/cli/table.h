/* Tables about one plug-in or platform, for people. */
#ifndef TW__TABLE_H
#define TW__TABLE_H

#include <stdio.h>

#include <tilewright/params.h>

#include "platform/platform.h"

void print_params(FILE *, const struct tw_param *); /* NULL: none */
void print_platform(FILE *, const struct tw_platform *);

#endif
