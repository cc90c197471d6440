/* Imports a host from StarPU's sampling directory:
 * - bus/HOST.platform.v4.xml has workers, memories and links;
 * - bus/HOST.bandwidth and .latency have the values with which StarPU's schedulers predict copies;
 * - codelets/45/SYMBOL.HOST has kernel times (45 or another version of the format). */
#include "import/starpu_bus.h"
#include "import/starpu_import.h"
#include "platform/measured.h"
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
	{"models", TW_PARAM_CHOICE, "all", 0, 0, "all|known", "known: only kernels that Tilewright's workloads have"},
	{0},
};

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
	struct tw_platform *p = import->platform;
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
static int part_device(struct tw_platform *p, int worker)
{
	struct tw__arch *archs = realloc(p->archs, ((size_t)p->n_archs + 1) * sizeof *archs);
	if (!archs)
		return TW_NOMEM;
	p->archs = archs;
	struct tw__arch *own = &archs[p->n_archs];
	*own = (struct tw__arch){NULL, true, 1};
	if (asprintf(&own->name, "%s-%d", archs[p->workers[worker].arch].name, tw__starpu_card_number(p, worker)) < 0)
		return TW_NOMEM;
	p->workers[worker].arch = p->n_archs++;
	return TW_OK;
}

static int name_archs(struct tw_platform *p, const struct tw_args *args, struct tw_error *err)
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
			char *name = strdup(gpu);
			if (!name)
				return tw__starpu_no_memory(err);
			free(p->archs[a].name);
			p->archs[a].name = name;
		}
	for (int w = 0; w < p->n_workers && !strcmp(tw_args_text(args, "devices"), "apart"); w++)
		if (tw__starpu_is_card(p, w) && part_device(p, w))
			return tw__starpu_no_memory(err);
	return TW_OK;
}

static int read_node(struct tw__starpu_import *job)
{
	struct tw__import *import = job->to;
	char *path;
	bool bus_found;
	if (asprintf(&path, "%s/bus/%s.platform.v4.xml", import->source, job->host) < 0)
		return tw__starpu_no_memory(job->err);
	int status = tw__platform_read(&import->platform, path, job->host, job->err);
	if (status < 0) {
		free(path);
		return status;
	}
	struct tw_platform *p = import->platform;
	status = tw__starpu_bus_read(p, import->source, job->host, &bus_found, job->err);
	if (status == TW_OK && !bus_found && strcmp(tw_args_text(job->args, "bus"), "measured") != 0)
		tw_log(TW_LOG_WARNING,
		       "no bandwidths and latencies of '%s' in '%s': schedulers will use those of the XML file",
		       job->host, import->source);
	if (status == TW_OK && !strcmp(tw_args_text(job->args, "bus"), "measured"))
		status = bus_found ? tw__platform_as_measured(p, path, &import->left.routes, job->err)
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
	int status = tw__starpu_import_find(&job);
	if (status == TW_OK)
		status = read_node(&job);
	if (status == TW_OK)
		status = tw__starpu_import_times(&job);
	if (status == TW_OK)
		rename_cards(import);
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
