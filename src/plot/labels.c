/* Texts for labels of lines. */
#include <stdlib.h>
#include <string.h>

#include "plot/chart.h"

static bool has_word(const char *words, const char *word, size_t length)
{
	for (const char *at = strchr(words, ':'); at; at = strchr(at + 1, ':'))
		if (1 + strcspn(at + 1, ":") == length && !strncmp(at, word, length))
			return true;
	return false;
}

void tw__workload_apart(char *text, size_t size, const char *workload, const char *const *others, int n_others)
{
	size_t length = strcspn(workload, ":"), at = (size_t)snprintf(text, size, "%.*s", (int)length, workload);
	for (const char *word = workload + length; *word && at < size; word += length) {
		bool all = n_others > 1;
		length = 1 + strcspn(word + 1, ":");
		for (int i = 0; i < n_others && all; i++)
			all = has_word(others[i], word, length);
		if (!all)
			at += (size_t)snprintf(text + at, size - at, "%.*s", (int)length, word);
	}
}

/* Renames a label, or the parts of it between commas that have this name. Returns whether there are any. */
static bool rename_parts(char *label, const char *old, size_t old_length, const char *new)
{
	char made[TW__CHART_LABEL] = "";
	size_t at = 0;
	bool any = false, whole = strlen(label) == old_length && !memcmp(label, old, old_length);
	if (whole) {
		snprintf(label, TW__CHART_LABEL, "%s", new);
		return true;
	}
	for (const char *part = label; part && at < sizeof made;) {
		const char *end = strstr(part, ", ");
		size_t length = end ? (size_t)(end - part) : strlen(part);
		bool is_it = length == old_length && !memcmp(part, old, length);
		any |= is_it;
		at += (size_t)snprintf(made + at, sizeof made - at, "%s%.*s", part == label ? "" : ", ",
		                       is_it ? (int)strlen(new) : (int)length, is_it ? new : part);
		part = end ? end + 2 : NULL;
	}
	if (any)
		memcpy(label, made, sizeof made);
	return any;
}

int tw__chart_rename(struct tw__chart *c, const char *const *names, struct tw_error *err)
{
	for (; names && *names; names++) {
		const char *equals = strrchr(*names, '=');
		size_t length = equals ? (size_t)(equals - *names) : 0;
		bool any = false;
		if (length == 0)
			return tw_fail(err, TW_INVALID, "plot: --names '%.80s': expected LABEL=NAME, as in dmdas=DMDAS",
			               *names);
		for (int i = 0; i < c->n_curves; i++)
			any |= rename_parts(c->curves[i].label, *names, length, equals + 1);
		for (int i = 0; i < c->n_panels; i++)
			any |= rename_parts(c->panels[i].title, *names, length, equals + 1);
		for (int i = 0; c->ticks && i < c->n_ticks; i++)
			any |= rename_parts(c->ticks[i], *names, length, equals + 1);
		if (!any)
			return tw_fail(err, TW_INVALID,
			               "plot: --names '%.80s': no label '%.*s': expected one such as '%s'", *names,
			               (int)length, *names, c->curves[0].label);
	}
	return TW_OK;
}
