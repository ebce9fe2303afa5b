#include "gallium/drivers/asahi/meta/agx_meta.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir.h"
#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "gallium/drivers/asahi/encode/agx_encode_cdm.h"
#include "util/macros.h"
#include "util/within_memory.h"

struct creation {
   struct agx_screen *screen;
   struct arena arena;
   bool ok;
};

static void
create_programs(void *data)
{
   struct creation *c = data;
   struct agx_meta *meta = c->screen->meta;

   for (unsigned i = 0; i < AGX_META_PROGRAMS && c->ok; i++) {
      struct nir_shader *nir = agx_meta_build(&c->arena, i);

      c->ok = agx_compute_program_create(&c->screen->base, nir, &(struct pipe_compute_options){0},
                                         &meta->programs[i]) == PIPE_OK;
   }
}

bool
agx_meta_create(struct agx_screen *screen)
{
   struct creation c = {.screen = screen, .ok = true};
   bool ok;

   screen->meta = calloc(1, sizeof(*screen->meta));
   if (!screen->meta)
      return false;
   ok = within_memory(create_programs, &c) && c.ok;
   arena_free(&c.arena);
   return ok;
}

void
agx_meta_destroy(struct agx_screen *screen)
{
   for (unsigned i = 0; i < AGX_META_PROGRAMS; i++) {
      if (screen->meta->programs[i])
         screen->base.program_destroy(&screen->base, screen->meta->programs[i]);
   }
   free(screen->meta);
   screen->meta = NULL;
}

void
agx_meta_dispatch_texture(struct agx_context *ctx, enum agx_meta_program number, const struct agx_meta_table *table,
                          const uint32_t texture[6])
{
   const struct agx_program *program = agx_program(ctx->screen->meta->programs[number]);
   struct agx_tables tables = {.dw[AGX_TABLE_STAGE] = AGX_META_TABLE_DW};
   struct agx_launch launch = {0};

   memcpy(agx_upload_alloc(ctx, sizeof(*table), 16, &tables.va[AGX_TABLE_STAGE]), table, sizeof(*table));
   if (texture)
      memcpy(agx_upload_alloc(ctx, 24, 16, &launch.texture_va), texture, 24);
   for (unsigned i = 0; i < 3; i++)
      launch.threads[i] = (uint32_t)align_up(table->size[i], program->workgroup_size[i]);
   agx_compute_launch(ctx, program, &tables, &launch);
}

void
agx_meta_dispatch(struct agx_context *ctx, enum agx_meta_program number, const struct agx_meta_table *table)
{
   agx_meta_dispatch_texture(ctx, number, table, NULL);
}

void
agx_init_meta(struct agx_context *ctx)
{
   agx_init_meta_copy(ctx);
   agx_init_meta_clear(ctx);
}
