/* Error messages, each of one line. */
#include <tilewright/base.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/one_line.h"

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
