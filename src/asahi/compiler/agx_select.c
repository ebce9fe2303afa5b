/* Selection: nir to machine IR. This file walks instructions and builds phis. */
#include "asahi/compiler/agx_select.h"

/* ---- phis ---- */

/* Operands follow when everything is selected. */
static void
begin_phi(struct sel *c, struct nir_phi_instr *phi)
{
   struct sel_phi *pending = arena_new(c->ir->arena, struct sel_phi);
   *pending = (struct sel_phi){.nir = phi, .block = c->b.block, .next = c->phis};
   c->phis = pending;
   for (unsigned i = 0; i < phi->def.num_components; i++) {
      pending->instr[i] = agx_build_pseudo(&c->b, AGX_P_PHI, 1, 0);
      pending->instr[i]->dsts[0] = agx_ir_value(c->ir, sel_size(&phi->def), 1);
      sel_set(c, &phi->def, i, pending->instr[i]->dsts[0]);
   }
}

static const struct nir_src *
source_for(struct sel *c, const struct sel_phi *phi, const struct agx_block *pred)
{
   nir_foreach_phi_src(src, phi->nir) {
      if (c->block_of[src->pred->index] == pred)
         return &src->src;
   }
   agx_ir_fail(c->ir, "a phi has no source for a predecessor");
   return NULL;
}

/* A constant stands at the end of the predecessor. */
static struct agx_ref
phi_operand(struct sel *c, const struct nir_src *src, unsigned component, struct agx_block *pred)
{
   if (src->def->parent->type == NIR_INSTR_UNDEF)
      return agx_undef(sel_size(src->def), 1);
   if (src->def->parent->type != NIR_INSTR_LOAD_CONST)
      return sel_src(c, src, component);
   struct agx_block made = {0};
   c->b.block = &made;
   const struct agx_ref ref = agx_build_imm(&c->b, sel_size(src->def), nir_src_comp_as_uint(*src, component));
   for (unsigned i = 0; i < made.count; i++)
      agx_ir_insert(c->ir, pred, agx_ir_end(pred), made.instrs[i]);
   return ref;
}

static void
complete_phi(struct sel *c, const struct sel_phi *phi)
{
   const struct agx_edges *preds = &phi->block->preds;
   for (unsigned comp = 0; comp < phi->nir->def.num_components; comp++) {
      struct agx_instr *old = phi->instr[comp], *made = agx_ir_instr(c->ir, AGX_P_PHI, 1, preds->count);
      made->dsts[0] = old->dsts[0];
      for (unsigned i = 0; i < preds->count && !c->ir->error; i++) {
         const struct nir_src *src = source_for(c, phi, preds->at[i]);
         if (src)
            made->srcs[i] = phi_operand(c, src, comp, preds->at[i]);
      }
      for (unsigned i = 0; i < phi->block->count; i++) {
         if (phi->block->instrs[i] == old)
            phi->block->instrs[i] = made;
      }
   }
}

/* ---- instructions ---- */

static void
intrinsic(struct sel *c, struct nir_intrinsic_instr *intr)
{
   if (!sel_memory(c, intr) && !sel_atomic(c, intr) && !sel_image(c, intr) && !sel_io(c, intr) &&
       !sel_sysval(c, intr) && !sel_subgroup(c, intr) && !sel_barrier(c, intr))
      agx_ir_fail(c->ir, "no instruction for the intrinsic %s", nir_intrinsic_infos[intr->op].name);
}

static void
from_uniform(struct sel *c, const struct nir_def *def, unsigned half)
{
   const unsigned size = sel_size(def);
   for (unsigned i = 0; i < def->num_components; i++)
      sel_set(c, def, i, sel_copy(c, agx_uniform(half + i * size / 16, size, 1)));
}

static void
sel_instr(struct sel *c, struct nir_instr *instr)
{
   switch (instr->type) {
   case NIR_INSTR_ALU:
      sel_alu(c, nir_as_alu(instr));
      break;
   case NIR_INSTR_INTRINSIC:
      intrinsic(c, nir_as_intrinsic(instr));
      break;
   case NIR_INSTR_TEX:
      sel_tex(c, nir_as_tex(instr));
      break;
   case NIR_INSTR_PHI:
      begin_phi(c, nir_as_phi(instr));
      break;
   case NIR_INSTR_LOAD_CONST: /* become operands */
   case NIR_INSTR_UNDEF:
   case NIR_INSTR_JUMP: /* agx_select_cf.c */
      break;
   case NIR_INSTR_DEREF:
      agx_ir_fail(c->ir, "a deref was not lowered");
      break;
   }
}

void
sel_block(struct sel *c, struct nir_block *block)
{
   nir_foreach_instr(instr, block) {
      const struct nir_def *def = nir_instr_def(instr);
      const bool elsewhere = c->preamble && def && c->preamble->omitted[def->index];
      if (elsewhere && c->preamble->uniform[def->index] >= 0)
         from_uniform(c, def, (unsigned)c->preamble->uniform[def->index]);
      else if (!elsewhere)
         sel_instr(c, instr);
      if (c->ir->error)
         return;
   }
}

/* ---- the preamble ---- */

static void
to_uniform(struct sel *c, const struct nir_def *def, unsigned half)
{
   const unsigned size = sel_size(def);
   const struct nir_src src = {.def = (struct nir_def *)def};
   for (unsigned i = 0; i < def->num_components; i++)
      agx_uniform_store_to(&c->b, agx_uniform(half + i * size / 16, size, 1), sel_src(c, &src, i));
}

/* In the order of the shader, whatever control flow is around. */
static void
select_preamble(struct agx_ir *ir, const struct sel *main)
{
   struct sel *c = arena_new(ir->arena, struct sel);
   *c = (struct sel){.ir = ir, .nir = main->nir, .options = ir->options, .out = ir->out, .b = {.ir = ir}};
   c->values = arena_array(ir->arena, struct sel_value, c->nir->num_defs + 1);
   c->b.block = agx_ir_block(ir);
   nir_foreach_block(block, c->nir) {
      nir_foreach_instr(instr, block) {
         const struct nir_def *def = nir_instr_def(instr);
         if (!def || !main->preamble->computed[def->index] || ir->error)
            continue;
         sel_instr(c, instr);
         if (main->preamble->uniform[def->index] >= 0 && !ir->error)
            to_uniform(c, def, (unsigned)main->preamble->uniform[def->index]);
      }
   }
}

static void
preload(struct sel *c)
{
   bool vertex = false, instance = false, registers[AGX_REGISTERS] = {0};
   nir_foreach_block(block, c->nir) {
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_INTRINSIC)
            continue;
         vertex |= nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_vertex_id_zero_base;
         instance |= nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_instance_id;
         if (nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_register_agx)
            registers[nir_intrinsic_base(nir_as_intrinsic(instr))] = true;
      }
   }
   if (vertex)
      c->vertex_id = agx_build_preload(&c->b, 10, 32, 1);
   if (instance)
      c->instance_id = agx_build_preload(&c->b, 12, 32, 1);
   for (unsigned half = 0; half < AGX_REGISTERS; half++) {
      if (registers[half])
         c->registers[half] = agx_build_preload(&c->b, half, 32, 1);
   }
}

bool
agx_select(struct agx_ir *ir, struct agx_ir *preamble, struct nir_shader *nir)
{
   struct sel *c = arena_new(ir->arena, struct sel);
   nir_index_blocks(nir);
   nir_index_defs(nir);
   *c = (struct sel){.ir = ir, .nir = nir, .options = ir->options, .out = ir->out, .b = {.ir = ir}};
   c->values = arena_array(ir->arena, struct sel_value, nir->num_defs + 1);
   c->block_of = arena_array(ir->arena, struct agx_block *, nir->num_blocks + 1);
   if (!ir->options->no_preamble)
      c->preamble = agx_plan_preamble(ir, nir);
   if (c->preamble)
      select_preamble(preamble, c);
   c->b.block = agx_ir_block(ir);
   preload(c);
   sel_cf_list(c, &nir->body);
   for (struct sel_phi *phi = c->phis; phi && !ir->error; phi = phi->next)
      complete_phi(c, phi);
   if (!ir->error)
      sel_finish_io(c);
   ir->scratch_B = MAX2(ir->scratch_B, nir->info.scratch_B);
   ir->out->local_B = nir->info.shared_B;
   return !ir->error;
}
