/* Values of --emulate. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "platform/emulate.h"
#include "temp.h"

static struct tw__emulation parse(const char *text)
{
	struct tw__emulation e;
	struct tw_error err = {""};
	ck_assert_msg(tw__emulation_parse(&e, text, &err) == TW_OK, "%s: %s", text, err.message);
	return e;
}

START_TEST(all_keys_are_read)
{
	struct tw__emulation e =
		parse("gpus=3:mem=64MiB:bandwidth=2GB/s:latency=20us:shared=3GBps:peer=yes:arch=a100-like");
	ck_assert_int_eq(e.gpus, 3);
	ck_assert_uint_eq(e.memory_bytes, 64 << 20);
	ck_assert_double_eq(e.bandwidth, 2e9);
	ck_assert_double_eq(e.latency_s, 20e-6);
	ck_assert_double_eq(e.shared_bandwidth, 3e9);
	ck_assert(e.peer);
	ck_assert_str_eq(e.arch, "a100-like");
	ck_assert(e.describes);
}
END_TEST

START_TEST(most_keys_have_defaults)
{
	struct tw__emulation e = parse("gpus=1:bandwidth=500MB/s"), none = parse("");
	ck_assert_uint_eq(e.memory_bytes, 256 << 20);
	ck_assert_double_eq(e.bandwidth, 500e6);
	ck_assert_double_eq(e.latency_s, 10e-6);
	ck_assert_double_eq(e.shared_bandwidth, 0);
	ck_assert(!e.peer);
	ck_assert_str_eq(e.arch, "emulated");
	ck_assert(e.describes);
	ck_assert(!none.describes);
	ck_assert_int_eq(none.gpus, 0);
	ck_assert_double_eq(none.bandwidth, 0);
}
END_TEST

START_TEST(bandwidths_have_the_units_of_platform_files)
{
	static const struct {
		const char *text;
		double rate;
	} cases[] = {
		{"bandwidth=2GBps", 2e9}, {"bandwidth=2GB/s", 2e9},   {"bandwidth=2GiB/s", 2147483648.0},
		{"bandwidth=8Gb/s", 1e9}, {"bandwidth=1.5e9", 1.5e9}, {"bandwidth=1MB/s", 1e6},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ck_assert_double_eq(parse(cases[i].text).bandwidth, cases[i].rate);
}
END_TEST

static const struct {
	const char *text, *message;
} bad[] = {
	{"gpus=0", "--emulate: gpus=0: expected an integer from 1 to 16"},
	{"gpus=17", "--emulate: gpus=17: expected an integer from 1 to 16"},
	{"gpus=-1", "--emulate: gpus=-1: expected an integer from 1 to 16"},
	{"gpus=99999999999999999999", "--emulate: gpus=99999999999999999999: expected an integer"},
	{"gpus=two", "--emulate: gpus=two: expected an integer from 1 to 16"},
	{"gpus=", "--emulate: gpus=: expected an integer"},
	{"gpus", "--emulate: 'gpus': expected KEY=VALUE"},
	{"gpus=1:mem", "--emulate 'gpus=1:mem': expected KEY=VALUE"},
	{"gpus=1:", "--emulate 'gpus=1:': expected KEY=VALUE"},
	{":", "--emulate ':': expected KEY=VALUE"},
	{"gpus=1:gpus=2", "--emulate: parameter 'gpus' is given twice"},
	{"cpus=1",
         "--emulate: unknown parameter 'cpus' (did you mean 'gpus'?): expected one of gpus, memories, mem, bandwidth, "
         "latency, shared, peer, arch"},
	{"mem=0", "--emulate: mem=0: expected a size from 1 to"},
	{"mem=-1MiB", "--emulate: mem=-1MiB: expected a size"},
	{"mem=nan", "--emulate: mem=nan: expected a size"},
	{"mem=9EiB", "--emulate: mem=9EiB: expected a size below 8EiB"},
	{"mem=1EiB", "--emulate: mem=1EiB: expected a size from 1 to"},
	{"mem=1e400", "--emulate: mem=1e400: expected a size"},
	{"mem=4GB/s", "--emulate: mem=4GB/s: expected a size"},
	{"bandwidth=0", "--emulate: bandwidth=0: expected a bandwidth"},
	{"bandwidth=-2GB/s", "--emulate: bandwidth=-2GB/s: expected a bandwidth"},
	{"bandwidth=nan", "--emulate: bandwidth=nan: expected a bandwidth"},
	{"bandwidth=inf", "--emulate: bandwidth=inf: expected a bandwidth"},
	{"bandwidth=1e19B/s", "--emulate: bandwidth=1e19B/s: expected a bandwidth from 1MB/s to 1e18B/s"},
	{"bandwidth=1e400GB/s", "--emulate: bandwidth=1e400GB/s: expected a bandwidth"},
	{"bandwidth=2", "--emulate: bandwidth=2: expected a bandwidth from 1MB/s"},
	{"bandwidth=2GB", "--emulate: bandwidth=2GB: expected a bandwidth"},
	{"bandwidth=2/s", "--emulate: bandwidth=2/s: expected a bandwidth"},
	{"bandwidth=/s", "--emulate: bandwidth=/s: expected a bandwidth"},
	{"bandwidth=2Gf", "--emulate: bandwidth=2Gf: expected a bandwidth"},
	{"bandwidth=", "--emulate: bandwidth=: expected a bandwidth"},
	{"bandwidth=1000000000000000000000000000000000000000000000000000000000000000000000GB/s",
         "expected a bandwidth"},
	{"shared=0", "--emulate: shared=0: expected a bandwidth"},
	{"shared=", "--emulate: shared=: expected a bandwidth"},
	{"latency=-1us", "--emulate: latency=-1us: expected a time"},
	{"latency=nan", "--emulate: latency=nan: expected a time"},
	{"latency=1001", "--emulate: latency=1001: expected a time from 0 to 1000 s"},
	{"latency=1e400", "--emulate: latency=1e400: expected a time"},
	{"peer=perhaps", "--emulate: peer=perhaps: expected yes or no"},
	{"arch=", "--emulate: arch=: expected 1 to 63 letters"},
	{"arch=a b", "--emulate: arch=a b: expected 1 to 63 letters"},
	{"arch=<x>", "--emulate: arch=<x>: expected 1 to 63 letters"},
	{"arch=a\nb", "--emulate: arch=a b: expected 1 to 63 letters"},
	{"arch=cpu", "--emulate: arch=cpu: expected a name that does not start with 'cpu'"},
	{"arch=0123456789012345678901234567890123456789012345678901234567890123", "expected 1 to 63 letters"},
};

START_TEST(what_is_wrong_is_said_in_one_line)
{
	struct tw__emulation e;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__emulation_parse(&e, bad[_i].text, &err), TW_INVALID);
	ck_assert_contains(err.message, bad[_i].message);
	ck_assert_ptr_null(strchr(err.message, '\n'));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform emulate");
	TCase *cases = tcase_create("emulate");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, all_keys_are_read);
	tcase_add_test(cases, most_keys_have_defaults);
	tcase_add_test(cases, bandwidths_have_the_units_of_platform_files);
	tcase_add_loop_test(cases, what_is_wrong_is_said_in_one_line, 0, sizeof bad / sizeof bad[0]);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
