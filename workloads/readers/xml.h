/* Reads XML files, gzip-compressed or not, with expat. Files are not trusted: entities, which could make a small file
 * huge, and elements nested very deeply are errors. */
#ifndef TW__XML_H
#define TW__XML_H

#include <tilewright/base.h>

enum { TW__PASS_OVER = 1 };

/* The functions that handle the elements of a format. They return a negative status on failure, which ends the reading;
 * `line` is the line of the tag or text. */
struct tw__xml_format {
	/* `attributes`: names and values in turn, ended by NULL. Returns TW__PASS_OVER for an element that does not
	 * matter: its content, and its end, are not given. */
	int (*open)(void *context, const char *name, const char **attributes, uint32_t line);
	int (*close)(void *context, const char *name, uint32_t line);
	/* Content that is not a tag, in pieces of any length, or NULL: content is passed over. */
	int (*text)(void *context, const char *text, size_t length, uint32_t line);
};

/* Reads the file; `context` is what the format's functions get. */
int tw__xml_read(const char *path, const struct tw__xml_format *, void *context, struct tw_error *err);

/* Returns the value of an attribute; NULL: the element does not have it. */
const char *tw__xml_attribute(const char **attributes, const char *name);

/* The same for an attribute that the element `tag` must have; NULL: an error, with the message in `err`. */
const char *tw__xml_need(const char *path, const char *tag, const char **attributes, const char *name, uint32_t line,
                         struct tw_error *err);

#endif
