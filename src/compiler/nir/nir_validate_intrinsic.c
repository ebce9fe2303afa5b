/* Types of intrinsics and texture instructions beyond component counts. */
#include "compiler/nir/nir_matrix.h"
#include "compiler/nir/nir_neutral_element.h"
#include "compiler/nir/nir_validate_internal.h"

#include "util/macros.h"

static bool
takes_deref(enum nir_intrinsic_op op, unsigned src)
{
   if (op == NIR_INTRINSIC_copy_deref)
      return true;
   return src == 0 && op <= NIR_INTRINSIC_image_deref_samples;
}

static const struct nir_deref_instr *
src_deref(struct nir_validator *v, const struct nir_src *src)
{
   if (!nir_check(v, src->def->parent->type == NIR_INSTR_DEREF, "the source is not a deref"))
      return NULL;
   return nir_as_deref(src->def->parent);
}

static void
check_value_of_deref(struct nir_validator *v, const struct nir_deref_instr *deref, const struct nir_def *def)
{
   if (nir_check(v, nir_type_is_vector_or_scalar(deref->type), "a load or store of something that is no vector"))
      nir_check(v, def->num_components == deref->type->components && def->bit_size == deref->type->bit_size,
                "the value and the variable have different shapes");
}

static void
validate_deref_intrinsic(struct nir_validator *v, const struct nir_intrinsic_instr *instr)
{
   const struct nir_deref_instr *deref = src_deref(v, &instr->src[0]);
   if (!deref)
      return;
   switch ((int)instr->op) {
   case NIR_INTRINSIC_load_deref:
   case NIR_INTRINSIC_interp_deref_at_centroid:
   case NIR_INTRINSIC_interp_deref_at_sample:
   case NIR_INTRINSIC_interp_deref_at_offset:
   case NIR_INTRINSIC_interp_deref_at_vertex:
      check_value_of_deref(v, deref, &instr->def);
      break;
   case NIR_INTRINSIC_store_deref:
      check_value_of_deref(v, deref, instr->src[1].def);
      break;
   case NIR_INTRINSIC_deref_atomic:
   case NIR_INTRINSIC_deref_atomic_swap:
      check_value_of_deref(v, deref, &instr->def);
      break;
   case NIR_INTRINSIC_copy_deref: {
      const struct nir_deref_instr *from = src_deref(v, &instr->src[1]);
      if (from)
         nir_check(v, nir_type_scalars(from->type) == nir_type_scalars(deref->type),
                   "a copy between different types");
      break;
   }
   case NIR_INTRINSIC_deref_array_length:
      nir_check(v, deref->type->base == NIR_TYPE_ARRAY && !deref->type->length, "the array has a fixed length");
      break;
   case NIR_INTRINSIC_deref_address:
      nir_check(v, deref->mode & (NIR_VAR_GLOBAL | NIR_VAR_SSBO | NIR_VAR_UBO | NIR_VAR_SHARED | NIR_VAR_PUSH_CONST),
                "this memory has no addresses");
      nir_check(v, instr->def.num_components == (deref->mode == NIR_VAR_SSBO ? 3 : 1), "the shape of an address");
      nir_check(v, instr->def.bit_size == (deref->mode == NIR_VAR_GLOBAL ? 64 : 32), "the size of an address");
      break;
   default: /* others: on images */
      nir_check(v, deref->type->base == NIR_TYPE_IMAGE, "the source is not an image");
      break;
   }
}

/* An atomic returns what the memory held: all data has one shape. */
static void
validate_atomic(struct nir_validator *v, const struct nir_intrinsic_instr *instr)
{
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[instr->op];
   uint32_t op = (uint32_t)nir_intrinsic_atomic_op(instr);
   nir_check(v, op <= NIR_ATOMIC_fmax, "no such atomic operation");
   const struct nir_def *data = instr->src[info->num_srcs - 1].def;
   nir_check(v, data->bit_size == instr->def.bit_size && data->bit_size >= 32, "the data of an atomic");
   if (op == NIR_ATOMIC_cmpxchg)
      nir_check(v, instr->src[info->num_srcs - 2].def->bit_size == instr->def.bit_size, "the data of an atomic");
}

static bool
is_swap(enum nir_intrinsic_op op)
{
   return op == NIR_INTRINSIC_deref_atomic_swap || op == NIR_INTRINSIC_image_deref_atomic_swap ||
          op == NIR_INTRINSIC_ssbo_atomic_swap || op == NIR_INTRINSIC_shared_atomic_swap ||
          op == NIR_INTRINSIC_global_atomic_swap || op == NIR_INTRINSIC_image_atomic_swap ||
          op == NIR_INTRINSIC_texel_buffer_atomic_swap || op == NIR_INTRINSIC_atomic_swap_agx;
}

/* C has a register for each element, in waves of 32 or 64 lanes. */
static void
validate_matrices(struct nir_validator *v, const struct nir_intrinsic_instr *instr)
{
   const uint32_t op = (uint32_t)nir_intrinsic_matrix_op(instr);
   if (!nir_check(v, op <= NIR_MATRIX_I32_I8, "no such product of matrices"))
      return;
   const unsigned count = nir_matrix_factor_bits(op) * NIR_MATRIX_SIDE / 64;
   nir_check(v, instr->src[0].def->num_components == count && instr->src[1].def->num_components == count,
             "a factor has another size");
   nir_check(v, instr->num_components == 2 || instr->num_components == 4, "the sum has another size");
   nir_check(v, op == NIR_MATRIX_I32_I8 || (!nir_intrinsic_matrix_signs(instr) && !nir_intrinsic_saturate(instr)),
             "floats have no choice of signs or saturation");
}

static void
validate_indices(struct nir_validator *v, const struct nir_intrinsic_instr *instr)
{
   /* size: a flat switch */
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[instr->op];
   for (unsigned i = 0; i < info->num_indices; i++) {
      uint32_t value = (uint32_t)instr->index[i];
      switch ((enum nir_index)info->indices[i]) {
      case NIR_INDEX_write_mask:
         nir_check(v, value && value < 1u << instr->num_components, "the write mask");
         break;
      case NIR_INDEX_align_mul:
         nir_check(v, !value || is_power_of_two(value), "the alignment is no power of two");
         nir_check(v, !value || nir_intrinsic_align_offset(instr) < value, "the alignment offset is beyond it");
         break;
      case NIR_INDEX_stream:
         nir_check(v, value < NIR_XFB_STREAMS, "the stream");
         break;
      case NIR_INDEX_slot:
         nir_check(v, value < NIR_SLOT_COUNT, "the slot");
         break;
      case NIR_INDEX_matrix_op:
         validate_matrices(v, instr);
         break;
      case NIR_INDEX_matrix_signs:
         nir_check(v, value < 4, "signs of more than two matrices");
         break;
      case NIR_INDEX_component:
         nir_check(v,
                   value + instr->num_components <= 4 * (instr->def.bit_size == 64 ? 2 : 1) ||
                      (!info->has_dest && value < 4),
                   "the components run over the slot");
         break;
      case NIR_INDEX_atomic_op:
         validate_atomic(v, instr);
         nir_check(v, (value == NIR_ATOMIC_cmpxchg) == is_swap(instr->op), "cmpxchg belongs to the swap form");
         break;
      case NIR_INDEX_reduction_op:
         nir_check(v,
                   value < NIR_OP_COUNT &&
                      nir_neutral_element((enum nir_op)value, instr->def.bit_size, &(union nir_const_value){}),
                   "the operation of a reduction");
         break;
      case NIR_INDEX_cluster_size:
         nir_check(v, !value || (is_power_of_two(value) && value <= 128), "the cluster size is no power of two");
         break;
      case NIR_INDEX_image_dim:
         nir_check(v, value <= NIR_DIM_SUBPASS_MS, "no such dimension");
         break;
      case NIR_INDEX_execution_scope:
      case NIR_INDEX_memory_scope:
         nir_check(v, value <= NIR_SCOPE_DEVICE, "no such scope");
         break;
      case NIR_INDEX_src_type:
         nir_check(v, value <= NIR_TYPE_FLOAT, "no such base type");
         break;
      case NIR_INDEX_interp:
         nir_check(v, value <= NIR_INTERP_NOPERSPECTIVE, "no such interpolation");
         break;
      case NIR_INDEX_descriptor_kind:
         nir_check(v, value <= NIR_DESCRIPTOR_INPUT_ATTACHMENT, "no such kind of descriptor");
         break;
      case NIR_INDEX_base:         /* any number */
      case NIR_INDEX_align_offset: /* with align_mul */
      case NIR_INDEX_access:
      case NIR_INDEX_set:
      case NIR_INDEX_binding:
      case NIR_INDEX_frag_index:
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
      case NIR_INDEX_saturate:
      case NIR_INDEX_COUNT:
         break;
      }
   }
}

/* Results that repeat the size of a source. */
static void
validate_same_size(struct nir_validator *v, const struct nir_intrinsic_instr *instr)
{
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[instr->op];
   bool lanes = instr->op >= NIR_INTRINSIC_elect && instr->op <= NIR_INTRINSIC_shader_clock;
   if (lanes && info->has_dest && !info->dest_bits)
      nir_check(v, instr->def.bit_size == instr->src[0].def->bit_size, "result and source have different sizes");
   bool memory = instr->op >= NIR_INTRINSIC_load_ubo && instr->op <= NIR_INTRINSIC_global_atomic_swap;
   if (memory && info->has_dest)
      nir_check(v, instr->def.bit_size >= 8, "memory holds no booleans");
   if (memory && !info->has_dest)
      nir_check(v, instr->src[0].def->bit_size >= 8, "memory holds no booleans");
}

/* The weights are those at the place that another intrinsic says. */
static void
validate_barycentric(struct nir_validator *v, const struct nir_intrinsic_instr *instr)
{
   if (instr->op != NIR_INTRINSIC_load_barycentric_coord)
      return;
   struct nir_instr *parent = instr->src[0].def->parent;
   enum nir_intrinsic_op op =
      parent->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(parent)->op : NIR_INTRINSIC_COUNT;
   nir_check(v, op >= NIR_INTRINSIC_load_barycentric_pixel && op <= NIR_INTRINSIC_load_barycentric_at_offset,
             "no barycentric says where");
}

void
nir_validate_intrinsic(struct nir_validator *v, const struct nir_intrinsic_instr *instr)
{
   if (!nir_check(v, (uint32_t)instr->op < NIR_INTRINSIC_COUNT, "no such intrinsic"))
      return;
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[instr->op];
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const struct nir_def *def = instr->src[i].def;
      if (info->src_components[i] >= 0)
         nir_check(v,
                   def->num_components == (info->src_components[i] ? info->src_components[i] : instr->num_components),
                   "a source has another component count");
      if (info->src_bits[i])
         nir_check(v, def->bit_size == info->src_bits[i], "a source has another size");
      nir_check(v, (def->parent->type == NIR_INSTR_DEREF) == takes_deref(instr->op, i),
                "a deref where a value belongs, or a value where a deref belongs");
   }
   if (info->has_dest) {
      nir_check(v,
                instr->def.num_components == (info->dest_components ? info->dest_components : instr->num_components),
                "the result has another component count");
      nir_check(v, !info->dest_bits || instr->def.bit_size == info->dest_bits, "the result has another size");
   }
   if (v->error)
      return;
   if (instr->op <= NIR_INTRINSIC_image_deref_samples)
      validate_deref_intrinsic(v, instr);
   validate_indices(v, instr);
   validate_same_size(v, instr);
   validate_barycentric(v, instr);
}

/* ---- textures ---- */

static unsigned
dim_components(enum nir_image_dim dim)
{
   static const uint8_t counts[] = {
      [NIR_DIM_1D] = 1,  [NIR_DIM_2D] = 2, [NIR_DIM_3D] = 3,      [NIR_DIM_CUBE] = 3,
      [NIR_DIM_BUF] = 1, [NIR_DIM_MS] = 2, [NIR_DIM_SUBPASS] = 2, [NIR_DIM_SUBPASS_MS] = 2};
   return counts[dim];
}

static unsigned
tex_result_components(const struct nir_tex_instr *tex)
{
   switch (tex->op) {
   case NIR_TXS:
      return (tex->dim == NIR_DIM_CUBE ? 2 : dim_components(tex->dim)) + tex->is_array;
   case NIR_LOD:
      return 2;
   case NIR_QUERY_LEVELS:
   case NIR_TEXTURE_SAMPLES:
      return 1;
   case NIR_TG4:
      return 4;
   case NIR_TEX:
   case NIR_TXB:
   case NIR_TXL:
   case NIR_TXD:
   case NIR_TXF:
   case NIR_TXF_MS:
      return tex->is_shadow ? 1 : 4;
   }
   return 0;
}

static void
check_tex_src(struct nir_validator *v, const struct nir_tex_instr *tex, const struct nir_tex_src *src)
{
   const struct nir_def *def = src->src.def;
   unsigned dims = dim_components(tex->dim), count = 1;
   bool deref = src->type == NIR_TEX_SRC_TEXTURE_DEREF || src->type == NIR_TEX_SRC_SAMPLER_DEREF;
   nir_check(v, (def->parent->type == NIR_INSTR_DEREF) == deref, "a deref where a value belongs, or the reverse");
   switch (src->type) {
   case NIR_TEX_SRC_COORD:
      count = dims + (tex->is_array && tex->op != NIR_LOD);
      break;
   case NIR_TEX_SRC_DDX:
   case NIR_TEX_SRC_DDY:
      /* of a cube's direction, or of its face (nir_lower_tex); a driver may widen them to keep them from that */
      count = tex->dim == NIR_DIM_CUBE ? def->num_components : dims;
      break;
   case NIR_TEX_SRC_OFFSET:
      count = tex->dim == NIR_DIM_CUBE ? 2 : dims;
      break;
   case NIR_TEX_SRC_TEXTURE_DESC:
      count = 4;
      break;
   case NIR_TEX_SRC_TEXTURE_DESC_HI:
   case NIR_TEX_SRC_SAMPLER_DESC:
      count = 4;
      break;
   case NIR_TEX_SRC_TEXTURE_HANDLE:
   case NIR_TEX_SRC_SAMPLER_HANDLE:
      count = 2;
      break;
   case NIR_TEX_SRC_PROJECTOR:
   case NIR_TEX_SRC_COMPARATOR:
   case NIR_TEX_SRC_BIAS:
   case NIR_TEX_SRC_LOD:
   case NIR_TEX_SRC_MIN_LOD:
   case NIR_TEX_SRC_MS_INDEX:
   case NIR_TEX_SRC_TEXTURE_DEREF:
   case NIR_TEX_SRC_SAMPLER_DEREF:
   case NIR_TEX_SRC_TYPE_COUNT:
      break;
   }
   nir_check(v, def->num_components == count, "a texture source has another component count");
   nir_check(v, def->bit_size == 32 || def->bit_size == 16, "a texture source has 16 or 32 bits");
}

void
nir_validate_tex(struct nir_validator *v, const struct nir_tex_instr *tex)
{
   uint32_t seen = 0;
   nir_check(v, tex->def.num_components == (tex->is_sparse ? 1 : tex_result_components(tex)),
             "the result has another component count");
   nir_check(v, !tex->is_sparse || (tex->op <= NIR_TXF_MS || tex->op == NIR_TG4), "a query has no residency");
   nir_check(v, tex->def.bit_size == 32 || tex->def.bit_size == 16, "the result has 16 or 32 bits");
   nir_check(v, tex->dest_type >= NIR_TYPE_INT && tex->dest_type <= NIR_TYPE_FLOAT, "the base type of the result");
   for (unsigned i = 0; i < tex->num_srcs && !v->error; i++) {
      nir_check(v, !(seen >> tex->src[i].type & 1), "a texture source twice");
      seen |= 1u << tex->src[i].type;
      check_tex_src(v, tex, &tex->src[i]);
   }
   bool query = tex->op == NIR_TXS || tex->op == NIR_QUERY_LEVELS || tex->op == NIR_TEXTURE_SAMPLES;
   nir_check(v, query || seen >> NIR_TEX_SRC_COORD & 1, "no coordinate");
   const uint32_t textures =
      1u << NIR_TEX_SRC_TEXTURE_DEREF | 1u << NIR_TEX_SRC_TEXTURE_DESC | 1u << NIR_TEX_SRC_TEXTURE_HANDLE;
   nir_check(v, seen & textures, "no texture");
   nir_check(v, tex->op != NIR_TXF_MS || seen >> NIR_TEX_SRC_MS_INDEX & 1, "no sample index");
   nir_check(v, tex->op != NIR_TXL || seen >> NIR_TEX_SRC_LOD & 1, "no level of detail");
   nir_check(v, tex->op != NIR_TXB || seen >> NIR_TEX_SRC_BIAS & 1, "no bias");
   nir_check(v, tex->op != NIR_TXD || (seen >> NIR_TEX_SRC_DDX & 1 && seen >> NIR_TEX_SRC_DDY & 1), "no derivatives");
}
