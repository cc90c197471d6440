/* Texts for labels of lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "plot/chart.h"

/* Whether an item of a workload's specification is a size: ":nt=20", or, for a workload without nt, any
 * ":key=NUMBER". */
static bool is_size(const char *item, size_t length, bool has_nt)
{
	if (has_nt)
		return length > 4 && !strncmp(item, ":nt=", 4);
	const char *equals = memchr(item, '=', length);
	return equals && strspn(equals + 1, "0123456789.") == (size_t)(item + length - equals - 1);
}

char *tw__workload_family(const char *workload)
{
	char *family = malloc(strlen(workload) + 1), *to = family;
	bool has_nt = strstr(workload, ":nt=");
	for (size_t length; family && *workload; workload += length) {
		length = 1 + strcspn(workload + 1, ":");
		if (is_size(workload, length, has_nt))
			continue;
		memcpy(to, workload, length);
		to += length;
	}
	if (family)
		*to = '\0';
	return family;
}

const char *tw__memory_text(char *text, size_t size, double bytes)
{
	if (bytes >= 0 && bytes < 0x1p63)
		return tw__size_text(text, size, (uint64_t)bytes);
	snprintf(text, size, "unbounded");
	return text;
}

void tw__column_text(char *text, size_t size, const char *column, const char *value)
{
	char memory[32];
	if (!strcmp(column, "gpus") || !strcmp(column, "cpus"))
		snprintf(text, size, "%s %s%s", value, *column == 'g' ? "GPU" : "CPU", strcmp(value, "1") ? "s" : "");
	else if (!strcmp(column, "gpu_mem_bytes"))
		snprintf(text, size, "%s a GPU", tw__memory_text(memory, sizeof memory, *value ? atof(value) : NAN));
	else if (!strcmp(column, "noise") || !strcmp(column, "belief_error") || !strcmp(column, "cpu_groups") ||
	         !strcmp(column, "communication"))
		snprintf(text, size, "%s %s", column, *value ? value : "none");
	else
		snprintf(text, size, "%s", value);
	for (char *c = text; !strncmp(column, "belief_error", 12) && *c; c++)
		*c = *c == '_' ? ' ' : *c;
}

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
