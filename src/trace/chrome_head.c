/* The parts of a Chrome trace before and behind its events: the description of the run, and the run section. */
#include <inttypes.h>

#include "base/print.h"
#include "trace/formats.h"
#include "trace/run_section.h"

static void print_array(FILE *f, const struct tw__trace *t, const char *key, int n,
                        void (*print)(FILE *, const struct tw__trace *, int))
{
	fprintf(f, ",\"%s\":[", key);
	for (int i = 0; i < n; i++) {
		fputs(i ? "," : "", f);
		print(f, t, i);
	}
	putc(']', f);
}

static void print_kernel(FILE *f, const struct tw__trace *t, int i) { tw__print_json(f, t->names[i]); }
static void print_arch(FILE *f, const struct tw__trace *t, int i)
{
	tw__print_json(f, t->platform->archs[t->platform->workers[i].arch].name);
}
static void print_capacity(FILE *f, const struct tw__trace *t, int i)
{
	fprintf(f, "%" PRIu64, tw__trace_capacity(t, i));
}
static void print_bandwidth(FILE *f, const struct tw__trace *t, int i)
{
	fprintf(f, "%.0f", t->platform->links[i].bandwidth);
}

void tw__chrome_head(FILE *f, const struct tw__trace *t)
{
	const struct tw__platform *p = t->platform;
	fputs("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"platform\":", f);
	tw__print_json(f, p->name);
	if (t->workload) {
		fputs(",\"workload\":", f);
		tw__print_json(f, t->workload);
	}
	if (t->policy) {
		fputs(",\"policy\":", f);
		tw__print_json(f, t->policy);
	}
	fputs(",\"makespan_s\":", f);
	tw__print_seconds(f, t->record->makespan);
	print_array(f, t, "kernels", t->n_names, print_kernel);
	print_array(f, t, "archs", p->n_workers, print_arch);
	print_array(f, t, "capacity_bytes", p->n_nodes, print_capacity);
	print_array(f, t, "bandwidth_bytes_per_s", p->n_links, print_bandwidth);
	fputs("},\"traceEvents\":[", f);
}

struct section {
	FILE *f;
	bool first; /* no line written yet */
};

static void print_section_line(void *context, const char *line)
{
	struct section *s = context;
	fputs(s->first ? "\n" : ",\n", s->f);
	s->first = false;
	tw__print_json(s->f, line);
}

void tw__chrome_end(FILE *f, const struct tw__trace *t)
{
	struct section section = {f, true};
	fputs("\n" TW__RUN_CHROME_LINE, f);
	tw__run_section_put(t, print_section_line, &section);
	fputs("\n]}\n", f);
}
