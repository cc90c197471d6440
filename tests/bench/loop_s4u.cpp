/* A bare loop over SimGrid's S4U that simulates a graph (see loops.py): loop_s4u FILE WORKERS prints the makespan. */
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <vector>

#include <simgrid/s4u.hpp>

namespace sg = simgrid::s4u;

struct task {
	double seconds;
	int missing;
	std::vector<int> successors;
};

static std::vector<task> read_tasks(const char *path)
{
	std::ifstream file(path);
	int n, before;
	file >> n;
	std::vector<task> tasks(n);
	for (int i = 0; i < n; i++) {
		file >> tasks[i].seconds >> tasks[i].missing;
		for (int k = 0; k < tasks[i].missing; k++) {
			file >> before;
			tasks[before].successors.push_back(i);
		}
	}
	return tasks;
}

/* Gives ready tasks to idle workers, waits for the next end, and so on. A worker is a host of 1 flop/s. */
static void simulate(std::vector<task> *tasks, const std::vector<sg::Host *> &workers)
{
	std::deque<int> ready;
	std::vector<sg::Host *> idle = workers;
	std::vector<sg::ExecPtr> running;
	std::vector<int> number; /* the task of each running execution */
	for (size_t i = 0; i < tasks->size(); i++)
		if (!(*tasks)[i].missing)
			ready.push_back((int)i);
	while (!ready.empty() || !running.empty()) {
		while (!ready.empty() && !idle.empty()) {
			int next = ready.front();
			ready.pop_front();
			running.push_back(
				sg::this_actor::exec_init((*tasks)[next].seconds)->set_host(idle.back())->start());
			number.push_back(next);
			idle.pop_back();
		}
		ssize_t ended = sg::Exec::wait_any(running);
		for (int after : (*tasks)[number[ended]].successors)
			if (--(*tasks)[after].missing == 0)
				ready.push_back(after);
		idle.push_back(running[ended]->get_host());
		running.erase(running.begin() + ended);
		number.erase(number.begin() + ended);
	}
}

int main(int argc, char **argv)
{
	sg::Engine engine(&argc, argv);
	std::vector<task> tasks = read_tasks(argv[1]);
	std::vector<sg::Host *> workers;
	auto *zone = sg::create_full_zone("node");
	for (int i = 0; i < atoi(argv[2]); i++)
		workers.push_back(zone->create_host("worker" + std::to_string(i), 1.0)->seal());
	zone->seal();
	sg::Actor::create("loop", workers[0], simulate, &tasks, workers);
	engine.run();
	printf("%.6f\n", sg::Engine::get_clock());
}
