/* One-line error messages. */
#include <tilewright/base.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int tw_fail(struct tw_error *err, int status, const char *format, ...)
{
	/* A buffer of its own, so that err->message may itself be one of the values. */
	char text[sizeof err->message];
	va_list values;

	va_start(values, format);
	int length = vsnprintf(text, sizeof text, format, values);
	va_end(values);
	if (length < 0)
		text[0] = '\0';
	else if ((size_t)length >= sizeof text)
		memcpy(text + sizeof text - 4, "...", 4);

	/* Values come from users and files: whatever they hold, the message stays one line of text. */
	for (char *c = text; *c;) {
		size_t n = tw_character_bytes(c);
		if (n == 0)
			*c = ' ';
		c += n ? n : 1;
	}
	memcpy(err->message, text, sizeof text);
	return status;
}
