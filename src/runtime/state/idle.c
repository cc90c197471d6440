#include "runtime/state/idle.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/state/threads.h"

void tw__idle_open(struct tw__rt *rt)
{
	struct idlers *idlers = &rt->idlers;
	tw_worker n = rt->platform->n_workers;
	idlers->next_date = TW__NEVER;
	struct tw_id_set *sets[] = {&idlers->members, &idlers->active,  &idlers->called, &idlers->asking,
	                            &idlers->again,   &idlers->holders, &idlers->full};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		tw_id_set_init(sets[i], n);
}

void tw__idle_close(struct tw__rt *rt)
{
	struct idlers *idlers = &rt->idlers;
	tw_id_set_finish(&idlers->members);
	tw_id_set_finish(&idlers->active);
	tw_id_set_finish(&idlers->called);
	tw_id_set_finish(&idlers->asking);
	tw_id_set_finish(&idlers->again);
	tw_id_set_finish(&idlers->holders);
	tw_id_set_finish(&idlers->full);
	for (int polls = 0; polls <= MAX_POLLS; polls++) {
		free(idlers->ring[polls].polling);
		free(idlers->ring[polls].date);
	}
}

/* --- polling workers, in groups by date; one ring for each number of polls ---------------------------------------- */

static int place_of(const struct idle_ring *ring, int group)
{
	int place = ring->first + group;
	return place < ring->capacity ? place : place - ring->capacity;
}

static uint64_t *words_of(const struct idle_ring *ring, int group, size_t n_words)
{
	return ring->polling + (size_t)place_of(ring, group) * n_words;
}

/* Doubles the capacity of the ring. The first group moves to index 0. */
static void grow(struct idle_ring *ring, size_t n_words)
{
	int capacity = 2 * ring->capacity + 2;
	uint64_t *polling = tw_alloc((size_t)capacity * n_words, sizeof *polling);
	tw__ns *date = tw_alloc((size_t)capacity, sizeof *date);
	for (int i = 0; i < ring->n; i++) {
		memcpy(polling + (size_t)i * n_words, words_of(ring, i, n_words), n_words * sizeof *polling);
		date[i] = ring->date[place_of(ring, i)];
	}
	free(ring->polling);
	free(ring->date);
	*ring = (struct idle_ring){.polling = polling, .date = date, .n = ring->n, .capacity = capacity};
}

/* Returns the set of workers that begin to poll at the current date, `polls` memories each. */
static uint64_t *polling_now(struct tw__rt *rt, int polls)
{
	struct idle_ring *ring = &rt->idlers.ring[polls];
	size_t n_words = (size_t)rt->idlers.members.n_words;
	tw__ns date = tw__later(rt->now, polls * rt->cost.poll);
	int place = ring->n ? place_of(ring, ring->n - 1) : 0;
	if (ring->n && ring->date[place] == date)
		return ring->polling + (size_t)place * n_words;
	if (ring->n == ring->capacity)
		grow(ring, n_words);
	place = place_of(ring, ring->n++);
	ring->date[place] = date;
	rt->idlers.next_date = tw__earliest(rt->idlers.next_date, date);
	return ring->polling + (size_t)place * n_words;
}

void tw__idle_poll(struct tw__rt *rt, int word, uint64_t who)
{
	uint64_t accelerators = who & rt->accelerators.words[word], cores = who & ~accelerators;
	if (accelerators)
		polling_now(rt, 2)[word] |= accelerators;
	if (cores)
		polling_now(rt, 1)[word] |= cores;
}

void tw__idle_wake_scheduled(struct tw__rt *rt)
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

/* --- joining and leaving the sets; signals to workers in them ----------------------------------------------------- */

void tw__idle_join(struct driver *d)
{
	struct idlers *idlers = &d->rt->idlers;
	int word = d->id / 64;
	uint64_t bit = (uint64_t)1 << d->id % 64;
	if (d->step == STEP_ISSUE) {
		tw__idle_poll(d->rt, word, bit);
		if (d->signalled)
			idlers->again.words[word] |= bit;
		else
			idlers->again.words[word] &= ~bit;
		idlers->active.words[word] |= bit;
	}
	idlers->members.words[word] |= bit;
	d->idles = true;
	tw__idle_holds(d);
}

void tw__idle_holds(struct driver *d)
{
	struct idlers *idlers = &d->rt->idlers;
	if (tw_id_set_has(&idlers->holders, d->id) != (d->n_held > 0))
		tw_id_set_put(&idlers->holders, d->id, d->n_held > 0);
	if (tw_id_set_has(&idlers->full, d->id) != is_full(d))
		tw_id_set_put(&idlers->full, d->id, is_full(d));
}

/* Removes a sleeping worker's thread from the sets of sleeping workers. The runtime signals a single thread only when
 * that thread gets work, so it needs the steps of driver.c. */
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

uint64_t tw__idle_signal(struct tw__rt *rt, int word, uint64_t who)
{
	struct idlers *idlers = &rt->idlers;
	uint64_t members = who & idlers->members.words[word], woken = members & ~idlers->active.words[word];
	idlers->active.words[word] |= woken;
	if (rt->cost.poll == 0) { /* polling takes no time, so the woken workers ask at once */
		idlers->asking.words[word] |= woken;
		idlers->any_asks |= woken != 0;
	} else {
		idlers->again.words[word] |= members & ~woken & ~idlers->called.words[word];
		idlers->called.words[word] |= woken;
		idlers->any_called |= woken != 0;
	}
	return who & ~members;
}
