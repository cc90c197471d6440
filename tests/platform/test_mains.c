/* The part of a platform with several main memories that a run uses. */
#include <check.h>

#include "platform/platform.h"
#include "temp.h"

/* Two main memories with two cores each; GPUs 0 and 2 are near the first one. */
static struct tw__platform *with_mains(void)
{
	static const char *const near[] = {"RAM", "RAM1", "RAM"};
	struct tw__platform *p;
	struct tw_error err = {""};
	char text[4096];
	size_t used = (size_t)snprintf(text, sizeof text,
	                               "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
	                               "<host id=\"S0\" speed=\"1f\" core=\"2\"><prop id=\"arch\" value=\"c\"/></host>"
	                               "<host id=\"S1\" speed=\"1f\" core=\"2\"><prop id=\"arch\" value=\"c\"/>"
	                               "<prop id=\"main_memory\" value=\"RAM1\"/></host>"
	                               "<host id=\"RAM\" speed=\"1f\"/>"
	                               "<host id=\"RAM1\" speed=\"1f\"><prop id=\"role\" value=\"memory\"/></host>"
	                               "<link id=\"l\" bandwidth=\"1GBps\"/>"
	                               "<route src=\"RAM\" dst=\"RAM1\"><link_ctn id=\"l\"/></route>");
	for (int g = 0; g < 3; g++)
		used += (size_t)snprintf(text + used, sizeof text - used,
		                         "<host id=\"G%d\" speed=\"1f\"><prop id=\"arch\" value=\"g\"/>"
		                         "<prop id=\"memory\" value=\"4GiB\"/>"
		                         "<prop id=\"main_memory\" value=\"%s\"/></host>"
		                         "<route src=\"%s\" dst=\"G%d\"><link_ctn id=\"l\"/></route>",
		                         g, near[g], near[g], g);
	snprintf(text + used, sizeof text - used, "</zone></platform>");
	struct temp file = temp_text(text);
	ck_assert_msg(tw__platform_read(&p, file.path, "mains", &err) == TW_OK, "%s", err.message);
	temp_remove(file);
	return p;
}

static struct tw__platform *selected(const struct tw__platform *all, struct tw__platform_choice choice)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	ck_assert_msg(tw__platform_select(&p, all, &choice, &err) == TW_OK, "%s", err.message);
	return p;
}

/* A core drives a GPU of its own main memory, the last one there; or the last of all if there is none left. */
START_TEST(drivers_are_near_their_accelerators)
{
	static const struct {
		int gpus, cpus;
		const char *names[4];
		const char *groups;
	} cases[] = {
		{0, 4, {"S0.0", "S0.1", "S1.0", "S1.1"}, NULL},
		{1, 3, {"S0.0", "S1.0", "S1.1"}, NULL},
		{2, 2, {"S0.0", "S1.0"}, NULL},
		{3, 1, {"S1.0"}, NULL},
		{1, 2, {"S0.0", "S1.0-S1.1"}, "1+2"},
	};
	struct tw__platform *all = with_mains();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tw__platform *p = selected(all, (struct tw__platform_choice){.cpus = TW__ALL_WORKERS,
		                                                                    .gpus = cases[i].gpus,
		                                                                    .cpu_groups = cases[i].groups});
		ck_assert_int_eq(p->n_workers, cases[i].gpus + cases[i].cpus);
		for (int w = 0; w < cases[i].cpus; w++)
			ck_assert_str_eq(p->workers[cases[i].gpus + w].name, cases[i].names[w]);
		tw__platform_destroy(p);
	}
	tw__platform_destroy(all);
}
END_TEST

/* The second main memory keeps its number if the cores of the first one are not in use. */
START_TEST(main_memories_keep_their_numbers)
{
	struct tw__platform *all = with_mains(), *p = selected(all, (struct tw__platform_choice){.cpus = 3});
	ck_assert_int_eq(tw__n_mains(p), 2);
	ck_assert_int_eq(tw__main_number(p, 1), 1);
	tw__platform_destroy(p);
	p = selected(all, (struct tw__platform_choice){.gpus = 2});
	ck_assert_int_eq(p->n_nodes, 4);
	ck_assert_int_eq(tw__main_number(p, 2), 0);
	ck_assert_int_eq(tw__main_number(p, 3), 1);
	tw__platform_destroy(p);
	tw__platform_destroy(all);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform mains");
	TCase *cases = tcase_create("mains");
	tcase_add_test(cases, drivers_are_near_their_accelerators);
	tcase_add_test(cases, main_memories_keep_their_numbers);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
