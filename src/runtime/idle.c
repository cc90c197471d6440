/* Workers that wait for a task and have nothing else to do. A push may wake hundreds of them, and most ask in vain, so they are kept as sets
 * instead of going through the steps of driver.c one by one. What happens, and when, is the same:
 *
 *   asleep --signal--> called --their turn begins--> polling --poll_cost later--> asking --pop--> asleep, or on with a task
 *
 * Only with order=id, and of the workers that look after no memory. While polling and asking they are as others at STEP_ISSUE. */
#include "runtime/runtime.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int tw__idle_open(struct tw_sched *rt)
{
	struct idlers *idlers = &rt->idlers;
	tw_worker n = rt->platform->n_workers;
	struct tw_id_set *sets[] = {&idlers->members, &idlers->asleep, &idlers->called, &idlers->asking,
	                            &idlers->again};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		if (tw_id_set_init(sets[i], n))
			return TW_NOMEM;
	return TW_OK;
}

void tw__idle_close(struct tw_sched *rt)
{
	struct idlers *idlers = &rt->idlers;
	tw_id_set_finish(&idlers->members);
	tw_id_set_finish(&idlers->asleep);
	tw_id_set_finish(&idlers->called);
	tw_id_set_finish(&idlers->asking);
	tw_id_set_finish(&idlers->again);
	free(idlers->polling);
	free(idlers->date);
}

/* --- polling: groups of workers, one for each date ------------------------------------------------------------- */

static int place_of(const struct idlers *idlers, int group)
{
	int place = idlers->first + group;
	return place < idlers->capacity ? place : place - idlers->capacity;
}

static uint64_t *words_of(const struct idlers *idlers, int group)
{
	return idlers->polling + (size_t)place_of(idlers, group) * (size_t)idlers->members.n_words;
}

/* Twice as many groups, the first one in the first place. */
static int grow(struct idlers *idlers)
{
	int capacity = 2 * idlers->capacity + 2;
	size_t n_words = (size_t)idlers->members.n_words;
	uint64_t *polling = calloc((size_t)capacity * n_words, sizeof *polling);
	tw__ns *date = calloc((size_t)capacity, sizeof *date);
	if (!polling || !date) {
		free(polling);
		free(date);
		return TW_NOMEM;
	}
	for (int i = 0; i < idlers->n; i++) {
		memcpy(polling + (size_t)i * n_words, words_of(idlers, i), n_words * sizeof *polling);
		date[i] = idlers->date[place_of(idlers, i)];
	}
	free(idlers->polling);
	free(idlers->date);
	idlers->polling = polling;
	idlers->date = date;
	idlers->first = 0;
	idlers->capacity = capacity;
	return TW_OK;
}

/* Those that begin a turn now; NULL: out of memory, and the run has failed. */
static uint64_t *polling_now(struct tw_sched *rt)
{
	struct idlers *idlers = &rt->idlers;
	tw__ns date = tw__later(rt->now, rt->cost.poll);
	int last = idlers->n - 1;
	if (last >= 0 && idlers->date[place_of(idlers, last)] == date)
		return words_of(idlers, last);
	if (idlers->n == idlers->capacity && grow(idlers)) {
		tw__rt_fail(rt, TW_NOMEM, "out of memory for the idle workers");
		return NULL;
	}
	last = idlers->n++;
	idlers->date[place_of(idlers, last)] = date;
	return words_of(idlers, last);
}

tw__ns tw__idle_next_date(const struct tw_sched *rt)
{
	const struct idlers *idlers = &rt->idlers;
	return idlers->n ? idlers->date[idlers->first] : TW__NEVER;
}

void tw__idle_wake_scheduled(struct tw_sched *rt)
{
	struct idlers *idlers = &rt->idlers;
	while (tw__idle_next_date(rt) <= rt->now) {
		uint64_t *polling = words_of(idlers, 0);
		for (int32_t i = 0; i < idlers->members.n_words; i++) {
			idlers->asking.words[i] |= polling[i];
			polling[i] = 0;
		}
		idlers->any_asks = true;
		idlers->first = idlers->first + 1 < idlers->capacity ? idlers->first + 1 : 0;
		idlers->n--;
	}
}

/* --- joining and signals ---------------------------------------------------------------------------------------- */

void tw__idle_join(struct driver *d)
{
	struct idlers *idlers = &d->rt->idlers;
	if (d->step == STEP_ISSUE) {
		uint64_t *polling = polling_now(d->rt);
		if (!polling)
			return;
		polling[d->id / 64] |= (uint64_t)1 << d->id % 64;
		tw_id_set_put(&idlers->again, d->id, d->signalled);
	} else {
		tw_id_set_put(&idlers->asleep, d->id, true);
	}
	tw_id_set_put(&idlers->members, d->id, true);
	d->idles = true;
}

/* A turn begins with looking at what one holds, which is nothing, and polling. */
uint64_t tw__idle_signal(struct tw_sched *rt, int word, uint64_t who)
{
	struct idlers *idlers = &rt->idlers;
	uint64_t members = who & idlers->members.words[word], woken = members & idlers->asleep.words[word];
	if (!members)
		return who;
	idlers->asleep.words[word] &= ~woken;
	if (rt->cost.poll == 0) { /* all of their turn is at this date */
		idlers->asking.words[word] |= woken;
		idlers->any_asks |= woken != 0;
	} else {
		idlers->again.words[word] |= members & ~woken & ~idlers->called.words[word];
		idlers->called.words[word] |= woken;
		idlers->any_called |= woken != 0;
	}
	return who & ~members;
}

/* --- turns ------------------------------------------------------------------------------------------------------ */

/* The bits of a word that stand for numbers below the bound. */
static uint64_t below(int word, int bound)
{
	int n = bound - 64 * word;
	return n >= 64 ? UINT64_MAX : n <= 0 ? 0 : ((uint64_t)1 << n) - 1;
}

static void begin_turns(struct tw_sched *rt, int bound)
{
	struct idlers *idlers = &rt->idlers;
	uint64_t *polling = polling_now(rt);
	for (int word = 0; polling && word < idlers->members.n_words; word++) {
		uint64_t who = idlers->called.words[word] & below(word, bound);
		idlers->called.words[word] &= ~who;
		polling[word] |= who;
	}
}

/* Those at the front whose pops in vain the policy spares. */
static uint64_t spared(struct tw_sched *rt, int word, uint64_t who)
{
	const struct tw_policy *policy = rt->in->policy;
	if (rt->n_ready || !(policy->flags & TW_POP_ONLY_TAKES))
		return policy->pops_in_vain ? policy->pops_in_vain(rt, rt->policy_state, 64 * word, who) : 0;
	if (policy->pops_spared)
		policy->pops_spared(rt, rt->policy_state, 64 * word, who);
	return who;
}

static void ask_in_vain(struct tw_sched *rt, int word, uint64_t who)
{
	struct idlers *idlers = &rt->idlers;
	uint64_t again = who & idlers->again.words[word];
	idlers->asking.words[word] &= ~who;
	idlers->again.words[word] &= ~again;
	idlers->asleep.words[word] |= who & ~again;
	uint64_t *polling = again ? polling_now(rt) : NULL;
	if (polling)
		polling[word] |= again;
	if (!rt->params->cpus_race)
		rt->notified.words[word] &= ~who;
}

/* As the steps from there on. */
static void ask(struct tw_sched *rt, int worker)
{
	struct idlers *idlers = &rt->idlers;
	struct driver *d = &rt->drivers[worker];
	d->signalled = tw_id_set_has(&idlers->again, worker);
	tw_id_set_put(&idlers->again, worker, false);
	tw_id_set_put(&idlers->asking, worker, false);
	tw_id_set_put(&idlers->members, worker, false);
	tw_id_set_put(&rt->awake, worker, true);
	d->idles = d->asleep = d->progress = false;
	d->step = STEP_POP;
	tw__driver_run(d);
}

/* Those below the bound that ask in vain, and the first that does not. */
static void ask_below(struct tw_sched *rt, int bound)
{
	struct idlers *idlers = &rt->idlers;
	int first = tw_id_set_next(&idlers->asking, NULL, 0) / 64;
	for (int word = first; word < idlers->asking.n_words && 64 * word < bound; word++) {
		uint64_t who = idlers->asking.words[word] & below(word, bound);
		uint64_t in_vain = who ? spared(rt, word, who) : 0;
		ask_in_vain(rt, word, in_vain);
		if (in_vain != who) {
			ask(rt, 64 * word + __builtin_ctzll(who & ~in_vain));
			return;
		}
	}
}

/* The first in the set, or INT_MAX: then there is none. */
static int first_of(const struct tw_id_set *set, bool *any)
{
	int first = *any ? tw_id_set_next(set, NULL, 0) : (int)TW_NONE;
	*any = first != TW_NONE;
	return *any ? first : INT_MAX;
}

bool tw__idle_go_on(struct tw_sched *rt, const struct driver *next)
{
	struct idlers *idlers = &rt->idlers;
	int bound = !next || next->has_pushed ? INT_MAX : next->id; /* they have not pushed: see id_before */
	if (next && next->step == STEP_PUSH)
		return false;
	int called = first_of(&idlers->called, &idlers->any_called);
	int asking = first_of(&idlers->asking, &idlers->any_asks);
	if (asking < called && asking < bound)
		ask_below(rt, called < bound ? called : bound);
	else if (called < bound)
		begin_turns(rt, asking < bound ? asking : bound);
	else
		return false;
	return true;
}
