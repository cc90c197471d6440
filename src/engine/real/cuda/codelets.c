#include "engine/real/cuda/codelets.h"

#include <string.h>

static const struct tw__cuda_codelet *const tables[] = {tw__cuda_square, tw__cuda_qr, tw__cuda_cells};

const struct tw__cuda_codelet *tw__cuda_codelet_of(const char *workload, const char *kernel)
{
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		for (const struct tw__cuda_codelet *c = tables[i]; c->workload; c++)
			if (strcmp(c->workload, workload) == 0 && strcmp(c->kernel, kernel) == 0)
				return c;
	return NULL;
}
