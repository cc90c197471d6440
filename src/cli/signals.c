#include "cli/signals.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

int signals_watch(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int signals_status(int fd)
{
	struct signalfd_siginfo signal;
	return 128 + (read(fd, &signal, sizeof signal) == sizeof signal ? (int)signal.ssi_signo : SIGINT);
}
