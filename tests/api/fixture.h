/* Scenes of the tests, and the run of a suite. */
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
