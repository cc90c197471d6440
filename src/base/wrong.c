#include "base/wrong.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"

/* The first wrong call of this thread since tw__wrong_calls_forget. */
static _Thread_local struct tw_error wrong;

atomic_uint tw__n_wrong_calls;

void tw__wrong_call(const char *format, ...)
{
	char text[sizeof wrong.message];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	if (!tw__is_behind_door())
		tw_log(TW_LOG_ERROR, "%s", text);
	else if (!wrong.message[0])
		tw_fail(&wrong, TW_INVALID, "%s", text);
	atomic_fetch_add(&tw__n_wrong_calls, 1);
}

void tw__wrong_calls_forget(void) { wrong.message[0] = '\0'; }

const char *tw__wrong_calls_first(void) { return wrong.message[0] ? wrong.message : NULL; }
