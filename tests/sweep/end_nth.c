/* Preloaded, it ends each process of a sweep in the middle of a point: at the $END_AT-th duration that the process draws, with the signal
 * $END, or by exit(3) if that is 0. Each duration comes from GSL's inverse of the normal distribution. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>

double gsl_cdf_ugaussian_Pinv(const double p)
{
	static double (*next)(double);
	static long drawn;
	const char *how = getenv("END"), *at = getenv("END_AT");
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "gsl_cdf_ugaussian_Pinv");
	if (how && at && ++drawn == atol(at)) {
		if (atoi(how) == 0)
			exit(3);
		raise(atoi(how));
	}
	return next(p);
}
