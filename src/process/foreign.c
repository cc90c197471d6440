#include "process/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void tw__foreign_begin(struct tw__own_state *own)
{
	const char *locale = setlocale(LC_ALL, NULL);
	own->folder = getcwd(NULL, 0);
	own->locale = locale ? strdup(locale) : NULL;
	own->thread_locale = uselocale((locale_t)0);
	own->rounding = fegetround();
	fegetenv(&own->floats);
}

bool tw__foreign_end(struct tw__own_state *own)
{
	bool same = fegetround() == own->rounding;
	fesetenv(&own->floats);
	if (own->locale)
		setlocale(LC_ALL, own->locale);
	uselocale(own->thread_locale);
	if (own->folder && chdir(own->folder) < 0)
		tw_log(TW_LOG_WARNING, "'%s': %s: a plug-in has left this folder", own->folder, strerror(errno));
	free(own->locale);
	free(own->folder);
	return same;
}

int tw__output_divert(int *saved, struct tw_error *err)
{
	fflush(stdout);
	*saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (*saved >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		return TW_OK;
	int reason = errno;
	if (*saved >= 0)
		close(*saved);
	return tw_fail(err, TW_SYSTEM, "cannot keep standard output apart from what plug-ins print: %s",
	               strerror(reason));
}

void tw__output_restore(int saved)
{
	fflush(stdout); /* what a plug-in has printed */
	dup2(saved, STDOUT_FILENO);
	close(saved);
}
