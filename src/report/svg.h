/* A figure of gnuplot's as a part of an HTML page. */
#ifndef TW__REPORT_SVG_H
#define TW__REPORT_SVG_H

#include <stdio.h>

#include <tilewright/base.h>

/* Copies an SVG file. Only elements and attributes that draw come along: no script, no style sheet, nothing from elsewhere; ids get
 * the prefix, so that figures of one page do not share them. `label`: what the figure is, for those who do not see it. TW_FAILED: it
 * is no such file, and nothing was copied. */
int tw__svg_inline(FILE *page, FILE *svg, const char *prefix, const char *label, struct tw_error *err);

#endif
