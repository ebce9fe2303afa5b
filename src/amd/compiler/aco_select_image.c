/* Selection of images and texel buffers. */
#include "amd/compiler/aco_select_mimg.h"
#include "compiler/nir/nir_residency.h"

static unsigned
image_address(struct isel *c, struct nir_intrinsic_instr *intr, struct aco_operand *address)
{
   enum nir_image_dim dim = nir_intrinsic_image_dim(intr);
   bool array = nir_intrinsic_image_array(intr);
   unsigned count = isel_coord_count(dim, array);
   for (unsigned i = 0; i < count; i++)
      address[i] = isel_src(c, &intr->src[2], i);
   count = isel_flatten_1d(c, dim, address, count);
   if (dim == NIR_DIM_MS || dim == NIR_DIM_SUBPASS_MS)
      address[count++] = isel_src(c, &intr->src[3], 0);
   return count;
}

static void
set_image_dim(struct nir_intrinsic_instr *intr, struct aco_instr *instr)
{
   enum nir_image_dim dim = nir_intrinsic_image_dim(intr);
   /* cubes as storage images are arrays of faces */
   instr->dim = (uint8_t)(dim == NIR_DIM_CUBE ? 5 : isel_dim_code(dim, nir_intrinsic_image_array(intr)));
   instr->unrm = true;
}

/* The data of an atomic: the new value, and what a swap compares with. */
static struct aco_operand
atomic_data(struct isel *c, const struct nir_intrinsic_instr *intr, unsigned first, bool swap)
{
   const unsigned dw = intr->def.bit_size / 32;
   struct aco_operand data[2] = {isel_as_v(c, isel_src(c, &intr->src[swap ? first + 1 : first], 0), dw)};
   if (swap)
      data[1] = isel_as_v(c, isel_src(c, &intr->src[first], 0), dw);
   return isel_as_v(c, isel_vector(c, aco_rc_v(swap ? 2 * dw : dw), swap ? 2 : 1, data), swap ? 2 * dw : dw);
}

/* The old value is in the first registers of what came back. */
static void
set_old_value(struct isel *c, struct nir_intrinsic_instr *intr, struct aco_operand back, bool swap)
{
   struct aco_operand parts[2] = {back};
   if (swap)
      isel_split(c, back, 2, parts);
   isel_set(c, &intr->def, 0, parts[0]);
}

static void
image_atomic(struct isel *c, struct nir_intrinsic_instr *intr, bool swap)
{
   struct aco_operand address[8], texture, none = {0};
   const unsigned op = isel_atomics[nir_intrinsic_atomic_op(intr)].image;
   const unsigned dw = intr->def.bit_size / 32 * (swap ? 2 : 1);
   if (!isel_has_op(c, op) || intr->def.bit_size < 32) {
      aco_fail(c->program, "no instruction for this atomic operation on an image");
      return;
   }
   if (!isel_image_descriptor(c, &intr->src[0], &intr->src[1], &texture))
      return;
   unsigned count = image_address(c, intr, address);
   struct aco_operand vec = atomic_data(c, intr, 4, swap);
   bool used = !list_is_empty(&intr->def.uses);
   for (unsigned i = 0; i < count; i++)
      address[i] = isel_as_v(c, address[i], 1);
   struct aco_operand exact = isel_begin_exact(c);
   if (used)
      vec = isel_op1(c, ACO_P_PARALLELCOPY, vec.rc, vec);
   struct aco_instr *instr =
      isel_mimg(c, op, address, count, texture, none, vec, (1u << dw) - 1, used ? dw : 0, used ? vec : none);
   set_image_dim(intr, instr);
   instr->glc = used;
   instr->side_effects = true;
   isel_end_exact(c, exact);
   if (used)
      set_old_value(c, intr, isel_result(c, instr, 0), swap);
}

static void
image_store(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand address[8], texture, none = {0}, data[4];
   if (!isel_image_descriptor(c, &intr->src[0], &intr->src[1], &texture))
      return;
   unsigned count = image_address(c, intr, address), n = intr->src[4].def->num_components;
   for (unsigned i = 0; i < count; i++)
      address[i] = isel_as_v(c, address[i], 1);
   for (unsigned i = 0; i < n; i++) {
      data[i] = isel_as_v(c, isel_src(c, &intr->src[4], i), 1);
      if (intr->src[4].def->bit_size == 16 && nir_intrinsic_src_type(intr) == NIR_TYPE_FLOAT)
         data[i] = isel_v1(c, AMD_OP_v_cvt_f32_f16, ACO_V1, data[i]);
   }
   struct aco_operand vec = isel_vector(c, aco_rc_v(n), n, data), exact = isel_begin_exact(c);
   bool mip = !isel_is_zero(&intr->src[5]);
   if (mip)
      address[count++] = isel_src(c, &intr->src[5], 0);
   unsigned op = mip ? AMD_OP_image_store_mip : AMD_OP_image_store;
   struct aco_instr *instr = isel_mimg(c, op, address, count, texture, none, vec, (1u << n) - 1, 0, none);
   set_image_dim(intr, instr);
   instr->side_effects = true;
   isel_set_coherence(c, instr, nir_intrinsic_access(intr), false);
   isel_end_exact(c, exact);
}

/* What asks whether the texel of a load is there: the load itself, or an instruction after it. */
static const struct nir_def *
residency_of(const struct nir_intrinsic_instr *load, enum nir_intrinsic_op op)
{
   const struct nir_intrinsic_instr *code = load->op == op ? load : nir_residency_of_load(load, op);
   return code ? &code->def : NULL;
}

static bool
came_with_texel(const struct isel *c, const struct nir_intrinsic_instr *intr)
{
   return c->values[intr->def.index].comp[0].kind != ACO_OP_NONE;
}

static void
image_load(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct aco_operand address[8], texture, none = {0};
   const struct nir_def *code = residency_of(intr, NIR_INTRINSIC_image_residency_amd);
   if (!isel_image_descriptor(c, &intr->src[0], &intr->src[1], &texture))
      return;
   unsigned count = image_address(c, intr, address), result = 1;
   if (code != &intr->def)
      result = MIN2(isel_used_components(&intr->def), 4);
   bool mip = !isel_is_zero(&intr->src[4]);
   if (mip)
      address[count++] = isel_src(c, &intr->src[4], 0);
   unsigned op = mip ? AMD_OP_image_load_mip : AMD_OP_image_load;
   struct aco_instr *instr = isel_mimg(c, op, address, count, texture, none, none, (1u << result) - 1, result,
                                       isel_before_status(c, result, code));
   set_image_dim(intr, instr);
   isel_set_coherence(c, instr, nir_intrinsic_access(intr), true);
   isel_set_texels(c, &intr->def, code, isel_result(c, instr, 0), result, NIR_TYPE_UINT);
}

static void
texel_buffer_load(struct isel *c, struct nir_intrinsic_instr *intr)
{
   const struct nir_def *code = residency_of(intr, NIR_INTRINSIC_texel_buffer_residency_amd);
   isel_texel_buffer_load(c, &intr->def, code, &intr->src[0], isel_src(c, &intr->src[1], 0), NIR_TYPE_UINT,
                          nir_intrinsic_access(intr), nir_intrinsic_access(intr) & NIR_ACCESS_CAN_REORDER);
}

static void
texel_buffer_store(struct isel *c, struct nir_intrinsic_instr *intr)
{
   static const uint16_t ops[4] = {AMD_OP_buffer_store_format_x, AMD_OP_buffer_store_format_xy,
                                   AMD_OP_buffer_store_format_xyz, AMD_OP_buffer_store_format_xyzw};
   struct aco_operand desc, data[4], index = isel_as_v(c, isel_src(c, &intr->src[1], 0), 1);
   unsigned n = intr->src[2].def->num_components;
   if (!isel_image_descriptor(c, &intr->src[0], NULL, &desc))
      return;
   for (unsigned i = 0; i < n; i++)
      data[i] = isel_src(c, &intr->src[2], i);
   struct aco_operand vec = isel_vector(c, aco_rc_v(n), n, data), exact = isel_begin_exact(c);
   struct aco_instr *instr = isel_emit(c, ops[n - 1], 0, 4);
   instr->ops[0] = index;
   instr->ops[1] = desc;
   instr->ops[2] = k(0);
   instr->ops[3] = vec;
   instr->idxen = true;
   instr->side_effects = true;
   isel_set_coherence(c, instr, nir_intrinsic_access(intr), false);
   isel_end_exact(c, exact);
}

static void
texel_buffer_atomic(struct isel *c, struct nir_intrinsic_instr *intr, bool swap)
{
   struct aco_operand desc, index = isel_as_v(c, isel_src(c, &intr->src[1], 0), 1), exact;
   const struct isel_atomic *row = &isel_atomics[nir_intrinsic_atomic_op(intr)];
   const unsigned op = intr->def.bit_size == 64 ? row->buffer64 : row->buffer;
   if (!isel_has_op(c, op) || !isel_image_descriptor(c, &intr->src[0], NULL, &desc)) {
      aco_fail(c->program, "no instruction for this atomic operation on a texel buffer");
      return;
   }
   struct aco_operand vec = atomic_data(c, intr, 2, swap);
   bool used = !list_is_empty(&intr->def.uses);
   if (used)
      vec = isel_op1(c, ACO_P_PARALLELCOPY, vec.rc, vec);
   exact = isel_begin_exact(c);
   struct aco_instr *instr = isel_emit(c, op, used ? 1 : 0, 4);
   instr->ops[0] = index;
   instr->ops[1] = desc;
   instr->ops[2] = k(0);
   instr->ops[3] = vec;
   instr->idxen = true;
   instr->tied = instr->glc = used;
   instr->side_effects = true;
   if (used) {
      const aco_rc rc = aco_rc_v(intr->def.bit_size / 32);
      instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, rc), .rc = rc};
      isel_set(c, &intr->def, 0, isel_result(c, instr, 0));
   }
   isel_end_exact(c, exact);
}

bool
isel_image(struct isel *c, struct nir_intrinsic_instr *intr)
{
   /* size: a flat switch */
   struct aco_operand texture;
   switch ((int)intr->op) {
   case NIR_INTRINSIC_image_residency_amd:
   case NIR_INTRINSIC_image_load:
      if (!came_with_texel(c, intr))
         image_load(c, intr);
      return true;
   case NIR_INTRINSIC_image_store:
      image_store(c, intr);
      return true;
   case NIR_INTRINSIC_image_atomic:
   case NIR_INTRINSIC_image_atomic_swap:
      image_atomic(c, intr, intr->op == NIR_INTRINSIC_image_atomic_swap);
      return true;
   case NIR_INTRINSIC_image_size:
      if (isel_image_descriptor(c, &intr->src[0], &intr->src[1], &texture))
         isel_size_query(c, &intr->def, texture, isel_src(c, &intr->src[2], 0), nir_intrinsic_image_dim(intr),
                         nir_intrinsic_image_array(intr));
      return true;
   case NIR_INTRINSIC_image_samples:
      if (isel_image_descriptor(c, &intr->src[0], &intr->src[1], &texture))
         isel_descriptor_query(c, &intr->def, texture, true);
      return true;
   case NIR_INTRINSIC_texel_buffer_residency_amd:
   case NIR_INTRINSIC_load_texel_buffer:
      if (!came_with_texel(c, intr))
         texel_buffer_load(c, intr);
      return true;
   case NIR_INTRINSIC_store_texel_buffer:
      texel_buffer_store(c, intr);
      return true;
   case NIR_INTRINSIC_texel_buffer_atomic:
   case NIR_INTRINSIC_texel_buffer_atomic_swap:
      texel_buffer_atomic(c, intr, intr->op == NIR_INTRINSIC_texel_buffer_atomic_swap);
      return true;
   default: /* others: not on images */
      return false;
   }
}
