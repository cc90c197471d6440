/* Allocations in a bounded memory: they never overlap, they stay inside, and at the end the whole memory is free. */
#include <check.h>
#include <stdlib.h>

#include <tilewright/base.h>

#include "base/random.h"
#include "runtime/room/room.h"

enum { KIB = 1024, MIB = 1024 * 1024, N_PIECES = 64, N_STEPS = 4000 };

struct piece {
	uint64_t offset, bytes, rounded; /* bytes 0: not allocated */
};

static bool overlap(const struct piece *a, const struct piece *b)
{
	return a->offset < b->offset + b->rounded && b->offset < a->offset + a->rounded;
}

static void check(const struct tw__room *r, const struct piece *pieces, int taken)
{
	const struct piece *p = &pieces[taken];
	ck_assert_uint_le(p->rounded, r->capacity);
	ck_assert_uint_le(p->offset, r->capacity - p->rounded);
	for (int i = 0; i < N_PIECES; i++)
		if (i != taken && pieces[i].bytes)
			ck_assert_msg(!overlap(&pieces[i], p), "%llu+%llu and %llu+%llu overlap",
			              (unsigned long long)pieces[i].offset, (unsigned long long)pieces[i].rounded,
			              (unsigned long long)p->offset, (unsigned long long)p->rounded);
}

/* Checks that free parts are sorted and disjoint, and that their sum is free_bytes. */
static void check_space(const struct tw__space *s, uint64_t capacity)
{
	uint64_t sum = 0, end = 0;
	for (size_t i = 0; i < s->n; i++) {
		ck_assert_uint_gt(s->free[i].bytes, 0);
		ck_assert(i == 0 || s->free[i].offset > end);
		end = s->free[i].offset + s->free[i].bytes;
		sum += s->free[i].bytes;
	}
	ck_assert_uint_le(end, capacity);
	ck_assert_uint_eq(sum, s->free_bytes);
}

/* True if an allocation that was refused would have fitted between the existing ones. */
static bool could_fit(const struct piece *pieces, uint64_t capacity, uint64_t bytes)
{
	for (int i = -1; i < N_PIECES; i++) {
		struct piece p = {i < 0 ? 0 : pieces[i].offset + pieces[i].rounded, bytes, bytes};
		bool fits = (i < 0 || pieces[i].bytes) && p.offset + bytes <= capacity;
		for (int j = 0; fits && j < N_PIECES; j++)
			fits = !pieces[j].bytes || !overlap(&pieces[j], &p);
		if (fits)
			return true;
	}
	return false;
}

static const struct {
	uint64_t capacity, chunk, chunk_data;
	uint32_t greatest;
} rooms[] = {
	{MIB, 0, 0, MIB / 10},
	{MIB, 0, 4 * MIB, MIB / 3},
	{1000003, 0, 0, 1000},
	{40 * MIB, 4 * MIB, MIB, MIB},
	{40 * MIB, 4 * MIB, MIB, 3 * MIB},
	{37 * MIB, 4 * MIB, 4 * MIB, 5 * MIB},
	{10 * MIB, MIB, 4 * MIB, 2 * MIB},
};

START_TEST(random_takes_and_gives)
{
	struct tw__random *random = tw__random_create((uint64_t)_i, TW__STREAM_POLICY);
	struct tw__room r;
	struct piece pieces[N_PIECES] = {{0}};
	uint64_t offset;
	int allocations;
	tw__room_init(&r, rooms[_i].capacity, rooms[_i].chunk, rooms[_i].chunk_data);
	for (int s = 0; s < N_STEPS; s++) {
		int i = (int)tw__random_below(random, N_PIECES);
		struct piece *p = &pieces[i];
		if (p->bytes) {
			tw__room_give(&r, p->offset, p->bytes);
			p->bytes = 0;
		} else {
			uint64_t bytes = 1 + tw__random_below(random, rooms[_i].greatest);
			int status = tw__room_take(&r, bytes, &offset, &allocations);
			if (status == 0) {
				*p = (struct piece){offset, bytes, tw__room_rounded(&r, bytes)};
				ck_assert_uint_ge(p->rounded, bytes);
				check(&r, pieces, i);
			} else {
				ck_assert_int_eq(status, TW_FAILED);
				ck_assert(rooms[_i].chunk || !could_fit(pieces, r.capacity, bytes));
			}
		}
		check_space(&r.space, r.capacity);
		for (size_t slot = 0; slot < r.n_slots; slot++)
			if (r.chunks[slot].space.free)
				check_space(&r.chunks[slot].space, r.chunk_bytes);
	}
	for (int i = 0; i < N_PIECES; i++)
		if (pieces[i].bytes)
			tw__room_give(&r, pieces[i].offset, pieces[i].bytes);
	/* The whole memory is free again, in one piece. */
	ck_assert_int_eq(tw__room_take(&r, r.capacity, &offset, &allocations), 0);
	ck_assert_uint_eq(offset, 0);
	ck_assert_int_eq(tw__room_take(&r, 1, &offset, &allocations), TW_FAILED);
	tw__room_finish(&r);
	tw__random_destroy(random);
}
END_TEST

START_TEST(the_lowest_place_that_fits_is_taken)
{
	static const struct {
		uint64_t bytes, offset;
	} takes[] = {{30, 0}, {20, 30}, {40, 50}};
	struct tw__room r;
	uint64_t offset;
	int allocations;
	tw__room_init(&r, 100, 0, 0);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(tw__room_take(&r, takes[i].bytes, &offset, &allocations), 0);
		ck_assert_uint_eq(offset, takes[i].offset);
		ck_assert_int_eq(allocations, 1);
	}
	ck_assert_int_eq(tw__room_take(&r, 11, &offset, &allocations), TW_FAILED);
	tw__room_give(&r, 0, 30);
	ck_assert_int_eq(tw__room_take(&r, 31, &offset, &allocations), TW_FAILED);
	ck_assert_int_eq(tw__room_take(&r, 5, &offset, &allocations), 0);
	ck_assert_uint_eq(offset, 0);
	ck_assert_int_eq(allocations, 0); /* the chunk existed already */
	ck_assert_int_eq(tw__room_take(&r, 10, &offset, &allocations), 0);
	ck_assert_uint_eq(offset, 5);
	ck_assert_int_eq(tw__room_take(&r, 10, &offset, &allocations), 0);
	ck_assert_uint_eq(offset, 15);
	ck_assert_int_eq(tw__room_take(&r, 10, &offset, &allocations), 0);
	ck_assert_uint_eq(offset, 90);
	ck_assert_int_eq(allocations, 1);
	tw__room_finish(&r);
}
END_TEST

START_TEST(small_data_share_chunks)
{
	struct tw__room r;
	uint64_t offset[8];
	int allocations, asked = 0;
	tw__room_init(&r, 8 * MIB, 4 * MIB, MIB);
	ck_assert_uint_eq(tw__room_rounded(&r, 1), TW__ROOM_GRAIN);
	ck_assert_uint_eq(tw__room_rounded(&r, MIB), MIB);
	ck_assert_uint_eq(tw__room_rounded(&r, MIB + 1), MIB + 1);
	for (int i = 0; i < 8; i++) {
		ck_assert_int_eq(tw__room_take(&r, MIB - 100, &offset[i], &allocations), 0);
		ck_assert_uint_eq(offset[i], (uint64_t)i * MIB);
		asked += allocations;
	}
	ck_assert_int_eq(asked, 2);
	ck_assert_int_eq(tw__room_take(&r, 1, &offset[0], &allocations), TW_FAILED);
	/* Empty chunks are freed when data outside of chunks needs their room. */
	for (int i = 0; i < 8; i++) {
		ck_assert_int_eq(tw__room_take(&r, 5 * MIB, &offset[0], &allocations), TW_FAILED);
		tw__room_give(&r, (uint64_t)i * MIB, MIB - 100);
	}
	ck_assert_int_eq(tw__room_take(&r, 5 * MIB, &offset[0], &allocations), 0);
	ck_assert_int_eq(tw__room_take(&r, 1, &offset[1], &allocations), TW_FAILED); /* no room for a chunk */
	tw__room_finish(&r);
}
END_TEST

/* As in StarPU's own simulation: eight handles fill two chunks. The room of a single freed handle is not found,
 * that of two neighbours is. */
START_TEST(room_in_full_chunks_is_overlooked)
{
	for (int overlooks = 0; overlooks < 2; overlooks++) {
		struct tw__room r;
		uint64_t offset, other;
		int allocations;
		tw__room_init(&r, 8 * MIB, 4 * MIB, MIB);
		r.overlooks = overlooks;
		for (int i = 0; i < 8; i++)
			ck_assert_int_eq(tw__room_take(&r, MIB, &offset, &allocations), 0);
		ck_assert_int_eq(tw__room_take(&r, MIB, &offset, &allocations),
		                 TW_FAILED); /* marks both chunks as full */
		tw__room_give(&r, 1 * MIB, MIB);
		ck_assert_int_eq(tw__room_take(&r, MIB, &offset, &allocations), overlooks ? TW_FAILED : TW_OK);
		if (overlooks) {
			tw__room_give(&r, 6 * MIB, MIB);
			ck_assert_int_eq(tw__room_take(&r, MIB, &offset, &allocations), TW_FAILED);
			tw__room_give(&r, 2 * MIB, MIB); /* next to the first */
			ck_assert_int_eq(tw__room_take(&r, MIB, &offset, &allocations), TW_OK);
			ck_assert_int_eq(tw__room_take(&r, MIB, &other, &allocations), TW_OK);
			ck_assert_uint_eq(offset, 1 * MIB);
			ck_assert_uint_eq(other, 2 * MIB);
			ck_assert_int_eq(tw__room_take(&r, MIB, &offset, &allocations), TW_FAILED);
			tw__room_look_again(&r);
			ck_assert_int_eq(tw__room_take(&r, MIB, &offset, &allocations), TW_OK);
			ck_assert_uint_eq(offset, 6 * MIB);
			for (int i = 0; i < 8; i++)
				tw__room_give(&r, (uint64_t)i * MIB, MIB);
		}
		tw__room_finish(&r);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("room");
	TCase *cases = tcase_create("room");
	tcase_add_loop_test(cases, random_takes_and_gives, 0, (int)(sizeof rooms / sizeof rooms[0]));
	tcase_add_test(cases, the_lowest_place_that_fits_is_taken);
	tcase_add_test(cases, small_data_share_chunks);
	tcase_add_test(cases, room_in_full_chunks_is_overlooked);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
