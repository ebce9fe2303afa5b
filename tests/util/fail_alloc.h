/* Makes the n-th allocation of the linked libraries fail. Link with fail_alloc_args: the linker turns their calls
 * into these. */
#ifndef INDIUM_TESTS_FAIL_ALLOC_H
#define INDIUM_TESTS_FAIL_ALLOC_H

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Allocations until the one that fails; below 0: it has failed, or none will. */
static _Atomic long fail_countdown = -1;

static bool
must_fail(void)
{
   return fail_countdown >= 0 && atomic_fetch_sub(&fail_countdown, 1) == 0;
}

void *__real_malloc(size_t size_B);
void *__real_calloc(size_t count, size_t size_B);
void *__real_realloc(void *memory, size_t size_B);
int __real_posix_memalign(void **memory, size_t alignment, size_t size_B);
void *__wrap_malloc(size_t size_B);
void *__wrap_calloc(size_t count, size_t size_B);
void *__wrap_realloc(void *memory, size_t size_B);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size_B);

void *
__wrap_malloc(size_t size_B)
{
   return must_fail() ? NULL : __real_malloc(size_B);
}

void *
__wrap_calloc(size_t count, size_t size_B)
{
   return must_fail() ? NULL : __real_calloc(count, size_B);
}

void *
__wrap_realloc(void *memory, size_t size_B)
{
   return must_fail() ? NULL : __real_realloc(memory, size_B);
}

int
__wrap_posix_memalign(void **memory, size_t alignment, size_t size_B)
{
   return must_fail() ? ENOMEM : __real_posix_memalign(memory, alignment, size_B);
}

#endif
