/* Finds the run section in a trace file. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <tilewright/containers.h>

#include "trace/run_section.h"

enum { FORMAT_PAJE, FORMAT_CHROME, FORMAT_RECORD, FORMAT_OTHER };

static const char paje_mark[] = "# run: ";
static const char chrome_mark[] = "],\"tilewright\":[";

struct reader {
	struct tw__run_section *s;
	const char *path; /* for messages */
	gzFile file;      /* compressed or not */
	int format;
	bool inside; /* Chrome: behind the section's first line */
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

static int format_of(const char *path)
{
	static const struct {
		const char *ending;
		int format;
	} endings[] = {{".paje", FORMAT_PAJE},      {".trace", FORMAT_PAJE},      {".json", FORMAT_CHROME},
	               {".record", FORMAT_RECORD},  {".paje.gz", FORMAT_PAJE},    {".trace.gz", FORMAT_PAJE},
	               {".json.gz", FORMAT_CHROME}, {".record.gz", FORMAT_RECORD}};
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (ends_with(path, endings[i].ending))
			return endings[i].format;
	return FORMAT_OTHER;
}

/* Reads the next line. Returns 1, 0 at the end, or an error. */
static int next_line(struct reader *r)
{
	size_t n = 0;
	r->line++;
	for (;;) {
		if (!TW_HAS_ROOM(r->text, r->capacity, n + 4096))
			return tw_fail(r->err, TW_NOMEM, "%s: out of memory", r->path);
		if (!gzgets(r->file, r->text + n, 4096))
			break;
		n += strlen(r->text + n);
		if (n && r->text[n - 1] == '\n')
			break;
	}
	int status;
	const char *why = gzerror(r->file, &status);
	if (status != Z_OK && status != Z_STREAM_END)
		return tw_fail(r->err, TW_INVALID, "%s:%ld: cannot be read: %s", r->path, r->line,
		               status == Z_ERRNO       ? strerror(errno)
		               : status == Z_BUF_ERROR ? "it is cut off"
		                                       : why);
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

/* Returns the section's line in this line of the file; NULL: it has none, or there is an error. */
static char *section_line(struct reader *r, int *status)
{
	char *line = r->text;
	switch (r->format) {
	case FORMAT_PAJE:
		return strncmp(line, paje_mark, sizeof paje_mark - 1) ? NULL : line + sizeof paje_mark - 1;
	case FORMAT_CHROME:
		if (!r->inside) {
			r->inside = !strcmp(line, chrome_mark);
			return NULL;
		}
		if (!strcmp(line, "]}")) {
			r->inside = false;
			return NULL;
		}
		if (!unquote_plain(&line))
			*status = unquote(r, &line);
		return *status == TW_OK ? line : NULL;
	default:
		return line;
	}
}

static int take_line(struct reader *r)
{
	int status = TW_OK;
	char *line = section_line(r, &status);
	if (line && !r->found && strncmp(line, "tilewright,", 11) != 0)
		status = tw_fail(r->err, TW_INVALID, "expected the first line of a run section, \"tilewright,%d\"",
		                 TW__RUN_SECTION_VERSION);
	else if (line)
		status = tw__run_section_take(r->s, line, r->err);
	r->found = r->found || line;
	if (status < 0) {
		struct tw_error why = *r->err;
		return tw_fail(r->err, status, "%s:%ld: %s", r->path, r->line, why.message);
	}
	return TW_OK;
}

static int read_all(struct reader *r)
{
	int status;
	while ((status = next_line(r)) > 0 && (status = take_line(r)) == TW_OK)
		;
	if (status == TW_OK && r->found && !r->s->complete)
		return tw_fail(r->err, TW_INVALID,
		               "%s:%ld: the run section has no last line \"total,N\": it is cut off", r->path, r->line);
	return status;
}

static int read_file(struct tw__run_section *s, const char *file, int format, bool *found, struct tw_error *err)
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

int tw__run_section_read(struct tw__run_section *s, const char *path, bool *found, struct tw_error *err)
{
	*s = (struct tw__run_section){.path = path};
	*found = false;
	if (!ends_with(path, "/"))
		return format_of(path) == FORMAT_OTHER ? TW_OK : read_file(s, path, format_of(path), found, err);
	char *file;
	if (asprintf(&file, "%srun.record.gz", path) < 0)
		return tw_fail(err, TW_NOMEM, "%s: out of memory", path);
	int status = read_file(s, file, FORMAT_RECORD, found, err);
	free(file);
	return status;
}
