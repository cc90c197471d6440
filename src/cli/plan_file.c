#include "cli/plan_file.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"

enum { MAX_BYTES = 1 << 20, MAX_OPTIONS = 64 };

static int read_text(char **text, const char *path, struct tw_error *err)
{
	FILE *f = fopen(path, "re");
	if (!f)
		return tw_fail(err, TW_INVALID, "'%.300s': %s: expected a plan that can be read", path,
		               strerror(errno));
	*text = malloc(MAX_BYTES + 1);
	size_t bytes = *text ? fread(*text, 1, MAX_BYTES + 1, f) : 0;
	bool failed = ferror(f);
	int reason = errno;
	fclose(f);
	if (!*text)
		return tw_fail(err, TW_NOMEM, "out of memory");
	if (failed)
		return tw_fail(err, TW_INVALID, "'%.300s': %s: expected a plan that can be read", path,
		               strerror(reason));
	if (bytes > MAX_BYTES || memchr(*text, '\0', bytes))
		return tw_fail(err, TW_INVALID, "'%.300s': expected a plan, a text of at most %d bytes", path,
		               MAX_BYTES);
	(*text)[bytes] = '\0';
	return TW_OK;
}

static char *trim(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
		*--end = '\0';
	return text;
}

static const struct option *find(const struct option *known, const char *name)
{
	while (known->name && strcmp(known->name, name) != 0)
		known++;
	return known->name && strcmp(name, "help") != 0 ? known : NULL;
}

/* Takes one line `name = value` of a plan. `value` is NULL if the line has no '='; `option` is NULL if the name is
 * unknown. */
static int take_line(char *name, char *value, const struct option *option,
                     int (*take)(void *, int, const char *, struct tw_error *), void *context, struct tw_error *err)
{
	if (!option)
		return tw_fail(err, TW_INVALID,
		               "'%.60s': expected an option of 'tilewright sweep --help', without dashes", name);
	if (!value || !*value)
		return tw_fail(err, TW_INVALID, "'%.60s': expected %s = VALUE", name, name);
	bool yes = true;
	if (option->has_arg == no_argument && tw__parse_flag(&yes, value, err) < 0)
		return tw_fail(err, TW_INVALID, "%s '%.60s': expected yes or no", name, value);
	return yes ? take(context, option->val, value, err) : TW_OK;
}

int plan_file_read(char **text, const char *path, const struct option *known, int repeatable,
                   int (*take)(void *, int, const char *, struct tw_error *), void *context, struct tw_error *err)
{
	int line_of[MAX_OPTIONS] = {0};
	*text = NULL;
	int status = read_text(text, path, err);
	char *next = status == TW_OK ? *text : NULL;
	if (next && !strncmp(next, "\xef\xbb\xbf", 3)) /* skip the byte order mark that some editors write */
		next += 3;
	for (int number = 1; status == TW_OK && next; number++) {
		char *line = next, *feed = strchr(line, '\n');
		next = feed ? feed + 1 : NULL;
		if (feed)
			*feed = '\0';
		line = trim(line);
		if (!*line || *line == '#' || *line == ';' || strcmp(line, "[sweep]") == 0)
			continue;
		char *equals = strchr(line, '=');
		if (equals)
			*equals = '\0';
		struct tw_error why;
		const struct option *option = find(known, trim(line));
		assert(!option || option - known < MAX_OPTIONS);
		int *first = option && option->val != repeatable ? &line_of[option - known] : NULL;
		if (first && *first)
			status = tw_fail(&why, TW_INVALID, "'%.60s': expected it once; line %d has it already",
			                 trim(line), *first);
		else
			status = take_line(trim(line), equals ? trim(equals + 1) : NULL, option, take, context, &why);
		if (first)
			*first = number;
		if (status < 0)
			tw_fail(err, status, "%.200s:%d: %s", path, number, why.message);
	}
	return status;
}
