/* One line of comma-separated text. */
#ifndef TW__CSV_H
#define TW__CSV_H

#include <stdio.h>

#include <tilewright/base.h>

/* Cuts `line` (no line break in it) into fields, in place: each ends with a '\0'. A field may stand in double quotes,
 * in which a quote is written twice. At most `max` fields; returns how many there are, or -1 with a reason in *why. */
int tw__csv_split(char *line, char **fields, int max, const char **why);

/* Writes a field, in quotes if it needs them. */
void tw__csv_put(FILE *, const char *text);

#endif
