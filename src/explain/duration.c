#include "explain/duration.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

double tw__duration_unit(double seconds, const char **name)
{
	static const struct {
		double seconds, least;
		const char *name;
	} units[] = {{1, 1, "s"}, {1e-3, 1e-3, "ms"}, {1e-6, 1e-6, "us"}, {1e-9, 0, "ns"}};
	size_t u = 0;
	while (fabs(seconds) < units[u].least * (1 - 5e-5)) /* rounded to four digits, the value is below 1 */
		u++;
	*name = units[u].name;
	return units[u].seconds;
}

static void put(char *text, double s, const char *format)
{
	const char *name;
	double unit = tw__duration_unit(s, &name);
	if (s != 0) {
		int n = snprintf(text, TW__DURATION_TEXT, format, s / unit);
		snprintf(text + n, TW__DURATION_TEXT - (size_t)n, " %s", name);
	} else {
		snprintf(text, TW__DURATION_TEXT, "0 s");
	}
}

void tw__duration_text(char text[TW__DURATION_TEXT], double seconds) { put(text, seconds, "%.4g"); }

void tw__difference_text(char text[TW__DURATION_TEXT], double seconds) { put(text, seconds, "%+.4g"); }
