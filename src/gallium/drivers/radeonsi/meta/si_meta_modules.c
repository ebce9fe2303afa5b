/* The internal compute programs: GLSL, built to SPIR-V with the project. */
#include <stddef.h>

#include "compiler/nir/nir.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/si_blit_3d_spv.h"
#include "gallium/drivers/radeonsi/si_blit_spv.h"
#include "gallium/drivers/radeonsi/si_buffer_to_image_spv.h"
#include "gallium/drivers/radeonsi/si_clear_blocks_spv.h"
#include "gallium/drivers/radeonsi/si_clear_image_ms_spv.h"
#include "gallium/drivers/radeonsi/si_clear_image_spv.h"
#include "gallium/drivers/radeonsi/si_copy_image_ms_spv.h"
#include "gallium/drivers/radeonsi/si_copy_image_spv.h"
#include "gallium/drivers/radeonsi/si_copy_indirect_spv.h"
#include "gallium/drivers/radeonsi/si_copy_queries_spv.h"
#include "gallium/drivers/radeonsi/si_expand_ms_spv.h"
#include "gallium/drivers/radeonsi/si_expand_spv.h"
#include "gallium/drivers/radeonsi/si_image_to_buffer_spv.h"
#include "gallium/drivers/radeonsi/si_merge_words_spv.h"
#include "gallium/drivers/radeonsi/si_resolve_spv.h"
#include "util/log.h"
#include "util/macros.h"

static const struct module {
   const char *name;
   const uint32_t *words;
   size_t count;
} modules[SI_META_COMPUTE_COUNT] = {
#define MODULE(name) {#name, si_##name##_spv, ARRAY_SIZE(si_##name##_spv)}
   [SI_META_COPY_IMAGE] = MODULE(copy_image),
   [SI_META_COPY_IMAGE_MS] = MODULE(copy_image_ms),
   [SI_META_IMAGE_TO_BUFFER] = MODULE(image_to_buffer),
   [SI_META_BUFFER_TO_IMAGE] = MODULE(buffer_to_image),
   [SI_META_BLIT] = MODULE(blit),
   [SI_META_BLIT_3D] = MODULE(blit_3d),
   [SI_META_RESOLVE] = MODULE(resolve),
   [SI_META_CLEAR_IMAGE] = MODULE(clear_image),
   [SI_META_CLEAR_IMAGE_MS] = MODULE(clear_image_ms),
   [SI_META_COPY_QUERIES] = MODULE(copy_queries),
   [SI_META_COPY_INDIRECT] = MODULE(copy_indirect),
   [SI_META_MERGE_WORDS] = MODULE(merge_words),
   [SI_META_EXPAND] = MODULE(expand),
   [SI_META_EXPAND_MS] = MODULE(expand_ms),
   [SI_META_CLEAR_BLOCKS] = MODULE(clear_blocks),
#undef MODULE
};

_Static_assert(SI_META_PLACES == PIPE_STATISTICS, "copies of queries know all counters");

struct nir_shader *
si_meta_build_compute(struct arena *arena, enum si_meta_compute kind, const struct ac_gpu_info *info)
{
   static const struct spirv_options options = {
      .stage = NIR_STAGE_COMPUTE, .features = SPIRV_FEATURE_ALL, .offered = SPIRV_FEATURE_ALL};
   const struct module *module = &modules[kind];
   const char *error;

   if (kind == SI_META_COPY_RATES)
      return si_meta_build_copy_rates(arena, info);
   struct nir_shader *shader = spirv_to_nir(arena, module->words, module->count, &options, &error);

   if (shader)
      shader->name = module->name;
   else
      log_error("radeonsi: internal program %s: %s", module->name, error);
   return shader;
}

#define SRC_B offsetof(struct si_meta_table, src)
#define DST_B offsetof(struct si_meta_table, dst)
#define SAMPLER_B offsetof(struct si_meta_table, sampler_words)

static const struct {
   enum pipe_descriptor kind;
   uint32_t offset_B;
} bindings[SI_META_BINDINGS] = {
   [SI_META_SRC_IMAGE] = {PIPE_DESCRIPTOR_STORAGE_IMAGE, SRC_B},
   [SI_META_DST_IMAGE] = {PIPE_DESCRIPTOR_STORAGE_IMAGE, DST_B},
   [SI_META_SRC_TEXTURE] = {PIPE_DESCRIPTOR_SAMPLED_IMAGE, SRC_B},
   [SI_META_SAMPLER] = {PIPE_DESCRIPTOR_SAMPLER, SAMPLER_B},
   [SI_META_SRC_TEXELS] = {PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER, SRC_B},
   [SI_META_DST_TEXELS] = {PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER, DST_B},
   [SI_META_SRC_WORDS] = {PIPE_DESCRIPTOR_STORAGE_BUFFER, SRC_B},
   [SI_META_DST_WORDS] = {PIPE_DESCRIPTOR_STORAGE_BUFFER, DST_B},
};

const struct pipe_pipeline_layout *
si_meta_layout(struct arena *arena, enum si_meta_compute kind)
{
   if (kind == SI_META_COPY_RATES)
      return NULL;
   struct pipe_pipeline_layout *layout = arena_alloc(arena, sizeof(*layout));
   struct pipe_set_layout *set = arena_alloc(arena, sizeof(*set) + SI_META_BINDINGS * sizeof(set->bindings[0]));

   *set = (struct pipe_set_layout){.num_bindings = SI_META_BINDINGS, .size_B = sizeof(struct si_meta_table)};
   for (unsigned i = 0; i < SI_META_BINDINGS; i++)
      set->bindings[i] = (struct pipe_set_binding){
         .kind = bindings[i].kind, .count = 1, .planes = 1, .offset_B = bindings[i].offset_B};
   *layout = (struct pipe_pipeline_layout){
      .num_sets = 1, .sets = {set}, .push_constant_B = sizeof(struct si_meta_table) + 4 * SI_META_PLACES};
   return layout;
}
