/* Which selectors there are, what a call of each looks like, and what is done about it. */
#include "asahi/wrap/iokit_calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/wrap/iokit_private.h"
#include "util/macros.h"
#include "util/peek.h"
#include "util/within_memory.h"

#define ANY UINT16_MAX  /* a size that nothing is known of, or that the handler looks at */
#define MAX_SHOWN_B 256 /* of what nothing is known of */
#define MAX_SCALARS 16  /* of a call */

typedef void (*handler)(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy);

struct selector {
   const char *name;
   uint16_t inputs, request_B, response_B;
   handler before, after;
};

static void
say_api(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   (void)call;
   if (copy->request[AGX_IOKIT_SET_API_SIZE_B - 1])
      agx_wrap_report(iokit->wrap, "SET_API: a name without an end");
   else
      agx_wrap_say(iokit->wrap, "SET_API \"%s\"", copy->request);
}

static void
say_notification_queue(struct agx_iokit *iokit, struct agx_iokit_call *call, const struct agx_iokit_copy *copy)
{
   (void)call;
   agx_iokit_say(iokit, AGX_RECORD_IOKIT_NOTIFICATION_RESPONSE, copy->response);
}

static const struct selector selectors[AGX_IOKIT_SELECTORS] = {
   [AGX_IOKIT_GET_GLOBAL_IDS] = {"GET_GLOBAL_IDS", ANY, ANY, ANY, NULL, NULL},
   [AGX_IOKIT_SET_API] = {"SET_API", 0, AGX_IOKIT_SET_API_SIZE_B, 0, say_api, NULL},
   [AGX_IOKIT_CREATE_COMMAND_QUEUE] = {"CREATE_COMMAND_QUEUE", ANY, ANY, AGX_IOKIT_QUEUE_RESPONSE_SIZE_B, NULL,
                                       agx_iokit_queue_created},
   [AGX_IOKIT_FREE_COMMAND_QUEUE] = {"FREE_COMMAND_QUEUE", 1, 0, 0, NULL, agx_iokit_queue_freed},
   [AGX_IOKIT_ALLOCATE_MEM] = {"ALLOCATE_MEM", ANY, ANY, AGX_IOKIT_ALLOCATE_RESPONSE_SIZE_B, agx_iokit_allocate,
                               agx_iokit_allocated},
   [AGX_IOKIT_FREE_MEM] = {"FREE_MEM", 1, 0, 0, NULL, agx_iokit_freed},
   [AGX_IOKIT_CREATE_SHMEM] = {"CREATE_SHMEM", 2, 0, AGX_IOKIT_SHMEM_RESPONSE_SIZE_B, NULL, agx_iokit_shmem_created},
   [AGX_IOKIT_FREE_SHMEM] = {"FREE_SHMEM", 1, 0, 0, NULL, agx_iokit_shmem_freed},
   [AGX_IOKIT_CREATE_NOTIFICATION_QUEUE] = {"CREATE_NOTIFICATION_QUEUE", ANY, ANY,
                                            AGX_IOKIT_NOTIFICATION_RESPONSE_SIZE_B, NULL, say_notification_queue},
   [AGX_IOKIT_FREE_NOTIFICATION_QUEUE] = {"FREE_NOTIFICATION_QUEUE", 1, 0, 0, NULL, NULL},
   [AGX_IOKIT_SUBMIT_COMMAND_BUFFERS] = {"SUBMIT_COMMAND_BUFFERS", 1, ANY, 0, agx_iokit_submit, agx_iokit_submitted},
   [AGX_IOKIT_GET_VERSION] = {"GET_VERSION", ANY, ANY, ANY, NULL, NULL},
};

struct agx_iokit *
agx_iokit_create(struct agx_tracer *wrap)
{
   struct agx_iokit *iokit = need_calloc("the tracer", 1, sizeof(*iokit));
   iokit->wrap = wrap;
   iokit->space = agx_wrap_space_add(wrap);
   return iokit;
}

void
agx_iokit_destroy(struct agx_iokit *iokit)
{
   dynarray_for_each(struct agx_wrap_id, id, &iokit->memories.array)
      agx_wrap_memory_remove(id->object);
   dynarray_for_each(struct agx_wrap_id, id, &iokit->shmems.array)
      agx_wrap_memory_remove(id->object);
   dynarray_for_each(struct agx_wrap_id, id, &iokit->queues.array)
      free(id->object);
   dynarray_free(&iokit->memories.array);
   dynarray_free(&iokit->shmems.array);
   dynarray_free(&iokit->queues.array);
   agx_wrap_space_remove(iokit->space);
   free(iokit);
}

void
agx_iokit_say(struct agx_iokit *iokit, enum agx_record_id id, const void *bytes)
{
   const struct agx_record *record = agx_record(id);
   const struct agx_form *form = agx_record_form(record, bytes);
   char line[1024];
   size_t used = (size_t)snprintf(line, sizeof(line), "  %s", record->name);
   for (unsigned i = 0; i < form->field_count && used < sizeof(line); i++) {
      char text[128];
      if (agx_field_print(&form->fields[i], bytes, text, sizeof(text)))
         used += (size_t)snprintf(line + used, sizeof(line) - used, " %s", text);
   }
   agx_wrap_say(iokit->wrap, "%s", line);
}

static void
say_bytes(struct agx_iokit *iokit, const char *what, const void *address, size_t size_B)
{
   unsigned char bytes[MAX_SHOWN_B];
   char line[3 * 32 + 1];
   size_t shown_B = MIN2(size_B, sizeof(bytes));
   if (!shown_B)
      return;
   if (!peek_memory(address, bytes, shown_B)) {
      agx_wrap_report(iokit->wrap, "%s of %zu bytes cannot be read", what, size_B);
      return;
   }
   for (size_t at_B = 0; at_B < shown_B; at_B += 32) {
      for (size_t i = at_B; i < MIN2(at_B + 32, shown_B); i++)
         snprintf(line + 3 * (i - at_B), 4, " %02x", bytes[i]);
      agx_wrap_say(iokit->wrap, "  %s +%zu:%s", what, at_B, line);
   }
   if (size_B > shown_B)
      agx_wrap_say(iokit->wrap, "  %s: %zu bytes more", what, size_B - shown_B);
}

static const struct selector *
selector_of(const struct agx_iokit_call *call)
{
   static const struct selector unknown = {NULL, ANY, ANY, ANY, NULL, NULL};
   return call->selector < AGX_IOKIT_SELECTORS && selectors[call->selector].name ? &selectors[call->selector]
                                                                                 : &unknown;
}

static void
say_call(struct agx_iokit *iokit, const struct agx_iokit_call *call, const struct selector *selector)
{
   char name[32], scalars[32 * MAX_SCALARS] = "";
   uint64_t input[MAX_SCALARS];
   uint32_t count = MIN2(call->input_count, MAX_SCALARS);
   snprintf(name, sizeof(name), "selector 0x%x", call->selector);
   if (call->input_count > MAX_SCALARS || !peek_memory(call->input, input, count * sizeof(*input))) {
      agx_wrap_report(iokit->wrap, "%s: its %u numbers cannot be read", selector->name ? selector->name : name,
                      call->input_count);
      count = 0;
   }
   for (uint32_t i = 0; i < count; i++)
      snprintf(scalars + strlen(scalars), sizeof(scalars) - strlen(scalars), " 0x%" PRIx64, input[i]);
   agx_wrap_say(iokit->wrap, "%s%s, %zu bytes", selector->name ? selector->name : name, scalars, call->request_B);
}

/* Numbers and request, as the selector's are. False after a report. */
static bool
copy_request(struct agx_iokit *iokit, const struct agx_iokit_call *call, const struct selector *selector,
             struct agx_iokit_copy *copy)
{
   if (selector->inputs != ANY && call->input_count != selector->inputs)
      agx_wrap_report(iokit->wrap, "%s: %u numbers, not %u", selector->name, call->input_count, selector->inputs);
   else if (selector->request_B != ANY && call->request_B != selector->request_B)
      agx_wrap_report(iokit->wrap, "%s: a request of %zu bytes, not %u", selector->name, call->request_B,
                      selector->request_B);
   else if (!peek_memory(call->input, copy->input,
                         MIN2(call->input_count, ARRAY_SIZE(copy->input)) * sizeof(*copy->input)) ||
            !peek_memory(call->request, copy->request, MIN2(call->request_B, sizeof(copy->request))))
      agx_wrap_report(iokit->wrap, "%s: its numbers or its request of %zu bytes cannot be read", selector->name,
                      call->request_B);
   else
      return true;
   return false;
}

/* False after a report. */
static bool
copy_response(struct agx_iokit *iokit, const struct agx_iokit_call *call, const struct selector *selector,
              struct agx_iokit_copy *copy)
{
   size_t size_B = 0;
   if (!selector->response_B)
      return true;
   if (!call->response_B || !peek_memory(call->response_B, &size_B, sizeof(size_B)) || size_B != selector->response_B)
      agx_wrap_report(iokit->wrap, "%s: a response of %zu bytes, not %u", selector->name, size_B,
                      selector->response_B);
   else if (!peek_memory(call->response, copy->response, size_B))
      agx_wrap_report(iokit->wrap, "%s: its response of %zu bytes cannot be read", selector->name, size_B);
   else
      return true;
   return false;
}

/* Of what there is no handler for. */
static void
say_response(struct agx_iokit *iokit, const struct agx_iokit_call *call)
{
   uint32_t count = 0;
   size_t size_B = 0;
   if (call->output_count && peek_memory(call->output_count, &count, sizeof(count)))
      say_bytes(iokit, "numbers", call->output, MIN2(count, MAX_SCALARS) * sizeof(*call->output));
   if (call->response_B && peek_memory(call->response_B, &size_B, sizeof(size_B)))
      say_bytes(iokit, "response", call->response, size_B);
}

bool
agx_iokit_before(struct agx_iokit *iokit, struct agx_iokit_call *call)
{
   if (!iokit->is_connected && call->selector == AGX_IOKIT_SET_API) {
      iokit->is_connected = true;
      iokit->connection = call->connection;
   }
   if (!iokit->is_connected || call->connection != iokit->connection)
      return false;
   const struct selector *selector = selector_of(call);
   struct agx_iokit_copy copy = {0};
   say_call(iokit, call, selector);
   if (call->selector >= AGX_IOKIT_SELECTORS)
      agx_wrap_report(iokit->wrap, "selector 0x%x: there are 0x%x", call->selector, AGX_IOKIT_SELECTORS);
   if (!selector->before)
      say_bytes(iokit, "request", call->request, call->request_B);
   else if (copy_request(iokit, call, selector, &copy))
      selector->before(iokit, call, &copy);
   return true;
}

static void
free_submissions(struct agx_iokit_call *call)
{
   dynarray_for_each(struct agx_wrap_submission, submission, &call->submissions)
      free((void *)submission->commands);
   dynarray_free(&call->submissions);
}

void
agx_iokit_after(struct agx_iokit *iokit, struct agx_iokit_call *call, int result)
{
   const struct selector *selector = selector_of(call);
   struct agx_iokit_copy copy = {0};
   if (result)
      agx_wrap_say(iokit->wrap, "  fails: 0x%x", (unsigned)result);
   else if (!selector->before && !selector->after)
      say_response(iokit, call);
   else if (selector->after && copy_request(iokit, call, selector, &copy) &&
            copy_response(iokit, call, selector, &copy))
      selector->after(iokit, call, &copy);
   free_submissions(call);
}
