/* Options that a program gives as texts, "NAME=VALUE": those of `tilewright run`. */
#include <string.h>

#include "api/api.h"
#include "base/nearest.h"

void tw__options_init(struct tw__options *o, const struct tw__request *before)
{
	*o = (struct tw__options){0};
	tw__inputs_init(&o->inputs);
	if (before)
		o->inputs.common = *before;
}

void tw__options_finish(struct tw__options *o)
{
	tw__inputs_finish(&o->inputs);
	tw__arena_finish(&o->texts);
}

/* Whether a program gives the input as an option, and not as an argument of its own. */
static bool is_option(const struct tw__field *f, bool of_scene)
{
	static const char *const arguments[] = {"platform", "workload", "policy"};
	for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
		if (strcmp(f->name, arguments[i]) == 0)
			return false;
	return f->commands & TW__FOR_RUN && f->type != TW__FIELD_OF_FILES && f->type != TW__FIELD_REPETITIONS &&
	       !(f->flags & TW__SCENE) == !of_scene;
}

static const char *name_at(const void *of_scene, int i)
{
	for (const struct tw__field *f = tw__fields; f->name; f++)
		if (is_option(f, *(const bool *)of_scene) && i-- == 0)
			return f->name;
	return NULL;
}

static int take(struct tw__options *o, const char *option, bool of_scene, bool own_eviction, struct tw_error *err)
{
	size_t length = strcspn(option, "=");
	char *name = tw__arena_alloc(&o->texts, strlen(option) + 1, 1);
	strcpy(name, option);
	const char *value = name[length] ? name + length + 1 : NULL;
	name[length] = '\0';
	const struct tw__field *f = tw__field_of(name);
	if (f && is_option(f, !of_scene))
		return tw_fail(err, TW_INVALID, "option '%.60s': expected it %s", name,
		               of_scene ? "with the run" : "with the platform");
	if (!f || !is_option(f, of_scene))
		return tw__unknown_name_in("option", name, name_at, &of_scene, err);
	if (!value && f->type != TW__FIELD_YES)
		return tw_fail(err, TW_INVALID, "option '%.60s': expected a value, as in '%s=%s'", name, name,
		               f->value);
	if (own_eviction && strcmp(name, "eviction") == 0)
		return tw__field_set(f, &o->inputs.common, value, err);
	return tw__inputs_take(&o->inputs, 0, f, value, err);
}

int tw__options_take(struct tw__options *o, const char *const *options, bool of_scene, bool own_eviction,
                     struct tw_error *err)
{
	int status = TW_OK;
	for (; options && *options && status == TW_OK; options++)
		status = take(o, *options, of_scene, own_eviction, err);
	return status;
}
