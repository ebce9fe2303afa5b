/* Selection: nir to machine IR. This file walks instructions and builds phis; control flow is in aco_select_cf.c. */
#include "amd/compiler/aco_select.h"

#include <string.h>

/* ---- values that outlive the place where lanes diverge ---- */

static unsigned
deepest_loop(const struct nir_shader *nir)
{
   unsigned most = 0;
   nir_foreach_block(block, nir) {
      unsigned depth = 0;
      for (const struct nir_cf_node *at = block->cf.parent; at; at = at->parent)
         depth += at->type == NIR_CF_LOOP;
      most = MAX2(most, depth);
   }
   return most;
}

bool
isel_is_inside(const struct nir_cf_node *node, const struct nir_cf_node *scope)
{
   while (node && node != scope)
      node = node->parent;
   return node;
}

/* The block in which a use reads its value: that of a phi reads at the end of the predecessor. */
static const struct nir_block *
use_block(const struct nir_src *src)
{
   if (!src->parent_instr)
      return nir_cf_as_block(list_entry(src->parent_if->cf.link.prev, struct nir_cf_node, link));
   if (src->parent_instr->type == NIR_INSTR_PHI)
      return container_of(src, struct nir_phi_src, src)->pred;
   return src->parent_instr->block;
}

static bool
used_outside(const struct nir_def *def, const struct nir_cf_node *scope)
{
   nir_foreach_use(src, def) {
      if (!isel_is_inside(&use_block(src)->cf, scope))
         return true;
   }
   return false;
}

/* Lanes that left a loop early need copies of scalar values, which keep only what the last turn of the wave gave
 * them. So does the code after an if of which one side never gets there: the wave can come there past the other
 * side, where the value is made. */
static void
finish_def(struct isel *c, const struct nir_def *def)
{
   if (!c->scope || !used_outside(def, c->scope))
      return;
   struct isel_value *value = &c->values[def->index];
   for (unsigned i = 0; i < def->num_components; i++) {
      struct aco_operand op = value->comp[i];
      if (op.kind != ACO_OP_TEMP || aco_is_v(&op))
         continue;
      if (def->bit_size == 1 && def->divergent)
         value->outside[i] = isel_v3(c, AMD_OP_v_cndmask_b32, ACO_V1, aco_op_const(0), aco_op_const(1), op);
      else
         value->outside[i] = isel_as_v(c, op, aco_rc_size_dw(op.rc));
   }
   value->scope = c->scope;
}

/* ---- phis ---- */

static bool
source_is_float(const struct nir_phi_instr *phi)
{
   nir_foreach_phi_src(src, phi) {
      const struct nir_instr *parent = src->src.def->parent;
      if (parent->type == NIR_INSTR_ALU && nir_op_infos[nir_as_alu(parent)->op].dest_base == NIR_TYPE_FLOAT)
         return true;
   }
   return false;
}

/* Operands follow when everything is selected. */
static void
begin_phi(struct isel *c, struct nir_phi_instr *phi)
{
   struct isel_pending_phi *pending = arena_new(c->program->arena, struct isel_pending_phi);
   struct aco_block *block = c->phi_block ? c->phi_block : c->block;
   bool is_bool = phi->def.bit_size == 1, linear = !phi->def.divergent && c->uniform_join && !source_is_float(phi);
   pending->nir = phi;
   pending->block = block;
   pending->is_bool = is_bool;
   pending->next = c->phis;
   c->phis = pending;
   for (unsigned i = 0; i < phi->def.num_components; i++) {
      aco_rc rc = isel_rc_of(&phi->def, !linear);
      struct aco_instr *instr = aco_instr_create(c->program, linear ? ACO_P_LINEAR_PHI : ACO_P_PHI, 1, 0);
      instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, rc), .rc = rc};
      aco_block_insert(c->program, block, 0, instr);
      pending->instr[i] = instr;
      isel_set(c, &phi->def, i, isel_result(c, instr, 0));
   }
}

/* After the phis: booleans become masks, uniform values scalar again. */
static void
finish_phi(struct isel *c, struct nir_phi_instr *phi)
{
   struct isel_value *value = &c->values[phi->def.index];
   for (unsigned i = 0; i < phi->def.num_components; i++) {
      struct aco_operand op = value->comp[i];
      if (!aco_is_v(&op))
         continue;
      if (phi->def.bit_size == 1)
         isel_set_mask(c, &phi->def, i, isel_v2(c, AMD_OP_v_cmp_ne_u32, c->program->lm, aco_op_const(0), op));
      else if (!phi->def.divergent && !source_is_float(phi))
         value->comp[i] = isel_as_s(c, op, aco_rc_size_dw(op.rc));
   }
   finish_def(c, &phi->def);
}

static const struct nir_phi_src *
source_for(struct isel *c, const struct isel_pending_phi *pending, const struct aco_block *pred)
{
   nir_foreach_phi_src(src, pending->nir) {
      if (c->block_of[src->pred->index] == pred)
         return src;
   }
   return NULL;
}

/* Emits at the logical end of pred; the builder works on a detached tail. */
static struct aco_operand
phi_operand(struct isel *c, const struct isel_pending_phi *pending, const struct nir_phi_src *src,
            struct aco_block *pred, unsigned comp, bool linear)
{
   unsigned end = aco_logical_end(pred), tail_count = pred->count - end;
   struct aco_instr **tail = arena_array(c->program->arena, struct aco_instr *, tail_count + 1);
   memcpy(tail, &pred->instrs[end], tail_count * sizeof(*tail));
   pred->count = end;
   c->block = pred;
   unsigned dw = pending->nir->def.bit_size == 64 ? 2 : 1;
   struct aco_operand op;
   if (src->src.def->parent->type == NIR_INSTR_UNDEF) {
      op = (struct aco_operand){.kind = ACO_OP_UNDEF, .rc = pending->instr[comp]->defs[0].rc};
   } else if (pending->is_bool) {
      if (linear) {
         isel_bool_to_scc(c, &src->src, comp);
         op = isel_scc_bool(c);
      } else {
         op = isel_bool_v(c, &src->src, comp);
      }
   } else {
      op = isel_src(c, &src->src, comp);
      op = linear ? isel_as_s(c, op, dw) : isel_as_v(c, op, dw);
   }
   for (unsigned i = 0; i < tail_count; i++)
      aco_block_append(c->program, pred, tail[i]);
   return op;
}

static void
complete_phi(struct isel *c, struct isel_pending_phi *pending)
{
   struct aco_block *block = pending->block;
   for (unsigned comp = 0; comp < pending->nir->def.num_components; comp++) {
      struct aco_instr *old = pending->instr[comp];
      bool linear = old->op == ACO_P_LINEAR_PHI;
      const struct aco_edges *preds = linear ? &block->linear_preds : &block->logical_preds;
      struct aco_instr *phi = aco_instr_create(c->program, old->op, 1, preds->count);
      phi->defs[0] = old->defs[0];
      for (unsigned i = 0; i < preds->count; i++) {
         const struct nir_phi_src *src = source_for(c, pending, preds->at[i]);
         if (!src) {
            aco_fail(c->program, "a phi has no source for a predecessor");
            return;
         }
         c->place = src->pred->cf.parent;
         phi->ops[i] = phi_operand(c, pending, src, preds->at[i], comp, linear);
      }
      for (unsigned i = 0; i < block->count; i++) {
         if (block->instrs[i] == old) {
            block->instrs[i] = phi;
            break;
         }
      }
   }
}

/* ---- instructions ---- */

static void
intrinsic(struct isel *c, struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_discard:
   case NIR_INTRINSIC_demote:
      isel_demote(c, NULL, intr->op == NIR_INTRINSIC_discard);
      return;
   case NIR_INTRINSIC_discard_if:
   case NIR_INTRINSIC_demote_if:
      isel_demote(c, &intr->src[0], intr->op == NIR_INTRINSIC_discard_if);
      return;
   case NIR_INTRINSIC_barrier:
      isel_barrier(c, intr);
      return;
   default: /* others: the families below */
      break;
   }
   if (isel_is_merged(c) && isel_merged(c, intr))
      return;
   if (!isel_memory(c, intr) && !isel_atomic(c, intr) && !isel_image(c, intr) && !isel_io(c, intr) &&
       !isel_sysval(c, intr) && !isel_subgroup(c, intr) && !isel_matrix(c, intr) && !isel_pops(c, intr) &&
       !isel_streamout(c, intr))
      aco_fail(c->program, "no instruction for the intrinsic %s", nir_intrinsic_infos[intr->op].name);
}

static void
finish_phis_before(struct isel *c, const struct nir_instr *instr)
{
   if (!c->phis_open || instr->type == NIR_INSTR_PHI)
      return;
   c->phis_open = false;
   nir_foreach_instr(phi, instr->block) {
      if (phi->type != NIR_INSTR_PHI)
         break;
      finish_phi(c, nir_as_phi(phi));
   }
}

void
isel_end_phis(struct isel *c, struct nir_block *block)
{
   if (c->phis_open) {
      c->phis_open = false;
      nir_foreach_instr(phi, block) {
         if (phi->type != NIR_INSTR_PHI)
            break;
         finish_phi(c, nir_as_phi(phi));
      }
   }
   c->phi_block = NULL;
}

void
isel_instr(struct isel *c, struct nir_instr *instr)
{
   finish_phis_before(c, instr);
   switch (instr->type) {
   case NIR_INSTR_ALU:
      isel_alu(c, nir_as_alu(instr));
      break;
   case NIR_INSTR_INTRINSIC:
      intrinsic(c, nir_as_intrinsic(instr));
      break;
   case NIR_INSTR_TEX:
      isel_tex(c, nir_as_tex(instr));
      break;
   case NIR_INSTR_PHI:
      c->phis_open = true;
      begin_phi(c, nir_as_phi(instr));
      return;
   case NIR_INSTR_LOAD_CONST:
   case NIR_INSTR_UNDEF:
      return; /* become operands */
   case NIR_INSTR_DEREF:
      aco_fail(c->program, "a deref was not lowered");
      return;
   case NIR_INSTR_JUMP:
      return;
   }
   const struct nir_def *def = nir_instr_def(instr);
   if (def && !c->program->error)
      finish_def(c, def);
}

bool
aco_select(struct aco_program *program, struct nir_shader *nir)
{
   struct isel *c = arena_new(program->arena, struct isel);
   nir_index_blocks(nir);
   nir_index_defs(nir);
   c->program = program;
   c->nir = nir;
   c->options = program->options;
   c->args = program->args;
   c->out = program->out;
   c->values = arena_array(program->arena, struct isel_value, nir->num_defs + 1);
   c->block_of = arena_array(program->arena, struct aco_block *, nir->num_blocks + 1);
   c->masks = arena_alloc(program->arena, sizeof(*c->masks) + deepest_loop(nir) * sizeof(c->masks->loops[0]));
   isel_start(c);
   if (!program->error)
      isel_body(c);
   for (struct isel_pending_phi *phi = c->phis; phi && !program->error; phi = phi->next)
      complete_phi(c, phi);
   return !program->error;
}
