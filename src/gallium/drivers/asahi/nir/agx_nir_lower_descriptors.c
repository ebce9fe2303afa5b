/* Descriptors: buffers, and the arguments of tables. Textures and images are in files of their own. */
#include "gallium/drivers/asahi/nir/agx_nir_lower_descriptors_private.h"
#include "util/macros.h"

struct nir_def *
agx_descriptor_words(const struct aux_descriptor *place, unsigned first, unsigned count)
{
   struct nir_builder *b = place->b;
   struct nir_def *base = place->is_dynamic ? agx_nir_address_arg(b, AGX_TABLE_ADDRESSES, 2 * AGX_TABLE_DYNAMIC)
                                            : agx_nir_address_arg(b, AGX_TABLE_SETS, 2 * place->set);

   return nir_load_global_constant(b, count, 32, base, aux_descriptor_offset(place, 4 * first),
                                   .access = NIR_ACCESS_CAN_REORDER, .align_mul = 4);
}

/* The words of a buffer in the set. */
static struct nir_def *
inline_block(const struct aux_descriptor *place)
{
   struct nir_builder *b = place->b;
   struct nir_def *base = agx_nir_address_arg(b, AGX_TABLE_SETS, 2 * place->set);
   struct nir_def *address = nir_unpack_64_2x32(b, nir_iadd(b, base, nir_u2u64(b, place->offset_B)));
   struct nir_def *words[AGX_BUFFER_DESCRIPTOR_DW] = {nir_channel(b, address, 0), nir_channel(b, address, 1),
                                                      nir_imm_int(b, (int32_t)place->binding->count),
                                                      nir_imm_int(b, 0)};

   return nir_vec(b, words, ARRAY_SIZE(words));
}

/* The words of a vulkan_resource_index. */
static struct nir_def *
load_buffer(struct lower_descriptors *l, struct nir_def *resource)
{
   struct aux_descriptor place;

   if (!aux_find_buffer(&l->d, resource, &place))
      return NULL;
   if (place.binding->kind == PIPE_DESCRIPTOR_INLINE_UNIFORM_BLOCK)
      return inline_block(&place);
   /* The table of dynamic buffers is pushed word by word where it is known which. */
   if (place.is_dynamic && place.b == &l->d.top)
      return agx_nir_arg(place.b, AGX_TABLE_DYNAMIC, nir_as_load_const(place.offset_B->parent)->value[0].u32 / 4,
                         AGX_BUFFER_DESCRIPTOR_DW);
   return agx_descriptor_words(&place, 0, AGX_BUFFER_DESCRIPTOR_DW);
}

static bool
lower_buffer_source(struct lower_descriptors *l, struct nir_intrinsic_instr *instr, unsigned src)
{
   struct nir_def *words;

   l->d.b.cursor = nir_before_instr(&instr->instr);
   words = load_buffer(l, instr->src[src].def);
   if (words)
      nir_src_rewrite(&instr->src[src], words);
   return words != NULL;
}

/* Whole words at constant places are arguments; what is indexed or smaller is loaded. */
static void
lower_push_constant(struct lower_descriptors *l, struct nir_intrinsic_instr *instr)
{
   struct nir_builder *b = &l->d.b;
   int32_t base = nir_intrinsic_base(instr);
   struct nir_def *value;

   b->cursor = nir_before_instr(&instr->instr);
   if (nir_src_is_const(instr->src[0]) && instr->def.bit_size == 32) {
      uint32_t at_B = (uint32_t)base + (uint32_t)nir_src_comp_as_uint(instr->src[0], 0);

      value = agx_nir_arg(b, AGX_TABLE_PUSH, at_B / 4, instr->def.num_components);
   } else {
      value = nir_load_global_constant(b, instr->def.num_components, instr->def.bit_size,
                                       agx_nir_address_arg(b, AGX_TABLE_ADDRESSES, 2 * AGX_TABLE_PUSH),
                                       nir_iadd_imm(b, instr->src[0].def, base), .access = NIR_ACCESS_CAN_REORDER,
                                       .align_mul = nir_intrinsic_align_mul(instr),
                                       .align_offset = nir_intrinsic_align_offset(instr));
   }
   nir_def_replace(&instr->def, value);
   nir_instr_remove(&instr->instr);
}

/* System values that are words of tables. */
static const struct {
   enum nir_intrinsic_op op;
   uint8_t table, word, count;
} arguments[] = {
   {NIR_INTRINSIC_load_num_workgroups, AGX_TABLE_GRID, 0, 3},
   {NIR_INTRINSIC_load_base_vertex, AGX_TABLE_DRAW, 0, 1},
   {NIR_INTRINSIC_load_base_instance, AGX_TABLE_DRAW, 1, 1},
   {NIR_INTRINSIC_load_draw_id, AGX_TABLE_STAGE, AGX_GRAPHICS_DRAW_ID, 1},
   {NIR_INTRINSIC_load_view_index, AGX_TABLE_STAGE, AGX_GRAPHICS_VIEW_INDEX, 1},
};

static void
lower_argument(struct lower_descriptors *l, struct nir_intrinsic_instr *instr)
{
   for (unsigned i = 0; i < ARRAY_SIZE(arguments); i++) {
      if (arguments[i].op != instr->op)
         continue;
      l->d.b.cursor = nir_before_instr(&instr->instr);
      nir_def_replace(&instr->def, agx_nir_arg(&l->d.b, arguments[i].table, arguments[i].word, arguments[i].count));
      nir_instr_remove(&instr->instr);
      return;
   }
}

static bool
lower_intrinsic(struct lower_descriptors *l, struct nir_intrinsic_instr *instr)
{
   switch ((int)instr->op) {
   case NIR_INTRINSIC_load_ubo:
   case NIR_INTRINSIC_load_ssbo:
   case NIR_INTRINSIC_ssbo_atomic:
   case NIR_INTRINSIC_ssbo_atomic_swap:
   case NIR_INTRINSIC_get_ssbo_size:
      return lower_buffer_source(l, instr, 0);
   case NIR_INTRINSIC_store_ssbo:
      return lower_buffer_source(l, instr, 1);
   case NIR_INTRINSIC_image_deref_load:
   case NIR_INTRINSIC_image_deref_residency:
   case NIR_INTRINSIC_image_deref_store:
   case NIR_INTRINSIC_image_deref_atomic:
   case NIR_INTRINSIC_image_deref_atomic_swap:
   case NIR_INTRINSIC_image_deref_size:
   case NIR_INTRINSIC_image_deref_samples:
      return agx_nir_lower_storage_image(l, instr);
   case NIR_INTRINSIC_load_push_constant:
      lower_push_constant(l, instr);
      return true;
   default: /* others: without a descriptor */
      lower_argument(l, instr);
      return true;
   }
}

static bool
has_image_load(struct nir_shader *shader)
{
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(instr)->op == NIR_INTRINSIC_image_deref_load)
            return true;
      }
   }
   return false;
}

bool
agx_nir_lower_descriptors(struct nir_shader *shader, const struct pipe_pipeline_layout *layout,
                          const struct agx_descriptor_rules *rules, uint32_t *used_sets, const char **error)
{
   struct lower_descriptors l = {
      .rules = rules,
      .d = {
         .layout = layout, .dynamic_stride_B = 4 * AGX_BUFFER_DESCRIPTOR_DW, .used_sets = used_sets, .error = error}};

   aux_nir_descriptors_init(&l.d, shader);
   l.loads_images = has_image_load(shader);
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         bool ok = true;

         if (instr->type == NIR_INSTR_TEX)
            ok = agx_nir_lower_texture(&l, nir_as_tex(instr));
         else if (instr->type == NIR_INSTR_INTRINSIC)
            ok = lower_intrinsic(&l, nir_as_intrinsic(instr));
         if (!ok)
            return false;
      }
   }
   for (const struct agx_nir_border *border = l.borders; border; border = border->next)
      agx_nir_add_border(shader, border);
   for (const struct agx_nir_triple *triple = l.triples; triple; triple = triple->next)
      agx_nir_add_triple(shader, triple);
   return true;
}
