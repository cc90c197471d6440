/* The reader of traces says where a trace is wrong, and damage does no harm. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"
#include "plot/schedule.h"
#include "plot/visible.h"
#include "traces.h"

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(in_folder(name), "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

#define PAJE                                                                                                \
	"%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n" \
	"%EventDef PajeCreateContainer 6\n% Time date\n% Alias string\n% Type string\n"                     \
	"% Container string\n% Name string\n%EndEventDef\n"                                                 \
	"%EventDef PajeSetState 8\n% Time date\n% Type string\n% Container string\n% Value string\n"        \
	"%EndEventDef\n" /* 18 lines */
#define VARIABLE                                                                                           \
	"%EventDef PajeDefineVariableType 3\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n" \
	"%EventDef PajeSetVariable 10\n% Time date\n% Type string\n% Container string\n% Value double\n%EndEventDef\n"
#define CHROME                                                  \
	"{\"otherData\":{\"makespan_s\":1},\"traceEvents\":[\n" \
	"{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"w\"}},\n"

#define DIGITS_40 "1234567890123456789012345678901234567890"
#define SPAN(ts, dur)                                                  \
	"{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":" ts ",\"dur\":" dur \
	",\"cat\":\"task\",\"name\":\"k\",\"args\":{\"task\":0}}\n"

static const struct {
	const char *file, *text, *expected;
} wrong[] = {
	{"a.paje", "", "a.paje: no workers"},
	{"a.paje", "hello\n", "a.paje:1: expected the number of an event"},
	{"a.paje", "% Alias string\n", "a.paje:1: expected %EventDef before 'Alias'"},
	{"a.paje", "%EventDef Paje\n", "a.paje:1: expected %EventDef NAME NUMBER"},
	{"a.paje", "%EventDef Paje 99999999999\n", "a.paje:1: expected %EventDef NAME NUMBER"},
	{"a.paje", "%EventDef A 1\n%EndEventDef\n%EventDef B 1\n", "a.paje:3: event defined a second time: '1'"},
	{"a.paje", PAJE "9 1 2\n", "a.paje:19: expected the number of an event that is defined above instead of '9'"},
	{"a.paje", PAJE "0 W 0 \"Worker\n", "a.paje:19: fewer values"},
	{"a.paje", PAJE "0 W\n", "a.paje:19: fewer values"},
	{"a.paje", PAJE "0 W 0 Worker\n0 W 0 Worker\n", "a.paje:20: defined a second time: 'W'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 0 w V 0 x\n", "a.paje:20: unknown type of container: 'V'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 now w W 0 x\n", "a.paje:20: expected a date in seconds instead of 'now'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 -1 w W 0 x\n", "a.paje:20: expected a date in seconds instead of '-1'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 \"\" w W 0 x\n", "a.paje:20: expected a date in seconds instead of ''"},
	{"a.paje", PAJE "0 W 0 Worker\n6 +1 w W 0 x\n", "a.paje:20: expected a date in seconds instead of '+1'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 1.2.3 w W 0 x\n", "a.paje:20: expected a date in seconds instead of '1.2.3'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 1e5 w W 0 x\n", "a.paje:20: expected a date in seconds instead of '1e5'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 NaN w W 0 x\n", "a.paje:20: expected a date in seconds instead of 'NaN'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 " DIGITS_40 " w W 0 x\n",
         "a.paje:20: expected a date in seconds instead of '" DIGITS_40 "'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 9223372036.854775807 w W 0 x\n",
         "a.paje:20: expected a date in seconds instead of '9223372036.854775807'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 9007199.254740993 w W 0 x\n6 9007199.254740992 v W 0 y\n",
         "a.paje:21: time goes back"},
	{"a.paje", PAJE "0 W 0 Worker\n6 5 w W 0 x\n6 4 v W 0 y\n", "a.paje:21: time goes back"},
	{"a.paje", PAJE "0 W 0 Worker\n6 0 w W 0 x\n8 0 S u I\n", "a.paje:21: no worker has the alias 'u'"},
	{"a.paje", PAJE "0 W 0 Worker\n6 0 w W 0 x\n8 0 S w K\n", "a.paje:21: no kernel has the alias 'K'"},
	{"a.paje", PAJE VARIABLE "0 W 0 Worker\n6 0 w W 0 x\n10 0 v w 1\n",
         "a.paje:32: no type of variables has the alias 'v'"},
	{"a.paje", PAJE VARIABLE "0 W 0 Worker\n3 v W \"Link used (bytes/s)\"\n6 0 w W 0 x\n10 0 v w 1\n",
         "a.paje:33: a variable of another type of container than 'w'"},
	{"a.paje", PAJE VARIABLE "0 W 0 Worker\n3 v W \"Link capacity (bytes/s)\"\n6 0 w W 0 x\n10 0 v w 1\n",
         "a.paje:33: a variable of another type of container than 'w'"},
	{"a.paje", PAJE VARIABLE "0 W 0 Worker\n3 v W \"Tasks ready\"\n6 0 w W 0 x\n10 0 v w -1\n",
         "a.paje:33: expected a number instead of '-1'"},
	{"a.paje", PAJE VARIABLE "0 W 0 Worker\n3 v W V\n10 0 v w 1\n", "a.paje:32: no container has the alias 'w'"},
	{"a.json", "", "a.json: no workers"},
	{"a.json", "{\n", "a.json:1: expected the first line"},
	{"a.json", "[\n", "a.json:1: expected the first line"},
	{"a.json", "{\"traceEvents\":[\n", "a.json:1: expected the first line"},
	{"a.json", CHROME "{\"ph\":\n", "a.json:3: expected one event: "},
	{"a.json", CHROME "{\"pid\":1},\n", "a.json:3: expected an event with a phase"},
	{"a.json", CHROME "7,\n", "a.json:3: expected one event"},
	{"a.json", CHROME "{\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":0,\"dur\":1,\"name\":\"k\"}\n",
         "a.json:3: a task on a thread that is not named"},
	{"a.json", CHROME "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":\"0\",\"dur\":1,\"name\":\"k\"}\n",
         "a.json:3: expected numbers of microseconds"},
	{"a.json", CHROME "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":-1,\"name\":\"k\"}\n",
         "a.json:3: expected numbers of microseconds"},
	{"a.json", CHROME SPAN("", "1"), "a.json:3: expected one event: "},
	{"a.json", CHROME SPAN("+1", "1"), "a.json:3: expected one event: "},
	{"a.json", CHROME SPAN("1.2.3", "1"), "a.json:3: expected one event: "},
	{"a.json", CHROME SPAN("NaN", "1"), "a.json:3: expected one event: "},
	{"a.json", CHROME SPAN("0", "01"), "a.json:3: expected one event: "},
	{"a.json", CHROME SPAN("-1", "1"), "a.json:3: expected numbers of microseconds"},
	{"a.json", CHROME SPAN("1", "1e300"), "a.json:3: expected numbers of microseconds"},
	{"a.json", CHROME SPAN(DIGITS_40 ".0", "1"), "a.json:3: expected numbers of microseconds"},
	{"a.json", CHROME SPAN("9223372036854775.807", "1"), "a.json:3: expected numbers of microseconds"},
	{"a.json", "{\"otherData\":{\"platform\":\"\",\"makespan_s\":9223372037},\"traceEvents\":[\n",
         "a.json:1: expected the first line"},
	{"a.json", CHROME "{\"ph\":\"M\",\"pid\":1,\"tid\":3,\"name\":\"thread_name\",\"args\":{\"name\":\"w\"}}\n",
         "a.json:3: expected workers, memories and links"},
	{"a.json", CHROME "{\"ph\":\"C\",\"pid\":3,\"tid\":1,\"ts\":0,\"args\":{\"used_bytes\":1}}\n",
         "a.json:3: a counter on a thread"},
	{"a.json", CHROME "{\"ph\":\"C\",\"pid\":6,\"tid\":1,\"ts\":0,\"args\":{\"bytes_per_s\":1}}\n",
         "a.json:3: a counter on a thread that is not named above"},
	{"a.json", CHROME "{\"ph\":\"C\",\"pid\":5,\"tid\":3,\"ts\":0,\"args\":{\"tasks\":1}}\n",
         "a.json:3: a counter on a thread"},
	{"a.json", CHROME "{\"ph\":\"C\",\"pid\":5,\"tid\":1,\"ts\":0,\"args\":{\"tasks\":-1}}\n",
         "a.json:3: expected a number of microseconds in ts, and one in tasks"},
	{"a.json",
         CHROME "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":1,\"name\":\"k\",\"args\":{\"task\":-7}}\n",
         "a.json:3: expected the number of a task in args"},
};

START_TEST(errors_name_file_and_line)
{
	struct tw_error err = {""};
	write_file(wrong[_i].file, wrong[_i].text);
	ck_assert_int_eq(draw_gantt(in_folder(wrong[_i].file), in_folder("a.gp"), &err), TW_INVALID);
	char expected[512];
	snprintf(expected, sizeof expected, "%s/%s", folder, wrong[_i].expected);
	ck_assert_msg(!strncmp(err.message, expected, strlen(expected)), "'%s' instead of '%s'", err.message, expected);
}
END_TEST

/* A good trace with a byte changed or cut off at any place: an error or a figure, never a crash. */
START_TEST(damaged_traces_do_no_harm)
{
	char *text = read_file(traces[_i]);
	size_t length = strlen(text);
	for (size_t at = 0; at < length; at++) {
		struct tw__schedule s;
		struct tw_error err;
		char kept = text[at];
		text[at] = "\"0%{ 9\n"[at % 7];
		FILE *file = fmemopen(text, at % 3 ? length : at + 1, "r");
		ck_assert_ptr_nonnull(file);
		tw__schedule_init(&s);
		int status = _i ? tw__schedule_read_chrome(&s, file, "x", &err)
		                : tw__schedule_read_paje(&s, file, "x", &err);
		if (status == TW_OK)
			ck_assert(tw__visible_boxes(&s, TW__COLUMNS) &&
			          tw__visible_samples(&s, &s.used, s.memories.n, TW__COLUMNS) &&
			          tw__visible_means(&s, &s.flows, s.links.n, 50));
		tw__schedule_finish(&s);
		fclose(file);
		text[at] = kept;
	}
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
