#include "mutations.h"

#include <math.h>
#include <stdlib.h>

#include "graph/parts.h"

typedef struct fixture F;

static void move_task(F *f, tw_task t, double start, double end, tw_worker w, tw_node n)
{
	struct tw__event *events[] = {task_event(f, TW__ASSIGN, t), task_event(f, TW__START, t),
	                              task_event(f, TW__END, t), task_event(f, TW__RELEASE, t)};
	for (int i = 0; i < 4; i++) {
		events[i]->worker = (int16_t)w;
		events[i]->node = (int16_t)n;
	}
	events[1]->date = NS(start);
	events[2]->date = events[3]->date = NS(end);
}
void move_task_5_to_the_cpu(F *f) { move_task(f, 5, 1, 4, CPU, RAM); }

/* ONCE */
static void submission_lost(F *f) { drop(f, task_event(f, TW__SUBMIT, 2)); }
static void ready_twice(F *f) { add(f, *task_event(f, TW__READY, 2)); }
static void started_twice(F *f) { add(f, *task_event(f, TW__START, 4)); }
static void ends_elsewhere(F *f) { task_event(f, TW__END, 3)->worker = GPU0; }
static void starts_in_other_memory(F *f) { task_event(f, TW__START, 3)->node = MEM0; }
static void never_released(F *f) { drop(f, task_event(f, TW__RELEASE, 4)); }
static void never_run(F *f)
{
	drop(f, task_event(f, TW__START, 5));
	drop(f, task_event(f, TW__END, 5));
	drop(f, task_event(f, TW__RELEASE, 5));
}
static void started_before_assigned(F *f) { task_event(f, TW__ASSIGN, 3)->date = NS(5.1); }
static void task_out_of_range(F *f) { task_event(f, TW__ASSIGN, 3)->task = 6; }
static void worker_out_of_range(F *f) { task_event(f, TW__ASSIGN, 3)->worker = -1; }

/* DOMAIN */
static void runs_in_another_domain(F *f)
{
	f->input.domains = fixture_domains;
	move_task_5_to_the_cpu(f);
}
static void domains_exchange_their_workers(F *f)
{
	static const bool *exchanged[2];
	exchanged[0] = fixture_domains.workers[1];
	exchanged[1] = fixture_domains.workers[0];
	f->input.domains = fixture_domains;
	f->input.domains.workers = exchanged;
}

/* ARRIVAL */
void task_5_arrives_with_its_submission(F *f)
{
	f->graph->n_parts = 2;
	f->graph->parts = calloc(2, sizeof *f->graph->parts);
	f->graph->parts[1].first = 5;
	f->graph->parts[1].arrival = task_event(f, TW__SUBMIT, 5)->date;
}
static void submitted_before_its_graph_arrives(F *f)
{
	task_5_arrives_with_its_submission(f);
	f->graph->parts[1].arrival++;
}

/* DEPENDENCIES */
static void ready_early(F *f) { task_event(f, TW__READY, 2)->date = NS(3.4); }
static void ready_just_before_release(F *f)
{
	struct tw__event ready = *task_event(f, TW__READY, 2);
	drop(f, task_event(f, TW__READY, 2));
	put(f, task_event(f, TW__RELEASE, 0), ready);
}
static void ready_between_end_and_release(F *f) { task_event(f, TW__RELEASE, 0)->date = NS(3.6); }
static void ready_before_last_of_three(F *f) { task_event(f, TW__READY, 4)->date = NS(8.9); }

/* EXCLUSIVE */
static void two_at_once_on_a_gpu(F *f) { move_task(f, 5, 0.5, 1.5, GPU1, MEM1); }
static void overlap_by_a_hair(F *f) { move_task(f, 5, 0.9999, 1.9999, GPU1, MEM1); }
static void two_at_once_on_the_cpu(F *f) { move_task(f, 5, 6, 9, CPU, RAM); }

/* DURATION */
static void too_short(F *f) { task_event(f, TW__END, 5)->date = NS(1.9); }
static void too_long(F *f)
{
	task_event(f, TW__END, 5)->date = NS(2.001);
	task_event(f, TW__RELEASE, 5)->date = NS(2.001);
}
static void other_arch(F *f) { move_task(f, 5, 1, 2, CPU, RAM); }
static void cannot_run_there(F *f) { f->mean_s[MAKE * 2 + ON_GPU] = NAN; }

/* INPUTS */
static void starts_before_input_arrives(F *f) { move_task(f, 0, 1.4, 3.4, GPU0, MEM0); }
static void input_never_valid(F *f) { drop(f, data_event(f, TW__VALID, A, MEM0)); }
static void no_room_for_output(F *f) { drop(f, data_event(f, TW__ALLOC, B, MEM1)); }
static void input_invalidated_while_read(F *f) { data_event(f, TW__INVALID, A, MEM0)->date = NS(5.2); }
static void input_invalidated_before_release(F *f) { data_event(f, TW__INVALID, A, MEM0)->date = NS(5.55); }

/* COHERENCE */
static void old_copy_survives_write(F *f) { drop(f, data_event(f, TW__INVALID, B, RAM)); }
static void old_copy_survives_update(F *f) { drop(f, data_event(f, TW__INVALID, A, RAM)); }
static void invalidated_late(F *f) { data_event(f, TW__INVALID, B, RAM)->date = NS(1.1); }
static void valid_from_nowhere(F *f)
{
	add(f, (struct tw__event){.date = NS(0.5), .kind = TW__VALID, .data = A, .node = MEM1});
}
static void valid_before_arrival(F *f) { data_event(f, TW__VALID, C, MEM0)->date = NS(2.9); }
static void valid_before_kernel_ends(F *f) { data_event(f, TW__VALID, B, MEM1)->date = NS(0.9); }
static void valid_twice(F *f)
{
	struct tw__event e = *data_event(f, TW__VALID, C, RAM);
	e.date = NS(7.6);
	add(f, e);
}
static void invalid_without_being_valid(F *f) { data_event(f, TW__INVALID, B, RAM)->node = MEM0; }
static void evicted_but_still_valid(F *f) { drop(f, data_event(f, TW__INVALID, A, MEM0)); }
/* Task 0 starts to write A while a copy of the old content is on its way: it may come, but not be taken for valid. */
static void stale_copy_taken_for_valid(F *f)
{
	add_transfer(f, 1, 2.5, A, RAM, MEM1);
	add_room(f, 1, A, MEM1, 1000);
	add(f, (struct tw__event){.date = NS(2.5), .kind = TW__VALID, .data = A, .node = MEM1});
}
static void transfer_into_what_is_written(F *f)
{
	drop(f, data_event(f, TW__ALLOC, B, MEM1));
	add_transfer(f, 0, 1.5, B, RAM, MEM1);
	add_room(f, 0, B, MEM1, 0);
}

/* LAST COPY */
static void dropped_before_its_copy_arrives(F *f) { data_event(f, TW__INVALID, C, MEM0)->date = NS(7); }
static void write_back_not_noted(F *f) { drop(f, data_event(f, TW__VALID, C, RAM)); }
static void write_not_noted(F *f) { drop(f, data_event(f, TW__VALID, B, MEM1)); }
static void source_dropped_while_it_is_copied(F *f)
{
	add(f, (struct tw__event){.date = NS(10), .kind = TW__INVALID, .data = A, .node = RAM});
}

/* PINNED */
static void room_given_back_under_task(F *f) { data_event(f, TW__FREE, A, MEM0)->date = NS(5.2); }
static void room_given_back_before_release(F *f) { data_event(f, TW__FREE, A, MEM0)->date = NS(5.55); }
static void room_given_back_under_source(F *f) { data_event(f, TW__FREE, C, MEM0)->date = NS(7); }
static void room_given_back_under_target(F *f)
{
	add(f, (struct tw__event){
		       .date = NS(10), .kind = TW__FREE, .data = A, .node = MEM1, .bytes = 1000, .offset = 1000});
}

/* CAPACITY */
static void memory_too_small(F *f) { f->capacity[MEM0] = 1999; }
static void rooms_overlap_from_below(F *f) { data_event(f, TW__ALLOC, A, MEM0)->offset = 999; }
static void rooms_overlap_from_above(F *f) { data_event(f, TW__ALLOC, C, MEM0)->offset = 0; }
static void room_beyond_the_end(F *f) { data_event(f, TW__ALLOC, B, MEM1)->offset = 2001; }
static void room_far_beyond_the_end(F *f) { data_event(f, TW__ALLOC, B, MEM1)->offset = UINT64_MAX - 10; }
static void room_too_narrow(F *f) { data_event(f, TW__ALLOC, B, MEM1)->bytes = 999; }
static void room_taken_twice(F *f) { add_room(f, 0.5, A, MEM0, 1000); }
static void other_room_given_back(F *f) { data_event(f, TW__FREE, A, MEM0)->offset = 1000; }
static void no_room_to_give_back(F *f) { data_event(f, TW__FREE, A, MEM0)->data = B; }

/* TRANSFER */
static void no_route(F *f) { data_event(f, TW__TRANSFER_START, A, MEM1)->from = MEM0; }
static void to_itself(F *f) { data_event(f, TW__TRANSFER_START, A, MEM1)->from = MEM1; }
static void source_not_valid(F *f) { add_transfer(f, 2, 3.5, B, RAM, MEM1); }
static void leaves_before_valid(F *f) { data_event(f, TW__TRANSFER_START, A, MEM1)->date = NS(4); }
static void leaves_while_written(F *f) { add_transfer(f, 11, 12.5, A, MEM1, RAM); }
static void no_room_at_target(F *f) { drop(f, data_event(f, TW__ALLOC, C, MEM0)); }
static void faster_by_a_nanosecond(F *f) { data_event(f, TW__TRANSFER_END, C, MEM0)->date--; }
static void longer_by_a_nanosecond(F *f)
{
	task_event(f, TW__END, 5)->date++;
	task_event(f, TW__RELEASE, 5)->date++;
}
static void too_fast(F *f) { data_event(f, TW__TRANSFER_END, C, MEM0)->date = NS(2.999); }
static void part_of_the_data(F *f)
{
	data_event(f, TW__TRANSFER_START, C, MEM0)->bytes = 500;
	data_event(f, TW__TRANSFER_END, C, MEM0)->bytes = 500;
}
static void never_ends(F *f)
{
	drop(f, data_event(f, TW__TRANSFER_END, C, RAM));
	drop(f, data_event(f, TW__VALID, C, RAM));
	drop(f, data_event(f, TW__INVALID, C, MEM0));
	drop(f, data_event(f, TW__FREE, C, MEM0));
}
static void ends_without_start(F *f) { data_event(f, TW__TRANSFER_START, A, RAM)->offset = 7; }
static void same_transfer_twice(F *f)
{
	data_event(f, TW__TRANSFER_START, C, MEM0)->offset = 100;
	data_event(f, TW__TRANSFER_START, C, MEM0)->date = NS(1.4);
	data_event(f, TW__ALLOC, C, MEM0)->date = NS(1.4);
}
static void transfer_out_of_range(F *f) { data_event(f, TW__TRANSFER_END, C, MEM0)->from = 9; }

/* Another transfer takes the link from 1.5 to 3 s, like that of C: each is slow enough alone, but not both. */
static void two_overfill_a_link(F *f)
{
	add_transfer(f, 1.5, 3, C, RAM, MEM1);
	add_room(f, 1.5, C, MEM1, 2000);
}
/* At a date where doubles resolve 128 ns only. */
static void later_by_a_microsecond_after_long(F *f)
{
	for (size_t i = 0; i < f->record.n; i++)
		f->record.events[i].date += NS(1e9);
	f->record.makespan += NS(1e9);
	data_event(f, TW__TRANSFER_END, C, RAM)->date += 1000;
	data_event(f, TW__VALID, C, RAM)->date += 1000;
}
static void later_by_five_nanoseconds(F *f)
{
	data_event(f, TW__TRANSFER_END, C, RAM)->date += 5;
	data_event(f, TW__VALID, C, RAM)->date += 5;
}
/* A link that is not shared limits each transfer alone, by its bandwidth. */
static void too_fast_for_a_fat_pipe(F *f)
{
	f->links[0].sharing = TW__FATPIPE;
	data_event(f, TW__TRANSFER_END, C, MEM0)->date = NS(2);
	f->record.measured = true;
}

/* MAKESPAN */
static void makespan_too_great(F *f) { f->record.makespan = NS(12.6); }
/* A write-back is still under way, so the run is not over. */
static void freed_after_all_tasks(F *f)
{
	add_transfer(f, 12.6, 14.1, A, MEM1, RAM);
	data_event(f, TW__FREE, C, MEM0)->date = NS(13);
}
static void invalid_after_all_tasks(F *f)
{
	freed_after_all_tasks(f);
	data_event(f, TW__INVALID, C, MEM0)->date = NS(13);
	data_event(f, TW__FREE, C, MEM0)->date = NS(13);
}
static void room_taken_after_all_tasks(F *f)
{
	add_transfer(f, 12.6, 14.1, A, MEM1, RAM);
	add_room(f, 13, C, MEM1, 2000);
}
static void makespan_too_small(F *f) { f->record.makespan = NS(12.4); }
static void never(F *f) { add(f, (struct tw__event){.date = TW__NEVER, .kind = TW__VALID, .data = A, .node = RAM}); }
static void date_before_the_start(F *f) { task_event(f, TW__SUBMIT, 0)->date = NS(-1); }

/* The other rules imply that a makespan is at least the critical path: no record breaks that rule alone. */

#define MUTATION(rule, function)                            \
	{                                                   \
		TW__RULE_##rule, function, #function, false \
	}
#define OF_MODELS(rule, function)                          \
	{                                                  \
		TW__RULE_##rule, function, #function, true \
	}
const struct mutation mutations[] = {
	MUTATION(ONCE, submission_lost),
	MUTATION(ONCE, ready_twice),
	MUTATION(ONCE, started_twice),
	MUTATION(ONCE, ends_elsewhere),
	MUTATION(ONCE, starts_in_other_memory),
	MUTATION(ONCE, never_released),
	MUTATION(ONCE, never_run),
	MUTATION(ONCE, started_before_assigned),
	MUTATION(ONCE, task_out_of_range),
	MUTATION(ONCE, worker_out_of_range),
	MUTATION(DOMAIN, runs_in_another_domain),
	MUTATION(DOMAIN, domains_exchange_their_workers),
	MUTATION(ARRIVAL, submitted_before_its_graph_arrives),
	MUTATION(DEPENDENCIES, ready_early),
	MUTATION(DEPENDENCIES, ready_just_before_release),
	MUTATION(DEPENDENCIES, ready_between_end_and_release),
	MUTATION(DEPENDENCIES, ready_before_last_of_three),
	MUTATION(EXCLUSIVE, two_at_once_on_a_gpu),
	MUTATION(EXCLUSIVE, overlap_by_a_hair),
	MUTATION(EXCLUSIVE, two_at_once_on_the_cpu),
	OF_MODELS(DURATION, too_short),
	OF_MODELS(DURATION, too_long),
	OF_MODELS(DURATION, other_arch),
	MUTATION(DURATION, cannot_run_there),
	MUTATION(INPUTS, starts_before_input_arrives),
	MUTATION(INPUTS, input_never_valid),
	MUTATION(INPUTS, no_room_for_output),
	MUTATION(INPUTS, input_invalidated_while_read),
	MUTATION(INPUTS, input_invalidated_before_release),
	MUTATION(COHERENCE, old_copy_survives_write),
	MUTATION(COHERENCE, old_copy_survives_update),
	MUTATION(COHERENCE, invalidated_late),
	MUTATION(COHERENCE, valid_from_nowhere),
	MUTATION(COHERENCE, valid_before_arrival),
	MUTATION(COHERENCE, valid_before_kernel_ends),
	MUTATION(COHERENCE, valid_twice),
	MUTATION(COHERENCE, invalid_without_being_valid),
	MUTATION(COHERENCE, evicted_but_still_valid),
	MUTATION(COHERENCE, stale_copy_taken_for_valid),
	MUTATION(COHERENCE, transfer_into_what_is_written),
	MUTATION(LAST_COPY, dropped_before_its_copy_arrives),
	MUTATION(LAST_COPY, write_back_not_noted),
	MUTATION(LAST_COPY, write_not_noted),
	MUTATION(LAST_COPY, source_dropped_while_it_is_copied),
	MUTATION(PINNED, room_given_back_under_task),
	MUTATION(PINNED, room_given_back_before_release),
	MUTATION(PINNED, room_given_back_under_source),
	MUTATION(PINNED, room_given_back_under_target),
	MUTATION(CAPACITY, memory_too_small),
	MUTATION(CAPACITY, rooms_overlap_from_below),
	MUTATION(CAPACITY, rooms_overlap_from_above),
	MUTATION(CAPACITY, room_beyond_the_end),
	MUTATION(CAPACITY, room_far_beyond_the_end),
	MUTATION(CAPACITY, room_too_narrow),
	MUTATION(CAPACITY, room_taken_twice),
	MUTATION(CAPACITY, other_room_given_back),
	MUTATION(CAPACITY, no_room_to_give_back),
	MUTATION(TRANSFER, no_route),
	MUTATION(TRANSFER, to_itself),
	MUTATION(TRANSFER, source_not_valid),
	MUTATION(TRANSFER, leaves_before_valid),
	MUTATION(TRANSFER, leaves_while_written),
	MUTATION(TRANSFER, no_room_at_target),
	OF_MODELS(TRANSFER, too_fast),
	MUTATION(TRANSFER, part_of_the_data),
	MUTATION(TRANSFER, never_ends),
	MUTATION(TRANSFER, ends_without_start),
	MUTATION(TRANSFER, same_transfer_twice),
	MUTATION(TRANSFER, transfer_out_of_range),
	OF_MODELS(TRANSFER, faster_by_a_nanosecond),
	MUTATION(TRANSFER, two_overfill_a_link),
	OF_MODELS(TRANSFER, later_by_a_microsecond_after_long),
	OF_MODELS(TRANSFER, later_by_five_nanoseconds),
	MUTATION(TRANSFER, too_fast_for_a_fat_pipe),
	OF_MODELS(DURATION, longer_by_a_nanosecond),
	MUTATION(MAKESPAN, makespan_too_great),
	MUTATION(MAKESPAN, makespan_too_small),
	OF_MODELS(MAKESPAN, freed_after_all_tasks),
	OF_MODELS(MAKESPAN, invalid_after_all_tasks),
	OF_MODELS(MAKESPAN, room_taken_after_all_tasks),
	MUTATION(MAKESPAN, never),
	MUTATION(MAKESPAN, date_before_the_start),
};
const int n_mutations = sizeof mutations / sizeof *mutations;
