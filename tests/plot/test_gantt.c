/* The reader says where a trace is wrong, and the figure holds what it must. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "plot/plot.h"
#include "plot/schedule.h"
#include "plot/visible.h"
#include "trace/write.h"

#define S (tw__ns)1000000000 /* in nanoseconds */

static char folder[64];
static struct fixture f;

static const char *in_folder(const char *name)
{
	static char paths[4][256];
	static int next;
	char *path = paths[next++ % 4];
	snprintf(path, sizeof *paths, "%s/%s", folder, name);
	return path;
}

static int shell(const char *command)
{
	char line[1024];
	snprintf(line, sizeof line, "cd '%s' && %s", folder, command);
	int status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void set_up(void)
{
	strcpy(folder, "/tmp/tilewright-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	fixture_init(&f);
	for (int i = 0; i < 2; i++) {
		struct tw_error err;
		const char *path = in_folder(i ? "run.json" : "run.paje");
		ck_assert_int_eq(tw__trace_write(path, &f.traced, &err), TW_OK);
	}
}

static void tear_down(void)
{
	fixture_finish(&f);
	shell("rm -rf \"$PWD\"");
}

static char *read_file(const char *name)
{
	FILE *file = fopen(in_folder(name), "r");
	ck_assert_ptr_nonnull(file);
	char *text = calloc(1, 1 << 18);
	ck_assert_uint_lt(fread(text, 1, (1 << 18) - 1, file), (1 << 18) - 1);
	fclose(file);
	return text;
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(in_folder(name), "w");
	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

static const char *const traces[] = {"run.paje", "run.json"};

START_TEST(what_was_written_is_read_back)
{
	struct tw__schedule s;
	struct tw_error err = {""};
	tw__schedule_init(&s);
	ck_assert_msg(tw__schedule_read(&s, in_folder(traces[_i]), &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(s.workers.n, 3);
	ck_assert_str_eq(s.workers.list[0], "CUDA0");
	ck_assert_str_eq(s.workers.list[2], "CPU0");
	ck_assert_int_eq(s.kernels.n, 2);
	ck_assert_str_eq(s.kernels.list[0], "work");
	ck_assert_int_eq(s.memories.n, 3);
	ck_assert_str_eq(s.memories.list[1], "GPU0");
	ck_assert_uint_eq(s.n_boxes, 6);
	ck_assert_uint_eq(s.used.n, 2 + 6);
	ck_assert_str_eq(s.workload, "six:n=6");
	ck_assert_str_eq(s.policy, _i ? "by \"hand\"" : "by 'hand'");
	ck_assert_str_eq(s.archs.list[0], "gpu");
	ck_assert(tw__numbers_at(&s.capacity_bytes, 0) == 0 && tw__numbers_at(&s.capacity_bytes, 2) == 3000);
	ck_assert_str_eq(s.links.list[0], "bus0");
	ck_assert(tw__numbers_at(&s.bandwidth, 0) == 1000 && tw__numbers_at(&s.bandwidth, 7) == 0);
	/* Five transfers, of which two follow one upon the other with the same rate; each 1000 bytes in 1.5 s. */
	ck_assert_uint_eq(s.flows.n, 1 + 2 * 4);
	ck_assert(s.flows.list[1].date == 0 && s.flows.list[1].value == 667 && s.flows.list[2].date == 3 * S);
	ck_assert(s.flows.list[8].date == 21 * S / 2 && s.flows.list[8].value == 0);
	ck_assert(s.end == 25 * S / 2);
	/* The first that ends: task 1. */
	ck_assert(s.boxes[0].worker == 1 && s.boxes[0].kernel == 1 && s.boxes[0].start == 0 && s.boxes[0].end == S);
	ck_assert_int_eq(s.boxes[0].task, 1);
	tw__schedule_finish(&s);
}
END_TEST

START_TEST(the_script_holds_what_it_must)
{
	struct tw_error err = {""};
	ck_assert_msg(tw__plot_gantt(in_folder(traces[_i]), in_folder("run.gp"), false, &err) == TW_OK, "%s",
	              err.message);
	char *text = read_file("run.gp");
	static const char *const parts[] = {
		"set terminal svg noenhanced",
		"makespan 12.500 s, 6 tasks on 3 workers",
		/* GPU0 is busy for 4 s, GPU1 for 4, the processor for 4. */
		": idle 2 x gpu 68.0 %, 1 x cpu 68.0 %, all 68.0 %'",
		"set ylabel 'ready tasks'",
		"$tasks0 << END\n0.000000000 0\n",
		"links: share of the bandwidth in use'",
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
		"used (B)",
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
		ck_assert_msg(tw__plot_gantt(in_folder("run.paje"), in_folder(kinds[i].output), false, &err) == TW_OK,
		              "%s", err.message);
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
	ck_assert_int_eq(tw__plot_gantt(in_folder("names.json"), in_folder("names.gp"), false, &err), TW_OK);
	char *text = read_file("names.gp");
	ck_assert_ptr_nonnull(strstr(text, "'a''; system(''touch pwn"));
	free(text);
	if (shell("command -v gnuplot >/dev/null") == 0)
		ck_assert_msg(tw__plot_gantt(in_folder("names.json"), in_folder("names.svg"), false, &err) == TW_OK,
		              "%s", err.message);
	ck_assert_int_ne(shell("test -e pwned"), 0);
}
END_TEST

START_TEST(what_cannot_be_drawn_is_an_error)
{
	struct tw_error err = {""};
	ck_assert_int_eq(tw__plot_gantt(in_folder("absent.paje"), in_folder("a.svg"), false, &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "absent.paje: cannot be read: No such file"));
	ck_assert_int_eq(tw__plot_gantt(in_folder("run.csv"), in_folder("a.svg"), false, &err), TW_INVALID);
	ck_assert_int_eq(tw__plot_gantt(in_folder("run.paje"), in_folder("a.gif"), false, &err), TW_INVALID);
	ck_assert_ptr_nonnull(strstr(err.message, "a.gif: unknown kind of figure"));
	ck_assert_int_ne(access(in_folder("a.gif"), F_OK), 0);
	ck_assert_int_eq(tw__plot_gantt(in_folder("run.paje"), in_folder("no/such/a.svg"), false, &err), TW_FAILED);
	ck_assert_ptr_nonnull(strstr(err.message, "no/such/a.svg: cannot be written"));
	char *path = strdup(getenv("PATH"));
	setenv("PATH", folder, 1);
	ck_assert_int_eq(tw__plot_gantt(in_folder("run.paje"), in_folder("a.svg"), false, &err), TW_FAILED);
	ck_assert_ptr_nonnull(strstr(err.message, "gnuplot is not installed"));
	setenv("PATH", path, 1);
	free(path);
}
END_TEST

#define PAJE                                                                                                                             \
	"%EventDef PajeDefineContainerType 0\n% Alias string\n% Type string\n% Name string\n%EndEventDef\n"                              \
	"%EventDef PajeCreateContainer 6\n% Time date\n% Alias string\n% Type string\n% Container string\n% Name string\n%EndEventDef\n" \
	"%EventDef PajeSetState 8\n% Time date\n% Type string\n% Container string\n% Value string\n%EndEventDef\n" /* 18 lines */
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
	ck_assert_int_eq(tw__plot_gantt(in_folder(wrong[_i].file), in_folder("a.gp"), false, &err), TW_INVALID);
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

/* 2^53 ns are 104 days, from when on doubles cannot tell one nanosecond from the next. */
START_TEST(late_dates_keep_their_nanoseconds)
{
	const tw__ns late = (tw__ns)1 << (_i < 2 ? 53 : 62);
	struct tw__record *r = &f.record;
	for (size_t i = 0; i < r->n; i++)
		r->events[i].date = late + (tw__ns)i;
	r->makespan = late + (tw__ns)r->n + 1;
	struct tw__schedule s;
	struct tw_error err = {""};
	const char *path = in_folder(_i % 2 ? "late.json" : "late.paje");
	free(f.nodes[1].name);
	f.nodes[1].name = strdup("GPU\\0"); /* its counters are no plain text in JSON */
	ck_assert_int_eq(tw__trace_write(path, &f.traced, &err), TW_OK);
	tw__schedule_init(&s);
	ck_assert_msg(tw__schedule_read(&s, path, &err) == TW_OK, "%s", err.message);
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
	for (size_t i = 0; i < s.used.n; i++)
		n_late += s.used.list[i].date >= late;
	ck_assert_uint_eq(n_late, 6);
	for (size_t i = 1; i < s.used.n; i++)
		ck_assert(s.used.list[i].date > s.used.list[i - 1].date || s.used.list[i].date == 0);
	ck_assert(tw__visible_boxes(&s, TW__COLUMNS) && tw__visible_samples(&s, &s.used, s.memories.n, TW__COLUMNS) &&
	          tw__visible_means(&s, &s.flows, s.links.n, TW__COLUMNS));
	tw__schedule_finish(&s);
}
END_TEST

/* Merging keeps how long each worker was busy, and leaves few boxes. */
START_TEST(merging_keeps_busy_time)
{
	struct tw__schedule s;
	double busy = 0, merged = 0;
	uint32_t seed = 1;
	tw__schedule_init(&s);
	for (int w = 0; w < 3; w++) {
		ck_assert_int_eq(tw__names_append(&s.workers, "w"), w);
		ck_assert_int_eq(tw__names_append(&s.kernels, "k"), w);
		tw__ns date = 0;
		for (int i = 0; i < 50000; i++) {
			seed = seed * 1664525u + 1013904223u;
			tw__ns gap = S * (seed >> 8 & 255) / 256, length = S * (seed >> 16 & 255) / 256;
			/* Now and then a long task or a long pause. */
			length *= i % 500 == 0 ? 300 : 1;
			gap *= i % 700 == 0 ? 300 : 1;
			ck_assert(
				tw__schedule_add_box(&s, w, (int)(seed >> 24) % 3, i, date + gap, date + gap + length));
			date += gap + length;
			busy += (double)length;
		}
	}
	ck_assert(tw__visible_boxes(&s, TW__COLUMNS));
	ck_assert_uint_lt(s.n_boxes, 3 * 2 * TW__COLUMNS);
	for (size_t i = 0; i < s.n_boxes; i++) {
		const struct tw__box *b = &s.boxes[i];
		ck_assert(b->share > 0 && b->share <= 1 && b->start < b->end);
		if (i > 0 && b[-1].worker == b->worker)
			ck_assert(b[-1].end <= b->start);
		merged += (double)(b->end - b->start) * b->share;
	}
	ck_assert_double_eq_tol(merged, busy, busy * 1e-9);
	tw__schedule_finish(&s);
}
END_TEST

START_TEST(merging_keeps_extremes_of_memory)
{
	struct tw__schedule s;
	tw__schedule_init(&s);
	for (int m = 0; m < 2; m++)
		ck_assert_int_eq(tw__names_append(&s.memories, "m"), m);
	for (int i = 0; i < 100000; i++)
		ck_assert(tw__schedule_add_sample(&s, &s.used, i % 2, i * S, i == 5001 ? 1000 : i == 7000 ? 1 : 500));
	ck_assert(tw__visible_samples(&s, &s.used, 2, TW__COLUMNS));
	ck_assert_uint_lt(s.used.n, 3 * 2 * (TW__COLUMNS + 1));
	bool most = false, least = false;
	for (size_t i = 0; i < s.used.n; i++) {
		const struct tw__sample *v = &s.used.list[i];
		most |= v->date == 5001 * S && v->counter == 1 && v->value == 1000;
		least |= v->date == 7000 * S && v->counter == 0 && v->value == 1;
		if (i > 0)
			ck_assert(v[-1].counter < v->counter || v[-1].date <= v->date);
	}
	ck_assert(most && least);
	tw__schedule_finish(&s);
}
END_TEST

/* What a link carried in all stays the same. */
START_TEST(means_keep_the_integral)
{
	struct tw__schedule s;
	tw__schedule_init(&s);
	double sum[2] = {0}, means[2] = {0};
	for (int i = 0; i < 10000; i++) {
		double value = i * 7919 % 13 < 6 ? 0 : i * 7919 % 13;
		ck_assert(tw__schedule_add_sample(&s, &s.flows, i % 2, i / 2 * S, value));
		sum[i % 2] += value * (i / 2 < 4999 ? 1 : 0);
	}
	ck_assert(tw__visible_means(&s, &s.flows, 2, 37));
	ck_assert_uint_le(s.flows.n, 2 * 37);
	for (size_t i = 0; i < s.flows.n; i++) {
		const struct tw__sample *v = &s.flows.list[i];
		bool is_last = i + 1 == s.flows.n || v[1].counter != v->counter;
		means[v->counter] += v->value * tw__seconds((is_last ? s.end : v[1].date) - v->date);
	}
	for (int c = 0; c < 2; c++)
		ck_assert_double_eq_tol(means[c], sum[c], 1e-6 * sum[c]);
	tw__schedule_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("gantt");
	TCase *tests = tcase_create("gantt");
	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, what_was_written_is_read_back, 0, 2);
	tcase_add_loop_test(tests, the_script_holds_what_it_must, 0, 2);
	tcase_add_test(tests, gnuplot_draws_every_kind);
	tcase_add_test(tests, hostile_names_stay_names);
	tcase_add_test(tests, what_cannot_be_drawn_is_an_error);
	tcase_add_loop_test(tests, errors_name_file_and_line, 0, sizeof wrong / sizeof *wrong);
	tcase_add_loop_test(tests, damaged_traces_do_no_harm, 0, 2);
	tcase_add_loop_test(tests, late_dates_keep_their_nanoseconds, 0, 4);
	tcase_add_test(tests, merging_keeps_busy_time);
	tcase_add_test(tests, merging_keeps_extremes_of_memory);
	tcase_add_test(tests, means_keep_the_integral);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
