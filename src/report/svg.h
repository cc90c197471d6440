/* gnuplot's figures within an HTML page. */
#ifndef TW__REPORT_SVG_H
#define TW__REPORT_SVG_H

#include <stdio.h>

#include <tilewright/base.h>

/* Copies an SVG file. Only elements and attributes that draw are copied: no scripts, style sheets or external
 * references. Ids get the prefix, as figures of one page must not share them. `label`: description for readers who do
 * not see the figure. TW_FAILED: invalid file; nothing was copied. */
int tw__svg_inline(FILE *page, FILE *svg, const char *prefix, const char *label, struct tw_error *err);

#endif
