/* Reads XML files, gzip-compressed or not, with expat. Files are not trusted: entities, which could make a small file
 * huge, and elements nested very deeply are errors. */
#ifndef TW__XML_H
#define TW__XML_H

#include "readers/draft.h"

/* The functions that handle the elements of a format. The first error of the draft ends the reading; `line` is the line
 * of the tag or text. */
struct tw__xml_format {
	/* `attributes`: names and values in turn, ended by NULL. Returns false for an element whose content does not
	 * matter: that, and the element's end, are not given. */
	bool (*open)(void *context, const char *name, const char **attributes, uint32_t line);
	void (*close)(void *context, uint32_t line);
	/* Content that is not a tag, in pieces of any length. */
	void (*text)(void *context, const char *text, size_t length, uint32_t line);
};

/* Reads the draft's file; `context` is what the format's functions get. */
void tw__xml_read(struct tw__draft *, const struct tw__xml_format *, void *context);

/* Returns the value of an attribute; NULL: the element does not have it. */
const char *tw__xml_attribute(const char **attributes, const char *name);
/* The same for an attribute that the element `tag` must have; "", with an error, if it is missing or empty. */
const char *tw__xml_need(struct tw__draft *, const char *tag, const char **attributes, const char *name, uint32_t line);

#endif
