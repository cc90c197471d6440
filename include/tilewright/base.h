/* Basic types, errors and the log. All other headers use them.
 *
 * Errors.    A function that can fail returns 0 (TW_OK) or a negative enum tw_status. On failure it fills a
 *            struct tw_error with one line: the error, the place (file:line if there is one) and the expected
 *            input. `err` is never NULL. Builder functions (tw_graph_submit ...) need no check at each call:
 *            the object keeps the first error and reports it when it is finished.
 * Ownership. init/finish work on memory that the caller owns, create/destroy on the heap; destroy(NULL) is fine.
 *            A returned `const` pointer belongs to the object that returned it, and is valid as long as that object.
 * Output.    The library never prints and never exits; messages go through the callback of tw_set_log.
 * Threads.   Functions take no locks: only one thread at a time may use an object.
 */
#ifndef TILEWRIGHT_BASE_H
#define TILEWRIGHT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Identifiers count from 0; TW_NONE: none. */
typedef int32_t tw_task;   /* in submission order */
typedef int32_t tw_data;   /* a handle (tile or block), in the order of creation */
typedef int32_t tw_kernel; /* potrf on tiles of 960, gemm on tiles of 960 ... */
typedef int32_t tw_worker; /* a CPU core, a group of cores or a GPU; accelerators come first */
typedef int32_t tw_node;   /* a memory node: main memory is node 0 (TW_RAM) */
typedef int32_t tw_arch;   /* a kind of identical workers: groups of 5 and of 10 cores have different archs */

enum { TW_NONE = -1, TW_RAM = 0 };

enum tw_status {
	TW_OK = 0,
	TW_FAILED = -1,  /* the run failed: exit status 1 */
	TW_INVALID = -2, /* bad arguments or input: exit status 2 */
	TW_NOMEM = -3    /* out of memory: exit status 1 */
};

struct tw_error {
	char message[512]; /* one line, no newline at the end */
};

#if defined(__GNUC__)
#define TW_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define TW_PRINTF(string, first)
#endif

/* Writes the message and returns `status`, so that `return tw_fail(err, TW_INVALID, ...)` reads well. */
int tw_fail(struct tw_error *err, int status, const char *format, ...) TW_PRINTF(3, 4);

enum tw_log_level { TW_LOG_ERROR, TW_LOG_WARNING, TW_LOG_INFO, TW_LOG_DEBUG };
typedef void (*tw_log_fn)(enum tw_log_level, const char *message, void *context);

/* Sets the callback for messages, for the whole process. NULL (the default): messages are dropped. */
void tw_set_log(tw_log_fn, void *context);
void tw_log(enum tw_log_level, const char *format, ...) TW_PRINTF(2, 3);

/* Number of bytes of the UTF-8 character at `text`; 0: no valid character, or a control character (C0 or C1). Names
 * from input files may contain no others, because they are shown on terminals and written to other files. */
size_t tw_character_bytes(const char *text);

/* Decimal numbers are read exactly, as integer multiples of 10^-decimals. With 9 decimals, seconds become nanoseconds;
 * with 6, milliseconds do. Further digits round to nearest, halves up. The locale has no effect. The maximum, in
 * nanoseconds, is the last date of a run (292 years). */
#define TW_DECIMAL_MAX (INT64_MAX - 1)

/* Reads all `length` bytes: at least one digit, at most one point. Returns false for any other text and for numbers
 * above TW_DECIMAL_MAX; `*value` is undefined then. */
bool tw_decimal(const char *text, size_t length, int decimals, int64_t *value);
/* The same for a text that ends with '\0' and may have an exponent: "1.25e-05". */
bool tw_decimal_scientific(const char *text, int decimals, int64_t *value);

/* "1.2.3" */
const char *tw_version(void);

#ifdef __cplusplus
}
#endif
#endif
