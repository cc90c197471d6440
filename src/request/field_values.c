/* The inputs of a request: set from texts, printed, compared, and as arguments of a trace. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "request/fields.h"
#include "request/words.h"
#include "trace/formats.h"

/* Of --time-limit. */
#define LEAST_TIME_S 1e-3
#define MOST_TIME_S 1e9

void tw__print_exactly(char *text, size_t room, double value)
{
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, room, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			return;
	}
}

int tw__field_set(const struct tw__field *f, struct tw__request *q, const char *text, struct tw_error *err)
{
	void *member = (char *)q + f->offset;
	char option[40];
	int64_t whole = 0;
	double real;
	int status = TW_OK;
	snprintf(option, sizeof option, "--%s", f->name);
	switch (f->type) {
	case TW__FIELD_TEXT:
		if (f->preset && strcmp(text, f->preset) == 0)
			text = NULL;
		memcpy(member, &text, sizeof text);
		break;
	case TW__FIELD_COUNT:
	case TW__FIELD_REPETITIONS:
		status = tw__word_int(member, option, text, 0, INT_MAX, err);
		break;
	case TW__FIELD_SEED:
		status = tw__word_whole(&whole, option, text, 0, INT64_MAX, err);
		if (status == TW_OK)
			*(uint64_t *)member = (uint64_t)whole;
		break;
	case TW__FIELD_SIZE:
		status = tw__word_bound(member, option, text, err);
		break;
	case TW__FIELD_REAL:
		status = tw__word_real(member, option, text, 0, 1, err);
		break;
	case TW__FIELD_TIME:
		if (tw__parse_seconds(&real, text, err) < 0 || real < LEAST_TIME_S || real > MOST_TIME_S)
			return tw_fail(err, TW_INVALID, "%s '%.200s': expected a time from 1ms to %.0fs, as in 60s",
			               option, text, MOST_TIME_S);
		*(double *)member = real;
		break;
	case TW__FIELD_YES:
		if (tw__parse_flag(member, text, err) < 0)
			status = tw_fail(err, TW_INVALID, "%s '%.200s': expected yes or no", option, text);
		break;
	case TW__FIELD_OFF:
		if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0)
			return tw_fail(err, TW_INVALID, "%s '%.200s': expected on or off", option, text);
		*(bool *)member = text[1] == 'f';
		break;
	case TW__FIELD_PARAMETER:
	case TW__FIELD_PART:
	case TW__FIELD_OF_FILES:
		break;
	}
	return status;
}

const char *tw__field_text(const struct tw__field *f, const struct tw__request *q, char room[TW__FIELD_ROOM])
{
	const void *member = (const char *)q + f->offset;
	const char *text;
	switch (f->type) {
	case TW__FIELD_TEXT:
		memcpy(&text, member, sizeof text);
		return text;
	case TW__FIELD_COUNT:
	case TW__FIELD_REPETITIONS:
		snprintf(room, TW__FIELD_ROOM, "%d", *(const int *)member);
		return *(const int *)member != f->absent ? room : NULL;
	case TW__FIELD_SEED:
		snprintf(room, TW__FIELD_ROOM, "%" PRIu64, *(const uint64_t *)member);
		return *(const uint64_t *)member != (uint64_t)f->absent ? room : NULL;
	case TW__FIELD_SIZE:
		snprintf(room, TW__FIELD_ROOM, "%" PRIu64, *(const uint64_t *)member);
		return *(const uint64_t *)member ? room : NULL;
	case TW__FIELD_REAL:
	case TW__FIELD_TIME:
		tw__print_exactly(room, TW__FIELD_ROOM, *(const double *)member);
		return *(const double *)member > 0 ? room : NULL;
	case TW__FIELD_YES:
		return *(const bool *)member ? "yes" : NULL;
	case TW__FIELD_OFF:
		return *(const bool *)member ? "off" : NULL;
	case TW__FIELD_PARAMETER:
	case TW__FIELD_PART:
	case TW__FIELD_OF_FILES:
		break;
	}
	return NULL;
}

bool tw__requests_differ(const struct tw__request *a, const struct tw__request *b, unsigned flag)
{
	char rooms[2][TW__FIELD_ROOM];
	for (const struct tw__field *f = tw__fields; f->name; f++) {
		if (!(f->flags & flag))
			continue;
		const char *one = tw__field_text(f, a, rooms[0]), *other = tw__field_text(f, b, rooms[1]);
		if (one && other ? strcmp(one, other) != 0 : one != other)
			return true;
	}
	return false;
}

/* --- arguments in traces ------------------------------------------------------------------------------------------ */

struct tw__run_argument *tw__arguments_of(const struct tw__request *q, int *n)
{
	struct tw__run_argument *arguments = tw_alloc(TW__MOST_INPUTS, sizeof *arguments);
	*n = 0;
	for (const struct tw__field *f = tw__fields; f->name; f++) {
		char room[TW__FIELD_ROOM];
		const char *text = f->flags & TW__ASIDE ? NULL : tw__field_text(f, q, room);
		if (text)
			arguments[(*n)++] = (struct tw__run_argument){tw_copy_text(f->name), tw_copy_text(text)};
	}
	return arguments;
}

void tw__arguments_free(struct tw__run_argument *arguments, int n)
{
	for (int i = 0; i < n; i++) {
		free(arguments[i].name);
		free(arguments[i].value);
	}
	free(arguments);
}

int tw__arguments_request(struct tw__request *q, const struct tw__run_argument *arguments, int n, struct tw_error *err)
{
	int status = TW_OK;
	*q = tw__request_empty();
	for (int a = 0; a < n && status == TW_OK; a++) {
		const struct tw__field *f = tw__field_of(arguments[a].name);
		if (!f || f->flags & TW__ASIDE || f->type == TW__FIELD_PARAMETER || f->type == TW__FIELD_PART ||
		    f->type == TW__FIELD_OF_FILES)
			status = tw_fail(err, TW_INVALID, "argument '%.60s': this version does not know it",
			                 arguments[a].name);
		else
			status = tw__field_set(f, q, arguments[a].value, err);
	}
	for (const struct tw__field *f = tw__fields; f->name && status == TW_OK; f++) {
		char room[TW__FIELD_ROOM];
		if (f->needs & TW__FOR_RUN && !tw__field_text(f, q, room))
			status = tw_fail(err, TW_INVALID, "the trace has no argument '%s'", f->name);
	}
	return status;
}
