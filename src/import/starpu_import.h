/* Functions of an import from StarPU that several files use. */
#ifndef TW__STARPU_IMPORT_H
#define TW__STARPU_IMPORT_H

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

struct tw__starpu_import {
	struct tw__import *to;
	const struct tw_args *args;
	const char *host;
	struct tw_error *err;
};

/* Sets to->source to the sampling directory that has the host. */
int tw__starpu_import_find(struct tw__starpu_import *);

/* Compares the names of directory entries for scandir, in an order that does not depend on the locale. */
int tw__starpu_by_name(const struct dirent **, const struct dirent **);

/* Reads the kernel times of the host from the performance models into to->rows, in the order of kernels.csv. */
int tw__starpu_import_times(struct tw__starpu_import *);

static inline int tw__starpu_no_memory(struct tw_error *err) { return tw_fail(err, TW_NOMEM, "import: out of memory"); }

static inline bool tw__starpu_is_card(const struct tw_platform *p, int worker)
{
	return p->archs[p->workers[worker].arch].accelerator;
}

/* Returns the number that StarPU gives an accelerator: 2 for "CUDA2". */
static inline int tw__starpu_card_number(const struct tw_platform *p, int worker)
{
	const char *name = p->workers[worker].name;
	return atoi(name + strcspn(name, "0123456789"));
}

#endif
