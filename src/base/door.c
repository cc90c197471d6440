/* Doors, and wrong calls outside of and behind them. */
#undef _FORTIFY_SOURCE /* its longjmp refuses to leave SimGrid's stacks for the process's own */
#include "base/door.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local struct tw__door *innermost;
static _Thread_local size_t wanted_elements, wanted_bytes; /* what was wanted when memory ran out */

static locale_t c_locale;

static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

/* The locale "C" is built into the C library, so making it cannot fail. */
locale_t tw__c_locale(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, make_c_locale);
	return c_locale;
}

void tw__door_open(struct tw__door *door)
{
	door->outer = innermost;
	door->locale = uselocale(tw__c_locale());
	if (!innermost) {
		fegetenv(&door->floats);
		fesetenv(FE_DFL_ENV);
	}
	innermost = door;
}

void tw__door_close(struct tw__door *door)
{
	innermost = door->outer;
	uselocale(door->locale);
	if (!innermost)
		fesetenv(&door->floats);
}

int tw__out_of_memory(struct tw_error *err)
{
	return tw_fail(err, TW_NOMEM, "out of memory: %zu elements of %zu bytes were wanted", wanted_elements,
	               wanted_bytes);
}

_Noreturn void tw__no_memory(size_t n, size_t element_bytes)
{
	struct tw__door *door = innermost;
	if (!door) {
		tw_log(TW_LOG_ERROR, "out of memory: %zu elements of %zu bytes were wanted", n, element_bytes);
		abort();
	}
	wanted_elements = n;
	wanted_bytes = element_bytes;
	tw__door_close(door);
	_longjmp(door->place, 1);
}

/* --- wrong calls -------------------------------------------------------------------------------------------------- */

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
	if (!innermost)
		tw_log(TW_LOG_ERROR, "%s", text);
	else if (!wrong.message[0])
		tw_fail(&wrong, TW_INVALID, "%s", text);
	atomic_fetch_add(&tw__n_wrong_calls, 1);
}

void tw__wrong_calls_forget(void) { wrong.message[0] = '\0'; }

const char *tw__wrong_calls_first(void) { return wrong.message[0] ? wrong.message : NULL; }
