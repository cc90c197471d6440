/* Trace files: tools accept them, the same run gives the same bytes, and write errors are reported. */
#include <check.h>
#include <jansson.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "trace/write.h"

static char folder[64];

static const char *in_folder(const char *name)
{
	static char path[256];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void make_folder(void)
{
	strcpy(folder, "/tmp/tilewright-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static int shell(const char *command)
{
	char line[1024];
	snprintf(line, sizeof line, "cd '%s' && %s", folder, command);
	int status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void remove_folder(void) { shell("rm -rf \"$PWD\""); }

static char *write_trace(struct fixture *f, const char *name)
{
	struct tw_error err = {""};
	const char *path = in_folder(name);
	ck_assert_msg(tw__trace_check_path(path, &err) == TW_OK, "%s", err.message);
	ck_assert_int_ne(access(path, F_OK), 0); /* the check leaves no file */
	ck_assert_msg(tw__trace_write(path, &f->traced, &err) == TW_OK, "%s", err.message);
	FILE *file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	char *text = calloc(1, 1 << 16);
	ck_assert_uint_lt(fread(text, 1, (1 << 16) - 1, file), (1 << 16) - 1);
	fclose(file);
	return text;
}

START_TEST(paje_says_what_happened)
{
	struct fixture f;
	fixture_init(&f);
	char *text = write_trace(&f, "good.paje");
	static const char *const lines[] = {
		"14 0.000000000 R R 0 \"two 'GPUs'\" \"six:n=6\" \"by 'hand'\"\n",
		"15 0.000000000 W2 W R \"CPU0\" \"cpu\"\n",
		"16 0.000000000 N0 N R \"RAM memory\" 0\n",
		"16 0.000000000 N1 N R \"GPU0 memory\" 2000\n",
		"17 0.000000000 B0 B R \"bus0 link\" 1000\n",
		"9 1.500000000 S W0 K0 0\n",
		"8 3.500000000 S W0 I\n",
		"9 0.000000000 S W1 K1 1\n",
		"11 1.500000000 L R N0 C1 T101 2 1000\n",
		"12 3.000000000 L R N1 C1 T101\n",
		"13 5.600000000 E N1 X 0\n",
		"10 0.000000000 V N1 0\n",
		"10 1.500000000 V N1 2000\n",
		"10 8.000000000 V N1 0\n",
		/* Two consecutive transfers; each flows once its latency of 0.5 s has passed. */
		"10 0.500000000 U B0 1000\n",
		"10 1.500000000 U B0 0\n",
		"10 2.000000000 U B0 1000\n",
		"10 3.000000000 U B0 0\n",
		"10 0.000000000 D R 0\n",
		"10 3.500000000 Q R 3\n",
		"10 12.500000000 Q R 0\n",
		"7 12.500000000 R R\n",
	};
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		ck_assert_msg(strstr(text, lines[i]), "not there: %s", lines[i]);
	ck_assert_ptr_null(strstr(text, " V N0 ")); /* the use of main memory is unknown */
	free(text);
	fixture_finish(&f);
}
END_TEST

START_TEST(chrome_is_json_with_every_task_and_transfer)
{
	struct fixture f;
	fixture_init(&f);
	char *text = write_trace(&f, "good.json");
	json_error_t error;
	json_t *root = json_loads(text, 0, &error);
	ck_assert_msg(root != NULL, "%d: %s", error.line, error.text);
	ck_assert(json_real_value(json_object_get(json_object_get(root, "otherData"), "makespan_s")) == 12.5);
	int tasks = 0, transfers = 0, counters[7] = {0};
	size_t i;
	json_t *event;
	json_array_foreach(json_object_get(root, "traceEvents"), i, event)
	{
		const char *phase = json_string_value(json_object_get(event, "ph")),
			   *category = json_string_value(json_object_get(event, "cat"));
		if (!strcmp(phase, "C"))
			counters[json_integer_value(json_object_get(event, "pid"))]++;
		if (strcmp(phase, "X") != 0)
			continue;
		tasks += !strcmp(category, "task");
		transfers += !strcmp(category, "transfer");
		if (!strcmp(category, "task") &&
		    json_integer_value(json_object_get(json_object_get(event, "args"), "task")) == 4) {
			ck_assert_str_eq(json_string_value(json_object_get(event, "name")), "work");
			ck_assert(json_number_value(json_object_get(event, "ts")) == 10.5e6);
			ck_assert(json_number_value(json_object_get(event, "dur")) == 2e6);
			ck_assert_str_eq(json_string_value(json_object_get(json_object_get(event, "args"), "data")),
			                 "1 R, 0 RW");
		}
	}
	ck_assert_int_eq(tasks, 6);
	ck_assert_int_eq(transfers, 5);
	ck_assert_int_eq(counters[3], 2 + 6);     /* memories */
	ck_assert_int_eq(counters[4], 1 + 2 * 5); /* the link */
	/* Tasks: six submitted at 0, released at 1, 2, 3.5, 5.6, 9, 12.5. Three ready and assigned, all at 0, then
	 * two at 3.5 and one at 9. */
	ck_assert_int_eq(counters[5], 2 + 1 + 6);
	json_decref(root);
	free(text);
	fixture_finish(&f);
}
END_TEST

/* Overlapping transfers of one pair are in different lanes. */
START_TEST(chrome_has_lanes_for_overlapping_transfers)
{
	struct fixture f;
	fixture_init(&f);
	data_event(&f, TW__TRANSFER_START, C, MEM0)->date = NS(1);
	char *text = write_trace(&f, "lanes.json");
	int rows = 0;
	for (const char *at = text; (at = strstr(at, "\"RAM to GPU0\"")); at++)
		rows++;
	ck_assert_int_eq(rows, 2);
	free(text);
	fixture_finish(&f);
}
END_TEST

START_TEST(names_break_no_format)
{
	struct fixture f;
	fixture_init(&f);
	free(f.workers[CPU].name);
	f.workers[CPU].name = strdup("a\"b\\c\nd\xff\xc3\xa9");
	char *text = write_trace(&f, "names.json");
	json_t *root = json_loads(text, 0, NULL);
	ck_assert_ptr_nonnull(root);
	ck_assert_ptr_nonnull(strstr(text, "\"a\\\"b\\\\c\\u000ad?\xc3\xa9\""));
	json_decref(root);
	free(text);
	text = write_trace(&f, "names.paje");
	ck_assert_ptr_nonnull(strstr(text, "\"a'b\\c d?\xc3\xa9\""));
	free(text);
	fixture_finish(&f);
}
END_TEST

START_TEST(the_same_run_gives_the_same_bytes_in_every_locale)
{
	static const char *const endings[] = {".paje", ".json", ".trace"};
	for (int i = 0; i < 3; i++) {
		struct fixture f;
		char name[32];
		fixture_init(&f);
		snprintf(name, sizeof name, "first%s", endings[i]);
		char *first = write_trace(&f, name);
		/* If this machine lacks the locale, the test only checks repetition. */
		setlocale(LC_ALL, "de_DE.UTF-8");
		snprintf(name, sizeof name, "second%s", endings[i]);
		char *second = write_trace(&f, name);
		setlocale(LC_ALL, "C");
		ck_assert_str_eq(first, second);
		free(first);
		free(second);
		fixture_finish(&f);
	}
}
END_TEST

START_TEST(a_folder_gets_all_tables)
{
	struct fixture f;
	struct tw_error err = {""};
	fixture_init(&f);
	const char *path = in_folder("tables/");
	ck_assert_msg(tw__trace_check_path(path, &err) == TW_OK, "%s", err.message);
	ck_assert_int_ne(access(path, F_OK), 0); /* the check leaves no folder */
	for (int i = 0; i < 2; i++) {            /* also into an existing folder */
		path = in_folder("tables/");
		ck_assert_msg(tw__trace_write(path, &f.traced, &err) == TW_OK, "%s", err.message);
		ck_assert_int_eq(tw__trace_check_path(path, &err), TW_OK);
		ck_assert_int_eq(
			shell("test $(ls tables | wc -l) = 12 && for t in tables/*.gz; do gzip -t $t || exit 1; done"),
			0);
	}
	static const char *const greps[] = {
		"zgrep -qxF ',work,work,5,5,0,0,1,2,0.000000,9000.000000,10500.000000,12500.000000,10:d,,2 1,R "
		"RW,1000 1000,-1,2 3 4,task "
		"task task,0.000000001' tables/rec.tasks.csv.gz",
		"zgrep -qxF 'State, CUDA1_0, Worker State, 10500.000000, 12500.000000, 2000.000000, 0.000000, work, "
		"2000, , 10:d, 0, 5, 5, "
		"0.000000001, 0, 0, -1, -1' tables/paje.worker_state.csv.gz",
		"zgrep -qxF 'Variable, MEMMANAGER1, Used (MB), 1500.000000, 5600.000000, 4100.000000, 0.001907' "
		"tables/paje.variable.csv.gz",
		"zgrep -qxF 'Link, program, Intra-node data PreFetch, 1500.000000, 3000.000000, 1500.000000, 1000, "
		"MEMMANAGER0, MEMMANAGER1, "
		"com_101, , , , 3' tables/paje.link.csv.gz",
		"test $(zcat tables/dag.csv.gz | wc -l) = 6",
	};
	for (size_t i = 0; i < sizeof greps / sizeof *greps; i++)
		ck_assert_msg(shell(greps[i]) == 0, "%s", greps[i]);
	fixture_finish(&f);
}
END_TEST

START_TEST(what_cannot_be_written_is_an_error)
{
	struct fixture f;
	struct tw_error err = {""};
	fixture_init(&f);
	ck_assert_int_eq(tw__trace_check_path("trace.txt", &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "trace.txt: "));
	ck_assert_int_eq(tw__trace_check_path("folder.json/trace", &err), TW_INVALID);
	ck_assert_int_eq(tw__trace_check_path("/nonexistent/trace.json", &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "/nonexistent/trace.json: "));
	ck_assert_ptr_nonnull(strstr(err.message, "No such file"));
	ck_assert_int_eq(tw__trace_write("/nonexistent/trace.json", &f.traced, &err), TW_FAILED);
	/* A full disk. */
	for (int i = 0; i < 2; i++) {
		const char *name = i ? "full.paje" : "full.json", *path = in_folder(name);
		ck_assert_int_eq(symlink("/dev/full", path), 0);
		ck_assert_int_eq(tw__trace_check_path(path, &err), TW_OK);
		ck_assert_int_eq(tw__trace_write(path, &f.traced, &err), TW_FAILED);
		ck_assert_ptr_nonnull(strstr(err.message, path));
		ck_assert_ptr_nonnull(strstr(err.message, "No space left"));
	}
	/* Tables: a file with the folder's name; no parent folder; a full disk. */
	ck_assert_int_eq(shell("touch file && mkdir full && ln -s /dev/full full/dag.csv.gz"), 0);
	ck_assert_int_eq(tw__trace_check_path(in_folder("file/"), &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "Not a directory"));
	ck_assert_int_eq(tw__trace_check_path(in_folder("no/such/"), &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "No such file"));
	ck_assert_int_eq(tw__trace_write(in_folder("no/such/"), &f.traced, &err), TW_FAILED);
	ck_assert_int_eq(tw__trace_write(in_folder("full/"), &f.traced, &err), TW_FAILED);
	ck_assert_ptr_nonnull(strstr(err.message, "full/dag.csv.gz: cannot be written: No space left"));
	fixture_finish(&f);
}
END_TEST

/* Checking an existing file does not truncate it. */
START_TEST(checking_a_path_keeps_the_file)
{
	struct tw_error err = {""};
	const char *path = in_folder("kept.json");
	ck_assert_int_eq(shell("echo kept > kept.json"), 0);
	ck_assert_int_eq(tw__trace_check_path(path, &err), TW_OK);
	ck_assert_int_eq(shell("grep -q kept kept.json"), 0);
}
END_TEST

START_TEST(pj_dump_accepts_paje)
{
	struct fixture f;
	if (shell("command -v pj_dump >/dev/null") != 0)
		return;
	fixture_init(&f);
	/* A prefetch that became a demand during its transfer. */
	data_event(&f, TW__TRANSFER_END, C, MEM0)->cause = TW__DEMAND;
	free(write_trace(&f, "good.paje"));
	ck_assert_int_eq(shell("pj_dump -q good.paje"), 0);
	/* pj_dump finds the six tasks, the five transfers and the two evictions. */
	ck_assert_int_eq(shell("pj_dump good.paje > dump && test $(grep -c '^State.*\\(work\\|make\\)' dump) = 6"), 0);
	ck_assert_int_eq(shell("test $(grep -c ^Link, dump) = 5 && test $(grep -c ^Event, dump) = 2"), 0);
	/* It also finds the bytes/s on the link, and the number of submitted tasks. */
	ck_assert_int_eq(shell("grep -q '^Variable, bus0 link, Link used (bytes/s), 2.0*, 3.0*, .*, 1000' dump"), 0);
	ck_assert_int_eq(shell("grep -q ', Tasks submitted, 9.0*, 12.5.*, 1.0*$' dump"), 0);
	fixture_finish(&f);
}
END_TEST

START_TEST(vite_accepts_paje)
{
	struct fixture f;
	if (shell("command -v vite >/dev/null") != 0)
		return;
	fixture_init(&f);
	free(write_trace(&f, "good.paje"));
	ck_assert_int_eq(
		shell("QT_QPA_PLATFORM=offscreen vite -e out.svg good.paje 2>&1 | grep -q '^0 errors and 0 warnings'"),
		0);
	fixture_finish(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("write");
	TCase *tests = tcase_create("formats");
	tcase_add_checked_fixture(tests, make_folder, remove_folder);
	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, paje_says_what_happened);
	tcase_add_test(tests, chrome_is_json_with_every_task_and_transfer);
	tcase_add_test(tests, chrome_has_lanes_for_overlapping_transfers);
	tcase_add_test(tests, names_break_no_format);
	tcase_add_test(tests, the_same_run_gives_the_same_bytes_in_every_locale);
	tcase_add_test(tests, a_folder_gets_all_tables);
	tcase_add_test(tests, what_cannot_be_written_is_an_error);
	tcase_add_test(tests, checking_a_path_keeps_the_file);
	tcase_add_test(tests, pj_dump_accepts_paje);
	tcase_add_test(tests, vite_accepts_paje);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
