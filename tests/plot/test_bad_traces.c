/* Traces without a whole run are refused with a reason, and damage does no harm. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "plot/visible.h"
#include "traces.h"

static void write_bytes(const char *name, const char *text, size_t n)
{
	FILE *file = fopen(in_folder(name), "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(text, 1, n, file), n);
	fclose(file);
}

#define NO_RUN ": the trace does not hold the whole run: expected one that this version wrote, in .json, .paje, .trace,"
#define PAJE "%EventDef PajeDefineEventType 18\n% Alias string\n% Type string\n% Name string\n% Color color\n"
#define SECTION PAJE "%  Run string\n%EndEventDef\n" /* 7 lines */
#define CHROME "{\"otherData\":{\"makespan_s\":1},\"traceEvents\":[\n"
#define CHROME_SECTION CHROME "],\"tilewright\":[\n" /* 2 lines */

static const struct {
	const char *file, *text, *expected;
} wrong[] = {
	/* of other programs and earlier versions */
	{"a.paje", "", "a.paje" NO_RUN},
	{"a.paje", "hello\n", "a.paje" NO_RUN},
	{"a.trace", PAJE "%EndEventDef\n", "a.trace" NO_RUN},
	{"a.paje", PAJE "%EndEventDef\n18 Z0 N Run \"0 0 0\" \"tilewright,1\"\n", "a.paje" NO_RUN},
	{"a.json", "{\"traceEvents\":[\n]}\n", "a.json" NO_RUN},
	{"a.json", CHROME "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1,\"name\":\"k\"}\n]}\n",
         "a.json" NO_RUN},
	{"a.txt", "tilewright,1\n", "a.txt" NO_RUN},
	{"a", "tilewright,1\n", "a" NO_RUN},
	{"a.csv", "task,start\n", "a.csv: a table of tasks does not hold the whole run: expected a trace in .json"},
	{"a.csv.gz", "", "a.csv.gz: a table of tasks does not hold the whole run"},
	/* cut off */
	{"a.json", "", "a.json:1: the trace ends without its closing brackets: it is cut off"},
	{"a.json", CHROME, "a.json:2: the trace ends without its closing brackets: it is cut off"},
	{"a.json", CHROME_SECTION "\"tilewright,1\"\n", "a.json:4: the run section has no last line \"total,N\""},
	{"a.paje", SECTION, "a.paje:8: the trace ends before its run section: it is cut off"},
	{"a.paje", SECTION "18 Z0 N Run \"0 0 0\" \"tilewright,1;made_by,,\"\n",
         "a.paje:9: the run section has no last line \"total,N\": it is cut off"},
	{"a.record", "", "a.record:1: an empty file: expected a run section"},
	{"a.record", "tilewright,1\n", "a.record:2: the run section has no last line \"total,N\": it is cut off"},
	/* damaged */
	{"a.record", "tilewright,1\nkernel,k\ntasks,0,0\ngraph,1,0,g\n",
         "a.record:4: '1': expected the first task of a graph, from 0 on and ascending"},
	{"a.record", "tilewright,1\nkernel,k\ntasks,0,0\ngraph,0,0,g\ngraph,0,0,g\n",
         "a.record:5: '0': expected the first task of a graph, from 0 on and ascending"},
	{"a.record", "tilewright,1\nkernel,k\ntasks,0,0\ngraph,0,0,g\ngraph,2,0,g\n",
         "a.record:5: '2': expected the first task of a graph, from 0 on and ascending"},
	{"a.record", "tilewright,1\ngraph,0,-1,g\n", "a.record:2: '-1': expected nanoseconds"},
	{"a.record", "tilewright,1\ngraph,0,1\n", "a.record:2: 2 fields behind 'graph': expected 3"},
	{"a.record", "tilewright,1\ngraph,0,1,\\x00\n", "a.record:2: "},
	{"a.paje", SECTION "18 Z0 N Run\n", "a.paje:8: the event of the run section lacks its last value, in quotes"},
	{"a.paje", SECTION "18 Z0 N Run \"0 0 0\" \"tilewright,1;start,0,0,0,0\n",
         "a.paje:8: the event of the run section lacks its last value, in quotes"},
	{"a.paje", SECTION "18 Z0 N Run \"0 0 0\" \"made_by,,\"\n",
         "a.paje:8: expected the first line of a run section"},
	{"a.paje", SECTION "18 Z0 N Run \"0 0 0\" \"tilewright,1;start\"\n",
         "a.paje:8: 0 fields behind 'start': expected 4"},
	{"a.json", CHROME_SECTION "7\n]}\n", "a.json:3: expected a string of JSON"},
	{"a.json", CHROME_SECTION "\"tilewright,1\",\n\"end,now,0,0,0\"\n]}\n",
         "a.json:4: 'now': expected a date in nanoseconds"},
	{"a.json", CHROME_SECTION "\"tilewright,1\",\n\"end,1,0,GPU0,0\"\n]}\n",
         "a.json:4: 'GPU0': expected the number of a worker"},
	{"a.json", CHROME_SECTION "\"tilewright,1\",\n\"end,1,0,0\"\n]}\n",
         "a.json:4: 3 fields behind 'end': expected 4"},
	{"a.record", "tilewright,2\n", "a.record:1: version 2 of the run section: expected 1"},
	{"a.record", "tilewright,1\nfree,5,0,0,0,0,fear\n", "a.record:2: 'fear': expected a cause: demand, prefetch"},
	{"a.record", "tilewright,1\nfree,5,0,0,-1,0,idle\n", "a.record:2: '-1': expected a whole number"},
	{"a.record", "tilewright,1\nsubmit,9223372036854775807,0\n",
         "a.record:2: '9223372036854775807': expected a date in nanoseconds"},
	{"a.record", "tilewright,1\nsubmit,12345678901234567890,0\n",
         "a.record:2: '12345678901234567890': expected a date in nanoseconds"},
	{"a.record", "tilewright,1\nsubmit,+1,0\n", "a.record:2: '+1': expected a date in nanoseconds"},
	{"a.record", "tilewright,1\nsubmit,1.5,0\n", "a.record:2: '1.5': expected a date in nanoseconds"},
	{"a.record", "tilewright,1\nsubmit,-1,0\n", "a.record:2: '-1': expected a date in nanoseconds"},
	{"a.record", "tilewright,1\nsubmit,,0\n", "a.record:2: '': expected a date in nanoseconds"},
	{"a.record", "tilewright,1\nsubmits,1,0\n", "a.record:2: 'submits': expected an event or another line"},
};

START_TEST(errors_name_file_and_line)
{
	struct tw_error err = {""};
	write_bytes(wrong[_i].file, wrong[_i].text, strlen(wrong[_i].text));
	int status = tw__plot_gantt(
		&(struct tw__trace_request){.trace = in_folder(wrong[_i].file), .output = in_folder("a.gp")}, &err);
	ck_assert_int_eq(status, TW_INVALID);
	char expected[512];
	snprintf(expected, sizeof expected, "%s/%s", folder, wrong[_i].expected);
	ck_assert_msg(!strncmp(err.message, expected, strlen(expected)), "'%s' instead of '%s'", err.message, expected);
}
END_TEST

/* A good trace with a byte changed or cut off at many places: an error or a figure, never a crash. */
START_TEST(damaged_traces_do_no_harm)
{
	char *text = read_file(traces[_i]);
	size_t length = strlen(text), n_drawn = 0;
	for (size_t at = 0; at < length; at += 5) {
		struct tw__schedule s;
		struct tw__run_section section;
		struct tw_error err;
		char kept = text[at];
		text[at] = "\"0%{ 9\n"[at % 7];
		write_bytes(traces[_i], text, at % 3 ? length : at + 1);
		if (read_schedule(&s, &section, in_folder(traces[_i]), &err) == TW_OK) {
			n_drawn++;
			tw__visible_boxes(&s, TW__COLUMNS);
			tw__visible_samples(&s, &s.used, TW__COLUMNS);
			tw__visible_means(&s, &s.use, 50);
		}
		tw__schedule_finish(&s);
		tw__run_section_finish(&section);
		text[at] = kept;
	}
	ck_assert_uint_gt(n_drawn, 0);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bad traces");
	TCase *tests = tcase_create("bad traces");
	tcase_add_checked_fixture(tests, traces_set_up, traces_tear_down);
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, errors_name_file_and_line, 0, sizeof wrong / sizeof *wrong);
	tcase_add_loop_test(tests, damaged_traces_do_no_harm, 0, N_TRACES);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
