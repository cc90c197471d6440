/* Simulations from a program: how much GPU memory does each policy need? Prints the rate of a Cholesky factorisation
 * with smaller and smaller memory, in one column for each policy. */
#include <stdio.h>

#include <tilewright/simulate.h>

int main(void)
{
	static const char *const policies[] = {"eager", "lws", "dmdas"};
	struct tw_simulation s;
	struct tw_outcome outcome;
	struct tw_error err;

	tw_simulation_init(&s);
	s.platform = "mirage";
	s.workload = "cholesky:nt=12";
	s.engine = "native";
	s.validate = true;
	printf("MiB     eager    lws  dmdas  GFlop/s\n");
	for (int mib = 800; mib >= 100; mib /= 2) {
		printf("%-6d", mib);
		s.gpu_mem_bytes = (uint64_t)mib << 20;
		for (int p = 0; p < 3; p++) {
			s.policy = policies[p];
			if (tw_simulate(&s, &outcome, &err) != TW_OK) {
				fprintf(stderr, "%s\n", err.message);
				return 1;
			}
			printf(" %6.1f", outcome.gflops);
		}
		printf("\n");
	}
	return 0;
}
