#include "trace/binary.h"

#include <endian.h>
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

static unsigned char *put_event(struct tw__binary_place *s, const struct tw__event *e, unsigned char *event)
{
	unsigned char *to = event + 1;
	event[0] = e->kind;
	if (e->date == s->date)
		event[0] |= SAME_DATE;
	else
		to = put_number(to, (uint64_t)(e->date - s->date));
	s->date = e->date;
	for (const char *field = tw__event_fields((enum tw__event_kind)e->kind); *field; field++) {
		if (*field == 'c') {
			event[0] |= (unsigned char)(e->cause << CAUSE_SHIFT);
		} else if (*field == 'b' && e->bytes == s->bytes) {
			event[0] |= SAME_BYTES;
		} else {
			int64_t least = tw__event_field_least(*field);
			to = put_number(to, (uint64_t)(tw__event_field(e, *field) - least));
		}
		if (*field == 'b')
			s->bytes = e->bytes;
	}
	return to;
}

void tw__binary_write(FILE *f, const struct tw__record *r)
{
	struct tw__binary_place s = {0};
	unsigned char block[1 << 14], *to = block;
	for (size_t i = 0; i < r->n; i++) {
		to = put_event(&s, &r->events[i], to);
		if (to > block + sizeof block - MOST_EVENT_BYTES || i + 1 == r->n) {
			fwrite(block, 1, (size_t)(to - block), f);
			to = block;
		}
	}
	putc(END, f);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Takes a number of any length: seven bits a byte, the least ones first; all bytes but the last have the eighth bit. */
static __attribute__((noinline)) bool take_long(struct tw__binary_place *s, uint64_t most, uint64_t *number)
{
	const unsigned char *at = s->at;
	uint64_t n = *at & 0x7f;
	for (int shift = 7; *at++ & 0x80; shift += 7) {
		if (shift == 7 * MOST_NUMBER_BYTES)
			return false;
		n |= (uint64_t)(*at & 0x7f) << shift;
	}
	s->at = at;
	*number = n;
	return n <= most;
}

#define INLINE static inline __attribute__((always_inline))

/* Takes a number. Most have one to four bytes, which are taken without branches. */
INLINE bool take_number(struct tw__binary_place *s, uint64_t most, uint64_t *number)
{
	uint32_t n = s->at[0];
	if (!(n & 0x80)) {
		s->at++;
		*number = n;
		return n <= most;
	}
	memcpy(&n, s->at, sizeof n); /* compilers do not join four loads of a byte between stores */
	n = le32toh(n);
	const uint32_t ends = ~n & 0x80808080;
	if (!ends)
		return take_long(s, most, number);
	s->at += __builtin_ctz(ends) / 8 + 1;
	n &= ends ^ (ends - 1);
	n = (n & 0x7f007f) | (n & 0x7f007f00) >> 1;
	n = (n & 0x3fff) | (n & 0x3fff0000) >> 2;
	*number = n;
	return n <= most;
}

/* Takes the fields of an event. Returns NULL, or what is expected instead. Callers pass constant fields, for which the
 * compiler makes code of their own. */
INLINE const char *take_fields(struct tw__binary_place *s, struct tw__event *e, unsigned first, const char *fields)
{
	unsigned allowed = KIND | SAME_DATE;
	uint64_t n = 0;
	const size_t n_fields = strlen(fields);
#pragma GCC unroll 6
	for (size_t i = 0; i < n_fields; i++) {
		const char field = fields[i];
		if (field == 'c') {
			allowed |= CAUSE;
			e->cause = (uint8_t)((first & CAUSE) >> CAUSE_SHIFT);
			continue;
		}
		const int64_t least = tw__event_field_least(field);
		if (field == 'b') {
			allowed |= SAME_BYTES;
			e->bytes = s->bytes;
			if (first & SAME_BYTES)
				continue;
		}
		if (!take_number(s, (uint64_t)tw__event_field_most(field) - (uint64_t)least, &n))
			return tw__event_field_meaning(field);
		tw__event_set_field(e, field, (int64_t)n + least);
		if (field == 'b')
			s->bytes = n;
	}
	return first & ~allowed ? "a kind of event with a cause or bytes" : NULL;
}

/* Takes an event. Returns NULL, or what is expected instead. */
INLINE const char *take_event(struct tw__binary_place *s, struct tw__event *e)
{
	const unsigned first = *s->at++;
	uint64_t n = 0;
	*e = (struct tw__event){.kind = first & KIND};
	if (e->kind >= TW__N_EVENT_KINDS)
		return "a kind of event";
	if (!(first & SAME_DATE) && !take_number(s, (uint64_t)(TW__LAST - s->date), &n))
		return "nanoseconds since the event before";
	e->date = s->date += (tw__ns)n;
	switch ((enum tw__event_kind)e->kind) {
	case TW__SUBMIT:
		return take_fields(s, e, first, tw__event_fields(TW__SUBMIT));
	case TW__READY:
		return take_fields(s, e, first, tw__event_fields(TW__READY));
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		return take_fields(s, e, first, tw__event_fields(TW__TRANSFER_START));
	case TW__ALLOC:
	case TW__FREE:
		return take_fields(s, e, first, tw__event_fields(TW__ALLOC));
	case TW__VALID:
	case TW__INVALID:
		return take_fields(s, e, first, tw__event_fields(TW__VALID));
	case TW__FILTER:
		return take_fields(s, e, first, tw__event_fields(TW__FILTER));
	default:
		return take_fields(s, e, first, tw__event_fields(TW__START));
	}
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

/* Appends bytes to those of the record. */
static void keep(struct tw__record *r, size_t *n_bytes, const unsigned char *bytes, size_t n)
{
	TW_RESERVE(r->bytes, r->capacity, *n_bytes + n + TW__BYTES_BEHIND);
	memcpy(r->bytes + *n_bytes, bytes, n);
	*n_bytes += n;
}

/* Behind the bytes stand zeros, so that an event may be read as if others followed. */
static void end(struct tw__record *r, size_t n_bytes, tw__ns last)
{
	r->bytes = tw_resize(r->bytes, n_bytes + TW__BYTES_BEHIND, 1);
	memset(r->bytes + n_bytes, 0, TW__BYTES_BEHIND);
	r->capacity = 0;
	r->last = last;
}

/* Notes the numbers that an event names. Members that it does not have are 0. */
static inline void note(struct tw__named *most, const struct tw__event *e)
{
	most->task = e->task > most->task ? e->task : most->task;
	most->data = e->data > most->data ? e->data : most->data;
	most->worker = e->worker > most->worker ? e->worker : most->worker;
	most->node = e->node > most->node ? e->node : most->node;
	most->node = e->from > most->node ? e->from : most->node;
	most->to_itself |= (e->kind == TW__TRANSFER_START || e->kind == TW__TRANSFER_END) && e->from == e->node;
}

int tw__binary_read(struct tw__lines *l, struct tw__record *record)
{
	struct tw__named most = {0};
	struct tw__binary_place s = {0};
	size_t n_bytes = 0;
	for (;;) {
		size_t n;
		int status = tw__lines_ahead(l, MOST_EVENT_BYTES, &s.at, &n);
		const unsigned char *start = s.at, *behind = start + n;
		if (status < 0)
			return status;
		/* Behind the block are zeros, so the event that is cut off ends there. */
		do {
			struct tw__event e;
			const unsigned char *event = s.at;
			if (event < behind && *event == END) {
				keep(record, &n_bytes, start, (size_t)(event - start));
				end(record, n_bytes, s.date);
				record->named = most;
				tw__lines_skip(l, (size_t)(event + 1 - start));
				return TW_OK;
			}
			const char *expected = take_event(&s, &e);
			if (!expected && s.at <= behind) {
				record->n++;
				note(&most, &e);
				continue;
			}
			tw__lines_skip(l, (size_t)(event - start));
			return expected && event < behind ? tw__lines_expected(l, expected)
			                                  : tw__lines_fail(l, "the events are cut off");
		} while (behind - s.at >= MOST_EVENT_BYTES);
		keep(record, &n_bytes, start, (size_t)(s.at - start));
		tw__lines_skip(l, (size_t)(s.at - start));
	}
}

void tw__binary_decode(struct tw__binary_place *place, struct tw__event *to, size_t n)
{
	struct tw__binary_place s = *place; /* in registers */
	for (size_t i = 0; i < n; i++)
		if (take_event(&s, &to[i]))
			__builtin_unreachable(); /* tw__binary_read has found no mistake */
	*place = s;
}
