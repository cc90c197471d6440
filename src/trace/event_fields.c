#include "trace/event_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/ranks.h"

const char *const tw__event_names[TW__N_EVENT_KINDS] = {
	[TW__SUBMIT] = "submit",
	[TW__READY] = "ready",
	[TW__ASSIGN] = "assign",
	[TW__START] = "start",
	[TW__END] = "end",
	[TW__RELEASE] = "release",
	[TW__TRANSFER_START] = "transfer_start",
	[TW__TRANSFER_END] = "transfer_end",
	[TW__ALLOC] = "alloc",
	[TW__FREE] = "free",
	[TW__VALID] = "valid",
	[TW__INVALID] = "invalid",
	[TW__CANCEL] = "cancel",
	[TW__JOIN] = "join",
	[TW__FILTER] = "filter",
};

const char *const tw__cause_names[TW__N_CAUSES] = {
	[TW__DEMAND] = "demand",
	[TW__PREFETCH] = "prefetch",
	[TW__IDLE] = "idle",
	[TW__EVICTION] = "eviction",
};

const char *tw__event_field_meaning(char letter)
{
	static const char *const meanings[] = {['t'] = "the number of a task",
	                                       ['d'] = "the number of a handle",
	                                       ['w'] = "the number of a worker",
	                                       ['r'] = "the number of a worker, or -1",
	                                       ['n'] = "the number of a memory",
	                                       ['f'] = "the number of a memory",
	                                       ['b'] = "a number of bytes",
	                                       ['o'] = "a whole number",
	                                       ['c'] = "a cause: demand, prefetch, idle or eviction"};
	return meanings[(int)letter];
}

static inline bool exists(const char *what, int32_t number, int32_t least, int32_t n, char text[40])
{
	if (number >= least && number < n)
		return true;
	snprintf(text, 40, "%s %d", what, (int)number);
	return false;
}

static bool has_route(const struct tw__event *e, const struct tw__platform *p, char text[40])
{
	if (tw__route_of(p, e->from, e->node)->n_links > 0)
		return true;
	snprintf(text, 40, "the route from memory %d to %d", e->from, e->node);
	return false;
}

bool tw__event_exists(const struct tw__event *e, const struct tw__platform *p, const struct tw_graph *g, char text[40])
{
	switch (e->kind) {
	case TW__SUBMIT:
		return exists("task", e->task, 0, g->n_tasks, text);
	case TW__READY:
		return exists("task", e->task, 0, g->n_tasks, text) &&
		       exists("worker", e->worker, TW_NONE, p->n_workers, text);
	case TW__ASSIGN:
	case TW__START:
	case TW__END:
	case TW__RELEASE:
	case TW__CANCEL:
	case TW__JOIN:
		return exists("task", e->task, 0, g->n_tasks, text) &&
		       exists("worker", e->worker, tw__is_message(g, e->task) ? TW_NONE : 0, p->n_workers, text) &&
		       exists("memory", e->node, 0, p->n_nodes, text);
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		return exists("data", e->data, 0, g->n_data, text) && exists("memory", e->from, 0, p->n_nodes, text) &&
		       exists("memory", e->node, 0, p->n_nodes, text) &&
		       exists("cause", e->cause, 0, TW__N_CAUSES, text) && has_route(e, p, text);
	case TW__ALLOC:
	case TW__FREE:
		return exists("data", e->data, 0, g->n_data, text) && exists("memory", e->node, 0, p->n_nodes, text) &&
		       exists("cause", e->cause, 0, TW__N_CAUSES, text);
	case TW__VALID:
	case TW__INVALID:
		return exists("data", e->data, 0, g->n_data, text) && exists("memory", e->node, 0, p->n_nodes, text);
	case TW__FILTER:
		return exists("data", e->data, 0, g->n_data, text) && exists("memory", e->node, 0, p->n_nodes, text) &&
		       exists("state", (int32_t)e->offset, TW__WHOLE, TW__BOTH + 1, text);
	default:
		return exists("kind", e->kind, 0, TW__N_EVENT_KINDS, text);
	}
}

/* --- as text ------------------------------------------------------------------------------------------------------ */

static int hexadecimal(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = c ? strchr(digits, c) : NULL;
	return found ? (int)(found - digits) : TW_NONE;
}

const char *tw__field_unescape(char *copy, const char *text)
{
	while (*text) {
		bool escape = *text == '\\';
		int high = escape && text[1] == 'x' ? hexadecimal(text[2]) : TW_NONE;
		int low = high >= 0 ? hexadecimal(text[3]) : TW_NONE;
		if (escape && (low < 0 || high + low == 0))
			return text;
		*copy++ = escape ? (char)(high << 4 | low) : *text;
		text += escape ? 4 : 1;
	}
	*copy = '\0';
	return NULL;
}

bool tw__field_real(const char *text, double *value)
{
	char *end;
	*value = strtod(text, &end);
	return end != text && !*end && *value >= 0 && isfinite(*value);
}

/* Most lines of a section are events, so they are read where they stand. */
bool tw__field_number(const char **at, int64_t least, int64_t most, int64_t *value)
{
	enum { MOST_DIGITS = 19 };
	const bool negative = **at == '-';
	const char *digits = *at + negative, *c = digits;
	uint64_t n = 0;
	for (uint64_t digit; (digit = (uint64_t)(unsigned char)*c - '0') < 10; c++)
		n = n * 10 + digit;
	*at = c;
	if (c == digits || c - digits > MOST_DIGITS || (*c && *c != ',') || n > INT64_MAX)
		return false;
	*value = negative ? -(int64_t)n : (int64_t)n;
	return *value >= least && *value <= most;
}

static bool read_cause(const char **at, uint8_t *cause)
{
	for (int c = 0; c < TW__N_CAUSES; c++) {
		size_t length = strlen(tw__cause_names[c]);
		if (**at != *tw__cause_names[c] || strncmp(*at, tw__cause_names[c], length) != 0)
			continue;
		*at += length;
		*cause = (uint8_t)c;
		return !**at || **at == ',';
	}
	return false;
}

static inline bool read_field(struct tw__event *e, char letter, const char **at)
{
	int64_t n = 0;
	if (letter == 'c')
		return read_cause(at, &e->cause);
	if (!tw__field_number(at, tw__event_field_least(letter), tw__event_field_most(letter), &n))
		return false;
	tw__event_set_field(e, letter, n);
	return true;
}

bool tw__event_read(struct tw__event *e, const char *text, int *wrong)
{
	const char *at = text;
	*wrong = 0;
	bool good = tw__field_number(&at, 0, TW__LAST, &e->date);
	for (const char *field = tw__event_fields((enum tw__event_kind)e->kind); good && *field; field++) {
		++*wrong;
		good = *at++ == ',' && read_field(e, *field, &at);
	}
	return good && !*at;
}
