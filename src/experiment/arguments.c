#include "experiment/arguments.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

enum type { TEXT, WORKERS, SIZE, SEED, COUNT, REAL, FLAG, NO_COMMUNICATION };

#define IN(member) offsetof(struct tw__request, member)
static const struct field {
	const char *name;
	enum type type;
	size_t offset; /* of the member of the request */
} fields[] = {
	{"platform", TEXT, IN(platform)},
	{"workload", TEXT, IN(workload)},
	{"policy", TEXT, IN(policy)},
	{"eviction", TEXT, IN(eviction)},
	{"engine", TEXT, IN(engine)},
	{"runtime", TEXT, IN(runtime)},
	{"emulate", TEXT, IN(emulate)},
	{"check", TEXT, IN(check)},
	{"cpus", WORKERS, IN(choice.cpus)},
	{"gpus", WORKERS, IN(choice.gpus)},
	{"cpu-groups", TEXT, IN(choice.cpu_groups)},
	{"gpu-mem", SIZE, IN(choice.gpu_mem_bytes)},
	{"communication", NO_COMMUNICATION, IN(choice.no_communication)},
	{"seed", SEED, IN(seed)},
	{"repeat", COUNT, IN(repeat)},
	{"noise", TEXT, IN(noise)},
	{"belief-error", REAL, IN(belief_error)},
	{"speedup", TEXT, IN(speedup)},
	{"extrapolate", FLAG, IN(extrapolate)},
	{"validate", FLAG, IN(validate)},
	{"learn", TEXT, IN(learn)},
};
enum { N_FIELDS = sizeof fields / sizeof *fields, N_BOUNDS = TW__MOST_BOUNDS };

/* --- from a request ----------------------------------------------------------------------------------------------- */

/* Prints the member; false: the option was not given. */
static bool print_value(char *text, size_t size, const struct tw__request *q, const struct field *field)
{
	const void *member = (const char *)q + field->offset;
	switch (field->type) {
	case WORKERS:
		snprintf(text, size, "%d", *(const int *)member);
		return *(const int *)member != TW__ALL_WORKERS;
	case COUNT:
		snprintf(text, size, "%d", *(const int *)member);
		return *(const int *)member != 0;
	case SIZE:
		snprintf(text, size, "%" PRIu64, *(const uint64_t *)member);
		return *(const uint64_t *)member != 0;
	case SEED:
		snprintf(text, size, "%" PRIu64, *(const uint64_t *)member);
		return true;
	case REAL:
		snprintf(text, size, "%.17g", *(const double *)member);
		return *(const double *)member > 0;
	case FLAG:
		snprintf(text, size, "yes");
		return *(const bool *)member;
	case NO_COMMUNICATION:
		snprintf(text, size, "off");
		return *(const bool *)member;
	case TEXT:
		break;
	}
	return false;
}

static bool add(struct tw__run_argument *arguments, int *n, const char *name, const char *value)
{
	struct tw__run_argument *a = &arguments[(*n)++];
	*a = (struct tw__run_argument){strdup(name), strdup(value)};
	return a->name && a->value;
}

static bool add_bound(struct tw__run_argument *arguments, int *n, const char *node, uint64_t bytes)
{
	struct tw__run_argument *a = &arguments[(*n)++];
	*a = (struct tw__run_argument){.name = strdup("mem")};
	if (asprintf(&a->value, "%s=%" PRIu64, node, bytes) < 0)
		a->value = NULL;
	return a->name && a->value;
}

struct tw__run_argument *tw__arguments_of(const struct tw__request *q, int *n)
{
	struct tw__run_argument *arguments = calloc(N_FIELDS + N_BOUNDS, sizeof *arguments);
	bool ok = arguments;
	*n = 0;
	for (int i = 0; i < N_FIELDS && ok; i++) {
		char text[64];
		const char *member = (const char *)q + fields[i].offset;
		if (fields[i].type == TEXT) {
			const char *value;
			memcpy(&value, member, sizeof value);
			ok = !value || add(arguments, n, fields[i].name, value);
		} else if (print_value(text, sizeof text, q, &fields[i])) {
			ok = add(arguments, n, fields[i].name, text);
		}
	}
	for (int i = 0; i < q->choice.n_bounds && ok; i++)
		ok = add_bound(arguments, n, q->choice.bounds[i].node, q->choice.bounds[i].bytes);
	if (ok)
		return arguments;
	tw__arguments_free(arguments, *n);
	return NULL;
}

void tw__arguments_free(struct tw__run_argument *arguments, int n)
{
	for (int i = 0; arguments && i < n; i++) {
		free(arguments[i].name);
		free(arguments[i].value);
	}
	free(arguments);
}

/* --- to a request ------------------------------------------------------------------------------------------------- */

/* Reads digits only: seeds are up to INT64_MAX, which is more than tw_decimal reads. */
static bool whole(const char *text, uint64_t most, uint64_t *n)
{
	size_t length = strlen(text);
	if (length == 0 || length > 19 || strspn(text, "0123456789") != length)
		return false;
	*n = strtoull(text, NULL, 10);
	return *n <= most;
}

static bool read_value(void *member, enum type type, const char *text)
{
	uint64_t n = 0;
	char *end;
	double real;
	switch (type) {
	case TEXT:
		memcpy(member, &text, sizeof text);
		return true;
	case WORKERS:
	case COUNT:
		if (!whole(text, INT_MAX, &n))
			return false;
		*(int *)member = (int)n;
		return true;
	case SIZE:
	case SEED:
		if (!whole(text, INT64_MAX, &n))
			return false;
		*(uint64_t *)member = n;
		return true;
	case REAL:
		real = strtod(text, &end);
		if (end == text || *end || !(real >= 0) || isinf(real))
			return false;
		*(double *)member = real;
		return true;
	case FLAG:
		*(bool *)member = true;
		return !strcmp(text, "yes");
	case NO_COMMUNICATION:
		*(bool *)member = true;
		return !strcmp(text, "off");
	}
	return false;
}

/* "GPU0=1000": the request keeps the text in front of the '=', which is cut there. */
static int read_bound(struct tw__request *q, char *text, struct tw_error *err)
{
	char *equals = strrchr(text, '=');
	uint64_t bytes;
	if (q->choice.n_bounds == N_BOUNDS)
		return tw_fail(err, TW_INVALID, "more than %d arguments 'mem'", N_BOUNDS);
	if (!equals || !whole(equals + 1, INT64_MAX, &bytes))
		return tw_fail(err, TW_INVALID, "argument mem '%.100s': expected MEMORY=BYTES", text);
	*equals = '\0';
	q->choice.bounds[q->choice.n_bounds].node = text;
	q->choice.bounds[q->choice.n_bounds++].bytes = bytes;
	return TW_OK;
}

int tw__arguments_request(struct tw__request *q, const struct tw__run_argument *arguments, int n, struct tw_error *err)
{
	*q = (struct tw__request){.choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS}, .seed = 1};
	int status = TW_OK;
	for (int a = 0; a < n && status == TW_OK; a++) {
		const char *name = arguments[a].name;
		int i = 0;
		while (i < N_FIELDS && strcmp(fields[i].name, name) != 0)
			i++;
		if (!strcmp(name, "mem"))
			status = read_bound(q, arguments[a].value, err);
		else if (i == N_FIELDS)
			status = tw_fail(err, TW_INVALID, "argument '%.60s': this version does not know it", name);
		else if (!read_value((char *)q + fields[i].offset, fields[i].type, arguments[a].value))
			status =
				tw_fail(err, TW_INVALID, "argument %s: its value is '%.60s'", name, arguments[a].value);
	}
	if (status == TW_OK && (!q->platform || !q->workload || !q->policy))
		status = tw_fail(err, TW_INVALID, "the trace has no argument '%s'",
		                 !q->platform   ? "platform"
		                 : !q->workload ? "workload"
		                                : "policy");
	return status;
}
