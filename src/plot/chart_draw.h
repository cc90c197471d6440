/* Parts of charts' scripts, which one figure and small multiples share. */
#ifndef TW__CHART_DRAW_H
#define TW__CHART_DRAW_H

#include "plot/chart.h"
#include "plot/plot.h"

struct tw__axes {
	struct tw__range x, y;
};
/* Returns the ranges of all panels' axes: those that the style gives, or ranges that the values fit. */
struct tw__axes tw__chart_axes(const struct tw__chart *, const struct tw__figure_style *);

/* Writes the points of all curves, as blocks of data. `tips`: receives the texts of the points; may be NULL. */
void tw__chart_print_dots(FILE *script, const struct tw__chart *, struct tw__tips *tips);
/* Writes the ranges of the axes, without their labels. */
void tw__chart_print_ranges(FILE *script, const struct tw__chart *, const struct tw__axes *);
/* Writes the command that plots the curves of a panel. `has_titles`: with their labels, for the legend. `has_tips`:
 * with larger points that have texts, above the others. */
void tw__chart_plot(FILE *script, const struct tw__chart *, const struct tw__axes *, int panel, bool has_titles,
                    bool has_tips);
/* Writes a command that plots nothing but the legend of all curves. */
void tw__chart_plot_legend(FILE *script, const struct tw__chart *, const struct tw__axes *);

/* Writes the label of a curve in the legend, which says whether the curve leaves the axis. */
enum { TW__LEGEND_LABEL = TW__CHART_LABEL + 20, TW__MOST_LEGEND = 44 };
void tw__chart_label(char label[TW__LEGEND_LABEL], const struct tw__chart *, const struct tw__axes *, int curve);

/* The part of a figure in which curves are drawn: its size in pixels, and the usual size of its font in points. */
struct tw__canvas {
	double width, height, points;
};
/* Writes gnuplot's commands for the markers of a panel. */
void tw__chart_print_markers(FILE *script, const struct tw__chart *, const struct tw__axes *, int panel,
                             const struct tw__canvas *);

/* The room that the names of groups of bars need: below the axis, and beyond its right end. In pixels, for an axis of
 * this width. */
struct tw__tick_space {
	int degrees; /* the names' angle; 0: horizontal */
	double height, beyond;
};
struct tw__tick_space tw__chart_tick_space(const struct tw__chart *, double width, double points);
void tw__chart_print_ticks(FILE *script, const struct tw__chart *, const struct tw__tick_space *, double points);

/* Chooses the numbers at both axes, so that they do not touch each other. `overhang`: how far, in pixels, a number may
 * stand out beyond the ends of the x axis. */
void tw__chart_space_numbers(FILE *script, const struct tw__chart *, const struct tw__axes *, const struct tw__canvas *,
                             double overhang);

/* Returns the width in pixels of a legend in one column. */
double tw__chart_legend_width(const struct tw__chart *, const struct tw__axes *, double points);
/* Writes gnuplot's `set key` for a legend beside or in a plot. */
void tw__chart_print_key(FILE *script, enum tw__legend);

/* Returns the width in pixels of a text with so many letters, in a font of this size. */
double tw__text_width(size_t letters, double points);

#endif
