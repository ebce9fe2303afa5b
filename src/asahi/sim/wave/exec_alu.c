/* Arithmetic: operands are bound to loads of lanes, and the operation to its kernel. */
#include "asahi/sim/wave/exec.h"

const struct exec_kernels *
exec_kernels(void)
{
#if defined(__x86_64__)
   if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c"))
      return &exec_kernels_avx2;
#endif
   return &exec_kernels_base;
}

void
exec_bind_source(struct alu_source *s, const struct agx_operand *o, enum as as)
{
   *s = (struct alu_source){.as = (uint8_t)as, .size = o->size, .sext = o->sext, .half = (uint16_t)o->value};
   s->keep = o->abs ? 0x7fffffff : UINT32_MAX;
   s->flip = o->neg ? 0x80000000 : 0;
   switch ((enum agx_kind)o->kind) {
   case AGX_REG:
      s->load = o->size > 16 ? (o->abs || o->neg ? LOAD_WORD : LOAD_LANES) : o->value % 2 ? LOAD_HIGH : LOAD_LOW;
      break;
   case AGX_UNIFORM:
      s->load = o->size > 16 ? LOAD_UNIFORM_WORD : LOAD_UNIFORM_HALF;
      break;
   case AGX_FIMM:
      s->load = LOAD_CONST;
      s->value = (float_bits(agx_isa_minifloat((unsigned)o->value)) & s->keep) ^ s->flip;
      break;
   case AGX_NONE:
   case AGX_IMM:
   case AGX_SIMM:
   case AGX_CF:
   case AGX_TS:
   case AGX_SS:
      s->load = o->kind == AGX_NONE ? LOAD_NONE : LOAD_CONST;
      s->value = (uint32_t)o->value;
      break;
   }
}

uint64_t
exec_value(const struct wave *w, const struct agx_operand *o, unsigned lane)
{
   unsigned half = (unsigned)o->value;
   if (o->kind == AGX_REG) {
      uint64_t low = state_get(&w->state, half, o->size, lane);
      return o->size == 64 ? low | (uint64_t)w->state.r[half / 2 + 1][lane] << 32 : low;
   }
   if (o->kind != AGX_UNIFORM)
      return (uint64_t)(int64_t)o->value;
   uint64_t value = 0;
   for (unsigned i = 0; i < o->size / 16u; i++)
      value |= (uint64_t)exec_uniform(w, half + i) << 16 * i;
   return value;
}

/* What a source is taken for. */
static enum as source_as(const struct agx_inst *in, unsigned source)
{
   switch (in->op) {
   case AGX_OP_FCSEL:
      return source < 2 ? AS_FLOAT : AS_BITS;
   case AGX_OP_ICSEL:
      return source < 2 && in->mod.icond & 4 ? AS_SIGNED : AS_BITS;
   case AGX_OP_ASR:
   case AGX_OP_ASRH:
      return source == 0 ? AS_SIGNED : AS_BITS;
   case AGX_OP_F_TO_U16:
   case AGX_OP_F_TO_S16:
   case AGX_OP_F_TO_U32:
   case AGX_OP_F_TO_S32:
      return AS_FLOAT;
   default: /* others: by their class */
      break;
   }
   if (agx_isa_op_info((enum agx_op)in->op).class == AGX_CLASS_FLOAT)
      return AS_FLOAT;
   return in->src[source].sext ? AS_SIGNED : AS_BITS;
}

static bool
is_wide(const struct agx_inst *in)
{
   bool is_sum = in->op == AGX_OP_IADD || in->op == AGX_OP_ISUB || in->op == AGX_OP_IMUL || in->op == AGX_OP_IMADD ||
                 in->op == AGX_OP_IMSUB;
   return is_sum && (in->dst.size == 64 || in->mod.sat || in->src[0].size == 64 || in->src[1].size == 64 ||
                     in->src[2].size == 64);
}

static enum step
run_special(struct wave *w, const struct code *c)
{
   /* Of fragments: what tests have left of them. */
   bool tests = c->in.mod.sr == AGX_SR_INTERNAL_COVERAGE_MASK || c->in.mod.sr == AGX_SR_IS_ACTIVE_THREAD;
   if (tests && w->program->stage == AGX_STAGE_FRAGMENT && w->base.queue.count)
      return STEP_AGAIN;
   for (unsigned l = 0; l < LANES; l++) {
      bool known = true;
      if (!(w->state.exec >> l & 1))
         continue;
      uint32_t value = wave_special_register(w, c->in.mod.sr, l, &known);
      if (!known)
         return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "special register without a model in this stage");
      state_put(&w->state, c->alu.dst, c->alu.dst_size, l, value);
   }
   return STEP_NEXT;
}

bool
exec_alu_bind(struct code *c)
{
   const struct agx_inst *in = &c->in;
   struct alu *alu = &c->alu;
   unsigned class = agx_isa_op_info((enum agx_op)in->op).class;
   alu->dst = (uint16_t)in->dst.value;
   alu->dst_size = in->dst.size;
   alu->is_float = class == AGX_CLASS_FLOAT && in->op != AGX_OP_FCSEL;
   alu->sat = in->mod.sat;
   if (in->op == AGX_OP_MFSR) {
      c->run = run_special;
      return true;
   }
   alu->kernel = exec_kernels()->find((enum agx_op)in->op);
   c->run = is_wide(in) ? exec_kernels()->run_wide : exec_kernels()->run;
   /* shl and shr have no first source: b and c stand where they do in fields. */
   unsigned skip = in->op == AGX_OP_SHL || in->op == AGX_OP_SHR;
   for (unsigned i = 0; i + skip < 4; i++)
      exec_bind_source(&alu->src[i + skip], &in->src[i], source_as(in, i));
   if (in->op == AGX_OP_LDIMM16 || in->op == AGX_OP_LDIMM32)
      alu->src[0] = (struct alu_source){.load = LOAD_CONST, .value = in->mod.imm};
   return alu->kernel != NULL;
}
