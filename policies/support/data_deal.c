#include "policies/support/data_deal.h"

#include <stdlib.h>
#include <string.h>

int tw_data_deal_init(struct tw_data_deal *d, struct tw_data_table *table)
{
	d->table = table;
	d->n = 0;
	d->more_ns = calloc((size_t)table->n_units + 1, sizeof *d->more_ns);
	return d->more_ns ? TW_OK : TW_NOMEM;
}

void tw_data_deal_finish(struct tw_data_deal *d)
{
	free(d->more_ns);
	d->more_ns = NULL;
}

bool tw_data_deal_is_possible(const struct tw_data_deal *d) { return d->table->first_accumulator >= d->table->n_data; }

static void begin(struct tw_data_deal *d)
{
	d->version = d->table->version;
	d->n = 0;
	memset(d->more_ns, 0, (size_t)d->table->n_units * sizeof *d->more_ns);
}

static void deal(struct tw_data_deal *d, tw_task task, int k)
{
	int64_t end_ns;
	int unit = tw_data_table_first_of_all(d->table, task, k, d->more_ns, &end_ns);
	d->more_ns[unit] += tw_data_table_length(d->table, task, unit);
	d->dealt[d->n++] = (struct tw_dealt){task, unit, end_ns};
}

int tw_data_deal(struct tw_data_deal *d, int i, tw_task task, int k)
{
	if (i == 0 && d->version != d->table->version)
		begin(d);
	if (i < d->n && d->dealt[i].task != task) { /* the ready tasks have changed: drops the deal from task i on */
		d->n = i;
		memset(d->more_ns, 0, (size_t)d->table->n_units * sizeof *d->more_ns);
		for (int j = 0; j < i; j++)
			d->more_ns[d->dealt[j].unit] +=
				tw_data_table_length(d->table, d->dealt[j].task, d->dealt[j].unit);
	}
	if (i == d->n)
		deal(d, task, k);
	const struct tw_dealt *dealt = &d->dealt[i];
	/* Unit k was dealt no task so far, so more_ns[k] is 0 and its completion time needs no addition. */
	return tw_data_table_completion_ns(d->table, task, k) <= dealt->end_ns ? k : dealt->unit;
}
