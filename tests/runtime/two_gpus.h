/* Worlds of one or two GPUs around main memory, for small runs whose outcome can be told beforehand. */
#ifndef TWO_GPUS_H
#define TWO_GPUS_H

#include "world.h"

/* Hosts, links and routes between the usual first and last lines. */
#define LINES(body)                                                                               \
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" \
	"<platform version='4.1'><zone id='z' routing='Full'>" body "</zone></platform>\n"

extern const char two_gpus[]; /* 4 cores, 2 GPUs of 1 GB, a link of 1 GB/s and 10 us to each */

enum { MB = 1000000 };

/* GPUs alone; the kernel "work" takes 1 ms there. */
void two_gpus_make(struct world *, int gpus, uint64_t gpu_mem_bytes, const uint64_t *bytes, int n_data);
void two_gpus_ready(struct world *); /* all tasks are submitted */

#define TASK(w, ...)                                                         \
	tw_graph_submit((w)->graph, 0, 0, (struct tw_access[]){__VA_ARGS__}, \
	                (int)(sizeof(struct tw_access[]){__VA_ARGS__} / sizeof(struct tw_access)))

#endif
