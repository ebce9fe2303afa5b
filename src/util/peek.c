#include "util/peek.h"

#ifdef __APPLE__

#include <mach/mach.h>
#include <mach/mach_vm.h>

bool
peek_memory(const void *address, void *out, size_t size_B)
{
   mach_vm_size_t copied_B = 0;
   return !size_B || (mach_vm_read_overwrite(mach_task_self(), (mach_vm_address_t)address, size_B,
                                             (mach_vm_address_t)out, &copied_B) == KERN_SUCCESS &&
                      copied_B == size_B);
}

#else

#include <sys/uio.h>
#include <unistd.h>

bool
peek_memory(const void *address, void *out, size_t size_B)
{
   struct iovec local = {out, size_B}, remote = {(void *)address, size_B};
   return !size_B || process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size_B;
}

#endif
