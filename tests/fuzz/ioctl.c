/* Arguments of ioctls: calls of a number, flags and an argument, on one open device without the model. */
#include <drm.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "drm-shim/fds.h"
#include "drm-shim/file.h"
#include "fuzz.h"
#include "ioctl.h"

enum { ARGUMENT_B = 64, SCRATCH_B = 64, USER_B = 65536 };

struct call {
   uint8_t nr, pointers; /* bit n: qword n of the argument is the address of scratch */
   uint8_t argument[ARGUMENT_B], scratch[SCRATCH_B];
};

/* What ioctls may read and write: the argument, scratch after it, and nothing after that. */
static uint8_t *
user_memory(void)
{
   static uint8_t *memory;
   if (!memory) {
      memory = mmap(NULL, 2 * USER_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (memory == MAP_FAILED || mprotect(memory + USER_B, USER_B, PROT_NONE))
         abort();
   }
   return memory;
}

/* Waits sleep by right, and descriptors belong to the process. */
static bool
is_left_out(uint8_t nr)
{
   static const uint8_t numbers[] = {
      _IOC_NR(DRM_IOCTL_SYNCOBJ_WAIT),         _IOC_NR(DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE), _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE),
      _IOC_NR(DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD), _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD)};
   return memchr(numbers, nr, sizeof(numbers)) || (nr && memchr(ioctl_left_out, nr, IOCTL_LEFT_OUT));
}

/* libFuzzer tries values that it has seen, addresses of this process among them, and an ioctl writes where it is told
 * to. What could be one of them (from ASan's shadow on) becomes one that nobody has. */
static void
spoil_addresses(uint8_t *data, unsigned size_B)
{
   for (unsigned i = 0; i < size_B; i += 8) {
      uint64_t value;
      memcpy(&value, data + i, 8);
      value |= (uint64_t)(value >= 0x7fff0000 && value >> 47 == 0) << 63;
      memcpy(data + i, &value, 8);
   }
}

static void
run_call(struct shim_file *file, const struct call *call)
{
   uint8_t *argument = user_memory(), *scratch = argument + ARGUMENT_B;
   uint64_t address = (uintptr_t)scratch;
   memcpy(argument, call->argument, ARGUMENT_B);
   memcpy(scratch, call->scratch, SCRATCH_B);
   spoil_addresses(argument, ARGUMENT_B + SCRATCH_B);
   for (unsigned i = 0; i < ARGUMENT_B / 8; i++) {
      if (call->pointers >> i & 1)
         memcpy(argument + 8 * i, &address, 8);
   }
   shim_file_ioctl(file, DRM_IOWR(call->nr, uint8_t[ARGUMENT_B]), argument);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_B)
{
   setenv("INDIUM_MODE", "noop", 1);
   int fd = shim_file_open(TREE_RENDER_NODE, 0);
   struct shim_file *file = shim_file_pin(fd);
   struct call call;
   for (; size_B >= sizeof(call); data += sizeof(call), size_B -= sizeof(call)) {
      memcpy(&call, data, sizeof(call));
      if (!is_left_out(call.nr))
         run_call(file, &call);
   }
   shim_file_unpin(file);
   fds_close(fd);
   close(fd);
   return 0;
}
