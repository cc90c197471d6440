/* Finds the run section in a trace file. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <tilewright/containers.h>

#include "trace/run_section.h"

enum format { FORMAT_PAJE, FORMAT_CHROME, FORMAT_RECORD, FORMAT_TABLE, FORMAT_OTHER };

/* Longer lines are refused, so that a hostile file takes no more memory than this. A line that tilewright writes is as
 * long as the names of all workers together, at most. */
enum { MOST_LINE_BYTES = 16 << 20 };

static const char chrome_mark[] = "],\"tilewright\":[";

struct reader {
	struct tw__run_section *s;
	const char *path; /* for messages */
	gzFile file;      /* compressed or not */
	enum format format;
	bool announced; /* Paje: an event is defined that only the section uses */
	bool inside;    /* Chrome: behind the section's first line, and before its end */
	bool closed;    /* Chrome: the last line that is not empty closes all brackets */
	bool found;
	long line;
	char *text; /* the line, without line break */
	size_t capacity;
	struct tw_error *err;
};

static bool ends_with(const char *path, const char *ending)
{
	size_t n = strlen(path), m = strlen(ending);
	return n >= m && !strcmp(path + n - m, ending);
}

static enum format format_of(const char *path)
{
	static const struct {
		const char *ending;
		enum format format;
	} endings[] = {{".paje", FORMAT_PAJE},     {".trace", FORMAT_PAJE},     {".json", FORMAT_CHROME},
	               {".record", FORMAT_RECORD}, {".csv", FORMAT_TABLE},      {".paje.gz", FORMAT_PAJE},
	               {".trace.gz", FORMAT_PAJE}, {".json.gz", FORMAT_CHROME}, {".record.gz", FORMAT_RECORD},
	               {".csv.gz", FORMAT_TABLE}};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (ends_with(path, endings[i].ending))
			return endings[i].format;
	return FORMAT_OTHER;
}

static int bad_line(struct reader *r, const char *what)
{
	return tw_fail(r->err, TW_INVALID, "%s:%ld: %s", r->path, r->line, what);
}

static int unreadable(struct reader *r)
{
	int status;
	const char *why = gzerror(r->file, &status);
	if (status == Z_OK || status == Z_STREAM_END)
		return TW_OK;
	size_t length = strlen(r->path);
	if (!strncmp(why, r->path, length) && !strncmp(why + length, ": ", 2)) /* zlib names the file, too */
		why += length + 2;
	return tw_fail(r->err, TW_INVALID, "%s:%ld: cannot be read: %s", r->path, r->line,
	               status == Z_ERRNO       ? strerror(errno)
	               : status == Z_BUF_ERROR ? "the compressed file is cut off"
	                                       : why);
}

/* Reads the next line. Returns 1, 0 at the end, or an error. */
static int next_line(struct reader *r)
{
	enum { STEP = 512 };
	size_t n = 0;
	bool ended = false;
	r->line++;
	while (!ended && n < MOST_LINE_BYTES) {
		if (!TW_HAS_ROOM(r->text, r->capacity, n + STEP))
			return tw_fail(r->err, TW_NOMEM, "%s: out of memory", r->path);
		char *part = r->text + n;
		/* gzgets ends the text with a zero byte. A second one would be the file's own. */
		memset(part, ' ', STEP);
		if (!gzgets(r->file, part, STEP))
			break;
		const char *end = memchr(part, '\0', STEP);
		if (memchr(end + 1, '\0', (size_t)(part + STEP - 1 - end)))
			return bad_line(r, "a zero byte: expected text");
		n += (size_t)(end - part);
		ended = n > 0 && end[-1] == '\n';
	}
	int status = unreadable(r);
	if (status < 0)
		return status;
	if (!ended && n >= MOST_LINE_BYTES)
		return bad_line(r, "a line of more than 16 MiB");
	if (n == 0)
		return 0;
	while (n && (r->text[n - 1] == '\n' || r->text[n - 1] == '\r'))
		n--;
	r->text[n] = '\0';
	return 1;
}

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
		status = tw_fail(r->err, TW_INVALID, "expected a string of JSON");
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
		return tw_fail(r->err, TW_INVALID, "expected the first line of a run section, \"tilewright,%d\"",
		               TW__RUN_SECTION_VERSION);
	return tw__run_section_take(r->s, line, r->err);
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
		return tw_fail(r->err, TW_INVALID, "the event of the run section lacks its last value, in quotes");
	int status = TW_OK;
	for (rest = start + 1; status == TW_OK && (line = strsep(&rest, ";"));)
		status = take(r, line);
	return status;
}

static int take_chrome(struct reader *r, char *line)
{
	int status = TW_OK;
	if (!r->inside) {
		r->inside = !strcmp(line, chrome_mark);
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

/* Takes a line of the file, which may have a part of the section. */
static int take_line(struct reader *r)
{
	int status = TW_OK;
	switch (r->format) {
	case FORMAT_PAJE:
		r->announced = r->announced || !strcmp(r->text, TW__RUN_PAJE_FIELD);
		if (r->announced && !strncmp(r->text, TW__RUN_PAJE_EVENT, strlen(TW__RUN_PAJE_EVENT)))
			status = take_paje(r, r->text);
		break;
	case FORMAT_CHROME:
		r->closed = !strcmp(r->text, "]}") || (r->closed && !*r->text);
		status = take_chrome(r, r->text);
		break;
	default:
		status = take(r, r->text);
	}
	if (status == TW_OK)
		return TW_OK;
	struct tw_error why = *r->err;
	return tw_fail(r->err, status, "%s:%ld: %s", r->path, r->line, why.message);
}

static int read_all(struct reader *r)
{
	int status;
	while ((status = next_line(r)) > 0 && (status = take_line(r)) == TW_OK)
		;
	if (status < 0)
		return status;
	if (r->format == FORMAT_RECORD && r->line == 1)
		return bad_line(r, "an empty file: expected a run section");
	if (r->found && !r->s->complete)
		return bad_line(r, "the run section has no last line \"total,N\": it is cut off");
	if (r->announced && !r->found)
		return bad_line(r, "the trace ends before its run section: it is cut off");
	if (r->format == FORMAT_CHROME && !r->closed)
		return bad_line(r, "the trace ends without its closing brackets: it is cut off");
	return TW_OK;
}

static int read_file(struct tw__run_section *s, const char *file, enum format format, bool *found, struct tw_error *err)
{
	struct reader r = {.s = s, .path = file, .format = format, .err = err};
	r.file = gzopen(file, "rbe");
	if (!r.file)
		return tw_fail(err, TW_INVALID, "%s: cannot be read: %s", file, strerror(errno ? errno : ENOMEM));
	gzbuffer(r.file, 1 << 17);
	int status = read_all(&r);
	gzclose(r.file);
	free(r.text);
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
	char *file;
	if (asprintf(&file, "%s%srun.record.gz", path, ends_with(path, "/") ? "" : "/") < 0)
		return tw_fail(err, TW_NOMEM, "%s: out of memory", path);
	/* Folders of other programs have no such file. */
	int status = access(file, F_OK) == 0 ? read_file(s, file, FORMAT_RECORD, found, err) : TW_OK;
	free(file);
	return status;
}

int tw__run_section_read(struct tw__run_section *s, const char *path, bool *found, struct tw_error *err)
{
	const enum format format = format_of(path);
	*s = (struct tw__run_section){.path = path};
	*found = false;
	if (is_folder(path))
		return read_folder(s, path, found, err);
	if (format == FORMAT_TABLE)
		return tw_fail(err, TW_INVALID,
		               "%s: a table of tasks does not hold the whole run: expected a trace in .json, .paje, "
		               ".trace, .record or a folder",
		               path);
	if (format == FORMAT_OTHER && access(path, F_OK) < 0)
		return tw_fail(err, TW_INVALID, "%s: cannot be read: %s", path, strerror(errno));
	return format == FORMAT_OTHER ? TW_OK : read_file(s, path, format, found, err);
}
