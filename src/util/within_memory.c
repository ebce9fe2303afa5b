#include "util/within_memory.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#include "util/log.h"

struct guard {
   jmp_buf back;
   struct guard *outer;
   struct owned *owned; /* outside of it */
};

/* Of libraries too: they are few bytes, and each task of a pool asks for them. */
#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))
OF_THREAD struct guard *innermost;
OF_THREAD struct owned *newest;

void
own(struct owned *owned, void (*release)(void *object), void *object)
{
   *owned = (struct owned){.release = release, .object = object, .outer = newest};
   newest = owned;
}

void
disown(struct owned *owned)
{
   newest = owned->outer;
   owned->release(owned->object);
}

bool
within_memory(void (*run)(void *data), void *data)
{
   struct guard guard = {.outer = innermost, .owned = newest};
   volatile bool ok = false;
   if (!setjmp(guard.back)) {
      innermost = &guard;
      run(data);
      ok = true;
   }
   innermost = guard.outer;
   return ok;
}

struct on_stack {
   void (*run)(void *data);
   void *data;
   bool ok;
};

static void *
run_on_stack(void *data)
{
   struct on_stack *call = data;
   call->ok = within_memory(call->run, call->data);
   return NULL;
}

bool
within_memory_on_stack(size_t stack_B, void (*run)(void *data), void *data)
{
   struct on_stack call = {.run = run, .data = data};
   pthread_attr_t attributes;
   pthread_t thread;
   if (pthread_attr_init(&attributes))
      return false;
   bool started =
      !pthread_attr_setstacksize(&attributes, stack_B) && !pthread_create(&thread, &attributes, run_on_stack, &call);
   pthread_attr_destroy(&attributes);
   return started && !pthread_join(thread, NULL) && call.ok;
}

_Noreturn void
out_of_memory(const char *what, size_t size_B)
{
   if (innermost) {
      while (newest != innermost->owned)
         disown(newest);
      longjmp(innermost->back, 1);
   }
   log_error("out of memory: %s, %zu bytes", what, size_B);
   abort();
}

void *
need_malloc(const char *what, size_t size_B)
{
   void *memory = malloc(size_B ? size_B : 1);
   if (!memory)
      out_of_memory(what, size_B);
   return memory;
}

void *
need_calloc(const char *what, size_t count, size_t size_B)
{
   void *memory = calloc(count, size_B);
   if (!memory)
      out_of_memory(what, count * size_B);
   return memory;
}

void *
need_realloc(const char *what, void *old, size_t size_B)
{
   void *memory = realloc(old, size_B ? size_B : 1);
   if (!memory)
      out_of_memory(what, size_B);
   return memory;
}
