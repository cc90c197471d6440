/* The links of a schedule on the page: their use over time, as data for the page's script, and as a table. */
#ifndef TW__SCHEDULE_LINKS_H
#define TW__SCHEDULE_LINKS_H

#include "plot/gantt_layout.h"

/* Chooses the links to show, the most used ones, and writes them as a table; nothing if no link was used. Afterwards
 * the schedule has the use of these links alone, with at most about `most` samples: means over parts of the time.
 * The caller frees g->link_share. False: out of memory. */
bool tw__report_links(FILE *, struct tw__gantt *g, struct tw__schedule *, size_t most);

/* Writes the members "links", "otherLinks" and "use" of the data for the page's script. */
void tw__report_links_data(FILE *, const struct tw__gantt *);

#endif
