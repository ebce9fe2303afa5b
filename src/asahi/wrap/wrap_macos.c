/* The tracer as a library of macOS: the eleven entry points that it takes over, and the table by which dyld puts ours
 * in their place (DYLD_INSERT_LIBRARIES). Within this library the names mean Apple's still. */
#include <pthread.h>
#include <stdlib.h>

#include "asahi/hw/chips.h"
#include "asahi/wrap/iokit.h"
#include "asahi/wrap/iokit_calls.h"
#include "asahi/wrap/outputs.h"
#include "asahi/wrap/wrap_macos.h"
#include "util/log.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct agx_iokit *tracer; /* from the first call on */

/* No call is known that tells which GPU it is. */
static void
create(void)
{
   const char *chip = getenv("INDIUM_WRAP_CHIP");
   struct agx_wrap_settings settings = {.chip = chip ? chip : "m1"};
   if (!agx_gen_by_name_or_core(settings.chip, &settings.gen)) {
      log_error("INDIUM_WRAP_CHIP=%s: no chip or core is called so", settings.chip);
      exit(2);
   }
   agx_wrap_open_outputs(&settings);
   tracer = agx_iokit_create(agx_wrap_create(&settings));
}

static struct agx_iokit *
lock_tracer(void)
{
   pthread_mutex_lock(&lock);
   if (!tracer)
      create();
   return tracer;
}

static void
unlock_tracer(void)
{
   agx_wrap_flush(tracer->wrap);
   pthread_mutex_unlock(&lock);
}

void
wrap_macos_reset(void)
{
   pthread_mutex_lock(&lock);
   if (tracer) {
      struct agx_tracer *wrap = tracer->wrap;
      agx_iokit_destroy(tracer);
      agx_wrap_flush(wrap);
      agx_wrap_destroy(wrap);
   }
   tracer = NULL;
   pthread_mutex_unlock(&lock);
}

/* The kernel's part of a call. is_async: with the four arguments after it. */
static kern_return_t
make(const struct agx_iokit_call *call, bool is_async, mach_port_t wake_port, uint64_t *reference,
     uint32_t reference_count)
{
   return is_async ? IOConnectCallAsyncMethod(call->connection, call->selector, wake_port, reference, reference_count,
                                              call->input, call->input_count, call->request, call->request_B,
                                              call->output, call->output_count, call->response, call->response_B)
                   : IOConnectCallMethod(call->connection, call->selector, call->input, call->input_count,
                                         call->request, call->request_B, call->output, call->output_count,
                                         call->response, call->response_B);
}

/* Without the lock while the kernel has it: it may be long. */
static kern_return_t
trace(struct agx_iokit_call *call, bool is_async, mach_port_t wake_port, uint64_t *reference,
      uint32_t reference_count)
{
   bool is_traced = agx_iokit_before(lock_tracer(), call);
   if (is_traced && is_async)
      agx_wrap_say(tracer->wrap, "  comes back at port 0x%x", wake_port);
   unlock_tracer();
   kern_return_t result = make(call, is_async, wake_port, reference, reference_count);
   if (is_traced) {
      agx_iokit_after(lock_tracer(), call, result);
      unlock_tracer();
   }
   return result;
}

static kern_return_t
call_method(mach_port_t connection, uint32_t selector, const uint64_t *input, uint32_t inputCnt,
            const void *inputStruct, size_t inputStructCnt, uint64_t *output, uint32_t *outputCnt, void *outputStruct,
            size_t *outputStructCnt)
{
   /* size: as IOKit has it */
   struct agx_iokit_call call = {connection, selector,  input,        inputCnt,        inputStruct, inputStructCnt,
                                 output,     outputCnt, outputStruct, outputStructCnt, {0},         {0}};
   return trace(&call, false, 0, NULL, 0);
}

static kern_return_t
call_async_method(mach_port_t connection, uint32_t selector, mach_port_t wake_port, uint64_t *reference,
                  uint32_t referenceCnt, const uint64_t *input, uint32_t inputCnt, const void *inputStruct,
                  size_t inputStructCnt, uint64_t *output, uint32_t *outputCnt, void *outputStruct,
                  size_t *outputStructCnt)
{
   /* size: as IOKit has it */
   struct agx_iokit_call call = {connection, selector,  input,        inputCnt,        inputStruct, inputStructCnt,
                                 output,     outputCnt, outputStruct, outputStructCnt, {0},         {0}};
   return trace(&call, true, wake_port, reference, referenceCnt);
}

static kern_return_t
call_struct_method(mach_port_t connection, uint32_t selector, const void *inputStruct, size_t inputStructCnt,
                   void *outputStruct, size_t *outputStructCnt)
{
   return call_method(connection, selector, NULL, 0, inputStruct, inputStructCnt, NULL, NULL, outputStruct,
                      outputStructCnt);
}

static kern_return_t
call_async_struct_method(mach_port_t connection, uint32_t selector, mach_port_t wake_port, uint64_t *reference,
                         uint32_t referenceCnt, const void *inputStruct, size_t inputStructCnt, void *outputStruct,
                         size_t *outputStructCnt)
{
   /* size: as IOKit has it */
   return call_async_method(connection, selector, wake_port, reference, referenceCnt, NULL, 0, inputStruct,
                            inputStructCnt, NULL, NULL, outputStruct, outputStructCnt);
}

static kern_return_t
call_scalar_method(mach_port_t connection, uint32_t selector, const uint64_t *input, uint32_t inputCnt,
                   uint64_t *output, uint32_t *outputCnt)
{
   return call_method(connection, selector, input, inputCnt, NULL, 0, output, outputCnt, NULL, NULL);
}

static kern_return_t
call_async_scalar_method(mach_port_t connection, uint32_t selector, mach_port_t wake_port, uint64_t *reference,
                         uint32_t referenceCnt, const uint64_t *input, uint32_t inputCnt, uint64_t *output,
                         uint32_t *outputCnt)
{
   /* size: as IOKit has it */
   return call_async_method(connection, selector, wake_port, reference, referenceCnt, input, inputCnt, NULL, 0,
                            output, outputCnt, NULL, NULL);
}

static kern_return_t
set_notification_port(io_connect_t connect, uint32_t type, mach_port_t port, uintptr_t reference)
{
   agx_wrap_say(lock_tracer()->wrap, "notifications of type 0x%x of connection 0x%x come to port 0x%x", type, connect,
                port);
   unlock_tracer();
   return IOConnectSetNotificationPort(connect, type, port, reference);
}

static mach_port_t
allocate_notification_port(void)
{
   mach_port_t port = IODataQueueAllocateNotificationPort();
   agx_wrap_say(lock_tracer()->wrap, "a port for notifications: 0x%x", port);
   unlock_tracer();
   return port;
}

static IOReturn
wait_for_available_data(IODataQueueMemory *dataQueue, mach_port_t notificationPort)
{
   agx_wrap_say(lock_tracer()->wrap, "waits at port 0x%x", notificationPort);
   unlock_tracer();
   return IODataQueueWaitForAvailableData(dataQueue, notificationPort);
}

static IODataQueueEntry *
peek(IODataQueueMemory *dataQueue)
{
   IODataQueueEntry *entry = IODataQueuePeek(dataQueue);
   agx_wrap_say(lock_tracer()->wrap, "looks for a notification: there is %s", entry ? "one" : "none");
   unlock_tracer();
   return entry;
}

static IOReturn
dequeue(IODataQueueMemory *dataQueue, void *data, uint32_t *dataSize)
{
   IOReturn result = IODataQueueDequeue(dataQueue, data, dataSize);
   agx_wrap_say(lock_tracer()->wrap, "takes a notification of %u bytes: 0x%x", dataSize ? *dataSize : 0,
                (unsigned)result);
   unlock_tracer();
   return result;
}

#ifdef __APPLE__
#define SECTION "__DATA,__interpose"
#else
#define SECTION WRAP_MACOS_SECTION
#endif

/* As dyld reads it. */
#define INTERPOSE(replacement, replaced)                                                                             \
   _Static_assert(__builtin_types_compatible_p(__typeof__(replacement), __typeof__(replaced)),                       \
                  "called in the other's place");                                                                    \
   __attribute__((used, section(SECTION))) static const struct wrap_macos_pair pair_##replacement = {                \
      (const void *)replacement, (const void *)replaced}

INTERPOSE(call_method, IOConnectCallMethod);
INTERPOSE(call_async_method, IOConnectCallAsyncMethod);
INTERPOSE(call_struct_method, IOConnectCallStructMethod);
INTERPOSE(call_async_struct_method, IOConnectCallAsyncStructMethod);
INTERPOSE(call_scalar_method, IOConnectCallScalarMethod);
INTERPOSE(call_async_scalar_method, IOConnectCallAsyncScalarMethod);
INTERPOSE(set_notification_port, IOConnectSetNotificationPort);
INTERPOSE(allocate_notification_port, IODataQueueAllocateNotificationPort);
INTERPOSE(wait_for_available_data, IODataQueueWaitForAvailableData);
INTERPOSE(peek, IODataQueuePeek);
INTERPOSE(dequeue, IODataQueueDequeue);
