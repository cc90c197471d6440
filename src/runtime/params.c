#include "runtime/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(name, kind, value, low, high, list, text) {name, TW_PARAM_##kind, value, low, high, list, text},

#define TABLE(profile, column) static const struct tw_param profile[] = {TW__RUNTIME_PARAMS(column){0}};

#define STARPU(field, type, kind, starpu, ideal, real, low, high, list, text) \
	ROW(#field, kind, starpu, low, high, list, text)
#define IDEAL(field, type, kind, starpu, ideal, real, low, high, list, text) \
	ROW(#field, kind, ideal, low, high, list, text)
#define REAL(field, type, kind, starpu, ideal, real, low, high, list, text) \
	ROW(#field, kind, real, low, high, list, text)
TABLE(starpu, STARPU)
TABLE(ideal, IDEAL)
TABLE(real, REAL)

static const struct {
	const char *summary;
	const struct tw_param *params;
} profiles[] = {
	{"costs and limits of StarPU 1.4, with its own defaults", starpu},
	{"the plain model of papers: nothing costs time, one transfer at a time per pair", ideal},
	{"this project's own runtime: nothing is modelled, and with the real engine everything costs what it does",
         real},
};

const char *const tw__runtime_profiles[] = {"starpu", "ideal", "real", NULL};

static int find_profile(const char *name)
{
	int i = 0;
	while (tw__runtime_profiles[i] && strcmp(tw__runtime_profiles[i], name) != 0)
		i++;
	return tw__runtime_profiles[i] ? i : -1;
}

const char *tw__runtime_profile_summary(const char *profile)
{
	int i = find_profile(profile);
	return i < 0 ? NULL : profiles[i].summary;
}

const struct tw_param *tw__runtime_profile_params(const char *profile)
{
	int i = find_profile(profile);
	return i < 0 ? NULL : profiles[i].params;
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

/* Moves the items of `own` that `spec` has no value for there. */
static int complete(struct tw__spec *spec, struct tw__spec *own, struct tw_error *err)
{
	struct tw__spec_item *items = reallocarray(spec->items, (size_t)(spec->n + own->n) + 1, sizeof *items);
	if (!items)
		return tw_fail(err, TW_NOMEM, "out of memory");
	spec->items = items;
	for (int i = 0; i < own->n; i++)
		if (!has(spec, own->items[i].key)) {
			items[spec->n++] = own->items[i];
			own->items[i] = (struct tw__spec_item){0};
		}
	return TW_OK;
}

/* The platform's own parameters are checked by themselves, so that the message says whose they are. */
static int add_platform(struct tw__spec *spec, const struct tw_platform *platform, const struct tw_param *table,
                        struct tw_error *err)
{
	if (!platform || !platform->runtime[0])
		return TW_OK;
	char what[250], *text;
	snprintf(what, sizeof what, "%.200s: property 'runtime'", platform->runtime_from);
	if (asprintf(&text, "platform:%s", platform->runtime) < 0)
		return tw_fail(err, TW_NOMEM, "out of memory");
	struct tw__spec own;
	struct tw_args *args = NULL;
	int status = tw__spec_parse(&own, text, err);
	free(text);
	if (status != TW_OK)
		return tw_fail(err, status, "%s: %s", what, err->message);
	status = tw__args_create(&args, what, table, &own, err);
	tw__args_destroy(args);
	if (status == TW_OK)
		status = complete(spec, &own, err);
	tw__spec_finish(&own);
	return status;
}

int tw__runtime_params_init(struct tw__runtime_params *p, const char *text, const struct tw_platform *platform,
                            struct tw_error *err)
{
	*p = (struct tw__runtime_params){0};
	struct tw__spec spec;
	int status = tw__spec_parse(&spec, text, err);
	if (status != TW_OK)
		return status;
	const struct tw_param *table = tw__runtime_profile_params(spec.name);
	if (!table)
		status = tw_fail(err, TW_INVALID, "runtime '%s': unknown profile, expected starpu, ideal or real",
		                 spec.name);
	if (status == TW_OK)
		status = add_platform(&spec, platform, table, err);
	if (status == TW_OK) {
		char what[40];
		p->profile = tw__runtime_profiles[find_profile(spec.name)];
		snprintf(what, sizeof what, "runtime '%s'", p->profile);
		status = tw__args_create(&p->args, what, table, &spec, err);
	}
	tw__spec_finish(&spec);
	if (status != TW_OK)
		return status;
#define X(field, type, kind, ...) p->field = GET_##kind(p->args, #field);
	TW__RUNTIME_PARAMS(X)
#undef X
	return TW_OK;
}

bool tw__runtime_params_cost(const struct tw__runtime_params *p)
{
	return p->submit_cost > 0 || p->push_cost > 0 || p->fetch_cost > 0 || p->poll_cost > 0 ||
	       p->kernel_queue_cost > 0 || p->transfer_queue_cost > 0 || p->alloc_cost > 0 || p->turn_cost > 0;
}

void tw__runtime_params_finish(struct tw__runtime_params *p)
{
	tw__args_destroy(p->args);
	*p = (struct tw__runtime_params){0};
}
