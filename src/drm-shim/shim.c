#include "drm-shim/bo.h"
#include "drm-shim/shim.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "util/log.h"
#include "util/within_memory.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static bool wakes; /* at the end of the section: whoever woke up within it would only wait for the mutex */
static __thread bool holds;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static const struct shim_vendor *vendor;
static pid_t owner;

static void
init_condition(void)
{
   pthread_condattr_t attributes;
   pthread_condattr_init(&attributes);
   pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
   pthread_cond_init(&changed, &attributes);
   pthread_condattr_destroy(&attributes);
}

static void
before_fork(void)
{
   shim_lock();
   shim_hold_mappings();
}

static void
after_fork_in_parent(void)
{
   shim_release_mappings();
   shim_unlock();
}

static void
after_fork_in_child(void)
{
   shim_release_mappings();
   owner = getpid();
   init_condition();
   wakes = false;
   if (vendor && vendor->forked)
      vendor->forked();
   holds = false;
   pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void
init_lock(void)
{
   owner = getpid();
   init_condition();
   pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static void
init_vendor(void)
{
   vendor = shim_vendor_init();
}

const struct shim_vendor *
shim_vendor(void)
{
   pthread_once(&once, init_vendor);
   return vendor;
}

void
shim_lock(void)
{
   pthread_mutex_lock(&mutex);
   holds = true;
}

bool
shim_holds_lock(void)
{
   return holds;
}

void
shim_unlock(void)
{
   bool wake = wakes;
   wakes = false;
   holds = false;
   pthread_mutex_unlock(&mutex);
   if (wake)
      pthread_cond_broadcast(&changed);
}

void
shim_wake(void)
{
   wakes = true;
}

bool
shim_sleep(int64_t until_ns)
{
   if (wakes)
      pthread_cond_broadcast(&changed);
   wakes = false;
   if (until_ns == INT64_MAX)
      return pthread_cond_wait(&changed, &mutex), true;
   struct timespec until = {.tv_sec = until_ns / 1000000000, .tv_nsec = until_ns % 1000000000};
   return until_ns > 0 && pthread_cond_timedwait(&changed, &mutex, &until) == 0;
}

int64_t
shim_now_ns(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

bool
shim_is_own_process(void)
{
   return getpid() == owner;
}

void *
shim_alloc(size_t size_B)
{
   return need_calloc("the shim", 1, size_B);
}
