/* Draws the maps of the figure "order". With several iterations and several workers, the maps form a grid: a column for
 * each iteration, a row for each worker. Otherwise, the maps fill as many rows as they need. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "plot/order.h"

enum {
	WIDTH_OF_MAPS = 1120, /* width of a row of maps, in pixels, like all sizes here */
	LEAST = 150,
	MOST = 520, /* LEAST, MOST: limits of the longer side of a map */
	LEFT = 86,
	BETWEEN = 36,
	RIGHT = 30,
	HEAD = 68, /* height of title and subtitle */
	LEGEND_ROW = 24,
	ENTRY = 190, /* width of an entry of the legend */
	SHADE = 9,
	N_SHADES = 5,
	ABOVE = 34, /* space above a map: for its title, and the axis numbers of a map above */
	BELOW = 46, /* space below the last row of maps: for axis numbers and label */
	MAX_TILES = 400,
	MAX_MAPS = 64,
	MAX_BESIDE = 6 /* most maps in a row, unless the maps form a grid */
};

/* --- colours ------------------------------------------------------------------------------------------------------ */

enum { N_HUES = 7 };

static double to_srgb(double linear)
{
	return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

/* Converts a colour from CIE LCh (white D65) to sRGB. Returns false if the colour is outside the sRGB gamut. */
static bool to_rgb(double lightness, double chroma, double hue, double rgb[3])
{
	double fy = (lightness + 16) / 116, f[3] = {fy + chroma * cos(hue) / 500, fy, fy - chroma * sin(hue) / 200};
	static const double white[3] = {0.95047, 1, 1.08883};
	static const double matrix[3][3] = {
		{3.2406, -1.5372, -0.4986}, {-0.9689, 1.8758, 0.0415}, {0.0557, -0.2040, 1.0570}};
	double xyz[3];
	bool shown = true;
	for (int i = 0; i < 3; i++)
		xyz[i] = white[i] * (f[i] > 6. / 29 ? f[i] * f[i] * f[i] : (f[i] - 16. / 116) * 108 / 841);
	for (int i = 0; i < 3; i++) {
		double linear = matrix[i][0] * xyz[0] + matrix[i][1] * xyz[1] + matrix[i][2] * xyz[2];
		shown = shown && linear >= -1e-6 && linear <= 1 + 1e-6;
		rgb[i] = to_srgb(fmin(1, fmax(0, linear)));
	}
	return shown;
}

static uint32_t pack(const double rgb[3])
{
	return (uint32_t)lround(255 * rgb[0]) << 16 | (uint32_t)lround(255 * rgb[1]) << 8 |
	       (uint32_t)lround(255 * rgb[2]);
}

/* Returns the most saturated colour of this lightness (0 to 100) and hue; finds the chroma by bisection. */
static uint32_t by_lightness(double lightness, double degrees)
{
	static const double radian = 3.14159265358979323846 / 180;
	double rgb[3], low = 0, high = 75;
	for (int i = 0; i < 12; i++) {
		double middle = (low + high) / 2;
		if (to_rgb(lightness, middle, degrees * radian, rgb))
			low = middle;
		else
			high = middle;
	}
	to_rgb(lightness, low, degrees * radian, rgb);
	return pack(rgb);
}

/* Returns a colour of the paper: red, green, blue, yellow, magenta, cyan or orange, from pale (`along` 0) to full
 * (1). */
static uint32_t as_printed(int hue, double along)
{
	static const double full[N_HUES][3] = {{1, 0, 0}, {0, 0.7, 0},   {0, 0, 1},  {0.9, 0.85, 0},
	                                       {1, 0, 1}, {0, 0.8, 0.8}, {1, 0.5, 0}};
	double rgb[3], white = 0.65 * (1 - along);
	for (int i = 0; i < 3; i++)
		rgb[i] = white + (1 - white) * full[hue][i];
	return pack(rgb);
}

/* Returns the colour of the i-th task started. Colours go from light to dark, with a new hue after each `per_colour`
 * tasks. */
static uint32_t colour_of(const struct tw__order *o, tw_task i)
{
	/* Hue angles in degrees: yellow, blue, orange, green, pink, violet, brown. Neighbours are distinct for every
	 * kind of colour vision. */
	static const double hues[N_HUES] = {95, 240, 55, 150, 350, 290, 40};
	int colour = i / o->per_colour, hue = colour % N_HUES;
	double along = o->per_colour > 1 ? (double)(i % o->per_colour) / (o->per_colour - 1) : 1;
	if (o->request->as_printed)
		return as_printed(hue, along);
	/* A step in lightness at each change of hue marks the border. */
	double step = 74.0 / o->n_colours;
	return by_lightness(94 - step * colour - 0.85 * step * along, hues[hue]);
}

/* --- maps --------------------------------------------------------------------------------------------------------- */

struct page {
	FILE *f;
	const struct tw__order *o;
	int width, height, map_width, map_height, top; /* map_*: size of a map; top: y of the first row of maps */
	int legend_columns, columns, rows;
};

static void at(const struct page *p, int x, int y)
{
	fprintf(p->f, "screen %d./%d, screen 1-%d./%d", x, p->width, y, p->height);
}

static void lay_out(struct page *p)
{
	const struct tw__order *o = p->o;
	int n_maps = o->n_columns * (o->n_rows ? o->n_rows : 1);
	bool is_grid = o->n_columns > 1 && o->n_rows > 1;
	p->rows = is_grid ? o->n_rows : (n_maps + MAX_BESIDE - 1) / MAX_BESIDE;
	p->columns = is_grid ? o->n_columns : (n_maps + p->rows - 1) / p->rows;
	int side = (WIDTH_OF_MAPS + BETWEEN) / p->columns - BETWEEN;
	side = side < LEAST ? LEAST : side > MOST ? MOST : side;
	int longer = o->tiles.rows > o->tiles.columns ? o->tiles.rows : o->tiles.columns;
	p->map_width = side * o->tiles.columns / longer;
	p->map_height = side * o->tiles.rows / longer;
	p->map_width = p->map_width < 20 ? 20 : p->map_width;
	p->width = LEFT + RIGHT + p->columns * (p->map_width + BETWEEN) - BETWEEN;
	p->width = p->width < 760 ? 760 : p->width;
	p->legend_columns = (p->width - LEFT) / ENTRY;
	p->top = HEAD + LEGEND_ROW * ((o->n_colours + p->legend_columns - 1) / p->legend_columns) + ABOVE;
	p->height = p->top + p->rows * (p->map_height + ABOVE) - ABOVE + BELOW;
}

/* Returns the number of tiles that fit the smallest bounded memory; 0: no memory is known to be bounded. */
static int64_t tiles_that_fit(const struct tw__order *o)
{
	double least = 0;
	for (tw_node n = 0; o->trace.platform && n < o->trace.platform->n_nodes; n++) {
		double bytes = o->trace.capacity_bytes[n];
		if (bytes > 0 && (least <= 0 || bytes < least))
			least = bytes;
	}
	return (int64_t)(least / (double)o->tiles.tile_bytes);
}

static int64_t tiles_in_all(const struct tw__order *o)
{
	int64_t rows = o->tiles.rows, columns = o->tiles.columns;
	return o->tiles.is_lower ? rows * (rows + 1) / 2 : o->tiles.is_product ? rows + columns : rows * columns;
}

/* Returns the side, in tiles, of a square with as many tiles as fit the memory. The square is drawn in the unused
 * triangle of a map. 0: it does not fit there, or all tiles fit the memory. */
static double side_of_memory(const struct tw__order *o)
{
	int64_t fit = tiles_that_fit(o);
	double side = sqrt((double)fit);
	return o->tiles.is_lower && fit > 0 && fit < tiles_in_all(o) && side < o->tiles.columns / 2. - 1 ? side : 0;
}

static void print_head(struct page *p)
{
	const struct tw__order *o = p->o;
	int64_t fit = tiles_that_fit(o), all = tiles_in_all(o);
	const char *tiles = o->tiles.is_product ? "blocks of A and B" : "tiles";
	fputs("set label ", p->f);
	tw__gnuplot_text(p->f, tw__trace_name(o->request->trace), 60);
	fputs(".': order in which ", p->f);
	tw__print_count(p->f, o->n_started);
	fputs(" tasks started' at ", p->f);
	at(p, LEFT, 22);
	fputs(" left font ',16'\nset label ", p->f);
	tw__gnuplot_text(p->f, o->workload, 60);
	fputs(".'", p->f);
	if (o->trace.policy) {
		fputs(", '.", p->f);
		tw__gnuplot_text(p->f, o->trace.policy, 40);
		fputs(".'", p->f);
	}
	if (fit >= all) {
		fprintf(p->f, "; all %s fit the smallest memory", tiles);
	} else if (fit > 0) {
		fputs("; ", p->f);
		tw__print_count(p->f, fit);
		fputs(" of ", p->f);
		tw__print_count(p->f, all);
		fprintf(p->f, " %s fit the smallest memory%s", tiles, side_of_memory(o) > 0 ? " (black: as many)" : "");
	}
	fputs("' at ", p->f);
	at(p, LEFT, 46);
	fputs(" left textcolor rgb '#333333'\n", p->f);
}

static void print_legend(struct page *p)
{
	const struct tw__order *o = p->o;
	for (int c = 0; c < o->n_colours; c++) {
		int x = LEFT + c % p->legend_columns * ENTRY, y = HEAD + LEGEND_ROW * (c / p->legend_columns) + 8;
		tw_task first = c * o->per_colour, last = first + o->per_colour - 1;
		for (int i = 0; i < N_SHADES; i++) {
			tw_task task = first + (tw_task)((int64_t)(o->per_colour - 1) * i / (N_SHADES - 1));
			fputs("set object rectangle from ", p->f);
			at(p, x + i * SHADE, y + 7);
			fputs(" to ", p->f);
			at(p, x + (i + 1) * SHADE, y - 7);
			fprintf(p->f, " fillcolor rgb '#%06" PRIx32 "' fillstyle solid 1 noborder\n",
			        colour_of(o, task));
		}
		fputs("set label '", p->f);
		tw__print_count(p->f, first + 1);
		fputs(" \xe2\x80\x93 ", p->f); /* an en dash: the numbers are a range */
		tw__print_count(p->f, last < o->n_started ? last + 1 : o->n_started);
		fputs("' at ", p->f);
		at(p, x + N_SHADES * SHADE + 6, y);
		fputs(" left font ',12'\n", p->f);
	}
}

/* Prints column, row and colour of each tile in a map. If an iteration has several tasks on a tile, the last one is
 * drawn on top. Returns whether there is any tile. */
static bool print_tiles(struct page *p, int row, int column)
{
	const struct tw__order *o = p->o;
	bool any = false;
	for (tw_task i = 0; i < o->n_started; i++) {
		tw_task task = o->started[i];
		const struct tw__tile *tile = &o->tiles.of[task];
		if (tile->iteration != o->columns[column] || tile->row < 0 ||
		    (o->n_rows && o->worker_of[task] != o->rows[row]))
			continue;
		if (!any)
			fprintf(p->f, "$map%d << END\n", row * o->n_columns + column);
		any = true;
		fprintf(p->f, "%d %d %" PRIu32 "\n", tile->column, tile->row, colour_of(o, i));
	}
	if (any)
		fputs("END\n", p->f);
	return any;
}

static void frame_map(struct page *p, int row, int column)
{
	const struct tw__order *o = p->o;
	int n_maps = o->n_columns * (o->n_rows ? o->n_rows : 1), map = row * o->n_columns + column;
	int x = map % p->columns, y = map / p->columns;
	bool is_lowest = map + p->columns >= n_maps;
	int left = LEFT + x * (p->map_width + BETWEEN), top = p->top + y * (p->map_height + ABOVE);
	fprintf(p->f, "set lmargin at screen %d./%d\nset rmargin at screen %d./%d\n", left, p->width,
	        left + p->map_width, p->width);
	fprintf(p->f, "set tmargin at screen 1-%d./%d\nset bmargin at screen 1-%d./%d\n", top, p->height,
	        top + p->map_height, p->height);
	fputs(is_lowest ? "set xtics format '%g'\nset xlabel " : "set xtics format ''\nset xlabel ", p->f);
	tw__gnuplot_text(p->f, is_lowest ? o->tiles.column_is : "", 30);
	fputs(x == 0 ? " offset 0,0.5\nset ytics format '%g'\nset ylabel " : "\nset ytics format ''\nset ylabel ",
	      p->f);
	tw__gnuplot_text(p->f, x == 0 ? o->tiles.row_is : "", 30);
	fputs("\nset title ", p->f);
	if (o->n_rows) {
		tw__gnuplot_text(p->f, o->trace.platform->workers[o->rows[row]].name, 22);
		putc('.', p->f);
	}
	if (o->tiles.iterations > 1)
		fprintf(p->f, "'%siteration k = %d'", o->n_rows ? ", " : "", o->columns[column]);
	else
		fputs("''", p->f);
	fputs(" offset 0,-0.6\n", p->f);
}

static void draw_map(struct page *p, int row, int column)
{
	const struct tw__order *o = p->o;
	int tile_px = p->map_width / o->tiles.columns;
	bool any = print_tiles(p, row, column);
	double side = side_of_memory(o);
	frame_map(p, row, column);
	if (side > 0)
		fprintf(p->f,
		        "set object 9999 rectangle from %d-%.0f./100-0.5, -0.5 to %d-0.5, %.0f./100-0.5 "
		        "fillcolor rgb 'black' fillstyle solid 1 noborder\n",
		        o->tiles.columns, side * 100, o->tiles.columns, side * 100);
	if (any)
		fprintf(p->f,
		        "plot $map%d using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror "
		        "fillstyle solid 1 %s linecolor rgb variable notitle\n",
		        row * o->n_columns + column, tile_px >= 8 ? "border rgb 'white'" : "noborder");
	else
		fputs("plot NaN notitle\n", p->f);
}

int tw__order_draw(void *order, FILE *script, struct tw_error *err)
{
	const struct tw__order *o = order;
	struct page p = {.f = script, .o = o};
	int rows = o->n_rows ? o->n_rows : 1;
	if (o->tiles.rows > MAX_TILES || o->tiles.columns > MAX_TILES)
		return tw_fail(err, TW_INVALID,
		               "plot order: %d x %d tiles of workload '%.100s': expected at most %d a side",
		               o->tiles.rows, o->tiles.columns, o->workload, MAX_TILES);
	if (rows * o->n_columns > MAX_MAPS)
		return tw_fail(err, TW_INVALID, "plot order: %d maps: expected at most %d in a figure",
		               rows * o->n_columns, MAX_MAPS);
	lay_out(&p);
	int status = tw__gnuplot_terminal(script, o->request->output, NULL, p.width, p.height, err);
	if (status < 0)
		return status;
	fputs("set multiplot\nunset key\nset border 15 linecolor rgb '#888888'\nset tics out nomirror scale 0.5 "
	      "textcolor rgb 'black' "
	      "font ',11'\n",
	      script);
	fprintf(script, "set xrange [-0.5:%d-0.5]\nset yrange [%d-0.5:-0.5]\n", o->tiles.columns, o->tiles.rows);
	print_head(&p);
	print_legend(&p);
	for (int row = 0; row < rows; row++)
		for (int column = 0; column < o->n_columns; column++) {
			draw_map(&p, row, column);
			if (row + column == 0)
				fputs("unset label\nunset object\n", script);
		}
	fputs("unset multiplot\n", script);
	return TW_OK;
}
