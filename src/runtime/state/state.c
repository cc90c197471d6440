/* What every part of the runtime may call: the run's first error, and its record. */
#include "runtime/state/state.h"

#include <stdarg.h>
#include <stdio.h>

void tw__rt_fail(struct tw_sched *rt, int status, const char *format, ...)
{
	if (rt->status != TW_OK)
		return;
	char text[sizeof rt->err->message];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	rt->status = tw_fail(rt->err, status, "%s", text);
}

void tw__rt_record_now(struct tw_sched *rt, struct tw__event event)
{
	event.date = rt->now;
	tw__record_add(rt->in->record, &event);
}
