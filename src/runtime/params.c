#include "runtime/params.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

#define X(name, type, kind, value, low, high, list, text) {#name, TW_PARAM_##kind, value, low, high, list, text},
static const struct tw_param common[] = {TW__RUNTIME_PARAMS(X){0}};
#undef X

/* StarPU 1.4, as its SimGrid port simulates it, with StarPU's own defaults. */
static const struct tw__runtime_model starpu_1_4 = {
	.name = "starpu_1_4",
	.alias = "starpu",
	.summary = "costs and limits of StarPU 1.4, with its own defaults",
	.values = "submit_cost=1us:push_cost=1us:fetch_cost=1us:poll_cost=1us:kernel_queue_cost=10us:"
		  "transfer_queue_cost=10us:alloc_cost=175us:chunk_bytes=32MiB:chunk_overlooks=yes:"
		  "chunk_data_bytes=4MiB:memory_fraction=0.9:sync_kernels=potrf+getrf:demand_limit=5:"
		  "prefetch_limit=2:conflicts=gpu_pair:link_shares=latency:contention=2:idle_write_back=yes:"
		  "clean_low=0.05:clean_high=0.1:keeps_invalid=yes:prefetch_evicts=yes:prefetch_apart=yes:"
		  "reclaim_copies=2:reclaim_blocks=yes:cpus_race=yes:order=id:message_cost=1us:send_limit=10:"
		  "early_messages=yes:receive_chunk_bytes=32MiB:receive_chunk_cost=20.8ms",
};

/* As in scheduling papers: only kernels and transfers cost time. */
static const struct tw__runtime_model ideal = {
	.name = "ideal",
	.summary = "the plain model of papers: nothing costs time, one transfer at a time per pair",
};

/* This project's own runtime, with limits that suit a real machine. */
static const struct tw__runtime_model real = {
	.name = "real",
	.summary = "this project's own runtime: nothing is modelled, and with the real engine everything costs what "
		   "it does",
	.values = "chunk_data_bytes=4MiB:demand_limit=5:prefetch_limit=2:idle_write_back=yes:clean_low=0.05:"
		  "clean_high=0.1:prefetch_evicts=yes",
};

const struct tw__runtime_model *const tw__runtime_models[] = {&starpu_1_4, &ideal, &real, NULL};

const struct tw__runtime_model *tw__runtime_model(const char *name)
{
	for (int i = 0; tw__runtime_models[i]; i++) {
		const struct tw__runtime_model *model = tw__runtime_models[i];
		if (!strcmp(name, model->name) || (model->alias && !strcmp(name, model->alias)))
			return model;
	}
	return NULL;
}

const char *tw__runtime_model_name(int i)
{
	for (int m = 0; tw__runtime_models[m]; m++) {
		const struct tw__runtime_model *model = tw__runtime_models[m];
		if (i-- == 0)
			return model->name;
		if (model->alias && i-- == 0)
			return model->alias;
	}
	return NULL;
}

/* Writes the names of all models, as "starpu_1_4, starpu, ideal or real", for a message. */
static void list_models(char *text, size_t size)
{
	size_t used = 0;
	for (int i = 0; tw__runtime_model_name(i) && used < size; i++) {
		const char *between = i == 0 ? "" : tw__runtime_model_name(i + 1) ? ", " : " or ";
		used += (size_t)snprintf(text + used, size - used, "%s%s", between, tw__runtime_model_name(i));
	}
}

static const char *model_at(const void *context, int i)
{
	(void)context;
	return tw__runtime_model_name(i);
}

#define GET_TIME tw_args_seconds
#define GET_BYTES tw_args_bytes
#define GET_REAL tw_args_real
#define GET_INT tw_args_int
#define GET_FLAG tw_args_flag
#define GET_TEXT tw_args_text
#define GET_CHOICE tw_args_text

static bool has(const struct tw__spec *spec, const char *key)
{
	for (int i = 0; i < spec->n; i++)
		if (spec->items[i].key && !strcmp(spec->items[i].key, key))
			return true;
	return false;
}

/* Moves those items from `own` to `spec` whose parameters `spec` does not set. */
static void complete(struct tw__spec *spec, struct tw__spec *own)
{
	spec->items = tw_resize(spec->items, (size_t)(spec->n + own->n), sizeof *spec->items);
	for (int i = 0; i < own->n; i++)
		if (!has(spec, own->items[i].key)) {
			spec->items[spec->n++] = own->items[i];
			own->items[i] = (struct tw__spec_item){0};
		}
}

/* Adds values from the text `values` for parameters that `spec` does not set. Checks the text on its own; `what` names
 * its source in messages, and is NULL for a text of ours. */
static int add_values(struct tw__spec *spec, const char *values, const char *what, struct tw_error *err)
{
	if (!values || !values[0])
		return TW_OK;
	char *text = tw_format("values:%s", values);
	struct tw__spec own;
	int status = tw__spec_parse(&own, text, err);
	free(text);
	if (status != TW_OK)
		return tw_fail(err, status, "%s: %s", what, err->message);
	if (what)
		status = tw__args_check(what, common, &own, err);
	if (status == TW_OK)
		complete(spec, &own);
	tw__spec_finish(&own);
	return status;
}

static int add_platforms(struct tw__spec *spec, const struct tw__platform *platform, struct tw_error *err)
{
	char what[250];
	if (!platform)
		return TW_OK;
	snprintf(what, sizeof what, "%.200s: property 'runtime'", platform->runtime_from);
	return add_values(spec, platform->runtime, what, err);
}

int tw__runtime_params_init(struct tw__runtime_params *p, const char *text, const struct tw__platform *platform,
                            struct tw_error *err)
{
	*p = (struct tw__runtime_params){0};
	struct tw__spec spec;
	int status = tw__spec_parse(&spec, text, err);
	if (status != TW_OK)
		return tw_fail(err, status, "runtime %s", err->message);
	char what[60], names[200], hint[TW__NEAREST_BYTES];
	snprintf(what, sizeof what, "runtime '%.40s'", spec.name);
	p->model = tw__runtime_model(spec.name);
	if (!p->model) {
		list_models(names, sizeof names);
		status = tw_fail(err, TW_INVALID, "%s: unknown model%s, expected %s", what,
		                 tw__nearest_hint(hint, spec.name, model_at, NULL), names);
	}
	const bool contention_said = has(&spec, "contention");
	if (status == TW_OK)
		status = add_platforms(&spec, platform, err);
	if (status == TW_OK)
		status = add_values(&spec, p->model->values, NULL, err);
	if (status == TW_OK)
		status = tw__args_create(&p->args, what, common, &spec, err);
	tw__spec_finish(&spec);
	if (status != TW_OK)
		return status;
#define X(field, type, kind, ...) p->field = GET_##kind(p->args, #field);
	TW__RUNTIME_PARAMS(X)
#undef X
	if (contention_said && strcmp(p->bus, "contention") != 0)
		return tw_fail(err, TW_INVALID, "%s: contention: expected none with bus=%s, which does not use it",
		               what, p->bus);
	struct tw__launch_block block;
	for (const char *at = p->launch_blocks; at && *at;)
		if (!(at = tw__launch_block_next(&block, at)))
			return tw_fail(err, TW_INVALID,
			               "%s: launch_blocks=%.200s: expected KERNEL[@SIZE]=TIME[+...], as in trsm=300us",
			               what, p->launch_blocks);
	return TW_OK;
}

bool tw__runtime_params_cost(const struct tw__runtime_params *p)
{
	return p->submit_cost > 0 || p->push_cost > 0 || p->fetch_cost > 0 || p->poll_cost > 0 ||
	       p->kernel_queue_cost > 0 || p->transfer_queue_cost > 0 || p->alloc_cost > 0 || p->turn_cost > 0 ||
	       p->scan_cost > 0 || p->kernel_queue_cost_per_gpu > 0 || p->alloc_cost_per_gpu > 0 || *p->launch_blocks;
}

const char *tw__launch_block_next(struct tw__launch_block *b, const char *text)
{
	char time[40];
	struct tw_error ignored;
	int length = (int)strcspn(text, "+"), name = (int)strcspn(text, "=+"), kernel = (int)strcspn(text, "@=+");
	*b = (struct tw__launch_block){text, kernel < name ? text + kernel + 1 : NULL, kernel, name - kernel - 1, 0};
	snprintf(time, sizeof time, "%.*s", length > name ? length - name - 1 : 0, text + name + 1);
	if (!kernel || length - name - 1 >= (int)sizeof time || tw__parse_seconds(&b->seconds, time, &ignored) < 0 ||
	    !(b->seconds >= 0 && b->seconds <= 1))
		return NULL;
	return text + length + (text[length] == '+');
}

static bool is_text(const char *text, const char *part, int length)
{
	return !strncmp(text, part, (size_t)length) && !text[length];
}

double tw__launch_block_s(const struct tw__runtime_params *p, const char *kernel, const char *size)
{
	struct tw__launch_block b;
	double seconds = 0;
	for (const char *at = p->launch_blocks; *at;) {
		at = tw__launch_block_next(&b, at);
		if (is_text(kernel, b.kernel, b.kernel_length) && (!b.size || is_text(size, b.size, b.size_length)))
			seconds = b.seconds;
	}
	return seconds;
}

void tw__runtime_params_finish(struct tw__runtime_params *p)
{
	tw__args_destroy(p->args);
	*p = (struct tw__runtime_params){0};
}

int tw__runtime_params_table(const struct tw__runtime_model *model, struct tw_param table[TW__N_RUNTIME_PARAMS + 1],
                             struct tw__spec *keep, struct tw_error *err)
{
	memcpy(table, common, sizeof common);
	int status = tw__spec_parse(keep, model->name, err);
	if (status == TW_OK)
		status = add_values(keep, model->values, NULL, err);
	for (int i = 0; status == TW_OK && i < TW__N_RUNTIME_PARAMS; i++)
		for (int k = 0; k < keep->n; k++)
			if (!strcmp(keep->items[k].key, table[i].name))
				table[i].fallback = keep->items[k].value;
	return status;
}

int tw__decision_cost_parse(double *factor, const char *text, struct tw_error *err)
{
	char *end;
	*factor = strcmp(text, "counted") == 0;
	if (*factor > 0 || strcmp(text, "none") == 0)
		return TW_OK;
	*factor = isdigit((unsigned char)text[0]) ? strtod(text, &end) : -1;
	if (*factor >= 0 && *factor <= 1e6 && !*end)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "decision-cost '%.200s': expected none, counted or a factor from 0 to 1e6",
	               text);
}

enum tw__link_shares tw__run_link_shares(const struct tw__runtime_params *params)
{
	return strcmp(params->link_shares, "latency") ? TW__SHARES_EQUAL : TW__SHARES_BY_LATENCY;
}
