/* kernels.csv on damaged files. Rows that were read give a Cholesky factorisation times, or an error. */
#include <math.h>

#include "memory_file.h"
#include "message.h"
#include "perf/models.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
extern int fuzz_accepted;
int fuzz_accepted;

static const char platform_text[] =
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
	"<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='p' bandwidth='1GBps'/><route src='RAM' dst='G'><link_ctn id='p'/></route></zone></platform>";

static struct tw__platform *make_platform(void)
{
	struct tw__platform *p = NULL;
	struct tw_error err = {""};
	char text[sizeof platform_text];
	memcpy(text, platform_text, sizeof text);
	FILE *f = fmemopen(text, sizeof text - 1, "r");
	require(f && tw__platform_read_stream(&p, f, "own", "own", &err) == TW_OK, "own platform", err.message);
	fclose(f);
	return p;
}

static const struct tw__platform *own_platform(void)
{
	static struct tw__platform *platform;
	if (!platform)
		platform = make_platform();
	return platform;
}

static struct tw_graph *make_graph(void)
{
	static const char *const kernels[] = {"potrf", "trsm", "syrk", "lu.gemm"};
	struct tw_graph *g = tw_graph_create();
	struct tw_error err = {""};
	tw_data d = tw_graph_data(g, 8);
	for (int k = 0; k < 4; k++)
		tw_graph_submit(g, tw_graph_kernel(g, kernels[k], "100", "s", 1e6), 0, &(struct tw_access){d, TW_RW},
		                1);
	require(tw_graph_finish(g, &err) == TW_OK, "own graph", err.message);
	return g;
}

/* Reads the file as that of a platform, which may lack an arch of a file without other faults. */
static void read_as_own(const char *path, int status_of_any)
{
	struct tw_error err = {""};
	struct tw__models *models;
	int status = tw__models_read(&models, path, own_platform(), &err);
	require(status == status_of_any || status == TW_INVALID, "own archs", err.message);
	if (status < 0)
		require_message(status, &err, path);
	tw__models_destroy(models);
}

static void bind(const struct tw__models *models)
{
	const struct tw__platform *platform = own_platform();
	static struct tw_graph *graph;
	struct tw__times times = {0};
	struct tw_error err = {""};
	if (!graph)
		graph = make_graph();
	int status = tw__times_bind(&times, models, platform, graph, &err);
	require(status == TW_OK || (status == TW_INVALID && *err.message), "bind", err.message);
	for (int i = 0; status == TW_OK && i < times.n_kernels * times.n_archs; i++)
		require(isnan(times.mean[i]) || (times.mean[i] > 0 && isfinite(times.mean[i])), "time", "not above 0");
	tw__times_finish(&times);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[64];
	struct tw_error err = {""};
	struct tw__models *models;
	int fd = memory_file(path, bytes, n);
	int status = tw__models_read(&models, path, NULL, &err);
	if (status == TW_OK) {
		bind(models);
		tw__models_extrapolate(models);
		bind(models);
		fuzz_accepted++;
	} else {
		require_message(status, &err, path);
		require(!models, "models in spite of", err.message);
	}
	tw__models_destroy(models);
	read_as_own(path, status);
	close(fd);
	return 0;
}
