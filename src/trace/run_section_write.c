/* Writes the run section of a trace. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "graph/parts.h"
#include "graph/reduction.h"
#include "trace/binary.h"
#include "trace/event_fields.h"
#include "trace/events.h"
#include "trace/run_section.h"

/* Collects one line in memory. */
struct writer {
	char *line;
	size_t n, capacity;
	tw__section_put *put_line;
	void *context;
};

static void put_bytes(struct writer *w, const char *bytes, size_t n)
{
	TW_RESERVE(w->line, w->capacity, w->n + n);
	memcpy(w->line + w->n, bytes, n);
	w->n += n;
}

static void put(struct writer *w, const char *text) { put_bytes(w, text, strlen(text)); }

/* Passes the line on and begins the next one. */
static void end_line(struct writer *w)
{
	put_bytes(w, "", 1);
	w->put_line(w->context, w->line);
	w->n = 0;
}

/* Adds a field. */
static void put_number(struct writer *w, int64_t number)
{
	char digits[24], *first = digits + sizeof digits;
	uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
	do
		*--first = (char)('0' + rest % 10);
	while (rest /= 10);
	if (number < 0)
		*--first = '-';
	*--first = ',';
	put_bytes(w, first, (size_t)(digits + sizeof digits - first));
}

static void put_numbered(struct writer *w, const char *kind, int64_t number)
{
	put(w, kind);
	put_number(w, number);
	end_line(w);
}

/* Adds a field. Characters that mean something to the section or to a format that holds it are escaped, so that they
 * come back as they were. */
static void put_text(struct writer *w, const char *text)
{
	put(w, ",");
	while (*text) {
		int n = tw__utf8_length(text);
		bool plain = n > 0 && (unsigned char)*text >= 0x20 && *text != 0x7f && !strchr(",;\"\\", *text);
		char escaped[5];
		if (plain) {
			put_bytes(w, text, (size_t)n);
		} else {
			snprintf(escaped, sizeof escaped, "\\x%02x", (unsigned char)*text);
			put_bytes(w, escaped, 4);
		}
		text += plain ? n : 1;
	}
}

static void put_words(struct writer *w, const char *kind, const char *first, const char *second)
{
	put(w, kind);
	put_text(w, first);
	put_text(w, second);
	end_line(w);
}

static void put_head(struct writer *w, const struct tw__trace *t)
{
	const struct tw__run_about *about = t->about;
	put_numbered(w, "tilewright", TW__RUN_SECTION_VERSION);
	put_words(w, "made_by", about && about->version ? about->version : "",
	          about && about->identity ? about->identity : "");
	for (int i = 0; about && i < about->n_arguments; i++)
		put_words(w, "argument", about->arguments[i].name, about->arguments[i].value);
	for (int i = 0; about && i < about->n_fingerprints; i++)
		put_words(w, "fingerprint", about->fingerprints[i].name, about->fingerprints[i].value);
}

static void put_platform(struct writer *w, const struct tw__trace *t)
{
	const struct tw__platform *p = t->platform;
	for (int r = 0; p->rank_names && r < p->n_ranks; r++) {
		put(w, "node");
		put_text(w, p->rank_names[r]);
		end_line(w);
	}
	for (tw_worker i = 0; i < p->n_workers; i++)
		put_words(w, "worker", p->workers[i].name, p->archs[p->workers[i].arch].name);
	for (int d = 0; d < t->domains.n; d++) {
		put(w, "domain");
		put_text(w, t->domains.names[d]);
		for (tw_worker i = 0; i < p->n_workers; i++)
			if (t->domains.workers[d][i])
				put_number(w, i);
		end_line(w);
	}
	for (tw_node n = 0; n < p->n_nodes; n++) {
		char bytes[24] = "none";
		if (t->capacity && t->capacity[n] != UINT64_MAX)
			snprintf(bytes, sizeof bytes, "%" PRIu64, t->capacity[n]);
		put_words(w, "memory", p->nodes[n].name, bytes);
	}
}

/* Links and routes, and the kernel of each task. */
static void put_scene(struct writer *w, const struct tw__trace *t)
{
	enum { TASKS_A_LINE = 1000 };
	const struct tw__platform *p = t->platform;
	const struct tw_graph *g = t->graph;
	if (t->shares == TW__SHARES_BY_LATENCY)
		w->put_line(w->context, "weighted");
	for (int l = 0; l < p->n_links; l++) {
		const struct tw__link *link = &p->links[l];
		char numbers[120];
		snprintf(numbers, sizeof numbers, ",%.17g,%.17g,%.17g,%s", link->bandwidth, link->shared_bandwidth,
		         link->latency, link->sharing == TW__SHARED ? "shared" : "fatpipe");
		put(w, "link");
		put_text(w, link->name);
		put(w, numbers);
		end_line(w);
	}
	for (int r = 0; r < p->n_nodes * p->n_nodes; r++) {
		if (!p->routes[r].n_links)
			continue;
		put(w, "route");
		put_number(w, r / p->n_nodes);
		put_number(w, r % p->n_nodes);
		for (int l = 0; l < p->routes[r].n_links; l++)
			put_number(w, p->routes[r].links[l]);
		end_line(w);
	}
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		put(w, "kernel");
		put_text(w, g->kernels[k].name);
		if (g->kernels[k].is_message)
			put_text(w, "message");
		end_line(w);
	}
	for (tw_task first = 0; first < g->n_tasks; first += TASKS_A_LINE) {
		put(w, "tasks");
		for (tw_task task = first; task < g->n_tasks && task < first + TASKS_A_LINE; task++)
			put_number(w, g->kernel[task]);
		end_line(w);
	}
	for (int i = 0; i < t->program->n_parts; i++) {
		const struct tw__graph_part *part = &t->program->parts[i];
		put(w, "graph");
		put_number(w, part->first);
		put_number(w, part->arrival);
		put_text(w, part->name);
		end_line(w);
	}
}

static void put_times(struct writer *w, const struct tw__trace *t)
{
	const struct tw__run_about *about = t->about;
	int n_archs = t->platform->n_archs;
	for (int i = 0; about && about->mean && i < t->program->n_kernels * n_archs; i++) {
		if (isnan(about->mean[i]))
			continue;
		char seconds[32];
		snprintf(seconds, sizeof seconds, ",%.17g", about->mean[i]);
		put(w, "time");
		put_number(w, i / n_archs);
		put_number(w, i % n_archs);
		put(w, seconds);
		end_line(w);
	}
}

static void put_reductions(struct writer *w, const struct tw__trace *t)
{
	const struct tw_graph *g = t->graph;
	tw_data *used = tw_alloc((size_t)t->platform->n_workers, sizeof *used);
	for (tw_task first = tw__graph_own_tasks(g), next; first < g->n_tasks; first = next) {
		int n = tw__graph_appended(g, first, used, &next);
		put(w, "reduction");
		put_number(w, tw__graph_appended_for(g, first));
		for (int i = 0; i < n; i++)
			put_number(w, used[i]);
		end_line(w);
	}
	free(used);
}

static void put_event(struct writer *w, const struct tw__event *e)
{
	put(w, tw__event_names[e->kind]);
	put_number(w, e->date);
	for (const char *field = tw__event_fields((enum tw__event_kind)e->kind); *field; field++)
		if (*field == 'c') {
			put(w, ",");
			put(w, tw__cause_names[e->cause]); /* has no character to escape */
		} else {
			put_number(w, tw__event_field(e, *field));
		}
	end_line(w);
}

static void put_section(struct writer *w, const struct tw__trace *t)
{
	put_head(w, t);
	put_platform(w, t);
	put_scene(w, t);
	put_times(w, t);
	put_numbered(w, "makespan", t->record->makespan);
	if (t->record->measured)
		w->put_line(w->context, "measured");
	if (t->record->rounds)
		w->put_line(w->context, "rounds");
	put_reductions(w, t);
}

void tw__run_section_put(const struct tw__trace *t, tw__section_put *put_line, void *context)
{
	struct writer w = {.put_line = put_line, .context = context};
	struct tw__events all;
	put_section(&w, t);
	tw__events_begin(&all, t->record);
	for (const struct tw__event *e; (e = tw__events_next(&all));)
		put_event(&w, e);
	put_numbered(&w, "total", (int64_t)t->record->n);
	free(w.line);
}

static void print_line(void *f, const char *line)
{
	fputs(line, f);
	putc('\n', f);
}

void tw__write_record(FILE *f, const struct tw__trace *t) { tw__run_section_put(t, print_line, f); }

void tw__write_binary(FILE *f, const struct tw__trace *t)
{
	struct writer w = {.put_line = print_line, .context = f};
	fwrite(TW__BINARY_MAGIC, 1, TW__BINARY_MAGIC_BYTES, f);
	put_section(&w, t);
	print_line(f, TW__BINARY_LINE);
	tw__binary_write(f, t->record);
	put_numbered(&w, "total", (int64_t)t->record->n);
	free(w.line);
}
