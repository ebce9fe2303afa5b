#include "wrap_try.h"

#include <asahi_drm.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "asahi/wrap/agx_drm.h"
#include "asahi/wrap/iokit_calls.h"
#include "util/macros.h"

#define MAX_CALLS 64
#define MAX_RECORDS 200
#define ARENA_B 0x10000
#define STOP 0xfe /* instead of a call: what follows only lies in memory */

static const uint8_t *at, *end;
static uint8_t arena[ARENA_B] __attribute__((aligned(4096))); /* what lies in memory */

/* Zeros after the end. */
static void
next_bytes(void *out, size_t size_B)
{
   size_t left_B = (size_t)(end - at);
   size_t copy_B = MIN2(left_B, size_B);
   memset(out, 0, size_B);
   memcpy(out, at, copy_B);
   at += copy_B;
}

static uint8_t
take_byte(void)
{
   uint8_t byte;
   next_bytes(&byte, 1);
   return byte;
}

/* -- macOS -- */

/* Bits of how: 0 the first quadword of the response is an address in the arena, 1 the second; 2 to 3 how many
 * numbers. */
static void
call_iokit(struct agx_iokit *iokit)
{
   uint64_t input[3], address;
   char request[128], response[80];
   uint8_t selector = take_byte(), how = take_byte();
   size_t request_B = take_byte() % (sizeof(request) + 1), response_B = take_byte() % (sizeof(response) + 1);
   struct agx_iokit_call call = {.connection = 1,
                                 .selector = selector,
                                 .input = input,
                                 .input_count = how >> 2 & 3,
                                 .request = request,
                                 .request_B = request_B,
                                 .response = response,
                                 .response_B = &response_B};
   next_bytes(input, call.input_count * sizeof(input[0]));
   next_bytes(request, request_B);
   memset(response, 0, sizeof(response));
   next_bytes(response, response_B);
   for (unsigned i = 0; i < 2; i++) {
      memcpy(&address, response + 8 * i, 8);
      address = (uintptr_t)arena + address % ARENA_B;
      if (how >> i & 1)
         memcpy(response + 8 * i, &address, 8);
   }
   if (agx_iokit_before(iokit, &call))
      agx_iokit_after(iokit, &call, how >> 7);
}

static void
try_iokit(struct agx_tracer *wrap)
{
   struct agx_iokit *iokit = agx_iokit_create(wrap);
   struct agx_iokit_call first = {
      .connection = 1, .selector = AGX_IOKIT_SET_API, .request = "Metal\0\0\0\0\0\0\0\0\0\0", .request_B = 16};
   if (agx_iokit_before(iokit, &first))
      agx_iokit_after(iokit, &first, 0);
   for (unsigned i = 0; i < MAX_CALLS && at < end && *at != STOP; i++)
      call_iokit(iokit);
   agx_iokit_destroy(iokit);
}

/* -- Linux -- */

static uint8_t answer; /* 0: as the bytes say; else an error */

/* The answer is in the argument already. */
static int
fake_ioctl(int fd, unsigned long request, ...)
{
   (void)fd;
   if (request == DRM_IOCTL_SYNCOBJ_CREATE) {
      va_list args;
      va_start(args, request);
      va_arg(args, struct drm_syncobj_create *)->handle = 7;
      va_end(args);
      return 0;
   }
   errno = answer;
   return answer && request != DRM_IOCTL_SYNCOBJ_WAIT ? -1 : 0;
}

static void *
fake_mmap(void *address, size_t size_B, int protection, int flags, int fd, off_t offset_B)
{
   (void)protection, (void)flags, (void)fd, (void)offset_B;
   if (size_B > ARENA_B)
      return MAP_FAILED;
   void *map = mmap(address, size_B, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (map != MAP_FAILED)
      memcpy(map, arena, size_B);
   return map;
}

/* Lists and command buffers lie in the arena, unless the byte in front says otherwise. */
static void
place(uint64_t *address)
{
   *address = take_byte() & 0x80 ? *address : (uintptr_t)arena + *address % ARENA_B;
}

static void
call_drm(struct agx_drm_file *file)
{
   static const unsigned long requests[] = {
      DRM_IOCTL_ASAHI_GET_PARAMS,
      DRM_IOCTL_ASAHI_GET_TIME,
      DRM_IOCTL_ASAHI_VM_CREATE,
      DRM_IOCTL_ASAHI_VM_DESTROY,
      DRM_IOCTL_ASAHI_VM_BIND,
      DRM_IOCTL_ASAHI_GEM_CREATE,
      DRM_IOCTL_ASAHI_GEM_CREATE,
      DRM_IOCTL_ASAHI_GEM_MMAP_OFFSET,
      DRM_IOCTL_ASAHI_GEM_BIND_OBJECT,
      DRM_IOCTL_ASAHI_QUEUE_CREATE,
      DRM_IOCTL_ASAHI_QUEUE_DESTROY,
      DRM_IOCTL_ASAHI_SUBMIT,
      DRM_IOCTL_ASAHI_SUBMIT,
      DRM_IOCTL_GEM_CLOSE,
      DRM_IOCTL_MODE_ADDFB,
   };
   union {
      uint64_t bytes[16];
      struct drm_asahi_vm_bind bind;
      struct drm_asahi_submit submit;
   } arg;
   unsigned long request = requests[take_byte() % ARRAY_SIZE(requests)];
   answer = take_byte() & 0x80 ? EINVAL : 0;
   memset(&arg, 0, sizeof(arg));
   next_bytes(&arg, MIN2(_IOC_SIZE(request), sizeof(arg)));
   if (request == DRM_IOCTL_ASAHI_VM_BIND) {
      place((uint64_t *)&arg.bind.userptr);
      arg.bind.num_binds %= 64;
   } else if (request == DRM_IOCTL_ASAHI_SUBMIT) {
      place((uint64_t *)&arg.submit.syncs);
      place((uint64_t *)&arg.submit.cmdbuf);
   }
   agx_drm_ioctl(file, 3, request, &arg);
}

static void
try_drm(struct agx_tracer *wrap)
{
   static const struct agx_drm_kernel kernel = {fake_ioctl, fake_mmap};
   struct agx_drm_file *file = agx_drm_file_open(&kernel, wrap);
   for (unsigned i = 0; i < MAX_CALLS && at < end && *at != STOP; i++)
      call_drm(file);
   agx_drm_file_close(file);
}

unsigned
wrap_try(const uint8_t *data, size_t size_B)
{
   static FILE *nothing, *nowhere;
   if (!nothing)
      nothing = fopen("/dev/null", "we");
   if (!nowhere)
      nowhere = fopen("/dev/null", "we");
   if (!nothing || !nowhere)
      abort();
   for (size_t done_B = 0; done_B < ARENA_B; done_B += size_B ? size_B : ARENA_B)
      memcpy(arena + done_B, data, MIN2(size_B, ARENA_B - done_B));
   at = data;
   end = data + size_B;
   uint8_t front = take_byte();
   struct agx_tracer *wrap =
      agx_wrap_create(&(struct agx_wrap_settings){"m1", AGX_G13, nothing, front & 2 ? nowhere : NULL, MAX_RECORDS});
   (front & 1 ? try_iokit : try_drm)(wrap);
   unsigned reports = agx_wrap_reports(wrap);
   agx_wrap_destroy(wrap);
   return reports;
}
