/* Scenes and runs of the tests, and the run of a suite. */
#ifndef API_FIXTURE_H
#define API_FIXTURE_H

#include <check.h>

#include <tilewright/run.h>

/* A workload on the platform mirage with these options, which may be NULL. */
static inline struct tw_scene *scene_with(const char *workload, const char *const *options)
{
	struct tw_error err;
	struct tw_platform *platform;
	struct tw_scene *scene;
	ck_assert_msg(tw_platform_open(&platform, "mirage", options, &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw_scene_generate(&scene, platform, workload, &err) == TW_OK, "%s", err.message);
	tw_platform_close(platform);
	return scene;
}

/* Runs the scene under dmdas, and compares its makespan with that of the same run here. */
static inline void check_run(struct tw_scene *scene, const char *option, enum tw_place_of_run place)
{
	const char *const options[] = {option, NULL};
	struct tw_run_options o;
	struct tw_run *run, *here;
	struct tw_error why;
	tw_run_options_init(&o);
	o.policy = "dmdas";
	ck_assert_msg(tw_scene_run(scene, &o, &here, &why) == TW_OK, "%s", why.message);
	o.options = options;
	o.place = place;
	ck_assert_msg(tw_scene_run(scene, &o, &run, &why) == TW_OK, "%s", why.message);
	if (!option)
		ck_assert_str_eq(tw_run_value(run, "makespan_s"), tw_run_value(here, "makespan_s"));
	tw_run_close(run);
	tw_run_close(here);
}

/* Returns whether a test of the case failed. */
static inline int run_case(const char *name, TCase *c, enum fork_status forks)
{
	Suite *suite = suite_create(name);
	suite_add_tcase(suite, c);
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, forks);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}

#endif
