/* Log messages. They go to the callback that the program has set, or nowhere. */
#include <tilewright/base.h>

#include <stdarg.h>
#include <stdio.h>

#include "base/one_line.h"

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
