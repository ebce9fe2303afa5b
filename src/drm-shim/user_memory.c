#include "drm-shim/user_memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* The calling thread's stack. Arguments of ioctls mostly live there, in frames that exist: no need to ask the
 * kernel. */
static bool
is_on_stack(uint64_t address, size_t size_B)
{
   static __thread uintptr_t stack_end;
   uintptr_t here = (uintptr_t)__builtin_frame_address(0);
   if (!stack_end) {
      pthread_attr_t attributes;
      void *start;
      size_t stack_B;
      stack_end = 1;
      if (!pthread_getattr_np(pthread_self(), &attributes)) {
         if (!pthread_attr_getstack(&attributes, &start, &stack_B) && here >= (uintptr_t)start &&
             here < (uintptr_t)start + stack_B)
            stack_end = (uintptr_t)start + stack_B;
         pthread_attr_destroy(&attributes);
      }
   }
   return address >= here && address < stack_end && size_B <= stack_end - address;
}

int
user_read(void *data, uint64_t address, size_t size_B)
{
   if (is_on_stack(address, size_B)) {
      memcpy(data, (const void *)(uintptr_t)address, size_B);
      return 0;
   }
   struct iovec local = {data, size_B}, remote = {(void *)(uintptr_t)address, size_B};
   if (!size_B || process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size_B)
      return 0;
   return -EFAULT;
}

int
user_write(uint64_t address, const void *data, size_t size_B)
{
   if (is_on_stack(address, size_B)) {
      memcpy((void *)(uintptr_t)address, data, size_B);
      return 0;
   }
   struct iovec local = {(void *)data, size_B}, remote = {(void *)(uintptr_t)address, size_B};
   if (!size_B || process_vm_writev(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size_B)
      return 0;
   return -EFAULT;
}

int
user_read_many(const struct user_range *ranges, unsigned count)
{
   struct iovec local[64], remote[64];
   unsigned slow = 0;
   ssize_t slow_B = 0;
   for (unsigned i = 0; i < count; i++) {
      const struct user_range *range = &ranges[i];
      if (is_on_stack(range->address, range->size_B)) {
         memcpy(range->data, (const void *)(uintptr_t)range->address, range->size_B);
      } else if (range->size_B) {
         local[slow] = (struct iovec){range->data, range->size_B};
         remote[slow++] = (struct iovec){(void *)(uintptr_t)range->address, range->size_B};
         slow_B += range->size_B;
      }
   }
   return !slow || process_vm_readv(getpid(), local, slow, remote, slow, 0) == slow_B ? 0 : -EFAULT;
}
