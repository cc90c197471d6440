#include "readers/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers/input.h"

int tw__json_read(struct tw__json *json, const char *path, struct tw_error *err)
{
	*json = (struct tw__json){.path = path};
	int status = tw__input_whole(&json->text, &json->length, path, err);
	if (status < 0)
		return status;
	json_error_t why;
	json->root = json_loadb(json->text, json->length, JSON_REJECT_DUPLICATES, &why);
	if (json->root)
		return TW_OK;
	/* An error of jansson without a text means out of memory, too. */
	if (json_error_code(&why) == json_error_out_of_memory || !*why.text)
		status = tw_fail(err, TW_NOMEM, "%.256s: out of memory", path);
	else
		status = tw_fail(err, TW_INVALID, "%.256s:%d: %.150s, expected JSON", path, why.line > 0 ? why.line : 1,
		                 why.text);
	tw__json_finish(json);
	return status;
}

void tw__json_finish(struct tw__json *json)
{
	json_decref(json->root);
	free(json->text);
	*json = (struct tw__json){0};
}

struct tw__json_at tw__json_root(const struct tw__json *json) { return (struct tw__json_at){.value = json->root}; }

struct tw__json_at tw__json_member(const struct tw__json_at *in, const char *key)
{
	return (struct tw__json_at){.in = in, .key = key, .value = in->value ? json_object_get(in->value, key) : NULL};
}

struct tw__json_at tw__json_item(const struct tw__json_at *in, size_t index)
{
	return (struct tw__json_at){.in = in, .index = index, .value = json_array_get(in->value, index)};
}

size_t tw__json_n(const struct tw__json_at *at) { return at->value ? json_array_size(at->value) : 0; }

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

static const char *find(const struct tw__json *json, const struct tw__json_at *at)
{
	if (!at->in)
		return skip_blanks(json->text);
	const char *in = find(json, at->in), *found = NULL;
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

uint32_t tw__json_line(const struct tw__json *json, const struct tw__json_at *at)
{
	return 1 + count_lines(json->text, find(json, at));
}

uint32_t *tw__json_lines(const struct tw__json *json, const struct tw__json_at *array)
{
	size_t n = tw__json_n(array);
	uint32_t *lines = calloc(n + 1, sizeof *lines), line = 1;
	const char *counted = json->text, *c = find(json, array);
	if (!lines || *c != '[')
		return lines;
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

int tw__json_fail(const struct tw__json *json, const struct tw__json_at *at, struct tw_error *err, const char *format,
                  ...)
{
	char text[sizeof err->message], place[120] = "";
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	write_place(at, place, sizeof place);
	return tw_fail(err, TW_INVALID, "%.256s:%u: %s%s%s", json->path, (unsigned)tw__json_line(json, at), place,
	               *place ? ": " : "", text);
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

int tw__json_text(const struct tw__json *json, const struct tw__json_at *at, const char **text, struct tw_error *err)
{
	if (!json_is_string(at->value) || !*json_string_value(at->value))
		return tw__json_fail(json, at, err, "%s, expected a string, not empty",
		                     json_is_string(at->value) ? "empty" : type_of(at->value));
	*text = json_string_value(at->value);
	return TW_OK;
}

int tw__json_bytes(const struct tw__json *json, const struct tw__json_at *at, uint64_t least, struct tw__draft *draft,
                   uint64_t *bytes, struct tw_error *err)
{
	json_int_t whole = json_is_integer(at->value) ? json_integer_value(at->value) : -1;
	*bytes = (uint64_t)whole;
	bool valid = json_is_real(at->value) ? tw__draft_whole_bytes(draft, json_real_value(at->value), bytes)
	                                     : whole >= 0 && whole <= (json_int_t)1 << 60;
	if (valid && *bytes >= least)
		return TW_OK;
	return tw__json_fail(json, at, err, "%s, expected bytes, from %llu to 2^60",
	                     json_is_number(at->value) ? "out of range" : type_of(at->value),
	                     (unsigned long long)least);
}

int tw__json_flag(const struct tw__json *json, const struct tw__json_at *at, bool *flag, struct tw_error *err)
{
	if (!json_is_boolean(at->value))
		return tw__json_fail(json, at, err, "%s, expected true or false", type_of(at->value));
	*flag = json_is_true(at->value);
	return TW_OK;
}

int tw__json_int(const struct tw__json *json, const struct tw__json_at *at, int64_t least, int64_t most,
                 int64_t *number, struct tw_error *err)
{
	double real = json_is_real(at->value) ? json_real_value(at->value) : 0;
	bool fits = json_is_integer(at->value);
	*number = fits ? json_integer_value(at->value) : 0;
	/* A number such as 4.0 counts as an integer. */
	if (json_is_real(at->value) && real >= -9e15 && real <= 9e15 && real == (double)(int64_t)real) {
		*number = (int64_t)real;
		fits = true;
	}
	if (fits && *number >= least && *number <= most)
		return TW_OK;
	const char *what = fits || fabs(real) > 9e15   ? "out of range"
	                   : json_is_number(at->value) ? "a fraction"
	                                               : type_of(at->value);
	if (most <= least)
		return most < least ? tw__json_fail(json, at, err, "%s, expected none", what)
		                    : tw__json_fail(json, at, err, "%s, expected %lld", what, (long long)least);
	return tw__json_fail(json, at, err, "%s, expected a whole number from %lld to %lld", what, (long long)least,
	                     (long long)most);
}

int tw__json_real(const struct tw__json *json, const struct tw__json_at *at, double *number, struct tw_error *err)
{
	if (!json_is_number(at->value))
		return tw__json_fail(json, at, err, "%s, expected a number", type_of(at->value));
	*number = json_number_value(at->value);
	return TW_OK;
}

int tw__json_array(const struct tw__json *json, const struct tw__json_at *at, size_t *n, struct tw_error *err)
{
	*n = tw__json_n(at);
	return json_is_array(at->value) ? TW_OK
	                                : tw__json_fail(json, at, err, "%s, expected an array", type_of(at->value));
}

int tw__json_object(const struct tw__json *json, const struct tw__json_at *at, struct tw_error *err)
{
	return json_is_object(at->value) ? TW_OK
	                                 : tw__json_fail(json, at, err, "%s, expected an object", type_of(at->value));
}
