#include "standin.h"

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

struct tw__platform *standin_platform(const char *zone)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	FILE *f = tmpfile();
	ck_assert_ptr_nonnull(f);
	fprintf(f,
	        "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	        "<platform version=\"4.1\">\n<zone id=\"node\" routing=\"Full\">\n%s</zone>\n</platform>\n",
	        zone);
	rewind(f);
	ck_assert_msg(tw__platform_read_stream(&p, f, "standin.xml", "standin", &err) == TW_OK, "%s", err.message);
	fclose(f);
	return p;
}

static double now(const struct tw__bench *self) { return ((const struct standin *)self)->now; }

static int n_shifts(const struct tw__bench *self)
{
	(void)self;
	return 1;
}

static bool has(const struct tw__bench *self, int shift, tw_worker w, tw_kernel k)
{
	(void)self, (void)w, (void)k;
	return shift == 0;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static double uniform(struct standin *s) { return tw__random_at(s->seed, TW__STREAM_NOISE, 7, s->n_drawn++, 0); }

static struct tw__timed_kernel execute(struct standin *s, tw_worker w)
{
	struct tw__timed_kernel k = {.worker = w, .kernel = s->n_run[w] % s->n_kernels};
	k.seconds = s->truth_s[k.kernel];
	if (s->deviation > 0)
		k.seconds *= fmax(0.1, 1 + s->deviation * gsl_cdf_ugaussian_Pinv(uniform(s)));
	if (s->n_run[w] / s->n_kernels < s->slow_executions) {
		k.seconds *= 2;
	} else if (uniform(s) < s->outliers) {
		k.seconds *= 100;
		s->n_outliers++;
	} else if (uniform(s) < s->interruptions) {
		k.seconds *= 3;
		k.interrupted = true;
		s->n_interrupted++;
	}
	s->n_run[w]++;
	return k;
}

/* Runs the next kernel on the worker that is free first. */
static int kernels(struct tw__bench *self, int shift, bool (*take)(void *, const struct tw__timed_kernel *),
                   void *context, struct tw_error *err)
{
	struct standin *s = (struct standin *)self;
	(void)shift, (void)err;
	struct tw__timed_kernel running[MOST_WORKERS];
	for (tw_worker w = 0; w < s->platform->n_workers; w++) {
		running[w] = execute(s, w);
		s->free_at[w] = s->now + running[w].seconds;
	}
	for (;;) {
		tw_worker first = 0;
		for (tw_worker w = 1; w < s->platform->n_workers; w++)
			first = s->free_at[w] < s->free_at[first] ? w : first;
		s->now = s->free_at[first];
		if (!take(context, &running[first]))
			return TW_OK;
		running[first] = execute(s, first);
		s->free_at[first] += running[first].seconds;
	}
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

struct under_way {
	struct tw__share share;
	int way, n_left;
	struct tw__timed_copy *copy;
};

static void begin(struct standin *s, struct tw__shares *shares, struct under_way *u, const struct tw__way *way,
                  uint64_t bytes)
{
	u->copy->start = s->now;
	u->n_left--;
	tw__shares_begin(shares, &u->share, way->from, way->to, (double)bytes, s->now);
}

static int copies(struct tw__bench *self, const struct tw__way *ways, const uint64_t *bytes, int n_ways, int n_copies,
                  struct tw__timed_copy *copies, struct tw_error *err)
{
	struct standin *s = (struct standin *)self;
	struct tw__shares shares;
	struct under_way *u = calloc((size_t)n_ways, sizeof *u);
	(void)err;
	ck_assert(u);
	tw__shares_init(&shares, s->platform, &(struct tw__weights){0});
	for (int i = 0; i < n_ways; i++) {
		u[i] = (struct under_way){.way = i, .n_left = n_copies, .copy = &copies[i * n_copies]};
		begin(s, &shares, &u[i], &ways[i], bytes[i]);
	}
	while (isfinite(tw__shares_next(&shares))) {
		s->now = fmax(s->now, tw__shares_next(&shares));
		struct tw__share *share;
		while ((share = tw__shares_end(&shares, s->now))) {
			struct under_way *ended =
				(struct under_way *)((char *)share - offsetof(struct under_way, share));
			ended->copy++->end = share->end;
			if (ended->n_left > 0)
				begin(s, &shares, ended, &ways[ended->way], bytes[ended->way]);
		}
	}
	tw__shares_finish(&shares);
	free(u);
	return TW_OK;
}

struct tw__source standin_source(struct standin *s)
{
	return (struct tw__source){.bench = (struct tw__bench *)s,
	                           .now = now,
	                           .n_shifts = n_shifts,
	                           .has = has,
	                           .kernels = kernels,
	                           .copies = copies};
}
