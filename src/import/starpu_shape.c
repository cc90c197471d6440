/* Finds the dimensions of a task's handles that StarPU has hashed. The hash is a CRC with the polynomial 1EDC6F41, most
 * significant bit first, over the hash of each handle in turn. The hash of a handle covers its dimensions (matrix:
 * columns, rows; block: x, y, z) and its kind. */
#include "import/starpu_import.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static uint32_t crc(uint32_t value, uint32_t hash)
{
	for (int byte = 0; byte < 4; byte++) {
		hash ^= (value >> 8 * byte & 0xff) << 24;
		for (int bit = 0; bit < 8; bit++)
			hash = hash << 1 ^ (hash >> 31 ? 0x1EDC6F41u : 0);
	}
	return hash;
}

enum { MATRIX = 0, BLOCK = 1 };
static uint32_t matrix(uint32_t nx, uint32_t ny) { return crc(crc(nx, ny), MATRIX); }
static uint32_t block(uint32_t nx, uint32_t ny, uint32_t nz) { return crc(crc(nz, crc(ny, crc(nx, 0))), BLOCK); }

static uint32_t footprint_of(const uint32_t *data, int n)
{
	uint32_t hash = 0;
	for (int i = 0; i < n; i++)
		hash = crc(data[i], hash);
	return hash;
}

static bool are_tiles(struct tw__starpu_shape *s, uint64_t elements, uint32_t footprint)
{
	for (uint32_t n = 1; n <= 8; n++) {
		uint64_t square = elements / n;
		double side = sqrt((double)square);
		if (elements % n || side != floor(side) || side > UINT32_MAX)
			continue;
		uint32_t tile = matrix((uint32_t)side, (uint32_t)side);
		if (footprint_of((uint32_t[]){tile, tile, tile, tile, tile, tile, tile, tile}, (int)n) != footprint)
			continue;
		snprintf(s->size, sizeof s->size, "%.0f", side);
		s->n_data = (int)n;
		return true;
	}
	return false;
}

/* Whether the handles are a block row of a x b elements, a block column of b x a, and perhaps their product, a x a. If
 * so, sets the size. */
static bool is_product(struct tw__starpu_shape *s, uint64_t elements, uint32_t footprint)
{
	for (uint32_t c = 0; c <= 1; c++)
		for (uint64_t a = 1; a < 1 << 16 && (2 + c) * a <= elements; a++) {
			uint64_t rest = elements - c * a * a, b = rest / (2 * a);
			if (c * a * a >= elements || rest % (2 * a) || b > UINT32_MAX)
				continue;
			uint32_t x = (uint32_t)a, y = (uint32_t)b, data[] = {matrix(x, y), matrix(y, x), matrix(x, x)};
			if (footprint_of(data, 2 + (int)c) != footprint)
				continue;
			int n = snprintf(s->size, sizeof s->size, "%ux%u+%ux%u", x, y, y, x);
			if (c)
				snprintf(s->size + n, sizeof s->size - (size_t)n, "+%ux%u", x, x);
			s->n_data = 2 + (int)c;
			return true;
		}
	return false;
}

/* Whether the handles are two cubes of the same side, with halo, and 2 or 4 planes of the cubes' borders. If so, sets
 * the size. */
static bool is_stencil(struct tw__starpu_shape *s, uint64_t elements, uint32_t footprint)
{
	for (uint64_t planes = 2; planes <= 4; planes += 2) {
		uint64_t a = (uint64_t)cbrt((double)elements / 2);
		while (a > 0 && a < 1 << 20 && 2 * a * a * a + planes * a * a > elements)
			a--;
		if (a == 0 || a >= 1 << 20 || 2 * a * a * a + planes * a * a != elements)
			continue;
		uint32_t x = (uint32_t)a, cube = block(x, x, x), plane = block(x, x, 1);
		if (footprint_of((uint32_t[]){cube, cube, plane, plane, plane, plane}, 2 + (int)planes) != footprint)
			continue;
		int n = snprintf(s->size, sizeof s->size, "%ux%ux%u+%ux%ux%u", x, x, x, x, x, x);
		for (uint64_t i = 0; i < planes; i++)
			n += snprintf(s->size + n, sizeof s->size - (size_t)n, "+%ux%ux1", x, x);
		s->n_data = 2 + (int)planes;
		return true;
	}
	return false;
}

static bool is_shape(struct tw__starpu_shape *s, const char *kernel, uint64_t elements, uint32_t footprint)
{
	if (!strncmp(kernel, "cl_", 3) || !strncmp(kernel, "save_cl_", 8))
		return is_stencil(s, elements, footprint);
	return are_tiles(s, elements, footprint) || (!strcmp(kernel, "gemm") && is_product(s, elements, footprint));
}

void tw__starpu_shape(struct tw__starpu_shape *s, const char *kernel, uint64_t bytes, uint32_t footprint,
                      char precision)
{
	static const struct {
		char name;
		uint64_t bytes;
	} elements[] = {{'s', 4}, {'d', 8}, {'b', 1}};
	for (int i = 0; i < 3; i++) {
		s->precision = elements[i].name;
		if ((!precision || precision == s->precision) && bytes % elements[i].bytes == 0 &&
		    is_shape(s, kernel, bytes / elements[i].bytes, footprint))
			return;
	}
	snprintf(s->size, sizeof s->size, "%08x", (unsigned)footprint);
	s->precision = precision ? precision : 's';
	s->n_data = 0;
}
