/* The model `ideal`, as in scheduling papers: only kernels and transfers cost time. */
#include "runtime/model.h"

const struct tw__runtime_model tw__runtime_model_ideal = {
	.name = "ideal",
	.summary = "the plain model of papers: nothing costs time, one transfer at a time per pair",
};
