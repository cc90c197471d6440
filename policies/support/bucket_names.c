#include "policies/support/bucket_names.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/params.h>

struct named {
	const char *name, *size;
	tw_kernel kernel;
};

static int by_name_and_size(const struct named *x, const struct named *y)
{
	int order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->size, y->size);
}

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = by_name_and_size(x, y);
	return order ? order : (x->kernel > y->kernel) - (x->kernel < y->kernel);
}

/* Fills of[kernel] with the first kernel of the same name. */
static void number(struct tw_bucket_names *n)
{
	struct named *all = tw_alloc((size_t)n->n_kernels, sizeof *all);
	for (tw_kernel k = 0; k < n->n_kernels; k++)
		all[k] = (struct named){tw_graph_kernel_name(n->graph, k),
		                        n->by_size ? tw_graph_kernel_size(n->graph, k) : "", k};
	qsort(all, (size_t)n->n_kernels, sizeof *all, by_name);
	for (int i = 0; i < n->n_kernels; i++) {
		bool same = i > 0 && by_name_and_size(&all[i], &all[i - 1]) == 0;
		n->of[all[i].kernel] = same ? n->of[all[i - 1].kernel] : all[i].kernel;
	}
	free(all);
}

/* --- lists of names, such as "potrf+gemm@960" or "potrf*1.1+gemm@960*3" ------------------------------------------- */

static bool is(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && strncmp(name, text, length) == 0;
}

/* Whether the text names the kernel: its name alone, or also its size behind a '@'. */
static bool names(const struct tw_bucket_names *n, const char *text, size_t length, tw_kernel k)
{
	const char *name = tw_graph_kernel_name(n->graph, k), *size = tw_graph_kernel_size(n->graph, k);
	if (is(name, text, length))
		return true;
	size_t at = length;
	while (at > 0 && text[at - 1] != '@')
		at--;
	return n->by_size && at > 0 && is(name, text, at - 1) && is(size, text + at, length - at);
}

/* Notes what an item says of the bucket with this name: its place in the list, and its value. False: a wrong value. */
typedef bool noting(struct tw_bucket_names *, void *to, int name, int place, const char *value);

static int read_item(struct tw_bucket_names *n, const char *param, const char *text, size_t length, int place,
                     noting *note, void *to, const char *values, struct tw_error *err)
{
	char value[32] = "";
	size_t name = length;
	if (values) {
		while (name > 0 && text[name - 1] != '*')
			name--;
		if (name > 0)
			snprintf(value, sizeof value, "%.*s", (int)(length - name), text + name);
		name = name > 0 ? name - 1 : length;
	}
	bool known = false, right = true;
	for (tw_kernel k = 0; k < n->n_kernels && right; k++)
		if (names(n, text, name, k)) {
			known = true;
			right = note(n, to, n->of[k], place, value);
		}
	if (!known)
		return tw_fail(err, TW_INVALID,
		               "policy '%s': %s: no kernel is named '%.*s': expected names of the workload's kernels, "
		               "joined by '+'",
		               n->policy, param, name < 100 ? (int)name : 100, text);
	return right ? TW_OK
	             : tw_fail(err, TW_INVALID, "policy '%s': %s: '%.*s': expected %s", n->policy, param,
	                       length < 100 ? (int)length : 100, text,
	                       values ? values : "a kernel that best_cpu does not name");
}

/* Reads the parameter. `values`: what its values are, for messages; NULL: its items have none. */
static int read_list(struct tw_bucket_names *n, const struct tw_sched *s, const char *param, noting *note, void *to,
                     const char *values, struct tw_error *err)
{
	const char *text = tw_args_text(tw_sched_args(s), param);
	int status = TW_OK;
	for (int place = 0; *text && status == TW_OK; place++) {
		size_t length = strcspn(text, "+");
		status = read_item(n, param, text, length, place, note, to, values, err);
		text += length + (text[length] == '+');
	}
	return status;
}

static bool note_rank(struct tw_bucket_names *n, void *to, int name, int place, const char *value)
{
	int *rank = to;
	(void)n, (void)value;
	if (rank[name] == INT_MAX)
		rank[name] = place;
	return true;
}

static bool note_best(struct tw_bucket_names *n, void *to, int name, int place, const char *value)
{
	const enum tw_unit *unit = to, before = n->best[name];
	(void)place, (void)value;
	n->best[name] = *unit;
	return before == TW_N_UNITS || before == *unit;
}

static int read_bests(struct tw_bucket_names *n, const struct tw_sched *s, struct tw_error *err)
{
	enum tw_unit cpu = TW_PROCESSOR, gpu = TW_ACCELERATOR;
	int status = read_list(n, s, "best_cpu", note_best, &cpu, NULL, err);
	return status < 0 ? status : read_list(n, s, "best_gpu", note_best, &gpu, NULL, err);
}

static bool note_speedup(struct tw_bucket_names *n, void *to, int name, int place, const char *value)
{
	char *end;
	(void)to, (void)place;
	n->speedup[name] = strtod(value, &end);
	return isdigit((unsigned char)*value) && !*end && n->speedup[name] > 0 && n->speedup[name] <= 1e9;
}

int tw_bucket_names_init(struct tw_bucket_names *n, const struct tw_sched *s, const char *policy, bool rules,
                         struct tw_error *err)
{
	const struct tw_graph *g = tw_sched_graph(s);
	size_t kernels = (size_t)tw_graph_n_kernels(g);
	*n = (struct tw_bucket_names){
		.graph = g,
		.policy = policy,
		.by_size = rules && tw_args_flag(tw_sched_args(s), "sizes"),
		.n_kernels = (int)kernels,
		.of = tw_run_alloc(s, kernels, sizeof *n->of),
		.rank = {tw_run_alloc(s, kernels, sizeof(int)), tw_run_alloc(s, kernels, sizeof(int))},
		.best = tw_run_alloc(s, kernels, sizeof *n->best),
		.speedup = tw_run_alloc(s, kernels, sizeof *n->speedup),
	};
	for (size_t k = 0; k < kernels; k++) {
		n->rank[0][k] = n->rank[1][k] = INT_MAX;
		n->best[k] = TW_N_UNITS;
	}
	number(n);
	int status = read_list(n, s, "cpu", note_rank, n->rank[0], NULL, err);
	if (status == TW_OK)
		status = read_list(n, s, "gpu", note_rank, n->rank[1], NULL, err);
	if (status == TW_OK && rules)
		status = read_bests(n, s, err);
	if (status == TW_OK && rules)
		status = read_list(n, s, "speedup", note_speedup, NULL,
		                   "a number from above 0 to 1e9 behind the kernel's name, as in gemm*3", err);
	return status;
}
