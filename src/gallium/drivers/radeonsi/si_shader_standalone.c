#include "gallium/drivers/radeonsi/si_shader_standalone.h"

#include "amd/common/ac_format.h"
#include "amd/hw/chips.h"
#include "compiler/nir/nir.h"
#include "gallium/auxiliary/aux_shader_standalone.h"
#include "gallium/drivers/radeonsi/shader/si_stage.h"
#include "util/format_enum.h"

/* Where the kernel puts the range of 32-bit addresses. */
#define ADDRESS32_HI 0xffff8000u

static bool
init_screen(struct si_screen *screen, const struct amd_chip *chip)
{
   const struct ac_gpu_source source = {
      .family = chip->family,
      .external_rev = chip->external_rev,
      .num_se = chip->num_se,
      .num_cu = chip->num_cu_active,
      .num_rb = chip->num_rb_pipes,
      .enabled_rb_mask = chip->enabled_rb_pipes_mask,
      .gb_addr_config = chip->gb_addr_config,
      .address32_hi = ADDRESS32_HI,
      .clock_kHz = chip->gpu_counter_freq_kHz,
   };

   si_init_descriptor_write(screen);
   si_init_limits(&screen->base.caps);
   const bool known = ac_gpu_info_init(&screen->info, &source);
   screen->ngg = si_ngg_choose(&screen->info);
   return known;
}

static void
add_attributes(struct nir_shader *nir, struct si_shader_options *options)
{
   struct pipe_vertex_attribute *attributes =
      arena_array(nir->arena, struct pipe_vertex_attribute, PIPE_MAX_VERTEX_ATTRIBUTES);

   options->nir.attributes = attributes;
   options->nir.num_attributes = PIPE_MAX_VERTEX_ATTRIBUTES;
   options->aco.vs.export_clip_dists = true;
   for (unsigned i = 0; i < PIPE_MAX_VERTEX_ATTRIBUTES; i++)
      attributes[i] = (struct pipe_vertex_attribute){
         .format = FORMAT_R32G32B32A32_SFLOAT, .location = (uint8_t)i, .binding = (uint8_t)i};
}

static void
add_targets(struct nir_shader *nir, struct si_shader_options *options)
{
   struct aco_options *aco = &options->aco;
   struct ac_color_format color;

   ac_format_color(FORMAT_R8G8B8A8_UNORM, &color);
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++)
      aco->ps.col_format |= (uint32_t)color.export_format << 4 * i;
   nir_foreach_variable(var, nir)
      aco->ps.dual_source |= var->mode == NIR_VAR_SHADER_OUT && var->frag_index == 1;
   si_nir_lower_point_coord(nir);
}

static void (*const add_pipeline[NIR_STAGES])(struct nir_shader *nir, struct si_shader_options *options) = {
   [NIR_STAGE_VERTEX] = add_attributes,
   [NIR_STAGE_FRAGMENT] = add_targets,
};

bool
si_shader_standalone_has(const struct amd_chip *chip)
{
   struct arena arena = {0};
   const bool has = init_screen(arena_new(&arena, struct si_screen), chip);

   arena_free(&arena);
   return has;
}

struct si_shader_options *
si_shader_standalone_options(const struct amd_chip *chip, struct nir_shader *nir, struct aco_stage *stage)
{
   struct si_screen *screen = arena_new(nir->arena, struct si_screen);
   struct si_shader_options *options = arena_new(nir->arena, struct si_shader_options);

   if (!init_screen(screen, chip))
      return NULL;
   *stage = si_stage(screen, nir);
   *options = si_shader_options(screen, nir, aux_shader_standalone_layout(nir, &screen->base.caps));
   if (add_pipeline[nir->stage])
      add_pipeline[nir->stage](nir, options);
   return options;
}
