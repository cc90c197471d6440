/* A plug-in with kernels that misbehave, for environment.sh and race.sh: KIND selects its table, and $HOSTILE the
 * behaviour of its kernels. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/kernels.h>

#define GOOD 0
#define OTHER_ABI 1
#define NO_TABLE 2
#define NO_KERNELS 3
#define NO_FILL 4

static int shared;
static void *_Atomic first_operand;

static bool is(const char *what)
{
	const char *word = getenv("HOSTILE");
	return word && strcmp(word, what) == 0;
}

static void hang(void)
{
	for (;;)
		pause();
}

/* Allocates all memory, then frees it. */
static int eat(void)
{
	void **first = NULL, **room;
	while ((room = malloc((size_t)1 << 20))) {
		memset(room, 1, (size_t)1 << 20);
		*room = first;
		first = room;
	}
	while ((room = first)) {
		first = *room;
		free(room);
	}
	return ENOMEM;
}

static int kernel(const struct tw_call *call)
{
	if (is("code"))
		return 42;
	if (is("late code"))
		return call->task == 5 ? 42 : 0;
	if (is("segv"))
		raise(SIGSEGV);
	if (is("kill"))
		raise(SIGKILL);
	if (is("exit"))
		_exit(0);
	if (is("sleep") || (is("late sleep") && call->task == 5))
		hang();
	if (is("leak"))
		memset(malloc(77), 1, 77);
	if (is("serial sleep") && call->task == 0 && (char *)call->operands[0].at != first_operand && first_operand)
		hang(); /* a different address */
	if (call->task == 0)
		first_operand = call->operands[0].at;
	for (volatile unsigned long spins = 0; is("loop") || (is("late loop") && call->task == 5); spins++)
		;
	if (is("race"))
		for (int i = 0; i < 1000; i++)
			shared++;
	return is("eat") ? eat() : 0;
}

static int open_shape(void *shape, const struct tw_args *args, struct tw_error *err)
{
	(void)shape, (void)args;
	return is("refuse") ? tw_fail(err, TW_INVALID, "these kernels are for nobody") : TW_OK;
}

static void fill(const void *shape, uint64_t seed, tw_data d, void *at, uint64_t bytes)
{
	(void)shape, (void)seed, (void)d;
	if (is("fill hangs"))
		hang();
	memset(at, 0, bytes);
}

static int check(const void *shape, uint64_t seed, void *const *at, double *residual, struct tw_error *err)
{
	(void)shape, (void)seed, (void)at;
	*residual = 0;
	if (is("check hangs"))
		hang();
	return is("wrong") ? tw_fail(err, TW_FAILED, "these numbers are wrong") : TW_OK;
}

static uint64_t workspace_bytes(const void *shape)
{
	(void)shape;
	return is("workspace") ? UINT64_MAX / 2 : 64;
}

static const struct tw_codelet codelets[] = {
	{"potrf", kernel, workspace_bytes, false},
	{"trsm", kernel, workspace_bytes, true},
	{"syrk", kernel, workspace_bytes, true},
#if KIND != NO_KERNELS
	{"gemm", kernel, workspace_bytes, true},
#endif
	{0},
};

static const struct tw_kernels own = {
	.abi = KIND == OTHER_ABI ? TW_KERNELS_ABI + (1 << 16) : TW_KERNELS_ABI,
	.workload = "cholesky",
	.codelets = codelets,
	.open = open_shape,
	.fill = KIND == NO_FILL ? NULL : fill,
	.check = check,
};

#if KIND == NO_TABLE
extern const struct tw_kernels *const unused[];
const struct tw_kernels *const unused[] = {&own, NULL};
#else
extern const struct tw_kernels *const tilewright_kernels[];
const struct tw_kernels *const tilewright_kernels[] = {&own, NULL};
#endif
