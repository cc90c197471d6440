/* Failing allocations: each allocation in turn fails during a simulation. The result must be an error that says so, in
 * this process and in the run's own, and nothing may crash.
 *
 *     test_memory STEP */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/simulate.h>

/* The C library's allocators, for the replacements below. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static long until_failure = -1; /* number of allocations before the failing one; negative: none fails */

static int fails(void)
{
	if (until_failure < 0 || until_failure-- > 0)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails() ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }

/* Simulates while the n-th allocation fails. Returns whether the simulation failed. */
static int try(const struct tw_simulation *s, long n, int *bad)
{
	struct tw_outcome outcome;
	struct tw_error err = {""};
	until_failure = n;
	int status = tw_simulate(s, &outcome, &err);
	until_failure = -1;
	if (status == TW_OK)
		return 0;
	if (strstr(err.message, "signal") || (status != TW_NOMEM && !strstr(err.message, "memory"))) {
		printf("%s, allocation %ld: %d, %s\n", s->policy, n, status, err.message);
		*bad = 1;
	}
	return 1;
}

int main(int argc, char **argv)
{
	static const char *const policies[] = {"dmdas", "darts", "heft", "heteroprio", "hfp", "lws"};
	long step = argc > 1 ? atol(argv[1]) : 1;
	int bad = step < 1, failed = 0, passed = 0;
	for (size_t i = 0; i < sizeof policies / sizeof *policies && !bad; i++) {
		struct tw_simulation s;
		tw_simulation_init(&s);
		s.platform = "mirage";
		s.workload = "cholesky:nt=4";
		s.policy = policies[i];
		s.gpu_mem_bytes = 60 << 20;
		s.validate = true;
		/* The last allocations are those of the run's process: no more are left if many simulations pass. */
		for (long n = (long)i % step, in_a_row = 0; in_a_row < 20; n += step) {
			int has_failed = try(&s, n, &bad);
			in_a_row = has_failed ? 0 : in_a_row + 1;
			failed += has_failed;
			passed += !has_failed;
		}
	}
	printf("%d simulations failed, %d passed\n", failed, passed);
	return bad || failed < 100;
}
