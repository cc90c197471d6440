#include "report/gantt_data.h"

#include <inttypes.h>
#include <math.h>

#include "base/spec.h"
#include "plot/visible.h"
#include "report/html.h"

/* With more idle times or parts of the chain, those thinner than a column are merged, to keep the page small. The
 * number of columns is the largest power of two that gives at most so many. */
enum { MOST_IDLE = 50000, MOST_STEPS = 20000 };

/* The member `code` of an idle time in the data: its cause, and the thousandths of it that are not idle. */
enum { CODE_CAUSES = 16 };
_Static_assert((int)TW__N_WHY <= (int)CODE_CAUSES, "a cause does not fit");

/* --- text --------------------------------------------------------------------------------------------------------- */

void tw__report_why_sentences(FILE *f, const struct tw__gantt_why *why)
{
	fputs("<p class=\"why\">", f);
	tw__html_text(f, why->sentences);
	fputs("</p>\n", f);
}

static void print_share(FILE *f, tw__ns time, double all)
{
	fputs("<td class=\"n\">", f);
	if (time > 0)
		fprintf(f, "%.2f", 100 * (double)time / all);
	fputs("</td>", f);
}

/* A row for a cause: its time in the makespan, and its share of the makespan and of the time of each kind of worker. */
static void print_cause(FILE *f, const struct tw__explanation *e, enum tw__why why)
{
	char text[TW__DURATION_TEXT] = "";
	if (e->chain[why] > 0)
		tw__duration_text(text, tw__seconds(e->chain[why]));
	fprintf(f, "<tr><th scope=\"row\">%s</th><td class=\"n\">%s</td>", tw__why_names[why], text);
	print_share(f, e->chain[why], (double)e->makespan);
	for (int i = 0; i < e->n_kinds; i++)
		print_share(f, e->kinds[i].of[why], (double)e->kinds[i].n_workers * (double)e->makespan);
	fputs("</tr>\n", f);
}

/* Causes of the makespan come first, the greatest at the top. Causes that only workers wait for follow. */
void tw__report_why_table(FILE *f, const struct tw__gantt_why *why, const struct tw__run_domains *domains, int number)
{
	char name[TW__KIND_TEXT];
	const struct tw__explanation *e = &why->explanation;
	double seconds[TW__N_WHY];
	enum tw__why order[TW__N_WHY];
	fprintf(f,
	        "<div class=\"wide\"><table class=\"causes\" id=\"causes-%d\"><thead><tr><th scope=\"col\">cause</th>"
	        "<th scope=\"col\" class=\"n\">makespan</th><th scope=\"col\" class=\"n\">makespan (%%)</th>",
	        number);
	for (int i = 0; i < e->n_kinds; i++) {
		fprintf(f, "<th scope=\"col\" class=\"n\">%d ", e->kinds[i].n_workers);
		tw__html_text(f, tw__kind_text(name, &e->kinds[i], domains));
		fputs(" (%)</th>", f);
	}
	fputs("</tr></thead><tbody>\n", f);
	for (int i = 0; i < TW__N_WHY; i++)
		seconds[i] = tw__seconds(e->chain[i]);
	int n = tw__why_order(seconds, order);
	for (int i = 0; i < n; i++)
		print_cause(f, e, order[i]);
	for (int i = 0; i < TW__N_WHY; i++) {
		bool some = false;
		for (int k = 0; k < e->n_kinds; k++)
			some |= e->kinds[k].of[i] > 0;
		if (some && e->chain[i] == 0)
			print_cause(f, e, (enum tw__why)i);
	}
	fputs("</tbody></table></div>\n", f);
}

static void print_rank(FILE *f, const char *name, const struct tw__rank_use *u, tw__ns makespan)
{
	const double all = (double)u->n_workers * (double)makespan;
	fputs("<tr><th scope=\"row\">", f);
	tw__html_text(f, name);
	fprintf(f, "</th><td class=\"n\">%d</td><td class=\"n\">%" PRId64 "</td>", u->n_workers, u->tasks);
	print_share(f, u->of[TW__WHY_KERNELS], all);
	print_share(f, u->of[TW__WHY_NETWORK], all);
	print_share(f, u->on_chain, (double)makespan);
	fprintf(f,
	        "<td class=\"n\">%" PRId64 "</td><td class=\"n\">%.2f</td><td class=\"n\">%" PRId64
	        "</td><td class=\"n\">%.2f</td></tr>\n",
	        u->sent, (double)u->sent_bytes / 1e6, u->received, (double)u->received_bytes / 1e6);
}

/* A row for each node of a cluster, and above the table how uneven their work is; nothing for one node. */
void tw__report_nodes(FILE *f, const struct tw__explanation *e, const struct tw__platform *p)
{
	static const char *const heads[] = {"workers", "tasks",   "kernels (%)", "network (%)", "chain (%)",
	                                    "sent",    "MB sent", "received",    "MB received"};
	double mean = 0, most = 0;
	if (!e->n_ranks)
		return;
	for (int r = 0; r < e->n_ranks; r++) {
		const double busy = (double)e->ranks[r].of[TW__WHY_KERNELS];
		mean += busy / e->n_ranks;
		most = busy > most ? busy : most;
	}
	fprintf(f, "<details open><summary>Nodes: the most loaded one computes %.2f times the mean</summary>",
	        mean > 0 ? most / mean : 1);
	fputs("<div class=\"wide\"><table class=\"nodes\"><thead><tr><th scope=\"col\">node</th>", f);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		fprintf(f, "<th scope=\"col\" class=\"n\">%s</th>", heads[i]);
	fputs("</tr></thead><tbody>\n", f);
	for (int r = 0; r < e->n_ranks; r++)
		print_rank(f, p->rank_names[r], &e->ranks[r], e->makespan);
	fputs("</tbody></table></div></details>\n", f);
}

/* --- data --------------------------------------------------------------------------------------------------------- */

/* Merges neighbours in the chain that together are thinner than a column; the longest one's worker stands for all. The
 * chain is listed from its end. */
static void merge_steps(struct tw__gantt_why *why, double column_ns)
{
	size_t n = 0;
	tw__ns longest = 0;
	for (size_t i = 0; i < why->n_chain; i++) {
		struct tw__gantt_step step = why->chain[i], *last = why->chain + (n > 0 ? n - 1 : 0);
		tw__ns length = step.end - step.start;
		if (n == 0 || (double)(last->end - step.start) >= column_ns) {
			why->chain[n++] = step;
			longest = length;
			continue;
		}
		last->start = step.start;
		last->computes = false;
		last->worker = length > longest ? step.worker : last->worker;
		longest = tw__latest(length, longest);
	}
	why->n_chain = n;
}

static bool is_shared(const struct tw__gantt_rows *rows, int worker)
{
	return rows->list[rows->of[worker]].n_workers > 1;
}

/* Prints the idle times as one list for each row. Each has three numbers: the gap before it and its length (ns), and
 * its code. */
static void print_idle(FILE *f, const struct tw__schedule *idle, const struct tw__gantt_rows *rows)
{
	size_t i = 0;
	fputs(",\n\"idle\":[", f);
	for (int r = 0; r < rows->n; r++) {
		tw__ns at = 0;
		fputs(r ? ",\n[" : "[", f);
		while (i < idle->n_boxes && is_shared(rows, idle->boxes[i].worker))
			i++;
		for (bool first = true; i < idle->n_boxes && rows->of[idle->boxes[i].worker] == r; i++, first = false) {
			const struct tw__box *b = &idle->boxes[i];
			int missing = 1000 - (int)fmax(1, lround(b->share * 1000));
			fprintf(f, "%s%" PRId64 ",%" PRId64 ",%d", first ? "" : ",", b->start - at, b->end - b->start,
			        b->kernel + CODE_CAUSES * missing);
			at = b->end;
		}
		putc(']', f);
	}
	putc(']', f);
}

/* Prints the chain from its start. Each part has two numbers: its length (ns), and twice its row, plus 1 if it
 * computes. */
static void print_chain(FILE *f, const struct tw__gantt_why *why, const struct tw__gantt_rows *rows)
{
	fputs(",\n\"chain\":[", f);
	for (size_t i = why->n_chain; i-- > 0;) {
		const struct tw__gantt_step *s = &why->chain[i];
		fprintf(f, "%" PRId64 ",%d%s", s->end - s->start, 2 * rows->of[s->worker] + s->computes,
		        i > 0 ? "," : "");
	}
	putc(']', f);
}

void tw__report_why_data(FILE *f, struct tw__gantt_why *why, const struct tw__gantt_rows *rows)
{
	for (int n = TW__MANY_COLUMNS; why->idle.n_boxes > MOST_IDLE && n >= TW__COLUMNS; n /= 2)
		tw__visible_boxes(&why->idle, n);
	for (int n = TW__MANY_COLUMNS; why->n_chain > MOST_STEPS; n /= 2)
		merge_steps(why, (double)why->explanation.makespan / n);
	fputs(",\n\"causes\":[", f);
	for (int i = 0; i < TW__N_WHY; i++)
		fprintf(f, "%s\"%s\"", i ? "," : "", tw__why_names[i]);
	fputs("],\n\"causeColours\":[", f);
	for (int i = 0; i < TW__N_WHY; i++)
		fprintf(f, "%s\"#%06" PRIx32 "\"", i ? "," : "", tw__gantt_why_colour(i));
	putc(']', f);
	print_idle(f, &why->idle, rows);
	print_chain(f, why, rows);
}
