/* Wrong calls of public functions that have no error to fill: a number out of range, a parameter that is not there.
 * They return a neutral value, as 0 or NAN. A plug-in's wrong call is an error of the work under way in its thread,
 * such as a run, which asks for it. Outside of the library's work (base/memory.h) a wrong call is logged. */
#ifndef TW__WRONG_H
#define TW__WRONG_H

#include <stdatomic.h>

#include <tilewright/base.h>

void tw__wrong_call(const char *format, ...) TW_PRINTF(1, 2);
/* Returns the first wrong call of this thread since the last tw__wrong_calls_forget; NULL: there was none. */
const char *tw__wrong_calls_first(void);
void tw__wrong_calls_forget(void);

/* The number of wrong calls in all threads: while it stays, there is nothing to ask for. */
extern atomic_uint tw__n_wrong_calls;

#endif
