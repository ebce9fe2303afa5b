#include "util/thread.h"

#include <signal.h>

bool
thread_start(pthread_t *thread, void *(*run)(void *data), void *data)
{
   sigset_t all, old;
   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &old);
   const bool started = !pthread_create(thread, NULL, run, data);
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   return started;
}
