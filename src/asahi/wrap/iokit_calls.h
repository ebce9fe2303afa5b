/* The tracer's front for macOS, without macOS: calls of the connection that Metal has to the kernel's AGX driver, as
 * requests and responses in memory. Layouts are tables (asahi/hw/iogpu.txt), and none of them was observed here. */
#ifndef INDIUM_ASAHI_WRAP_IOKIT_CALLS_H
#define INDIUM_ASAHI_WRAP_IOKIT_CALLS_H

#include <stdbool.h>

#include "asahi/wrap/ids.h"
#include "asahi/wrap/wrap.h"

enum agx_iokit_selector {
   AGX_IOKIT_GET_GLOBAL_IDS = 0x06,
   AGX_IOKIT_SET_API = 0x07,
   AGX_IOKIT_CREATE_COMMAND_QUEUE = 0x08,
   AGX_IOKIT_FREE_COMMAND_QUEUE = 0x09,
   AGX_IOKIT_ALLOCATE_MEM = 0x0a,
   AGX_IOKIT_FREE_MEM = 0x0b,
   AGX_IOKIT_CREATE_SHMEM = 0x0f,
   AGX_IOKIT_FREE_SHMEM = 0x10,
   AGX_IOKIT_CREATE_NOTIFICATION_QUEUE = 0x11,
   AGX_IOKIT_FREE_NOTIFICATION_QUEUE = 0x12,
   AGX_IOKIT_SUBMIT_COMMAND_BUFFERS = 0x1e,
   AGX_IOKIT_GET_VERSION = 0x23,
   AGX_IOKIT_SELECTORS = 0x32,
};

struct agx_iokit {
   struct agx_tracer *wrap;
   struct agx_wrap_space *space; /* of the process */
   bool is_connected;
   uint32_t connection;                  /* of whoever says first which API it is */
   struct agx_wrap_ids memories, shmems; /* struct agx_wrap_memory, by handle and by id */
   struct agx_wrap_ids queues;           /* struct agx_iokit_queue */
};

struct agx_iokit_queue {
   uint64_t submit_count;
};

/* A call, as IOConnectCallMethod() has it; pointers are the caller's and not trusted. */
struct agx_iokit_call {
   uint32_t connection, selector;
   const uint64_t *input;
   uint32_t input_count;
   const void *request;
   size_t request_B;
   uint64_t *output;
   uint32_t *output_count;
   void *response;
   size_t *response_B;

   /* Of the tracer, zeros at first. */
   char own_request[104];       /* handed on instead of the caller's */
   struct dynarray submissions; /* struct agx_wrap_submission, with commands of their own */
};

struct agx_iokit *agx_iokit_create(struct agx_tracer *wrap);
void agx_iokit_destroy(struct agx_iokit *iokit);

/* Ahead of the call; may change the request to what is to be handed on. False: it is none of the tracer's, and
 * agx_iokit_after() must not be called. */
bool agx_iokit_before(struct agx_iokit *iokit, struct agx_iokit_call *call);

/* result: 0 for success. */
void agx_iokit_after(struct agx_iokit *iokit, struct agx_iokit_call *call, int result);

#endif
