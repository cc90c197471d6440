/* The values of a plug-in's parameters, from the user or the defaults, checked against the plug-in's table. */
#include "base/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/door.h"

struct value {
	char *text;
	bool given;
	int64_t integer;
	double real; /* value of a parameter of type REAL, or of type TIME, in seconds */
	uint64_t bytes;
	bool flag;
	struct tw__args_policy of; /* of a parameter of type POLICY */
};

struct tw_args {
	const struct tw_param *params; /* the plug-in's table of parameters */
	int n;
	struct value *values; /* [n]: the value of each entry of `params` */
};

static int find_param(const struct tw_param *params, const char *name)
{
	for (int i = 0; params && params[i].name; i++)
		if (*params[i].name == *name && strcmp(params[i].name, name) == 0)
			return i;
	return -1;
}

static bool has_lower(const struct tw_param *p) { return (p->min != 0 || p->max != 0) && isfinite(p->min); }

static bool has_upper(const struct tw_param *p)
{
	return (p->min != 0 || p->max != 0) && p->max >= p->min && isfinite(p->max);
}

const char *tw__param_range(const struct tw_param *p, char *text, size_t room)
{
	const char *unit = p->type == TW_PARAM_BYTES ? " bytes" : p->type == TW_PARAM_TIME ? " s" : "";
	text[0] = '\0';
	if (has_lower(p) && has_upper(p))
		snprintf(text, room, "from %.15g to %.15g%s", p->min, p->max, unit);
	else if (has_lower(p))
		snprintf(text, room, ">= %.15g%s", p->min, unit);
	else if (has_upper(p))
		snprintf(text, room, "<= %.15g%s", p->max, unit);
	return text;
}

/* Checks a parsed number against the limits of its parameter. `status` is the result of parsing the number. A text that
 * is no number ("abc") and a number outside the limits get the same message, with the expected range. */
static int check_range(const struct tw_param *p, int status, double number, const char *noun, struct tw_error *err)
{
	bool lower = has_lower(p), upper = has_upper(p);
	char range[TW__RANGE_BYTES];
	if (status < 0 && !lower && !upper)
		return status;
	if (status == TW_OK && !(lower && number < p->min) && !(upper && number > p->max))
		return TW_OK;
	return tw_fail(err, TW_INVALID, "expected %s %s", noun, tw__param_range(p, range, sizeof range));
}

static int check_choice(const struct tw_param *p, const char *text, struct tw_error *err)
{
	size_t length = strlen(text);
	for (const char *choice = p->choices; choice;) {
		size_t n = strcspn(choice, "|");
		if (n == length && memcmp(choice, text, n) == 0)
			return TW_OK;
		choice = choice[n] ? choice + n + 1 : NULL;
	}
	return tw_fail(err, TW_INVALID, "expected one of %s", p->choices ? p->choices : "(none)");
}

/* Parses `text` as a value of the parameter and checks its limits. The error message is "expected ...". */
static int convert(struct value *value, const struct tw_param *p, const char *text, struct tw_error *err)
{
	int status;
	switch (p->type) {
	case TW_PARAM_INT:
		status = tw__parse_int(&value->integer, text, err);
		return check_range(p, status, (double)value->integer, "an integer", err);
	case TW_PARAM_REAL:
		status = tw__parse_real(&value->real, text, err);
		return check_range(p, status, value->real, "a number", err);
	case TW_PARAM_BYTES: /* for a text that is no size, the message says which units are known, not the limits */
		status = tw__parse_bytes(&value->bytes, text, err);
		return status < 0 ? status : check_range(p, status, (double)value->bytes, "a size", err);
	case TW_PARAM_TIME:
		status = tw__parse_seconds(&value->real, text, err);
		return status < 0 ? status : check_range(p, status, value->real, "a time", err);
	case TW_PARAM_FLAG:
		return tw__parse_flag(&value->flag, text, err);
	case TW_PARAM_CHOICE:
		return check_choice(p, text, err);
	case TW_PARAM_TEXT:
	case TW_PARAM_POLICY: /* found later (request/plugins.c) */
		return TW_OK;
	}
	return tw_fail(err, TW_INVALID, "expected a known type in the table of parameters");
}

/* Writes the names of all parameters to `text`, such as "nt, nb, priority", truncated to `size` bytes. */
static const char *list_names(const struct tw_param *params, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (int i = 0; params[i].name && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", params[i].name);
	return text;
}

static const char *name_at(const void *params, int i) { return ((const struct tw_param *)params)[i].name; }

static int unknown_key(const char *what, const struct tw_param *params, const char *key, struct tw_error *err)
{
	char names[400], hint[TW__NEAREST_BYTES];
	if (!params || !params[0].name)
		return tw_fail(err, TW_INVALID, "%s: unknown parameter '%.60s': it takes none", what, key);
	return tw_fail(err, TW_INVALID, "%s: unknown parameter '%.60s'%s: expected one of %s", what, key,
	               tw__nearest_hint(hint, key, name_at, params), list_names(params, names, sizeof names));
}

static int take_item(struct tw_args *args, const char *what, const struct tw__spec_item *item, struct tw_error *err)
{
	int i = item->key ? find_param(args->params, item->key) : 0;
	if (i < 0)
		return unknown_key(what, args->params, item->key, err);
	if (!item->key && (args->n == 0 || args->params[0].type != TW_PARAM_TEXT))
		return tw_fail(err, TW_INVALID, "%s: '%.200s': expected KEY=VALUE", what, item->value);

	const struct tw_param *p = &args->params[i];
	struct value *value = &args->values[i];
	if (value->given)
		return tw_fail(err, TW_INVALID, "%s: parameter '%s' is given twice: expected it once", what, p->name);
	int status = convert(value, p, item->value, err);
	if (status < 0)
		return tw_fail(err, status, "%s: %s=%.200s: %s", what, p->name, item->value, err->message);
	value->given = true;
	value->text = tw_copy_text(item->value);
	return TW_OK;
}

static int keep_fallback(struct value *value, const char *what, const struct tw_param *p, struct tw_error *err)
{
	if (!p->fallback)
		return tw_fail(err, TW_INVALID, "%s: parameter '%s' is missing: expected %s=VALUE (%s)", what, p->name,
		               p->name, p->help ? p->help : "no default");
	value->text = tw_copy_text(p->fallback);
	return TW_OK;
}

/* Sets a value to its default, even if the user gives another one, so that the plug-in's author sees a mistake at
 * once. */
static int take_fallback(struct value *value, const char *what, const struct tw_param *p, struct tw_error *err)
{
	int status = p->fallback ? convert(value, p, p->fallback, err) : TW_OK;
	return status < 0 ? tw_fail(err, status, "%s: default %s=%s: %s", what, p->name, p->fallback, err->message)
	                  : TW_OK;
}

/* Creates the values of a specification, without defaults for parameters that it does not give. */
static int take_items(struct tw_args **out, const char *what, const struct tw_param *params,
                      const struct tw__spec *spec, struct tw_error *err)
{
	*out = NULL;
	struct tw_args *args = tw_alloc(1, sizeof *args);
	int status = TW_OK;
	args->params = params;
	while (params && params[args->n].name)
		args->n++;
	args->values = tw_alloc((size_t)args->n, sizeof *args->values);
	for (int i = 0; status == TW_OK && i < args->n; i++)
		status = take_fallback(&args->values[i], what, &params[i], err);
	for (int i = 0; status == TW_OK && i < spec->n; i++)
		status = take_item(args, what, &spec->items[i], err);
	if (status < 0)
		tw__args_destroy(args);
	else
		*out = args;
	return status;
}

int tw__args_create(struct tw_args **out, const char *what, const struct tw_param *params, const struct tw__spec *spec,
                    struct tw_error *err)
{
	int status = take_items(out, what, params, spec, err);
	for (int i = 0; status == TW_OK && i < (*out)->n; i++)
		if (!(*out)->values[i].given)
			status = keep_fallback(&(*out)->values[i], what, &params[i], err);
	if (status < 0) {
		tw__args_destroy(*out);
		*out = NULL;
	}
	return status;
}

int tw__args_check(const char *what, const struct tw_param *params, const struct tw__spec *spec, struct tw_error *err)
{
	struct tw_args *args;
	int status = take_items(&args, what, params, spec, err);
	tw__args_destroy(args);
	return status;
}

void tw__args_destroy(struct tw_args *args)
{
	if (!args)
		return;
	for (int i = 0; args->values && i < args->n; i++) {
		free(args->values[i].text);
		tw__args_destroy(args->values[i].of.args);
	}
	free(args->values);
	free(args);
}

struct tw__args_policy *tw__args_next_policy(const struct tw_args *args, int *i)
{
	while (args && *i < args->n) {
		const struct tw_param *p = &args->params[*i];
		struct value *value = &args->values[(*i)++];
		if (p->type != TW_PARAM_POLICY)
			continue;
		value->of.param = p->name;
		value->of.text = value->text;
		return &value->of;
	}
	return NULL;
}

/* Returns the value of a parameter whose type must be one of `types`, a bit set: bit t is for enum tw_param_type t. */
static const struct value *get(const struct tw_args *args, const char *name, unsigned types)
{
	static const struct value none = {.text = (char *)(uintptr_t) ""};
	int i = args && name ? find_param(args->params, name) : -1;
	if (i >= 0 && (types & 1u << args->params[i].type))
		return &args->values[i];
	tw__wrong_call("a plug-in reads the parameter '%.60s', which its table %s", name ? name : "(NULL)",
	               i < 0 ? "lacks: expected it there" : "has with another type: expected the type that is read");
	return &none;
}

int64_t tw_args_int(const struct tw_args *args, const char *name)
{
	return get(args, name, 1u << TW_PARAM_INT)->integer;
}

double tw_args_real(const struct tw_args *args, const char *name) { return get(args, name, 1u << TW_PARAM_REAL)->real; }

uint64_t tw_args_bytes(const struct tw_args *args, const char *name)
{
	return get(args, name, 1u << TW_PARAM_BYTES)->bytes;
}

double tw_args_seconds(const struct tw_args *args, const char *name)
{
	return get(args, name, 1u << TW_PARAM_TIME)->real;
}

bool tw_args_flag(const struct tw_args *args, const char *name) { return get(args, name, 1u << TW_PARAM_FLAG)->flag; }

const char *tw_args_text(const struct tw_args *args, const char *name)
{
	return get(args, name, 1u << TW_PARAM_TEXT | 1u << TW_PARAM_CHOICE | 1u << TW_PARAM_POLICY)->text;
}

bool tw_args_given(const struct tw_args *args, const char *name) { return get(args, name, ~0u)->given; }
