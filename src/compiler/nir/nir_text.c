#include "compiler/nir/nir_text.h"

#include <string.h>

#include "util/macros.h"

#define WORDS(name, ...)                                                                                             \
   static const char *const name##_list[] = {__VA_ARGS__};                                                           \
   const struct nir_words name = {name##_list, ARRAY_SIZE(name##_list)}

const struct nir_words nir_stage_words = {nir_stage_names, NIR_STAGES};
WORDS(nir_base_words, "void", "bool", "int", "uint", "float", "array", "struct", "image", "sampler", "sampled_image");
WORDS(nir_dim_words, "d1", "d2", "d3", "cube", "buf", "ms", "subpass", "subpass_ms");
/* By bit number. */
WORDS(nir_mode_words, "temp", "in", "out", "uniform", "ubo", "ssbo", "push_const", "shared", "constant",
      "task_payload", "global");
WORDS(nir_interp_words, "smooth", "flat", "noperspective");
WORDS(nir_tex_op_words, "tex", "txb", "txl", "txd", "txf", "txf_ms", "txs", "lod", "tg4", "query_levels",
      "texture_samples");
WORDS(nir_tex_src_words, "coord", "projector", "comparator", "offset", "bias", "lod", "min_lod", "ddx", "ddy",
      "ms_index", "texture_deref", "sampler_deref", "texture_desc", "texture_desc_hi", "sampler_desc",
      "texture_handle", "sampler_handle");
WORDS(nir_depth_layout_words, "any", "greater", "less", "unchanged");

#define VAR(n) [NIR_SLOT_VAR0 + n] = "VAR" #n
#define DATA(n) [NIR_SLOT_FRAG_DATA0 + n] = "FRAG_DATA" #n
WORDS(nir_slot_words, [NIR_SLOT_POS] = "POS", [NIR_SLOT_PSIZ] = "PSIZ", [NIR_SLOT_SHADING_RATE] = "SHADING_RATE",
      [NIR_SLOT_CLIP_DIST0] = "CLIP_DIST0", [NIR_SLOT_CLIP_DIST1] = "CLIP_DIST1",
      [NIR_SLOT_CULL_DIST0] = "CULL_DIST0", [NIR_SLOT_CULL_DIST1] = "CULL_DIST1", [NIR_SLOT_LAYER] = "LAYER",
      [NIR_SLOT_VIEWPORT] = "VIEWPORT", [NIR_SLOT_PRIMITIVE_ID] = "PRIMITIVE_ID", VAR(0), VAR(1), VAR(2), VAR(3),
      VAR(4), VAR(5), VAR(6), VAR(7), VAR(8), VAR(9), VAR(10), VAR(11), VAR(12), VAR(13), VAR(14), VAR(15), VAR(16),
      VAR(17), VAR(18), VAR(19), VAR(20), VAR(21), VAR(22), VAR(23), VAR(24), VAR(25), VAR(26), VAR(27), VAR(28),
      VAR(29), VAR(30), VAR(31), [NIR_SLOT_FRAG_DEPTH] = "FRAG_DEPTH", [NIR_SLOT_FRAG_STENCIL] = "FRAG_STENCIL",
      [NIR_SLOT_FRAG_SAMPLE_MASK] = "FRAG_SAMPLE_MASK", DATA(0), DATA(1), DATA(2), DATA(3), DATA(4), DATA(5), DATA(6),
      DATA(7), [NIR_SLOT_BARY_COORD] = "BARY_COORD", [NIR_SLOT_PRIMITIVE_INDICES] = "PRIMITIVE_INDICES",
      [NIR_SLOT_CULL_PRIMITIVE] = "CULL_PRIMITIVE", [NIR_SLOT_TESS_LEVEL_OUTER] = "TESS_LEVEL_OUTER",
      [NIR_SLOT_TESS_LEVEL_INNER] = "TESS_LEVEL_INNER");

static const struct nir_words atomic_words = {nir_atomic_op_names, ARRAY_SIZE(nir_atomic_op_names)};
static const struct nir_words scope_words = {nir_scope_names, ARRAY_SIZE(nir_scope_names)};
static const struct nir_words descriptor_words = {nir_descriptor_kind_names, ARRAY_SIZE(nir_descriptor_kind_names)};
static const struct nir_words matrix_words = {nir_matrix_op_names, ARRAY_SIZE(nir_matrix_op_names)};

#define INFO(field, n, most)                                                                                         \
   {#field, offsetof(struct nir_shader_info, field), sizeof(((struct nir_shader_info *)0)->field) / n, n, most}
const struct nir_info_field nir_info_fields[] = {
   INFO(workgroup_size, 3, UINT64_MAX),
   INFO(shared_B, 1, UINT64_MAX),
   INFO(scratch_B, 1, UINT64_MAX),
   INFO(early_fragment_tests, 1, 1),
   INFO(depth_layout, 1, NIR_DEPTH_LAYOUT_UNCHANGED),
   INFO(interlock, 1, NIR_INTERLOCK_SAMPLE_UNORDERED),
   INFO(inputs_read, 1, UINT64_MAX),
   INFO(outputs_written, 1, UINT64_MAX),
   INFO(clip_distances, 1, UINT64_MAX),
   INFO(cull_distances, 1, UINT64_MAX),
   INFO(writes_memory, 1, 1),
   INFO(writes_stencil, 1, 1),
   INFO(writes_sample_mask, 1, 1),
   INFO(uses_sample_shading, 1, 1),
   INFO(uses_interlock, 1, 1),
   INFO(constant_B, 1, UINT64_MAX),
   INFO(full_quads, 1, 1),
   INFO(float_controls, 1, UINT64_MAX),
   INFO(robust_uniform, 1, NIR_ROBUST_DWORDS),
   INFO(robust_storage, 1, NIR_ROBUST_DWORDS),
   INFO(post_depth_coverage, 1, 1),
   INFO(early_and_late_tests, 1, 1),
   INFO(buffer_holes, 1, 1),
   INFO(derivative_group, 1, NIR_DERIVATIVES_QUADS),
   INFO(gs_input, 1, NIR_PRIMITIVE_TRIANGLES_ADJACENCY),
   INFO(gs_output, 1, NIR_PRIMITIVE_TRIANGLES),
   INFO(gs_vertices, 1, NIR_MAX_GS_VERTICES),
   INFO(gs_invocations, 1, NIR_MAX_GS_INVOCATIONS),
   INFO(gs_streams, 1, (1 << NIR_XFB_STREAMS) - 1),
   INFO(tess_vertices, 1, NIR_MAX_PATCH_VERTICES),
   INFO(tess_domain, 1, NIR_TESS_ISOLINES),
   INFO(tess_spacing, 1, NIR_TESS_FRACTIONAL_ODD),
   INFO(tess_winding, 1, NIR_TESS_COUNTERCLOCKWISE),
   INFO(tess_points, 1, 1),
   INFO(outputs_read, 1, UINT64_MAX),
   INFO(patch_inputs_read, 1, UINT64_MAX),
   INFO(patch_outputs_written, 1, UINT64_MAX),
   INFO(patch_outputs_read, 1, UINT64_MAX),
   INFO(mesh_output, 1, NIR_PRIMITIVE_TRIANGLES),
   INFO(mesh_vertices, 1, NIR_MAX_MESH_VERTICES),
   INFO(mesh_primitives, 1, NIR_MAX_MESH_VERTICES),
   INFO(payload_B, 1, UINT64_MAX),
   INFO(payload_at_B, 1, UINT64_MAX),
   INFO(primitive_outputs, 1, UINT64_MAX),
};
const unsigned nir_info_field_count = ARRAY_SIZE(nir_info_fields);

#define FIELD(field, flag, words, absent)                                                                            \
   {#field, offsetof(struct nir_variable, field), sizeof(((struct nir_variable *)0)->field), flag, words, absent}
const struct nir_variable_field nir_variable_fields[] = {
   FIELD(location, false, &nir_slot_words, -1),
   FIELD(component, false, NULL, 0),
   FIELD(frag_index, false, NULL, 0),
   FIELD(interp, false, &nir_interp_words, 0),
   FIELD(centroid, true, NULL, 0),
   FIELD(sample, true, NULL, 0),
   FIELD(invariant, true, NULL, 0),
   FIELD(per_vertex, true, NULL, 0),
   FIELD(per_primitive, true, NULL, 0),
   FIELD(stream, false, NULL, 0),
   FIELD(relaxed, true, NULL, 0),
   FIELD(zeroed, true, NULL, 0),
   FIELD(aliased, true, NULL, 0),
   FIELD(set, false, NULL, 0),
   FIELD(binding, false, NULL, 0),
   FIELD(access, false, NULL, 0),
   FIELD(input_attachment_index, false, NULL, 0),
   FIELD(offset_B, false, NULL, 0),
};
const unsigned nir_variable_field_count = ARRAY_SIZE(nir_variable_fields);

int
nir_word_find(const struct nir_words *words, const char *text, size_t length)
{
   for (unsigned i = 0; i < words->count; i++) {
      if (words->words[i] && !strncmp(words->words[i], text, length) && !words->words[i][length])
         return (int)i;
   }
   return -1;
}

const struct nir_words *
nir_index_words(enum nir_index index)
{
   switch (index) {
   case NIR_INDEX_slot:
      return &nir_slot_words;
   case NIR_INDEX_src_type:
      return &nir_base_words;
   case NIR_INDEX_interp:
      return &nir_interp_words;
   case NIR_INDEX_atomic_op:
      return &atomic_words;
   case NIR_INDEX_execution_scope:
   case NIR_INDEX_memory_scope:
      return &scope_words;
   case NIR_INDEX_image_dim:
      return &nir_dim_words;
   case NIR_INDEX_descriptor_kind:
      return &descriptor_words;
   case NIR_INDEX_matrix_op:
      return &matrix_words;
   case NIR_INDEX_reduction_op: /* has words too: the opcodes, found by nir_op_from_name() */
   case NIR_INDEX_base:         /* numbers from here on */
   case NIR_INDEX_write_mask:
   case NIR_INDEX_align_mul:
   case NIR_INDEX_align_offset:
   case NIR_INDEX_access:
   case NIR_INDEX_set:
   case NIR_INDEX_binding:
   case NIR_INDEX_component:
   case NIR_INDEX_frag_index:
   case NIR_INDEX_cluster_size:
   case NIR_INDEX_memory_semantics:
   case NIR_INDEX_memory_modes:
   case NIR_INDEX_image_array:
   case NIR_INDEX_format:
   case NIR_INDEX_column:
   case NIR_INDEX_shift:
   case NIR_INDEX_sign_extend:
   case NIR_INDEX_perspective:
   case NIR_INDEX_relaxed:
   case NIR_INDEX_place:
   case NIR_INDEX_stream:
   case NIR_INDEX_matrix_signs:
   case NIR_INDEX_saturate:
   case NIR_INDEX_COUNT:
      break;
   }
   return NULL;
}

uint64_t
nir_field_get(const void *object, unsigned offset_B, unsigned size_B)
{
   uint64_t value = 0;
   memcpy(&value, (const char *)object + offset_B, size_B);
   return value;
}

void
nir_field_set(void *object, unsigned offset_B, unsigned size_B, uint64_t value)
{
   memcpy((char *)object + offset_B, &value, size_B);
}
