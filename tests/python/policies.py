"""Policies in Python that make the same schedules as those of policies/*.c: examples of the interface."""

import bisect
import itertools
import math

import tilewright as tw


class Eager(tw.Policy):
    """One queue for all workers, first in, first out: policies/eager.c."""

    pop_only_takes = True

    def init(self, s):
        self.queue = []

    def push(self, s, task, released_by):
        self.queue.append(task)
        s.wake_first_idle(task)

    def pop(self, s, worker):
        for i, task in enumerate(self.queue):
            if s.task_length(task, worker) < math.inf:
                return self.queue.pop(i)
        return tw.NONE


class Sorted(list):
    """Tasks by priority, the highest first, then by age."""

    def __init__(self):
        self.age = itertools.count()

    def add(self, task, priority):
        bisect.insort(self, (-priority, next(self.age), task))

    def take_oldest(self, can_run=lambda task: True):
        return next((self.pop(i)[2] for i, (*_, task) in enumerate(self) if can_run(task)), tw.NONE)

    def take_newest(self, can_run):
        """The newest of the highest priority among those that can run."""
        level = next((priority for priority, _, task in self if can_run(task)), None)
        there = [i for i, (priority, _, task) in enumerate(self) if priority == level and can_run(task)]
        return self.pop(there[-1])[2] if there else tw.NONE


class Prio(tw.Policy):
    """One queue for all workers, by priority: policies/prio.c."""

    sorts_by_priority = pop_only_takes = True

    def init(self, s):
        self.queue = Sorted()

    def push(self, s, task, released_by):
        self.queue.add(task, s.task_priority(task))
        s.wake_first_idle(task)

    def pop(self, s, worker):
        return self.queue.take_oldest(lambda task: s.task_length(task, worker) < math.inf)


class Random(tw.Policy):
    """Each task goes to a worker drawn in proportion to its speed: policies/random.c."""

    def init(self, s):
        self.queues = [[] for _ in range(s.n_workers())]

    def push(self, s, task, released_by):
        workers = range(s.n_workers())
        speeds = [1 / s.task_length(task, w) for w in workers]  # 1 / inf is 0
        total = 0.0
        for speed in speeds:  # sum() of later versions of Python rounds otherwise
            total += speed
        left = s.random() * total
        for worker in workers:
            if speeds[worker] > 0:
                chosen = worker
                if left < speeds[worker]:
                    break
                left -= speeds[worker]
        self.queues[chosen].append(task)
        s.wake(chosen)

    def pop(self, s, worker):
        return self.queues[worker].pop(0) if self.queues[worker] else tw.NONE


class Ws(tw.Policy):
    """Work stealing: policies/ws.c."""

    sorts_by_priority = True

    def init(self, s):
        self.n = s.n_workers()
        self.next_submitted = 1 % self.n
        self.queues = [Sorted() for _ in range(self.n)]
        self.busy = [False] * self.n
        self.next_victim = [0] * self.n

    def push(self, s, task, released_by):
        worker = released_by
        if worker == tw.NONE:
            worker = self.next_submitted
            self.next_submitted = (worker + 1) % self.n
        while s.task_length(task, worker) == math.inf:
            worker = (worker + 1) % self.n
        self.queues[worker].add(task, s.task_priority(task))
        s.wake()

    def pop(self, s, worker):
        task = self.queues[worker].take_oldest()
        self.busy[worker] = task != tw.NONE
        return task if self.busy[worker] else self.steal(s, worker)

    def steal(self, s, thief):
        first = self.next_victim[thief]
        for victim in itertools.chain(range(first, self.n), range(first)):
            if self.busy[victim] and self.queues[victim]:
                task = self.queues[victim].take_newest(lambda task: s.task_length(task, thief) < math.inf)
                self.busy[thief] = task != tw.NONE
                if self.busy[thief]:
                    self.next_victim[thief] = (victim + 1) % self.n
                    return task
        self.next_victim[thief] = (first + 1) % self.n
        return tw.NONE


class Dm(tw.Policy):
    """Each task goes to the worker predicted to end it first: policies/dm.c. Three numbers predict when a worker is
    available: policies/support/deque_model.h."""

    predicts_transfers = False

    def init(self, s):
        n = s.n_workers()
        self.start, self.queued, self.pipeline = [0.0] * n, [0.0] * n, [0.0] * n
        self.queues = [[] for _ in range(n)]
        self.wait = {}

    def push(self, s, task, released_by):
        now = s.now()
        best = None
        offers = []
        for worker in range(s.n_workers()):
            transfer = s.task_transfer_time(task, s.worker_node(worker)) if self.predicts_transfers else 0.0
            available = max(self.start[worker], now) + self.queued[worker]
            offers.append((max(available, now + transfer) + s.task_length(task, worker), transfer))
        least = min(end for end, _ in offers)
        costs = [end - least + transfer if end < math.inf else math.inf for end, transfer in offers]
        best = costs.index(min(costs))
        self.give(s, task, best, offers[best][1])

    def give(self, s, task, worker, transfer):
        now = s.now()
        available = max(self.start[worker], now) + self.queued[worker]
        self.wait[task] = max(0.0, now + transfer - available)
        self.start[worker] = max(self.start[worker], now)
        self.queued[worker] += self.wait[task] + s.task_length(task, worker)
        self.queues[worker].append(task)
        s.prefetch_task(task, s.worker_node(worker))
        s.wake(worker)

    def pop(self, s, worker):
        if not self.queues[worker]:
            return tw.NONE
        task = self.queues[worker].pop(0)
        self.queued[worker] -= self.wait[task]
        self.pipeline[worker] += self.wait[task]
        self.start[worker] = s.now() + self.pipeline[worker]
        return task

    def started(self, s, task, worker):
        length = s.task_length(task, worker)
        self.queued[worker] -= length
        self.pipeline[worker] += length - self.wait[task]
        self.start[worker] = s.now() + self.pipeline[worker]

    def done(self, s, task, worker):
        self.pipeline[worker] -= s.task_length(task, worker)
        self.start[worker] = max(self.start[worker], s.now() + self.pipeline[worker])


class Dmda(Dm):
    """As Dm, with predicted transfers: policies/dmda.c."""

    predicts_transfers = True


class Lru(tw.Eviction):
    """The victim is the handle that was used longest ago: policies/eviction/lru.c."""

    def init(self, s):
        self.ages = [{} for _ in range(s.n_nodes())]  # dictionaries keep the order of insertion

    def loaded(self, s, data, node):
        self.ages[node].pop(data, None)
        self.ages[node][data] = None

    used = loaded

    def evicted(self, s, data, node):
        self.ages[node].pop(data, None)

    def expendable(self, s, data, node):
        if data in self.ages[node]:
            self.ages[node] = dict.fromkeys([data, *self.ages[node]])

    def victim(self, s, node, victims):
        return next((data for data in self.ages[node] if victims.may_evict(data)), tw.NONE)
