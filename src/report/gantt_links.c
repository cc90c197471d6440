#include "report/gantt_data.h"

#include <inttypes.h>
#include <math.h>

#include "explain/explain.h"
#include "plot/visible.h"
#include "report/html.h"

static bool is_shown(const struct tw__gantt *g, int link)
{
	for (int i = 0; i < g->n_links; i++)
		if (g->links[i] == link)
			return true;
	return false;
}

/* Leaves out the samples of all other links. */
static void keep_shown(const struct tw__gantt *g, struct tw__samples *use)
{
	size_t n = 0;
	for (size_t i = 0; i < use->n; i++)
		if (is_shown(g, use->list[i].counter))
			use->list[n++] = use->list[i];
	use->n = n;
}

/* Returns the share of the makespan in which the link was saturated. */
static double saturated_share(const struct tw__schedule *s, int link)
{
	double saturated_ns = 0;
	for (size_t i = 0; i < s->use.n; i++) {
		const struct tw__sample *sample = &s->use.list[i];
		bool is_last = i + 1 == s->use.n || sample[1].counter != link;
		if (sample->counter == link && sample->value >= TW__SATURATED)
			saturated_ns += (double)((is_last ? s->end : sample[1].date) - sample->date);
	}
	return saturated_ns / (double)s->end;
}

static void print_table(FILE *f, const struct tw__gantt *g)
{
	fputs("<details><summary>Links as a table</summary><div class=\"wide\"><table><thead><tr><th "
	      "scope=\"col\">link</th><th scope=\"col\" class=\"n\">use (%)</th>"
	      "<th scope=\"col\" class=\"n\">saturated (%)</th></tr></thead><tbody>\n",
	      f);
	for (int i = 0; i < g->n_links; i++) {
		int link = g->links[i];
		fputs("<tr><th scope=\"row\">", f);
		tw__html_text(f, tw__schedule_link(g->s, link));
		fputs("</th><td class=\"n\">", f);
		tw__html_number(f, 100 * g->link_share[link], 3);
		fputs("</td><td class=\"n\">", f);
		tw__html_number(f, 100 * saturated_share(g->s, link), 3);
		fputs("</td></tr>\n", f);
	}
	fputs("</tbody></table></div></details>\n", f);
}

void tw__report_links(FILE *f, struct tw__gantt *g, struct tw__schedule *s, size_t most)
{
	tw__gantt_choose_links(g);
	if (g->n_links == 0)
		return;
	print_table(f, g);
	keep_shown(g, &s->use);
	for (int n = TW__MANY_COLUMNS; s->use.n > most && n >= TW__COLUMNS; n /= 2)
		tw__visible_means(s, &s->use, s->n_links, n);
}

/* Prints the use of a link as dates (ns) and thousandths, both as differences to the sample before. */
static void print_use(FILE *f, const struct tw__samples *use, int link)
{
	int64_t at = 0;
	int share = 0;
	bool first = true;
	for (size_t i = 0; i < use->n; i++) {
		const struct tw__sample *sample = &use->list[i];
		int now = (int)lround(1000 * sample->value);
		if (sample->counter != link || (now == share && !first))
			continue;
		fprintf(f, "%s%" PRId64 ",%d", first ? "" : ",", sample->date - at, now - share);
		at = sample->date;
		share = now;
		first = false;
	}
}

void tw__report_links_data(FILE *f, const struct tw__gantt *g)
{
	fputs(",\n\"links\":[", f);
	for (int i = 0; i < g->n_links; i++) {
		fputs(i ? "," : "", f);
		tw__html_json(f, tw__schedule_link(g->s, g->links[i]));
	}
	fprintf(f, "],\n\"otherLinks\":%d,\n\"use\":[", g->n_other_links);
	for (int i = 0; i < g->n_links; i++) {
		fputs(i ? ",\n[" : "[", f);
		print_use(f, &g->s->use, g->links[i]);
		putc(']', f);
	}
	putc(']', f);
}
