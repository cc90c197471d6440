#include "machine/machine_unknown.h"

#include <math.h>
#include <stdlib.h>

#include "engine/real/family.h"
#include "engine/real/config.h"

/* The flop rate of guessed kernel times. No policy sees these times: only the watchdog's time-out and priorities by
 * bottom levels depend on them. */
#define GUESSED_FLOPS_PER_S 1e10

static bool can_run(const struct tw__needs *n, const struct tw__request *q, const struct tw__workload_words *words,
                    const struct tw__family *family, tw_arch a, tw_kernel k)
{
	const struct tw__arch *arch = &n->platform->archs[a];
	if (arch->accelerator)
		return q->emulate || tw__real_gpus_have(words->spec.name, n->graph->kernels[k].name);
	return arch->cores == 1 || tw__family_codelet(family, k)->splits;
}

/* Writes a guessed time for each kernel on each arch that can run it, as lines of the format in machine_needs.h. */
static void write_unknown(FILE *f, const struct tw__needs *n, const struct tw__request *q,
                          const struct tw__workload_words *words, const struct tw__family *family)
{
	for (tw_arch a = 0; a < n->platform->n_archs; a++)
		for (tw_kernel k = 0; k < n->graph->n_kernels; k++) {
			char fields[TW__MOST_KEY];
			tw__needs_fields(n, a, k, fields, sizeof fields);
			if (*n->signatures[k] && can_run(n, q, words, family, a, k))
				fprintf(f, "%s|%s%.6g,0,1,will be learnt\n", n->signatures[k], fields,
				        fmax(1, 1e6 * n->graph->kernels[k].flops / GUESSED_FLOPS_PER_S));
			else if (*n->signatures[k])
				fprintf(f, "%s|%s%s\n", n->signatures[k], fields, TW__NO_KERNEL);
		}
}

int tw__unknown_models(struct tw__models **models, const struct tw__request *q, const struct tw__needs *needs,
                       const struct tw__workload_words *words, struct tw_error *err)
{
	struct tw__family *family;
	char *text = NULL;
	size_t bytes;
	int status = tw__family_open(&family, words->spec.name, words->args, needs->graph, err);
	if (status < 0)
		return status;
	FILE *f = open_memstream(&text, &bytes);
	if (f)
		write_unknown(f, needs, q, words, family);
	if (!f || fclose(f) != 0)
		status = tw_fail(err, TW_NOMEM, "out of memory for kernel times");
	if (status == TW_OK)
		status = tw__needs_check_workers(needs, text, err);
	if (status == TW_OK)
		status = tw__needs_models(models, needs, text, err);
	free(text);
	tw__family_close(family);
	return status;
}
