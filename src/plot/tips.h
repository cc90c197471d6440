/* Texts of the points of a figure, for pages that show them when the pointer is over a point. In the SVG, a point with
 * a text is in a group whose attribute `onmousemove` has the number of the text, as in showHypertext(evt,'17'). */
#ifndef TW__TIPS_H
#define TW__TIPS_H

#include "plot/chart.h"

struct tw__tips {
	char **of; /* [n] texts of one or more lines */
	size_t n, room;
	bool no_memory; /* whether texts are missing */
};
void tw__tips_finish(struct tw__tips *);

/* Adds the text of a point of a chart: its curve and panel, x, y with the confidence interval, and the number of
 * repetitions. Returns its number. */
size_t tw__tips_add(struct tw__tips *, const struct tw__chart *, int curve, int panel, const struct tw__dot *);

#endif
