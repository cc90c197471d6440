/* Tilewright: the words every other header is written in.
 *
 * Errors.    A function that can fail returns 0 (TW_OK) or a negative enum tw_status and fills a
 *            struct tw_error with one line: what, where (file:line where there is one), and what was
 *            expected. `err` is never NULL. Builder functions whose result would otherwise need a check at
 *            every call (tw_graph_submit ...) keep the first error and report it when the object is finished.
 * Ownership. init/finish work on memory the caller owns, create/destroy on the heap; destroy(NULL) is fine.
 *            A returned `const` pointer belongs to the object it was asked of and lives as long.
 * Output.    The library never prints and never exits; messages go through the callback of tw_set_log.
 * Threads.   None: an object is used by one thread at a time.
 */
#ifndef TILEWRIGHT_BASE_H
#define TILEWRIGHT_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Things are numbered from 0; TW_NONE is no thing. */
typedef int32_t tw_task;   /* in submission order */
typedef int32_t tw_data;   /* a tile or block: one handle; in the order they were made */
typedef int32_t tw_kernel; /* potrf on tiles of 960, gemm on tiles of 960 ... */
typedef int32_t tw_worker; /* a CPU core, a group of cores or a GPU; accelerators come first */
typedef int32_t tw_node;   /* a memory: main memory is node 0 (TW_RAM) */
typedef int32_t
	tw_arch; /* a kind of worker; workers of one arch are equal, so groups of 5 cores are not of that of 10 */

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

/* Where messages go from now on; NULL: nowhere (the default). One setting per process. */
void tw_set_log(tw_log_fn, void *context);
void tw_log(enum tw_log_level, const char *format, ...) TW_PRINTF(2, 3);

/* Bytes of the UTF-8 character at `text`, which is not one that controls a terminal; 0: no such character is there. What
 * comes from files is shown on terminals and written into other files: names are made of these alone. */
size_t tw_character_bytes(const char *text);

/* Decimal numbers in files as whole multiples of 10^-decimals, exact where doubles are not: seconds as nanoseconds
 * with 9 decimals, milliseconds with 6. No locale has a say. Further digits round to the nearest, halves up. The
 * greatest, in nanoseconds, is the last date of a run, after 292 years. */
#define TW_DECIMAL_MAX (INT64_MAX - 1)

/* Of all `length` bytes: digits, at least one, and at most one point. False: they are something else, or above
 * TW_DECIMAL_MAX; `*value` is undefined then. */
bool tw_decimal(const char *text, size_t length, int decimals, int64_t *value);
/* The same of the whole text, which may have an exponent: "1.25e-05". */
bool tw_decimal_scientific(const char *text, int decimals, int64_t *value);

/* "1.2.3" */
const char *tw_version(void);

#ifdef __cplusplus
}
#endif
#endif
