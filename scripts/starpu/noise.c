/* Adds noise to kernel times in StarPU's own simulation. Use it with LD_PRELOAD.
 *
 * Kernels that end at the same date end in an arbitrary order. Noise far below the precision of measurements gives
 * another order for each seed. Environment: NOISE, the relative standard deviation (0.00001), and NOISE_SEED; 0: no
 * noise. StarPU calls SimGrid's sg_actor_execute() only for kernels. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <simgrid/actor.h>

void sg_actor_execute(double flops)
{
	static void (*execute)(double);
	static gsl_rng *rng;
	static double sigma;
	if (!execute) {
		const char *seed = getenv("NOISE_SEED"), *part = getenv("NOISE");
		execute = (void (*)(double))dlsym(RTLD_NEXT, "sg_actor_execute");
		sigma = seed && strtoul(seed, NULL, 10) ? part ? strtod(part, NULL) : 1e-5 : 0;
		rng = gsl_rng_alloc(gsl_rng_mt19937);
		gsl_rng_set(rng, seed ? strtoul(seed, NULL, 10) : 0);
	}
	execute(sigma > 0 ? flops * fmax(0, 1 + gsl_ran_gaussian(rng, sigma)) : flops);
}
