/* Colours that show an order of tasks. Lightness falls from the first to the last task, so the order is visible in grey
 * and with any colour vision. The hue changes after each `per_colour` tasks, as in Gonthier, Thibault and Marchal
 * 2024. */
#include <math.h>

#include "plot/order.h"

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

uint32_t tw__order_colour(const struct tw__order *o, tw_task i)
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
