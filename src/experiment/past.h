/* A past run, from a trace that holds its run section (trace/run_section.h): platform, graph and times are made again
 * from the run's arguments, and the events are read. */
#ifndef TW__PAST_H
#define TW__PAST_H

#include "experiment/load.h"
#include "explain/explain.h"
#include "trace/run_section.h"
#include "trace/schedule.h"

struct tw__past {
	struct tw__run_section section; /* with the record */
	struct tw__request request;     /* its texts are the section's */
	struct tw__scene *scene;
	struct tw__plan plan; /* times, parameters and capacities; no plug-ins */
};

/* Opens a trace. TW_INVALID: the trace cannot be read, or its run cannot be made again; the message says which input
 * has changed or is gone. Warns if another version wrote the trace. Warns if kernel times have changed, and takes
 * those of the trace. *found: as for tw__run_section_read; a folder without a section sets nothing else. The caller
 * closes the trace in any case. */
int tw__past_open(struct tw__past *, const char *path, bool *found, struct tw_error *err);
/* Opens a trace that must hold the whole run, with a record whose numbers are within range. The caller closes the trace
 * in any case. */
int tw__past_open_whole(struct tw__past *, const char *path, struct tw_error *err);
/* Opens a trace for its schedule alone, which shows platform and graph as the trace has them: the files of the run may
 * have changed or be gone. The caller closes the trace in any case. */
int tw__past_open_shown(struct tw__past *, const char *path, struct tw_error *err);
void tw__past_close(struct tw__past *);

/* For explanations, and for writers of traces. The record must be within range: tw__run_section_check. */
struct tw__explained_run tw__past_explained(const struct tw__past *);
struct tw__traced tw__past_traced(const struct tw__past *);
/* Makes the schedule of the run, which must not outlive it. The caller finishes the schedule. */
void tw__past_schedule(struct tw__schedule *, const struct tw__past *);

#endif
