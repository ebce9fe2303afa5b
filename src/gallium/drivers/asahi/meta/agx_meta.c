#include "gallium/drivers/asahi/meta/agx_meta.h"

#include <stdlib.h>
#include <string.h>

#include "gallium/drivers/asahi/agx_add_spv.h"
#include "gallium/drivers/asahi/agx_clear_0_spv.h"
#include "gallium/drivers/asahi/agx_clear_1_spv.h"
#include "gallium/drivers/asahi/agx_clear_2_spv.h"
#include "gallium/drivers/asahi/agx_clear_3_spv.h"
#include "gallium/drivers/asahi/agx_clear_4_spv.h"
#include "gallium/drivers/asahi/agx_copy_0_spv.h"
#include "gallium/drivers/asahi/agx_copy_1_spv.h"
#include "gallium/drivers/asahi/agx_copy_2_spv.h"
#include "gallium/drivers/asahi/agx_copy_3_spv.h"
#include "gallium/drivers/asahi/agx_copy_4_spv.h"
#include "gallium/drivers/asahi/agx_copy_bytes_spv.h"
#include "gallium/drivers/asahi/agx_copy_indirect_spv.h"
#include "gallium/drivers/asahi/agx_copy_queries_spv.h"
#include "gallium/drivers/asahi/agx_copy_words_spv.h"
#include "gallium/drivers/asahi/agx_count_spv.h"
#include "gallium/drivers/asahi/agx_decompress_spv.h"
#include "gallium/drivers/asahi/agx_decompress_samples_spv.h"
#include "gallium/drivers/asahi/agx_fill_spv.h"
#include "gallium/drivers/asahi/agx_limit_draws_spv.h"
#include "gallium/drivers/asahi/agx_load_spv.h"
#include "gallium/drivers/asahi/agx_load_samples_spv.h"
#include "gallium/drivers/asahi/agx_solid_spv.h"
#include "gallium/drivers/asahi/agx_write_table_spv.h"
#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "gallium/drivers/asahi/encode/agx_encode_cdm.h"
#include "gallium/drivers/asahi/program/agx_glsl_programs.h"
#include "util/macros.h"

static_assert(AGX_META_TILE_SA == AIL_COMPRESSION_TILE_SA && AGX_META_TILE_SA == 1 << AGX_META_TILE_LOG2,
              "a workgroup is a tile");

#define BY_SIZE(first, name)                                                                                         \
   [first] = {AGX_GLSL_MODULE(name##_0_spv)}, [first + 1] = {AGX_GLSL_MODULE(name##_1_spv)},                 \
   [first + 2] = {AGX_GLSL_MODULE(name##_2_spv)}, [first + 3] = {AGX_GLSL_MODULE(name##_3_spv)},             \
   [first + 4] = {AGX_GLSL_MODULE(name##_4_spv)}

static const struct agx_glsl_module modules[AGX_META_PROGRAMS] = {
   BY_SIZE(AGX_META_COPY, agx_copy),
   BY_SIZE(AGX_META_CLEAR, agx_clear),
   [AGX_META_FILL] = {AGX_GLSL_MODULE(agx_fill_spv)},
   [AGX_META_COPY_INDIRECT] = {AGX_GLSL_MODULE(agx_copy_indirect_spv)},
   [AGX_META_COPY_WORDS] = {AGX_GLSL_MODULE(agx_copy_words_spv)},
   [AGX_META_COPY_BYTES] = {AGX_GLSL_MODULE(agx_copy_bytes_spv)},
   [AGX_META_COPY_QUERIES] = {AGX_GLSL_MODULE(agx_copy_queries_spv)},
   [AGX_META_LIMIT_DRAWS] = {AGX_GLSL_MODULE(agx_limit_draws_spv)},
   [AGX_META_COUNT] = {AGX_GLSL_MODULE(agx_count_spv)},
   [AGX_META_ADD] = {AGX_GLSL_MODULE(agx_add_spv)},
   [AGX_META_WRITE_TABLE] = {AGX_GLSL_MODULE(agx_write_table_spv)},
   [AGX_META_LOAD] = {AGX_GLSL_MODULE(agx_load_spv)},
   [AGX_META_LOAD_SAMPLES] = {AGX_GLSL_MODULE(agx_load_samples_spv)},
   [AGX_META_DECOMPRESS] = {AGX_GLSL_MODULE(agx_decompress_spv)},
   [AGX_META_DECOMPRESS_SAMPLES] = {AGX_GLSL_MODULE(agx_decompress_samples_spv)},
   [AGX_META_SOLID] = {AGX_GLSL_MODULE(agx_solid_spv)},
};

bool
agx_meta_create(struct agx_screen *screen)
{
   screen->meta = calloc(1, sizeof(*screen->meta));
   return screen->meta &&
          agx_glsl_programs_create(screen, modules, AGX_META_PROGRAMS, agx_nir_meta, screen->meta->programs);
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
   struct agx_tables tables = {.dw[AGX_TABLE_PUSH] = AGX_META_TABLE_DW};
   struct agx_launch launch = {0};

   memcpy(agx_upload_alloc(ctx, sizeof(*table), 16, &tables.va[AGX_TABLE_PUSH]), table, sizeof(*table));
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
