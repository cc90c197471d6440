/* The fields of one line of a run section, for the files that parse them. */
#ifndef TW__RUN_SECTION_FIELDS_H
#define TW__RUN_SECTION_FIELDS_H

#include "trace/run_section.h"

struct tw__section_fields {
	char **of; /* [n] the fields behind the line's first word */
	int n;
	struct tw_error *err;
};

/* Parses a whole number from `least` to `most`, without a decimal point. */
bool tw__section_number(const char *text, int64_t least, int64_t most, int64_t *value);

/* Each returns TW_INVALID: the text is not what is expected there; the line has not n fields behind its first word. */
int tw__section_expected(const struct tw__section_fields *, const char *what, const char *text);
int tw__section_need(const struct tw__section_fields *, int n, const char *word);
int tw__section_no_memory(const struct tw__section_fields *);

/* run_section_event.c: takes the line of an event. */
int tw__section_take_event(struct tw__run_section *, enum tw__event_kind, const struct tw__section_fields *);

#endif
