#include "fake_iokit.h"

#include <string.h>
#include <sys/mman.h>

#include "asahi/wrap/iokit_calls.h"
#include "asahi/wrap/wrap_macos.h"
#include "util/peek.h"

#define PLACES 64

struct fake_iokit fake_iokit;

static struct {
   void *map;
   size_t size_B;
} given[PLACES];
static unsigned given_count;

void
fake_iokit_reset(void)
{
   for (unsigned i = 0; i < given_count; i++)
      munmap(given[i].map, given[i].size_B);
   given_count = 0;
   fake_iokit = (struct fake_iokit){.next = 1, .gpu_va = 0x1500000000};
}

extern const struct wrap_macos_pair __start_wrap_macos_pairs[], __stop_wrap_macos_pairs[];

const void *
fake_dyld(const void *replaced)
{
   for (const struct wrap_macos_pair *pair = __start_wrap_macos_pairs; pair < __stop_wrap_macos_pairs; pair++)
      if (pair->replaced == replaced)
         return pair->replacement;
   return NULL;
}

unsigned
fake_dyld_count(void)
{
   return (unsigned)(__stop_wrap_macos_pairs - __start_wrap_macos_pairs);
}

static void *
give(size_t size_B)
{
   void *map = mmap(NULL, size_B ? size_B : 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (given_count < PLACES) {
      given[given_count].map = map;
      given[given_count++].size_B = size_B ? size_B : 1;
   }
   return fake_iokit.last = map;
}

static void
respond(void *response, size_t *response_B, const void *bytes, size_t size_B)
{
   if (!response || !response_B)
      return;
   memcpy(response, bytes, size_B < *response_B ? size_B : *response_B);
   *response_B = fake_iokit.response_B ? fake_iokit.response_B : size_B;
}

/* size: 17th word of the request. */
static void
allocate(const char *request, void *response, size_t *response_B)
{
   uint32_t size_B;
   memcpy(&size_B, request + 64, 4);
   struct fake_allocated bytes = {
      .gpu_va = fake_iokit.gpu_va,
      .cpu = fake_iokit.no_cpu ? 0
             : fake_iokit.cpu  ? fake_iokit.cpu
                               : (uintptr_t)give(size_B),
      .handle = fake_iokit.next++,
      .root_size = size_B,
      .sub_size = size_B,
   };
   respond(response, response_B, &bytes, sizeof(bytes));
}

static void
answer(uint32_t selector, const uint64_t *input, uint32_t input_count, const void *request, void *response,
       size_t *response_B)
{
   if (selector == AGX_IOKIT_ALLOCATE_MEM && request) {
      allocate(request, response, response_B);
   } else if (selector == AGX_IOKIT_CREATE_SHMEM && input_count) {
      struct fake_shmem bytes = {fake_iokit.cpu ? fake_iokit.cpu : (uintptr_t)give(input[0]), (uint32_t)input[0],
                                 fake_iokit.next++};
      respond(response, response_B, &bytes, sizeof(bytes));
   } else if (response && response_B) {
      /* A queue's number, or a notification queue's place. */
      const uint64_t bytes[2] = {fake_iokit.next++, 0x7f};
      respond(response, response_B, bytes, sizeof(bytes));
   }
}

static kern_return_t
handle_call(uint32_t selector, const uint64_t *input, uint32_t input_count, const void *request, size_t request_B,
            void *response, size_t *response_B)
{
   /* size: as IOKit has it */
   fake_iokit.calls++;
   fake_iokit.selector = selector;
   fake_iokit.input_count = input_count;
   peek_memory(input, &fake_iokit.input, input_count ? sizeof(fake_iokit.input) : 0);
   fake_iokit.request_B = request_B;
   if (request && request_B <= sizeof(fake_iokit.request))
      memcpy(fake_iokit.request, request, request_B);
   if (!fake_iokit.result)
      answer(selector, input, input_count, request_B ? request : NULL, response, response_B);
   return fake_iokit.result;
}

kern_return_t
IOConnectCallMethod(mach_port_t connection, uint32_t selector, const uint64_t *input, uint32_t inputCnt,
                    const void *inputStruct, size_t inputStructCnt, uint64_t *output, uint32_t *outputCnt,
                    void *outputStruct, size_t *outputStructCnt)
{
   fake_iokit.is_async = false;
   return handle_call(selector, input, inputCnt, inputStruct, inputStructCnt, outputStruct, outputStructCnt);
}

kern_return_t
IOConnectCallAsyncMethod(mach_port_t connection, uint32_t selector, mach_port_t wake_port, uint64_t *reference,
                         uint32_t referenceCnt, const uint64_t *input, uint32_t inputCnt, const void *inputStruct,
                         size_t inputStructCnt, uint64_t *output, uint32_t *outputCnt, void *outputStruct,
                         size_t *outputStructCnt)
{
   fake_iokit.is_async = true;
   fake_iokit.wake_port = wake_port;
   return handle_call(selector, input, inputCnt, inputStruct, inputStructCnt, outputStruct, outputStructCnt);
}

/* The tracer leads these to the two above, so nobody comes here. */

kern_return_t
IOConnectCallStructMethod(mach_port_t connection, uint32_t selector, const void *inputStruct, size_t inputStructCnt,
                          void *outputStruct, size_t *outputStructCnt)
{
   return -1;
}

kern_return_t
IOConnectCallAsyncStructMethod(mach_port_t connection, uint32_t selector, mach_port_t wake_port, uint64_t *reference,
                               uint32_t referenceCnt, const void *inputStruct, size_t inputStructCnt,
                               void *outputStruct, size_t *outputStructCnt)
{
   return -1;
}

kern_return_t
IOConnectCallScalarMethod(mach_port_t connection, uint32_t selector, const uint64_t *input, uint32_t inputCnt,
                          uint64_t *output, uint32_t *outputCnt)
{
   return -1;
}

kern_return_t
IOConnectCallAsyncScalarMethod(mach_port_t connection, uint32_t selector, mach_port_t wake_port, uint64_t *reference,
                               uint32_t referenceCnt, const uint64_t *input, uint32_t inputCnt, uint64_t *output,
                               uint32_t *outputCnt)
{
   return -1;
}

kern_return_t
IOConnectSetNotificationPort(io_connect_t connect, uint32_t type, mach_port_t port, uintptr_t reference)
{
   fake_iokit.notifications++;
   return fake_iokit.result;
}

mach_port_t
IODataQueueAllocateNotificationPort(void)
{
   fake_iokit.notifications++;
   return 0x55;
}

IOReturn
IODataQueueWaitForAvailableData(IODataQueueMemory *dataQueue, mach_port_t notificationPort)
{
   fake_iokit.notifications++;
   return fake_iokit.result;
}

IODataQueueEntry *
IODataQueuePeek(IODataQueueMemory *dataQueue)
{
   fake_iokit.notifications++;
   return NULL;
}

IOReturn
IODataQueueDequeue(IODataQueueMemory *dataQueue, void *data, uint32_t *dataSize)
{
   fake_iokit.notifications++;
   return fake_iokit.result;
}
