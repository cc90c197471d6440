/* The kernels of a Gantt chart: a box for each execution, in the colour of its kernel, with the kernel's name or letter
 * where there is room. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plot/gantt.h"
#include "plot/plot.h"

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

/* --- all together ------------------------------------------------------------------------------------------------- */

void tw__gantt_print_boxes(struct tw__gantt *g)
{
	tw__bands_print(g, &g->busy, "band", false);
	tw__bands_print_letters(g);
	for (int i = 0; i < 2 * N_COLOURS; i++)
		g->drawn[i / 2][i % 2] = print_boxes(g, i / 2, i % 2);
	for (int k = 0; k < g->s->n_kernels; k++)
		for (enum text text = LETTER; text < N_TEXTS && g->rank[k] < MAX_COLOURED; text++)
			g->has_text[g->rank[k]][text] = print_texts(g, k, text);
}

void tw__gantt_plot_boxes(struct tw__gantt *g)
{
	int n = tw__gantt_why_plot_idle(g, 0);
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
	n = tw__gantt_why_plot_chain(g, n);
	fputs(n ? "\n" : "plot NaN notitle\n", g->f);
}
