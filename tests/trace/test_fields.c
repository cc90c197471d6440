/* No event passes that names something which the run does not have, whichever field of whichever event it is. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "trace/event_fields.h"

/* Values that no field may have: numbers below 0 and from the greatest on. A task may be released by no worker. */
static const int32_t impossible[] = {-2, -1, -32768, 6, 99, 32767, 1 << 30, INT32_MAX};

static bool set(struct tw__event *e, char field, int32_t value)
{
	switch (field) {
	case 't':
		e->task = value;
		return true;
	case 'd':
		e->data = value;
		return true;
	case 'w':
	case 'r':
		e->worker = (int16_t)value;
		return value == e->worker && !(field == 'r' && value == TW_NONE);
	case 'n':
		e->node = (int16_t)value;
		return value == e->node;
	case 'f':
		e->from = (int16_t)value;
		return value == e->from;
	case 'c':
		e->cause = (uint8_t)value;
		return e->cause >= TW__N_CAUSES;
	case 'b':
		e->bytes = (uint64_t)value;
		return true;
	default:
		e->offset = (uint64_t)value;
		return value < 0 || e->kind == TW__TRANSFER_START || e->kind == TW__TRANSFER_END;
	}
}

/* Checks the fixture with a value in a field of its event `i`. `field` 0: another kind; 'D': another date. */
static void check(size_t i, char field, int64_t value)
{
	struct fixture f;
	struct tw_error err = {""};
	fixture_init(&f);
	struct tw__event *e = &f.record.events[i];
	bool wrong = true;
	const uint8_t kind = e->kind;
	if (field == 0)
		e->kind = (uint8_t)value;
	else if (field == 'D')
		e->date = value;
	else
		wrong = set(e, field, (int32_t)value);
	ck_assert_msg(!wrong || tw__validate(&f.input, &f.record, NULL, &err) == TW_FAILED,
	              "event %zu (%s): field '%c' may be %lld", i, tw__event_names[kind], field ? field : '0',
	              (long long)value);
	fixture_finish(&f);
}

START_TEST(impossible_fields_are_refused)
{
	struct fixture f;
	fixture_init(&f);
	for (size_t i = 0; i < f.record.n; i++) {
		for (const char *field = tw__event_fields((enum tw__event_kind)f.record.events[i].kind); *field;
		     field++)
			for (size_t v = 0; v < sizeof impossible / sizeof *impossible; v++)
				check(i, *field, impossible[v]);
		check(i, 0, TW__N_EVENT_KINDS);
		check(i, 0, UINT8_MAX);
		check(i, 'D', -1);
		check(i, 'D', INT64_MIN);
		check(i, 'D', TW__LAST);
		check(i, 'D', TW__NEVER);
		check(i, 'D', f.record.makespan + 1);
	}
	fixture_finish(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fields");
	TCase *tests = tcase_create("events");
	tcase_add_test(tests, impossible_fields_are_refused);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
