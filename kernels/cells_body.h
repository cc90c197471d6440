/* The functions of a struct tw__cells for cells that are numbers. cells.c includes this file once for each precision,
 * with REAL, NAME and CELL defined. */

static void NAME(step_3d)(const struct tw__rows *r, int64_t first, int64_t end, int64_t left, int64_t right)
{
	REAL *restrict to = r->to;
	const REAL *old = r->old, *front = r->front, *back = r->back, *below = r->below, *above = r->above;
	for (int64_t x = first; x < end; x++) {
		REAL sum = old[x + left] + old[x + right] + front[x] + back[x] + below[x] + above[x];
		to[x] = CELL(old[x], sum, 6);
	}
}

static void NAME(step_2d)(const struct tw__rows *r, int64_t first, int64_t end, int64_t left, int64_t right)
{
	REAL *restrict to = r->to;
	const REAL *old = r->old, *below = r->below, *above = r->above;
	for (int64_t x = first; x < end; x++) {
		REAL sum = old[x + left] + old[x + right] + below[x] + above[x];
		to[x] = CELL(old[x], sum, 4);
	}
}

/* Computes one time step of a row of n cells. The first and the last cell have a neighbour at the other end of the row,
 * because the domain is a torus. */
static void NAME(step)(const struct tw__rows *r, int64_t n, bool flat)
{
	void (*step)(const struct tw__rows *, int64_t, int64_t, int64_t, int64_t) =
		flat ? NAME(step_2d) : NAME(step_3d);
	step(r, 0, 1, n - 1, n > 1 ? 1 : 0);
	step(r, 1, n - 1, -1, 1);
	if (n > 1)
		step(r, n - 1, n, -1, 1 - n);
}

static void NAME(fill)(uint64_t seed, int64_t place, int64_t n, void *cells)
{
	for (int64_t i = 0; i < n; i++)
		((REAL *)cells)[i] = (REAL)((double)(tw__random_bits(seed, (uint64_t)(place + i)) >> 40) * 0x1p-24);
}

static void NAME(step_all)(const struct tw__domain *d, void *to, const void *from)
{
	REAL *new = to, weight = d->flat ? (REAL)0.15 : (REAL)0.1;
	const REAL *old = from;
	int64_t nx = d->nx, plane = nx * d->ny, place = 0;
	for (int64_t z = 0; z < d->nz; z++)
		for (int64_t y = 0; y < d->ny; y++)
			for (int64_t x = 0; x < nx; x++, place++) {
				int64_t front = y > 0 ? place - nx : place + plane - nx;
				int64_t back = y < d->ny - 1 ? place + nx : place - plane + nx;
				int64_t below = z > 0 ? place - plane : place + plane * (d->nz - 1);
				int64_t above = z < d->nz - 1 ? place + plane : place - plane * (d->nz - 1);
				REAL sum = old[x > 0 ? place - 1 : place + nx - 1];
				sum += old[x < nx - 1 ? place + 1 : place - nx + 1];
				if (!d->flat)
					sum = sum + old[front] + old[back];
				sum = sum + old[below] + old[above];
				new[place] = (REAL)0.4 * old[place] + weight *sum;
			}
}

static double NAME(difference)(const void *a, const void *b, int64_t n)
{
	const REAL *first = a, *second = b;
	double greatest = 0;
	for (int64_t i = 0; i < n; i++)
		greatest = tw__worse(greatest, fabs((double)first[i] - (double)second[i]));
	return greatest;
}
