#include "platform/choice.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/spec.h"
#include "platform/raw.h"

int tw__count_driven(const struct tw__platform *all, int gpus)
{
	int n = 0;
	for (int w = 0; w < gpus; w++)
		n += !all->workers[w].undriven;
	return n;
}

tw_node tw__memory_named(const struct tw__platform *p, const char *name)
{
	for (tw_node n = 0; n < p->n_nodes; n++)
		if (strcmp(p->nodes[n].name, name) == 0)
			return n;
	for (tw_node n = 0; n < p->n_nodes; n++)
		if (strcasecmp(p->nodes[n].name, name) == 0)
			return n;
	return TW_NONE;
}

/* Parses the number of cores between `from` and `end`. false: it is not a number from 1 to TW__MAX_WORKERS. */
static bool parse_cores(int *cores, const char *from, const char *end)
{
	char digits[16];
	size_t length = (size_t)(end - from);
	int64_t number;
	struct tw_error ignored;
	if (length >= sizeof digits)
		return false;
	memcpy(digits, from, length);
	digits[length] = '\0';
	if (tw__parse_int(&number, digits, &ignored) < 0 || number < 1 || number > TW__MAX_WORKERS)
		return false;
	*cores = (int)number;
	return true;
}

int tw__groups_parse(int **cores, int *n, const char *text, struct tw_error *err)
{
	size_t most = 1;
	for (const char *c = text; *c; c++)
		most += *c == '+';
	*n = 0;
	*cores = tw_alloc(most, sizeof **cores);
	for (const char *from = text;; from++) {
		const char *end = from + strcspn(from, "+");
		if (!parse_cores(&(*cores)[(*n)++], from, end)) {
			free(*cores);
			*cores = NULL;
			return tw_fail(err, TW_INVALID,
			               "--cpu-groups '%.80s': expected numbers of cores from 1 to %d, joined by '+', "
			               "as in 10+5+5",
			               text, TW__MAX_WORKERS);
		}
		if (!*end)
			return TW_OK;
		from = end;
	}
}

/* Reads N and F of a parsed text. false: it is none of the form. */
static bool read_gpu_workers(int *n, double *slowdown, const struct tw__spec *spec)
{
	int64_t number;
	struct tw_error ignored;
	if (tw__parse_int(&number, spec->name, &ignored) < 0 || number < 1 || number > TW__MOST_GPU_WORKERS)
		return false;
	*n = (int)number;
	*slowdown = (double)number;
	if (spec->n == 0)
		return true;
	const struct tw__spec_item *item = spec->items;
	return spec->n == 1 && item->key && strcmp(item->key, "slowdown") == 0 &&
	       tw__parse_real(slowdown, item->value, &ignored) == TW_OK && *slowdown >= 1 && *slowdown <= 1e6;
}

int tw__gpu_workers_parse(int *n, double *slowdown, const char *text, struct tw_error *err)
{
	struct tw__spec spec;
	struct tw_error ignored;
	*n = 1;
	*slowdown = 1;
	if (!text)
		return TW_OK;
	bool right = tw__spec_parse(&spec, text, &ignored) == TW_OK;
	if (right) {
		right = read_gpu_workers(n, slowdown, &spec);
		tw__spec_finish(&spec);
	}
	return right ? TW_OK
	             : tw_fail(err, TW_INVALID,
	                       "--gpu-workers '%.80s': expected a number from 1 to %d, or N:slowdown=F with F from 1 "
	                       "to 1e6, as in 4:slowdown=2.5",
	                       text, TW__MOST_GPU_WORKERS);
}

int tw__bounds_parse(struct tw__bounds *bounds, const char *text, struct tw_error *err)
{
	int status = TW_OK;
	bounds->n = 0;
	for (const char *rest = text; rest && status == TW_OK;) {
		char *word = tw__next_word(&rest), *equals = strrchr(word, '=');
		struct tw__bound *bound = &bounds->of[bounds->n];
		size_t length = equals ? (size_t)(equals - word) : 0;
		if (length == 0 || length >= sizeof bound->node)
			status = tw_fail(err, TW_INVALID, "--mem '%.200s': expected NODE=SIZE, as in RAM=16GiB", word);
		else if (bounds->n == TW__MOST_BOUNDS)
			status = tw_fail(err, TW_INVALID, "--mem '%.200s': expected this option at most %d times", word,
			                 TW__MOST_BOUNDS);
		else if (tw__parse_bytes(&bound->bytes, equals + 1, err) < 0 || bound->bytes == 0)
			status = tw_fail(err, TW_INVALID,
			                 "--mem '%.200s': expected a size of at least one byte, as in RAM=16GiB", word);
		if (status == TW_OK) {
			memcpy(bound->node, word, length);
			bound->node[length] = '\0';
			bounds->n++;
		}
		free(word);
	}
	return status;
}
