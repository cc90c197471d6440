/* A figure holds what its trace does, to the nanosecond; a figure that cannot be drawn is an error. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/plot.h"
#include "plot/visible.h"
#include "trace/write.h"
#include "traces.h"

START_TEST(what_was_written_is_read_back)
{
	struct tw__schedule s;
	struct tw__run_section section;
	struct tw_error err = {""};
	ck_assert_msg(read_schedule(&s, &section, in_folder(traces[_i]), &err) == TW_OK, "%s", err.message);
	ck_assert_str_eq(section.platform->workers[0].name, "CUDA0");
	ck_assert_str_eq(section.platform->workers[2].name, "CPU0");
	ck_assert_str_eq(section.platform->archs[section.platform->workers[0].arch].name, "gpu");
	ck_assert_str_eq(section.platform->nodes[1].name, "GPU0");
	ck_assert_int_eq(s.n_kernels, 2);
	ck_assert_str_eq(s.kernels[0], "work");
	ck_assert_uint_eq(s.n_boxes, 6);
	ck_assert_uint_eq(tw__samples_count(&s.used), 2 + 6);
	ck_assert_str_eq(s.workload, "six:n=6");
	ck_assert_str_eq(s.policy, "by \"hand\"");
	ck_assert(s.capacity_bytes[0] == 0 && s.capacity_bytes[2] == 3000);
	ck_assert_int_eq(s.n_links, 1);
	ck_assert_str_eq(tw__schedule_link(&s, 0), "bus0");
	/* Five transfers of 1000 bytes; each flows for a second, once its latency of 0.5 s has passed. */
	const struct tw__series *use = &s.use.of[0];
	ck_assert_uint_eq(use->n, 1 + 2 * 5);
	ck_assert(use->list[1].date == NS(0.5) && use->list[1].value == 1);
	ck_assert(use->list[2].date == NS(1.5) && use->list[2].value == 0);
	ck_assert(use->list[10].date == NS(10.5) && use->list[10].value == 0);
	ck_assert(s.end == NS(12.5));
	/* The first that ends: task 1. */
	ck_assert(s.boxes[0].worker == 1 && s.boxes[0].kernel == 1 && s.boxes[0].start == 0 && s.boxes[0].end == NS(1));
	ck_assert_int_eq(s.boxes[0].task, 1);
	tw__schedule_finish(&s);
	tw__run_section_finish(&section);
}
END_TEST

START_TEST(the_script_holds_what_it_must)
{
	struct tw_error err = {""};
	ck_assert_msg(draw_gantt(in_folder(traces[_i]), in_folder("run.gp"), &err) == TW_OK, "%s", err.message);
	char *text = read_file("run.gp");
	static const char *const parts[] = {
		"set terminal svg noenhanced",
		"makespan 12.500 s, 6 tasks on 3 workers",
		/* GPU0 is busy for 4 s, GPU1 for 4, the processor for 4. */
		": idle 2 x gpu 68.0 %, 1 x cpu 68.0 %, all 68.0 %",
		"set ylabel 'ready tasks'",
		"$tasks0 << END\n0.000000000 0\n",
		"links: use, as a share of what each can pass at the moment'",
		"set label '40 %' at graph 1, first 0 ",
		"'CUDA0' 2, 'CUDA1' 1, 'CPU0' 0",
		"set label 'work'",
		"set label 'make'",
		"$wide0 << END\n",
		"\n1.500000000 3.500000000 2 0.800\n",
		"time (s)",
		"$memory1 << END\n",
		"\n1.500000000 2000\n",
		"12.500000000 0\nEND\n",
		"used (KB)",
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		ck_assert_msg(strstr(text, parts[i]), "not there: %s", parts[i]);
	free(text);
}
END_TEST

START_TEST(gnuplot_draws_every_kind)
{
	static const struct {
		const char *output, *begins;
	} kinds[] = {{"run.svg", "<?xml"}, {"run.png", "\x89PNG"}, {"run.pdf", "%PDF"}};
	if (shell("command -v gnuplot >/dev/null") != 0)
		return;
	for (int i = 0; i < 3; i++) {
		struct tw_error err = {""};
		ck_assert_msg(draw_gantt(in_folder("run.paje"), in_folder(kinds[i].output), &err) == TW_OK, "%s",
		              err.message);
		char *text = read_file(kinds[i].output);
		ck_assert_int_eq(strncmp(text, kinds[i].begins, strlen(kinds[i].begins)), 0);
		if (i == 0)
			ck_assert_ptr_nonnull(strstr(text, "makespan 12.500 s"));
		free(text);
	}
}
END_TEST

/* Names are data: they end no string and run no command. */
START_TEST(hostile_names_stay_names)
{
	struct tw_error err = {""};
	free(f.workers[CPU].name);
	f.workers[CPU].name = strdup("a'; system('touch pwned') #`touch pwned` <b>&\xff\n_x");
	ck_assert_int_eq(tw__trace_write(in_folder("names.json"), &f.traced, &err), TW_OK);
	ck_assert_int_eq(draw_gantt(in_folder("names.json"), in_folder("names.gp"), &err), TW_OK);
	char *text = read_file("names.gp");
	ck_assert_ptr_nonnull(strstr(text, "\"a\\047; system(\\047touch pwn"));
	free(text);
	if (shell("command -v gnuplot >/dev/null") == 0)
		ck_assert_msg(draw_gantt(in_folder("names.json"), in_folder("names.svg"), &err) == TW_OK, "%s",
		              err.message);
	ck_assert_int_ne(shell("test -e pwned"), 0);
}
END_TEST

START_TEST(what_cannot_be_drawn_is_an_error)
{
	struct tw_error err = {""};
	ck_assert_int_eq(draw_gantt(in_folder("absent.paje"), in_folder("a.svg"), &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "absent.paje: cannot be read: No such file"));
	ck_assert_int_eq(draw_gantt(in_folder("run.csv"), in_folder("a.svg"), &err), TW_INVALID);
	ck_assert_int_eq(draw_gantt(in_folder("run.paje"), in_folder("a.gif"), &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "a.gif: unknown kind of figure"));
	ck_assert_int_ne(access(in_folder("a.gif"), F_OK), 0);
	ck_assert_int_eq(draw_gantt(in_folder("run.paje"), in_folder("no/such/a.svg"), &err), TW_FAILED);
	ck_assert_ptr_nonnull(strstr(err.message, "no/such/a.svg: cannot be written"));
	char *path = strdup(getenv("PATH"));
	setenv("PATH", folder, 1);
	ck_assert_int_eq(draw_gantt(in_folder("run.paje"), in_folder("a.svg"), &err), TW_FAILED);
	ck_assert_ptr_nonnull(strstr(err.message, "gnuplot is not installed"));
	setenv("PATH", path, 1);
	free(path);
}
END_TEST

/* 2^53 ns are 104 days, from when on doubles cannot tell one nanosecond from the next. */
START_TEST(late_dates_keep_their_nanoseconds)
{
	const tw__ns late = (tw__ns)1 << (_i < 2 ? 53 : 62);
	struct tw__record *r = &f.record;
	for (size_t i = 0; i < r->n; i++)
		r->events[i].date = late + (tw__ns)i;
	r->makespan = late + (tw__ns)r->n + 1;
	struct tw__schedule s;
	struct tw__run_section section;
	struct tw_error err = {""};
	const char *path = in_folder(_i % 2 ? "late.json" : "late.paje");
	free(f.nodes[1].name);
	f.nodes[1].name = strdup("GPU\\0"); /* its counters are no plain text in JSON */
	ck_assert_int_eq(tw__trace_write(path, &f.traced, &err), TW_OK);
	ck_assert_msg(read_schedule(&s, &section, path, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(s.end, r->makespan);
	ck_assert_uint_eq(s.n_boxes, 6);
	size_t box = 0;
	tw__ns start[6] = {0};
	for (size_t i = 0; i < r->n; i++) {
		const struct tw__event *e = &r->events[i];
		if (e->kind == TW__START)
			start[e->task] = e->date;
		if (e->kind != TW__END)
			continue;
		ck_assert_int_eq(s.boxes[box].task, e->task);
		ck_assert_int_eq(s.boxes[box].start, start[e->task]);
		ck_assert_int_eq(s.boxes[box++].end, e->date);
	}
	size_t n_late = 0;
	for (int c = 0; c < s.used.n_counters; c++) {
		const struct tw__series *used = &s.used.of[c];
		for (size_t i = 0; i < used->n; i++)
			n_late += used->list[i].date >= late;
		for (size_t i = 1; i < used->n; i++)
			ck_assert(used->list[i].date > used->list[i - 1].date || used->list[i].date == 0);
	}
	ck_assert_uint_eq(n_late, 6);
	tw__visible_boxes(&s, TW__COLUMNS);
	tw__visible_samples(&s, &s.used, TW__COLUMNS);
	tw__visible_means(&s, &s.use, TW__COLUMNS);
	tw__schedule_finish(&s);
	tw__run_section_finish(&section);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gantt");
	TCase *tests = tcase_create("gantt");
	tcase_add_checked_fixture(tests, traces_set_up, traces_tear_down);
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, what_was_written_is_read_back, 0, N_TRACES);
	tcase_add_loop_test(tests, the_script_holds_what_it_must, 0, N_TRACES);
	tcase_add_test(tests, gnuplot_draws_every_kind);
	tcase_add_test(tests, hostile_names_stay_names);
	tcase_add_test(tests, what_cannot_be_drawn_is_an_error);
	tcase_add_loop_test(tests, late_dates_keep_their_nanoseconds, 0, 4);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
