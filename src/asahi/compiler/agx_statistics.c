/* What drivers and people are told of finished code: statistics, and what it uses. */
#include "asahi/compiler/agx_ir.h"

static void
count_states(const struct agx_instr *instr, struct agx_output *out, const struct agx_ref *ref)
{
   const uint8_t end = (uint8_t)(ref->value + 1);
   if (ref->kind == AGX_TS)
      out->texture_states = MAX2(out->texture_states, end);
   else if (ref->kind == AGX_SS)
      out->sampler_states = MAX2(out->sampler_states, end);
   else if (ref->kind == AGX_CF && instr->op == AGX_OP_LDCF)
      out->coefficients = MAX2(out->coefficients, end);
   else if (ref->kind == AGX_CF)
      out->coefficients = MAX2(out->coefficients, (uint8_t)(ref->value + instr->dsts[0].count));
}

static void
count_uniforms(struct agx_output *out, const struct agx_ref *ref)
{
   if (ref->kind == AGX_UNIFORM)
      out->uniforms_h = MAX2(out->uniforms_h, (uint16_t)(ref->value + agx_halves(ref)));
}

static void
note_fragment(const struct agx_instr *instr, struct agx_output *out)
{
   const unsigned op = instr->op;
   const enum agx_class class = agx_isa_op_info(op).class;
   out->fs.reads_tile |= op == AGX_OP_LD_TILE;
   out->fs.writes_sample_mask |= op == AGX_OP_SAMPLE_MASK || op == AGX_OP_ZS_EMIT;
   if (op == AGX_OP_ZS_EMIT) {
      const struct agx_ref *zs = &instr->srcs[agx_isa_source(op, AGX_ROLE_ZS)];
      out->fs.writes_depth |= zs->size == 32 || zs->count > 1;
      out->fs.writes_stencil |= zs->size == 16 || zs->count > 1;
   }
   out->fs.loads_varyings |= op == AGX_OP_ITER || op == AGX_OP_ITERPROJ || op == AGX_OP_LDCF;
   out->fs.writes_memory |= op == AGX_OP_STORE || op == AGX_OP_ATOMIC || class == AGX_CLASS_IMAGE;
   out->fs.waits_for_pixels |= op == AGX_OP_PIXWAIT;
   out->fs.disables_tri_merging |= op == AGX_OP_DFDX || op == AGX_OP_DFDY || class == AGX_CLASS_GROUP ||
                                   op == AGX_OP_STORE || op == AGX_OP_ATOMIC || class == AGX_CLASS_IMAGE;
}

static void
note_instr(const struct agx_ir *ir, const struct agx_instr *instr, struct agx_output *out)
{
   for (unsigned k = 0; k < instr->num_dsts; k++)
      count_uniforms(out, &instr->dsts[k]);
   for (unsigned k = 0; k < instr->num_srcs; k++) {
      count_uniforms(out, &instr->srcs[k]);
      count_states(instr, out, &instr->srcs[k]);
   }
   if (ir->is_preamble)
      return;
   if (ir->stage == NIR_STAGE_FRAGMENT)
      note_fragment(instr, out);
   if (instr->op == AGX_OP_ST_VAR) {
      const struct agx_ref *index = &instr->srcs[agx_isa_source(instr->op, AGX_ROLE_INDEX)];
      if (index->kind == AGX_IMM)
         out->vs.uvs_written[index->value / 64 & 3] |= UINT64_C(1) << index->value % 64;
   }
}

static bool
is_alu(const struct agx_instr *instr)
{
   const enum agx_class class = agx_isa_op_info(instr->op).class;
   return class == AGX_CLASS_MOVE || class == AGX_CLASS_INTEGER || class == AGX_CLASS_CONVERT ||
          class == AGX_CLASS_FLOAT || class == AGX_CLASS_GROUP;
}

void
agx_statistics(const struct agx_ir *ir)
{
   struct agx_output *out = ir->out;
   uint32_t instructions = 0, alu = 0, loops = 0;
   for (unsigned b = 0; b < ir->num_blocks; b++) {
      const struct agx_block *block = ir->blocks[b];
      for (unsigned i = 0; i < block->count; i++) {
         note_instr(ir, block->instrs[i], out);
         alu += is_alu(block->instrs[i]);
         loops += block->instrs[i]->op == AGX_OP_JMP_ANY;
      }
      instructions += block->count;
   }
   if (ir->is_preamble) {
      out->preamble_registers_h = (uint16_t)ir->used_registers_h;
      out->preamble_scratch_B = ir->scratch_B;
      out->stats.preamble_instructions = instructions;
      return;
   }
   out->registers_h = (uint16_t)ir->used_registers_h;
   out->scratch_B = ir->scratch_B;
   out->stats.instructions = instructions;
   out->stats.alu = alu;
   out->stats.loops = loops;
   out->stats.gprs = ir->used_registers_h;
   out->stats.scratch = ir->scratch_B;
   out->stats.threads = agx_max_threads(ir->used_registers_h);
   out->stats.spills = ir->spills;
   out->stats.fills = ir->fills;
}
