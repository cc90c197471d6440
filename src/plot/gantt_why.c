/* The layer of a Gantt chart that explains the run: the chain that the makespan hangs on, and causes of idle time. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/gantt.h"
#include "plot/visible.h"

enum { LEAST_PATTERN = 6 }; /* least width of an idle time with a pattern, in pixels */

/* --- what is drawn ------------------------------------------------------------------------------------------------ */

/* Takes the chain, from its end: parts of one kernel become one step. Transfers stand on the row of the worker whose
 * kernel is behind them in the chain. */
static void take_chain(struct tw__gantt_why *why, const struct tw__explanation *e)
{
	int worker = 0;
	tw_task task = TW_NONE;
	why->chain = tw_alloc(e->n_links, sizeof *why->chain);
	for (size_t i = e->n_links; i-- > 0;) {
		const struct tw__chain_link *l = &e->links[i];
		if (l->computes && task == l->task) {
			why->chain[why->n_chain - 1].start = l->start;
			continue;
		}
		task = l->computes ? l->task : TW_NONE;
		worker = l->worker == TW_NONE ? worker : l->worker;
		why->chain[why->n_chain++] = (struct tw__gantt_step){l->start, l->end, worker, l->computes};
	}
}

/* Workers without anything left to do need no colour. */
static bool is_drawn(const struct tw__idle_span *span) { return span->why != TW__WHY_NOTHING; }

/* Takes the idle times by worker, in the order that tw__visible_boxes would sort them into: there may be millions. */
static void take_idle(struct tw__gantt_why *why, const struct tw__explanation *e, int n_workers)
{
	struct tw__schedule *idle = &why->idle;
	size_t *place = tw_alloc((size_t)n_workers + 1, sizeof *place);
	for (size_t i = 0; i < e->n_spans; i++)
		place[e->spans[i].worker + 1] += is_drawn(&e->spans[i]);
	for (int w = 0; w < n_workers; w++)
		place[w + 1] += place[w];
	idle->n_boxes = idle->boxes_capacity = place[n_workers];
	idle->boxes = tw_resize(NULL, idle->n_boxes, sizeof *idle->boxes);
	for (size_t i = 0; i < e->n_spans; i++) {
		const struct tw__idle_span *span = &e->spans[i];
		if (!is_drawn(span))
			continue;
		why->drawn[span->why] = true;
		idle->boxes[place[span->worker]++] =
			(struct tw__box){span->worker, (int)span->why, span->start, span->end, 1, -1};
	}
	free(place);
}

int tw__gantt_why_of(struct tw__gantt_why *why, struct tw__schedule *schedule, const struct tw__traced *traced,
                     const struct tw__explained_run *of, int columns, struct tw_error *err)
{
	struct tw__explained_run run = *of;
	struct tw__explanation *e = &why->explanation;
	*why = (struct tw__gantt_why){.idle = {.n_kernels = TW__N_WHY}};
	run.with_spans = true;
	run.schedule = schedule;
	int status = tw__explain_schedule(e, &run, err);
	if (status < 0)
		return status;
	schedule->workload = traced->workload;
	schedule->policy = traced->policy;
	why->idle.end = tw__record_end(run.record);
	tw__explain_sentences(why->sentences, sizeof why->sentences, e, &run);
	take_chain(why, e);
	take_idle(why, e, run.platform->n_workers);
	tw__visible_boxes(&why->idle, columns);
	return TW_OK;
}

void tw__gantt_why_finish(struct tw__gantt_why *why)
{
	tw__schedule_finish(&why->idle);
	tw__explanation_finish(&why->explanation);
	free(why->chain);
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

/* Returns the row of a worker; NULL: it is not shown. */
static const struct tw__gantt_row *row_of(const struct tw__gantt *g, int worker)
{
	int row = g->rows.of[worker];
	return row == TW_NONE ? NULL : &g->rows.list[row];
}

static bool has_row(const struct tw__gantt *g, int worker)
{
	const struct tw__gantt_row *row = row_of(g, worker);
	return row && row->band == TW_NONE;
}

static bool print_idle(struct tw__gantt *g, int why)
{
	const struct tw__schedule *idle = &g->why->idle;
	size_t n = 0;
	for (size_t i = 0; i < idle->n_boxes; i++) {
		const struct tw__box *b = &idle->boxes[i];
		if (b->kernel != why || !has_row(g, b->worker))
			continue;
		if (n++ == 0)
			fprintf(g->f, "$idle%d << END\n", why);
		tw__print_seconds(g->f, b->start);
		putc(' ', g->f);
		tw__print_seconds(g->f, b->end);
		fprintf(g->f, " %d 0.%03d\n", row_of(g, b->worker)->y, (int)lround(b->share * 800));
	}
	if (n)
		fputs("END\n", g->f);
	return n > 0;
}

/* Whether the step is wide enough for an outline. */
static bool is_outlined(const struct tw__gantt *g, const struct tw__gantt_step *s)
{
	return s->computes && has_row(g, s->worker) &&
	       (double)(s->end - s->start) * TW__COLUMNS >= 4 * (double)g->s->end;
}

/* The chain as a line, from the centre of one row to that of the next one, and as outlines of kernels. The line leaves
 * out the inside of outlined kernels, and workers that are not shown. */
static void print_chain(struct tw__gantt *g)
{
	const struct tw__gantt_why *why = g->why;
	fputs("$chain << END\n", g->f);
	for (size_t i = 0; i < why->n_chain; i++) {
		const struct tw__gantt_step *s = &why->chain[i];
		const struct tw__gantt_row *row = row_of(g, s->worker);
		if (!row) {
			putc('\n', g->f);
			continue;
		}
		tw__print_seconds(g->f, s->end);
		fprintf(g->f, " %d\n%s", tw__row_centre(row), is_outlined(g, s) ? "\n" : "");
		tw__print_seconds(g->f, s->start);
		fprintf(g->f, " %d\n", tw__row_centre(row));
	}
	fputs("END\n$outline << END\n", g->f);
	for (size_t i = 0; i < why->n_chain; i++) {
		const struct tw__gantt_step *s = &why->chain[i];
		if (!is_outlined(g, s))
			continue;
		tw__print_seconds(g->f, s->start);
		putc(' ', g->f);
		tw__print_seconds(g->f, s->end);
		fprintf(g->f, " %d\n", row_of(g, s->worker)->y);
	}
	fputs("END\n", g->f);
}

void tw__gantt_why_print(struct tw__gantt *g)
{
	if (!g->why)
		return;
	for (int why = 0; why < TW__N_WHY; why++)
		g->why->in_rows[why] = print_idle(g, why);
	tw__bands_print(g, &g->waits, "waits", true);
	print_chain(g);
}

static void plot_causes(struct tw__gantt *g, int why, const char *least_s, const char *style, uint32_t colour)
{
	fprintf(g->f,
	        " $idle%d using ($2-$1>=%s?($1+$2)/2:NaN):3:1:2:($3+0.4-$4):($3+0.4) with boxxyerror "
	        "fillstyle %s noborder fillcolor rgb '#%06" PRIx32 "' notitle",
	        why, least_s, style, colour);
}

/* Idle times hang from the upper edge of a row, as kernels stand on the lower one. Those of some width have the
 * pattern of their cause, too. */
int tw__gantt_why_plot_idle(struct tw__gantt *g, int n)
{
	char least_s[48], style[40];
	snprintf(least_s, sizeof least_s, "%" PRId64 "e-9", (int64_t)(g->s->end / WIDTH * LEAST_PATTERN));
	for (int why = 0; why < TW__N_WHY && g->why; why++) {
		if (!g->why->in_rows[why])
			continue;
		uint32_t colour = tw__gantt_why_colour(why);
		fputs(n++ ? "," : "plot", g->f);
		plot_causes(g, why, "0", "solid 1", colour);
		if (!tw__gantt_why_pattern(why))
			continue;
		snprintf(style, sizeof style, "transparent pattern %d", tw__gantt_why_pattern(why));
		putc(',', g->f);
		plot_causes(g, why, least_s, style, tw__gantt_hatch_colour(colour));
	}
	return g->why ? tw__bands_plot(g, &g->waits, "waits", tw__gantt_why_colour, tw__gantt_why_pattern, n) : n;
}

int tw__gantt_why_plot_chain(struct tw__gantt *g, int n)
{
	if (!g->why || g->why->n_chain == 0)
		return n;
	fprintf(g->f,
	        "%s $chain using 1:2 with lines linewidth 1.2 linecolor rgb '#000000' notitle, "
	        "$outline using (($1+$2)/2):3:1:2:($3-0.42):($3+0.42) with boxxyerror fillstyle empty "
	        "linewidth 1.4 linecolor rgb '#000000' notitle",
	        n++ ? "," : "plot");
	return n;
}
