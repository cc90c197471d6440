/* Writes the run section of a trace. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "graph/reduction.h"
#include "trace/event_fields.h"
#include "trace/run_section.h"

/* Collects one line in memory. */
struct writer {
	FILE *line;
	char *text;
	size_t length;
	tw__section_put *put;
	void *context;
};

/* Passes the line on and begins the next one. */
static void end_line(struct writer *w)
{
	putc('\0', w->line);
	fflush(w->line);
	if (!ferror(w->line))
		w->put(w->context, w->text);
	rewind(w->line);
}

static void put_word(struct writer *w, const char *word)
{
	fputs(word, w->line);
	end_line(w);
}

/* Adds a field. Characters that mean something to the section or to a format that holds it are escaped, so that they
 * come back as they were. */
static void put_text(struct writer *w, const char *text)
{
	putc(',', w->line);
	while (*text) {
		int n = tw__utf8_length(text);
		bool plain = n > 0 && (unsigned char)*text >= 0x20 && *text != 0x7f && !strchr(",;\"\\", *text);
		if (plain)
			fwrite(text, 1, (size_t)n, w->line);
		else
			fprintf(w->line, "\\x%02x", (unsigned char)*text);
		text += plain ? n : 1;
	}
}

static void put_words(struct writer *w, const char *kind, const char *first, const char *second)
{
	fputs(kind, w->line);
	put_text(w, first);
	put_text(w, second);
	end_line(w);
}

static void put_head(struct writer *w, const struct tw__trace *t)
{
	const struct tw__run_about *about = t->about;
	fprintf(w->line, "tilewright,%d", TW__RUN_SECTION_VERSION);
	end_line(w);
	put_words(w, "made_by", about && about->version ? about->version : "",
	          about && about->identity ? about->identity : "");
	for (int i = 0; about && i < about->n_arguments; i++)
		put_words(w, "argument", about->arguments[i].name, about->arguments[i].value);
	for (int i = 0; about && i < about->n_fingerprints; i++)
		put_words(w, "fingerprint", about->fingerprints[i].name, about->fingerprints[i].value);
}

static void put_platform(struct writer *w, const struct tw__trace *t)
{
	const struct tw_platform *p = t->platform;
	for (tw_worker i = 0; i < p->n_workers; i++)
		put_words(w, "worker", p->workers[i].name, p->archs[p->workers[i].arch].name);
	for (tw_node n = 0; n < p->n_nodes; n++) {
		char bytes[24] = "none";
		if (t->capacity && t->capacity[n] != UINT64_MAX)
			snprintf(bytes, sizeof bytes, "%" PRIu64, t->capacity[n]);
		put_words(w, "memory", p->nodes[n].name, bytes);
	}
}

static void put_times(struct writer *w, const struct tw__trace *t)
{
	const struct tw__run_about *about = t->about;
	int n_archs = t->platform->n_archs;
	for (int i = 0; about && about->mean && i < t->program->n_kernels * n_archs; i++) {
		if (isnan(about->mean[i]))
			continue;
		fprintf(w->line, "time,%d,%d,%.17g", i / n_archs, i % n_archs, about->mean[i]);
		end_line(w);
	}
}

static int by_number(const void *a, const void *b)
{
	const tw_data *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

/* The accumulators of each reduction, from the tasks that it appended. Each is the source of one of these tasks or,
 * if it took in others before, of several. */
static int put_reductions(struct writer *w, const struct tw__trace *t)
{
	const struct tw_graph *g = t->graph;
	const tw_data own_data = tw__graph_own_data(g);
	tw_data *used = malloc(((size_t)t->platform->n_workers * 2 + 2) * sizeof *used);
	if (!used)
		return TW_NOMEM;
	for (tw_task first = tw__graph_own_tasks(g), next; first < g->n_tasks; first = next) {
		int32_t phase = tw__graph_appended_for(g, first);
		size_t n = 0;
		for (next = first; next < g->n_tasks && tw__graph_appended_for(g, next) == phase; next++)
			for (uint32_t a = g->access_start[next]; a < g->access_start[next + 1]; a++)
				if (tw__access_data(g->access[a]) >= own_data)
					used[n++] = tw__access_data(g->access[a]);
		qsort(used, n, sizeof *used, by_number);
		fprintf(w->line, "reduction,%d", (int)phase);
		for (size_t i = 0; i < n; i++)
			if (i == 0 || used[i] != used[i - 1])
				fprintf(w->line, ",%d", (int)used[i]);
		end_line(w);
	}
	free(used);
	return TW_OK;
}

static void put_event(struct writer *w, const struct tw__event *e)
{
	fprintf(w->line, "%s,%" PRId64, tw__event_names[e->kind], e->date);
	switch ((enum tw__event_kind)e->kind) {
	case TW__SUBMIT:
		fprintf(w->line, ",%d", (int)e->task);
		break;
	case TW__READY:
		fprintf(w->line, ",%d,%d", (int)e->task, e->worker);
		break;
	case TW__ASSIGN:
	case TW__START:
	case TW__END:
	case TW__RELEASE:
	case TW__CANCEL:
		fprintf(w->line, ",%d,%d,%d", (int)e->task, e->worker, e->node);
		break;
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		fprintf(w->line, ",%d,%d,%d,%" PRIu64 ",%" PRIu64 ",%s", (int)e->data, e->from, e->node, e->bytes,
		        e->offset, tw__cause_names[e->cause]);
		break;
	case TW__ALLOC:
	case TW__FREE:
		fprintf(w->line, ",%d,%d,%" PRIu64 ",%" PRIu64 ",%s", (int)e->data, e->node, e->offset, e->bytes,
		        tw__cause_names[e->cause]);
		break;
	case TW__VALID:
	case TW__INVALID:
		fprintf(w->line, ",%d,%d", (int)e->data, e->node);
		break;
	case TW__N_EVENT_KINDS:
		break;
	}
	end_line(w);
}

int tw__run_section_put(const struct tw__trace *t, tw__section_put *put, void *context)
{
	const struct tw__record *r = t->record;
	struct writer w = {.put = put, .context = context};
	w.line = open_memstream(&w.text, &w.length);
	if (!w.line)
		return TW_NOMEM;
	put_head(&w, t);
	put_platform(&w, t);
	put_times(&w, t);
	fprintf(w.line, "makespan,%" PRId64, r->makespan);
	end_line(&w);
	if (r->measured)
		put_word(&w, "measured");
	if (r->rounds)
		put_word(&w, "rounds");
	int status = put_reductions(&w, t);
	for (size_t i = 0; i < r->n; i++)
		put_event(&w, &r->events[i]);
	fprintf(w.line, "total,%zu", r->n);
	end_line(&w);
	if (ferror(w.line))
		status = TW_NOMEM;
	fclose(w.line);
	free(w.text);
	return status;
}

static void print_line(void *f, const char *line)
{
	fputs(line, f);
	putc('\n', f);
}

int tw__write_record(FILE *f, const struct tw__trace *t) { return tw__run_section_put(t, print_line, f); }
