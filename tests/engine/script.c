#include "script.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "temp.h"

void script_platform(struct script *s, const char *xml)
{
	char *text;
	struct tw_error err = {""};
	struct tw_platform *all;
	struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS};
	ck_assert_int_gt(asprintf(&text,
	                          "<?xml version='1.0'?>\n"
	                          "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	                          "<platform version='4.1'><zone id='z' routing='Full'>%s</zone></platform>\n",
	                          xml),
	                 0);
	struct temp file = temp_text(text);
	ck_assert_msg(tw__platform_read(&all, file.path, "test", &err) == TW_OK, "%s", err.message);
	ck_assert_msg(tw__platform_select(&s->platform, all, &choice, &err) == TW_OK, "%s", err.message);
	tw__platform_destroy(all);
	temp_remove(file);
	free(text);
	s->step = INFINITY;
}

int script_add(struct script *s, struct action a)
{
	ck_assert_int_lt(s->n_actions, MAX_ACTIONS);
	s->actions[s->n_actions] = a;
	return s->n_actions++;
}

int script_transfer(struct script *s, double date, tw_node from, tw_node to, double bytes)
{
	return script_add(s, (struct action){date, TRANSFER, from, to, bytes});
}

int script_exec(struct script *s, double date, tw_worker worker, double seconds)
{
	return script_add(s, (struct action){date, EXEC, worker, 0, seconds});
}

int script_cancel(struct script *s, double date, int action)
{
	return script_add(s, (struct action){date, CANCEL, action, 0, 0});
}

void stage_run(const struct tw_platform *platform, enum tw__link_shares shares, int (*body)(void *), void *arg,
               struct stage *stage)
{
	struct tw_error err = {""};
	stage->ops = &tw__engine_simgrid;
	ck_assert_msg(stage->ops->open(&stage->engine, platform, NULL, shares, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(stage->ops->host(stage->engine, body, arg), 0);
	stage->ops->close(stage->engine);
}

/* --- playing ---------------------------------------------------------------------------------------------------- */

struct play {
	struct stage stage;
	struct script *script;
};

static void complain(struct script *s, const char *format, ...)
{
	va_list args;
	if (s->complaint[0])
		return;
	va_start(args, format);
	vsnprintf(s->complaint, sizeof s->complaint, format, args);
	va_end(args);
}

static void act(struct play *p, int i)
{
	const struct action *a = &p->script->actions[i];
	const struct tw__engine_ops *ops = p->stage.ops;
	int status = TW_OK;
	switch (a->what) {
	case EXEC:
		status = ops->exec(p->stage.engine, a->from, 0, a->amount, (uint64_t)i);
		break;
	case TRANSFER:
		status = ops->transfer(p->stage.engine, a->from, a->to, 0, (uint64_t)a->amount, (uint64_t)i);
		break;
	default:
		status = ops->cancel(p->stage.engine, (uint64_t)a->from);
	}
	if (status != TW_OK)
		complain(p->script, "action %d was refused", i);
}

static void take(struct play *p, const struct tw__completion *c, double now)
{
	struct script *s = p->script;
	struct answer *a = &s->answers[c->token];
	if (a->ended || c->token >= (uint64_t)s->n_actions)
		complain(s, "action %d has ended twice", (int)c->token);
	if (fabs(c->end - now) > 1e-12)
		complain(s, "action %d ended at %.12f, told at %.12f", (int)c->token, c->end, now);
	if (c->end < c->start)
		complain(s, "action %d started at %.17g and ended before, at %.17g", (int)c->token, c->start, c->end);
	*a = (struct answer){true, s->n_ended++, c->start, c->end};
}

static int body(void *arg)
{
	struct play *p = arg;
	struct script *s = p->script;
	const struct tw__engine_ops *ops = p->stage.ops;
	struct tw__completion ended[8];
	int next = 0;
	double now = ops->now(p->stage.engine);
	if (now != 0)
		complain(s, "the clock begins at %g", now);
	while (!s->complaint[0]) {
		for (; next < s->n_actions && s->actions[next].date <= now; next++)
			act(p, next);
		double until = fmin(now + s->step, next < s->n_actions ? s->actions[next].date : INFINITY);
		if (next == s->n_actions && s->n_ended == s->n_actions)
			until = INFINITY; /* no more steps */
		int n = ops->wait(p->stage.engine, until, ended, 8);
		if (n < 0 && !isinf(until))
			complain(s, "wait until %.12f failed", until);
		if (n < 0)
			break;
		double then = ops->now(p->stage.engine);
		if (then < now || then > until + 1e-12 || (n == 0 && then != until))
			complain(s, "from %.12f until %.12f, %d completions: now it is %.12f", now, until, n, then);
		now = then;
		for (int i = 0; i < n; i++)
			take(p, &ended[i], now);
		if (isfinite(s->step) && next == s->n_actions && now > 1000 * s->step + s->actions[next - 1].date)
			s->step = INFINITY; /* enough of them, should anything have been cancelled */
	}
	s->last = now;
	return 0;
}

void script_play(struct script *s)
{
	struct play p = {.script = s};
	stage_run(s->platform, s->shares, body, &p, &p.stage);
	ck_assert_msg(!s->complaint[0], "%s", s->complaint);
}

void script_finish(struct script *s) { tw__platform_destroy(s->platform); }

int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
