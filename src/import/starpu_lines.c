#include "import/starpu_import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_LINE_BYTES = 1 << 20 };

int tw__starpu_lines_open(struct tw__starpu_lines *l, const char *path, struct tw_error *err)
{
	struct stat s;
	*l = (struct tw__starpu_lines){.path = path, .err = err};
	l->file = fopen(path, "re");
	if (!l->file)
		return tw_fail(err, TW_INVALID, "%s: %s", path, strerror(errno));
	if (fstat(fileno(l->file), &s) == 0 && S_ISREG(s.st_mode))
		return TW_OK;
	tw__starpu_lines_close(l);
	return tw_fail(err, TW_INVALID, "%s: expected a file", path);
}

void tw__starpu_lines_close(struct tw__starpu_lines *l)
{
	if (l->file)
		fclose(l->file);
	free(l->text);
	l->file = NULL;
	l->text = NULL;
}

int tw__starpu_lines_fail(struct tw__starpu_lines *l, const char *format, ...)
{
	char text[sizeof l->err->message];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	return tw_fail(l->err, TW_INVALID, "%s:%d: %s", l->path, l->line, text);
}

static int split(struct tw__starpu_lines *l)
{
	l->text[strcspn(l->text, "#\n")] = '\0';
	char *rest, *word;
	for (l->n = 0; (word = strtok_r(l->n ? NULL : l->text, " \t\r", &rest)); l->n++) {
		if (l->n == TW__STARPU_MAX_FIELDS)
			return tw__starpu_lines_fail(l, "more than %d values", TW__STARPU_MAX_FIELDS);
		l->values[l->n] = word;
	}
	return TW_OK;
}

int tw__starpu_lines_next(struct tw__starpu_lines *l)
{
	l->n = 0;
	while (l->n == 0) {
		errno = 0;
		ssize_t length = getline(&l->text, &l->capacity, l->file);
		if (length < 0 && !feof(l->file))
			return tw_fail(l->err, errno == ENOMEM ? TW_NOMEM : TW_INVALID, "%s: %s", l->path,
			               strerror(errno));
		l->line++;
		if (length < 0)
			return TW_OK;
		if (length > MAX_LINE_BYTES)
			return tw__starpu_lines_fail(l, "a line of more than %d bytes", MAX_LINE_BYTES);
		if (memchr(l->text, '\0', (size_t)length))
			return tw__starpu_lines_fail(l, "a byte of value 0: expected text");
		int status = split(l);
		if (status < 0)
			return status;
	}
	return TW_OK;
}

int tw__starpu_lines_int(struct tw__starpu_lines *l, const char *what, long long least, long long most,
                         long long *value)
{
	int status = tw__starpu_lines_next(l);
	if (status < 0)
		return status;
	if (l->n == 0)
		return tw__starpu_lines_fail(l, "the file ends: expected %s", what);
	char *end;
	errno = 0;
	*value = strtoll(l->values[0], &end, 10);
	if (l->n != 1 || *end || errno || *value < least || *value > most)
		return tw__starpu_lines_fail(l, "'%.60s'%s: expected %s, an integer from %lld to %lld", l->values[0],
		                             l->n > 1 ? " and more" : "", what, least, most);
	return TW_OK;
}

int tw__starpu_lines_real(struct tw__starpu_lines *l, int place, const char *what, double *value)
{
	char *end;
	*value = strtod(l->values[place], &end);
	return *end ? tw__starpu_lines_fail(l, "'%.60s': expected %s, a number", l->values[place], what) : TW_OK;
}
