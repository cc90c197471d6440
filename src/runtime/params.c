#include "runtime/params.h"

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

int tw__runtime_params_init(struct tw__runtime_params *p, const char *text, struct tw_error *err)
{
	*p = (struct tw__runtime_params){0};
	struct tw__spec spec;
	int status = tw__spec_parse(&spec, text, err);
	if (status != TW_OK)
		return status;
	const struct tw_param *table = tw__runtime_profile_params(spec.name);
	if (!table) {
		status = tw_fail(err, TW_INVALID, "runtime '%s': unknown profile, expected starpu or ideal", spec.name);
	} else {
		char what[64] = "runtime 'starpu'";
		if (table == ideal)
			strcpy(what, "runtime 'ideal'");
		status = tw__args_create(&p->args, what, table, &spec, err);
	}
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
