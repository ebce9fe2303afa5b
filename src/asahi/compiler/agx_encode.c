/* One allocated instruction in the form of the hardware. */
#include "asahi/compiler/agx_ir.h"

/* What operands of a role name of the vector that they read: forms that know how long it is ask for the first
 * registers of it, in one of these ways. After the vector as it is. */
static const struct shape {
   uint8_t size, count;
} shapes[] = {{0, 0}, {16, 1}, {32, 1}, {32, 2}, {16, 2}, {16, 3}, {16, 5}};

static bool
has_own_shape(enum agx_role role)
{
   return role == AGX_ROLE_COORDS || role == AGX_ROLE_LOD || role == AGX_ROLE_COMPARE || role == AGX_ROLE_ZS;
}

static struct agx_operand
operand_of(const struct agx_ref *ref)
{
   struct agx_operand operand = {.kind = ref->kind,
                                 .value = (int32_t)ref->value,
                                 .size = ref->size,
                                 .count = ref->count,
                                 .abs = ref->abs,
                                 .neg = ref->neg,
                                 .sext = ref->sext,
                                 .cache = ref->cache,
                                 .discard = ref->discard};
   if (ref->kind == AGX_SSA) {
      operand.kind = AGX_REG;
      operand.value = ref->reg;
   } else if (ref->kind == AGX_UNDEF) { /* any register holds any bits */
      operand.kind = AGX_REG;
      operand.value = 0;
   }
   return operand;
}

/* The place's own shapes one after another; those of coordinates keep their size. encode: of no such place. */
static unsigned
encode_shapes(struct agx_inst *inst, const struct agx_instr *instr, unsigned from, uint8_t bytes[AGX_INST_MAX_B],
              unsigned (*encode)(struct agx_inst *inst, uint8_t bytes[AGX_INST_MAX_B]))
{
   for (unsigned k = from; k < instr->num_srcs; k++) {
      const enum agx_role role = agx_isa_op_info(instr->op).role[k];
      if (!has_own_shape(role) || inst->src[k].kind != AGX_REG)
         continue;
      const struct agx_operand whole = inst->src[k];
      for (unsigned i = 0; i < ARRAY_SIZE(shapes); i++) {
         if (role == AGX_ROLE_COORDS && i && shapes[i].size != whole.size)
            continue;
         /* Two words are a reference and offsets: all of three halves. */
         if (role == AGX_ROLE_COMPARE && whole.size == 32 && whole.count == 2 && shapes[i].count != 3)
            continue;
         inst->src[k].size = i ? shapes[i].size : whole.size;
         inst->src[k].count = i ? shapes[i].count : whole.count;
         const unsigned halves = inst->src[k].size / 16u * inst->src[k].count;
         if (halves > whole.size / 16u * whole.count && role != AGX_ROLE_LOD)
            continue;
         if (!agx_isa_takes(instr->op, (int)k, &inst->src[k]))
            continue;
         const unsigned size_B = encode_shapes(inst, instr, k + 1, bytes, agx_isa_encode);
         if (size_B)
            return size_B;
      }
      inst->src[k] = whole;
      return 0;
   }
   return encode(inst, bytes);
}

/* The lod_type says, too, whether the level is in a register or in a uniform. */
static unsigned
lod_type_of(unsigned lod_type, const struct agx_operand *level)
{
   static const uint8_t types[][2] = {{AGX_LOD_TYPE_AUTO_LOD_BIAS, AGX_LOD_TYPE_AUTO_LOD_BIAS_5},
                                      {AGX_LOD_TYPE_LOD_MIN, AGX_LOD_TYPE_LOD_MIN_6},
                                      {AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN, AGX_LOD_TYPE_AUTO_LOD_BIAS_MIN_13}};
   for (unsigned i = 0; i < ARRAY_SIZE(types); i++) {
      if (lod_type == types[i][0] || lod_type == types[i][1])
         return types[i][level->kind == AGX_REG];
   }
   return lod_type;
}

bool
agx_takes(unsigned op, unsigned source, const struct agx_ref *ref)
{
   const struct agx_operand operand = operand_of(ref);
   /* A kind of texture that nobody knows: offsets into heaps are in registers. Without a level there is one, 0. */
   const enum agx_role role = agx_isa_op_info(op).role[source];
   if (operand.kind == AGX_IMM && (role == AGX_ROLE_TEXTURE || role == AGX_ROLE_LOD))
      return false;
   return agx_isa_takes(op, (int)source, &operand);
}

/* Nobody has seen the short forms of these. */
static bool
is_always_long(unsigned op)
{
   return op == AGX_OP_LLOAD || op == AGX_OP_LSTORE || op == AGX_OP_ITER || op == AGX_OP_ITERPROJ ||
          op == AGX_OP_LDCF;
}

static unsigned
encode_instr(const struct agx_instr *instr, uint8_t bytes[AGX_INST_MAX_B],
             unsigned (*encode)(struct agx_inst *inst, uint8_t bytes[AGX_INST_MAX_B]))
{
   if (agx_is_pseudo(instr))
      return 0;
   const struct agx_op_info info = agx_isa_op_info(instr->op);
   struct agx_inst inst = {
      .op = instr->op, .long_form = instr->long_form || is_always_long(instr->op), .mod = instr->mod};
   if (instr->num_srcs != info.source_count || instr->num_dsts != info.has_dst)
      return 0;
   if (info.has_dst)
      inst.dst = operand_of(&instr->dsts[0]);
   if (instr->mod.sparse) /* another register after those of the mask */
      inst.dst.count--;
   for (unsigned k = 0; k < instr->num_srcs; k++)
      inst.src[k] = operand_of(&instr->srcs[k]);
   if (agx_jumps(instr))
      inst.mod.target = 0;
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      if (info.role[k] == AGX_ROLE_LOD)
         inst.mod.lod_type = lod_type_of(inst.mod.lod_type, &inst.src[k]);
   }
   return encode_shapes(&inst, instr, 0, bytes, encode);
}

unsigned
agx_encode(const struct agx_instr *instr, uint8_t bytes[AGX_INST_MAX_B])
{
   return encode_instr(instr, bytes, agx_isa_encode);
}

unsigned
agx_encode_known(const struct agx_instr *instr, uint8_t bytes[AGX_INST_MAX_B])
{
   return encode_instr(instr, bytes, agx_isa_encode_known);
}
