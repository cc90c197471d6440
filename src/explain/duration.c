#include "explain/duration.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static void put(char *text, double s, const char *format)
{
	static const struct {
		double least;
		const char *name;
	} units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {0, "ns"}};
	size_t u = 0;
	while (fabs(s) < units[u].least * (1 - 5e-5)) /* rounded to four digits, the value is below 1 */
		u++;
	double unit = u < 3 ? units[u].least : 1e-9;
	int n = snprintf(text, TW__DURATION_TEXT, s != 0 ? format : "%.4g", s / unit);
	snprintf(text + n, TW__DURATION_TEXT - (size_t)n, " %s", s != 0 ? units[u].name : "s");
}

void tw__duration_text(char text[TW__DURATION_TEXT], double seconds) { put(text, seconds, "%.4g"); }

void tw__difference_text(char text[TW__DURATION_TEXT], double seconds) { put(text, seconds, "%+.4g"); }
