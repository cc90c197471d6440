/* Puts gnuplot's figures into an HTML page. */
#ifndef TW__REPORT_SVG_H
#define TW__REPORT_SVG_H

#include <stdio.h>

#include "plot/tips.h"

/* Copies an SVG file into the page. Only elements and attributes that draw are copied: no scripts, style sheets or
 * external references. Ids get the prefix, as figures of one page must not share ids. `label`: description for readers
 * who do not see the figure. `tips`: the texts of its points. TW_FAILED: the SVG is invalid; nothing was copied. */
int tw__svg_inline(FILE *page, FILE *svg, const char *prefix, const char *label, const struct tw__tips *tips,
                   struct tw_error *err);

#endif
