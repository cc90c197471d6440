/* The use of links in a schedule: the bytes/s that each link passes, over those that it can pass at that moment. */
#ifndef TW__LINK_USE_H
#define TW__LINK_USE_H

#include "plot/schedule.h"

/* Fills the schedule's samples `use` from its flows, capacities and bandwidths. They are sorted by link and date. Links
 * of unknown bandwidth get none. False: out of memory. */
bool tw__link_use(struct tw__schedule *);

#endif
