#include "trace/binary.h"

#include <string.h>

#include "trace/event_fields.h"

/* The first byte of an event: its kind, its cause, and what it has in common with the events before it. */
enum {
	KIND = 0x0f,
	CAUSE = 0x30,
	CAUSE_SHIFT = 4,
	SAME_DATE = 0x40,  /* the date is that of the event before, and is left out */
	SAME_BYTES = 0x80, /* the bytes are those of the last event that has bytes, and are left out */
	END = 0x0f,        /* stands behind the last event */
};

enum { MOST_NUMBER_BYTES = 9, MOST_EVENT_BYTES = 1 + 7 * MOST_NUMBER_BYTES };
_Static_assert((int)MOST_EVENT_BYTES <= (int)TW__BYTES_BEHIND, "an event that is cut off is read to its end");
_Static_assert((int)TW__N_EVENT_KINDS <= (int)END && TW__N_CAUSES <= 4, "kinds and causes fit");

static unsigned char *put_number(unsigned char *to, uint64_t n)
{
	for (; n > 0x7f; n >>= 7)
		*to++ = (unsigned char)(n | 0x80);
	*to++ = (unsigned char)n;
	return to;
}

void tw__binary_write(FILE *f, const struct tw__record *r)
{
	tw__ns date = 0;
	uint64_t bytes = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct tw__event *e = &r->events[i];
		unsigned char event[MOST_EVENT_BYTES], *to = event + 1;
		event[0] = e->kind;
		if (e->date == date)
			event[0] |= SAME_DATE;
		else
			to = put_number(to, (uint64_t)(e->date - date));
		date = e->date;
		for (const char *field = tw__event_fields[e->kind]; *field; field++) {
			if (*field == 'c') {
				event[0] |= (unsigned char)(e->cause << CAUSE_SHIFT);
			} else if (*field == 'b' && e->bytes == bytes) {
				event[0] |= SAME_BYTES;
			} else {
				int64_t least = tw__event_field_least(*field);
				to = put_number(to, (uint64_t)(tw__event_field(e, *field) - least));
			}
			if (*field == 'b')
				bytes = e->bytes;
		}
		fwrite(event, 1, (size_t)(to - event), f);
	}
	putc(END, f);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* The state while events are read. */
struct reader {
	const unsigned char *at;
	tw__ns date;
	uint64_t bytes;
};

/* Takes a number: seven bits a byte, the least ones first; all bytes but the last have the eighth bit. */
static inline bool take_number(struct reader *r, uint64_t most, uint64_t *number)
{
	const unsigned char *at = r->at;
	uint64_t n = *at & 0x7f;
	for (int shift = 7; *at++ & 0x80; shift += 7) {
		if (shift == 7 * MOST_NUMBER_BYTES)
			return false;
		n |= (uint64_t)(*at & 0x7f) << shift;
	}
	r->at = at;
	*number = n;
	return n <= most;
}

/* Takes an event. Returns NULL, or what is expected instead. */
static inline const char *take_event(struct reader *r, struct tw__event *e)
{
	const unsigned first = *r->at++;
	unsigned allowed = KIND | SAME_DATE;
	uint64_t n = 0;
	*e = (struct tw__event){.kind = first & KIND};
	if (e->kind >= TW__N_EVENT_KINDS)
		return "a kind of event";
	if (!(first & SAME_DATE) && !take_number(r, (uint64_t)(TW__LAST - r->date), &n))
		return "nanoseconds since the event before";
	e->date = r->date += (tw__ns)n;
	for (const char *field = tw__event_fields[e->kind]; *field; field++) {
		if (*field == 'c') {
			allowed |= CAUSE;
			e->cause = (uint8_t)((first & CAUSE) >> CAUSE_SHIFT);
			continue;
		}
		const int64_t least = tw__event_field_least(*field);
		if (*field == 'b') {
			allowed |= SAME_BYTES;
			e->bytes = r->bytes;
			if (first & SAME_BYTES)
				continue;
		}
		if (!take_number(r, (uint64_t)tw__event_field_most(*field) - (uint64_t)least, &n))
			return tw__event_field_meaning(*field);
		tw__event_set_field(e, *field, (int64_t)n + least);
		if (*field == 'b')
			r->bytes = n;
	}
	return first & ~allowed ? "a kind of event with a cause or bytes" : NULL;
}

int tw__binary_begin(struct tw__lines *l)
{
	const unsigned char *bytes;
	size_t n;
	int status = tw__lines_ahead(l, TW__BINARY_MAGIC_BYTES, &bytes, &n);
	l->is_binary = status == TW_OK && n >= TW__BINARY_MAGIC_BYTES &&
	               !memcmp(bytes, TW__BINARY_MAGIC, TW__BINARY_MAGIC_BYTES);
	if (l->is_binary)
		tw__lines_skip(l, TW__BINARY_MAGIC_BYTES);
	return status;
}

int tw__binary_read(struct tw__lines *l, struct tw__record *record)
{
	struct reader r = {0};
	for (;;) {
		size_t n;
		int status = tw__lines_ahead(l, MOST_EVENT_BYTES, &r.at, &n);
		const unsigned char *start = r.at, *end = start + n;
		if (status < 0)
			return status;
		/* Behind `end` the block has zeros, so the event that is cut off ends there. */
		do {
			const unsigned char *event = r.at;
			struct tw__event e;
			if (event < end && *event == END) {
				tw__lines_skip(l, (size_t)(event + 1 - start));
				return TW_OK;
			}
			const char *expected = take_event(&r, &e);
			if (!expected && r.at <= end) {
				tw__record_add(record, &e);
				continue;
			}
			tw__lines_skip(l, (size_t)(event - start));
			return expected && event < end ? tw__lines_expected(l, expected)
			                               : tw__lines_fail(l, "the events are cut off");
		} while (end - r.at >= MOST_EVENT_BYTES);
		tw__lines_skip(l, (size_t)(r.at - start));
	}
}
