#ifndef INDIUM_ASAHI_WRAP_IOKIT_PRIVATE_H
#define INDIUM_ASAHI_WRAP_IOKIT_PRIVATE_H

#include "asahi/hw/record_table.h"
#include "asahi/wrap/iokit_calls.h"

/* A call whose numbers, request and response were copied, and have the sizes that the selector's have. */
struct agx_iokit_copy {
   uint64_t input[2];
   char request[104], response[80];
};

void agx_iokit_allocate(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);
void agx_iokit_allocated(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);
void agx_iokit_freed(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);
void agx_iokit_shmem_created(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);
void agx_iokit_shmem_freed(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);
void agx_iokit_queue_created(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);
void agx_iokit_queue_freed(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);
void agx_iokit_submit(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);
void agx_iokit_submitted(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);

/* The record in words. */
void agx_iokit_say(struct agx_iokit *iokit, enum agx_record_id id, const void *bytes);

#endif
