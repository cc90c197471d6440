#include "cli/warnings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

#include <uthash.h>

#include "process/fork.h"

struct line {
	UT_hash_handle hh;
	char text[];
};

static struct line *lines;
static const char **list;
static size_t n_lines, capacity;

/* Returns whether the line is new. */
static bool remember(const char *text)
{
	struct line *line;
	size_t bytes = strlen(text) + 1;
	HASH_FIND_STR(lines, text, line);
	if (line)
		return false;
	line = tw_alloc(1, sizeof *line + bytes);
	TW_RESERVE(list, capacity, n_lines + 1);
	memcpy(line->text, text, bytes);
	list[n_lines++] = line->text;
	HASH_ADD_STR(lines, text, line);
	return true;
}

/* Threads of the real engine may log at the same time: the stream's lock also guards the lines. */
static void print(enum tw_log_level level, const char *message, void *context)
{
	static const char *const words[] = {"error", "warning"};
	(void)context;
	if (level > TW_LOG_WARNING)
		return;
	flockfile(stderr);
	if (remember(message))
		fprintf(stderr, "tilewright: %s: %s\n", words[level], message);
	funlockfile(stderr);
}

void warnings_begin(void)
{
	tw_set_log(print, NULL);
	tw__children_log();
}

const char *const *warnings_list(int *n)
{
	*n = (int)n_lines;
	return list;
}

void warnings_end(void)
{
	tw_set_log(NULL, NULL);
	struct line *line, *next;
	HASH_ITER(hh, lines, line, next)
	{
		HASH_DEL(lines, line);
		free(line);
	}
	free(list);
	list = NULL;
	n_lines = capacity = 0;
}
