/* Why a schedule on the page took as long as it did: data for the page's script, and text for readers without it. */
#ifndef TW__GANTT_DATA_H
#define TW__GANTT_DATA_H

#include "plot/gantt.h"

/* Write the sentences of the explanation, and the table of causes. `number`: of the schedule on the page. */
void tw__report_why_sentences(FILE *, const struct tw__gantt_why *);
void tw__report_why_table(FILE *, const struct tw__gantt_why *, const struct tw__run_domains *, int number);
void tw__report_nodes(FILE *, const struct tw__explanation *, const struct tw__platform *);

/* Writes the members "causes", "causeColours", "idle" and "chain" of the data for the page's script. Merges idle times
 * and parts of the chain if there are too many for a page. A row of several idle workers has no idle times: these
 * workers wait for different reasons. */
void tw__report_why_data(FILE *, struct tw__gantt_why *, const struct tw__gantt_rows *);

#endif
