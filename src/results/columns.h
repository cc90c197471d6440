/* The columns of rows of results: what each is called, where its value comes from, and how CSV, JSON, text, figures,
 * comparisons and reports treat it. A new column is a row of the tables in columns.c, and the code that counts it. */
#ifndef TW__COLUMNS_H
#define TW__COLUMNS_H

#include "base/cells.h"

/* The type of a value, and of the member of a row's struct that holds it. */
enum tw__type {
	TW__WORD,    /* const char *; may be NULL */
	TW__CHARS,   /* char[] */
	TW__INT,     /* int */
	TW__COUNT,   /* int64_t */
	TW__BYTES,   /* uint64_t; more than INT64_MAX: unbounded */
	TW__REAL,    /* double; NAN: unknown */
	TW__SECONDS, /* double; not finite: unknown */
	TW__DATE,    /* tw__ns */
	TW__FLAG,    /* bool */
};

/* The runs whose rows have a value. */
enum tw__known { TW__ALWAYS, TW__PREPARED, TW__OUTCOME };

/* Traits of columns, as bits. */
enum tw__traits {
	TW__SETTING = 1,  /* an input that all runs of two sides may differ in, as simulations and real runs do */
	TW__OF_ORDER = 2, /* an input that bounds do not depend on */
	TW__MAIN = 4,     /* the report's table of rows has the column even if all rows agree */
	TW__MINOR = 8,    /* the report's table of rows hides the column at first */
	TW__SIGNED = 16,  /* numbers may be negative */
};

struct tw__column {
	const char *key; /* the name in CSV and JSON: docs/reference/results.md */
	enum tw__type type;
	enum tw__known known;
	bool of_request;       /* whether `offset` is in the request of the row's struct, and not in that struct */
	size_t offset;         /* of the value's member */
	const char *otherwise; /* TW__WORD: the text for NULL; NULL: "" */
	struct cell (*value)(const void *row); /* makes the cell; NULL: the member at `offset` has the value */
	const char *title;           /* name in reports and on axes, without unit; NULL: see tw__column_label */
	const char *unit;            /* "s", "bytes", "GFlop/s"; NULL: none */
	const char *mean;            /* heading in the report's table of means; NULL: that table lacks it */
	double scale;                /* factor of values in that table, as for percent or GB; 0: 1 */
	int point;                   /* place among the columns that identify a point, from 1; 0: it is none of them */
	const char *prefix, *suffix; /* what labels write around a value, as in "noise 0.1" and "2 GPUs" */
	unsigned traits;
};

/* The columns of results of runs, and of validate-model. Each ends with a key NULL. The struct of a row is a struct
 * tw__result or a struct tw__validation: see write.h. */
extern const struct tw__column tw__result_table[], tw__validation_table[];

/* Finds a column of either table; NULL: neither has it. */
const struct tw__column *tw__column_named(const char *key);
/* Finds the column at a place among those that identify a point, from 1; NULL behind the last one. */
const struct tw__column *tw__point_column(int place);
/* Whether a column identifies a point. */
bool tw__is_point_column(const char *key);
/* The unit of a column of results or of other tables: "s" or "bytes" if the name ends with it; "": none. */
const char *tw__column_unit(const char *key);
/* Writes what axes call the column, without its unit: its title, or the name with blanks. Returns `text`. */
char *tw__column_label(char *text, size_t size, const char *key);
/* Writes a value of a column as labels of figures show it, for example "2 GPUs" or "2 GB a GPU". */
void tw__column_text(char *text, size_t size, const char *key, const char *value);
/* Writes bytes of a memory, as in "2 GB"; NAN: "unbounded". Returns `text`. */
const char *tw__memory_text(char *text, size_t size, double bytes);

/* Makes the cell of one column. */
struct cell tw__column_cell(const struct tw__column *, const void *row);
/* Fills `cells` with the names of a table's columns and empty values, and returns their number. */
int tw__column_names(const struct tw__column *table, struct cell *cells);
/* Parses a choice of a table's columns, as in "policy,makespan_s". TW_INVALID: a column is unknown or named twice. */
int tw__columns_parse(struct tw__column_choice *, const struct tw__column *table, const char *text,
                      struct tw_error *err);
/* Adds the columns that a resumed file of results needs: `status`, `message`, `version`, and `identity` as the last. */
void tw__columns_resume(struct tw__column_choice *, const struct tw__column *table);

#endif
