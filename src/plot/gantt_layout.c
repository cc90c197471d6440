/* The layout of a Gantt chart: colours, legends, links, and the places of panels. */
#include <inttypes.h>
#include <string.h>

#include "plot/gantt.h"
#include "plot/plot.h"

int tw__gantt_name_length(const char *s)
{
	size_t n = tw__text_length(s);
	return n > MAX_NAME ? MAX_NAME + 1 : (int)n;
}

int tw__gantt_first_memory(const struct tw__schedule *s)
{
	for (int m = s->platform->rank_names ? s->platform->n_ranks : 1; m < s->platform->n_nodes; m++)
		if (s->used.of[m].n > 0)
			return m;
	return 0;
}

/* Gives each coloured kernel a letter: the first one of its name that no earlier kernel has, or another free one. */
static void choose_letters(struct tw__gantt *g)
{
	static const char others[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char taken[MAX_COLOURED + 1] = "";
	for (int k = 0; k < g->s->n_kernels; k++) {
		if (g->rank[k] == MAX_COLOURED)
			continue;
		char letter = '\0';
		for (const char *c = g->s->kernels[k]; *c && !letter; c++) {
			bool small = *c >= 'a' && *c <= 'z', large = *c >= 'A' && *c <= 'Z';
			char capital = small ? (char)(*c - 'a' + 'A') : *c;
			letter = (small || large) && !strchr(taken, capital) ? capital : '\0';
		}
		letter = letter ? letter : others[strspn(others, taken)];
		taken[g->rank[k]] = g->letter[g->rank[k]] = letter;
	}
}

/* Assigns colours to kernels in the order of the trace, so that figures of one application agree. If there are more
 * kernels than colours, those with the least total time share grey. */
void tw__gantt_colours(struct tw__gantt *g)
{
	int n = g->s->n_kernels;
	for (size_t i = 0; i < g->s->n_boxes; i++)
		g->total_ns[g->s->boxes[i].kernel] +=
			(double)(g->s->boxes[i].end - g->s->boxes[i].start) * g->s->boxes[i].share;
	for (int k = 0; k < n; k++) {
		int longer = 0;
		for (int other = 0; other < n && longer < MAX_COLOURED; other++)
			longer += g->total_ns[other] > g->total_ns[k] ||
			          (g->total_ns[other] >= g->total_ns[k] && other < k);
		g->rank[k] = longer < MAX_COLOURED && g->total_ns[k] > 0 ? g->n_coloured++ : MAX_COLOURED;
		g->has_others |= g->rank[k] == MAX_COLOURED && g->total_ns[k] > 0;
	}
	choose_letters(g);
}

void tw__gantt_at(struct tw__gantt *g, int x, int y)
{
	fprintf(g->f, "screen %d./%d, screen 1-%d./%d", x, WIDTH, y, g->height);
}

/* The mark of a legend's entry: a line if `dash` is above 0, otherwise a square, with a letter or a pattern. */
struct mark {
	uint32_t colour;
	int dash, pattern;
	char letter; /* '\0': none */
};

static void draw_square(struct tw__gantt *g, int x, int y, const char *style, uint32_t colour)
{
	fputs("set object rectangle from ", g->f);
	tw__gantt_at(g, x, y + 7);
	fputs(" to ", g->f);
	tw__gantt_at(g, x + SQUARE, y - 8);
	fprintf(g->f, " fillcolor rgb '#%06" PRIx32 "' fillstyle %s noborder front\n", colour, style);
}

static void draw_mark(struct tw__gantt *g, int x, int y, const struct mark *m)
{
	if (m->dash) {
		fputs("set arrow from ", g->f);
		tw__gantt_at(g, x, y);
		fputs(" to ", g->f);
		tw__gantt_at(g, x + LINE, y);
		fprintf(g->f, " nohead linewidth 1.8 dashtype %d linecolor rgb '#%06" PRIx32 "' front\n", m->dash,
		        m->colour);
		return;
	}
	draw_square(g, x, y, "solid 1", m->colour);
	if (m->pattern) {
		char style[40];
		snprintf(style, sizeof style, "transparent pattern %d", m->pattern);
		draw_square(g, x, y, style, tw__gantt_hatch_colour(m->colour));
	}
	if (m->letter) {
		fprintf(g->f, "set label '%c' at ", m->letter);
		tw__gantt_at(g, x + SQUARE / 2 + 1, y);
		fprintf(g->f, " center front font ',10' textcolor rgb '#%06" PRIx32 "'\n", tw__gantt_ink(m->colour));
	}
}

/* Prints one entry of a legend at *x, *y. Moves *x and *y to the next entry. `draw` false: prints nothing. */
static void legend_entry(struct tw__gantt *g, int *x, int *y, const char *name, const struct mark *m, bool draw)
{
	int mark = m->dash ? LINE : SQUARE, width = mark + 5 + CHARACTER * tw__gantt_name_length(name) + 22;
	if (*x > g->left && *x + width > WIDTH - 8) {
		*x = g->left;
		*y += LEGEND_ROW;
	}
	if (draw) {
		draw_mark(g, *x, *y, m);
		fputs("set label ", g->f);
		tw__gnuplot_text(g->f, name, MAX_NAME);
		fputs(" at ", g->f);
		tw__gantt_at(g, *x + mark + 6, *y);
		fputs(" left front\n", g->f);
	}
	*x += width;
}

int tw__gantt_kernel_legend(struct tw__gantt *g, int y, bool draw)
{
	int x = g->left, first = y;
	for (int k = 0; k < g->s->n_kernels; k++) {
		int rank = g->rank[k];
		if (rank == MAX_COLOURED)
			continue;
		struct mark mark = {.colour = tw__gantt_kernel_colour(rank), .letter = g->letter[rank]};
		legend_entry(g, &x, &y, g->s->kernels[k], &mark, draw);
	}
	if (g->has_others)
		legend_entry(g, &x, &y, "other kernels", &(struct mark){.colour = tw__grey}, draw);
	return (y - first) / LEGEND_ROW + 1;
}

uint32_t tw__gantt_ink(uint32_t colour)
{
	/* luma of ITU-R BT.601 */
	return 299 * (colour >> 16) + 587 * (colour >> 8 & 255) + 114 * (colour & 255) < 140000 ? 0xffffff : 0x1a1a1a;
}

uint32_t tw__gantt_kernel_colour(int i) { return i < MAX_COLOURED ? tw__colours[tw__kernel_order[i]] : tw__grey; }

/* Returns the colour of the i-th line. Lines need the darker colours of the palette. */
uint32_t tw__gantt_line_colour(int i)
{
	static const int order[] = {4, 1, 3, 5, 6, 7, 8};
	return tw__colours[order[i % (int)(sizeof order / sizeof *order)]];
}

int tw__gantt_dash(int i)
{
	static const int dashes[] = {1, 2, 4, 5};
	return dashes[i % 4];
}

int tw__gantt_memory_legend(struct tw__gantt *g, int y, bool draw)
{
	enum { MOST_LINES = 28 }; /* pairs of a colour and a dash */
	int x = g->left, first = y;
	if (g->by_nodes && g->s->platform->n_ranks > MOST_LINES) {
		if (draw) {
			fprintf(g->f, "set label 'GPUs: a line for each of %d nodes' at ", g->s->platform->n_ranks);
			tw__gantt_at(g, x, y);
			fputs(" left front\n", g->f);
		}
		return 1;
	}
	for (int m = g->first_memory; m < g->s->platform->n_nodes; m++) {
		int line = m - g->first_memory;
		struct mark mark = {.colour = tw__gantt_line_colour(line), .dash = tw__gantt_dash(line)};
		const struct tw__node *node = &g->s->platform->nodes[m];
		if (g->s->used.of[m].n > 0)
			legend_entry(g, &x, &y, g->by_nodes ? g->s->platform->rank_names[node->rank] : node->name,
			             &mark, draw);
	}
	return (y - first) / LEGEND_ROW + 1;
}

/* Light colours, which kernels do not have. With any colour vision, they differ from each other, from the colours of
 * kernels and from the background, by less than kernels do (tests/plot/colours.py). So they have patterns, too. */
static const struct {
	uint32_t colour;
	int pattern; /* number of gnuplot's pattern; 0: none */
} of_causes[TW__N_WHY] = {
	[TW__WHY_DEPENDENCIES] = {0xbec6d6, 0}, [TW__WHY_DATA] = {0xfedece, 4},    [TW__WHY_MEMORY] = {0xeeb6ae, 2},
	[TW__WHY_POLICY] = {0xf6e6fe, 5},       [TW__WHY_RUNTIME] = {0xfef69e, 1}, [TW__WHY_SUBMISSION] = {0xb6e6a6, 7},
	[TW__WHY_NOTHING] = {0xeeeeee, 0},      [TW__WHY_NETWORK] = {0x9e9efe, 6},
};

uint32_t tw__gantt_why_colour(int why) { return of_causes[why].colour; }
int tw__gantt_why_pattern(int why) { return of_causes[why].pattern; }

uint32_t tw__gantt_hatch_colour(uint32_t colour)
{
	return (colour >> 16) * 11 / 20 << 16 | (colour >> 8 & 255) * 11 / 20 << 8 | (colour & 255) * 11 / 20;
}

int tw__gantt_why_legend(struct tw__gantt *g, int y, bool draw)
{
	int x = g->left, first = y;
	if (!g->why)
		return 0;
	legend_entry(g, &x, &y, "critical chain", &(struct mark){.dash = 1}, draw);
	for (int why = 0; why < TW__N_WHY; why++)
		if (g->why->drawn[why]) {
			char name[64];
			struct mark mark = {.colour = of_causes[why].colour, .pattern = of_causes[why].pattern};
			snprintf(name, sizeof name, "wait: %s", tw__why_names[why]);
			legend_entry(g, &x, &y, name, &mark, draw);
		}
	return (y - first) / LEGEND_ROW + 1;
}

void tw__gantt_margins(struct tw__gantt *g, enum gantt_panel panel)
{
	fprintf(g->f, "set lmargin at screen %d./%d\nset rmargin at screen 1-%d./%d\n", g->left, WIDTH, RIGHT, WIDTH);
	fprintf(g->f, "set tmargin at screen 1-%d./%d\nset bmargin at screen 1-%d./%d\n", g->panels[panel].top,
	        g->height, g->panels[panel].bottom, g->height);
	fputs(panel == g->last ? "set xtics scale 0.5 format '%g'\nset xlabel 'time (s)' offset 0,0.5\n"
	                       : "set xtics scale 0.5 format ''\n",
	      g->f);
}

/* Chooses the links to draw: the most used ones, in the order of the trace. */
void tw__gantt_choose_links(struct tw__gantt *g)
{
	const struct tw__platform *p = g->s->platform;
	const int first = g->by_nodes ? p->n_links - p->n_network_links : 0;
	int n = g->s->n_links, n_used = 0;
	for (int l = 0; l < n && g->s->end > 0; l++) {
		if (g->s->links[l] < first)
			continue;
		const struct tw__series *use = &g->s->use.of[l];
		for (size_t i = 0; i < use->n; i++) {
			tw__ns until = i + 1 < use->n ? use->list[i + 1].date : g->s->end;
			g->link_share[l] +=
				use->list[i].value * (double)(until - use->list[i].date) / (double)g->s->end;
		}
	}
	for (int l = 0; l < n; l++) {
		int more = 0;
		for (int other = 0; other < n && more < MAX_LINKS; other++)
			more += g->link_share[other] > g->link_share[l] ||
			        (g->link_share[other] >= g->link_share[l] && other < l);
		n_used += g->link_share[l] > 0;
		if (g->link_share[l] > 0 && more < MAX_LINKS)
			g->links[g->n_links++] = l;
	}
	g->n_other_links = n_used - g->n_links;
}

static void place(struct tw__gantt *g, enum gantt_panel panel, int gap, int height)
{
	g->panels[panel].top = g->panels[g->last].bottom + gap;
	g->panels[panel].bottom = g->panels[panel].top + height;
	g->last = panel;
}

void tw__gantt_lay_out(struct tw__gantt *g)
{
	const struct tw__schedule *s = g->s;
	int longest = 4, n = g->rows.units;
	for (int r = 0; r < g->rows.n; r++) {
		int length = tw__gantt_name_length(g->rows.list[r].label);
		longest = length > longest ? length : longest;
	}
	for (int l = 0; l < g->n_links; l++)
		longest = tw__gantt_name_length(tw__schedule_link(s, g->links[l])) > longest
		                  ? tw__gantt_name_length(tw__schedule_link(s, g->links[l]))
		                  : longest;
	g->left = 40 + CHARACTER * longest;
	if (g->left < 84)
		g->left = 84;
	g->row_px = n <= 24 ? 26 : n <= 64 ? 18 : n <= 128 ? 12 : 1600 / n > 2 ? 1600 / n : 2;
	g->panels[WORKERS_PANEL].top = TITLE + SUBTITLE + LEGEND_ROW * tw__gantt_kernel_legend(g, 0, false) +
	                               LEGEND_ROW * tw__gantt_why_legend(g, 0, false) + 14;
	g->panels[WORKERS_PANEL].bottom = g->panels[WORKERS_PANEL].top + n * g->row_px + 8;
	g->first_memory = tw__gantt_first_memory(s);
	if (tw__samples_count(&s->used) > 0)
		place(g, MEMORY_USED_PANEL, GAP + LEGEND_ROW * tw__gantt_memory_legend(g, 0, false), MEMORY_PANEL);
	if (s->tasks.of[TW__READY_TASKS].n > 0)
		place(g, READY_PANEL, GAP, TASKS_PANEL);
	if (g->n_links > 0)
		place(g, LINKS_PANEL, GAP + LEGEND_ROW, g->n_links * LINK_ROW + 6);
	g->height = g->panels[g->last].bottom + AXIS;
}
