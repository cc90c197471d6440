/* Turns without work, of workers in the sets of sleeping workers (state/idle.h). The runtime takes these turns for up
 * to 64 workers at once, without the steps of driver.c. */
#include "runtime/tasks.h"

#include <limits.h>

#include "runtime/state/domain.h"
#include "runtime/state/threads.h"
#include "runtime/state/wakeups.h"

/* Returns the bits of a set's word that stand for workers below `bound`. */
static uint64_t below(int word, int bound)
{
	int n = bound - 64 * word;
	return n >= 64 ? UINT64_MAX : n <= 0 ? 0 : ((uint64_t)1 << n) - 1;
}

static struct driver *leave(struct tw__rt *rt, int worker)
{
	struct idlers *idlers = &rt->idlers;
	struct driver *d = &rt->drivers[worker];
	d->signalled = tw_id_set_has(&idlers->again, worker);
	tw_id_set_put(&idlers->again, worker, false);
	tw_id_set_put(&idlers->active, worker, false);
	tw_id_set_put(&idlers->members, worker, false);
	d->idles = d->asleep = d->progress = false;
	return d;
}

/* Begins the turns of the called workers below `bound`. If `first` has work among its held tasks, only its turn runs.
 * Otherwise all workers before the first one with such work begin to poll. */
static void begin_turns(struct tw__rt *rt, int first, int bound)
{
	struct idlers *idlers = &rt->idlers;
	if (tw_id_set_has(&idlers->holders, first) && tw__driver_may_begin(&rt->drivers[first])) {
		tw_id_set_put(&idlers->called, first, false);
		struct driver *d = leave(rt, first);
		d->step = STEP_TOP;
		tw__driver_run(d);
		return;
	}
	for (int word = first / 64; word < idlers->members.n_words && 64 * word < bound; word++) {
		uint64_t who = idlers->called.words[word] & below(word, bound);
		for (uint64_t holders = who & idlers->holders.words[word]; holders; holders &= holders - 1) {
			int worker = 64 * word + __builtin_ctzll(holders);
			if (tw__driver_may_begin(&rt->drivers[worker])) {
				who &= below(word, worker);
				bound = worker;
				break;
			}
		}
		idlers->called.words[word] &= ~who;
		tw__idle_poll(rt, word, who);
	}
}

/* Of up to 64 asking workers, as bits: the first ones, whose turns would change nothing in the runtime (`who`), and
 * those of them that would call pop (`popping`). */
struct vain {
	uint64_t who, popping;
};

/* Returns the bits of a word below the lowest bit of `bits`; all bits if `bits` is 0. */
static uint64_t below_first(uint64_t bits) { return bits ? (bits & -bits) - 1 : UINT64_MAX; }

/* Returns the bits of a set's word below the first worker of `who` whose turn would begin with held tasks or with
 * transfers. */
static uint64_t below_work(const struct tw__rt *rt, int word, uint64_t who)
{
	const struct idlers *idlers = &rt->idlers;
	uint64_t below_moving = below_first(who & rt->moving.words[word]);
	uint64_t begin = who & idlers->holders.words[word] & (rt->cost.poll ? idlers->again.words[word] : UINT64_MAX);
	uint64_t move = rt->n_making_room || rt->n_untidy ? who : 0;
	for (uint64_t left = (begin | move) & below_moving; left; left &= left - 1) {
		int worker = 64 * word + __builtin_ctzll(left);
		uint64_t bit = left & -left;
		if (((begin & bit) && tw__driver_may_begin(&rt->drivers[worker])) ||
		    ((move & bit) && tw__driver_may_move(&rt->drivers[worker])))
			return bit - 1;
	}
	return below_moving;
}

/* Finds the first workers of `who` whose turns would change nothing, by the runtime's own state. `spares`: their pops
 * return no task, and may be skipped. Otherwise the group ends before the first worker that pops. */
static struct vain may_be_in_vain(const struct tw__rt *rt, int word, uint64_t who, bool spares)
{
	const struct idlers *idlers = &rt->idlers;
	uint64_t popping = who & ~idlers->full.words[word];
	if (!spares)
		who &= below_first(popping);
	who &= below_work(rt, word, who & (idlers->holders.words[word] | rt->movers.words[word]));
	return (struct vain){who, popping & who};
}

/* Finds the first workers of `who` whose turns would change nothing, with the help of the only policy: it tells which
 * pops return no task. The group ends before the first pop that may return a task. */
static struct vain spared(struct tw__rt *rt, int word, uint64_t who)
{
	struct vain vain = may_be_in_vain(rt, word, who, true);
	if (!vain.popping)
		return vain;
	struct tw_sched *s = rt->views;
	uint64_t popping = s->policy->pops_in_vain(s, s->state, 64 * word, vain.popping);
	uint64_t front = below_first(vain.popping & ~popping);
	return (struct vain){vain.who & front, vain.popping & front};
}

static struct vain in_vain(struct tw__rt *rt, int word, uint64_t who)
{
	bool finds_none = !rt->n_ready && (rt->common_flags & TW_POP_ONLY_TAKES);
	if (rt->n_unpinned) /* the first one pins a buffer */
		return (struct vain){0, 0};
	if (finds_none || rt->domain_of || !rt->views->policy->pops_in_vain)
		return may_be_in_vain(rt, word, who, finds_none);
	/* looks at the first worker alone if it takes time to examine others: the first one often moves data or gets a
	 * task, and then the others are not examined */
	uint64_t examined = who & (rt->idlers.holders.words[word] | rt->movers.words[word]);
	uint64_t first = examined ? who & -who : who;
	if (first & rt->moving.words[word])
		return (struct vain){0, 0};
	struct vain vain = spared(rt, word, first);
	if (vain.who && first != who) {
		struct vain others = spared(rt, word, who & ~first);
		vain = (struct vain){vain.who | others.who, vain.popping | others.popping};
	}
	return vain;
}

static void ask_in_vain(struct tw__rt *rt, int word, struct vain vain)
{
	struct idlers *idlers = &rt->idlers;
	uint64_t again = vain.who & idlers->again.words[word];
	idlers->asking.words[word] &= ~vain.who;
	idlers->again.words[word] &= ~again;
	idlers->active.words[word] &= ~vain.who | again;
	tw__idle_poll(rt, word, again);
	rt->n_vain_pops += __builtin_popcountll(vain.popping);
	rt->notified.words[word] &= ~(vain.popping & ~rt->stay_woken.words[word]);
	for (uint64_t newly = vain.popping & ~rt->idle.words[word]; newly; newly &= newly - 1)
		tw__driver_set_idle(&rt->drivers[64 * word + __builtin_ctzll(newly)]);
}

static void ask(struct tw__rt *rt, int worker)
{
	tw_id_set_put(&rt->idlers.asking, worker, false);
	struct driver *d = leave(rt, worker);
	d->step = rt->cost.poll ? step_after_poll(d) : STEP_TOP;
	tw__driver_run(d);
}

/* Skips the asking workers from `first` on and below `bound` whose turns would change nothing, up to the first worker
 * that is not among them. If no worker of a word is skipped, the turn of its first one runs. */
static void ask_below(struct tw__rt *rt, int first, int bound)
{
	const struct tw_id_set *asking = &rt->idlers.asking;
	for (int word = first / 64; word < asking->n_words && 64 * word < bound; word++) {
		uint64_t who = asking->words[word] & below(word, bound);
		if (!who)
			continue;
		struct vain vain = in_vain(rt, word, who);
		if (vain.who)
			ask_in_vain(rt, word, vain);
		else
			ask(rt, 64 * word + __builtin_ctzll(who));
		if (vain.who != who)
			return;
	}
}

/* Returns the first worker in the set; INT_MAX: the set is empty. *any: false if the set is known to be empty. */
static int first_of(const struct tw_id_set *set, bool *any)
{
	int first = *any ? tw_id_set_next(set, NULL, 0) : (int)TW_NONE;
	*any = first != TW_NONE;
	return *any ? first : INT_MAX;
}

bool tw__idle_go_on(struct tw__rt *rt, const struct driver *next)
{
	struct idlers *idlers = &rt->idlers;
	/* workers in the sets have not pushed, so all of them precede a `next` that has pushed (id_before) */
	int bound = !next || next->has_pushed ? INT_MAX : next->id;
	if (next && next->step == STEP_PUSH)
		return false;
	int called = first_of(&idlers->called, &idlers->any_called);
	int asking = first_of(&idlers->asking, &idlers->any_asks);
	if (asking < called && asking < bound)
		ask_below(rt, asking, called < bound ? called : bound);
	else if (called < bound)
		begin_turns(rt, called, asking < bound ? asking : bound);
	else
		return false;
	return true;
}
