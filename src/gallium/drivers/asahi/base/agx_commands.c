/* What a context writes into memory, and its list of commands. */
#include "gallium/drivers/asahi/agx_context.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

/* ---- memory ---- */

void *
agx_upload_alloc(struct agx_context *ctx, uint32_t size_B, uint32_t align_B, uint64_t *va)
{
   return aux_upload_alloc(&ctx->upload, size_B, align_B, va, &ctx->failed);
}

void *
agx_usc_alloc(struct agx_context *ctx, uint32_t size_B, uint32_t align_B, uint32_t *offset_B)
{
   uint64_t va;
   void *map = aux_upload_alloc(&ctx->usc_upload, size_B, align_B, &va, &ctx->failed);

   *offset_B = (uint32_t)(va - asahi_ws_info(ctx->screen->ws)->usc_base);
   return map;
}

/* ---- commands ---- */

/* Written when there is no memory for more. */
static _Thread_local struct asahi_ws_command spare_command;

struct asahi_ws_command *
agx_add_command(struct agx_context *ctx, bool render)
{
   struct asahi_ws_command *command = &spare_command;

   if (ctx->num_commands == ctx->max_commands) {
      uint32_t max = MAX2(2 * ctx->max_commands, 8u);
      void *commands = realloc(ctx->commands, max * sizeof(*ctx->commands));

      if (commands) {
         ctx->commands = commands;
         ctx->max_commands = max;
      }
   }
   if (ctx->num_commands < ctx->max_commands)
      command = &ctx->commands[ctx->num_commands++];
   else
      ctx->failed = true;
   memset(command, 0, sizeof(*command));
   command->render = render;
   return command;
}

void
agx_add_segment(struct agx_context *ctx)
{
   struct agx_render *render = &ctx->graphics.render;

   if (ctx->num_segments == ctx->max_segments) {
      uint32_t max = MAX2(2 * ctx->max_segments, 8u);
      void *segments = realloc(ctx->segments, max * sizeof(*ctx->segments));

      if (!segments) {
         ctx->failed = true;
         return;
      }
      ctx->segments = segments;
      ctx->max_segments = max;
   }
   ctx->segments[ctx->num_segments++] = (struct agx_segment){.commands = ctx->num_commands,
                                                             .event_waits = ctx->num_event_waits,
                                                             .heap_va = render->heap_va,
                                                             .heap_B = render->heap_B,
                                                             .heap_used_B = render->heap_used_B};
   render->heap_va = render->heap_used_B = render->heap_B = 0;
}

void
agx_add_event_wait(struct agx_context *ctx, uint32_t commands, const uint32_t *word)
{
   if (ctx->num_event_waits == ctx->max_event_waits) {
      uint32_t max = MAX2(2 * ctx->max_event_waits, 8u);
      void *waits = realloc(ctx->event_waits, max * sizeof(*ctx->event_waits));

      if (!waits) {
         ctx->failed = true;
         return;
      }
      ctx->event_waits = waits;
      ctx->max_event_waits = max;
   }
   ctx->event_waits[ctx->num_event_waits++] = (struct agx_event_wait){commands, word};
}
