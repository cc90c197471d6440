/* Basic types, errors and the log. All other public headers include this one.
 *
 * Errors.    A function that can fail returns 0 (TW_OK) or a negative enum tw_status. On failure it fills a
 *            struct tw_error with one line: the error, the place (file:line if there is one) and the expected
 *            input. The argument `err` is never NULL. Callers of builder functions (tw_graph_submit ...) need not check
 *            each call: the graph keeps the first error, and tw_graph_finish reports it.
 * Ownership. init/finish work on memory that the caller owns, create/destroy on the heap. destroy(NULL) does nothing.
 *            A returned `const` pointer belongs to the object that returned it, and is valid as long as that object.
 * Memory.    tw_alloc and its relatives never return NULL. If memory runs out, they do not return: the run or command
 *            under way ends with TW_NOMEM. Functions that return TW_NOMEM themselves may be called outside of runs.
 * Output.    The library never prints and never exits; messages go through the callback of tw_set_log.
 * Threads.   Threads may call all functions at one time, each with objects of its own: one thread at a time may use
 *            an object. A program may have any locale, and any mode of floating-point numbers. */
#ifndef TILEWRIGHT_BASE_H
#define TILEWRIGHT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Identifiers of tasks, handles, kernels, workers, memory nodes and archs: numbers from 0. TW_NONE (-1): none. */
typedef int32_t tw_task;   /* number of a task, in submission order */
typedef int32_t tw_data;   /* number of a handle (tile or block), in the order of creation */
typedef int32_t tw_kernel; /* number of a kernel with its sizes: potrf on tiles of 960, gemm on tiles of 960 ... */
typedef int32_t tw_worker; /* number of a worker: a CPU core, a group of cores or a GPU; accelerators come first */
typedef int32_t tw_node;   /* number of a memory node; main memory is node 0 (TW_RAM) */
typedef int32_t tw_arch;   /* number of a kind of identical workers; groups of 5 and of 10 cores have different archs */

enum { TW_NONE = -1, TW_RAM = 0 };

enum tw_status {
	TW_OK = 0,
	TW_FAILED = -1,   /* the run failed; the command exits with status 1 */
	TW_INVALID = -2,  /* bad arguments or bad input; the command exits with status 2 */
	TW_NOMEM = -3,    /* out of memory; the command exits with status 1 */
	TW_SYSTEM = -4,   /* for now no descriptors, processes, disk space ...; the command exits with status 1 */
	TW_CANCELLED = -5 /* the program has cancelled the run: see run.h */
};

struct tw_error {
	char message[512]; /* one line of text, without a newline at the end */
};

#if defined(__GNUC__)
#define TW_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define TW_PRINTF(string, first)
#endif

/* Writes the formatted message to `err` and returns `status`. A function can thus fail with one statement: `return
 * tw_fail(err, TW_INVALID, ...)`. */
int tw_fail(struct tw_error *err, int status, const char *format, ...) TW_PRINTF(3, 4);
/* The status for a file of the user that cannot be read, from errno: TW_SYSTEM or TW_INVALID. */
int tw_status_of_errno(int error);

enum tw_log_level { TW_LOG_ERROR, TW_LOG_WARNING, TW_LOG_INFO, TW_LOG_DEBUG };
typedef void (*tw_log_fn)(enum tw_log_level, const char *message, void *context);

/* Sets the callback that gets all messages of this process. NULL (the default): messages are dropped. Set it before
 * threads use the library. They then call it at the same time, each in its own thread. */
void tw_set_log(tw_log_fn, void *context);
void tw_log(enum tw_log_level, const char *format, ...) TW_PRINTF(2, 3);

/* Allocates n zeroed elements; free them with free(). Never returns NULL, not even for n = 0. */
void *tw_alloc(size_t n, size_t element_bytes);
/* As realloc, for n elements. New elements are undefined. */
void *tw_resize(void *array, size_t n, size_t element_bytes);
/* Grows `array`, which is NULL or from these functions, to at least `needed` elements, by half or more. `capacity` is a
 * size_t, in elements. */
#define TW_RESERVE(array, capacity, needed) tw_reserve((void **)&(array), &(capacity), (needed), sizeof *(array))
void tw_reserve(void **array, size_t *capacity, size_t needed, size_t element_bytes);
/* Copies of texts, the second as printf writes it; free them with free(). */
char *tw_copy_text(const char *);
char *tw_format(const char *format, ...) TW_PRINTF(1, 2);

/* Returns the number of bytes of the UTF-8 character at `text`. Returns 0 for an invalid or a control character (C0 or
 * C1), and for U+FFFE and U+FFFF. Names from input files must not contain such characters, because the library shows
 * names on terminals and writes them to other files. */
size_t tw_character_bytes(const char *text);

/* tw_decimal and tw_decimal_scientific read decimal numbers exactly, as integer multiples of 10^-decimals. With 9
 * decimals, seconds become nanoseconds; with 6, milliseconds do. Further digits round to nearest, halves up. The locale
 * has no effect. The maximum, in nanoseconds, is the last date that a run can have (292 years). */
#define TW_DECIMAL_MAX (INT64_MAX - 1)

/* Reads a number from all `length` bytes of `text`: at least one digit, at most one point. Returns false for any other
 * text and for numbers above TW_DECIMAL_MAX; `*value` is undefined then. */
bool tw_decimal(const char *text, size_t length, int decimals, int64_t *value);
/* Reads a number from a text that ends with '\0' and may have an exponent: "1.25e-05". Otherwise as tw_decimal. */
bool tw_decimal_scientific(const char *text, int decimals, int64_t *value);

/* The version of these headers, as numbers for #if: TW_VERSION >= TW_VERSION_OF(0, 2, 0). */
#define TW_VERSION_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define TW_VERSION TW_VERSION_OF(0, 2, 0)
/* Returns the version of the library, such as "1.2.3". */
const char *tw_version(void);

/* The first word of a plug-in's structure: the version of its interface, and the structure's size. New members come at
 * the end, and a library takes the smaller structures of earlier headers: members that they lack are NULL or 0. The
 * version changes when anything else does that a plug-in sees, the structures of containers.h included. */
#define TW_ABI(version, structure) ((int)((version) << 16 | sizeof(structure)))

#ifdef __cplusplus
}
#endif
#endif
