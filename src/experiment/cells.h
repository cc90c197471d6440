/* Cells: named values in the order of columns. Rows of all machine-readable formats consist of them. */
#ifndef TW__CELLS_H
#define TW__CELLS_H

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/date.h"

enum cell_kind { CELL_NONE, CELL_TEXT, CELL_INTEGER, CELL_REAL, CELL_SECONDS, CELL_FLAG };

struct cell {
	const char *key;
	enum cell_kind kind;
	union {
		const char *text;
		int64_t integer;
		double real; /* finite */
		tw__ns ns;   /* printed as seconds, with 9 decimals */
		bool flag;
	};
};

static inline struct cell cell_text(const char *value) { return (struct cell){.kind = CELL_TEXT, .text = value}; }
static inline struct cell cell_integer(int64_t value) { return (struct cell){.kind = CELL_INTEGER, .integer = value}; }
/* No value if `value` exceeds INT64_MAX: that means unbounded. */
static inline struct cell cell_bytes(uint64_t value)
{
	return value > INT64_MAX ? (struct cell){.kind = CELL_NONE} : cell_integer((int64_t)value);
}
/* No value if not finite. */
static inline struct cell cell_real(double value)
{
	return isfinite(value) ? (struct cell){.kind = CELL_REAL, .real = value} : (struct cell){.kind = CELL_NONE};
}
static inline struct cell cell_ns(tw__ns value) { return (struct cell){.kind = CELL_SECONDS, .ns = value}; }
/* No value if not finite. */
static inline struct cell cell_seconds(double value)
{
	return isfinite(value) ? cell_ns(tw__ns_of(value)) : (struct cell){.kind = CELL_NONE};
}
static inline struct cell cell_flag(bool value) { return (struct cell){.kind = CELL_FLAG, .flag = value}; }

/* A line of a CSV file, with its line feed. The header is malloc'ed; NULL: out of memory. */
char *tw__cells_header(const struct cell *, int n);
void tw__cells_write_keys(FILE *, const struct cell *, int n);
void tw__cells_write(FILE *, const struct cell *, int n);
/* A JSON object; NULL: out of memory. */
json_t *tw__cells_json(const struct cell *, int n);
/* Writes an array of objects as text; false: out of memory. Takes ownership of `rows`, which may be NULL. */
bool tw__cells_write_json(FILE *, json_t *rows);

#endif
