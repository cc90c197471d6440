/* Finds the sampling directory of StarPU that has a given host. */
#include <unistd.h>

#include "import/starpu_import.h"

static bool has_host(const char *folder, const char *host)
{
	char *path;
	if (asprintf(&path, "%s/bus/%s.platform.v4.xml", folder, host) < 0)
		return false;
	bool found = access(path, F_OK) == 0;
	free(path);
	return found;
}

int tw__starpu_by_name(const struct dirent **a, const struct dirent **b) { return strcmp((*a)->d_name, (*b)->d_name); }

/* Writes the hosts that a sampling directory has, for the end of a message: ": expected one of ..."; "": none. */
static void list_hosts(const char *folder, char *text, size_t room)
{
	static const char ending[] = ".platform.v4.xml";
	struct dirent **entries;
	char *path;
	size_t used = 0;
	text[0] = '\0';
	if (asprintf(&path, "%s/bus", folder) < 0)
		return;
	int n = scandir(path, &entries, NULL, tw__starpu_by_name);
	for (int i = 0; i < n; i++) {
		const char *at = strstr(entries[i]->d_name, ending);
		if (at && !at[strlen(ending)] && used < room)
			used += (size_t)snprintf(text + used, room - used, "%s%.*s", used ? ", " : ": expected one of ",
			                         (int)(at - entries[i]->d_name), entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	free(path);
}

/* Chooses the directory of parameter `dir`. Without `dir`, chooses the first of StarPU's default directories that has
 * the host, else the last of them. */
int tw__starpu_import_find(struct tw__starpu_import *job)
{
	static const char *const places[][2] = {{"STARPU_PERF_MODEL_DIR", ""},
	                                        {"STARPU_HOME", "/.starpu/sampling"},
	                                        {"HOME", "/.starpu/sampling"},
	                                        {NULL, "/usr/share/starpu/perfmodels/sampling"}};
	const char *asked = tw_args_text(job->args, "dir");
	char *folder = *asked ? strdup(asked) : NULL;
	for (int i = 0; !*asked && i < 4 && !(folder && has_host(folder, job->host)); i++) {
		const char *base = places[i][0] ? getenv(places[i][0]) : "";
		if (!base)
			continue;
		free(folder);
		if (asprintf(&folder, "%s%s", base, places[i][1]) < 0)
			folder = NULL;
	}
	job->to->source = folder;
	if (!folder)
		return tw__starpu_no_memory(job->err);
	if (has_host(folder, job->host))
		return TW_OK;
	char hosts[300];
	list_hosts(folder, hosts, sizeof hosts);
	return tw_fail(job->err, TW_INVALID, "import 'starpu:%.60s': no bus/%.60s.platform.v4.xml in '%.200s'%s",
	               job->host, job->host, folder, hosts);
}
