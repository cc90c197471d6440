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
	struct tw__platform *all;
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
	a.date = tw__seconds(tw__ns_of(a.date));
	a.amount = a.what == EXEC ? tw__seconds(tw__ns_of(a.amount)) : a.amount;
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

int stage_run(const struct tw__platform *platform, enum tw__link_shares shares, tw__turn *turn, void *arg,
              struct stage *stage)
{
	struct tw_error err = {""};
	struct tw__engine_setup setup = {.platform = platform, .shares = shares};
	const char *engine = getenv("ENGINE");
	bool native = engine && strcmp(engine, "native") == 0;
	stage->ops = tw__engine_load(native ? &tw__engine_native : &tw__engine_simgrid, &err);
	ck_assert_msg(stage->ops, "%s", err.message);
	ck_assert_msg(stage->ops->open(&stage->engine, &setup, &err) == TW_OK, "%s", err.message);
	int status = stage->ops->drive(stage->engine, turn, arg, &err);
	stage->ops->close(stage->engine);
	return status;
}

void stage_exec(struct stage *stage, tw_worker worker, double seconds, uint64_t token)
{
	const struct tw__launch launch = {.worker = worker, .length = tw__ns_of(seconds)};
	stage->ops->exec(stage->engine, &launch, token);
}

/* --- playing ---------------------------------------------------------------------------------------------------- */

struct play {
	struct stage stage;
	struct script *script;
	int next; /* action */
	tw__ns now, until;
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
	switch (a->what) {
	case EXEC:
		stage_exec(&p->stage, a->from, a->amount, (uint64_t)i);
		break;
	case TRANSFER:
		ops->transfer(p->stage.engine, a->from, a->to, 0, (uint64_t)a->amount, (uint64_t)i);
		break;
	default:
		if (ops->cancel(p->stage.engine, (uint64_t)a->from) != TW_OK)
			complain(p->script, "action %d was refused", i);
	}
}

static void take(struct play *p, const struct tw__completion *c, tw__ns now)
{
	struct script *s = p->script;
	struct answer *a = &s->answers[c->token];
	if (a->ended || c->token >= (uint64_t)s->n_actions)
		complain(s, "action %d has ended twice", (int)c->token);
	if (c->end != now)
		complain(s, "action %d ended at %.9f, told at %.9f", (int)c->token, tw__seconds(c->end),
		         tw__seconds(now));
	if (c->end < c->start)
		complain(s, "action %d started at %.9f and ended before, at %.9f", (int)c->token, tw__seconds(c->start),
		         tw__seconds(c->end));
	*a = (struct answer){true, s->n_ended++, tw__seconds(c->start), tw__seconds(c->end)};
}

/* The date of the next action or step. */
static tw__ns next_turn(const struct play *p)
{
	const struct script *s = p->script;
	if (p->next == s->n_actions && s->n_ended == s->n_actions)
		return TW__NEVER; /* no more steps */
	tw__ns step = isfinite(s->step) ? tw__later(p->now, tw__ns_of(s->step)) : TW__NEVER;
	return tw__earliest(step, p->next < s->n_actions ? tw__ns_of(s->actions[p->next].date) : TW__NEVER);
}

static int n_cancels(const struct script *s)
{
	int n = 0;
	for (int i = 0; i < s->n_actions; i++)
		n += s->actions[i].what == CANCEL;
	return n;
}

static bool turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct play *p = arg;
	struct script *s = p->script;
	if (now < p->now || now > p->until || (n == 0 && now != p->until))
		complain(s, "from %.9f until %.9f, %d completions: now it is %.9f", tw__seconds(p->now),
		         tw__seconds(p->until), n, tw__seconds(now));
	p->now = now;
	s->last = tw__seconds(now);
	for (int i = 0; i < n; i++)
		take(p, &ended[i], now);
	for (; p->next < s->n_actions && tw__ns_of(s->actions[p->next].date) <= now; p->next++)
		act(p, p->next);
	if (isfinite(s->step) && p->next == s->n_actions &&
	    tw__seconds(now) > 1000 * s->step + s->actions[p->next - 1].date)
		s->step = INFINITY; /* no more steps: an end may have been cancelled */
	*until = p->until = next_turn(p);
	/* Neither a cancel nor the cancelled kernel has a completion. */
	return !s->complaint[0] && (p->until < TW__NEVER || s->n_ended < s->n_actions - 2 * n_cancels(s));
}

void script_play(struct script *s)
{
	struct play p = {.script = s};
	int status = stage_run(s->platform, s->shares, turn, &p, &p.stage);
	ck_assert_msg(!s->complaint[0], "%s", s->complaint);
	ck_assert_int_eq(status, TW_OK);
}

void script_finish(struct script *s) { tw__platform_destroy(s->platform); }

int script_every(void)
{
	const char *every = getenv("EVERY");
	return every && atoi(every) > 1 ? atoi(every) : 1;
}

void add_every(TCase *cases, const TTest *test, int n)
{
	for (int i = 0; i < n; i += script_every())
		tcase_add_loop_test(cases, test, i, i + 1);
}

int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
