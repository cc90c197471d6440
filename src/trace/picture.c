/* Compares what a trace shows to viewers with its run: writes the trace again, and compares line by line. */
#include <stdlib.h>
#include <string.h>

#include "trace/binary.h"
#include "trace/formats.h"
#include "trace/run_section.h"

struct comparison {
	struct tw__lines file;
	bool is_chrome;
	char *line; /* the written line so far */
	size_t n, capacity;
	bool at_section; /* Chrome: the section of the written trace has begun */
	int status;
};

static bool is_paje_section(const struct comparison *c, const char *line)
{
	return !c->is_chrome && !strncmp(line, TW__RUN_PAJE_EVENT, strlen(TW__RUN_PAJE_EVENT));
}

/* Fails with the parts of both lines in which they differ. */
static int differ(const struct tw__lines *l, const char *found, const char *expected)
{
	enum { BEFORE = 40 };
	size_t same = 0;
	while (found[same] && found[same] == expected[same])
		same++;
	same -= same < BEFORE ? same : BEFORE;
	return tw_fail(l->err, TW_INVALID, "%s:%ld: '%.60s' is not what the run section tells: expected '%.60s'",
	               l->path, l->number, found + same, expected + same);
}

static int compare_line(struct comparison *c)
{
	if (c->at_section || is_paje_section(c, c->line))
		return TW_OK;
	c->at_section = c->is_chrome && !strcmp(c->line, TW__RUN_CHROME_LINE);
	int status;
	do
		status = tw__lines_next(&c->file);
	while (status == 1 && is_paje_section(c, c->file.text));
	if (status == 1 && !strcmp(c->file.text, c->line))
		return TW_OK;
	return status < 0 ? status : differ(&c->file, status ? c->file.text : "", c->line);
}

/* A write function of a stream. */
static ssize_t compare_text(void *context, const char *text, size_t n)
{
	struct comparison *c = context;
	for (const char *rest = text, *end = text + n; rest < end && c->status == TW_OK;) {
		const char *stop = memchr(rest, '\n', (size_t)(end - rest));
		size_t length = (size_t)((stop ? stop : end) - rest);
		TW_RESERVE(c->line, c->capacity, c->n + length + 1);
		memcpy(c->line + c->n, rest, length);
		c->n += length;
		rest += length + (stop != NULL);
		if (!stop)
			continue;
		c->line[c->n] = '\0';
		c->n = 0;
		c->status = compare_line(c);
	}
	return c->status == TW_OK ? (ssize_t)n : 0;
}

/* Writes the trace into the comparison. Behind the section of a Chrome trace nothing is shown; a Paje trace has no line
 * behind the last one. */
static int compare(struct comparison *c, FILE *f, const struct tw__trace *trace)
{
	struct tw__lines *file = &c->file;
	setvbuf(f, NULL, _IOFBF, 1 << 16);
	(c->is_chrome ? tw__write_chrome : tw__write_paje)(f, trace);
	fflush(f);
	if (c->status < 0 || c->is_chrome)
		return c->status;
	int status = tw__lines_next(file);
	return status == 1 ? tw_fail(file->err, TW_INVALID,
	                             "%s:%ld: '%.60s' is not what the run section tells: expected no more", file->path,
	                             file->number, file->text)
	                   : status;
}

int tw__trace_compare(const char *path, const struct tw__traced *run, struct tw_error *err)
{
	const enum tw__trace_format format = tw__trace_format_of(path, true);
	struct comparison c = {.is_chrome = format == TW__FORMAT_CHROME};
	struct tw__trace trace;
	if (format != TW__FORMAT_CHROME && format != TW__FORMAT_PAJE)
		return TW_OK;
	int status = tw__lines_open(&c.file, path, err);
	if (status == TW_OK)
		status = tw__binary_begin(&c.file);
	const bool shows = status == TW_OK && !c.file.is_binary;
	FILE *f = !shows ? NULL : fopencookie(&c, "w", (cookie_io_functions_t){.write = compare_text});
	if (shows && !f) {
		status = tw_fail(err, TW_NOMEM, "%s: out of memory", path);
	} else if (shows) {
		tw__trace_init(&trace, run);
		status = compare(&c, f, &trace);
		tw__trace_finish(&trace);
	}
	if (f)
		fclose(f);
	tw__lines_finish(&c.file);
	free(c.line);
	return status;
}
