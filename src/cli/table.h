/* The parameters of a plug-in, for people. */
#ifndef TW__TABLE_H
#define TW__TABLE_H

#include <stdio.h>

#include <tilewright/params.h>

int print_params(FILE *, const struct tw_param *, struct tw_error *err); /* NULL: none; may fail with TW_NOMEM */

#endif
