#include "runtime/params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROW(name, kind, value, low, high, list, text) {name, TW_PARAM_##kind, value, low, high, list, text},

static const struct tw_param starpu[] = {
#define X(field, type, kind, starpu, ideal, low, high, list, text) ROW(#field, kind, starpu, low, high, list, text)
	TW__RUNTIME_PARAMS(X)
#undef X
		{0},
};

static const struct tw_param ideal[] = {
#define X(field, type, kind, starpu, ideal, low, high, list, text) ROW(#field, kind, ideal, low, high, list, text)
	TW__RUNTIME_PARAMS(X)
#undef X
		{0},
};

const char *const tw__runtime_profiles[] = {"starpu", "ideal", NULL};

const char *tw__runtime_profile_summary(const char *profile)
{
	return !strcmp(profile, "starpu") ? "costs and limits of StarPU 1.4, with its own defaults"
	       : !strcmp(profile, "ideal")
	               ? "the plain model of papers: nothing costs time, one transfer at a time per pair"
	               : NULL;
}

const struct tw_param *tw__runtime_profile_params(const char *profile)
{
	return !strcmp(profile, "starpu") ? starpu : !strcmp(profile, "ideal") ? ideal : NULL;
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
	if (!platform->runtime[0])
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
		status = tw_fail(err, TW_INVALID, "runtime '%s': unknown profile, expected starpu or ideal", spec.name);
	if (status == TW_OK)
		status = add_platform(&spec, platform, table, err);
	if (status == TW_OK)
		status = tw__args_create(&p->args, table == ideal ? "runtime 'ideal'" : "runtime 'starpu'", table,
		                         &spec, err);
	tw__spec_finish(&spec);
	if (status != TW_OK)
		return status;
	p->profile = table == starpu ? "starpu" : "ideal";
#define X(field, type, kind, ...) p->field = GET_##kind(p->args, #field);
	TW__RUNTIME_PARAMS(X)
#undef X
	return TW_OK;
}

void tw__runtime_params_finish(struct tw__runtime_params *p)
{
	tw__args_destroy(p->args);
	*p = (struct tw__runtime_params){0};
}
