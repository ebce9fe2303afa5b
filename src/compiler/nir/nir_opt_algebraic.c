/* Rewrites scalar expressions by the rules of nir_algebraic.py. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

enum condition {
   CONDITION_none,
   CONDITION_is_const,
   CONDITION_is_pow2,
   CONDITION_is_pow2_gt1,
   CONDITION_is_small_shift,     /* below 8, so that two of them fit the smallest size */
   CONDITION_is_finite_not_zero, /* nor denormal, as a float of 32 bits */
   CONDITION_is_8,
   CONDITION_is_16,
   CONDITION_is_32,
   CONDITION_used_once,
   CONDITION_of_bool,
};

struct node {
   enum { NODE_OP, NODE_VARIABLE, NODE_CONSTANT } kind;
   enum nir_op op;
   enum condition condition;
   uint8_t bits, variable;
   bool is_float, is_bool;
   int64_t integer; /* the bits of a double if is_float */
   uint16_t src[4]; /* nodes */
};

struct rule {
   uint16_t search, replacement;
   bool inexact;        /* may change the sign of a zero, NaN or rounding */
   uint8_t commutative; /* opcodes in the search whose operands may be swapped */
};

struct rule_range {
   uint16_t first, count;
   uint16_t fits; /* number of the opcode in the table of what fits */
};

/* What an operand is, at one look; the rest: opcodes that rules look for there. */
enum operand {
   OPERAND_OTHER,
   OPERAND_CONSTANT,
};

#include "compiler/nir/nir_algebraic_rules.h" /* generated */

/* One component of a value. */
struct scalar {
   struct nir_def *def;
   unsigned component;
};

#define MAX_VARIABLES 8

struct match {
   const struct node *nodes;
   struct scalar variables[MAX_VARIABLES];
   uint32_t swaps; /* bit per commutative opcode met, in order */
   unsigned met;
   bool inexact;
};

static bool
is_const(struct scalar s, uint64_t *value)
{
   if (s.def->parent->type != NIR_INSTR_LOAD_CONST)
      return false;
   *value = nir_as_load_const(s.def->parent)->value[s.component].u64;
   return true;
}

static bool
holds(enum condition condition, struct scalar s)
{
   uint64_t value = 0;
   bool constant = is_const(s, &value);
   switch (condition) {
   case CONDITION_none:
      return true;
   case CONDITION_is_const:
      return constant;
   case CONDITION_is_pow2:
      return constant && is_power_of_two(value) && value < UINT64_C(1) << (s.def->bit_size - 1);
   case CONDITION_is_pow2_gt1:
      return value > 1 && holds(CONDITION_is_pow2, s);
   case CONDITION_is_small_shift:
      return constant && value < 4;
   case CONDITION_is_finite_not_zero:
      return constant && value >> 23 & 0xff && (value >> 23 & 0xff) != 0xff;
   case CONDITION_is_8:
      return s.def->bit_size == 8;
   case CONDITION_is_16:
      return s.def->bit_size == 16;
   case CONDITION_is_32:
      return s.def->bit_size == 32;
   case CONDITION_used_once:
      return s.def->uses.next == s.def->uses.prev;
   case CONDITION_of_bool:
      return nir_as_alu(s.def->parent)->src[0].src.def->bit_size == 1;
   }
   return false;
}

/* base: the type of the operand the constant stands for. */
static bool
match_constant(const struct node *node, struct scalar s)
{
   uint64_t value;
   unsigned bits = s.def->bit_size;
   if (!is_const(s, &value))
      return false;
   if (node->is_bool || bits == 1)
      return node->is_bool && bits == 1 && value == (uint64_t)node->integer;
   if (!node->is_float)
      return value == ((uint64_t)node->integer & bit_mask(bits));
   if (bits < 16)
      return false;
   return double_bits(nir_const_as_float((union nir_const_value){.u64 = value}, bits)) == (uint64_t)node->integer;
}

static bool match_node(struct match *m, const struct node *node, struct scalar s);

static bool
match_op(struct match *m, const struct node *node, const struct nir_alu_instr *alu)
{
   if (alu->op != node->op || alu->def.num_components != 1 || (node->bits && alu->def.bit_size != node->bits))
      return false;
   if ((m->inexact && alu->exact) || !holds(node->condition, (struct scalar){(struct nir_def *)&alu->def, 0}))
      return false;
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   bool swap = false;
   if (info->flags & NIR_OP_FLAG_COMMUTATIVE)
      swap = m->swaps >> m->met++ & 1;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      unsigned k = swap && i < 2 ? 1 - i : i;
      if (!match_node(m, &m->nodes[node->src[i]], (struct scalar){alu->src[k].src.def, alu->src[k].swizzle[0]}))
         return false;
   }
   return true;
}

static bool
match_node(struct match *m, const struct node *node, struct scalar s)
{
   if (node->kind == NODE_CONSTANT)
      return match_constant(node, s);
   if (node->kind == NODE_OP)
      return s.def->parent->type == NIR_INSTR_ALU && match_op(m, node, nir_as_alu(s.def->parent));
   struct scalar *variable = &m->variables[node->variable];
   if (variable->def)
      return variable->def == s.def && variable->component == s.component;
   *variable = s;
   return holds(node->condition, s);
}

/* ---- replacement ---- */

static struct nir_def *
build_constant(struct nir_builder *b, const struct node *node, unsigned bits)
{
   if (node->is_bool)
      return nir_imm_bool(b, node->integer);
   if (bits == 1)
      return nir_imm_bool(b, node->integer & 1);
   return node->is_float ? nir_imm_floatN(b, bits_double((uint64_t)node->integer), bits)
                         : nir_imm_intN(b, (uint64_t)node->integer, bits);
}

/* bits: size of the result where the node does not tell it. */
static struct nir_def *
build(struct nir_builder *b, const struct match *m, const struct node *node, unsigned bits)
{
   if (node->kind == NODE_CONSTANT)
      return build_constant(b, node, bits);
   if (node->kind == NODE_VARIABLE)
      return nir_channel(b, m->variables[node->variable].def, m->variables[node->variable].component);
   const struct nir_op_info *info = &nir_op_infos[node->op];
   struct nir_def *src[4] = {};
   unsigned unsized = info->dest_bits ? 0 : bits;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const struct node *operand = &m->nodes[node->src[i]];
      if (operand->kind == NODE_CONSTANT)
         continue;
      src[i] = build(b, m, operand, info->src_bits[i] ? info->src_bits[i] : unsized);
      if (!info->src_bits[i])
         unsized = src[i]->bit_size;
   }
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (!src[i])
         src[i] = build_constant(b, &m->nodes[node->src[i]], info->src_bits[i] ? info->src_bits[i] : unsized);
   }
   return nir_build_alu(b, node->op, src[0], src[1], src[2], src[3]);
}

struct rule_set {
   const struct node *nodes;
   const struct rule *rules;
   const struct rule_range *ranges;
   const uint8_t *operands; /* by opcode */
   const uint32_t *fits;    /* [opcode's number][source][operand]: rules to try */
   unsigned num_operands;
   bool rounds_only; /* inexact rules change the rounding, nothing else */
};

static bool
try_rule(struct nir_shader *shader, const struct rule_set *set, const struct rule *rule, struct nir_alu_instr *alu)
{
   const unsigned bits = alu->def.bit_size, special = bits < 16 ? 0
                                                                : NIR_FLOAT_CONTROL(NIR_FLOAT_SPECIAL, bits) |
                                                                     NIR_FLOAT_CONTROL(NIR_FLOAT_FLUSH, bits);
   if (rule->inexact && !set->rounds_only && shader->info.float_controls & special)
      return false;
   for (uint32_t swaps = 0; swaps < 1u << rule->commutative; swaps++) {
      struct match m = {.nodes = set->nodes, .swaps = swaps, .inexact = rule->inexact};
      if (!match_op(&m, &set->nodes[rule->search], alu))
         continue;
      struct nir_builder b = nir_builder_at(shader, nir_before_instr(&alu->instr));
      b.exact = alu->exact;
      struct nir_def *result = build(&b, &m, &set->nodes[rule->replacement], alu->def.bit_size);
      nir_def_replace(&alu->def, result);
      nir_instr_remove(&alu->instr);
      return true;
   }
   return false;
}

static unsigned
operand_of(const struct rule_set *set, const struct nir_alu_src *src)
{
   const struct nir_instr *parent = src->src.def->parent;
   if (parent->type == NIR_INSTR_LOAD_CONST)
      return OPERAND_CONSTANT;
   return parent->type == NIR_INSTR_ALU ? set->operands[nir_as_alu(parent)->op] : OPERAND_OTHER;
}

/* Rules of the opcode, as bits, that its operands do not exclude. */
static uint32_t
rules_to_try(const struct rule_set *set, const struct nir_alu_instr *alu)
{
   const struct rule_range *range = &set->ranges[alu->op];
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   if (!range->count || alu->def.num_components != 1)
      return 0;
   const unsigned stride = set->num_operands, num_srcs = MIN2(info->num_srcs, 3);
   const uint32_t *fits = set->fits + (size_t)range->fits * 3 * stride;
   unsigned operands[3] = {0};
   for (unsigned i = 0; i < num_srcs; i++)
      operands[i] = operand_of(set, &alu->src[i]);
   uint32_t rules = fits[operands[0]] & fits[stride + operands[1]];
   if (info->flags & NIR_OP_FLAG_COMMUTATIVE)
      rules |= fits[operands[1]] & fits[stride + operands[0]];
   return rules & fits[2 * stride + operands[2]];
}

static bool
apply_rules(struct nir_shader *shader, const struct rule_set *set)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         if (instr->type != NIR_INSTR_ALU)
            continue;
         struct nir_alu_instr *alu = nir_as_alu(instr);
         const struct rule *first = &set->rules[set->ranges[alu->op].first];
         for (uint32_t rules = rules_to_try(set, alu); rules; rules &= rules - 1) {
            if (try_rule(shader, set, &first[__builtin_ctz(rules)], alu)) {
               progress = true;
               break;
            }
         }
      }
   }
   return progress;
}

bool
nir_opt_algebraic(struct nir_shader *shader)
{
   return apply_rules(shader, &(struct rule_set){main_nodes, main_rules, main_ranges, main_operands, main_fits[0][0],
                                                 MAIN_OPERANDS, false});
}

bool
nir_opt_algebraic_late(struct nir_shader *shader)
{
   return apply_rules(shader, &(struct rule_set){late_nodes, late_rules, late_ranges, late_operands, late_fits[0][0],
                                                 LATE_OPERANDS, true});
}
