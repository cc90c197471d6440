/* Comparisons as JSON. jansson notes that it is out of memory by NULL, which it passes on. */
#include <math.h>
#include <string.h>

#include "base/json_text.h"
#include "cli/compare_print.h"
#include "base/cells.h"

/* Names such as "engine, runtime" as a list. */
static json_t *names_json(const char *names)
{
	json_t *list = json_array();
	while (*names) {
		size_t length = strcspn(names, ",");
		json_array_append_new(list, json_stringn(names, length));
		names += length + strspn(names + length, ", ");
	}
	return list;
}

/* Which rows became points, and which did not. Each array has the number of side a and that of side b. */
static json_t *scope_json(const struct tw__comparison *c, const struct tw__rows *a)
{
	json_t *joined = json_array();
	for (int i = 0; i < c->n_columns; i++)
		json_array_append_new(joined, json_string(a->names[c->columns[i][0]]));
	return json_pack("{s:o, s:o, s:[i, i], s:i, s:[i, i], s:i, s:s?, s:i}", "joined_on", joined, "not_joined_on",
	                 names_json(c->left_out), "points_left_out", c->only_a, c->only_b, "rows_of_same_identity",
	                 c->by_identity, "rows_left_out", c->rows_left_out[0], c->rows_left_out[1], "mixed_points",
	                 c->mixed, "mixed_in", c->mixed ? c->mixed_in : NULL, "points_without_value", c->unknown);
}

/* --- two files --------------------------------------------------------------------------------------------------- */

/* NULL for `policy`: of all points. */
static int append_summary(json_t *list, const struct tw__comparison *c, const struct tw__rows *a, const char *policy,
                          struct tw_error *err)
{
	struct tw__summary s;
	int status = tw__comparison_summary(c, a, policy, &s, err);
	if (status < 0)
		return status;
	json_array_append_new(list,
	                      json_pack("{s:o, s:i, s:{s:f, s:f, s:f}, s:{s:f, s:f, s:f}}", "policy",
	                                policy ? tw__json_text(policy) : json_null(), "points", s.n, "ratio", "mean",
	                                s.ratio_mean, "median", s.ratio_median, "worst", s.ratio_worst, "error", "mean",
	                                s.error_mean, "median", s.error_median, "worst", s.error_worst));
	return TW_OK;
}

static bool is_first_of_policy(const struct tw__comparison *c, const struct tw__rows *a, int pair, int column)
{
	const char *policy = tw__rows_text(a, c->pairs[pair].a, column);
	int first = 0;
	while (strcmp(tw__rows_text(a, c->pairs[first].a, column), policy) != 0)
		first++;
	return first == pair;
}

static int list_summaries(json_t *list, const struct tw__comparison *c, const struct tw__rows *a, struct tw_error *err)
{
	int column = tw__rows_column(a, "policy"), status = TW_OK;
	for (int p = 0; column >= 0 && p < c->n && status == TW_OK; p++)
		if (is_first_of_policy(c, a, p, column))
			status = append_summary(list, c, a, tw__rows_text(a, c->pairs[p].a, column), err);
	return status == TW_OK ? append_summary(list, c, a, NULL, err) : status;
}

static int print(json_t *all, struct tw_error *err)
{
	return tw__cells_write_json(stdout, all) ? TW_OK : tw_fail(err, TW_NOMEM, "compare: out of memory");
}

int print_comparison_json(const struct tw__comparison *c, const struct tw__rows *a, const struct tw__rows *b,
                          const char *metric, const char *columns, struct tw_error *err)
{
	json_t *points;
	int status = comparison_points(c, a, metric, columns, &points, err);
	if (status < 0)
		return status;
	json_t *summaries = json_array();
	status = list_summaries(summaries, c, a, err);
	json_t *all = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "metric", tw__json_text(metric), "a",
	                        tw__json_text(a->path), "b", tw__json_text(b->path), "scope", scope_json(c, a),
	                        "points", points, "summary", summaries);
	if (status == TW_OK)
		return print(all, err);
	json_decref(all);
	return status;
}

/* --- policies ---------------------------------------------------------------------------------------------------- */

static json_t *speedup_json(const struct tw__speedup_summary *s)
{
	return json_pack("{s:f, s:f, s:f}", "mean", s->mean, "median", s->median, "worst", s->worst);
}

int print_speedups_json(const struct tw__comparison *c, int n, const struct tw__rows *rows, char *const *policies,
                        const char *columns, struct tw_error *err)
{
	json_t *points;
	int status = speedup_points(c, n, rows, policies, columns, &points, err);
	if (status < 0)
		return status;
	json_t *summaries = json_array();
	for (int i = 0; i < n && status == TW_OK; i++) {
		struct tw__speedup_summary average, minimum;
		status = tw__comparison_speedups(&c[i], &average, &minimum, err);
		if (status == TW_OK)
			json_array_append_new(summaries, json_pack("{s:o, s:o, s:i, s:o, s:o, s:o}", "policy_a",
			                                           tw__json_text(policies[0]), "policy_b",
			                                           tw__json_text(policies[i + 1]), "points", c[i].n,
			                                           "scope", scope_json(&c[i], rows), "speedup_average",
			                                           speedup_json(&average), "speedup_minimum",
			                                           speedup_json(&minimum)));
	}
	json_t *all =
		json_pack("{s:o, s:o, s:o}", "file", tw__json_text(rows->path), "points", points, "summary", summaries);
	if (status == TW_OK)
		return print(all, err);
	json_decref(all);
	return status;
}
