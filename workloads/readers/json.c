#include "readers/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tw__json_at tw__json_read(struct tw__json *json, struct tw__draft *draft)
{
	*json = (struct tw__json){.draft = draft};
	json_error_t why;
	draft->status = tw__input_whole(&json->text, draft->file, draft->err);
	json->root = json->text ? json_loads(json->text, JSON_REJECT_DUPLICATES, &why) : NULL;
	if (json->text && !json->root) {
		tw__draft_fail(draft, why.line > 0 ? (uint32_t)why.line : 1, "%.150s, expected JSON", why.text);
		/* An error of jansson without a text means out of memory, too. */
		if (json_error_code(&why) == json_error_out_of_memory || !*why.text)
			draft->status = tw_fail(draft->err, TW_NOMEM, "%s: out of memory", draft->path);
	}
	return (struct tw__json_at){.file = json, .value = json->root};
}

void tw__json_finish(struct tw__json *json)
{
	json_decref(json->root);
	free(json->text);
	*json = (struct tw__json){0};
}

struct tw__json_at tw__json_member(const struct tw__json_at *in, const char *key)
{
	return (struct tw__json_at){in->file, in, key, 0, in->value ? json_object_get(in->value, key) : NULL};
}

struct tw__json_at tw__json_item(const struct tw__json_at *in, size_t index)
{
	return (struct tw__json_at){in->file, in, NULL, index, json_array_get(in->value, index)};
}

bool tw__json_next(const struct tw__json_at *array, struct tw__json_at *item)
{
	if (!item->in)
		tw__json_array(array);
	*item = tw__json_item(array, item->in ? item->index + 1 : 0);
	return item->value && array->file->draft->status == TW_OK;
}

/* --- places of values: jansson does not keep them, so this code scans the text again ------------------------------ */

static const char *skip_blanks(const char *c) { return c + strspn(c, " \t\r\n"); }

/* Returns the position behind a string. Quotes and brackets match, because jansson has parsed the text. */
static const char *skip_string(const char *c)
{
	for (c++; *c && *c != '"'; c++)
		if (*c == '\\' && c[1])
			c++;
	return *c ? c + 1 : c;
}

static const char *skip_value(const char *c)
{
	size_t depth = 0;
	do {
		c = skip_blanks(c);
		if (*c == '"') {
			c = skip_string(c);
		} else if (*c == '[' || *c == '{') {
			depth++;
			c++;
		} else if (*c == ']' || *c == '}') {
			depth--;
			c++;
		} else if (*c == ',' || *c == ':') {
			c++;
		} else {
			c += strcspn(c, " \t\r\n,:[]{}\"");
		}
	} while (depth && *c);
	return c;
}

static const char *find_member(const char *c, const char *key)
{
	size_t length = strlen(key);
	for (c = skip_blanks(c + 1); *c == '"';) {
		bool found = !strncmp(c + 1, key, length) && c[1 + length] == '"';
		c = skip_blanks(skip_blanks(skip_string(c)) + 1); /* skip the name and the colon */
		if (found)
			return c;
		c = skip_blanks(skip_value(c));
		c = *c == ',' ? skip_blanks(c + 1) : c;
	}
	return NULL;
}

static const char *find_item(const char *c, size_t index)
{
	c = skip_blanks(c + 1);
	for (size_t i = 0; *c && *c != ']'; i++) {
		if (i == index)
			return c;
		c = skip_blanks(skip_value(c));
		c = *c == ',' ? skip_blanks(c + 1) : c;
	}
	return NULL;
}

static const char *find(const struct tw__json_at *at)
{
	if (!at->in)
		return skip_blanks(at->file->text);
	const char *in = find(at->in), *found = NULL;
	if (at->key && *in == '{')
		found = find_member(in, at->key);
	else if (!at->key && *in == '[')
		found = find_item(in, at->index);
	return found ? found : in;
}

static uint32_t count_lines(const char *from, const char *to)
{
	uint32_t lines = 0;
	for (; (from = memchr(from, '\n', (size_t)(to - from))); from++)
		lines++;
	return lines;
}

uint32_t *tw__json_lines(const struct tw__json_at *array)
{
	size_t n = json_array_size(array->value);
	uint32_t *lines = tw_alloc(n, sizeof *lines), line = 1;
	if (!n)
		return lines;
	const char *counted = array->file->text, *c = find(array);
	c = skip_blanks(c + 1);
	for (size_t i = 0; i < n; i++) {
		line += count_lines(counted, c);
		counted = c;
		lines[i] = line;
		c = skip_blanks(skip_value(c));
		c = *c == ',' ? skip_blanks(c + 1) : c;
	}
	return lines;
}

/* --- messages and types ------------------------------------------------------------------------------------------- */

static void write_place(const struct tw__json_at *at, char *text, size_t room)
{
	if (!at->in)
		return;
	write_place(at->in, text, room);
	size_t used = strlen(text);
	if (at->key)
		snprintf(text + used, room - used, "%s%s", used ? "." : "", at->key);
	else
		snprintf(text + used, room - used, "[%zu]", at->index);
}

void tw__json_fail(const struct tw__json_at *at, const char *format, ...)
{
	struct tw__draft *d = at->file->draft;
	char text[sizeof d->err->message], place[120] = "";
	va_list values;
	if (d->status < 0)
		return;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	write_place(at, place, sizeof place);
	tw__draft_fail(d, 1 + count_lines(at->file->text, find(at)), "%s%s%s", place, *place ? ": " : "", text);
}

static const char *type_of(const json_t *value)
{
	if (!value)
		return "not there";
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a string";
	case JSON_INTEGER:
	case JSON_REAL:
		return "a number";
	case JSON_TRUE:
	case JSON_FALSE:
		return "a truth value";
	case JSON_NULL:
		return "null";
	}
	return "of an unknown type";
}

const char *tw__json_text(const struct tw__json_at *at)
{
	const char *text = json_string_value(at->value); /* NULL: no string */
	if (text && *text)
		return text;
	tw__json_fail(at, "%s, expected a string, not empty", text ? "empty" : type_of(at->value));
	return "";
}

uint64_t tw__json_bytes(const struct tw__json_at *at, uint64_t least)
{
	json_int_t whole = json_is_integer(at->value) ? json_integer_value(at->value) : -1;
	uint64_t bytes = (uint64_t)whole;
	bool valid = json_is_real(at->value)
	                     ? tw__draft_whole_bytes(at->file->draft, json_real_value(at->value), &bytes)
	                     : whole >= 0 && whole <= (json_int_t)1 << 60;
	if (valid && bytes >= least)
		return bytes;
	tw__json_fail(at, "%s, expected bytes, from %llu to 2^60",
	              json_is_number(at->value) ? "out of range" : type_of(at->value), (unsigned long long)least);
	return least;
}

bool tw__json_flag(const struct tw__json_at *at)
{
	if (!json_is_boolean(at->value))
		tw__json_fail(at, "%s, expected true or false", type_of(at->value));
	return json_is_true(at->value);
}

int64_t tw__json_int(const struct tw__json_at *at, int64_t least, int64_t most)
{
	double real = json_is_real(at->value) ? json_real_value(at->value) : 0;
	bool fits = json_is_integer(at->value);
	int64_t number = fits ? json_integer_value(at->value) : 0;
	/* A number such as 4.0 counts as an integer. */
	if (json_is_real(at->value) && real >= -9e15 && real <= 9e15 && real == (double)(int64_t)real) {
		number = (int64_t)real;
		fits = true;
	}
	if (fits && number >= least && number <= most)
		return number;
	const char *what = fits || fabs(real) > 9e15   ? "out of range"
	                   : json_is_number(at->value) ? "a fraction"
	                                               : type_of(at->value);
	if (most < least)
		tw__json_fail(at, "%s, expected none", what);
	else if (most == least)
		tw__json_fail(at, "%s, expected %lld", what, (long long)least);
	else
		tw__json_fail(at, "%s, expected a whole number from %lld to %lld", what, (long long)least,
		              (long long)most);
	return least;
}

double tw__json_real(const struct tw__json_at *at)
{
	if (!json_is_number(at->value))
		tw__json_fail(at, "%s, expected a number", type_of(at->value));
	return json_number_value(at->value);
}

double tw__json_amount(const struct tw__json_at *at)
{
	double number = tw__json_real(at);
	if (number < 0)
		tw__json_fail(at, "%g, expected 0 or more", number);
	return number;
}

size_t tw__json_array(const struct tw__json_at *at)
{
	if (!json_is_array(at->value))
		tw__json_fail(at, "%s, expected an array", type_of(at->value));
	return json_array_size(at->value);
}

bool tw__json_object(const struct tw__json_at *at)
{
	if (!json_is_object(at->value))
		tw__json_fail(at, "%s, expected an object", type_of(at->value));
	return json_is_object(at->value);
}

int32_t tw__json_job(const struct tw__json_at *at)
{
	const char *name = tw__json_text(at);
	int32_t job = tw__name_list_find(&at->file->draft->job_names, name, strlen(name));
	if (job == TW_NONE)
		tw__json_fail(at, "'%.60s' is not in the file, expected the name of a task in it", name);
	return job;
}

void tw__json_count_unknown(const struct tw__json_at *in, const char *const *known)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)in->value, key, value)
	{
		const char *const *k = known;
		while (*k && strcmp(*k, key) != 0)
			k++;
		tw__draft_count(in->file->draft, "unknown members left out", !*k);
	}
}
