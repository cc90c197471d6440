/* The model `real`: this project's own runtime, with limits that suit a real machine. */
#include "runtime/model.h"

const struct tw__runtime_model tw__runtime_model_real = {
	.name = "real",
	.summary = "this project's own runtime: nothing is modelled, and with the real engine everything costs what "
		   "it does",
	.values = "chunk_data_bytes=4MiB:demand_limit=5:prefetch_limit=2:idle_write_back=yes:clean_low=0.05:"
		  "clean_high=0.1:prefetch_evicts=yes",
};
