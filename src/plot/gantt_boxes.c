/* The kernels of a Gantt chart: a box for each execution, in the colour of its kernel, with the kernel's name or letter
 * where there is room. Workers that share a row have a band instead. */
#include <inttypes.h>
#include <math.h>

#include "plot/gantt.h"

static double width_px(const struct tw__gantt *g, const struct tw__box *b)
{
	return (double)(b->end - b->start) / (double)g->s->end * (WIDTH - RIGHT - g->left);
}

/* Whether a box is wide: then it gets a thin white border, which separates tasks of one kernel. Merged boxes are never
 * wide. */
static bool is_wide(const struct tw__gantt *g, const struct tw__box *b) { return b->share >= 1 && width_px(g, b) >= 5; }

/* Prints the boxes of one colour and width as a block of values: start, end, row, share. Returns whether there are
 * any. */
static bool print_boxes(struct tw__gantt *g, int colour, bool wide)
{
	size_t n = 0;
	for (size_t i = 0; i < g->s->n_boxes; i++) {
		const struct tw__box *b = &g->s->boxes[i];
		if (g->rank[b->kernel] != colour || is_wide(g, b) != wide)
			continue;
		if (n++ == 0)
			fprintf(g->f, "$%s%d << END\n", wide ? "wide" : "thin", colour);
		tw__print_seconds(g->f, b->start);
		putc(' ', g->f);
		tw__print_seconds(g->f, b->end);
		fprintf(g->f, " %d 0.%03d\n", g->rows.list[g->rows.of[b->worker]].y, (int)lround(b->share * 800));
	}
	if (n)
		fputs("END\n", g->f);
	return n > 0;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* The text on a box: nothing, the letter of its kernel, or the name. */
enum text { NO_TEXT, LETTER, NAME, N_TEXTS };

static enum text text_of(const struct tw__gantt *g, const struct tw__box *b)
{
	double width = width_px(g, b);
	if (b->share < 1 || g->rank[b->kernel] == MAX_COLOURED || g->row_px < LEAST_TEXT_ROW)
		return NO_TEXT;
	return width >= tw__gantt_name_length(g->s->kernels[b->kernel]) * CHARACTER + 6 ? NAME
	       : width >= CHARACTER + 1                                                 ? LETTER
	                                                                                : NO_TEXT;
}

/* Prints the centres of the boxes of a kernel that have this text. Returns whether there are any. */
static bool print_texts(struct tw__gantt *g, int kernel, enum text text)
{
	size_t n = 0;
	for (size_t i = 0; i < g->s->n_boxes; i++) {
		const struct tw__box *b = &g->s->boxes[i];
		if (b->kernel != kernel || text_of(g, b) != text)
			continue;
		if (n++ == 0)
			fprintf(g->f, "$%s%d << END\n", text == NAME ? "name" : "letter", g->rank[kernel]);
		tw__print_seconds(g->f, b->start + (b->end - b->start) / 2);
		fprintf(g->f, " %d\n", g->rows.list[g->rows.of[b->worker]].y);
	}
	if (n)
		fputs("END\n", g->f);
	return n > 0;
}

static void plot_texts(struct tw__gantt *g, int kernel, enum text text)
{
	int rank = g->rank[kernel];
	char letter[] = {g->letter[rank], '\0'};
	fprintf(g->f, ", $%s%d using 1:2:(", text == NAME ? "name" : "letter", rank);
	tw__gnuplot_text(g->f, text == NAME ? g->s->kernels[kernel] : letter, MAX_NAME);
	fprintf(g->f, ") with labels font ',%d' textcolor rgb '#%06" PRIx32 "' notitle", g->row_px < 16 ? 8 : 10,
	        tw__gantt_ink(tw__gantt_kernel_colour(rank)));
}

/* --- bands: rows of several workers ------------------------------------------------------------------------------- */

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

static void print_letters(struct tw__gantt *g)
{
	for (int r = 0; r < g->rows.n; r++)
		for (int colour = 0; colour < g->n_coloured && g->rows.list[r].band != TW_NONE; colour++)
			print_letter(g, &g->rows.list[r], colour);
}

/* --- all together ------------------------------------------------------------------------------------------------- */

void tw__gantt_print_boxes(struct tw__gantt *g)
{
	tw__bands_print(g, &g->busy, "band", false);
	print_letters(g);
	for (int i = 0; i < 2 * N_COLOURS; i++)
		g->drawn[i / 2][i % 2] = print_boxes(g, i / 2, i % 2);
	for (int k = 0; k < g->s->n_kernels; k++)
		for (enum text text = LETTER; text < N_TEXTS && g->rank[k] < MAX_COLOURED; text++)
			g->has_text[g->rank[k]][text] = print_texts(g, k, text);
}

int tw__gantt_plot_boxes(struct tw__gantt *g, int n)
{
	n = tw__bands_plot(g, &g->busy, "band", tw__gantt_kernel_colour, NULL, n);
	for (int i = 0; i < 2 * N_COLOURS; i++) { /* narrow boxes last, as the borders of wide boxes would cover them */
		int colour = i % N_COLOURS;
		bool wide = i < N_COLOURS;
		if (!g->drawn[colour][wide])
			continue;
		fprintf(g->f,
		        "%s $%s%d using (($1+$2)/2):3:1:2:($3-0.4):($3-0.4+$4) with boxxyerror fillstyle solid 1 %s "
		        "fillcolor rgb '#%06" PRIx32 "' notitle",
		        n++ ? "," : "plot", wide ? "wide" : "thin", colour,
		        wide ? "border rgb 'white' linewidth 0.7" : "noborder", tw__gantt_kernel_colour(colour));
	}
	for (int k = 0; k < g->s->n_kernels; k++)
		for (enum text text = LETTER; text < N_TEXTS && g->rank[k] < MAX_COLOURED; text++)
			if (g->has_text[g->rank[k]][text])
				plot_texts(g, k, text);
	return n;
}
