/* Peephole optimiser on SSA, one pass forward: copies and constants reach their users, sign operations become operand
 * modifiers, upper halves of registers sources, saturation a clamp, pairs of integer operations one of three
 * operands, and a boolean that was just made from SCC is not compared again. What loses its users goes in
 * aco_dead_code(). */
#include "amd/compiler/aco_ir.h"

#include <string.h>

struct optimiser {
   struct aco_program *program;
   struct aco_instr **maker; /* by temp: the instruction that defines it */
   uint32_t *block_of;       /* by temp: index of its block */
   uint32_t *uses;
   struct aco_operand *alias; /* by temp: what it is a copy of, or NONE */
   uint32_t block;
};

/* ---- what an operand place takes ---- */

static bool
same(const struct aco_operand *a, const struct aco_operand *b)
{
   return a->kind == b->kind && a->value == b->value && a->reg == b->reg;
}

/* Constant bus and literal of a vector instruction with three sources at most. */
static bool
valu_legal(const struct aco_program *program, unsigned op, unsigned count, const struct aco_operand *ops)
{
   const struct amd_op_info *info = aco_info(program, op);
   struct aco_operand seen[4];
   unsigned scalars = 0, literals = 0;
   for (unsigned i = 0; i < count; i++) {
      const struct aco_operand *o = &ops[i];
      bool scalar = (o->kind == ACO_OP_TEMP && !aco_rc_is_v(o->rc)) || o->kind == ACO_OP_FIXED;
      if (o->kind == ACO_OP_CONST) {
         if (info->src[i].size_dw != 1)
            return false;
         if (aco_const_operand(o->value, (enum amd_type)info->src[i].type) != AMD_LITERAL)
            continue;
         if (!aco_takes_literal(program, op, i, ops, count))
            return false;
         literals++;
         scalar = true;
      }
      if (!scalar)
         continue;
      bool known = false;
      for (unsigned k = 0; k < scalars; k++)
         known |= same(&seen[k], o);
      if (known)
         literals -= o->kind == ACO_OP_CONST;
      else
         seen[scalars++] = *o;
   }
   return scalars <= aco_constant_bus(program->target, op) && literals <= 1;
}

static bool
is_modified(const struct aco_instr *instr)
{
   return instr->neg || instr->abs || instr->opsel || instr->omod || instr->clamp;
}

/* Modifiers need the long form, which has no literals in some generations. */
static bool
takes_modifiers(const struct aco_program *program, const struct aco_instr *instr)
{
   bool literals = false;
   for (unsigned i = 0; i < MIN2(instr->num_ops, 4); i++) {
      const struct aco_operand *op = &instr->ops[i];
      uint8_t type = aco_info(program, instr->op)->src[i].type;
      literals |= op->kind == ACO_OP_CONST && aco_const_operand(op->value, (enum amd_type)type) == AMD_LITERAL;
   }
   return !literals || program->target->vop3_literals;
}

static bool
takes(const struct optimiser *opt, const struct aco_instr *instr, unsigned place, const struct aco_operand *op)
{
   struct aco_operand ops[4];
   if (aco_is_pseudo(instr) || place >= 4 || (instr->tied && place == instr->num_ops - 1u) || instr->num_ops > 4)
      return false;
   const struct amd_op_info *info = aco_info(opt->program, instr->op);
   uint32_t encs = aco_encs(opt->program, instr);
   memcpy(ops, instr->ops, instr->num_ops * sizeof(*ops));
   ops[place] = *op;
   if (info->src[place].size_dw != 1 && !aco_is_v(op))
      return false;
   if (encs & ACO_ENC_VALU) {
      bool wide = encs & (1u << AMD_ENC_VOP3);
      if (instr->dpp || instr->op == AMD_OP_v_readlane_b32 || instr->op == AMD_OP_v_readfirstlane_b32 ||
          instr->op == AMD_OP_v_permlanex16_b32 || instr->op == AMD_OP_v_permlane16_b32 || (!wide && place) ||
          info->src[place].cls == AMD_CLASS_MASK || encs & (1u << AMD_ENC_VOP3P | 1u << AMD_ENC_VINTERP))
         return false;
      const struct aco_instr replaced = {.op = instr->op, .ops = ops, .num_ops = instr->num_ops};
      return valu_legal(opt->program, instr->op, instr->num_ops, ops) &&
             (!is_modified(instr) || takes_modifiers(opt->program, &replaced));
   }
   if (encs & (1u << AMD_ENC_SOP1 | 1u << AMD_ENC_SOP2 | 1u << AMD_ENC_SOPC)) {
      unsigned literals = 0;
      uint32_t value = 0;
      for (unsigned i = 0; i < instr->num_ops; i++) {
         if (aco_is_v(&ops[i]))
            return false;
         if (ops[i].kind != ACO_OP_CONST || aco_const_operand(ops[i].value, AMD_TYPE_B32) != AMD_LITERAL)
            continue;
         if (!literals || value != ops[i].value)
            literals++;
         value = ops[i].value;
      }
      return literals <= 1;
   }
   return false;
}

static void
replace(struct optimiser *opt, struct aco_operand *place, const struct aco_operand *by)
{
   if (place->kind == ACO_OP_TEMP)
      opt->uses[place->value]--;
   *place = *by;
   if (by->kind == ACO_OP_TEMP)
      opt->uses[by->value]++;
}

/* ---- copies ---- */

static void
note_copy(struct optimiser *opt, struct aco_instr *instr)
{
   if (instr->op == AMD_OP_v_mov_b32 || instr->op == AMD_OP_s_mov_b32) {
      const struct aco_operand *op = &instr->ops[0];
      if (!instr->dpp && instr->defs[0].temp && (op->kind == ACO_OP_TEMP || op->kind == ACO_OP_CONST))
         opt->alias[instr->defs[0].temp] = *op;
   } else if (instr->op == ACO_P_SPLIT_VECTOR) {
      const struct aco_instr *maker = instr->ops[0].kind == ACO_OP_TEMP ? opt->maker[instr->ops[0].value] : NULL;
      if (!maker || maker->op != ACO_P_CREATE_VECTOR || maker->num_ops != instr->num_defs)
         return;
      for (unsigned i = 0; i < instr->num_defs; i++) {
         const struct aco_operand *part = &maker->ops[i];
         bool fits = part->kind == ACO_OP_CONST
                        ? aco_rc_size_dw(instr->defs[i].rc) == 1
                        : part->kind == ACO_OP_TEMP && aco_rc_size_dw(part->rc) == aco_rc_size_dw(instr->defs[i].rc);
         if (!fits)
            return;
      }
      for (unsigned i = 0; i < instr->num_defs; i++) {
         if (instr->defs[i].temp)
            opt->alias[instr->defs[i].temp] = maker->ops[i];
      }
   } else if (instr->op == ACO_P_CREATE_VECTOR && instr->ops[0].kind == ACO_OP_TEMP) {
      const struct aco_instr *split = opt->maker[instr->ops[0].value];
      if (!split || split->op != ACO_P_SPLIT_VECTOR || split->num_defs != instr->num_ops ||
          split->ops[0].rc != instr->defs[0].rc)
         return;
      for (unsigned i = 0; i < instr->num_ops; i++) {
         if (instr->ops[i].kind != ACO_OP_TEMP || instr->ops[i].value != split->defs[i].temp)
            return;
      }
      opt->alias[instr->defs[0].temp] = split->ops[0];
   }
}

/* A vector copy of a scalar is per lane: after a loop it may differ from the scalar, so only its own block sees
 * through. */
static void
propagate(struct optimiser *opt, struct aco_instr *instr)
{
   bool phi = instr->op == ACO_P_PHI || instr->op == ACO_P_LINEAR_PHI;
   for (unsigned i = 0; i < instr->num_ops; i++) {
      struct aco_operand *op = &instr->ops[i];
      for (unsigned hops = 0; hops < 4 && op->kind == ACO_OP_TEMP && opt->alias[op->value].kind != ACO_OP_NONE;
           hops++) {
         const struct aco_operand by = opt->alias[op->value];
         bool same_kind = by.kind == ACO_OP_TEMP && by.rc == op->rc, local = opt->block_of[op->value] == opt->block;
         const struct aco_operand *last = &instr->ops[instr->num_ops - 1];
         bool tied = instr->tied && last->kind == ACO_OP_TEMP && op->value == last->value;
         if (tied || phi)
            break;
         if (same_kind || ((local || by.kind == ACO_OP_CONST) && takes(opt, instr, i, &by)))
            replace(opt, op, &by);
         else
            break;
      }
   }
}

/* ---- modifiers ---- */

/* The sign mask of a float place, 0 if the place has no modifiers. */
static uint32_t
sign_mask(const struct aco_program *program, const struct aco_instr *instr, unsigned place)
{
   if (aco_is_pseudo(instr) || place >= 3 || instr->dpp || instr->vop3p)
      return 0;
   const struct amd_op_info *info = aco_info(program, instr->op);
   if (!(info->mods >> place & 1) || instr->op == AMD_OP_v_cndmask_b32)
      return 0;
   return info->src[place].type == AMD_TYPE_F32 ? 0x80000000 : info->src[place].type == AMD_TYPE_F16 ? 0x8000 : 0;
}

static void
fold_modifiers(struct optimiser *opt, struct aco_instr *instr)
{
   if (!(aco_encs(opt->program, instr) & (1u << AMD_ENC_VOP3)) || !takes_modifiers(opt->program, instr))
      return;
   for (unsigned i = 0; i < instr->num_ops && i < 3; i++) {
      uint32_t sign = sign_mask(opt->program, instr, i);
      while (sign && aco_is_v(&instr->ops[i])) {
         const struct aco_instr *maker = opt->maker[instr->ops[i].value];
         uint32_t magnitude = sign == 0x8000 ? 0x7fff : 0x7fffffff;
         if (!maker || maker->num_ops != 2 || maker->ops[0].kind != ACO_OP_CONST || !aco_is_v(&maker->ops[1]))
            break;
         bool negates = maker->op == AMD_OP_v_xor_b32 && maker->ops[0].value == sign;
         bool absolute = maker->op == AMD_OP_v_and_b32 && maker->ops[0].value == magnitude;
         if (!negates && !absolute)
            break;
         if (!(instr->abs >> i & 1)) {
            instr->neg ^= (uint8_t)(negates << i);
            instr->abs |= (uint8_t)(absolute << i);
         }
         struct aco_operand inner = maker->ops[1];
         replace(opt, &instr->ops[i], &inner);
      }
   }
}

/* The upper half of a register as a source of 16 bits: where the operation can say so, it is not shifted down. */
static void
fold_halves(struct optimiser *opt, struct aco_instr *instr)
{
   if (!(aco_encs(opt->program, instr) & 1u << AMD_ENC_VOP3) || instr->vop3p || instr->dpp ||
       !takes_modifiers(opt->program, instr))
      return;
   const uint8_t halves = aco_info(opt->program, instr->op)->op_sel;
   for (unsigned i = 0; i < MIN2(instr->num_ops, 3u); i++) {
      struct aco_operand *op = &instr->ops[i];
      const struct aco_instr *maker = aco_is_v(op) ? opt->maker[op->value] : NULL;
      if (!maker || !(halves >> i & 1) || instr->opsel >> i & 1 || maker->op != AMD_OP_v_lshrrev_b32 || maker->dpp ||
          maker->ops[0].kind != ACO_OP_CONST || maker->ops[0].value != 16 || !aco_is_v(&maker->ops[1]))
         continue;
      const struct aco_operand whole = maker->ops[1];
      replace(opt, op, &whole);
      instr->opsel |= (uint8_t)(1u << i);
   }
}

/* max(x, x) with clamp: the instruction that made x clamps, if nobody else reads x. */
static void
fold_clamp(struct optimiser *opt, struct aco_instr *instr)
{
   if ((instr->op != AMD_OP_v_max_f32 && instr->op != AMD_OP_v_max_f16) || !instr->clamp || instr->neg ||
       instr->abs || !aco_is_v(&instr->ops[0]) || !same(&instr->ops[0], &instr->ops[1]) ||
       opt->uses[instr->ops[0].value] != 2)
      return;
   struct aco_instr *maker = opt->maker[instr->ops[0].value];
   if (!maker || aco_is_pseudo(maker) || maker->clamp || maker->dpp)
      return;
   const struct amd_op_info *info = aco_info(opt->program, maker->op);
   uint8_t type = instr->op == AMD_OP_v_max_f32 ? AMD_TYPE_F32 : AMD_TYPE_F16;
   if (!(info->flags & AMD_FLAG_CLAMP) || info->dst.type != type ||
       !(aco_encs(opt->program, maker) & 1u << AMD_ENC_VOP3) || !takes_modifiers(opt->program, maker))
      return;
   maker->clamp = true;
   opt->alias[instr->defs[0].temp] = instr->ops[0];
}

/* ---- three operands ---- */

struct pair {
   uint16_t outer, inner, result;
   uint8_t order[3]; /* sources of the result: 0, 1 of the inner operation, 2: the outer's other source */
};
static const struct pair pairs[] = {
   {AMD_OP_v_add_nc_u32, AMD_OP_v_add_nc_u32, AMD_OP_v_add3_u32, {0, 1, 2}},
   {AMD_OP_v_add_nc_u32, AMD_OP_v_lshlrev_b32, AMD_OP_v_lshl_add_u32, {1, 0, 2}},
   {AMD_OP_v_or_b32, AMD_OP_v_lshlrev_b32, AMD_OP_v_lshl_or_b32, {1, 0, 2}},
   {AMD_OP_v_or_b32, AMD_OP_v_and_b32, AMD_OP_v_and_or_b32, {0, 1, 2}},
   {AMD_OP_v_or_b32, AMD_OP_v_or_b32, AMD_OP_v_or3_b32, {0, 1, 2}},
   {AMD_OP_v_xor_b32, AMD_OP_v_xor_b32, AMD_OP_v_xor3_b32, {0, 1, 2}},
   {AMD_OP_v_max_i32, AMD_OP_v_max_i32, AMD_OP_v_max3_i32, {0, 1, 2}},
   {AMD_OP_v_min_i32, AMD_OP_v_min_i32, AMD_OP_v_min3_i32, {0, 1, 2}},
   {AMD_OP_v_max_u32, AMD_OP_v_max_u32, AMD_OP_v_max3_u32, {0, 1, 2}},
   {AMD_OP_v_min_u32, AMD_OP_v_min_u32, AMD_OP_v_min3_u32, {0, 1, 2}},
};

/* The instruction in place of the outer one, or NULL. */
static struct aco_instr *
combine(struct optimiser *opt, const struct aco_instr *outer)
{
   if (outer->num_ops != 2 || outer->clamp || outer->dpp)
      return NULL;
   for (unsigned i = 0; i < 2; i++) {
      if (!aco_is_v(&outer->ops[i]) || opt->uses[outer->ops[i].value] != 1 ||
          opt->block_of[outer->ops[i].value] != opt->block)
         continue;
      const struct aco_instr *inner = opt->maker[outer->ops[i].value];
      if (!inner || aco_is_pseudo(inner) || inner->clamp || inner->dpp || inner->num_ops != 2)
         continue;
      for (unsigned p = 0; p < ARRAY_SIZE(pairs); p++) {
         if (pairs[p].outer != outer->op || pairs[p].inner != inner->op ||
             !aco_info(opt->program, pairs[p].result)->encs)
            continue;
         const struct aco_operand from[3] = {inner->ops[0], inner->ops[1], outer->ops[1 - i]};
         struct aco_operand ops[3];
         for (unsigned k = 0; k < 3; k++)
            ops[k] = from[pairs[p].order[k]];
         if (!valu_legal(opt->program, pairs[p].result, 3, ops))
            continue;
         struct aco_instr *result = aco_instr_create(opt->program, pairs[p].result, 1, 3);
         memcpy(result->ops, ops, sizeof(ops));
         result->defs[0] = outer->defs[0];
         opt->uses[outer->ops[i].value]--;
         for (unsigned k = 0; k < 2; k++) {
            if (inner->ops[k].kind == ACO_OP_TEMP)
               opt->uses[inner->ops[k].value]++;
         }
         return result;
      }
   }
   return NULL;
}

/* ---- SCC ---- */

static bool
is_scc_bool(const struct aco_instr *instr)
{
   return instr->op == AMD_OP_s_cselect_b32 && instr->ops[0].kind == ACO_OP_CONST && instr->ops[0].value == 1 &&
          instr->ops[1].kind == ACO_OP_CONST && instr->ops[1].value == 0;
}

static bool
compares_with_zero(const struct aco_instr *instr, uint32_t temp)
{
   return temp && instr->op == AMD_OP_s_cmp_lg_u32 && instr->ops[0].kind == ACO_OP_TEMP &&
          instr->ops[0].value == temp && instr->ops[1].kind == ACO_OP_CONST && instr->ops[1].value == 0;
}

static void
optimise_block(struct optimiser *opt, struct aco_block *block)
{
   unsigned kept = 0;
   uint32_t scc_is = 0; /* temp that equals SCC */
   opt->block = block->index;
   for (unsigned i = 0; i < block->count; i++) {
      struct aco_instr *instr = block->instrs[i], *better;
      for (unsigned k = 0; k < instr->num_defs; k++) {
         opt->maker[instr->defs[k].temp] = instr;
         opt->block_of[instr->defs[k].temp] = block->index;
      }
      propagate(opt, instr);
      fold_modifiers(opt, instr);
      fold_halves(opt, instr);
      fold_clamp(opt, instr);
      better = combine(opt, instr);
      if (better) {
         instr = better;
         opt->maker[instr->defs[0].temp] = instr;
      }
      note_copy(opt, instr);
      if (compares_with_zero(instr, scc_is)) {
         opt->uses[scc_is]--;
         continue; /* SCC holds just that */
      }
      if (aco_flags(opt->program, instr) & AMD_FLAG_WRITES_SCC)
         scc_is = 0;
      if (is_scc_bool(instr))
         scc_is = instr->defs[0].temp;
      block->instrs[kept++] = instr;
   }
   block->count = kept;
}

void
aco_optimise(struct aco_program *program)
{
   struct optimiser *opt = arena_new(program->arena, struct optimiser);
   opt->program = program;
   opt->maker = arena_array(program->arena, struct aco_instr *, program->num_temps);
   opt->block_of = arena_array(program->arena, uint32_t, program->num_temps);
   opt->uses = arena_array(program->arena, uint32_t, program->num_temps);
   opt->alias = arena_array(program->arena, struct aco_operand, program->num_temps);
   for (unsigned b = 0; b < program->num_blocks; b++) {
      for (unsigned i = 0; i < program->blocks[b]->count; i++) {
         const struct aco_instr *instr = program->blocks[b]->instrs[i];
         for (unsigned k = 0; k < instr->num_ops; k++) {
            if (instr->ops[k].kind == ACO_OP_TEMP)
               opt->uses[instr->ops[k].value]++;
         }
      }
   }
   for (unsigned b = 0; b < program->num_blocks; b++)
      optimise_block(opt, program->blocks[b]);
   aco_dead_code(program);
}
