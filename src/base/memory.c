#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "base/memory.h"

void *tw_alloc(size_t n, size_t element_bytes)
{
	void *array = calloc(n ? n : 1, element_bytes);
	if (!array)
		tw__no_memory(n, element_bytes);
	return array;
}

void *tw_resize(void *array, size_t n, size_t element_bytes)
{
	size_t bytes;
	void *other = __builtin_mul_overflow(n ? n : 1, element_bytes, &bytes) ? NULL : realloc(array, bytes);
	if (!other)
		tw__no_memory(n, element_bytes);
	return other;
}

void *tw__aligned_room(uint64_t bytes)
{
	void *room = bytes > SIZE_MAX - 128 ? NULL : aligned_alloc(64, (bytes ? bytes + 63 : 64) / 64 * 64);
	if (!room)
		tw__no_memory(bytes, 1);
	return room;
}

void tw_reserve(void **array, size_t *capacity, size_t needed, size_t element_bytes)
{
	if (needed <= *capacity)
		return;
	size_t wanted = *capacity + *capacity / 2 + 64;
	if (wanted < needed)
		wanted = needed;
	*array = tw_resize(*array, wanted, element_bytes);
	*capacity = wanted;
}

char *tw_copy_text(const char *text)
{
	size_t bytes = strlen(text) + 1;
	return memcpy(tw_resize(NULL, bytes, 1), text, bytes);
}

char *tw__format_list(const char *format, va_list values)
{
	char *text;
	if (vasprintf(&text, format, values) < 0)
		tw__no_memory(1, 1);
	return text;
}

char *tw_format(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	char *text = tw__format_list(format, values);
	va_end(values);
	return text;
}

/* A stream's text. open_memstream would lose what it has no memory for, and tell nobody. */
struct text {
	char **text; /* where they go at the end */
	size_t *bytes;
	char *room;
	size_t n, capacity;
};

static ssize_t add_text(void *cookie, const char *from, size_t n)
{
	struct text *t = cookie;
	if (n >= t->capacity - t->n) {
		size_t capacity = (t->n + n + 1) * 2;
		char *room = realloc(t->room, capacity);
		if (!room)
			return 0; /* an error of the stream */
		t->room = room;
		t->capacity = capacity;
	}
	memcpy(t->room + t->n, from, n);
	t->n += n;
	return (ssize_t)n;
}

static int end_text(void *cookie)
{
	struct text *t = cookie;
	t->room[t->n] = '\0';
	*t->text = t->room;
	*t->bytes = t->n;
	free(t);
	return 0;
}

FILE *tw__text_open(char **text, size_t *bytes)
{
	enum { FIRST = 256 };
	struct text *t = tw_alloc(1, sizeof *t);
	*t = (struct text){.text = text, .bytes = bytes, .room = tw_resize(NULL, FIRST, 1), .capacity = FIRST};
	FILE *f = fopencookie(t, "w", (cookie_io_functions_t){.write = add_text, .close = end_text});
	if (!f)
		tw__no_memory(1, sizeof *f);
	*text = (char *)t; /* until the end: a leak checker does not look into streams */
	return f;
}

void tw__text_close(FILE *f)
{
	bool failed = ferror(f);
	if (fclose(f) != 0 || failed)
		tw__no_memory(1, 1);
}

/* The head of a block of an arena; its elements follow. */
struct tw__block {
	struct tw__block *before, *behind;
};

/* Returns how many elements an array and the head of its block take. */
static size_t with_head(size_t n, size_t element_bytes)
{
	size_t all;
	if (__builtin_add_overflow(n, sizeof(struct tw__block) / element_bytes + 1, &all))
		tw__no_memory(n, element_bytes);
	return all;
}

void *tw__arena_alloc(struct tw__arena *arena, size_t n, size_t element_bytes)
{
	struct tw__block *b = tw_alloc(with_head(n, element_bytes), element_bytes);
	b->before = arena->last;
	if (arena->last)
		arena->last->behind = b;
	arena->last = b;
	return b + 1;
}

void *tw__arena_resize(struct tw__arena *arena, void *array, size_t n, size_t element_bytes)
{
	if (!array)
		return tw__arena_alloc(arena, n, element_bytes);
	struct tw__block *b = tw_resize((struct tw__block *)array - 1, with_head(n, element_bytes), element_bytes);
	if (b->before)
		b->before->behind = b;
	*(b->behind ? &b->behind->before : &arena->last) = b;
	return b + 1;
}

void tw__arena_finish(struct tw__arena *arena)
{
	for (struct tw__block *b = arena->last, *before; b; b = before) {
		before = b->before;
		free(b);
	}
	*arena = (struct tw__arena){0};
}
