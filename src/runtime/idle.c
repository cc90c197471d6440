#include "runtime/idle.h"

#include "runtime/runtime.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int tw__idle_open(struct tw_sched *rt)
{
	struct idlers *idlers = &rt->idlers;
	tw_worker n = rt->platform->n_workers;
	idlers->next_date = TW__NEVER;
	struct tw_id_set *sets[] = {&idlers->members, &idlers->active, &idlers->called,
	                            &idlers->asking,  &idlers->again,  &idlers->holders};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		if (tw_id_set_init(sets[i], n))
			return TW_NOMEM;
	return TW_OK;
}

void tw__idle_close(struct tw_sched *rt)
{
	struct idlers *idlers = &rt->idlers;
	tw_id_set_finish(&idlers->members);
	tw_id_set_finish(&idlers->active);
	tw_id_set_finish(&idlers->called);
	tw_id_set_finish(&idlers->asking);
	tw_id_set_finish(&idlers->again);
	tw_id_set_finish(&idlers->holders);
	for (int polls = 0; polls <= MAX_POLLS; polls++) {
		free(idlers->ring[polls].polling);
		free(idlers->ring[polls].date);
	}
}

/* --- polling: groups of workers, one for each date, in rings of those that poll equally long --------------------- */

static int place_of(const struct idle_ring *ring, int group)
{
	int place = ring->first + group;
	return place < ring->capacity ? place : place - ring->capacity;
}

static uint64_t *words_of(const struct idle_ring *ring, int group, size_t n_words)
{
	return ring->polling + (size_t)place_of(ring, group) * n_words;
}

/* Twice as many groups, the first one in the first place. */
static int grow(struct idle_ring *ring, size_t n_words)
{
	int capacity = 2 * ring->capacity + 2;
	uint64_t *polling = calloc((size_t)capacity * n_words, sizeof *polling);
	tw__ns *date = calloc((size_t)capacity, sizeof *date);
	if (!polling || !date) {
		free(polling);
		free(date);
		return TW_NOMEM;
	}
	for (int i = 0; i < ring->n; i++) {
		memcpy(polling + (size_t)i * n_words, words_of(ring, i, n_words), n_words * sizeof *polling);
		date[i] = ring->date[place_of(ring, i)];
	}
	free(ring->polling);
	free(ring->date);
	*ring = (struct idle_ring){.polling = polling, .date = date, .n = ring->n, .capacity = capacity};
	return TW_OK;
}

/* Those of so many polls that begin a turn now; NULL: out of memory, and the run has failed. */
static uint64_t *polling_now(struct tw_sched *rt, int polls)
{
	struct idle_ring *ring = &rt->idlers.ring[polls];
	size_t n_words = (size_t)rt->idlers.members.n_words;
	tw__ns date = tw__later(rt->now, polls * rt->cost.poll);
	int last = ring->n - 1;
	if (last >= 0 && ring->date[place_of(ring, last)] == date)
		return words_of(ring, last, n_words);
	if (ring->n == ring->capacity && grow(ring, n_words)) {
		tw__rt_fail(rt, TW_NOMEM, "out of memory for the idle workers");
		return NULL;
	}
	last = ring->n++;
	ring->date[place_of(ring, last)] = date;
	rt->idlers.next_date = tw__earliest(rt->idlers.next_date, date);
	return words_of(ring, last, n_words);
}

static void begin_polling(struct tw_sched *rt, int word, uint64_t who)
{
	uint64_t accelerators = who & rt->accelerators.words[word], cores = who & ~accelerators;
	uint64_t *polling;
	if (accelerators && (polling = polling_now(rt, 2)))
		polling[word] |= accelerators;
	if (cores && (polling = polling_now(rt, 1)))
		polling[word] |= cores;
}

void tw__idle_wake_scheduled(struct tw_sched *rt)
{
	struct idlers *idlers = &rt->idlers;
	int n_words = idlers->members.n_words;
	idlers->next_date = TW__NEVER;
	idlers->any_asks = true;
	for (int polls = 1; polls <= MAX_POLLS; polls++) {
		struct idle_ring *ring = &idlers->ring[polls];
		for (; ring->n && ring->date[ring->first] <= rt->now; ring->n--) {
			uint64_t *polling = words_of(ring, 0, (size_t)n_words);
			for (int i = 0; i < n_words; i++) {
				idlers->asking.words[i] |= polling[i];
				polling[i] = 0;
			}
			ring->first = place_of(ring, 1);
		}
		if (ring->n)
			idlers->next_date = tw__earliest(idlers->next_date, ring->date[ring->first]);
	}
}

/* --- joining and signals ---------------------------------------------------------------------------------------- */

void tw__idle_join(struct driver *d)
{
	struct idlers *idlers = &d->rt->idlers;
	if (d->step == STEP_ISSUE) {
		begin_polling(d->rt, d->id / 64, (uint64_t)1 << d->id % 64);
		tw_id_set_put(&idlers->again, d->id, d->signalled);
		tw_id_set_put(&idlers->active, d->id, true);
	}
	tw_id_set_put(&idlers->members, d->id, true);
	if (tw_id_set_has(&idlers->holders, d->id) != (d->n_held > 0))
		tw_id_set_put(&idlers->holders, d->id, d->n_held > 0);
	d->idles = true;
}

/* A signal to one driver alone means work for it, so the driver goes through the steps of driver.c. */
bool tw__idle_leave_asleep(struct driver *d)
{
	struct idlers *idlers = &d->rt->idlers;
	if (tw_id_set_has(&idlers->active, d->id))
		return false;
	tw_id_set_put(&idlers->members, d->id, false);
	d->idles = false;
	d->asleep = true;
	d->step = STEP_TOP;
	return true;
}

uint64_t tw__idle_signal(struct tw_sched *rt, int word, uint64_t who)
{
	struct idlers *idlers = &rt->idlers;
	uint64_t members = who & idlers->members.words[word], woken = members & ~idlers->active.words[word];
	if (!members)
		return who;
	idlers->active.words[word] |= woken;
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

static struct driver *leave(struct tw_sched *rt, int worker)
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

static bool is_vain_to_begin(const struct tw_sched *rt, int worker)
{
	return !tw_id_set_has(&rt->idlers.holders, worker) || !tw__driver_may_begin(&rt->drivers[worker]);
}

/* Turns begin with what the workers hold, and polling: of all below the bound, or up to the first that has
 * something to do. */
static void begin_turns(struct tw_sched *rt, int first, int bound)
{
	struct idlers *idlers = &rt->idlers;
	if (!is_vain_to_begin(rt, first)) {
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
			if (!is_vain_to_begin(rt, worker)) {
				who &= below(word, worker);
				bound = worker;
				break;
			}
		}
		idlers->called.words[word] &= ~who;
		begin_polling(rt, word, who);
	}
}

/* Of the workers that ask, some at the front, whose turns change nothing in the runtime; those of `popping` would
 * call pop. */
struct vain {
	uint64_t who, popping;
};

/* As the runtime's own state tells. `spares`: pops that find nothing may be skipped; else the front ends before
 * the first worker that pops. */
static struct vain may_be_in_vain(const struct tw_sched *rt, int word, uint64_t who, bool spares)
{
	const struct idlers *idlers = &rt->idlers;
	uint64_t others = who & (idlers->holders.words[word] | rt->movers.words[word]), popping = who & ~others;
	if (popping && !spares) /* up to the first that pops for certain */
		who &= (popping & -popping) - 1;
	for (others &= who; others; others &= others - 1) {
		int worker = 64 * word + __builtin_ctzll(others);
		const struct driver *d = &rt->drivers[worker];
		bool pops = tw__driver_may_pop(d), begins = rt->cost.poll == 0 || tw_id_set_has(&idlers->again, worker);
		if ((pops && !spares) || tw__driver_may_move(d) || (begins && !is_vain_to_begin(rt, worker))) {
			who &= below(word, worker);
			break;
		}
		popping |= pops ? others & -others : 0;
	}
	return (struct vain){who, popping & who};
}

/* The same, up to the first worker whose pop may return a task, as the policy tells. */
static struct vain spared(struct tw_sched *rt, int word, uint64_t who)
{
	struct vain vain = may_be_in_vain(rt, word, who, true);
	if (!vain.popping)
		return vain;
	uint64_t popping = rt->in->policy->pops_in_vain(rt, rt->policy_state, 64 * word, vain.popping);
	uint64_t asked = vain.popping & ~popping, front = asked ? (asked & -asked) - 1 : UINT64_MAX;
	return (struct vain){vain.who & front, vain.popping & front};
}

static struct vain in_vain(struct tw_sched *rt, int word, uint64_t who)
{
	const struct tw_policy *policy = rt->in->policy;
	bool finds_none = !rt->n_ready && (policy->flags & TW_POP_ONLY_TAKES);
	if (finds_none || !policy->pops_in_vain)
		return may_be_in_vain(rt, word, who, finds_none);
	uint64_t first = who & -who; /* it often gets a task: then nobody else is looked at */
	struct vain vain = spared(rt, word, first);
	if (vain.who) {
		struct vain others = spared(rt, word, who & ~first);
		vain = (struct vain){vain.who | others.who, vain.popping | others.popping};
	}
	return vain;
}

static void ask_in_vain(struct tw_sched *rt, int word, struct vain vain)
{
	struct idlers *idlers = &rt->idlers;
	uint64_t again = vain.who & idlers->again.words[word];
	idlers->asking.words[word] &= ~vain.who;
	idlers->again.words[word] &= ~again;
	idlers->active.words[word] &= ~vain.who | again;
	begin_polling(rt, word, again);
	uint64_t forget = rt->params->cpus_race ? rt->accelerators.words[word] : UINT64_MAX;
	rt->notified.words[word] &= ~(vain.popping & forget);
	for (uint64_t newly = vain.popping & ~rt->idle.words[word]; newly; newly &= newly - 1)
		tw__driver_set_idle(&rt->drivers[64 * word + __builtin_ctzll(newly)]);
}

/* The first worker that asks, which is below the bound; or all that do so in vain until one does not. */
static void ask_below(struct tw_sched *rt, int first, int bound)
{
	struct idlers *idlers = &rt->idlers;
	int word = first / 64;
	struct vain vain = in_vain(rt, word, idlers->asking.words[word] & below(word, bound));
	if (vain.who) {
		ask_in_vain(rt, word, vain);
		return;
	}
	tw_id_set_put(&idlers->asking, first, false);
	struct driver *d = leave(rt, first);
	d->step = rt->cost.poll ? STEP_ISSUE : STEP_TOP;
	tw__driver_run(d);
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
		ask_below(rt, asking, called < bound ? called : bound);
	else if (called < bound)
		begin_turns(rt, called, asking < bound ? asking : bound);
	else
		return false;
	return true;
}
