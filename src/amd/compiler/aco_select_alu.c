/* Selection of arithmetic: dispatch, moves, selections and everything on booleans. */
#include "amd/compiler/aco_select.h"

static struct aco_operand
lm2(struct isel *c, unsigned op, struct aco_operand a, struct aco_operand b)
{
   return isel_s2(c, op, c->program->lm, a, b);
}

/* Logic on lane masks or on 0/1 by what the result is. */
static void
bool_logic(struct isel *c, struct nir_alu_instr *alu, unsigned comp)
{
   struct aco_operand a, b;
   unsigned s0 = alu->src[0].swizzle[comp], s1 = alu->src[1].swizzle[comp];
   if (!alu->def.divergent) {
      isel_bool_to_scc(c, &alu->src[0].src, s0);
      a = isel_scc_bool(c);
      if (alu->op == NIR_OP_inot) {
         isel_set(c, &alu->def, comp, isel_s2(c, AMD_OP_s_xor_b32, ACO_S1, a, aco_op_const(1)));
         return;
      }
      isel_bool_to_scc(c, &alu->src[1].src, s1);
      b = isel_scc_bool(c);
      unsigned op = alu->op == NIR_OP_iand  ? AMD_OP_s_and_b32
                    : alu->op == NIR_OP_ior ? AMD_OP_s_or_b32
                                            : AMD_OP_s_xor_b32;
      struct aco_operand result = isel_s2(c, op, ACO_S1, a, b);
      if (alu->op == NIR_OP_ieq)
         result = isel_s2(c, AMD_OP_s_xor_b32, ACO_S1, result, aco_op_const(1));
      isel_set(c, &alu->def, comp, result);
      return;
   }
   a = isel_bool_mask(c, &alu->src[0].src, s0);
   if (alu->op == NIR_OP_inot) {
      isel_set(c, &alu->def, comp, isel_s1(c, ISEL_LM(c, s_not), c->program->lm, a));
      return;
   }
   b = isel_bool_mask(c, &alu->src[1].src, s1);
   unsigned op = alu->op == NIR_OP_iand  ? ISEL_LM(c, s_and)
                 : alu->op == NIR_OP_ior ? ISEL_LM(c, s_or)
                 : alu->op == NIR_OP_ieq ? ISEL_LM(c, s_xnor)
                                         : ISEL_LM(c, s_xor);
   isel_set(c, &alu->def, comp, lm2(c, op, a, b));
}

static void
bool_select(struct isel *c, struct nir_alu_instr *alu, unsigned comp)
{
   const struct nir_alu_src *src = alu->src;
   struct aco_operand a, b;
   if (!alu->def.divergent) {
      isel_bool_to_scc(c, &src[1].src, src[1].swizzle[comp]);
      a = isel_scc_bool(c);
      isel_bool_to_scc(c, &src[2].src, src[2].swizzle[comp]);
      b = isel_scc_bool(c);
      isel_bool_to_scc(c, &src[0].src, src[0].swizzle[comp]);
      isel_set(c, &alu->def, comp, isel_scc_select(c, ACO_S1, a, b));
      return;
   }
   struct aco_operand cond = isel_bool_mask(c, &src[0].src, src[0].swizzle[comp]);
   a = lm2(c, ISEL_LM(c, s_and), isel_bool_mask(c, &src[1].src, src[1].swizzle[comp]), cond);
   b = lm2(c, ISEL_LM(c, s_andn2), isel_bool_mask(c, &src[2].src, src[2].swizzle[comp]), cond);
   isel_set(c, &alu->def, comp, lm2(c, ISEL_LM(c, s_or), a, b));
}

static void
select_value(struct isel *c, struct nir_alu_instr *alu, unsigned comp)
{
   if (alu->def.bit_size == 1) {
      bool_select(c, alu, comp);
      return;
   }
   struct aco_operand a = isel_alu_src(c, alu, 1, comp), b = isel_alu_src(c, alu, 2, comp);
   bool wide = alu->def.bit_size == 64;
   const struct nir_src *cond = &alu->src[0].src;
   unsigned swizzle = alu->src[0].swizzle[comp];
   struct aco_operand cond_op = isel_src(c, cond, swizzle);
   bool scalar_cond = !cond->def->divergent || cond_op.kind == ACO_OP_CONST;
   if (scalar_cond && !aco_is_v(&a) && !aco_is_v(&b) && !aco_is_v(&cond_op)) {
      if (!wide && a.kind == ACO_OP_CONST && b.kind == ACO_OP_CONST && a.value != b.value)
         a = isel_as_s(c, a, 1);
      isel_bool_to_scc(c, cond, swizzle);
      isel_set(c, &alu->def, comp, isel_scc_select(c, wide ? ACO_S2 : ACO_S1, a, b));
      return;
   }
   struct aco_operand mask = isel_bool_mask(c, cond, swizzle);
   if (mask.kind == ACO_OP_CONST)
      mask = isel_as_s(c, mask, aco_rc_size_dw(c->program->lm));
   if (!wide) {
      isel_set(c, &alu->def, comp, isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, b, a, mask));
      return;
   }
   struct aco_operand pa[2], pb[2], parts[2];
   isel_split64(c, a, &pa[0], &pa[1]);
   isel_split64(c, b, &pb[0], &pb[1]);
   for (unsigned i = 0; i < 2; i++)
      parts[i] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, pb[i], pa[i], mask);
   isel_set(c, &alu->def, comp, isel_vector(c, ACO_V2, 2, parts));
}

/* Operations whose components do not correspond: vectors and packing. */
static bool
whole_vector(struct isel *c, struct nir_alu_instr *alu)
{
   /* size: a flat switch */
   struct aco_operand x = isel_alu_src(c, alu, 0, 0), y;
   bool scalar = !alu->def.divergent;
   switch ((int)alu->op) {
   case NIR_OP_vec2:
   case NIR_OP_vec3:
   case NIR_OP_vec4:
      for (unsigned i = 0; i < alu->def.num_components; i++)
         isel_set(c, &alu->def, i, isel_alu_src(c, alu, i, 0));
      isel_keep_packed(c, alu);
      return true;
   case NIR_OP_pack_64_2x32: {
      struct aco_operand parts[2] = {x, isel_alu_src(c, alu, 0, 1)};
      bool v = aco_is_v(&parts[0]) || aco_is_v(&parts[1]) || !scalar;
      isel_set(c, &alu->def, 0, isel_vector(c, v ? ACO_V2 : ACO_S2, 2, parts));
      return true;
   }
   case NIR_OP_unpack_64_2x32:
      isel_split64(c, x, &x, &y);
      isel_set(c, &alu->def, 0, x);
      isel_set(c, &alu->def, 1, y);
      return true;
   case NIR_OP_pack_32_2x16:
      isel_set(c, &alu->def, 0, isel_pack(c, &alu->src[0].src, alu->src[0].swizzle[0], alu->src[0].swizzle[1]));
      return true;
   case NIR_OP_unpack_32_2x16:
      if (x.kind == ACO_OP_CONST)
         x = isel_as_s(c, x, 1);
      isel_set_packed(c, &alu->def, 0, x);
      return true;
   case NIR_OP_pack_half_2x16:
      x = isel_extend(c, isel_v1(c, AMD_OP_v_cvt_f16_f32, ACO_V1, x), 16, false);
      y = isel_v1(c, AMD_OP_v_cvt_f16_f32, ACO_V1, isel_alu_src(c, alu, 0, 1));
      isel_set(c, &alu->def, 0, isel_v3(c, AMD_OP_v_lshl_or_b32, ACO_V1, y, aco_op_const(16), x));
      return true;
   case NIR_OP_unpack_half_2x16:
      isel_set(c, &alu->def, 0, isel_v1(c, AMD_OP_v_cvt_f32_f16, ACO_V1, isel_as_v(c, x, 1)));
      y = isel_v2(c, AMD_OP_v_lshrrev_b32, ACO_V1, aco_op_const(16), isel_as_v(c, x, 1));
      isel_set(c, &alu->def, 1, isel_v1(c, AMD_OP_v_cvt_f32_f16, ACO_V1, y));
      return true;
   case NIR_OP_cube_face: {
      static const uint16_t ops[4] = {AMD_OP_v_cubesc_f32, AMD_OP_v_cubetc_f32, AMD_OP_v_cubema_f32,
                                      AMD_OP_v_cubeid_f32};
      struct aco_operand z = isel_as_v(c, isel_alu_src(c, alu, 0, 2), 1);
      x = isel_as_v(c, x, 1);
      y = isel_as_v(c, isel_alu_src(c, alu, 0, 1), 1);
      for (unsigned i = 0; i < 4; i++)
         isel_set(c, &alu->def, i, isel_v3(c, ops[i], ACO_V1, x, y, z));
      return true;
   }
   case NIR_OP_fdot2:
   case NIR_OP_fdot3:
   case NIR_OP_fdot4: {
      unsigned n = alu->op - NIR_OP_fdot2 + 2, bits = alu->def.bit_size;
      unsigned mul = bits == 16 ? AMD_OP_v_mul_f16 : bits == 64 ? AMD_OP_v_mul_f64 : AMD_OP_v_mul_f32;
      unsigned add = bits == 16 ? AMD_OP_v_add_f16 : bits == 64 ? AMD_OP_v_add_f64 : AMD_OP_v_add_f32;
      aco_rc rc = isel_rc_of(&alu->def, true);
      struct aco_operand sum = {0};
      for (unsigned i = 0; i < n; i++) {
         struct aco_operand ops[2] = {isel_alu_src(c, alu, 0, i), isel_alu_src(c, alu, 1, i)};
         struct aco_instr *instr = isel_valu(c, mul, rc, 2, ops);
         instr->exact = alu->exact;
         struct aco_operand product = isel_result(c, instr, 0);
         if (i) {
            instr = isel_valu(c, add, rc, 2, (struct aco_operand[]){sum, product});
            instr->exact = alu->exact;
            product = isel_result(c, instr, 0);
         }
         sum = product;
      }
      isel_set(c, &alu->def, 0, sum);
      return true;
   }
   default: /* others: arithmetic of one kind */
      return false;
   }
}

void
isel_alu(struct isel *c, struct nir_alu_instr *alu)
{
   if (isel_alu_packed(c, alu) || whole_vector(c, alu))
      return;
   bool is_bool = nir_op_infos[alu->op].num_srcs && alu->def.bit_size == 1 && alu->src[0].src.def->bit_size == 1;
   if (alu->op == NIR_OP_mov || alu->op == NIR_OP_bcsel || is_bool) {
      for (unsigned i = 0; i < alu->def.num_components; i++) {
         if (alu->op == NIR_OP_bcsel) {
            select_value(c, alu, i);
         } else if (alu->op == NIR_OP_mov) {
            struct aco_operand op = isel_alu_src(c, alu, 0, i);
            if (alu->def.bit_size == 1 && op.kind != ACO_OP_CONST && !aco_is_v(&op) &&
                alu->def.divergent != alu->src[0].src.def->divergent)
               op = isel_bool_mask(c, &alu->src[0].src, alu->src[0].swizzle[i]);
            isel_set(c, &alu->def, i, op);
         } else {
            bool_logic(c, alu, i);
         }
      }
      return;
   }
   if (!isel_alu_int(c, alu) && !isel_alu_float(c, alu) && !isel_alu_convert(c, alu))
      aco_fail(c->program, "no instruction for %s of %u bits", nir_op_infos[alu->op].name, alu->def.bit_size);
}
