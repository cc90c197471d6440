/* Finds the run section in a trace file. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/events.h"
#include "trace/run_section.h"

struct reader {
	struct tw__run_section *s;
	struct tw__lines in;
	enum tw__trace_format format;
	bool announced; /* Paje: an event is defined that only the section uses */
	bool inside;    /* Chrome: behind the section's first line, and before its end */
	bool closed;    /* Chrome: the last line that is not empty closes all brackets */
	bool found;
};

/* Replaces a line of JSON, a string and perhaps a comma, by the string's text. */
static int unquote(struct reader *r, char **line)
{
	size_t n = strlen(*line);
	n -= n && (*line)[n - 1] == ',';
	json_t *string = json_loadb(*line, n, JSON_DECODE_ANY, NULL);
	const char *text = json_string_value(string);
	int status = TW_OK;
	if (text)
		strcpy(*line, text); /* never longer than its JSON */
	else
		status = tw_fail(r->in.err, TW_INVALID, "expected a string of JSON");
	json_decref(string);
	return status;
}

/* Most strings need no decoding. */
static bool unquote_plain(char **line)
{
	size_t n = strlen(*line);
	n -= n && (*line)[n - 1] == ',';
	if (n < 2 || (*line)[0] != '"' || (*line)[n - 1] != '"' || memchr(*line, '\\', n))
		return false;
	(*line)[n - 1] = '\0';
	++*line;
	return !strchr(*line, '"');
}

/* Takes one line of the section. */
static int take(struct reader *r, char *line)
{
	bool first = !r->found;
	r->found = true;
	if (first && strncmp(line, "tilewright,", 11) != 0)
		return tw_fail(r->in.err, TW_INVALID, "expected the first line of a run section, \"tilewright,%d\"",
		               TW__RUN_SECTION_VERSION);
	return tw__run_section_take(r->s, line, r->in.err);
}

/* Takes the lines in the last value of an event, which is quoted. */
static int take_paje(struct reader *r, char *event)
{
	char *end = strrchr(event, '"'), *start = NULL, *line, *rest;
	if (end && !end[1]) {
		*end = '\0';
		start = strrchr(event, '"');
	}
	if (!start)
		return tw_fail(r->in.err, TW_INVALID, "the event of the run section lacks its last value, in quotes");
	int status = TW_OK;
	for (line = start + 1; status == TW_OK && line; line = rest) {
		rest = strchr(line, ';');
		if (rest)
			*rest++ = '\0';
		status = take(r, line);
	}
	return status;
}

static int take_chrome(struct reader *r, char *line)
{
	int status = TW_OK;
	if (!r->inside) {
		r->inside = !strcmp(line, TW__RUN_CHROME_LINE);
		return TW_OK;
	}
	if (!strcmp(line, "]}")) {
		r->inside = false;
		return TW_OK;
	}
	if (!unquote_plain(&line))
		status = unquote(r, &line);
	return status == TW_OK ? take(r, line) : status;
}

/* Takes events as bytes. */
static int take_binary(struct reader *r)
{
	struct tw__record read = {0};
	int status = tw__binary_read(&r->in, &read);
	if (status == TW_OK)
		tw__record_append(&r->s->record, &read);
	else
		tw__record_finish(&read);
	return status;
}

/* Takes a line of the file, which may have a part of the section. */
static int take_line(struct reader *r)
{
	int status = TW_OK;
	switch (r->format) {
	case TW__FORMAT_PAJE:
		r->announced = r->announced || !strcmp(r->in.text, TW__RUN_PAJE_FIELD);
		if (r->announced && !strncmp(r->in.text, TW__RUN_PAJE_EVENT, strlen(TW__RUN_PAJE_EVENT)))
			status = take_paje(r, r->in.text);
		break;
	case TW__FORMAT_CHROME:
		r->closed = !strcmp(r->in.text, "]}") || (r->closed && !*r->in.text);
		status = take_chrome(r, r->in.text);
		break;
	default:
		if (r->in.is_binary && !strcmp(r->in.text, TW__BINARY_LINE))
			return take_binary(r);
		status = take(r, r->in.text);
	}
	if (status == TW_OK)
		return TW_OK;
	struct tw_error why = *r->in.err;
	return tw__lines_fail(&r->in, why.message);
}

static int read_all(struct reader *r)
{
	int status;
	do {
		status = tw__lines_next(&r->in);
		if (status > 0 && (status = take_line(r)) == TW_OK)
			status = 1;
	} while (status > 0 && !(r->format == TW__FORMAT_PAJE && r->s->complete)); /* behind it are pictures alone */
	if (status < 0)
		return status;
	if (r->format == TW__FORMAT_RECORD && r->in.number == 1 && !r->in.is_binary)
		return tw__lines_fail(&r->in, "an empty file: expected a run section");
	if ((r->found || r->in.is_binary) && !r->s->complete)
		return tw__lines_fail(&r->in, "the run section has no last line \"total,N\": it is cut off");
	if (r->announced && !r->found)
		return tw__lines_fail(&r->in, "the trace ends before its run section: it is cut off");
	if (r->format == TW__FORMAT_CHROME && !r->closed)
		return tw__lines_fail(&r->in, "the trace ends without its closing brackets: it is cut off");
	return TW_OK;
}

static int read_file(struct tw__run_section *s, const char *file, enum tw__trace_format format, bool *found,
                     struct tw_error *err)
{
	struct reader r = {.s = s, .format = format};
	int status = tw__lines_open(&r.in, file, err);
	if (status == TW_OK)
		status = tw__binary_begin(&r.in);
	if (r.in.is_binary)
		r.format = TW__FORMAT_RECORD; /* whatever the file's name */
	if (status == TW_OK && r.format != TW__FORMAT_TABLE && r.format != TW__FORMAT_OTHER)
		status = read_all(&r);
	tw__lines_finish(&r.in);
	*found = r.found;
	return status;
}

static bool is_folder(const char *path)
{
	struct stat about;
	return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static int read_folder(struct tw__run_section *s, const char *path, bool *found, struct tw_error *err)
{
	char *file = tw_format("%s%srun.record.gz", path, path[strlen(path) - 1] == '/' ? "" : "/");
	/* Folders of other programs have no such file. */
	int status = access(file, F_OK) == 0 ? read_file(s, file, TW__FORMAT_RECORD, found, err) : TW_OK;
	free(file);
	return status;
}

int tw__run_section_read(struct tw__run_section *s, const char *path, bool *found, struct tw_error *err)
{
	const bool in_folder = is_folder(path);
	const enum tw__trace_format format = tw__trace_format_of(path, true);
	bool there = false;
	int status = TW_OK;
	*s = (struct tw__run_section){.path = path};
	if (in_folder)
		status = read_folder(s, path, &there, err);
	else if (access(path, F_OK) < 0)
		status = tw_fail(err, TW_INVALID, "%s: cannot be read: %s", path, strerror(errno));
	else
		status = read_file(s, path, format, &there, err);
	if (found)
		*found = there;
	if (status < 0 || there || (found && in_folder))
		return status;
	return tw_fail(err, TW_INVALID, "%s: %s in .json, .paje, .trace, .record, .twb or a folder", path,
	               format == TW__FORMAT_TABLE && !in_folder
	                       ? "a table of tasks does not hold the whole run: expected a trace"
	                       : "the trace does not hold the whole run: expected one that this version wrote,");
}
