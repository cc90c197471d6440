/* A simulated ping-pong gives the bandwidths and latencies that StarPU measured between memories: for all imported
 * hosts, and for the platforms that come with Tilewright.
 *
 *     test_ping_pong REFERENCE
 *
 * The measurements are from Debian's package starpu-examples, and from gemini-v100 in $TILEWRIGHT_REFERENCE, else in
 * REFERENCE. Exit status 77 (skipped): there are none. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/spec.h"
#include "import/import.h"
#include "script.h"
#include "temp.h"

enum { MAX_NODES = 16 };
static const char debian[] = "/usr/share/starpu/perfmodels/sampling";
static char *gemini;
static const double tolerance = 0.01;

/* A host without a platform is only imported. */
static const struct host {
	const char *name, *platform;
} hosts[] = {
	{"mirage", "mirage"},
	{"sirocco", "sirocco"},
	{"idgraf", "idgraf"},
	{"attila", "attila"},
	{"hannibal", "hannibal"},
	{"hannibal-pitch", NULL},
	{"gemini-1-fgcs", "gemini-starpu"},
	{"gemini-1-fgcs", "gemini"},
	{"gemini-1-cho_dep", NULL},
	{"gemini-1-lu_sans_cusolver", NULL},
};

static const char *folder_of(const struct host *h) { return strncmp(h->name, "gemini", 6) ? debian : gemini; }

static bool is_there(const struct host *h)
{
	char path[PATH_MAX];
	snprintf(path, sizeof path, "%s/bus/%s.bandwidth", folder_of(h), h->name);
	return access(path, R_OK) == 0;
}

/* Row and column 0 are for main memory, the others for cards in the order of their numbers. */
struct matrix {
	double of[MAX_NODES][MAX_NODES];
};

static void read_matrix(struct matrix *m, const struct host *h, const char *ending)
{
	char *path, line[4096];
	ck_assert_int_gt(asprintf(&path, "%s/bus/%s.%s", folder_of(h), h->name, ending), 0);
	FILE *f = fopen(path, "r");
	ck_assert_msg(f != NULL, "%s", path);
	for (int row = 0; row < MAX_NODES && fgets(line, sizeof line, f);) {
		char *at = line, *end;
		if (*line == '#')
			continue;
		for (int column = 0; column < MAX_NODES; column++, at = end)
			m->of[row][column] = strtod(at, &end);
		row++;
	}
	fclose(f);
	free(path);
}

static int place(const char *node) { return strcmp(node, "RAM") ? 1 + atoi(node + strlen("GPU")) : 0; }

/* Takes all memories and routes of the platform. */
static void take(struct script *s, struct tw__platform *all)
{
	struct tw_error err = {""};
	struct tw__platform_choice choice = {.cpus = 0, .gpus = TW__ALL_WORKERS};
	ck_assert_msg(tw__platform_select(&s->platform, all, &choice, &err) == TW_OK, "%s", err.message);
	tw__platform_destroy(all);
	s->step = INFINITY;
}

/* Imports a host, writes it as `tilewright import` does, and reads it back. */
static struct tw__platform *import(const struct host *h)
{
	struct tw_error err = {""};
	struct tw__spec spec;
	struct tw_args *args;
	struct tw__import import;
	struct tw__platform *read;
	char *text;
	ck_assert_int_gt(asprintf(&text, "starpu:%s:dir=%s:models=known", h->name, folder_of(h)), 0);
	ck_assert_msg(tw__spec_parse(&spec, text, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__args_create(&args, "import", tw__import_starpu_params, &spec, &err) == TW_OK, "%s",
	              err.message);
	ck_assert_msg(tw__import_starpu(&import, args, &err) == TW_OK, "%s", err.message);
	struct temp file = temp_text("");
	FILE *f = fopen(file.path, "w");
	ck_assert(f);
	tw__platform_write_xml(import.platform, "", f);
	ck_assert(fclose(f) == 0);
	ck_assert_msg(tw__platform_read(&read, file.path, h->name, &err) == TW_OK, "%s", err.message);
	temp_remove(file);
	tw__import_finish(&import);
	tw__args_destroy(args);
	tw__spec_finish(&spec);
	free(text);
	return read;
}

static double seconds_of(const struct script *s, int action)
{
	return s->answers[action].end - s->answers[action].start;
}

/* Sends two messages forth and back between all memories, one after the other: a small one, and one
 * that takes a second longer. */
static void assert_as_measured(struct script *s, const struct host *h)
{
	const double small = 4096;
	const struct tw__platform *p = s->platform;
	struct matrix bandwidths, latencies;
	int other = 0;
	read_matrix(&bandwidths, h, "bandwidth");
	read_matrix(&latencies, h, "latency");
	for (tw_node a = 0; a < p->n_nodes; a++)
		for (tw_node b = 0; b < p->n_nodes; b++) {
			if (!tw__route_of(p, a, b)->n_links)
				continue;
			double in_a_second = 1e6 * bandwidths.of[place(p->nodes[a].name)][place(p->nodes[b].name)];
			script_transfer(s, 4 * s->n_actions, a, b, small);
			script_transfer(s, 4 * s->n_actions, a, b, small + round(in_a_second));
		}
	ck_assert_int_gt(s->n_actions, 0);
	script_play(s);
	for (int i = 0; i < s->n_actions; i += 2) {
		const char *from = p->nodes[s->actions[i].from].name, *to = p->nodes[s->actions[i].to].name;
		double bandwidth = (s->actions[i + 1].amount - small) / (seconds_of(s, i + 1) - seconds_of(s, i));
		double latency = seconds_of(s, i) - small / bandwidth;
		double mb_per_s = bandwidths.of[place(from)][place(to)], us = latencies.of[place(from)][place(to)];
		if (fabs(bandwidth / (1e6 * mb_per_s) - 1) <= tolerance && fabs(latency / (us / 1e6) - 1) <= tolerance)
			continue;
		printf("%s, %s to %s: %.0f MB/s after %.1f us, measured %.0f after %.1f\n", p->name, from, to,
		       bandwidth / 1e6, 1e6 * latency, mb_per_s, us);
		other++;
	}
	ck_assert_int_eq(other, 0);
}

START_TEST(an_imported_host_is_as_measured)
{
	const struct host *h = &hosts[_i];
	if (!is_there(h))
		return;
	struct script s = {0};
	take(&s, import(h));
	assert_as_measured(&s, h);
	script_finish(&s);
}
END_TEST

START_TEST(a_shipped_platform_is_as_measured)
{
	const struct host *h = &hosts[_i];
	if (!h->platform || !is_there(h))
		return;
	struct script s = {0};
	struct tw_error err = {""};
	struct tw__platform *all;
	char *kernels;
	ck_assert_msg(tw__platform_find(&all, &kernels, h->platform, &err) == TW_OK, "%s", err.message);
	free(kernels);
	take(&s, all);
	assert_as_measured(&s, h);
	script_finish(&s);
}
END_TEST

int main(int argc, char **argv)
{
	const int n = sizeof hosts / sizeof hosts[0];
	const char *reference = getenv("TILEWRIGHT_REFERENCE");
	bool any = false;
	if (asprintf(&gemini, "%s/gemini-v100", reference ? reference : argc > 1 ? argv[1] : ".") < 0)
		return 1;
	for (int i = 0; i < n; i++)
		if (is_there(&hosts[i]))
			any = true;
		else
			fprintf(stderr, "skipped: %s is not in %s\n", hosts[i].name, folder_of(&hosts[i]));
	if (!any)
		return 77;
	Suite *suite = suite_create("ping-pong");
	TCase *cases = tcase_create("ping-pong");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, an_imported_host_is_as_measured, 0, n);
	tcase_add_loop_test(cases, a_shipped_platform_is_as_measured, 0, n);
	suite_add_tcase(suite, cases);
	int status = run_suite(suite);
	free(gemini);
	return status;
}
