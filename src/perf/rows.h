/* The rows of kernels.csv, and functions for them. The reader of rows (models.c) and the lookup of times (times.c)
 * share this header. */
#ifndef TW__PERF_ROWS_H
#define TW__PERF_ROWS_H

#include "base/memory.h"
#include "perf/models.h"
#include "perf/factors.h"
#include "perf/table.h"
#include "platform/platform.h"

enum { TW__MAX_CORES = 1 << 20 };

/* The names that the column `arch` may have: the archs of a platform, and those of its ignored hosts. */
struct tw__known_archs {
	const struct tw__platform *platform; /* NULL: any name is known */
	int n;
	const char **names; /* [n] sorted; borrowed from the platform */
};

void tw__known_archs_init(struct tw__known_archs *, const struct tw__platform *);
void tw__known_archs_finish(struct tw__known_archs *);

/* Checks the arch of the table's current row. TW_INVALID: the message has file, line, and the names that are known. */
int tw__known_archs_check(const struct tw__known_archs *, const struct tw__table *, const char *arch);

/* Where a time in kernels.csv comes from: the optional column `origin`, "KIND" or "KIND: SOURCE".
 * TW__UNKNOWN_ORIGIN: the row does not tell, and counts no samples. The others are in the order in which texts list
 * them. */
enum tw__row_origin { TW__MEASURED, TW__FROM_PAPER, TW__EXTRAPOLATED, TW__ASSUMED, TW__UNKNOWN_ORIGIN, TW__N_ORIGINS };

/* The name of each kind, as kernels.csv has it: "measured", "paper" ...; "unknown". */
extern const char *const tw__origin_names[TW__N_ORIGINS];

/* Reads the field `origin` of the table's current row. `text`: the field; NULL or "": the row does not tell. Sets
 * `*source` to the part of `text` behind the colon; "" if there is none. TW_INVALID: the kind is unknown. */
int tw__row_origin_read(enum tw__row_origin *, const char **source, const struct tw__table *, const char *text);

struct tw__row {
	const char *kernel, *arch, *size, *precision; /* these texts and the next two belong to the row's index */
	const char *source;                           /* where the time comes from, in words; may be empty */
	const char *caution;                          /* the note behind "caution: "; may be empty */
	enum tw__row_origin origin;
	int cores;
	int line;
	double mean_us, stddev_us;
	int64_t samples;
	struct tw__draws draws; /* measured executions from samples.csv; n is 0 if there are none */
};

struct tw__row_index; /* hash table that finds rows by their names and cores */

struct tw__models {
	bool extrapolate, offers_nothing;
	struct tw__factors *speedups, *amdahl, *time_factors; /* NULL: none */
	char *path;                                           /* path of kernels.csv, for messages */
	struct tw__known_archs archs; /* while the files are read: the archs that rows may have */
	int n_rows;
	size_t capacity;
	struct tw__row *rows; /* [n_rows] in the file's order */
	double *factors;      /* [n_factors] the factors that all rows' `draws` refer to */
	size_t n_factors;
	struct tw__row_index *index;
	struct tw__arena texts; /* has the entries of `index` */
	const struct tw__row *
		/* [n_rows] sorted: rows that differ only in cores are adjacent; NULL: all rows are for one core */
		*by_cores;
};

/* Adds a row to the models, with copies of the row's texts. TW_INVALID: there is one for the same kernel and cores. */
int tw__models_add(const struct tw__table *, struct tw__models *, struct tw__row);

/* Returns the row with exactly these values, or NULL. */
const struct tw__row *tw__models_find(const struct tw__models *, const char *kernel, const char *size,
                                      const char *precision, const char *arch, int cores);

/* Frees all rows. */
void tw__models_drop_rows(struct tw__models *);

/* Reads samples.csv, a file beside kernels.csv: measured executions, one per row, for --noise empirical. The columns
 * are kernel,arch,cores,size,precision,us; comments and blank lines are as in kernels.csv.
 *
 * Attaches the samples to the rows of kernels.csv. A kernel without a row gets one, with the mean and the deviation of
 * the kernel's samples. Does nothing if samples.csv is missing. TW_INVALID: the message has file and line. */
int tw__samples_read(struct tw__models *, struct tw_error *err);
extern const char tw__samples_header[]; /* the header line of samples.csv */

/* Fills `by_cores`. */
void tw__between_prepare(struct tw__models *);

/* Makes a row for a group of cores that was not measured. The kernel must have rows of this size and precision on fewer
 * cores of the arch (one is enough) and on more. The group's speed and relative deviation are interpolated linearly
 * between the nearest numbers of cores. Returns false if such rows are missing, or if the group itself has a row. */
bool tw__between_find(const struct tw__models *, struct tw__row *, const char *kernel, const char *size,
                      const char *precision, const struct tw__arch *);

/* Returns the kernel's name without that of its application: "gemm" for "lu.gemm". */
const char *tw__general_name(const char *kernel);

/* Returns the item of --amdahl for a kernel on a group of cores; NULL: none, or one core. */
struct tw__factor *tw__amdahl_of(const struct tw__models *, const struct tw__kernel *, const struct tw__arch *);
/* Returns the speed-up of a kernel (by its general name) on this number of cores over one core: by Amdahl's law, if
 * there is an item for it. Otherwise it is below 1 where splitting costs more than it gains. It is 1 for one core. */
double tw__group_speedup(const struct tw__factor *amdahl, const char *kernel, int cores);

/* Returns the kernel's seconds by the law that fits best to the times of other sizes of its shape. The times are those
 * under `name`, on `cores` cores of the arch. NAN: there are too few sizes. Sets `*spread` to the relative standard
 * deviation of one execution. */
double tw__regression_seconds(const struct tw__models *, const struct tw__kernel *, const char *name,
                              const struct tw__arch *, int cores, double *spread);

/* Returns the kernel's seconds by the flop-rate model. NAN: the kernel has no flops, or gemm was not measured on that
 * arch in the kernel's precision. For a group, the model starts from gemm on one core. For precision "b" (bytes), it
 * takes gemm in single precision. */
double tw__flop_rate_seconds(const struct tw__models *, const struct tw__kernel *, const struct tw__arch *);

/* Whether a list such as "cpu+m2070", "processors" or "accelerators" includes that arch. */
bool tw__names_arch(const char *list, const struct tw__arch *);

/* Whether the arch may run tasks of the kernel, as far as tw_graph_restrict says. */
bool tw__may_run(const struct tw__kernel *, const struct tw__arch *);

/* Whether tasks of kernel k that have recorded seconds take these on the arch. */
bool tw__has_recorded(const struct tw_graph *, tw_kernel k, const struct tw__arch *);

/* Whether the kernel's recorded seconds are those of a processor, be it of accelerators as well. `all`: the platform
 * with all its archs. */
bool tw__is_on_processors(const struct tw__platform *all, const struct tw__kernel *);

/* Fills in the tasks' own seconds: the members `own` and `recorded`. Speed-ups of the models are for kernels without a
 * time in `mean`. Groups of cores take those of one core, by Amdahl's law, if their own times were not measured. NULL:
 * no models. TW_INVALID: a task takes too long. */
int tw__own_times(struct tw__times *, const struct tw__models *, const struct tw__platform *, const struct tw_graph *,
                  struct tw_error *);

/* If extrapolation is enabled, fills in missing times of kernel k. `can_run`: a worker has a time for the kernel before
 * the call. Returns whether a worker has one afterwards. */
bool tw__extrapolate(struct tw__times *, const struct tw__models *, const struct tw__platform *,
                     const struct tw_graph *, int k, bool can_run);

/* Returns TW_INVALID, with a message about kernel k of the graph, which no worker has a time for. */
int tw__times_missing(const struct tw__models *, const struct tw__platform *, const struct tw_graph *, int k,
                      struct tw_error *);

#endif
