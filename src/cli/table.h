/* Prints the table of a plug-in's parameters. */
#ifndef TW__TABLE_H
#define TW__TABLE_H

#include <stdio.h>

#include <tilewright/params.h>

int print_params(FILE *, const struct tw_param *, struct tw_error *err); /* prints a table of parameters; NULL: none */

#endif
