/* Parses the events of a run section. */
#include <string.h>

#include "trace/event_fields.h"
#include "trace/run_section_fields.h"

static bool cause_of(const char *text, uint8_t *cause)
{
	for (int c = 0; c < TW__N_CAUSES; c++)
		if (!strcmp(text, tw__cause_names[c])) {
			*cause = (uint8_t)c;
			return true;
		}
	return false;
}

static bool whole(const char *text, uint64_t *value)
{
	int64_t n;
	bool good = tw__section_number(text, 0, INT64_MAX, &n);
	*value = good ? (uint64_t)n : 0;
	return good;
}

static bool read_field(struct tw__event *e, char field, const char *text)
{
	int64_t n = 0;
	bool wide = field == 't' || field == 'd';
	bool good = field == 'c'   ? cause_of(text, &e->cause)
	            : field == 'b' ? whole(text, &e->bytes)
	            : field == 'o' ? whole(text, &e->offset)
	                           : tw__section_number(text, TW_NONE, wide ? INT32_MAX : INT16_MAX, &n);
	switch (good ? field : '\0') {
	case 't':
		e->task = (int32_t)n;
		break;
	case 'd':
		e->data = (int32_t)n;
		break;
	case 'w':
	case 'r':
		e->worker = (int16_t)n;
		break;
	case 'n':
		e->node = (int16_t)n;
		break;
	case 'f':
		e->from = (int16_t)n;
		break;
	default:
		break;
	}
	return good;
}

int tw__section_take_event(struct tw__run_section *s, enum tw__event_kind kind, const struct tw__section_fields *f)
{
	static const char *const names[] = {['t'] = "the number of a task",
	                                    ['d'] = "the number of a handle",
	                                    ['w'] = "the number of a worker",
	                                    ['r'] = "the number of a worker, or -1",
	                                    ['n'] = "the number of a memory",
	                                    ['f'] = "the number of a memory",
	                                    ['b'] = "a number of bytes",
	                                    ['o'] = "a whole number",
	                                    ['c'] = "a cause: demand, prefetch, idle or eviction"};
	const char *fields = tw__event_fields[kind];
	struct tw__event e = {.kind = (uint8_t)kind};
	int status = tw__section_need(f, (int)strlen(fields) + 1, tw__event_names[kind]);
	if (status == TW_OK && !tw__section_number(f->of[0], 0, TW__LAST, &e.date))
		return tw__section_expected(f, "a date in nanoseconds", f->of[0]);
	for (int i = 0; status == TW_OK && fields[i]; i++)
		if (!read_field(&e, fields[i], f->of[i + 1]))
			status = tw__section_expected(f, names[(int)fields[i]], f->of[i + 1]);
	if (status == TW_OK)
		tw__record_add(&s->record, &e);
	return status == TW_OK && s->record.out_of_memory ? tw__section_no_memory(f) : status;
}
