/* Results of vertices, and varyings of fragments by their coefficients. */
#include "asahi/sim/wave/exec.h"
#include "sim/texel/numeric.h"

static enum step
run_output(struct wave *w, const struct code *c)
{
   bool is_vertex = w->program->stage == AGX_STAGE_VERTEX && !w->engine->bindings;
   const struct agx_operand *index = &c->in.src[1];
   if (!is_vertex)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "a result of a vertex in another stage");
   if (w->outputs_done)
      return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "a result after the last one");
   w->outputs_done = c->in.op == AGX_OP_NO_VAR || c->in.mod.last;
   for (unsigned l = 0; l < LANES && c->in.op == AGX_OP_ST_VAR; l++) {
      if (!(w->state.exec >> l & 1))
         continue;
      uint32_t i = (uint32_t)exec_value(w, index, l);
      if (i >= w->launch->output_count || i >= AGX_WAVE_OUTPUTS)
         return wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "result %u of a vertex that has %u", i,
                           w->launch->output_count);
      w->outputs[i][l] = (uint32_t)exec_value(w, &c->in.src[0], l);
      w->has_output[i] |= 1u << l;
   }
   return STEP_NEXT;
}

/* Where in the 32x32 tile a varying is evaluated. */
static void
place(const struct wave *w, const struct code *c, unsigned lane, double *x, double *y)
{
   const struct agx_wave_fragments *f = &w->fragments;
   int sample_source = agx_isa_source((enum agx_op)c->in.op, AGX_ROLE_SAMPLE);
   unsigned count = 1u << w->launch->samples_log2, covered = f->samples[lane] & (unsigned)bit_mask(count);
   bool centre = c->in.mod.interpolation == AGX_INTERPOLATION_NONE;
   unsigned sample = 0;
   if (c->in.mod.interpolation == AGX_INTERPOLATION_CENTROID) {
      centre = !covered || covered == bit_mask(count);
      sample = covered ? (unsigned)__builtin_ctz(covered) : 0;
   } else if (!centre && sample_source >= 0) {
      sample = (unsigned)exec_value(w, &c->in.src[sample_source], lane) & (count - 1);
   }
   *x = (f->x[lane] & 31) + (centre ? 0.5 : (double)w->launch->sample_position[sample & 3][0]);
   *y = (f->y[lane] & 31) + (centre ? 0.5 : (double)w->launch->sample_position[sample & 3][1]);
}

/* NULL after a fault. */
static const struct agx_wave_coefficients *
coefficients(struct wave *w, const struct code *c, unsigned lane, unsigned index)
{
   const struct agx_wave_coefficients *quad = w->fragments.coefficients[lane / 4];
   const uint32_t *bound = w->draw->coefficients_bound;
   if (quad && index < w->fragments.coefficient_count && !w->engine->bindings) {
      if (!bound || bound[index / 32] >> index % 32 & 1)
         return &quad[index];
      wave_fault(w, c, SIM_FAULT_STATE, sim_va(0),
                 "coefficient register %u, which no CF_BINDING fills with a word that every vertex writes", index);
      return NULL;
   }
   wave_fault(w, c, SIM_FAULT_STATE, sim_va(0), "coefficient register %u of %u", index,
              quad ? w->fragments.coefficient_count : 0);
   return NULL;
}

static void
put_float(struct wave *w, const struct agx_operand *dst, unsigned i, unsigned lane, float value)
{
   uint32_t bits = dst->size == 16 ? sim_half_from_float(value) : float_bits(value);
   state_put(&w->state, (unsigned)dst->value + i * dst->size / 16u, dst->size, lane, bits);
}

static double
evaluate(const struct agx_wave_coefficients *f, double x, double y)
{
   return (double)f->a * x + (double)f->b * y + (double)f->c;
}

static enum step
run_iterate(struct wave *w, const struct code *c)
{
   bool projects = c->in.op == AGX_OP_ITERPROJ;
   for (unsigned l = 0; l < LANES; l++) {
      double x, y, w_value = 1;
      if (!(w->state.exec >> l & 1))
         continue;
      unsigned index = (unsigned)exec_value(w, &c->in.src[0], l);
      place(w, c, l, &x, &y);
      if (projects) {
         const struct agx_wave_coefficients *f = coefficients(w, c, l, (unsigned)c->in.src[1].value);
         if (!f)
            return STEP_FAULT;
         w_value = evaluate(f, x, y);
      }
      for (unsigned i = 0; i < c->in.dst.count; i++) {
         const struct agx_wave_coefficients *f = coefficients(w, c, l, index + i);
         if (!f)
            return STEP_FAULT;
         put_float(w, &c->in.dst, i, l, (float)(evaluate(f, x, y) / w_value));
      }
   }
   if (c->in.mod.kill) {
      for (unsigned l = 0; l < LANES; l++)
         w->state.lanes &= ~((uint32_t)!w->fragments.samples[l] << l);
      state_set_exec(&w->state, w->state.exec);
   }
   return STEP_NEXT;
}

static enum step
run_coefficients(struct wave *w, const struct code *c)
{
   for (unsigned l = 0; l < LANES; l++) {
      if (!(w->state.exec >> l & 1))
         continue;
      const struct agx_wave_coefficients *f = coefficients(w, c, l, (unsigned)exec_value(w, &c->in.src[0], l));
      if (!f)
         return STEP_FAULT;
      put_float(w, &c->in.dst, 0, l, f->a);
      put_float(w, &c->in.dst, 1, l, f->b);
      put_float(w, &c->in.dst, 2, l, f->c);
   }
   return STEP_NEXT;
}

bool
exec_varying_bind(struct code *c)
{
   c->run = c->in.op == AGX_OP_LDCF                                  ? run_coefficients
            : c->in.op == AGX_OP_ITER || c->in.op == AGX_OP_ITERPROJ ? run_iterate
                                                                     : run_output;
   return true;
}
