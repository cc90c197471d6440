/* Numbers and names in the XML of platforms. Numbers are the shortest texts that read back as the same number. */
#ifndef TW__XML_PUT_H
#define TW__XML_PUT_H

#include <stdio.h>

void tw__put_number(FILE *, double);
/* Writes a time with its unit. */
void tw__put_seconds(FILE *, double);
/* Writes a name between two pieces of XML. */
void tw__put_name(FILE *, const char *before, const char *name, const char *after);
/* Writes <prop id="ID" value="VALUE"/>. */
void tw__put_prop(FILE *, const char *id, const char *value);

#endif
