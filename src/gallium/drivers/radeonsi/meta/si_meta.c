#include "gallium/drivers/radeonsi/meta/si_meta.h"

#include <stdlib.h>

#include "amd/common/ac_format.h"
#include "amd/hw/descriptors.h"
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/resource/si_dcc.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/format_enum.h"
#include "util/macros.h"
#include "util/within_memory.h"

/* A target format for each way to export. */
static const uint32_t clear_formats[SI_META_CLEAR_COUNT] = {
   [SI_META_CLEAR_FLOAT] = FORMAT_R16G16B16A16_SFLOAT,
   [SI_META_CLEAR_UINT16] = FORMAT_R16G16B16A16_UINT,
   [SI_META_CLEAR_SINT16] = FORMAT_R16G16B16A16_SINT,
   [SI_META_CLEAR_32] = FORMAT_R32G32B32A32_UINT,
   [SI_META_CLEAR_DEPTH] = 0,
};

static bool
create_compute(struct si_screen *screen, struct arena *arena, enum si_meta_compute kind)
{
   struct nir_shader *nir = si_meta_build_compute(arena, kind, &screen->info);
   const struct pipe_compute_options options = {.layout = si_meta_layout(arena, kind)};

   if (nir &&
       screen->base.compute_program_create(&screen->base, nir, &options, &screen->meta->compute[kind]) == PIPE_OK)
      return true;
   screen->meta->compute[kind] = NULL;
   return false;
}

/* Only for the first target, or for whichever the mask of the framebuffer chooses. */
static bool
create_clear(struct si_screen *screen, struct arena *arena, struct pipe_program **out, enum si_meta_clear kind,
             unsigned num_targets)
{
   struct pipe_graphics_state state = {.samples = 1, .topology = PIPE_TRIANGLE_LIST};
   const struct pipe_graphics_options options = {.state = &state};
   struct nir_shader *shaders[NIR_STAGES] = {[NIR_STAGE_VERTEX] = si_meta_build_clear_vertex(arena)};
   enum pipe_result result;

   if (kind != SI_META_CLEAR_DEPTH) {
      shaders[NIR_STAGE_FRAGMENT] = si_meta_build_clear_fragment(arena, kind, num_targets);
      state.targets.num_colors = num_targets;
      state.color_write_mask = UINT32_MAX;
      for (unsigned i = 0; i < num_targets; i++)
         state.targets.color_formats[i] = clear_formats[kind];
   }
   result = screen->base.graphics_program_create(&screen->base, shaders, &options, out);
   if (result != PIPE_OK)
      *out = NULL;
   return result == PIPE_OK;
}

static bool
create_samplers(struct si_screen *screen)
{
   for (unsigned filter = 0; filter < 2; filter++) {
      struct pipe_sampler_desc desc = {.mag = filter,
                                       .min = filter,
                                       .wrap_u = PIPE_WRAP_CLAMP_TO_EDGE,
                                       .wrap_v = PIPE_WRAP_CLAMP_TO_EDGE,
                                       .wrap_w = PIPE_WRAP_CLAMP_TO_EDGE,
                                       .max_anisotropy = 1};

      if (screen->base.sampler_create(&screen->base, &desc, &screen->meta->samplers[filter]) != PIPE_OK)
         return false;
   }
   return true;
}

struct creation {
   struct si_screen *screen;
   struct arena arena;
   bool ok;
};

static void
create_programs(void *data)
{
   struct creation *c = data;

   for (unsigned i = 0; i < SI_META_COMPUTE_COUNT && c->ok; i++) {
      if (i == SI_META_COPY_RATES && !c->screen->info.rates_in_htile)
         continue;
      c->ok = create_compute(c->screen, &c->arena, i);
   }
   for (unsigned i = 0; i < SI_META_CLEAR_COUNT && c->ok; i++)
      c->ok = create_clear(c->screen, &c->arena, &c->screen->meta->clear[i], i, 1);
   for (unsigned i = 0; i < SI_META_CLEAR_DEPTH && c->ok; i++)
      c->ok = create_clear(c->screen, &c->arena, &c->screen->meta->clear_any[i], i, PIPE_MAX_COLOR_TARGETS);
}

bool
si_meta_create(struct si_screen *screen)
{
   struct creation c = {.screen = screen, .ok = true};
   bool ok;

   screen->meta = calloc(1, sizeof(*screen->meta));
   if (!screen->meta)
      return false;
   ok = within_memory(create_programs, &c) && c.ok;
   arena_free(&c.arena);
   return ok && create_samplers(screen);
}

void
si_meta_destroy(struct si_screen *screen)
{
   struct si_meta *meta = screen->meta;

   for (unsigned i = 0; i < SI_META_COMPUTE_COUNT; i++) {
      if (meta->compute[i])
         screen->base.program_destroy(&screen->base, meta->compute[i]);
   }
   for (unsigned i = 0; i < SI_META_CLEAR_COUNT; i++) {
      if (meta->clear[i])
         screen->base.program_destroy(&screen->base, meta->clear[i]);
      if (meta->clear_any[i])
         screen->base.program_destroy(&screen->base, meta->clear_any[i]);
   }
   free(meta->samplers[0]);
   free(meta->samplers[1]);
   free(meta);
   screen->meta = NULL;
}

void
si_internal_dispatch(struct si_context *ctx, const struct si_program *program, const void *table, unsigned dw,
                     const uint32_t size[3])
{
   struct si_cs *cs = &ctx->cs;
   uint64_t va;

   memcpy(si_upload_alloc(ctx, dw, 8, &va), table, dw * 4);
   si_pause_statistics(ctx);
   si_pm4_emit(cs, &program->regs);
   si_cs_reserve(cs, 2 * 3 + 5);
   si_cs_sh_reg(cs, R_COMPUTE_USER_DATA_0 + 4 * SI_SGPR_PUSH_CONSTANTS, (uint32_t)va);
   si_cs_sh_reg(cs, R_COMPUTE_USER_DATA_0 + 4 * SI_SGPR_SETS, (uint32_t)va);
   si_packet(cs, dispatch_direct, .dim_x = (uint32_t)div_round_up(size[0], program->workgroup_size[0]),
             .dim_y = (uint32_t)div_round_up(size[1], program->workgroup_size[1]),
             .dim_z = (uint32_t)div_round_up(size[2], program->workgroup_size[2]),
             .initiator = si_dispatch_initiator(program, true));
   si_resume_statistics(ctx);
   ctx->compute_program_dirty = true;
   si_forget_user_data(ctx, PIPE_BIND_COMPUTE);
}

void
si_meta_dispatch_words(struct si_context *ctx, enum si_meta_compute kind, const struct si_meta_table *table,
                       unsigned dw)
{
   si_internal_dispatch(ctx, si_program(ctx->screen->meta->compute[kind]), table, dw, table->size);
}

void
si_meta_dispatch(struct si_context *ctx, enum si_meta_compute kind, const struct si_meta_table *table)
{
   si_meta_dispatch_words(ctx, kind, table, SI_META_TABLE_DW);
}

uint32_t
si_meta_raw_format(unsigned element_log2)
{
   static const uint8_t formats[] = {
      V_GFX10_FORMAT_8_UINT,     V_GFX10_FORMAT_16_UINT,          V_GFX10_FORMAT_32_UINT,
      V_GFX10_FORMAT_32_32_UINT, V_GFX10_FORMAT_32_32_32_32_UINT,
   };

   return formats[element_log2];
}

uint32_t
si_meta_plane_format(const struct si_resource *image, enum si_plane plane)
{
   if (image->plane_format[plane] != image->desc.format)
      return ac_format_image(image->plane_format[plane]);
   if (image->has_metadata)
      return si_dcc_plane_format(image);
   return si_meta_raw_format(image->planes[plane].element_log2);
}

void
si_meta_raw_image(const struct si_context *ctx, const struct si_resource *image, enum si_plane plane, unsigned level,
                  bool stores, uint32_t words[8])
{
   const struct si_plane_view view = {.image = image,
                                      .plane = plane,
                                      .level = level,
                                      .format = si_meta_plane_format(image, plane),
                                      .select = {V_SQ_SEL_X, V_SQ_SEL_Y, V_SQ_SEL_Z, V_SQ_SEL_W},
                                      .stores = stores};

   si_plane_descriptor(ctx->screen->info.gen, &view, words);
}

void
si_init_meta(struct si_context *ctx)
{
   si_init_meta_copy(ctx);
   si_init_meta_clear(ctx);
   si_init_meta_blit(ctx);
}
