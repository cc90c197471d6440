/* Imports a host from StarPU's sampling directory:
 * - bus/HOST.platform.v4.xml has workers, memories and links;
 * - bus/HOST.bandwidth and .latency have the values with which StarPU's schedulers predict copies, and NUMA nodes;
 * - codelets/45/SYMBOL.HOST has kernel times (45 or another version of the format). */
#include <math.h>
#include <unistd.h>

#include "base/print.h"
#include "import/starpu_import.h"
#include "perf/models.h"
#include "perf/rows.h"
#include "perf/table.h"
#include "platform/starpu_devices.h"

const struct tw_param tw__import_starpu_params[] = {
	{"name", TW_PARAM_TEXT, NULL, 0, 0, NULL, "the host's name in StarPU's file names"},
	{"dir", TW_PARAM_TEXT, "", 0, 0, NULL,
         "sampling directory (default: the first of $STARPU_PERF_MODEL_DIR, $STARPU_HOME/.starpu/sampling, "
         "~/.starpu/sampling and /usr/share/starpu/perfmodels/sampling that has the host)"},
	{"gpu", TW_PARAM_TEXT, "", 0, 0, NULL,
         "arch of the accelerators (default: the model in the XML file, else cuda)"},
	{"devices", TW_PARAM_CHOICE, "merged", 0, 0, "merged|apart",
         "merged: accelerators are one arch, with their mean times; apart: each is its own arch"},
	{"bus", TW_PARAM_CHOICE, "measured", 0, 0, "measured|simulated",
         "measured: a copy alone takes the time that StarPU measured; simulated: links as StarPU simulates them"},
	{"numa", TW_PARAM_CHOICE, "all", 0, 0, "all|first",
         "all: each NUMA node that StarPU has measured is a main memory; first: the first one is the only one"},
	{"models", TW_PARAM_CHOICE, "all", 0, 0, "all|known", "known: only kernels that Tilewright's workloads have"},
	{0},
};

/* --- the sampling directory --------------------------------------------------------------------------------------- */

static bool has_host(const char *folder, const char *host)
{
	char *path = tw_format("%s/bus/%s.platform.v4.xml", folder, host);
	bool found = access(path, F_OK) == 0;
	free(path);
	return found;
}

/* Writes the hosts that a sampling directory has, for the end of a message: ": expected one of ..."; "": none. */
static void list_hosts(const char *folder, char *text, size_t room)
{
	static const char ending[] = ".platform.v4.xml";
	struct dirent **entries;
	char *path = tw_format("%s/bus", folder);
	size_t used = 0;
	text[0] = '\0';
	int n = scandir(path, &entries, NULL, tw__starpu_by_name);
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

/* Sets to->source to the sampling directory that has the host: that of parameter `dir`. Without `dir`, the first of
 * StarPU's default directories that has the host, else the last of them. */
static int find_folder(struct tw__starpu_import *job)
{
	static const char *const places[][2] = {{"STARPU_PERF_MODEL_DIR", ""},
	                                        {"STARPU_HOME", "/.starpu/sampling"},
	                                        {"HOME", "/.starpu/sampling"},
	                                        {NULL, "/usr/share/starpu/perfmodels/sampling"}};
	const char *asked = tw_args_text(job->args, "dir");
	char *folder = *asked ? tw_copy_text(asked) : NULL;
	for (int i = 0; !*asked && i < 4 && !(folder && has_host(folder, job->host)); i++) {
		const char *base = places[i][0] ? getenv(places[i][0]) : "";
		if (!base)
			continue;
		free(folder);
		folder = tw_format("%s%s", base, places[i][1]);
	}
	job->to->source = folder;
	if (has_host(folder, job->host))
		return TW_OK;
	char hosts[300];
	list_hosts(folder, hosts, sizeof hosts);
	return tw_fail(job->err, TW_INVALID, "import 'starpu:%.60s': no bus/%.60s.platform.v4.xml in '%.200s'%s",
	               job->host, job->host, folder, hosts);
}

/* --- the node ----------------------------------------------------------------------------------------------------- */

/* Renames "CUDA0", as StarPU calls the first GPU, to "GPU0", and so on. `id`: "CUDA". */
static void rename_card(char *name, const char *id)
{
	size_t more = strlen(id) - 3; /* no id has less letters than GPU */
	for (char *at = name; (at = strstr(at, id));) {
		memmove(at, at + more, strlen(at + more) + 1);
		for (int i = 0; i < 3; i++)
			*at++ = "GPU"[i];
	}
}

/* Renames the accelerators, if all are of one kind. */
static void rename_cards(struct tw__import *import)
{
	struct tw__platform *p = import->platform;
	const struct tw__starpu_kind *only = NULL;
	for (int w = 0; w < p->n_workers; w++) {
		const struct tw__starpu_kind *kind = tw__starpu_kind(p->workers[w].name);
		if (kind && only && kind != only)
			return;
		only = kind ? kind : only;
	}
	if (!only)
		return;
	import->cards = only->id;
	for (int i = 0; i < p->n_nodes; i++)
		rename_card(p->nodes[i].name, only->id);
	for (int i = 0; i < p->n_workers; i++)
		rename_card(p->workers[i].name, only->id);
	for (int i = 0; i < p->n_links; i++)
		rename_card(p->links[i].name, only->id);
}

/* Gives an accelerator an arch of its own, whose name ends with the accelerator's number. */
static void part_device(struct tw__platform *p, int worker)
{
	p->archs = tw_resize(p->archs, (size_t)p->n_archs + 1, sizeof *p->archs);
	const char *name = p->archs[p->workers[worker].arch].name;
	p->archs[p->n_archs] = (struct tw__arch){tw_format("%s-%d", name, tw__starpu_card_number(p, worker)), true, 1};
	p->workers[worker].arch = p->n_archs++;
}

static int name_archs(struct tw__platform *p, const struct tw_args *args, struct tw_error *err)
{
	const char *gpu = tw_args_text(args, "gpu");
	int n = 0;
	for (int a = 0; a < p->n_archs; a++)
		n += p->archs[a].accelerator;
	if (*gpu && n > 1)
		return tw_fail(
			err, TW_INVALID,
			"import 'starpu:%.60s': gpu=%.60s: expected no gpu=, as the node has %d archs of accelerators",
			p->name, gpu, n);
	for (int a = 0; a < p->n_archs && *gpu; a++)
		if (p->archs[a].accelerator) {
			free(p->archs[a].name);
			p->archs[a].name = tw_copy_text(gpu);
		}
	for (int w = 0; w < p->n_workers && !strcmp(tw_args_text(args, "devices"), "apart"); w++)
		if (tw__starpu_is_card(p, w))
			part_device(p, w);
	return TW_OK;
}

static int read_node(struct tw__starpu_import *job)
{
	struct tw__import *import = job->to;
	char *path = tw_format("%s/bus/%s.platform.v4.xml", import->source, job->host);
	bool bus_found;
	int status = tw__platform_read(&import->platform, path, job->host, job->err);
	if (status < 0) {
		free(path);
		return status;
	}
	struct tw__platform *p = import->platform;
	status = tw__starpu_bus_read(p, import->source, job->host, !strcmp(tw_args_text(job->args, "numa"), "all"),
	                             &bus_found, job->err);
	if (status == TW_OK && !bus_found && strcmp(tw_args_text(job->args, "bus"), "measured") != 0)
		tw_log(TW_LOG_WARNING,
		       "no bandwidths and latencies of '%s' in '%s': schedulers will use those of the XML file",
		       job->host, import->source);
	if (status == TW_OK && !strcmp(tw_args_text(job->args, "bus"), "measured"))
		status = bus_found ? tw__starpu_bus_apply(p, path, &import->left.routes, job->err)
		                   : tw_fail(job->err, TW_INVALID,
		                             "import 'starpu:%.60s': no bus/%.60s.bandwidth and .latency in '%.200s': "
		                             "expected both, or bus=simulated",
		                             job->host, job->host, import->source);
	free(path);
	/* drops the disk, whose values in StarPU's XML are defaults, not measured ones */
	p->nodes[0].backing = TW_NONE;
	return status == TW_OK ? name_archs(p, job->args, job->err) : status;
}

int tw__import_starpu(struct tw__import *import, const struct tw_args *args, struct tw_error *err)
{
	*import = (struct tw__import){.host = tw_args_text(args, "name")};
	struct tw__starpu_import job = {import, args, tw_args_text(args, "name"), err};
	int status = find_folder(&job);
	if (status == TW_OK)
		status = read_node(&job);
	if (status == TW_OK) {
		tw__starpu_import_times(&job);
		rename_cards(import);
	}
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

/* --- kernels.csv -------------------------------------------------------------------------------------------------- */

static void put_origin(FILE *f, const struct tw__import *import, const struct tw__import_row *r)
{
	char origin[300];
	snprintf(origin, sizeof origin, "%s: %sStarPU's models of %.200s",
	         tw__origin_names[r->derived ? TW__EXTRAPOLATED : TW__MEASURED], r->derived ? "half of gemm in " : "",
	         import->host);
	tw__csv_put(f, origin);
}

void tw__import_write_kernels(const struct tw__import *import, FILE *f)
{
	fprintf(f,
	        "# Kernel times of the node %s.\n"
	        "# Source of all figures: StarPU's performance models for this host, %s.\n"
	        "# mean = sum / n; stddev = sqrt(sum of squares / n - mean^2). StarPU hashes the dimensions:\n"
	        "# each size has that hash and number of bytes. A size of 8 hexadecimal digits is an unresolved hash.\n"
	        "%s,origin\n",
	        import->platform->name, import->source, tw__kernels_header);
	for (size_t i = 0; i < import->n_rows; i++) {
		const struct tw__import_row *r = &import->rows[i];
		double n = (double)r->n, mean = r->sum / n, variance = r->sum2 / n - mean * mean;
		double part = r->derived ? 0.5 : 1;
		const char precision[] = {r->precision, '\0'};
		tw__table_put_names(f, r->kernel, r->arch, r->cores, r->size, precision);
		fprintf(f, "%.9g,%.9g,%llu,", part * mean, variance > 0 ? part * sqrt(variance) : 0,
		        (unsigned long long)r->n);
		if (r->n_devices > 1)
			fprintf(f, "mean over %d GPUs weighted by samples", r->n_devices);
		fputc(',', f);
		put_origin(f, import, r);
		fputc('\n', f);
	}
}
