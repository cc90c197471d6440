/* The colours of kernels, equal in all traces and figures: Paul Tol's "muted" scheme (SRON technical note 09-002),
 * which is distinguishable with any colour vision. */
#ifndef TW__PALETTE_H
#define TW__PALETTE_H

#include <stdint.h>

enum { TW__N_COLOURS = 9 };
static const uint32_t tw__colours[TW__N_COLOURS] = {
	/* colours as 0xRRGGBB */
	0x88ccee, 0xcc6677, 0xddcc77, 0x117733, 0x332288, 0xaa4499, 0x44aa99, 0x999933, 0x882255,
};
/* The order in which kernels take colours. The first four colours also differ clearly when printed in grey. */
static const int tw__kernel_order[TW__N_COLOURS] = {2, 4, 1, 3, 0, 8, 6, 7, 5};
static const uint32_t tw__grey = 0xbbbbbb; /* the colour of everything that is not a kernel */

#endif
