/* For LD_PRELOAD: ends each process of a sweep in the middle of a point. The process ends at the $END_AT-th duration
 * that it draws, by signal $END, or by exit(3) if $END is 0. Durations are drawn with GSL's inverse of the normal
 * distribution, which this file replaces. */
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
