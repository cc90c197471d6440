#include "readers/input.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

enum { BLOCK_BYTES = 128 << 10, MAX_LINE_BYTES = 64 << 20, MAX_WHOLE_BYTES = 1 << 30, MAX_LINES = INT32_MAX - 1 };

struct tw__input {
	char path[257]; /* path of the file, for messages */
	gzFile file;
	char *text; /* text[begin .. end - 1]: read from the file, but not yet returned as lines */
	size_t begin, end, room;
	uint64_t line, offset; /* position of text[begin] in the file: lines before, and uncompressed bytes before */
	bool begun, ended, open_end_passes, is_open;
};

static int fail_opening(const char *path, struct tw_error *err)
{
	if (errno == 0 || errno == ENOMEM) /* errno 0: zlib is out of memory */
		return tw_fail(err, TW_NOMEM, "%.256s: out of memory", path);
	return tw_fail(err, tw_status_of_errno(errno), "%.256s: %s, expected a file that can be read", path,
	               strerror(errno));
}

int tw__input_open(struct tw__input **out, const char *path, struct tw_error *err)
{
	*out = NULL;
	errno = 0;
	gzFile file = gzopen(path, "rbe");
	if (!file)
		return fail_opening(path, err);
	struct tw__input *in = tw_alloc(1, sizeof *in);
	in->file = file;
	gzbuffer(in->file, BLOCK_BYTES);
	snprintf(in->path, sizeof in->path, "%s", path);
	*out = in;
	return TW_OK;
}

void tw__input_close(struct tw__input *in)
{
	if (!in)
		return;
	gzclose(in->file);
	free(in->text);
	free(in);
}

/* Fails with a message about an error of the stream. It names the byte, because a damaged stream has no line
 * numbers. */
static int fail_reading(const struct tw__input *in, struct tw_error *err)
{
	int code;
	const char *why = gzerror(in->file, &code);
	const char *colon = strstr(why, ": "); /* zlib's message begins with the path: skip that */
	if (code == Z_MEM_ERROR)
		return tw_fail(err, TW_NOMEM, "%s: out of memory", in->path);
	return tw_fail(err, code == Z_ERRNO ? tw_status_of_errno(errno) : TW_INVALID,
	               "%s: byte %llu: %s, expected a whole file", in->path,
	               (unsigned long long)(in->offset + in->end - in->begin),
	               code == Z_ERRNO ? strerror(errno)
	               : colon         ? colon + 2
	                               : why);
}

static int check_zero(const struct tw__input *in, const char *text, size_t n, struct tw_error *err)
{
	const char *zero = memchr(text, '\0', n);
	uint64_t line = in->line + 1;
	if (!zero)
		return TW_OK;
	for (const char *c = in->text + in->begin; (c = memchr(c, '\n', (size_t)(zero - c))); c++)
		line++;
	return tw_fail(err, TW_INVALID, "%s:%llu: a zero byte (byte %llu of the file), expected text in UTF-8",
	               in->path, (unsigned long long)line,
	               (unsigned long long)(in->offset + (size_t)(zero - in->text) - in->begin));
}

/* Removes a byte order mark from the beginning of the text. */
static void drop_mark(struct tw__input *in)
{
	static const char mark[] = "\xef\xbb\xbf";
	size_t length = sizeof mark - 1;
	if (!in->begun && in->end >= length && !memcmp(in->text, mark, length)) {
		in->end -= length;
		in->offset += length;
		memmove(in->text, in->text + length, in->end);
	}
	in->begun = true;
}

/* Reads another block of the file and appends it to the text. */
static int read_block(struct tw__input *in, struct tw_error *err)
{
	if (in->begin) {
		memmove(in->text, in->text + in->begin, in->end - in->begin);
		in->end -= in->begin;
		in->begin = 0;
	}
	TW_RESERVE(in->text, in->room, in->end + BLOCK_BYTES + 1);
	int n = gzread(in->file, in->text + in->end, BLOCK_BYTES);
	int code = Z_OK;
	if (n < BLOCK_BYTES)
		gzerror(in->file, &code);
	if (n < 0 || (code != Z_OK && code != Z_STREAM_END))
		return fail_reading(in, err);
	in->ended = n < BLOCK_BYTES;
	int status = check_zero(in, in->text + in->end, (size_t)n, err);
	if (status < 0)
		return status;
	in->end += (size_t)n;
	drop_mark(in);
	return TW_OK;
}

int tw__input_line(struct tw__input *in, char **line, struct tw_error *err)
{
	size_t searched = 0;
	char *end = NULL;
	for (;;) {
		size_t n = in->end - in->begin;
		end = n > searched ? memchr(in->text + in->begin + searched, '\n', n - searched) : NULL;
		if (end || in->ended)
			break;
		if (n > MAX_LINE_BYTES) {
			in->line++;
			return tw__input_fail(in, err, "a line of more than %d bytes, expected shorter ones",
			                      MAX_LINE_BYTES);
		}
		searched = n;
		int status = read_block(in, err);
		if (status < 0)
			return status;
	}
	if (!end && in->begin == in->end)
		return 0;
	if (in->line++ == MAX_LINES)
		return tw__input_fail(in, err, "more than %d lines, expected fewer", MAX_LINES);
	in->is_open = !end;
	if (in->is_open && !in->open_end_passes) /* the file may be cut, and its rest would be missing silently */
		return tw__input_fail(in, err, "the file ends within this line, expected a line break at its end");
	*line = in->text + in->begin;
	size_t length = in->is_open ? in->end - in->begin : (size_t)(end - *line);
	in->begin += length + !in->is_open;
	in->offset += length + !in->is_open;
	(*line)[length] = '\0'; /* read_block leaves room for it */
	if (length && (*line)[length - 1] == '\r')
		(*line)[length - 1] = '\0';
	return 1;
}

void tw__input_pass_open_end(struct tw__input *in) { in->open_end_passes = true; }

bool tw__input_is_open(const struct tw__input *in) { return in->is_open; }

int tw__input_fail(const struct tw__input *in, struct tw_error *err, const char *format, ...)
{
	char text[sizeof err->message];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	return tw_fail(err, TW_INVALID, "%s:%llu: %s", in->path, (unsigned long long)(in->line ? in->line : 1), text);
}

uint32_t tw__input_line_number(const struct tw__input *in) { return (uint32_t)in->line; }

int tw__input_whole(char **text, const char *path, struct tw_error *err)
{
	struct tw__input *in;
	*text = NULL;
	int status = tw__input_open(&in, path, err);
	while (status == TW_OK && !in->ended) {
		status = read_block(in, err);
		if (status == TW_OK && in->end > MAX_WHOLE_BYTES)
			status = tw_fail(err, TW_INVALID, "%s: more than %d bytes, expected a smaller file", in->path,
			                 MAX_WHOLE_BYTES);
	}
	if (status == TW_OK) {
		in->text[in->end] = '\0';
		*text = in->text;
		in->text = NULL;
	}
	tw__input_close(in);
	return status;
}

int tw__input_head(char *head, size_t room, const char *path, struct tw_error *err)
{
	struct tw__input *in;
	int status = tw__input_open(&in, path, err);
	if (status == TW_OK)
		status = read_block(in, err);
	if (status == TW_OK) {
		size_t length = in->end < room ? in->end : room - 1;
		memcpy(head, in->text, length);
		head[length] = '\0';
	}
	tw__input_close(in);
	return status;
}

bool tw__text_real(const char *text, double *number)
{
	char *end;
	/* Refuse what strtod also accepts: blanks, "inf", "nan" and "0x1p3". */
	if (text[strspn(text, "+-0123456789.eE")] != '\0')
		return false;
	*number = strtod(text, &end);
	return end > text && *end == '\0' && isfinite(*number);
}

bool tw__text_int(const char *text, int64_t *number)
{
	char *end;
	if (text[strspn(text, "+-0123456789")] != '\0')
		return false;
	errno = 0;
	*number = strtoll(text, &end, 10);
	return end > text && *end == '\0' && errno == 0;
}

char *tw__text_word(char **text)
{
	char *word = *text + strspn(*text, " \t");
	char *end = word + strcspn(word, " \t");
	if (end == word)
		return NULL;
	*text = *end ? end + 1 : end;
	*end = '\0';
	return word;
}
