#include "platform/bind.h"

#include <pthread.h>
#include <stdio.h>

#include "base/module.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct tw__binding *binding; /* NULL: the module cannot be opened */
static struct tw_error refusal;           /* why not */

static void open_module(void)
{
	binding = tw__module_open(TW__HWLOC_BUILT, "tw__binding", "binding of threads and memory", &refusal);
}

static bool can_bind(char *why, size_t room)
{
	pthread_once(&once, open_module);
	if (!binding)
		snprintf(why, room, "%s", refusal.message);
	return binding;
}

int tw__bindable_cores(char *why, size_t room) { return can_bind(why, room) ? binding->cores(why, room) : TW_FAILED; }

int tw__bind_thread(int core, char *why, size_t room)
{
	return can_bind(why, room) ? binding->thread(core, why, room) : TW_FAILED;
}

bool tw__core_is_near(int core, const char *pci_place)
{
	return !can_bind(NULL, 0) || binding->is_near(core, pci_place);
}

int tw__core_pu(int core) { return can_bind(NULL, 0) ? binding->pu(core) : TW_NONE; }

int tw__bindable_mains(char *why, size_t room) { return can_bind(why, room) ? binding->mains(why, room) : TW_FAILED; }

int tw__core_main(int core) { return can_bind(NULL, 0) ? binding->core_main(core) : TW_NONE; }

int tw__bind_thread_near(int main, char *why, size_t room)
{
	return can_bind(why, room) ? binding->thread_near(main, why, room) : TW_FAILED;
}

int tw__bind_memory(void *at, size_t bytes, int main, char *why, size_t room)
{
	return can_bind(why, room) ? binding->memory(at, bytes, main, why, room) : TW_FAILED;
}
