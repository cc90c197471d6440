/* The stand-in for CUDA: GPUs match the environment variables. */
#include <stdlib.h>

#include "test_standin.h"

START_TEST(devices_are_as_the_environment_says)
{
	int n, value, can;
	char id[16];
	setenv("STANDIN_GPUS", "2", 1);
	setenv("STANDIN_CAPABILITY", "7.5", 1);
	good(cudaGetDeviceCount(&n));
	ck_assert_int_eq(n, 2);
	good(cudaDeviceGetAttribute(&value, TW__CUDA_ATTRIBUTE_MAJOR, 1));
	ck_assert_int_eq(value, 7);
	good(cudaDeviceGetAttribute(&value, TW__CUDA_ATTRIBUTE_MINOR, 1));
	ck_assert_int_eq(value, 5);
	good(cudaDeviceGetPCIBusId(id, sizeof id, 1));
	ck_assert_str_eq(id, "0000:01:00.0");
	good(cudaDriverGetVersion(&value));
	ck_assert_int_eq(value, 13000);
	good(cudaDeviceCanAccessPeer(&can, 0, 1));
	ck_assert_int_eq(can, 1);
	good(cudaDeviceEnablePeerAccess(1, 0));
	ck_assert_int_eq(cudaDeviceEnablePeerAccess(1, 0), TW__CUDA_PEER_ALREADY_ENABLED);
	ck_assert_int_eq(cudaSetDevice(2), 101);
	ck_assert_str_eq(cudaGetErrorString(101), "invalid device ordinal");
}
END_TEST

START_TEST(gpus_can_differ)
{
	static const struct {
		int major, minor;
		const char *name, *id;
	} expected[] = {
		{9, 0, "Stand-in A", "0000:00:00.0"},
		{12, 1, "Stand-in B", "0000:01:00.0"},
		{12, 1, "Stand-in B", "0000:02:00.0"},
	};
	setenv("STANDIN_GPUS", "3", 1);
	setenv("STANDIN_CAPABILITY", "9.0,12.1", 1);
	setenv("STANDIN_NAMES", "Stand-in A,Stand-in B", 1);
	for (int i = 0; i < 3; i++) {
		int major, minor;
		char name[11], id[13];
		good(cudaDeviceGetAttribute(&major, TW__CUDA_ATTRIBUTE_MAJOR, i));
		good(cudaDeviceGetAttribute(&minor, TW__CUDA_ATTRIBUTE_MINOR, i));
		good(cuDeviceGetName(name, sizeof name, i));
		good(cudaDeviceGetPCIBusId(id, sizeof id, i));
		ck_assert_int_eq(major, expected[i].major);
		ck_assert_int_eq(minor, expected[i].minor);
		ck_assert_str_eq(name, expected[i].name);
		ck_assert_str_eq(id, expected[i].id);
	}
}
END_TEST

START_TEST(names_fit_their_room)
{
	char name[9] = "********";
	good(cuDeviceGetName(name, 6, 0));
	ck_assert_str_eq(name, "Stand");
	good(cuDeviceGetName(name, sizeof name, 0));
	ck_assert_str_eq(name, "Stand-in");
	ck_assert_int_eq(cuDeviceGetName(name, 0, 0), 1);
	ck_assert_int_eq(cuDeviceGetName(name, sizeof name, 1), 101);
	ck_assert_int_eq(cuDeviceGetName(name, sizeof name, -1), 101);
}
END_TEST

START_TEST(without_a_gpu_there_is_an_error)
{
	int n = 7;
	setenv("STANDIN_GPUS", "0", 1);
	ck_assert_int_eq(cudaGetDeviceCount(&n), 100);
	ck_assert_int_eq(n, 0);
}
END_TEST

/* No driver, and a driver that is too old. */
START_TEST(without_a_driver_there_is_an_error)
{
	static const char *const versions[] = {"0", "12080"};
	int n = 7, version = 7;
	setenv("STANDIN_DRIVER", versions[_i], 1);
	ck_assert_int_eq(cudaGetDeviceCount(&n), TW__CUDA_OLD_DRIVER);
	ck_assert_int_eq(n, 0);
	good(cudaDriverGetVersion(&version));
	ck_assert_int_eq(version, _i == 0 ? 0 : 12080);
	ck_assert_int_eq(cudaSetDevice(0), TW__CUDA_OLD_DRIVER);
}
END_TEST

START_TEST(peers_can_be_without_access)
{
	int can = 1;
	setenv("STANDIN_GPUS", "2", 1);
	setenv("STANDIN_PEERS", "no", 1);
	good(cudaDeviceCanAccessPeer(&can, 0, 1));
	ck_assert_int_eq(can, 0);
	ck_assert_int_eq(cudaDeviceEnablePeerAccess(1, 0), 217);
}
END_TEST

void add_device_tests(TCase *cases)
{
	tcase_add_test(cases, devices_are_as_the_environment_says);
	tcase_add_test(cases, gpus_can_differ);
	tcase_add_test(cases, names_fit_their_room);
	tcase_add_test(cases, without_a_gpu_there_is_an_error);
	tcase_add_loop_test(cases, without_a_driver_there_is_an_error, 0, 2);
	tcase_add_test(cases, peers_can_be_without_access);
}
