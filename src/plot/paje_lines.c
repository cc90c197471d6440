#include "plot/paje_lines.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

static const char *const kind_names[] = {
	"PajeDefineContainerType", "PajeDefineStateType",  "PajeDefineEntityValue", "PajeDefineVariableType",
	"PajeCreateContainer",     "PajeDestroyContainer", "PajeSetState",          "PajeSetVariable"};

static const char *const field_names[] = {"Time",  "Alias",    "Type",   "Name", "Container", "Value",
                                          "JobId", "Workload", "Policy", "Arch", "Capacity",  "Bandwidth"};

int tw__paje_bad(const struct tw__paje *r, const char *what, const char *value)
{
	if (value)
		return tw_fail(r->err, TW_INVALID, "%s:%ld: %s '%.80s'", r->path, r->line, what, value);
	return tw_fail(r->err, TW_INVALID, "%s:%ld: %s", r->path, r->line, what);
}

bool tw__paje_number(const char *s, double *value)
{
	double mantissa = 0, scale = 1;
	int digits = 0;
	bool fraction = false;
	for (; *s; s++) {
		if (*s == '.' && !fraction) {
			fraction = true;
		} else if (isdigit((unsigned char)*s) && digits < 40) {
			mantissa = mantissa * 10 + (*s - '0');
			scale *= fraction ? 10 : 1;
			digits++;
		} else {
			return false;
		}
	}
	*value = mantissa / scale;
	return digits > 0;
}

/* Reads a line of an event's definition: "%EventDef NAME NUMBER", "% FIELD type" or "%EndEventDef". */
static int read_definition(struct tw__paje *r, char *line)
{
	char *save = NULL, *word = strtok_r(line + 1, " \t\r\n", &save), *rest = strtok_r(NULL, " \t\r\n", &save);
	if (!word)
		return TW_OK;
	if (!strcmp(word, "EventDef")) {
		char *number = rest ? strtok_r(NULL, " \t\r\n", &save) : NULL, *end;
		long id = number ? strtol(number, &end, 10) : -1;
		if (id < 0 || id >= TW__PAJE_MAX_DEFINITIONS || *end)
			return tw__paje_bad(r, "expected %EventDef NAME NUMBER, with a number below 256", NULL);
		r->open = &r->definitions[id];
		if (r->open->kind != TW__PAJE_UNDEFINED)
			return tw__paje_bad(r, "event defined a second time:", number);
		r->open->kind = TW__PAJE_IGNORED;
		for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
			if (!strcmp(rest, kind_names[i]))
				r->open->kind = (enum tw__paje_kind)i;
		return TW_OK;
	}
	if (!r->open)
		return tw__paje_bad(r, "expected %EventDef before", word);
	if (!strcmp(word, "EndEventDef")) {
		r->open = NULL;
		return TW_OK;
	}
	if (r->open->n == TW__PAJE_MAX_FIELDS)
		return tw__paje_bad(r, "too many fields", NULL);
	enum tw__paje_field field = TW__PAJE_OTHER;
	for (int i = 0; i < TW__PAJE_N_FIELDS; i++)
		if (!strcmp(word, field_names[i]))
			field = (enum tw__paje_field)i;
	r->open->fields[r->open->n++] = field;
	return TW_OK;
}

/* Cuts the next word, or quoted text, off *rest. NULL: there is none, or a quote does not end. */
static char *next_value(char **rest)
{
	char *s = *rest + strspn(*rest, " \t\r\n");
	char *end = *s == '"' ? strchr(++s, '"') : s + strcspn(s, " \t\r\n");
	if (!end || (end == s && *s != '"'))
		return NULL;
	*rest = *end ? end + 1 : end;
	*end = 0;
	return s;
}

static int read_event(struct tw__paje *r, char *line, enum tw__paje_kind *kind, char *v[TW__PAJE_N_FIELDS])
{
	static const unsigned needs[] = {
		[TW__PAJE_DEFINE_CONTAINER_TYPE] = 1 << TW__PAJE_ALIAS | 1 << TW__PAJE_NAME,
		[TW__PAJE_DEFINE_STATE_TYPE] = 1 << TW__PAJE_ALIAS,
		[TW__PAJE_DEFINE_VARIABLE_TYPE] = 1 << TW__PAJE_ALIAS | 1 << TW__PAJE_NAME,
		[TW__PAJE_DEFINE_VALUE] = 1 << TW__PAJE_ALIAS | 1 << TW__PAJE_TYPE | 1 << TW__PAJE_NAME,
		[TW__PAJE_CREATE] = 1 << TW__PAJE_TIME | 1 << TW__PAJE_ALIAS | 1 << TW__PAJE_TYPE | 1 << TW__PAJE_NAME,
		[TW__PAJE_DESTROY] = 1 << TW__PAJE_TIME,
		[TW__PAJE_SET_STATE] = 1 << TW__PAJE_TIME | 1 << TW__PAJE_CONTAINER | 1 << TW__PAJE_VALUE,
		[TW__PAJE_SET_VARIABLE] =
			1 << TW__PAJE_TIME | 1 << TW__PAJE_TYPE | 1 << TW__PAJE_CONTAINER | 1 << TW__PAJE_VALUE,
	};
	char *rest = line, *end, *number = next_value(&rest);
	if (!number)
		return *line == '"' ? tw__paje_bad(r, "expected the number of an event", NULL)
		                    : TW_OK; /* a blank line */
	long id = strtol(number, &end, 10);
	if (*end || id < 0 || id >= TW__PAJE_MAX_DEFINITIONS || r->definitions[id].kind == TW__PAJE_UNDEFINED)
		return tw__paje_bad(r, "expected the number of an event that is defined above instead of", number);
	const struct tw__paje_definition *d = &r->definitions[id];
	if (d->kind == TW__PAJE_IGNORED)
		return TW_OK;
	memset(v, 0, TW__PAJE_N_FIELDS * sizeof *v);
	unsigned given = 0;
	for (int i = 0; i < d->n; i++) {
		char *value = next_value(&rest);
		if (!value)
			return tw__paje_bad(r, "fewer values than the event has fields, or a quote that does not end",
			                    NULL);
		if (d->fields[i] < TW__PAJE_N_FIELDS) {
			v[d->fields[i]] = value;
			given |= 1u << d->fields[i];
		}
	}
	if (needs[d->kind] & ~given)
		return tw__paje_bad(r, "the definition of this event lacks a field of", kind_names[d->kind]);
	if (v[TW__PAJE_TIME]) {
		tw__ns date;
		if (!tw_decimal(v[TW__PAJE_TIME], strlen(v[TW__PAJE_TIME]), 9, &date))
			return tw__paje_bad(r, "expected a date in seconds instead of", v[TW__PAJE_TIME]);
		if (date < r->date)
			return tw__paje_bad(r, "time goes back at", v[TW__PAJE_TIME]);
		r->date = date;
	}
	*kind = d->kind;
	return 1;
}

void tw__paje_init(struct tw__paje *r, const char *path, struct tw_error *err)
{
	*r = (struct tw__paje){.path = path, .err = err};
	for (int i = 0; i < TW__PAJE_MAX_DEFINITIONS; i++)
		r->definitions[i].kind = TW__PAJE_UNDEFINED;
}

int tw__paje_line(struct tw__paje *r, char *line, enum tw__paje_kind *kind, char *values[TW__PAJE_N_FIELDS])
{
	r->line++;
	if (line[0] == '%')
		return read_definition(r, line);
	return line[0] == '#' ? 0 : read_event(r, line, kind, values);
}
