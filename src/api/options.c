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
	return f->commands & TW__FOR_RUN && f->type != TW__FIELD_OF_FILES && f->type != TW__FIELD_PART &&
	       f->type != TW__FIELD_REPETITIONS && !(f->flags & TW__SCENE) == !of_scene;
}

static const char *name_at(const void *of_scene, int i)
{
	for (const struct tw__field *f = tw__fields; f->name; f++)
		if (is_option(f, *(const bool *)of_scene) && i-- == 0)
			return f->name;
	return NULL;
}

const char *tw_platform_option(int option)
{
	const bool of_scene = true;
	return option >= 0 ? name_at(&of_scene, option) : NULL;
}

struct taking {
	struct tw__options *options;
	bool of_scene, own_eviction;
};

static int take(void *of, const char *name, const char *given, struct tw_error *err)
{
	const struct taking *t = of;
	struct tw__options *o = t->options;
	const struct tw__field *f = tw__field_of(name);
	if (f && is_option(f, !t->of_scene))
		return tw_fail(err, TW_INVALID, "option '%.60s': expected it %s", name,
		               t->of_scene ? "with the run" : "with the platform");
	if (!f || !is_option(f, t->of_scene))
		return tw__unknown_name_in("option", name, name_at, &t->of_scene, err);
	if (!given && f->type != TW__FIELD_YES)
		return tw__option_lacks_value(name, f->value, err);
	const char *value = given ? strcpy(tw__arena_alloc(&o->texts, strlen(given) + 1, 1), given) : NULL;
	if (t->own_eviction && strcmp(name, "eviction") == 0)
		return tw__field_set(f, &o->inputs.common, value, err);
	return tw__inputs_take(&o->inputs, 0, f, value, err);
}

int tw__options_take(struct tw__options *o, const char *const *options, bool of_scene, bool own_eviction,
                     struct tw_error *err)
{
	return tw__options_each(options, take, &(struct taking){o, of_scene, own_eviction}, err);
}

/* --- options in general ------------------------------------------------------------------------------------------- */

int tw__option_lacks_value(const char *name, const char *value, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "option '%.60s': expected a value, as in '%s=%s'", name, name, value);
}

int tw__option_has_value(const char *name, const char *value, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "option '%.60s=%.60s': expected no value", name, value);
}

int tw__options_each(const char *const *options, tw__option_fn *take_one, void *of, struct tw_error *err)
{
	int status = TW_OK;
	for (; options && *options && status == TW_OK; options++) {
		char name[TW__NEAREST_BYTES];
		size_t length = strcspn(*options, "=");
		snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), *options);
		status = take_one(of, name, (*options)[length] ? *options + length + 1 : NULL, err);
	}
	return status;
}

int tw__complete_structure(void *to, size_t size, const void *given, const char *name, struct tw_error *err)
{
	const size_t its_size = *(const size_t *)given;
	if (its_size < sizeof its_size || its_size > size)
		return tw_fail(err, TW_INVALID, "%s: the size is %zu: expected %zu, as %s_init sets it", name, its_size,
		               size, name);
	memcpy(to, given, its_size);
	return TW_OK;
}
