#include "two_gpus.h"

#define CPU "<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
#define GPU(n)                                                                                              \
	"<host id='G" n "' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>" \
	"<link id='p" n "' bandwidth='1GBps' latency='10us' sharing_policy='SPLITDUPLEX'/>"                 \
	"<route src='RAM' dst='G" n "'><link_ctn id='p" n "' direction='DOWN'/></route>"

const char two_gpus[] = LINES(CPU GPU("0") GPU("1"));

void two_gpus_make(struct world *w, int gpus, uint64_t gpu_mem_bytes, const uint64_t *bytes, int n_data)
{
	*w = (struct world){0};
	world_platform(w, two_gpus,
	               &(struct tw__platform_choice){.cpus = 0, .gpus = gpus, .gpu_mem_bytes = gpu_mem_bytes});
	w->graph = tw_graph_create();
	for (int d = 0; d < n_data; d++)
		tw_graph_data(w->graph, bytes[d]);
	tw_graph_kernel(w->graph, "work", "1", "s", 1);
}

void two_gpus_ready(struct world *w)
{
	struct tw_error err = {""};
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 1e-3});
}
