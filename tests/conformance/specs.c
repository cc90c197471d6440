#include "specs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "draws.h"
#include "runtime/params.h"

uint32_t draw_below(struct tw__random *r, uint32_t n) { return tw__random_below(r, n); }

int draw_from(struct tw__random *r, int low, int high) { return low + (int)draw_below(r, (uint32_t)(high - low + 1)); }

double draw_between(struct tw__random *r, double low, double high)
{
	return low + (high - low) * tw__random_uniform(r);
}

double draw_magnitude(struct tw__random *r, double low, double high)
{
	return low * pow(high / low, tw__random_uniform(r));
}

/* --- workloads -------------------------------------------------------------------------------------------------- */

/* Workload specifications with [LOW,HIGH] for a random number and [a|b|c] for one of several words. */
static const char *const workloads[] = {
	"cholesky:nt=[1,6]",
	"cholesky:nt=[1,6]:order=[panels|columns|antidiagonals]:flush=[yes|no]",
	"cholesky_taskset:nt=[3,8]",
	"lu:nt=[1,5]",
	"qr:nt=[1,4]:mt=[4,6]:tree=[flat|binary]:copy_diagonal=[yes|no]",
	"stencil:nz=24:nx=32:ny=32:blocks=[1|2|4|6|8]:iterations=[1,5]:halo=[1,3]",
	"matmul2d:nt=[1,6]:output=[yes|no]:order=[natural|random]",
	"matmul3d:nt=[1,4]",
	"forkjoin:width=[1,10]:stages=[1,5]",
	"reduction:n=[1,20]",
	"chain:n=[1,20]:handles=[one|many]",
	"star:n=[1,40]",
	"grid:n=[1,60]",
	"independent:n=[1,40]",
	"life:nx=8:ny=8:nz=32:blocks=[1|2|4|8]:iterations=[1,6]",
	"sparse:nt=[1,8]:seed=[1,99]",
	"layered:n=[1,90]:seed=[1,1000000]:fat=0.[1,9]:density=0.[1,9]:jump=[1,4]",
	"layered:n=[1,90]:seed=[1,1000000]:fat=0.[1,9]:density=0.[1,9]:jump=[1,4]",
	"broadcast:nodes=[2,16]:bytes=[1|1KB|10MB]:algorithm=[binomial|flat|chain]",
	"reduce:nodes=[2,16]:bytes=[1|1KB|10MB]:algorithm=[binomial|flat]",
	"allreduce:nodes=[2,9]:bytes=[1|1KB|10MB]:algorithm=[ring|reduce_broadcast]",
	"allreduce:nodes=[2|4|8]:bytes=[1KB|10MB]:algorithm=recursive_doubling",
	"allgather:nodes=[2|4|8]:bytes=[1KB|10MB]:algorithm=[ring|recursive_doubling]",
};
static const char *const priorities[] = {"", "", ":priority=bottom_level", ":priority=submission", ":priority=none"};

/* Replaces "[1,6]" or "[a|b]" at `text` by one of its values. Returns the text behind it. */
static const char *choose(struct tw__random *r, const char *text, char *out)
{
	char inside[64] = "";
	size_t length = strcspn(text, "]");
	memcpy(inside, text + 1, length - 1);
	int low, high;
	if (sscanf(inside, "%d,%d", &low, &high) == 2) {
		sprintf(out, "%d", draw_from(r, low, high));
		return text + length + 1;
	}
	int words = 1;
	for (const char *c = inside; *c; c++)
		words += *c == '|';
	char *word = strtok(inside, "|");
	for (int skip = draw_from(r, 0, words - 1); skip; skip--)
		word = strtok(NULL, "|");
	strcpy(out, word);
	return text + length + 1;
}

void spec_workload(struct tw__random *r, char *spec)
{
	const char *text = DRAW_ONE(r, workloads);
	while (*text) {
		if (*text == '[') {
			text = choose(r, text, spec);
			spec += strlen(spec);
		} else {
			*spec++ = *text++;
		}
	}
	strcpy(spec, DRAW_ONE(r, priorities));
}

/* --- parameters ------------------------------------------------------------------------------------------------- */

static const char *const byte_sizes[] = {"0", "0", "1", "100", "1000", "4KiB", "1MiB", "4MiB", "8MiB", "32MiB", "1GiB"};

/* Draws a value of the parameter that a user may give. Returns false for text parameters. */
static bool write_usual_value(struct tw__random *r, const struct tw_param *p, char *value)
{
	char list[128] = "[";
	bool limited = p->max >= p->min && (p->min != 0 || p->max != 0);
	double high = limited && p->max < p->min + 20 ? p->max : p->min + 20;
	switch (p->type) {
	case TW_PARAM_FLAG:
		strcpy(value, draw_below(r, 2) ? "yes" : "no");
		return true;
	case TW_PARAM_CHOICE:
		choose(r, strcat(strcat(list, p->choices), "]"), value);
		return true;
	case TW_PARAM_INT:
		sprintf(value, "%d", draw_from(r, (int)p->min, (int)high));
		return true;
	case TW_PARAM_REAL:
		sprintf(value, "%.3g", p->min + tw__random_uniform(r) * (high < p->min + 4 ? high - p->min : 4));
		return true;
	case TW_PARAM_TIME:
		sprintf(value, "%.3gs", draw_below(r, 3) ? draw_magnitude(r, 1e-9, 1e-3) : 0.);
		return true;
	case TW_PARAM_BYTES:
		strcpy(value, DRAW_ONE(r, byte_sizes));
		return true;
	default:
		return false;
	}
}

void spec_policy(struct tw__random *r, const struct tw_policy *policy, char *spec)
{
	spec += sprintf(spec, "%s", policy->name);
	for (const struct tw_param *p = policy->params; p && p->name; p++) {
		char value[VALUE_BYTES];
		if (p->type == TW_PARAM_TEXT || draw_below(r, 3))
			continue;
		write_value(r, p, RANDOM, value);
		spec += sprintf(spec, ":%s=%s", p->name, value);
	}
}

#define X(name, type, kind, value, low, high, list, text) {#name, TW_PARAM_##kind, value, low, high, list, text},
static const struct tw_param runtime_params[] = {TW__RUNTIME_PARAMS(X)};
#undef X

static const char *const kernels[] = {"none", "ka", "kb+kd", "potrf+getrf"};
static const char *const blocks[] = {"", "ka=1ms", "kb=20us+kd=7ms", "gemm=300us+trsm@960=1ms"};

void spec_runtime(struct tw__random *r, char *spec)
{
	static const char *const models[] = {"starpu", "starpu", "ideal", "real"};
	/* Half of the specifications change no parameter, or few. */
	static const uint32_t rarity[] = {1000, 40, 10, 3};
	uint32_t rare = DRAW_ONE(r, rarity);
	bool predicts = false; /* whether one of two parameters that exclude each other was drawn */
	spec += sprintf(spec, "%s", DRAW_ONE(r, models));
	for (size_t i = 0; i < sizeof runtime_params / sizeof runtime_params[0]; i++) {
		const struct tw_param *p = &runtime_params[i];
		const bool of_bus = strcmp(p->name, "bus") == 0 || strcmp(p->name, "contention") == 0;
		char value[128];
		/* A run that reloads much may fail at a low limit. */
		if (strcmp(p->name, "gpudirect") == 0 || draw_below(r, rare) || strcmp(p->name, "reload_limit") == 0 ||
		    (of_bus && predicts))
			continue;
		if (strcmp(p->name, "sync_kernels") == 0)
			strcpy(value, DRAW_ONE(r, kernels));
		else if (strcmp(p->name, "launch_blocks") == 0)
			strcpy(value, DRAW_ONE(r, blocks));
		else if (!write_usual_value(r, p, value))
			continue;
		predicts |= of_bus;
		spec += sprintf(spec, ":%s=%s", p->name, value);
	}
}
