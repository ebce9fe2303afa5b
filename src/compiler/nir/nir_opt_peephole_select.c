/* An if whose branches only compute becomes computation and selection. */
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"

/* True if the instruction may run for lanes that would not have run it. */
static bool
is_speculatable(const struct nir_instr *instr)
{
   switch (instr->type) {
   case NIR_INSTR_ALU:
      return !(nir_op_infos[nir_as_alu(instr)->op].flags & NIR_OP_FLAG_DERIVATIVE);
   case NIR_INSTR_LOAD_CONST:
   case NIR_INSTR_UNDEF:
   case NIR_INSTR_DEREF:
      return true;
   case NIR_INSTR_INTRINSIC: {
      enum nir_intrinsic_op op = nir_as_intrinsic(instr)->op;
      uint8_t flags = nir_intrinsic_infos[op].flags;
      return (flags & NIR_INTRINSIC_FLAG_SYSVAL) || op == NIR_INTRINSIC_load_push_constant ||
             op == NIR_INTRINSIC_load_scalar_arg || op == NIR_INTRINSIC_load_vector_arg;
   }
   case NIR_INSTR_TEX:
   case NIR_INSTR_PHI:
   case NIR_INSTR_JUMP:
      return false;
   }
   return false;
}

/* Roughly in instructions: integer division becomes twenty or more. */
static unsigned
cost_of(const struct nir_instr *instr)
{
   if (instr->type != NIR_INSTR_ALU)
      return instr->type == NIR_INSTR_INTRINSIC;
   switch ((int)nir_as_alu(instr)->op) {
   case NIR_OP_mov:
   case NIR_OP_vec2:
   case NIR_OP_vec3:
   case NIR_OP_vec4:
   case NIR_OP_fneg:
   case NIR_OP_fabs:
      return 0;
   case NIR_OP_idiv:
   case NIR_OP_udiv:
   case NIR_OP_irem:
   case NIR_OP_imod:
   case NIR_OP_umod:
      return 20;
   default: /* others: about one instruction */
      return 1;
   }
}

static bool
branch_fits(const struct list_head *list, unsigned limit)
{
   if (list->next != list->prev)
      return false;
   unsigned cost = 0;
   nir_foreach_instr(instr, nir_cf_list_first(list)) {
      if (!is_speculatable(instr))
         return false;
      cost += cost_of(instr);
   }
   return cost <= limit;
}

static void
move_up(struct nir_block *from, struct nir_block *to)
{
   nir_foreach_instr_safe(instr, from) {
      list_remove(&instr->link);
      instr->block = to;
      list_add_tail(&instr->link, &to->instrs);
   }
}

static bool
flatten(struct nir_shader *shader, struct nir_if *nif, unsigned limit)
{
   if (nif->dont_flatten)
      return false;
   if (!branch_fits(&nif->then_list, nif->flatten ? 1000 : limit) ||
       !branch_fits(&nif->else_list, nif->flatten ? 1000 : limit))
      return false;
   struct nir_block *before = nir_cf_block_before(&nif->cf), *after = nir_cf_block_after(&nif->cf);
   struct nir_block *then_block = nir_cf_list_first(&nif->then_list),
                    *else_block = nir_cf_list_first(&nif->else_list);
   struct nir_def *condition = nif->condition.def;
   move_up(then_block, before);
   move_up(else_block, before);
   struct nir_builder b = nir_builder_at(shader, nir_after_block(before));
   nir_foreach_instr_safe(instr, after) {
      if (instr->type != NIR_INSTR_PHI)
         break;
      struct nir_phi_instr *phi = nir_as_phi(instr);
      struct nir_def *x = nir_phi_src_from(phi, then_block)->src.def, *y = nir_phi_src_from(phi, else_block)->src.def;
      nir_def_replace(&phi->def, nir_bcsel(&b, condition, x, y));
      nir_instr_remove(instr);
   }
   nir_cf_remove(shader, &nif->cf);
   return true;
}

static bool
flatten_list(struct nir_shader *shader, struct list_head *list, unsigned limit)
{
   bool progress = false;
   struct nir_cf_node *next;
   for (struct nir_cf_node *node = &nir_cf_list_first(list)->cf; node; node = next) {
      next = nir_cf_next(node);
      if (node->type == NIR_CF_LOOP) {
         progress |= flatten_list(shader, &nir_cf_as_loop(node)->body, limit);
      } else if (node->type == NIR_CF_IF) {
         struct nir_cf_node *before = nir_cf_prev(node);
         progress |= flatten_list(shader, &nir_cf_as_if(node)->then_list, limit);
         progress |= flatten_list(shader, &nir_cf_as_if(node)->else_list, limit);
         if (flatten(shader, nir_cf_as_if(node), limit)) {
            progress = true;
            next = nir_cf_next(before);
         }
      }
   }
   return progress;
}

bool
nir_opt_peephole_select(struct nir_shader *shader, unsigned limit)
{
   return flatten_list(shader, &shader->body, limit);
}
