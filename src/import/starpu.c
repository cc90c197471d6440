/* A host of StarPU's sampling directory: bus/HOST.platform.v4.xml tells workers, memories and links, bus/HOST.bandwidth and
 * .latency what StarPU's schedulers believe of them, codelets/45/SYMBOL.HOST (and the versions beside it) how long kernels take. */
#include "import/import.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/array.h>
#include <tilewright/starpu.h>

#include "import/starpu_bus.h"
#include "import/starpu_model.h"
#include "import/starpu_shape.h"

const struct tw_param tw__import_starpu_params[] = {
	{"name", TW_PARAM_TEXT, NULL, 0, 0, NULL, "the host, as its files are called"},
	{"dir", TW_PARAM_TEXT, "", 0, 0, NULL,
         "sampling directory; by default $STARPU_PERF_MODEL_DIR, $STARPU_HOME/.starpu/sampling, ~/.starpu/sampling, or "
         "/usr/share/starpu/perfmodels/sampling, the first that has the host"},
	{"gpu", TW_PARAM_TEXT, "", 0, 0, NULL,
         "arch of the accelerators; by default the model that the XML tells, or cuda"},
	{"devices", TW_PARAM_CHOICE, "merged", 0, 0, "merged|apart",
         "merged: accelerators are one arch, times are means over them; apart: each is an arch of its own"},
	{"models", TW_PARAM_CHOICE, "all", 0, 0, "all|known", "known: only kernels of workloads that are here"},
	{0},
};

struct job {
	struct tw__import *to;
	const struct tw_args *args;
	const char *host;
	struct tw_error *err;
};

static int no_memory(struct tw_error *err) { return tw_fail(err, TW_NOMEM, "import: out of memory"); }

/* --- where ---------------------------------------------------------------------------------------------------------- */

static bool has_host(const char *folder, const char *host)
{
	char *path;
	if (asprintf(&path, "%s/bus/%s.platform.v4.xml", folder, host) < 0)
		return false;
	bool found = access(path, F_OK) == 0;
	free(path);
	return found;
}

static int by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

/* "; expected one of ..." */
static void list_hosts(const char *folder, char *text, size_t room)
{
	static const char ending[] = ".platform.v4.xml";
	struct dirent **entries;
	char *path;
	size_t used = 0;
	text[0] = '\0';
	if (asprintf(&path, "%s/bus", folder) < 0)
		return;
	int n = scandir(path, &entries, NULL, by_name);
	for (int i = 0; i < n; i++) {
		const char *at = strstr(entries[i]->d_name, ending);
		if (at && !at[strlen(ending)] && used < room)
			used += (size_t)snprintf(text + used, room - used, "%s%.*s", used ? ", " : ": expected one of ",
			                         (int)(at - entries[i]->d_name), entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	free(path);
}

/* The first of StarPU's own places that has the host, else the last. */
static int find_folder(struct job *job)
{
	static const char *const places[][2] = {{"STARPU_PERF_MODEL_DIR", ""},
	                                        {"STARPU_HOME", "/.starpu/sampling"},
	                                        {"HOME", "/.starpu/sampling"},
	                                        {NULL, "/usr/share/starpu/perfmodels/sampling"}};
	const char *asked = tw_args_text(job->args, "dir");
	char *folder = *asked ? strdup(asked) : NULL;
	for (int i = 0; !*asked && i < 4 && !(folder && has_host(folder, job->host)); i++) {
		const char *base = places[i][0] ? getenv(places[i][0]) : "";
		if (!base)
			continue;
		free(folder);
		if (asprintf(&folder, "%s%s", base, places[i][1]) < 0)
			folder = NULL;
	}
	job->to->source = folder;
	if (!folder)
		return no_memory(job->err);
	if (has_host(folder, job->host))
		return TW_OK;
	char hosts[300];
	list_hosts(folder, hosts, sizeof hosts);
	return tw_fail(job->err, TW_INVALID, "import 'starpu:%.60s': no bus/%.60s.platform.v4.xml in '%.200s'%s",
	               job->host, job->host, folder, hosts);
}

/* --- the node ------------------------------------------------------------------------------------------------------- */

/* What StarPU calls CUDA0 is GPU0 here. */
static void rename_cards(char *name)
{
	for (char *at = name; (at = strstr(at, "CUDA"));) {
		memmove(at, at + 1, strlen(at + 1) + 1); /* a letter less */
		at[0] = 'G';
		at[1] = 'P';
		at[2] = 'U';
	}
}

static bool is_card(const struct tw_platform *p, int worker) { return p->archs[p->workers[worker].arch].accelerator; }

/* StarPU's number of the card. */
static int card_number(const struct tw_platform *p, int worker)
{
	const char *name = p->workers[worker].name;
	return atoi(name + strcspn(name, "0123456789"));
}

/* The card an arch of its own, named by its number. */
static int part_device(struct tw_platform *p, int worker)
{
	struct tw__arch *archs = realloc(p->archs, ((size_t)p->n_archs + 1) * sizeof *archs);
	if (!archs)
		return TW_NOMEM;
	p->archs = archs;
	struct tw__arch *own = &archs[p->n_archs];
	*own = (struct tw__arch){NULL, true, 1};
	if (asprintf(&own->name, "%s-%d", archs[p->workers[worker].arch].name, card_number(p, worker)) < 0)
		return TW_NOMEM;
	p->workers[worker].arch = p->n_archs++;
	return TW_OK;
}

static int name_archs(struct tw_platform *p, const struct tw_args *args, struct tw_error *err)
{
	const char *gpu = tw_args_text(args, "gpu");
	for (int a = 0; a < p->n_archs && *gpu; a++)
		if (p->archs[a].accelerator) {
			char *name = strdup(gpu);
			if (!name)
				return no_memory(err);
			free(p->archs[a].name);
			p->archs[a].name = name;
		}
	for (int w = 0; w < p->n_workers && !strcmp(tw_args_text(args, "devices"), "apart"); w++)
		if (is_card(p, w) && part_device(p, w))
			return no_memory(err);
	return TW_OK;
}

static int read_node(struct job *job)
{
	struct tw__import *import = job->to;
	char *path;
	bool bus_found;
	if (asprintf(&path, "%s/bus/%s.platform.v4.xml", import->source, job->host) < 0)
		return no_memory(job->err);
	int status = tw__platform_read(&import->platform, path, job->host, job->err);
	free(path);
	if (status < 0)
		return status;
	struct tw_platform *p = import->platform;
	for (int i = 0; i < p->n_nodes; i++)
		rename_cards(p->nodes[i].name);
	for (int i = 0; i < p->n_workers; i++)
		rename_cards(p->workers[i].name);
	for (int i = 0; i < p->n_links; i++)
		rename_cards(p->links[i].name);
	status = tw__starpu_bus_read(p, import->source, job->host, &bus_found, job->err);
	if (status == TW_OK && !bus_found)
		tw_log(TW_LOG_WARNING, "no bandwidths and latencies of '%s' in '%s': schedulers will believe the XML's",
		       job->host, import->source);
	p->nodes[0].backing = TW_NONE; /* StarPU's disk is one by default, not one that was measured */
	return status == TW_OK ? name_archs(p, job->args, job->err) : status;
}

/* --- kernel times --------------------------------------------------------------------------------------------------- */

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

/* The device's arch; NULL: the node has no such device. */
static const char *arch_of(const struct tw_platform *p, const struct tw__starpu_entry *e)
{
	for (int w = 0; w < p->n_workers; w++)
		if (is_card(p, w) ? e->device_type == TW__STARPU_CUDA && card_number(p, w) == e->device
		                  : e->device_type == TW__STARPU_CPU)
			return p->archs[p->workers[w].arch].name;
	return NULL;
}

/* The row of the same; NULL: there is none yet. */
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

static int add_row(struct tw__import *import, const struct tw__import_row *row, struct tw_error *err)
{
	if (!TW_HAS_ROOM(import->rows, import->rows_capacity, import->n_rows + 1))
		return no_memory(err);
	import->rows[import->n_rows++] = *row;
	return TW_OK;
}

/* The executions of one implementation on one device: more of a row's, another row, or none. */
static int add_entry(struct tw__import *import, const struct file *file, const struct tw__starpu_entry *e,
                     struct tw_error *err)
{
	const char *arch = arch_of(import->platform, e);
	struct tw__starpu_shape shape;
	import->left.devices += !arch;
	import->left.unused += arch && e->n == 0;
	if (!arch || e->n == 0)
		return TW_OK;
	tw__starpu_shape(&shape, e->bytes, e->footprint, file->precision[0]);
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
		row.kernel = "syrk"; /* a tile of the diagonal is updated by one other */
	struct tw__import_row *known = find_row(import, &row);
	if (!known) {
		import->n_hashed += !shape.n_data;
		return add_row(import, &row, err);
	}
	if (known->model != file->symbol) {
		import->left.copies++;
	} else if (known->implementation != e->implementation) {
		/* StarPU takes the fastest, device by device; those of one arch are taken for alike. */
		import->left.slower++;
		if (row.sum / (double)row.n < known->sum / (double)known->n)
			*known = row;
	} else {
		known->sum += e->sum;
		known->sum2 += e->sum2;
		known->n += e->n;
		known->n_devices++;
	}
	return TW_OK;
}

static int add_model(struct tw__import *import, const struct file *file, struct tw_error *err)
{
	struct tw__starpu_model model;
	struct tw_error why;
	int status = tw__starpu_model_read(&model, file->path, &why);
	if (status == TW_NOMEM)
		return no_memory(err);
	if (status < 0) {
		tw_log(TW_LOG_ERROR, "%s; this model is left out", why.message);
		import->left.malformed++;
		return TW_OK;
	}
	import->n_models++;
	import->left.mixed += model.n_mixed;
	for (size_t i = 0; i < model.n_entries && status == TW_OK; i++)
		status = add_entry(import, file, &model.entries[i], err);
	tw__starpu_model_finish(&model);
	return status;
}

/* A syrk is half of a gemm on the same tiles: where only Cholesky's gemm was measured. */
static int derive_syrk(struct tw__import *import, struct tw_error *err)
{
	for (size_t i = 0; i < import->n_rows; i++)
		if (!strcmp(import->rows[i].kernel, "syrk"))
			return TW_OK;
	size_t n = import->n_rows;
	for (size_t i = 0; i < n; i++) {
		struct tw__import_row row = import->rows[i];
		if (strcmp(row.kernel, "gemm") != 0 || strncmp(row.model, "chol_", 5) != 0)
			continue;
		row.kernel = "syrk";
		row.derived = true;
		if (add_row(import, &row, err))
			return TW_NOMEM;
	}
	return TW_OK;
}

/* --- which files ---------------------------------------------------------------------------------------------------- */

static int add_file(struct job *job, struct files *files, const char *folder, const char *name, size_t symbol_length)
{
	struct tw__import *import = job->to;
	struct file f = {.symbol = strndup(name, symbol_length)};
	if (!f.symbol || !TW_HAS_ROOM(import->names, import->names_capacity, import->n_names + 1) ||
	    !TW_HAS_ROOM(files->of, files->capacity, files->n + 1) || asprintf(&f.path, "%s/%s", folder, name) < 0) {
		free(f.symbol);
		return no_memory(job->err);
	}
	import->names[import->n_names++] = f.symbol;
	f.rank = tw_starpu_model(f.symbol, &f.kernel, &f.is_copy, f.precision);
	if (f.rank < 0) {
		f.kernel = f.symbol;
		f.rank = INT32_MAX;
	}
	files->of[files->n++] = f;
	return TW_OK;
}

static bool is_text(const char *name)
{
	size_t bytes;
	for (; *name; name += bytes)
		if (!(bytes = tw_character_bytes(name)))
			return false;
	return true;
}

static int list_files(struct job *job, struct files *files, const char *folder)
{
	struct dirent **entries;
	int status = TW_OK, n = scandir(folder, &entries, NULL, by_name);
	size_t ending = strlen(job->host) + 1;
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		size_t length = strlen(name);
		bool is_ours = length > ending && name[length - ending] == '.' &&
		               !strcmp(name + length - ending + 1, job->host);
		if (is_ours && !is_text(name)) {
			tw_log(TW_LOG_ERROR, "%s/%s: expected a name that is text; this model is left out", folder,
			       name);
			job->to->left.malformed++;
		} else if (is_ours && status == TW_OK) {
			status = add_file(job, files, folder, name, length - ending);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return status;
}

/* As they are known, single precision first; behind each its copies. */
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

static int read_models(struct job *job)
{
	static const char *const versions[] = {"45", "46", "44"};
	bool all = !strcmp(tw_args_text(job->args, "models"), "all");
	struct files files = {0};
	int status = TW_OK;
	for (int v = 0; v < 3 && status == TW_OK && files.n == 0; v++) {
		char *folder;
		if (asprintf(&folder, "%s/codelets/%s", job->to->source, versions[v]) < 0)
			return no_memory(job->err);
		status = list_files(job, &files, folder);
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
		else if (status == TW_OK)
			status = add_model(job->to, f, job->err);
	}
	for (size_t i = 0; i < files.n; i++)
		free(files.of[i].path);
	free(files.of);
	return status == TW_OK ? derive_syrk(job->to, job->err) : status;
}

/* --- all ------------------------------------------------------------------------------------------------------------ */

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

/* Kernels as they are known, single precision first, small sizes first, processors first. */
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

int tw__import_starpu(struct tw__import *import, const struct tw_args *args, struct tw_error *err)
{
	*import = (struct tw__import){0};
	struct job job = {import, args, tw_args_text(args, "name"), err};
	int status = find_folder(&job);
	if (status == TW_OK)
		status = read_node(&job);
	if (status == TW_OK)
		status = read_models(&job);
	if (status == TW_OK && import->n_rows)
		qsort(import->rows, import->n_rows, sizeof *import->rows, by_kernel);
	return status;
}

void tw__import_finish(struct tw__import *import)
{
	tw__platform_destroy(import->platform);
	for (size_t i = 0; i < import->n_names; i++)
		free(import->names[i]);
	free(import->names);
	free(import->rows);
	free(import->source);
}
