/* For messages about unknown names: suggestions ("did you mean"), and lists of the known names. */
#ifndef TW__NEAREST_H
#define TW__NEAREST_H

#include <stddef.h>

#include <tilewright/base.h>

enum { TW__NEAREST_BYTES = 64 };

/* Writes " (did you mean 'dmdas'?)" with the most similar known name to `text`; "" if none is similar. name_at(context,
 * i) is the i-th known name, and NULL behind the last. Two names are similar if at most two changes make one of the
 * other. A change is a letter more, less, or other, or two neighbours exchanged. Returns `text`. */
const char *tw__nearest_hint(char text[TW__NEAREST_BYTES], const char *name,
                             const char *(*name_at)(const void *context, int i), const void *context);

/* Writes the known names, as in "cpu, m2070". Names that do not fit become ", ...". Returns `text`. */
const char *tw__list_names(char *text, size_t room, const char *(*name_at)(const void *context, int i),
                           const void *context);

/* Fills the message "unknown policy 'x': expected one of ...", with the most similar name, and returns TW_INVALID.
 * name_at(i) is the i-th known name, NULL behind the last. */
int tw__unknown_name(const char *what, const char *name, const char *(*name_at)(int i), struct tw_error *err);
/* Fills the message about an unknown name, which lists the known names, and returns TW_INVALID. name_at(context, i) is
 * the i-th known name, NULL behind the last. */
int tw__unknown_name_in(const char *what, const char *name, const char *(*name_at)(const void *context, int i),
                        const void *context, struct tw_error *err);

#endif
