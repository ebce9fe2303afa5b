/* What the tracer uses of IOKit and mach, declared by hand: so its front for macOS compiles anywhere. Names, types
 * and order are those of Apple's public headers (IOKit/IOKitLib.h, IOKit/IODataQueueClient.h). */
#ifndef INDIUM_ASAHI_WRAP_IOKIT_H
#define INDIUM_ASAHI_WRAP_IOKIT_H

#include <stddef.h>
#include <stdint.h>

typedef unsigned int mach_port_t;
typedef int kern_return_t;
typedef mach_port_t io_connect_t;
typedef kern_return_t IOReturn;

typedef struct _IODataQueueMemory IODataQueueMemory;
typedef struct _IODataQueueEntry IODataQueueEntry;

kern_return_t IOConnectCallMethod(mach_port_t connection, uint32_t selector, const uint64_t *input, uint32_t inputCnt,
                                  const void *inputStruct, size_t inputStructCnt, uint64_t *output,
                                  uint32_t *outputCnt, void *outputStruct, size_t *outputStructCnt);
/* size: as IOKit has it */
kern_return_t IOConnectCallAsyncMethod(mach_port_t connection, uint32_t selector, mach_port_t wake_port,
                                       uint64_t *reference, uint32_t referenceCnt, const uint64_t *input,
                                       uint32_t inputCnt, const void *inputStruct, size_t inputStructCnt,
                                       uint64_t *output, uint32_t *outputCnt, void *outputStruct,
                                       size_t *outputStructCnt); /* size: as IOKit has it */
kern_return_t IOConnectCallStructMethod(mach_port_t connection, uint32_t selector, const void *inputStruct,
                                        size_t inputStructCnt, void *outputStruct, size_t *outputStructCnt);
kern_return_t IOConnectCallAsyncStructMethod(mach_port_t connection, uint32_t selector, mach_port_t wake_port,
                                             uint64_t *reference, uint32_t referenceCnt, const void *inputStruct,
                                             size_t inputStructCnt, void *outputStruct, size_t *outputStructCnt);
/* size: as IOKit has it */
kern_return_t IOConnectCallScalarMethod(mach_port_t connection, uint32_t selector, const uint64_t *input,
                                        uint32_t inputCnt, uint64_t *output, uint32_t *outputCnt);
kern_return_t IOConnectCallAsyncScalarMethod(mach_port_t connection, uint32_t selector, mach_port_t wake_port,
                                             uint64_t *reference, uint32_t referenceCnt, const uint64_t *input,
                                             uint32_t inputCnt, uint64_t *output, uint32_t *outputCnt);
/* size: as IOKit has it */
kern_return_t IOConnectSetNotificationPort(io_connect_t connect, uint32_t type, mach_port_t port,
                                           uintptr_t reference);
mach_port_t IODataQueueAllocateNotificationPort(void);
IOReturn IODataQueueWaitForAvailableData(IODataQueueMemory *dataQueue, mach_port_t notificationPort);
IODataQueueEntry *IODataQueuePeek(IODataQueueMemory *dataQueue);
IOReturn IODataQueueDequeue(IODataQueueMemory *dataQueue, void *data, uint32_t *dataSize);

#endif
