/* The heap is compared with a sorted array under random operations. */
#include <check.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/random.h"

enum { N_ITEMS = 60, N_STEPS = 1000 };

struct item {
	int key;
	struct tw__heap_item place;
	int number; /* breaks ties */
};

static int compare(const struct item *a, const struct item *b)
{
	return a->key != b->key ? (a->key > b->key) - (a->key < b->key) : a->number - b->number;
}

static bool before(const struct tw__heap_item *x, const struct tw__heap_item *y)
{
	return compare(TW__CONTAINER(x, struct item, place), TW__CONTAINER(y, struct item, place)) < 0;
}

static int by_key(const void *x, const void *y) { return compare(*(struct item *const *)x, *(struct item *const *)y); }

/* Checks that the top is the first item in order, and that each item has its correct place. */
static void check(const struct tw__heap *h, struct item *items)
{
	struct item *sorted[N_ITEMS];
	int32_t n = 0;
	for (int i = 0; i < N_ITEMS; i++)
		if (items[i].place.place >= 0) {
			ck_assert_ptr_eq(h->items[items[i].place.place], &items[i].place);
			sorted[n++] = &items[i];
		}
	ck_assert_int_eq(h->n, n);
	qsort(sorted, (size_t)n, sizeof *sorted, by_key);
	ck_assert_ptr_eq(tw__heap_top(h), n ? &sorted[0]->place : NULL);
}

static void step(struct tw__heap *h, struct item *item, struct tw__random *r, uint32_t keys)
{
	if (item->place.place < 0) {
		item->key = (int)tw__random_below(r, keys);
		tw__heap_push(h, &item->place, before);
	} else if (tw__random_below(r, 2)) {
		tw__heap_remove(h, &item->place, before);
		ck_assert_int_eq(item->place.place, -1);
	} else {
		item->key = (int)tw__random_below(r, keys);
		tw__heap_replace(h, &item->place, &item->place, before);
	}
}

START_TEST(random_operations)
{
	struct tw__random *r = tw__random_create((uint64_t)_i, TW__STREAM_POLICY);
	struct tw__heap h = {0};
	struct item items[N_ITEMS];
	for (int i = 0; i < N_ITEMS; i++)
		items[i] = (struct item){.place.place = -1, .number = i};
	ck_assert_ptr_null(tw__heap_top(&h));
	for (int s = 0; s < N_STEPS; s++) {
		step(&h, &items[tw__random_below(r, N_ITEMS)], r, _i % 2 ? 10 : 1000000);
		check(&h, items);
	}
	/* Removing the top again and again gives the items in order. */
	const struct item *last = NULL;
	while (h.n) {
		struct item *top = TW__CONTAINER(tw__heap_top(&h), struct item, place);
		ck_assert(!last || compare(last, top) < 0);
		last = top;
		tw__heap_remove(&h, &top->place, before);
		check(&h, items);
	}
	tw__heap_finish(&h);
	tw__random_destroy(r);
}
END_TEST

START_TEST(it_can_be_used_again_after_finish)
{
	struct tw__heap h = {0};
	struct item item = {.place.place = -1};
	for (int i = 0; i < 2; i++) {
		tw__heap_push(&h, &item.place, before);
		ck_assert_ptr_eq(tw__heap_top(&h), &item.place);
		tw__heap_finish(&h);
		ck_assert_ptr_null(tw__heap_top(&h));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("heap");
	TCase *cases = tcase_create("heap");
	tcase_add_loop_test(cases, random_operations, 0, 10);
	tcase_add_test(cases, it_can_be_used_again_after_finish);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
