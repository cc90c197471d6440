#include "perf/factors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/spec.h"
#include "perf/rows.h"

/* --- the options -------------------------------------------------------------------------------------------------- */

static bool is_speedup(double factor) { return factor > 0 && !isinf(factor); }
static bool is_part(double fraction) { return fraction >= 0 && fraction <= 1; }

const struct tw__factor_option tw__speedup_option = {
	.name = "speedup",
	.expected = "KERNEL=FACTOR or KERNEL@ARCH=FACTOR, with a number above 0",
	.is_valid = is_speedup,
	.accelerators = true,
	.unused = "its tasks have no seconds recorded on processors, or other times there",
};

const struct tw__factor_option tw__amdahl_option = {
	.name = "amdahl",
	.expected = "KERNEL=FRACTION or KERNEL@ARCH=FRACTION, with a number from 0 to 1",
	.is_valid = is_part,
	.unused = "no cores run it together, it has no time on one, or its times on several are measured",
};

const struct tw__factor_option tw__time_factor_option = {
	.name = "time-factor",
	.expected = "KERNEL=FACTOR or KERNEL@ARCH=FACTOR, with a number above 0",
	.is_valid = is_speedup,
	.unused = "it has no time there",
};

/* --- the list ----------------------------------------------------------------------------------------------------- */

/* Takes the item "KERNEL[@ARCHS]=NUMBER", which the list then owns. */
static int add(struct tw__factors *list, char *text, struct tw_error *err)
{
	struct tw__factor *s = &list->of[list->n++];
	struct tw_error ignored;
	*s = (struct tw__factor){.kernel = text};
	char *equals = strrchr(text, '=');
	if (!equals || equals == text || tw__parse_real(&s->value, equals + 1, &ignored) < 0 ||
	    !list->option->is_valid(s->value))
		return tw_fail(err, TW_INVALID, "--%s '%.200s': expected %s", list->option->name, text,
		               list->option->expected);
	*equals = '\0';
	for (int i = 0; i < list->n - 1; i++)
		if (strcmp(list->of[i].kernel, text) == 0)
			return tw_fail(err, TW_INVALID, "--%s '%.200s': expected it once, it has two factors",
			               list->option->name, text);
	return TW_OK;
}

int tw__factors_parse(struct tw__factors *list, const struct tw__factor_option *option, const char *text,
                      struct tw_error *err)
{
	size_t most = 1;
	*list = (struct tw__factors){.option = option};
	for (const char *c = text; *c; c++)
		most += *c == ',';
	list->of = tw_alloc(most, sizeof *list->of);
	int status = TW_OK;
	while (status == TW_OK && text)
		status = add(list, tw__next_word(&text), err);
	return status;
}

void tw__factors_finish(struct tw__factors *list)
{
	for (int i = 0; i < list->n; i++)
		free(list->of[i].kernel);
	free(list->of);
	*list = (struct tw__factors){0};
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static const char *kernel_at(const void *context, int i)
{
	const struct tw_graph *g = context;
	return i < g->n_kernels ? g->kernels[i].name : NULL;
}

static const char *arch_at(const void *context, int i)
{
	const struct tw__platform *p = context;
	return i < p->n_archs ? p->archs[i].name : NULL;
}

static bool has_kernel(const struct tw_graph *g, const char *name)
{
	bool found = strcmp(name, "*") == 0;
	for (tw_kernel k = 0; k < g->n_kernels && !found; k++)
		found = strcmp(g->kernels[k].name, name) == 0;
	return found;
}

static int unknown(const struct tw__factors *list, const char *what, const char *name,
                   const char *(*name_at)(const void *, int), const void *context, struct tw_error *err)
{
	char known[320], hint[TW__NEAREST_BYTES];
	return tw_fail(err, TW_INVALID, "--%s: unknown %s '%.60s'%s: expected one of %s", list->option->name, what,
	               name, tw__nearest_hint(hint, name, name_at, context),
	               tw__list_names(known, sizeof known, name_at, context));
}

static int bind(const struct tw__factors *list, struct tw__factor *s, const struct tw_graph *g, struct tw_error *err)
{
	const struct tw__platform *all = list->all;
	if (s->archs) /* an earlier call has parted the text */
		s->kernel[strlen(s->kernel)] = '@';
	s->archs = NULL;
	char *at = has_kernel(g, s->kernel) ? NULL : strrchr(s->kernel, '@'); /* a name may have an @ */
	s->known = !at;
	if (at) {
		*at = '\0';
		s->archs = at + 1;
	}
	for (tw_arch a = 0; a < all->n_archs && !s->known; a++)
		s->known = tw__names_arch(s->archs, &all->archs[a]);
	bool has = has_kernel(g, s->kernel), has_arch = s->known;
	s->known &= has;
	if (!has)
		return unknown(list, "kernel", s->kernel, kernel_at, g, err);
	return has_arch ? TW_OK : unknown(list, "arch", s->archs, arch_at, all, err);
}

int tw__factors_bind(struct tw__factors *list, const struct tw__platform *all, const struct tw_graph *g,
                     struct tw_error *err)
{
	int status = TW_OK;
	struct tw_error later;
	list->all = all;
	for (int i = 0; i < list->n; i++)
		if (!list->of[i].known && bind(list, &list->of[i], g, status == TW_OK ? err : &later) < 0)
			status = TW_INVALID;
	return status;
}

static bool holds_on(const struct tw__factors *list, const struct tw__factor *s, const struct tw__arch *arch)
{
	return s->archs ? tw__names_arch(s->archs, arch) : arch->accelerator == list->option->accelerators;
}

struct tw__factor *tw__factor_of(const struct tw__factors *list, const struct tw__kernel *kernel,
                                 const struct tw__arch *arch)
{
	struct tw__factor *best = NULL;
	int best_rank = 0;
	for (int i = 0; i < list->n; i++) {
		struct tw__factor *s = &list->of[i];
		bool is_kernel = strcmp(s->kernel, kernel->name) == 0;
		int rank = 1 + 2 * is_kernel + !!s->archs;
		if (holds_on(list, s, arch) && (is_kernel || strcmp(s->kernel, "*") == 0) && rank > best_rank) {
			best = s;
			best_rank = rank;
		}
	}
	return best;
}

void tw__factors_tell_unused(const struct tw__factors *list, const struct tw__platform *p, const char *workload)
{
	for (int i = 0; i < list->n; i++) {
		const struct tw__factor *s = &list->of[i];
		bool holds = false;
		for (tw_arch a = 0; a < p->n_archs; a++)
			holds |= holds_on(list, s, &p->archs[a]);
		if (holds && !s->used)
			tw_log(TW_LOG_WARNING, "workload '%.300s': --%s %.60s%s%.60s changes nothing: %s", workload,
			       list->option->name, s->kernel, s->archs ? "@" : "", s->archs ? s->archs : "",
			       s->known ? list->option->unused : "it has no such kernel");
	}
}
