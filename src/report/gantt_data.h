/* Parts of a schedule on the page: its links and their use over time, and why it took as long as it did. Both are data
 * for the page's script, and tables for readers without it. */
#ifndef TW__GANTT_DATA_H
#define TW__GANTT_DATA_H

#include "plot/gantt.h"

/* Chooses the links to show, the most used ones, and writes them as a table; nothing if no link was used. Afterwards
 * the schedule has the use of these links alone, with at most about `most` samples: means over parts of the time. */
void tw__report_links(FILE *, struct tw__gantt *g, struct tw__schedule *, size_t most);

/* Writes the members "links", "otherLinks" and "use" of the data for the page's script. */
void tw__report_links_data(FILE *, const struct tw__gantt *);

/* Write the sentences of the explanation, and the table of causes. `number`: of the schedule on the page. */
void tw__report_why_sentences(FILE *, const struct tw__gantt_why *);
void tw__report_why_table(FILE *, const struct tw__gantt_why *, int number);

/* Writes the members "causes", "causeColours", "idle" and "chain" of the data for the page's script. Merges idle times
 * and parts of the chain if there are too many for a page. A row of several idle workers has no idle times: these
 * workers wait for different reasons. */
void tw__report_why_data(FILE *, struct tw__gantt_why *, const struct tw__gantt_rows *);

#endif
