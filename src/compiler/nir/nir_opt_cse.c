/* Equal computations of dominating places share one value. One walk in source order over a hash table; an entry that
 * does not dominate the newcomer is replaced by it. */
#include <string.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_instr_hash.h"
#include "compiler/nir/nir_passes.h"

struct table {
   struct nir_instr **slots;
   uint32_t count, capacity;
};

static bool
is_candidate(const struct nir_instr *instr)
{
   switch (instr->type) {
   case NIR_INSTR_ALU:
   case NIR_INSTR_LOAD_CONST:
   case NIR_INSTR_DEREF:
      return true;
   case NIR_INSTR_UNDEF:
      return true;
   case NIR_INSTR_INTRINSIC: {
      const struct nir_intrinsic_instr *intrinsic = nir_as_intrinsic(instr);
      uint8_t flags = nir_intrinsic_infos[intrinsic->op].flags;
      if (nir_intrinsic_has_access(intrinsic) && (nir_intrinsic_access(intrinsic) & NIR_ACCESS_VOLATILE))
         return false;
      bool reorder =
         (flags & NIR_INTRINSIC_FLAG_REORDER) ||
         (nir_intrinsic_has_access(intrinsic) && (nir_intrinsic_access(intrinsic) & NIR_ACCESS_CAN_REORDER));
      return reorder && (flags & NIR_INTRINSIC_FLAG_ELIM) && !(flags & NIR_INTRINSIC_FLAG_CONVERGENT);
   }
   case NIR_INSTR_TEX: /* an implicit derivative needs its own set of lanes: only inside one block */
   case NIR_INSTR_PHI:
   case NIR_INSTR_JUMP:
      return false;
   }
   return false;
}

static bool
equal_alu_src(const struct nir_alu_instr *a, unsigned i, const struct nir_alu_instr *b, unsigned k)
{
   const struct nir_op_info *info = &nir_op_infos[a->op];
   unsigned count = info->src_components[i] ? info->src_components[i] : a->def.num_components;
   return a->src[i].src.def == b->src[k].src.def && !memcmp(a->src[i].swizzle, b->src[k].swizzle, count);
}

static bool
equal_alu(const struct nir_alu_instr *a, const struct nir_alu_instr *b)
{
   if (a->op != b->op || a->exact != b->exact)
      return false;
   const struct nir_op_info *info = &nir_op_infos[a->op];
   for (unsigned i = 2; i < info->num_srcs; i++) {
      if (!equal_alu_src(a, i, b, i))
         return false;
   }
   if (info->num_srcs < 2)
      return equal_alu_src(a, 0, b, 0);
   if (equal_alu_src(a, 0, b, 0) && equal_alu_src(a, 1, b, 1))
      return true;
   return (info->flags & NIR_OP_FLAG_COMMUTATIVE) && equal_alu_src(a, 0, b, 1) && equal_alu_src(a, 1, b, 0);
}

static bool
equal_deref(const struct nir_deref_instr *a, const struct nir_deref_instr *b)
{
   if (a->deref_type != b->deref_type || a->var != b->var || a->mode != b->mode || a->field != b->field)
      return false;
   if (a->deref_type != NIR_DEREF_VAR && a->parent.def != b->parent.def)
      return false;
   if (a->deref_type == NIR_DEREF_ARRAY && a->index.def != b->index.def)
      return false;
   return nir_type_equal(a->type, b->type);
}

static bool
equal_intrinsic(const struct nir_intrinsic_instr *a, const struct nir_intrinsic_instr *b)
{
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[a->op];
   if (a->op != b->op || a->num_components != b->num_components || memcmp(a->index, b->index, sizeof(a->index)))
      return false;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      if (a->src[i].def != b->src[i].def)
         return false;
   }
   return true;
}

static bool
equal(const struct nir_instr *a, const struct nir_instr *b)
{
   const struct nir_def *x = nir_instr_def(a), *y = nir_instr_def(b);
   if (a->type != b->type || x->num_components != y->num_components || x->bit_size != y->bit_size)
      return false;
   switch (a->type) {
   case NIR_INSTR_ALU:
      return equal_alu(nir_as_alu(a), nir_as_alu(b));
   case NIR_INSTR_LOAD_CONST:
      return !memcmp(nir_as_load_const(a)->value, nir_as_load_const(b)->value,
                     sizeof(union nir_const_value) * x->num_components);
   case NIR_INSTR_UNDEF:
      return true;
   case NIR_INSTR_DEREF:
      return equal_deref(nir_as_deref(a), nir_as_deref(b));
   case NIR_INSTR_INTRINSIC:
      return equal_intrinsic(nir_as_intrinsic(a), nir_as_intrinsic(b));
   case NIR_INSTR_TEX:
   case NIR_INSTR_PHI:
   case NIR_INSTR_JUMP:
      return false;
   }
   return false;
}

static bool
visit(struct table *table, struct nir_instr *instr)
{
   for (uint32_t i = nir_instr_hash(instr);; i++) {
      struct nir_instr **slot = &table->slots[i & (table->capacity - 1)];
      if (!*slot) {
         *slot = instr;
         return false;
      }
      if (!equal(*slot, instr))
         continue;
      bool derivative =
         instr->type == NIR_INSTR_ALU && (nir_op_infos[nir_as_alu(instr)->op].flags & NIR_OP_FLAG_DERIVATIVE);
      if (derivative ? (*slot)->block != instr->block : !nir_block_dominates((*slot)->block, instr->block)) {
         *slot = instr;
         return false;
      }
      nir_def_replace(nir_instr_def(instr), nir_instr_def(*slot));
      nir_instr_remove(instr);
      return true;
   }
}

bool
nir_opt_cse(struct nir_shader *shader)
{
   bool progress = false;
   nir_compute_dominance(shader);
   nir_index_instrs(shader);
   struct table table = {.capacity = 16};
   while (table.capacity < shader->num_instrs * 2)
      table.capacity *= 2;
   table.slots = arena_array(shader->arena, struct nir_instr *, table.capacity);
   const struct nir_block *start = nir_first_block(shader);
   nir_foreach_block(block, shader) {
      if (block != start && !block->idom)
         continue; /* unreachable */
      nir_foreach_instr_safe(instr, block) {
         if (is_candidate(instr))
            progress |= visit(&table, instr);
      }
   }
   return progress;
}
