/* SimGrid loads the platform that is written for it, with the same hosts, links and routes. */
#include <check.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>

#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>

#include "platform/weights.h"
#include "temp.h"

START_TEST(simgrid_loads_mirage)
{
	struct tw__platform *all, *p;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&all, &kernels, "mirage", &err) == TW_OK, "%s", err.message);
	free(kernels);
	struct tw__platform_choice choice = {.cpus = 4, .gpus = 2};
	ck_assert_msg(tw__platform_select(&p, all, &choice, &err) == TW_OK, "%s", err.message);
	tw__platform_destroy(all);

	/* Names that XML must escape. */
	free(p->links[0].name);
	p->links[0].name = strdup("<a & \"b\">\n'c'");
	p->links[1].sharing = TW__FATPIPE;

	struct temp file = {"/tmp/tilewright-test-XXXXXX.xml"};
	int fd = mkstemps(file.path, 4);
	ck_assert_int_ge(fd, 0);
	ck_assert_msg(tw__platform_write_simgrid(p, &(struct tw__weights){0}, fd, &err) == TW_OK, "%s", err.message);
	close(fd);

	int argc = 1;
	char name[] = "test", *argv[] = {name, NULL};
	simgrid_init(&argc, argv);
	simgrid_load_platform(file.path);
	temp_remove(file);

	ck_assert_uint_eq(sg_host_count(), (size_t)(p->n_workers + p->n_nodes));
	ck_assert_int_eq(sg_link_count(), p->n_links + 1); /* and SimGrid's own, the loopback */
	char id[16];
	for (int w = 0; w < p->n_workers; w++) {
		snprintf(id, sizeof id, "W%d", w);
		ck_assert_ptr_nonnull(sg_host_by_name(id));
		ck_assert_double_eq(sg_host_get_speed(sg_host_by_name(id)), p->workers[w].speed);
	}
	for (int i = 0; i < p->n_links; i++) {
		snprintf(id, sizeof id, "L%d", i);
		sg_link_t link = sg_link_by_name(id);
		ck_assert_ptr_nonnull(link);
		ck_assert_double_eq(sg_link_get_bandwidth(link), p->links[i].bandwidth);
		ck_assert_double_eq(sg_link_get_latency(link), 0);
		ck_assert_int_eq(sg_link_is_shared(link), p->links[i].sharing == TW__SHARED);
	}
	for (int from = 0; from < p->n_nodes; from++)
		for (int to = 0; to < p->n_nodes; to++) {
			const struct tw__route *route = tw__route_of(p, from, to);
			if (!route->n_links)
				continue;
			char to_id[16];
			snprintf(id, sizeof id, "M%d", from);
			snprintf(to_id, sizeof to_id, "M%d", to);
			const_sg_host_t a = sg_host_by_name(id), b = sg_host_by_name(to_id);
			double narrowest = INFINITY;
			for (int i = 0; i < route->n_links; i++)
				if (p->links[route->links[i]].bandwidth < narrowest)
					narrowest = p->links[route->links[i]].bandwidth;
			ck_assert_double_eq(sg_host_get_route_bandwidth(a, b), narrowest);
			ck_assert_double_eq(sg_host_get_route_latency(a, b), 0);
		}
	tw__platform_destroy(p);
}
END_TEST

START_TEST(a_failing_write_is_told)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&p, &kernels, "mirage", &err) == TW_OK, "%s", err.message);
	free(kernels);
	ck_assert_int_eq(tw__platform_write_simgrid(p, &(struct tw__weights){0}, -1, &err), TW_FAILED);
	ck_assert_contains(err.message, "expected");
	int fd = open("/dev/full", O_WRONLY);
	if (fd >= 0) {
		ck_assert_int_eq(tw__platform_write_simgrid(p, &(struct tw__weights){0}, fd, &err), TW_FAILED);
		ck_assert_contains(err.message, "platform for SimGrid: No space left");
		close(fd);
	}
	tw__platform_destroy(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform for SimGrid");
	TCase *cases = tcase_create("write");
	tcase_add_test(cases, simgrid_loads_mirage);
	tcase_add_test(cases, a_failing_write_is_told);
	tcase_set_timeout(cases, 30);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
