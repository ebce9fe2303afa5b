/* SUBMIT_COMMAND_BUFFERS: a list of command buffers, each with a list of the memory that it uses. */
#include <inttypes.h>
#include <stdlib.h>

#include "asahi/wrap/iokit_private.h"
#include "util/peek.h"
#include "util/within_memory.h"

#define MAX_COMMANDS 1024
#define MAX_COMMANDS_B (1u << 20)
#define RESOURCES 6 /* of a group */

static void
say_group(struct agx_iokit *iokit, const char *bytes)
{
   struct agx_iokit_resource_group group;
   agx_iokit_resource_group_unpack(&group, bytes);
   const uint32_t handles[RESOURCES] = {group.resource_0, group.resource_1, group.resource_2,
                                        group.resource_3, group.resource_4, group.resource_5};
   agx_iokit_say(iokit, AGX_RECORD_IOKIT_RESOURCE_GROUP, bytes);
   if (group.count > RESOURCES)
      agx_wrap_report(iokit->wrap, "a group of %u resources, which has %u places", group.count, RESOURCES);
   for (uint32_t i = 0; i < group.count && i < RESOURCES; i++)
      if (!agx_wrap_ids_find(&iokit->memories, handles[i]))
         agx_wrap_report(iokit->wrap, "resource 0x%x was not seen before", handles[i]);
}

static void
say_segments(struct agx_iokit *iokit, uint32_t id)
{
   const struct agx_wrap_memory *memory = agx_wrap_ids_find(&iokit->shmems, id);
   char bytes[AGX_IOKIT_RESOURCE_GROUP_SIZE_B];
   struct agx_iokit_segment_list list;
   if (!memory || !agx_wrap_memory_read(memory, 0, bytes, AGX_IOKIT_SEGMENT_LIST_SIZE_B)) {
      agx_wrap_report(iokit->wrap, "segment list %u was not seen before, or is too short", id);
      return;
   }
   agx_iokit_segment_list_unpack(&list, bytes);
   agx_iokit_say(iokit, AGX_RECORD_IOKIT_SEGMENT_LIST, bytes);
   for (uint32_t i = 0; i < list.group_count; i++) {
      uint64_t offset_B = AGX_IOKIT_SEGMENT_LIST_SIZE_B + (uint64_t)i * AGX_IOKIT_RESOURCE_GROUP_SIZE_B;
      if (!agx_wrap_memory_read(memory, offset_B, bytes, sizeof(bytes))) {
         agx_wrap_report(iokit->wrap, "segment list %u ends in group %u of %u", id, i, list.group_count);
         return;
      }
      say_group(iokit, bytes);
   }
}

/* The whole buffer, as long as its header says. NULL after a report. To be freed. */
static void *
read_buffer(struct agx_iokit *iokit, uint32_t id, size_t *size_B)
{
   const struct agx_wrap_memory *memory = agx_wrap_ids_find(&iokit->shmems, id);
   struct agx_iogpu_header header;
   char bytes[AGX_IOGPU_HEADER_SIZE_B];
   if (!memory || !agx_wrap_memory_read(memory, 0, bytes, sizeof(bytes))) {
      agx_wrap_report(iokit->wrap, "command buffer %u was not seen before, or is shorter than its header", id);
      return NULL;
   }
   agx_iogpu_header_unpack(&header, bytes);
   if (header.total_size < sizeof(bytes) || header.total_size > MAX_COMMANDS_B ||
       header.total_size > agx_wrap_memory_size_B(memory)) {
      agx_wrap_report(iokit->wrap, "command buffer %u: it says %u bytes, of which there are %" PRIu64, id,
                      header.total_size, agx_wrap_memory_size_B(memory));
      return NULL;
   }
   void *buffer = need_malloc("the tracer", header.total_size);
   *size_B = header.total_size;
   if (agx_wrap_memory_read(memory, 0, buffer, header.total_size))
      return buffer;
   agx_wrap_report(iokit->wrap, "command buffer %u: its %u bytes cannot be read", id, header.total_size);
   free(buffer);
   return NULL;
}

static void
begin(struct agx_iokit *iokit, struct agx_iokit_call *call, struct agx_iokit_queue *queue, const char *bytes)
{
   struct agx_iokit_submit_command command;
   struct agx_wrap_submission submission = {.space = iokit->space, .is_iogpu = true};
   agx_iokit_submit_command_unpack(&command, bytes);
   agx_iokit_say(iokit, AGX_RECORD_IOKIT_SUBMIT_COMMAND, bytes);
   say_segments(iokit, command.segment_list);
   submission.commands = read_buffer(iokit, command.command_buffer, &submission.size_B);
   if (!submission.commands)
      return;
   snprintf(submission.label, sizeof(submission.label), "command buffer %u, submit %" PRIu64, command.command_buffer,
            ++queue->submit_count);
   agx_wrap_submit_begin(iokit->wrap, &submission);
   dynarray_append(&call->submissions, struct agx_wrap_submission, submission);
}

void
agx_iokit_submit(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   struct agx_iokit_submit_header header;
   struct agx_iokit_queue *queue = agx_wrap_ids_find(&iokit->queues, copy->input[0]);
   if (!queue) {
      agx_wrap_report(iokit->wrap, "SUBMIT_COMMAND_BUFFERS: queue 0x%" PRIx64 " was not seen before", copy->input[0]);
      return;
   }
   if (call->request_B < AGX_IOKIT_SUBMIT_HEADER_SIZE_B) {
      agx_wrap_report(iokit->wrap, "SUBMIT_COMMAND_BUFFERS: a request of %zu bytes, less than its header",
                      call->request_B);
      return;
   }
   agx_iokit_submit_header_unpack(&header, copy->request);
   agx_iokit_say(iokit, AGX_RECORD_IOKIT_SUBMIT_HEADER, copy->request);
   if (header.count > MAX_COMMANDS ||
       call->request_B != AGX_IOKIT_SUBMIT_HEADER_SIZE_B + header.count * AGX_IOKIT_SUBMIT_COMMAND_SIZE_B) {
      agx_wrap_report(iokit->wrap, "SUBMIT_COMMAND_BUFFERS: a request of %zu bytes that says %u command buffers",
                      call->request_B, header.count);
      return;
   }
   const char *at = (const char *)call->request + AGX_IOKIT_SUBMIT_HEADER_SIZE_B;
   for (uint32_t i = 0; i < header.count; i++, at += AGX_IOKIT_SUBMIT_COMMAND_SIZE_B) {
      char bytes[AGX_IOKIT_SUBMIT_COMMAND_SIZE_B];
      if (peek_memory(at, bytes, sizeof(bytes)))
         begin(iokit, call, queue, bytes);
      else
         agx_wrap_report(iokit->wrap, "SUBMIT_COMMAND_BUFFERS: command buffer %u of %u cannot be read", i,
                         header.count);
   }
}

void
agx_iokit_submitted(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   (void)copy;
   dynarray_for_each(const struct agx_wrap_submission, submission, &call->submissions)
      agx_wrap_submit_taken(iokit->wrap, submission);
}
