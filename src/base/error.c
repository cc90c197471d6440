/* Messages of one line: errors, and the log, which goes to the callback that the program has set, or nowhere. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <tilewright/base.h>

#include "base/one_line.h"
#include "base/utf8.h"

int tw_fail(struct tw_error *err, int status, const char *format, ...)
{
	/* The message is formatted in a separate buffer, because err->message may be one of the formatted values. */
	char text[sizeof err->message];
	va_list values;

	va_start(values, format);
	int length = vsnprintf(text, sizeof text, format, values);
	va_end(values);
	if (length < 0)
		text[0] = '\0';
	else if ((size_t)length >= sizeof text)
		memcpy(text + sizeof text - 4, "...", 4);

	tw__one_line(text);
	memcpy(err->message, text, sizeof text);
	return status;
}

int tw_status_of_errno(int error)
{
	switch (error) {
	case EAGAIN:
	case EDQUOT:
	case EIO:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case ENOSPC:
	case ESTALE:
		return TW_SYSTEM;
	default:
		return TW_INVALID;
	}
}

/* --- log ---------------------------------------------------------------------------------------------------------- */

static tw_log_fn log_fn;
static void *log_context;

void tw_set_log(tw_log_fn fn, void *context)
{
	log_fn = fn;
	log_context = context;
}

void tw_log(enum tw_log_level level, const char *format, ...)
{
	if (!log_fn)
		return;
	char text[4096];
	va_list values;

	va_start(values, format);
	int length = vsnprintf(text, sizeof text, format, values);
	va_end(values);
	if (length < 0)
		return;
	tw__one_line(text);
	log_fn(level, text, log_context);
}

/* --- characters --------------------------------------------------------------------------------------------------- */

/* Returns 0 for control characters of both sets, C0 and C1, and for U+FFFE and U+FFFF, which XML cannot hold: they
 * count as no character. */
size_t tw_character_bytes(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	bool controls = c[0] < ' ' || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0);
	bool reserved = c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
	return controls || reserved ? 0 : (size_t)tw__utf8_length(text);
}
