/* The run section of a trace: the whole record of the run, and how to make the run again. With it a trace can be
 * validated and explained, and drawn without the files of the run; the other parts of a trace are for other programs.
 *
 * The section is a list of lines of fields with commas between. The last line has the number of events. In names and
 * values, a comma, a semicolon, a quote, a backslash, a control character and a byte that is not UTF-8 stand as \xHH.
 * docs/reference/traces.md describes each line.
 *
 * Where it stands. Paje: in the field Run of definitions of event types, which other programs ignore; each holds some
 * lines with semicolons between. Chrome: behind the events, an array "tilewright" of strings. A folder of tables: the
 * file run.record.gz. A file .record holds the section alone, and a file .twb holds it with events as bytes (binary.h).
 */
#ifndef TW__RUN_SECTION_H
#define TW__RUN_SECTION_H

#include "base/memory.h"
#include "trace/formats.h"

/* In a Paje trace: the line of a definition that only the section uses, and the beginning of its events. By the former,
 * readers find that the events were cut off. */
#define TW__RUN_PAJE_FIELD "%  Run string"
#define TW__RUN_PAJE_EVENT "18 Z"
/* In a Chrome trace: the line before the section's. */
#define TW__RUN_CHROME_LINE "],\"tilewright\":["

enum { TW__RUN_SECTION_VERSION = 1 };

struct tw__run_section {
	struct tw__arena memory;  /* of all but the record */
	char *version, *identity; /* "" if the writer did not know them */
	struct tw__run_argument *arguments;
	int n_arguments;
	struct tw__run_argument *fingerprints; /* inputs and their digests */
	int n_fingerprints;
	/* The part of platform and graph that figures need: names of workers, archs, memories and kernels, links with
	 * their routes, and the kernel of each task. */
	struct tw__platform *platform;
	struct tw_graph graph;
	int n_domains;
	const char **domain_names;   /* [n_domains] */
	const bool **domain_workers; /* [n_domains][workers] whether the domain has the worker */
	uint64_t *capacity;          /* [memories] usable bytes; UINT64_MAX: no limit */
	bool weighted;               /* transfers share links by 1/latency */
	struct tw__section_time {
		int32_t kernel, arch;
		double seconds;
	} * times;
	size_t n_times;
	struct tw__section_reduction {
		int32_t phase;
		int n;
		tw_data *accumulators;
	} * reductions;
	size_t n_reductions;
	struct tw__record record; /* without `extended`: see tw__run_section_extend */
	bool complete;            /* the last line has been read */
	unsigned lines_seen;      /* which kinds of lines have been read: bits, for run_section_take.c */
	const char *path;         /* of the trace; belongs to the caller */
};

/* Writing: run_section_write.c. Calls `put` for each line, without line break. */
typedef void tw__section_put(void *context, const char *line);
void tw__run_section_put(const struct tw__trace *, tw__section_put *, void *context);

/* Reads the section of a trace. The end of `path` tells the format, as for tw__trace_write; binary records are known by
 * their first bytes. TW_INVALID: the file cannot be read, is damaged, or has no section, as those of other programs and
 * earlier versions. A folder may have none if `found` is not NULL: *found tells. The caller finishes the section in any
 * case. */
int tw__run_section_read(struct tw__run_section *, const char *path, bool *found, struct tw_error *err);
void tw__run_section_finish(struct tw__run_section *);

/* Takes the next line of a section, and changes its text. TW_INVALID: the message does not name the line. */
int tw__run_section_take(struct tw__run_section *, char *line, struct tw_error *err);

/* The value of an argument, and the digest of an input; NULL: not given. */
const char *tw__run_section_argument(const struct tw__run_section *, const char *name);
const char *tw__run_section_fingerprint(const struct tw__run_section *, const char *input);

/* Appends the tasks of the run's reductions to a copy of its graph, in record.extended. TW_INVALID: the graph has no
 * such reductions. */
int tw__run_section_extend(struct tw__run_section *, const struct tw_graph *, struct tw_error *err);

/* The run for figures, without what made it: platform and graph of the section. */
struct tw__traced tw__run_section_traced(struct tw__run_section *);

/* Whether all numbers in the record name tasks, workers, memories and handles of the run. TW_INVALID: one does not. */
int tw__run_section_check(const struct tw__run_section *, const struct tw__platform *, const struct tw_graph *,
                          struct tw_error *err);

#endif
