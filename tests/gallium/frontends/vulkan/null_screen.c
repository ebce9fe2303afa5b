#include "null_screen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gallium/include/pipe/p_context.h"
#include "gallium/include/pipe/p_handle.h"

struct null_screen {
   struct pipe_screen base;
};
PIPE_HANDLE(null, screen)

struct null_memory {
   uint64_t size_B;
   char bytes[];
};
PIPE_HANDLE(null, memory)

struct null_resource {
   uint64_t size_B;
   char *bytes;
};
PIPE_HANDLE(null, resource)

struct null_context {
   struct pipe_context base;
};
PIPE_HANDLE(null, context)

static enum pipe_result
memory_create(struct pipe_screen *screen, uint32_t type, uint64_t size_B, int fd, struct pipe_memory **out)
{
   struct null_memory *memory = calloc(1, sizeof(*memory) + size_B);

   if (!memory)
      return PIPE_OUT_OF_HOST_MEMORY;
   memory->size_B = size_B;
   *out = null_memory_handle(memory);
   return PIPE_OK;
}

static void
memory_destroy(struct pipe_screen *screen, struct pipe_memory *memory)
{
   free(null_memory(memory));
}

static void *
memory_map(struct pipe_screen *screen, struct pipe_memory *memory)
{
   return null_memory(memory)->bytes;
}

static enum pipe_result
buffer_create(struct pipe_screen *screen, uint64_t size_B, struct pipe_resource **out)
{
   struct null_resource *buffer = calloc(1, sizeof(*buffer));

   if (!buffer)
      return PIPE_OUT_OF_HOST_MEMORY;
   buffer->size_B = size_B;
   *out = null_resource_handle(buffer);
   return PIPE_OK;
}

static void
resource_destroy(struct pipe_screen *screen, struct pipe_resource *resource)
{
   free(null_resource(resource));
}

static struct pipe_memory_requirements
resource_requirements(const struct pipe_resource *resource)
{
   return (struct pipe_memory_requirements){null_resource(resource)->size_B, 1, 1};
}

static void
resource_bind(struct pipe_resource *resource, struct pipe_memory *memory, uint64_t offset_B)
{
   assert(offset_B + null_resource(resource)->size_B <= null_memory(memory)->size_B && "the resource fits");
   null_resource(resource)->bytes = null_memory(memory)->bytes + offset_B;
}

static enum pipe_result
context_begin(struct pipe_context *ctx, const struct pipe_inheritance *inheritance, bool reusable)
{
   return PIPE_OK;
}

static enum pipe_result
context_end(struct pipe_context *ctx)
{
   return PIPE_OK;
}

static void
context_destroy(struct pipe_context *ctx)
{
   free(null_context(ctx));
}

static void
update_buffer(struct pipe_context *ctx, struct pipe_resource *dst, uint64_t offset_B, uint64_t size_B,
              const void *data)
{
   memcpy(null_resource(dst)->bytes + offset_B, data, size_B);
}

static struct pipe_context *
context_create(struct pipe_screen *screen, unsigned family)
{
   struct null_context *ctx = calloc(1, sizeof(*ctx));

   if (!ctx)
      return NULL;
   ctx->base = (struct pipe_context){.screen = screen,
                                     .destroy = context_destroy,
                                     .begin = context_begin,
                                     .end = context_end,
                                     .update_buffer = update_buffer};
   return &ctx->base;
}

static void
screen_destroy(struct pipe_screen *screen)
{
   free(null_screen(screen));
}

struct pipe_screen *
null_screen_open(int fd)
{
   struct null_screen *screen = calloc(1, sizeof(*screen));

   if (!screen)
      return NULL;
   screen->base = (struct pipe_screen){.caps = {.device_name = "null"},
                                       .destroy = screen_destroy,
                                       .memory_create = memory_create,
                                       .memory_destroy = memory_destroy,
                                       .memory_map = memory_map,
                                       .buffer_create = buffer_create,
                                       .resource_destroy = resource_destroy,
                                       .resource_requirements = resource_requirements,
                                       .resource_bind = resource_bind,
                                       .context_create = context_create};
   return &screen->base;
}
