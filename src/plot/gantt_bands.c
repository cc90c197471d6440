/* The bands of a Gantt chart: rows of several workers. */
#include <inttypes.h>
#include <math.h>

#include "plot/gantt.h"

void tw__bands_init(struct tw__gantt *g, struct tw__bands *b, int n, const struct tw__schedule *s, const int *value_of)
{
	const struct tw__gantt_rows *rows = &g->rows;
	double column_ns = (double)s->end / TW__BAND_COLUMNS;
	b->n = n;
	b->share = tw__arena_alloc(&g->arena, (size_t)rows->n_bands * TW__BAND_COLUMNS * (size_t)n, sizeof *b->share);
	for (size_t i = 0; i < s->n_boxes; i++) {
		const struct tw__box *box = &s->boxes[i];
		int row = rows->of[box->worker], value = value_of ? value_of[box->kernel] : box->kernel;
		if (row == TW_NONE || rows->list[row].band == TW_NONE || box->end <= box->start)
			continue;
		int column = (int)((double)box->start / column_ns);
		for (; column < TW__BAND_COLUMNS && column * column_ns < (double)box->end; column++) {
			double from = fmax((double)box->start, column * column_ns);
			double to = fmin((double)box->end, (column + 1) * column_ns);
			size_t at = (size_t)rows->list[row].band * TW__BAND_COLUMNS + (size_t)column;
			b->share[at * (size_t)n + (size_t)value] +=
				fmax(0, to - from) / column_ns * box->share / rows->list[row].n_workers;
		}
	}
}

static const double *column_of(const struct tw__bands *b, int band, int column)
{
	return &b->share[((size_t)band * TW__BAND_COLUMNS + (size_t)column) * (size_t)b->n];
}

static bool has_value(const struct tw__bands *b, int band, int value)
{
	for (int c = 0; c < TW__BAND_COLUMNS; c++)
		if (column_of(b, band, c)[value] > 0)
			return true;
	return false;
}

/* Prints a point of both edges of a curve: the date, and two heights in thousandths of a unit. */
static void print_point(struct tw__gantt *g, int column, const int heights[2], const struct tw__gantt_row *row,
                        bool hang)
{
	tw__print_seconds(g->f, (tw__ns)((double)g->s->end / TW__BAND_COLUMNS * column));
	for (int i = 0; i < 2; i++) {
		int y = hang ? 1000 * (row->y + row->units) - 600 - heights[i] : 1000 * row->y - 400 + heights[i];
		fprintf(g->f, " %d", y);
	}
	putc('\n', g->f);
}

/* Finds the lower and upper edge of a value in a column, in thousandths of a unit from the band's edge. */
static void find_edges(const struct tw__bands *b, const struct tw__gantt_row *row, int value, int column, int edges[2])
{
	const double *share = column_of(b, row->band, column);
	double below = 0;
	int full = 1000 * row->units - 200;
	for (int v = 0; v < value; v++)
		below += share[v];
	edges[0] = (int)lround(full * fmin(1, below));
	edges[1] = (int)lround(full * fmin(1, below + share[value]));
}

/* Prints the two edges of a value in a band, with steps between columns. */
static void print_curve(struct tw__gantt *g, const struct tw__bands *b, const struct tw__gantt_row *row, int value,
                        bool hang)
{
	int last[2] = {0, 0};
	for (int c = 0; c <= TW__BAND_COLUMNS; c++) {
		int edges[2] = {0, 0};
		if (c < TW__BAND_COLUMNS)
			find_edges(b, row, value, c, edges);
		bool is_same = edges[0] == last[0] && edges[1] == last[1];
		if (is_same && c > 0 && c < TW__BAND_COLUMNS)
			continue;
		if (c > 0)
			print_point(g, c, last, row, hang);
		if (c < TW__BAND_COLUMNS)
			print_point(g, c, edges, row, hang);
		last[0] = edges[0];
		last[1] = edges[1];
	}
}

void tw__bands_print(struct tw__gantt *g, const struct tw__bands *b, const char *name, bool hang)
{
	for (int r = 0; r < g->rows.n; r++)
		for (int value = 0; value < b->n && g->rows.list[r].band != TW_NONE; value++) {
			if (!has_value(b, g->rows.list[r].band, value))
				continue;
			fprintf(g->f, "$%s%d_%d << END\n", name, g->rows.list[r].band, value);
			print_curve(g, b, &g->rows.list[r], value, hang);
			fputs("END\n", g->f);
		}
}

static void plot_curve(struct tw__gantt *g, const char *name, int band, int value, const char *style, uint32_t colour)
{
	fprintf(g->f,
	        " $%s%d_%d using 1:($2/1000.):($3/1000.) with filledcurves fillstyle %s noborder "
	        "fillcolor rgb '#%06" PRIx32 "' notitle",
	        name, band, value, style, colour);
}

int tw__bands_plot(struct tw__gantt *g, const struct tw__bands *b, const char *name, uint32_t colour_of(int value),
                   int pattern_of(int value), int n)
{
	for (int band = 0; band < g->rows.n_bands; band++)
		for (int value = 0; value < b->n; value++) {
			char style[40];
			int pattern = pattern_of ? pattern_of(value) : 0;
			if (!has_value(b, band, value))
				continue;
			fputs(n++ ? "," : "plot", g->f);
			plot_curve(g, name, band, value, "solid 1", colour_of(value));
			if (!pattern)
				continue;
			snprintf(style, sizeof style, "transparent pattern %d", pattern);
			putc(',', g->f);
			plot_curve(g, name, band, value, style, tw__gantt_hatch_colour(colour_of(value)));
		}
	return n;
}

/* Prints the letter of a kernel into the longest part of a band in which its colour is high enough. */
static void print_letter(struct tw__gantt *g, const struct tw__gantt_row *row, int colour)
{
	int length = 0, longest = 0, middle = 0, edges[2];
	for (int c = 0; c < TW__BAND_COLUMNS; c++) {
		find_edges(&g->busy, row, colour, c, edges);
		length = (edges[1] - edges[0]) * g->row_px >= LEAST_TEXT_ROW * 1000 ? length + 1 : 0;
		middle = length > longest ? c - length / 2 : middle;
		longest = length > longest ? length : longest;
	}
	if (longest < CHARACTER + 1) /* a column has about a pixel */
		return;
	find_edges(&g->busy, row, colour, middle, edges);
	fprintf(g->f, "set label '%c' at first ", g->letter[colour]);
	tw__print_seconds(g->f, (tw__ns)((double)g->s->end / TW__BAND_COLUMNS * middle));
	fprintf(g->f, ", first %d-0.4+%d./1000 center front font ',%d' textcolor rgb '#%06" PRIx32 "'\n", row->y,
	        (edges[0] + edges[1]) / 2, g->row_px < 16 ? 8 : 10, tw__gantt_ink(tw__gantt_kernel_colour(colour)));
}

void tw__bands_print_letters(struct tw__gantt *g)
{
	for (int r = 0; r < g->rows.n; r++)
		for (int colour = 0; colour < g->n_coloured && g->rows.list[r].band != TW_NONE; colour++)
			print_letter(g, &g->rows.list[r], colour);
}
