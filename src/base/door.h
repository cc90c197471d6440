/* Doors, by which a thread enters the library's work. tw_alloc and its relatives never return NULL: when memory runs
 * out, they go back to the innermost door of this thread. The memory that the work had until then is lost. So a door
 * stands where a process ends soon: at the top of a command, of a run and of a child process, and in tw_simulate. A
 * thread without a door aborts.
 *
 * Behind a door the thread has the locale "C", so that numbers are read and written with '.', whatever locale the
 * program has set. Floating-point numbers round as usual, and no exception of theirs ends the program. */
#ifndef TW__BASE_DOOR_H
#define TW__BASE_DOOR_H

#include <fenv.h>
#include <locale.h>
#include <setjmp.h>
#include <stdatomic.h>

#include <tilewright/base.h>

struct tw__door {
	jmp_buf place;
	struct tw__door *outer;
	locale_t locale; /* of the thread, outside of the door */
	fenv_t floats;   /* the thread's, outside of all doors; unset in an inner door */
};

locale_t tw__c_locale(void);

/* Opens a door in the calling function, which must close it before it returns. False: go on with the work. True: the
 * work ran out of memory, and the door is closed; tw__out_of_memory has the error. */
#define TW__MEMORY_RUNS_OUT(door) (tw__door_open(door), _setjmp((door)->place) != 0)

void tw__door_open(struct tw__door *);
void tw__door_close(struct tw__door *);

/* Sets the error of the work that ran out of memory in this thread. Returns TW_NOMEM. */
int tw__out_of_memory(struct tw_error *);

/* Leaves by the innermost door: for memory of other libraries, which return NULL. */
_Noreturn void tw__no_memory(size_t n, size_t element_bytes);

/* --- wrong calls -------------------------------------------------------------------------------------------------- */

/* Wrong calls of public functions that have no error to fill: a number out of range, a parameter that is not there.
 * They return a neutral value, as 0 or NAN. A plug-in's wrong call is an error of the work under way in its thread,
 * such as a run, which asks for it. Outside of all doors a wrong call is logged. */
void tw__wrong_call(const char *format, ...) TW_PRINTF(1, 2);
/* Returns the first wrong call of this thread since the last tw__wrong_calls_forget; NULL: there was none. */
const char *tw__wrong_calls_first(void);
void tw__wrong_calls_forget(void);

/* The number of wrong calls in all threads: while it stays, there is nothing to ask for. */
extern atomic_uint tw__n_wrong_calls;

#endif
