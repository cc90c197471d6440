/* Traces whose run section is damaged: they are read, and the record that was read is drawn and validated for one small
 * run. The bytes are read as each format that holds a section. */
#include <limits.h>
#include <stdint.h>
#include <unistd.h>

#include "request/fields.h"
#include "experiment/load.h"
#include "message.h"
#include "plot/visible.h"
#include "trace/run_section.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
extern int fuzz_accepted;
int fuzz_accepted;

/* The run of the corpus's records: see corpus/run_section/README. */
static const struct tw__request request = {
	.platform = "mirage",
	.workload = "reduction:n=6:shots=100:bytes=80000",
	.policy = "eager",
	.engine = "native",
	.choice = {.cpus = 1, .gpus = 2, .gpu_mem_bytes = 40 << 20},
	.seed = 1,
	.extrapolate = true,
};

static struct tw__scene *scene;
static struct tw__plan plan;
static char folder[] = "/tmp/tilewright-fuzz-XXXXXX";
static const char *const names[] = {"t.record", "t.json", "t.paje"};

static void remove_folder(void)
{
	for (int i = 0; i < 3; i++) {
		char path[64];
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		unlink(path);
	}
	rmdir(folder);
}

static void prepare(void)
{
	struct tw_error err = {""};
	require(tw__scene_create(&scene, &request, &err) == TW_OK, "scene", err.message);
	require(tw__plan_init_past(&plan, &request, scene, &err) == TW_OK, "plan", err.message);
	require(mkdtemp(folder) != NULL, "mkdtemp", folder);
	atexit(remove_folder);
}

static void check_samples(const struct tw__samples *s)
{
	for (int c = 0; c < s->n_counters; c++)
		for (size_t i = 0; i < s->of[c].n; i++)
			require(s->of[c].list[i].date >= 0, "sample", "");
}

/* Figures and reports show a record, valid or not, whose numbers are within range. */
static void check_schedule(struct tw__traced run)
{
	struct tw__schedule s;
	tw__schedule_of(&s, &run);
	for (size_t i = 0; i < s.n_boxes; i++) {
		const struct tw__box *b = &s.boxes[i];
		require(b->worker >= 0 && b->worker < run.platform->n_workers && b->kernel >= 0 &&
		                b->kernel < s.n_kernels && b->start >= 0 && b->start <= b->end && b->end <= s.end,
		        "box", "");
	}
	check_samples(&s.used);
	check_samples(&s.use);
	check_samples(&s.tasks);
	tw__visible_boxes(&s, TW__COLUMNS);
	tw__visible_means(&s, &s.use, TW__COLUMNS);
	tw__schedule_finish(&s);
}

/* Validates the record. A good file has a record that is valid. */
static bool is_valid(struct tw__run_section *s)
{
	struct tw_error err = {""};
	const struct tw__validation_input input = tw__plan_validation(&plan);
	enum tw__rule rule = TW__N_RULES;
	if (tw__run_section_check(s, s->platform, &s->graph, &err) == TW_OK)
		check_schedule(tw__run_section_traced(s));
	if (s->platform->n_workers != scene->platform->n_workers || tw__run_section_extend(s, scene->graph, &err) < 0)
		return false;
	bool within = tw__run_section_check(s, scene->platform, scene->graph, &err) == TW_OK;
	if (within)
		check_schedule(
			(struct tw__traced){.platform = scene->platform, .graph = scene->graph, .record = &s->record});
	int status = tw__validate(&input, &s->record, &rule, &err);
	require(status == TW_OK || status == TW_FAILED, "status of the validator", err.message);
	require((status == TW_FAILED) == (rule != TW__N_RULES), "rule", err.message);
	require(within || status == TW_FAILED, "numbers out of range are valid", err.message);
	return status == TW_OK;
}

static bool read_as(const char *name, const uint8_t *bytes, size_t n)
{
	char path[64];
	struct tw_error err = {""};
	struct tw__run_section section;
	bool found, valid = false;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *f = fopen(path, "we");
	require(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0, "write", path);
	int status = tw__run_section_read(&section, path, &found, &err);
	if (status < 0 && !strstr(err.message, ": the trace does not hold the whole run: "))
		require_message(status, &err, path);
	if (status == TW_OK && found) {
		struct tw__request q;
		require(section.complete, "a section without its last line", path);
		valid = is_valid(&section);
		status = tw__arguments_request(&q, section.arguments, section.n_arguments, &err);
		require(status == TW_OK || (status == TW_INVALID && *err.message), "arguments", err.message);
		valid = valid && status == TW_OK;
	}
	tw__run_section_finish(&section);
	return valid;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	if (!scene)
		prepare();
	bool valid = false;
	for (int i = 0; i < 3; i++)
		valid = read_as(names[i], bytes, n) || valid;
	fuzz_accepted += valid;
	return 0;
}
