#include "draws.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registry.h"

/* Half of the random numbers are uniform, the others are log-uniform from the lower end on. */
static double random_between(struct tw__random *r, double low, double high)
{
	double part = tw__random_uniform(r);
	if (tw__random_below(r, 2))
		part = pow(10, -15 * part);
	return fmin(low + part * (high - low), high);
}

static double number(struct tw__random *r, enum which_value which, double low, double high)
{
	return which == LEAST ? low : which == GREATEST ? high : random_between(r, low, high);
}

static void write_word(struct tw__random *r, const char *choices, enum which_value which, char *value)
{
	uint32_t n = 1, at;
	for (const char *c = choices; *c; c++)
		n += *c == '|';
	at = which == LEAST ? 0 : which == GREATEST ? n - 1 : tw__random_below(r, n);
	while (at--)
		choices = strchr(choices, '|') + 1;
	snprintf(value, VALUE_BYTES, "%.*s", (int)strcspn(choices, "|"), choices);
}

void write_value(struct tw__random *r, const struct tw_param *p, enum which_value which, char value[VALUE_BYTES])
{
	bool limited = p->min != 0 || p->max != 0, above = limited && p->max >= p->min && isfinite(p->max);
	bool below = limited && isfinite(p->min);
	switch (p->type) {
	case TW_PARAM_INT: {
		double chosen = number(r, which, below ? p->min : -0x1p63, above ? p->max : 0x1p63);
		int64_t integer = chosen >= 0x1p63 ? INT64_MAX : (int64_t)chosen;
		snprintf(value, VALUE_BYTES, "%" PRId64, integer);
		break;
	}
	case TW_PARAM_BYTES: {
		double bytes = number(r, which, below ? p->min : 0, above ? p->max : 0x1p62);
		snprintf(value, VALUE_BYTES, "%" PRIu64, (uint64_t)bytes);
		break;
	}
	case TW_PARAM_REAL:
	case TW_PARAM_TIME:
		snprintf(value, VALUE_BYTES, "%.17g",
		         number(r, which, below ? p->min : -DBL_MAX / 2, above ? p->max : DBL_MAX / 2));
		break;
	case TW_PARAM_FLAG:
		write_word(r, "no|yes", which, value);
		break;
	case TW_PARAM_CHOICE:
		write_word(r, p->choices, which, value);
		break;
	case TW_PARAM_TEXT:
		write_word(r, strcmp(p->name, "launch_blocks") ? "|potrf|potrf+kernel0|none" : "|potrf=1ms|kernel0=9us",
		           which, value);
		break;
	case TW_PARAM_POLICY:
		write_word(r, "eager|prio|lws|dmdas|heft|darts|compose", which, value);
		break;
	}
}

const struct tw_eviction *draw_eviction(struct tw__random *r)
{
	const struct tw_eviction *drawn = NULL;
	uint32_t n = 0;
	for (int e = 0; tw__evictions[e]; e++)
		if (tw__random_below(r, ++n) == 0)
			drawn = tw__evictions[e];
	return drawn;
}

const struct tw_policy *draw_policy(struct tw__random *r)
{
	const struct tw_policy *drawn = NULL;
	uint32_t n = 0;
	for (int p = 0; tw__policies[p]; p++)
		if (tw__random_below(r, ++n) == 0)
			drawn = tw__policies[p];
	return drawn;
}
