/* What graphics programs say in the records of draws. */
#include "gallium/drivers/asahi/agx_record_mutant.h"
#include "gallium/drivers/asahi/program/agx_graphics_program.h"
#include "util/format.h"

static enum agx_pass_type
pass_type(const struct agx_fragment_info *info)
{
   if (info->reads_tile)
      return info->tests_late ? AGX_PASS_TYPE_TRANSLUCENT_PUNCH_THROUGH : AGX_PASS_TYPE_TRANSLUCENT;
   if (info->writes_memory)
      return info->tests_late ? AGX_PASS_TYPE_TRANSLUCENT_PUNCH_THROUGH : AGX_PASS_TYPE_TRANSLUCENT;
   if (info->tests_late)
      return info->keeps_colors ? AGX_PASS_TYPE_TRANSLUCENT_PUNCH_THROUGH : AGX_PASS_TYPE_PUNCH_THROUGH;
   return info->keeps_colors ? AGX_PASS_TYPE_TRANSLUCENT : AGX_PASS_TYPE_OPAQUE;
}

static enum agx_conservative_depth
conservative_depth(enum nir_depth_layout layout)
{
   static const enum agx_conservative_depth of[] = {
      [NIR_DEPTH_LAYOUT_ANY] = AGX_CONSERVATIVE_DEPTH_ANY,
      [NIR_DEPTH_LAYOUT_GREATER] = AGX_CONSERVATIVE_DEPTH_GREATER,
      [NIR_DEPTH_LAYOUT_LESS] = AGX_CONSERVATIVE_DEPTH_LESS,
      [NIR_DEPTH_LAYOUT_UNCHANGED] = AGX_CONSERVATIVE_DEPTH_UNCHANGED,
   };

   return of[layout];
}

void
agx_fragment_words(struct agx_graphics_program *g, const struct agx_fragment_info *info, enum nir_depth_layout layout,
                   const struct agx_output *out)
{
   bool idle = !info->writes_colors && !info->writes_memory && !info->tests_late;
   struct agx_fragment_control_2 control = {
      .unk_9 = true,
      .tag_write_disable = idle,
      .disable_tri_merging = out->fs.disables_tri_merging || info->writes_memory || info->spills,
      .pass_type = idle ? AGX_PASS_TYPE_OPAQUE : pass_type(info),
   };
   struct agx_front_face_2 face = {
      .disable_depth_write = !info->writes_depth,
      .conservative_depth = info->writes_depth ? conservative_depth(layout) : AGX_CONSERVATIVE_DEPTH_UNCHANGED,
      .depth_function = AGX_ZS_FUNC_ALWAYS,
   };
   struct agx_usc_fragment_properties properties = {
      .early_z_testing = !info->tests_late, .unk_9 = true, .unk_12 = 0xf, .unk_16 = 2};

   agx_mutate_struct(MUTANT_agx_fragment_control_2, info->writes_memory && !info->reads_tile ? AGX_MUTANT_STORES : 0,
                     &control);
   agx_fragment_control_2_pack(&g->control_2, &control);
   agx_front_face_2_pack(&g->face_2, &face);
   agx_usc_fragment_properties_pack(&g->fragment_properties, &properties);
}

void
agx_varying_words(struct agx_graphics_program *g, const struct agx_vertex_words *w,
                  const struct agx_fragment_reads *reads, struct agx_primitives prims, bool reads_coefficients)
{
   static const enum agx_ppp_vertex ppp_vertex[] = {AGX_PPP_VERTEX_0, AGX_PPP_VERTEX_1, AGX_PPP_VERTEX_2};
   static const enum agx_vdm_vertex vdm_vertex[] = {AGX_VDM_VERTEX_0, AGX_VDM_VERTEX_1, AGX_VDM_VERTEX_2};
   const unsigned provoking = agx_provoking_vertex(prims);
   struct agx_varying_counts_32 counts_32 = {w->counts_32.smooth, w->counts_32.flat, w->counts_32.linear};
   struct agx_varying_counts_16 counts_16 = {w->counts_16.smooth, w->counts_16.flat, w->counts_16.linear};
   struct agx_output_select select = {
      .varyings = reads_coefficients,
      .point_size = w->point_size,
      .viewport_target = w->layer_viewport,
      .render_target = w->layer_viewport,
      .frag_coord_z = reads->frag_coord_z,
   };
   struct agx_cull cull = {.flat_shading_vertex = ppp_vertex[provoking]};
   struct agx_cull_2 cull_2 = {.needs_primitive_id = reads->primitive_id};
   struct agx_vdm_vertex_outputs outputs = {w->words, w->words};
   struct agx_vdm_vertex_unknown unknown = {.flat_shading_control = vdm_vertex[provoking],
                                            .generate_primitive_id = reads->primitive_id};

   agx_varying_counts_32_pack(&g->varying_counts_32, &counts_32);
   agx_varying_counts_16_pack(&g->varying_counts_16, &counts_16);
   agx_output_select_pack(&g->output_select, &select);
   g->output_select |= (1u << w->num_clip) - 1; /* bit i: plane i */
   agx_cull_pack(&g->cull, &cull);
   agx_cull_2_pack(&g->cull_2, &cull_2);
   agx_vdm_vertex_outputs_pack(&g->vertex_outputs, &outputs);
   agx_vdm_vertex_unknown_pack(&g->vertex_unknown, &unknown);
   g->output_size = w->words;
}

bool
agx_upload_bindings(struct agx_screen *screen, struct agx_graphics_program *g, const struct agx_cf_bindings *b,
                    unsigned num_cf)
{
   struct agx_cf_binding_header header = {.slots_dw = b->slots_32, .coefficient_registers = num_cf};
   uint32_t words[1 + AGX_MAX_BINDINGS];

   agx_cf_binding_header_pack(words, &header);
   for (unsigned i = 0; i < b->count; i++)
      agx_cf_binding_pack(&words[1 + i], &b->binding[i]);
   g->cf_bindings_count = b->count;
   g->cf_bindings = aux_code_upload(&screen->code, words, 4 * (1 + b->count));
   return g->cf_bindings.block;
}

void
agx_fill_attributes(struct agx_graphics_program *g, const struct pipe_graphics_options *options)
{
   g->num_attributes = options->state->attributes.count;
   for (unsigned i = 0; i < g->num_attributes; i++) {
      const struct pipe_vertex_attribute *from = &options->state->attributes.of[i];
      const struct format_info *info = format_info(from->format);

      g->attributes[i] = (struct agx_attribute){
         .binding = from->binding, .element_B = info ? info->block_size_B : 4, .offset_B = from->offset_B};
   }
}
