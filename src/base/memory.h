/* Memory. tw_alloc and its relatives never return NULL: they leave by a door (base/door.h) when memory runs out. */
#ifndef TW__BASE_MEMORY_H
#define TW__BASE_MEMORY_H

#include <stdarg.h>
#include <stdio.h>

#include <tilewright/base.h>

/* Allocates memory aligned to 64 bytes, with undefined content; free it with free(). Never returns NULL. */
void *tw__aligned_room(uint64_t bytes);

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
