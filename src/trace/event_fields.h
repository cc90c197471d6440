/* The kinds of events: their names, the fields of each as text, and which numbers fields may hold. */
#ifndef TW__EVENT_FIELDS_H
#define TW__EVENT_FIELDS_H

#include "platform/platform.h"
#include "trace/record.h"

/* Names of enum tw__event_kind: "submit", "transfer_start", ... */
extern const char *const tw__event_names[TW__N_EVENT_KINDS];

/* Names of enum tw__cause: "demand", "prefetch", ... */
extern const char *const tw__cause_names[TW__N_CAUSES];

/* Returns the fields of a kind of event behind its date, in the order of the run section. One letter stands for each: t
 * is a task, w a worker, and r a worker or TW_NONE. n is a memory, and f the memory that a transfer leaves. A handle is
 * d, and its bytes are b. An offset or the number of a transfer is o. A cause is c. */
static inline const char *tw__event_fields(enum tw__event_kind kind)
{
	switch (kind) {
	case TW__SUBMIT:
		return "t";
	case TW__READY:
		return "tr";
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		return "dfnboc";
	case TW__ALLOC:
	case TW__FREE:
		return "dnobc";
	case TW__VALID:
	case TW__INVALID:
		return "dn";
	case TW__FILTER:
		return "dno";
	default:
		return "twn"; /* a step of a task on a worker */
	}
}

/* Whether the run has all that the event names, also the route of a transfer. If not, writes what it lacks, such as
 * "worker 99". */
bool tw__event_exists(const struct tw__event *, const struct tw__platform *, const struct tw_graph *, char text[40]);

/* Returns what a field is, for messages: "the number of a task". */
const char *tw__event_field_meaning(char letter);

/* The greatest number in a field of that letter, which is no cause. The least is 0 for bytes and offsets, and otherwise
 * -1. */
static inline int64_t tw__event_field_most(char letter)
{
	return letter == 'b' || letter == 'o' ? INT64_MAX : letter == 't' || letter == 'd' ? INT32_MAX : INT16_MAX;
}

static inline int64_t tw__event_field_least(char letter) { return letter == 'b' || letter == 'o' ? 0 : TW_NONE; }

/* Return and set the number in a field. */
static inline int64_t tw__event_field(const struct tw__event *e, char letter)
{
	switch (letter) {
	case 't':
		return e->task;
	case 'd':
		return e->data;
	case 'n':
		return e->node;
	case 'f':
		return e->from;
	case 'b':
		return (int64_t)e->bytes;
	case 'o':
		return (int64_t)e->offset;
	default:
		return e->worker;
	}
}

static inline void tw__event_set_field(struct tw__event *e, char letter, int64_t number)
{
	switch (letter) {
	case 't':
		e->task = (int32_t)number;
		break;
	case 'd':
		e->data = (int32_t)number;
		break;
	case 'n':
		e->node = (int16_t)number;
		break;
	case 'f':
		e->from = (int16_t)number;
		break;
	case 'b':
		e->bytes = (uint64_t)number;
		break;
	case 'o':
		e->offset = (uint64_t)number;
		break;
	default:
		e->worker = (int16_t)number;
	}
}

/* Reads the fields of an event of e->kind, with commas between. False: *wrong is the index of the first field that is
 * wrong, unless their number is. */
bool tw__event_read(struct tw__event *e, const char *text, int *wrong);

/* Copies the text of a field, and restores its escaped characters. Returns NULL, or the place of a wrong escape. `copy`
 * has room for the text. */
const char *tw__field_unescape(char *copy, const char *text);

/* Reads a finite number of at least 0. */
bool tw__field_real(const char *text, double *value);

/* Reads a whole number from `least` to `most`, up to a comma or the end, and moves *at there. */
bool tw__field_number(const char **at, int64_t least, int64_t most, int64_t *value);

#endif
