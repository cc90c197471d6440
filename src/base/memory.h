/* Doors, by which a thread enters the library's work. tw_alloc and its relatives never return NULL: when memory runs
 * out, they go back to the innermost door of this thread. The memory that the work had until then is lost. So a door
 * stands where a process ends soon: at the top of a command, of a run and of a child process, and in tw_simulate. A
 * thread without a door aborts.
 *
 * Behind a door the thread has the locale "C", so that numbers are read and written with '.', whatever locale the
 * program has set. Floating-point numbers round as usual, and no exception of theirs ends the program. */
#ifndef TW__BASE_MEMORY_H
#define TW__BASE_MEMORY_H

#include <fenv.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

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
/* Whether this thread is behind a door: it does work of the library's. */
bool tw__is_behind_door(void);

/* Allocates memory aligned to 64 bytes, with undefined content; free it with free(). Never returns NULL. */
void *tw__aligned_room(uint64_t bytes);

/* Sets the error of the work that ran out of memory in this thread. Returns TW_NOMEM. */
int tw__out_of_memory(struct tw_error *);

/* Leaves by the innermost door: for memory of other libraries, which return NULL. */
_Noreturn void tw__no_memory(size_t n, size_t element_bytes);

/* As tw_format. */
char *tw__format_list(const char *format, va_list values) TW_PRINTF(1, 0);

/* A stream that collects what is printed to it: *text, of *bytes bytes and a '\0', is whole once the stream is closed,
 * and belongs to the caller. Never NULL, as tw_alloc. */
FILE *tw__text_open(char **text, size_t *bytes);
void tw__text_close(FILE *);

/* Memory of one piece of work, which is freed all at once. Empty: {0}. */
struct tw__arena {
	struct tw__block *last;
};
/* As tw_alloc and tw_resize, but the arena frees the elements. `array`: NULL, or from the same arena. */
void *tw__arena_alloc(struct tw__arena *, size_t n, size_t element_bytes);
void *tw__arena_resize(struct tw__arena *, void *array, size_t n, size_t element_bytes);
void tw__arena_finish(struct tw__arena *);

#endif
