/* Reads kernel times from StarPU's performance models of a host. */
#include "base/one_line.h"
#include "import/starpu_import.h"
#include "platform/starpu_devices.h"
#include "readers/starpu_names.h"

struct file {
	char *path, *symbol;
	const char *kernel;
	int rank;
	bool is_copy;
	char precision[2];
};

struct files {
	struct file *of;
	size_t n, capacity;
};

/* Returns the name of the arch of an entry's device; NULL: the node lacks the device. */
static const char *arch_of(const struct tw__platform *p, const struct tw__starpu_entry *e)
{
	for (int w = 0; w < p->n_workers; w++) {
		const struct tw__starpu_kind *kind = tw__starpu_kind(p->workers[w].name);
		if (kind ? e->device_type == kind->device_type && tw__starpu_card_number(p, w) == e->device
		         : e->device_type == TW__STARPU_CPU)
			return p->archs[p->workers[w].arch].name;
	}
	return NULL;
}

/* Returns the row with the kernel, arch, cores, precision and size of `like`; NULL: there is none. */
static struct tw__import_row *find_row(const struct tw__import *import, const struct tw__import_row *like)
{
	for (size_t i = 0; i < import->n_rows; i++) {
		struct tw__import_row *r = &import->rows[i];
		if (!strcmp(r->kernel, like->kernel) && !strcmp(r->arch, like->arch) && r->cores == like->cores &&
		    r->precision == like->precision && !strcmp(r->size, like->size))
			return r;
	}
	return NULL;
}

static void add_row(struct tw__import *import, const struct tw__import_row *row)
{
	TW_RESERVE(import->rows, import->rows_capacity, import->n_rows + 1);
	import->rows[import->n_rows++] = *row;
}

/* Adds an entry, the executions of one implementation on one device: merges it into a row, or adds a row. Counts
 * entries that it skips. */
static void add_entry(struct tw__import *import, const struct file *file, const struct tw__starpu_entry *e)
{
	const char *arch = arch_of(import->platform, e);
	struct tw__starpu_shape shape;
	import->left.devices += !arch;
	import->left.unused += arch && e->n == 0;
	if (!arch || e->n == 0)
		return;
	tw__starpu_shape(&shape, file->kernel, e->bytes, e->footprint, file->precision[0]);
	struct tw__import_row row = {.kernel = file->kernel,
	                             .arch = arch,
	                             .model = file->symbol,
	                             .device_type = e->device_type,
	                             .cores = e->cores,
	                             .implementation = e->implementation,
	                             .n_devices = 1,
	                             .precision = shape.precision,
	                             .bytes = e->bytes,
	                             .sum = e->sum,
	                             .sum2 = e->sum2,
	                             .n = e->n};
	strcpy(row.size, shape.size);
	if (!strcmp(file->symbol, "chol_model_22") && shape.n_data == 2)
		row.kernel = "syrk"; /* with two handles, chol_model_22 updates a diagonal tile by one other tile */
	struct tw__import_row *known = find_row(import, &row);
	if (!known) {
		import->n_hashed += !shape.n_data;
		add_row(import, &row);
	} else if (known->model != file->symbol) {
		import->left.copies++;
	} else if (known->implementation != e->implementation) {
		/* StarPU chooses the fastest implementation for each device. The import treats all devices of one arch
		 * as equal, so it keeps the fastest implementation of the arch, and counts the others. */
		import->left.slower++;
		if (row.sum / (double)row.n < known->sum / (double)known->n)
			*known = row;
	} else {
		known->sum += e->sum;
		known->sum2 += e->sum2;
		known->n += e->n;
		known->n_devices++;
	}
}

static void add_model(struct tw__import *import, const struct file *file)
{
	struct tw__starpu_model model;
	struct tw_error why;
	if (tw__starpu_model_read(&model, file->path, &why) < 0) {
		tw_log(TW_LOG_ERROR, "%s; this model is left out", why.message);
		import->left.malformed++;
		return;
	}
	import->n_models++;
	import->left.mixed += model.n_mixed;
	for (size_t i = 0; i < model.n_entries; i++)
		add_entry(import, file, &model.entries[i]);
	tw__starpu_model_finish(&model);
}

/* If syrk was not measured, as in old models of StarPU's Cholesky, adds rows for syrk with half the time of gemm on the
 * same tiles. */
static void derive_syrk(struct tw__import *import)
{
	for (size_t i = 0; i < import->n_rows; i++)
		if (!strcmp(import->rows[i].kernel, "syrk"))
			return;
	size_t n = import->n_rows;
	for (size_t i = 0; i < n; i++) {
		struct tw__import_row row = import->rows[i];
		if (strcmp(row.kernel, "gemm") != 0 || strncmp(row.model, "chol_", 5) != 0)
			continue;
		row.kernel = "syrk";
		row.derived = true;
		add_row(import, &row);
	}
}

/* --- order of rows ------------------------------------------------------------------------------------------------ */

static int kernel_place(const struct tw__import_row *r)
{
	static const char *const order[] = {"potrf",  "trsm",    "syrk",      "gemm",        "getrf",         "trsm_l",
	                                    "trsm_u", "lu.gemm", "cl_update", "save_cl_top", "save_cl_bottom"};
	int n = sizeof order / sizeof order[0];
	for (int i = 0; i < n; i++)
		if (!strcmp(order[i], r->kernel))
			return 2 * i + (strchr(r->size, 'x') ? 2 * n : 0);
	return 4 * n;
}

/* Compares rows for sorting: known kernels first; then single precision first, small sizes first, CPUs first. */
static int by_kernel(const void *a, const void *b)
{
	const struct tw__import_row *x = a, *y = b;
	int order = kernel_place(x) - kernel_place(y);
	if (!order)
		order = strcmp(x->kernel, y->kernel);
	if (!order)
		order = y->precision - x->precision;
	if (!order)
		order = (x->bytes > y->bytes) - (x->bytes < y->bytes);
	if (!order)
		order = strcmp(x->size, y->size);
	if (!order)
		order = x->device_type - y->device_type;
	if (!order)
		order = strcmp(x->arch, y->arch);
	return order ? order : x->cores - y->cores;
}

/* --- model files -------------------------------------------------------------------------------------------------- */

static void add_file(struct tw__import *import, struct files *files, const char *folder, const char *name,
                     size_t symbol_length)
{
	struct file f = {.symbol = tw_format("%.*s", (int)symbol_length, name),
	                 .path = tw_format("%s/%s", folder, name)};
	TW_RESERVE(import->names, import->names_capacity, import->n_names + 1);
	TW_RESERVE(files->of, files->capacity, files->n + 1);
	import->names[import->n_names++] = f.symbol;
	f.rank = tw_starpu_model(f.symbol, &f.kernel, &f.is_copy, f.precision);
	if (f.rank < 0) {
		f.kernel = f.symbol;
		f.rank = INT32_MAX;
	}
	files->of[files->n++] = f;
}

static void list_files(struct tw__starpu_import *job, struct files *files, const char *folder)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, tw__starpu_by_name);
	size_t ending = strlen(job->host) + 1;
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		size_t length = strlen(name);
		bool is_ours = length > ending && name[length - ending] == '.' &&
		               !strcmp(name + length - ending + 1, job->host);
		if (is_ours && !tw__is_text(name)) {
			tw_log(TW_LOG_ERROR, "%s/%s: expected a name that is text; this model is left out", folder,
			       name);
			job->to->left.malformed++;
		} else if (is_ours) {
			add_file(job->to, files, folder, name, length - ending);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

/* Compares model files for sorting: known models first; then single precision first, and a copy behind its original. */
static int by_rank(const void *a, const void *b)
{
	const struct file *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	int order = y->precision[0] - x->precision[0];
	if (!order)
		order = x->is_copy - y->is_copy;
	return order ? order : strcmp(x->path, y->path);
}

static bool is_same(const struct file *a, const struct file *b)
{
	return a->rank == b->rank && a->precision[0] == b->precision[0];
}

void tw__starpu_import_times(struct tw__starpu_import *job)
{
	/* folders in codelets/, in the order of search; "." is codelets/ itself */
	static const char *const versions[] = {"45", "46", "44", "."};
	bool all = !strcmp(tw_args_text(job->args, "models"), "all");
	struct files files = {0};
	for (int v = 0; v < 4 && files.n == 0; v++) {
		char *folder = tw_format("%s/codelets/%s", job->to->source, versions[v]);
		list_files(job, &files, folder);
		free(folder);
	}
	if (files.n)
		qsort(files.of, files.n, sizeof *files.of, by_rank);
	for (size_t i = 0; i < files.n; i++) {
		const struct file *f = &files.of[i];
		if (f->rank == INT32_MAX && !all)
			job->to->left.unknown++;
		else if (f->is_copy && i > 0 && is_same(f, f - 1))
			job->to->left.copied++;
		else
			add_model(job->to, f);
	}
	for (size_t i = 0; i < files.n; i++)
		free(files.of[i].path);
	free(files.of);
	derive_syrk(job->to);
	if (job->to->n_rows)
		qsort(job->to->rows, job->to->n_rows, sizeof *job->to->rows, by_kernel);
}
