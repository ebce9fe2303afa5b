/* Between the threads of a simd-group: ballots, shuffles, reductions and scans. */
#include "asahi/sim/wave/exec.h"
#include "sim/texel/numeric.h"

static enum step
run_ballot(struct wave *w, const struct code *c)
{
   struct agx_wave_registers *s = &w->state;
   _Alignas(64) uint32_t scratch[2][LANES];
   uint32_t lanes = s->exec;
   if (c->in.op != AGX_OP_BALLOT) {
      const uint32_t *a = exec_kernels()->fetch(w, &c->alu.src[0], scratch[0]);
      const uint32_t *b = exec_kernels()->fetch(w, &c->alu.src[1], scratch[1]);
      bool is_float = c->alu.is_float;
      lanes &= exec_kernels()->compare(a, b, is_float ? c->in.mod.fcond : c->in.mod.icond, is_float);
   }
   bool quad = c->in.op != AGX_OP_BALLOT && !c->in.mod.scope;
   for (unsigned l = 0; l < LANES; l++)
      if (s->exec >> l & 1)
         state_put(s, c->alu.dst, c->alu.dst_size, l, quad ? lanes >> (l & ~3u) & 0xf : lanes);
   return STEP_NEXT;
}

/* Where a lane's value comes from, of `span` lanes, or -1: it keeps its own. */
static int
shuffle_from(enum agx_shuffle_op op, int lane, int by, int span, bool rotate)
{
   int from = by;
   if (op == AGX_SHUFFLE_OP_XOR)
      from = lane ^ by;
   else if (op == AGX_SHUFFLE_OP_UP)
      from = lane - by;
   else if (op == AGX_SHUFFLE_OP_DOWN)
      from = lane + by;
   if (rotate)
      from &= span - 1;
   return from < 0 || from >= span ? -1 : from;
}

/* The two low bits of the operands that all threads of a quad have, active or not. Where a simd-group is not full,
 * what is missing has no say: Honeykrisp's programs clear those bits in all threads that there are, and no others. */
static unsigned
low_bits(const struct agx_wave_registers *s, const uint32_t *b, unsigned quad)
{
   unsigned low = 0;
   for (unsigned l = quad; l < quad + 4; l++)
      low |= s->lanes >> l & 1 ? b[l] & 3 : 0;
   return low;
}

/* Quads of four are the unit: which of its four values a thread takes, all threads of the source quad say together;
 * which quad, each for itself. */
static enum step
run_shuffle(struct wave *w, const struct code *c)
{
   struct agx_wave_registers *s = &w->state;
   _Alignas(64) uint32_t scratch[2][LANES], out[LANES];
   const uint32_t *a = exec_kernels()->fetch(w, &c->alu.src[0], scratch[0]);
   const uint32_t *b = exec_kernels()->fetch(w, &c->alu.src[1], scratch[1]);
   enum agx_shuffle_op op = (enum agx_shuffle_op)c->in.mod.shuffle_op;
   bool rotate = c->in.mod.rotate, simd = c->in.mod.scope;
   for (unsigned l = 0; l < LANES; l++) {
      int from = shuffle_from(op, simd ? (int)l : (int)(l & 3), (int)(b[l] & 0xffff), simd ? LANES : 4, rotate);
      if (from < 0) {
         out[l] = a[l];
         continue;
      }
      unsigned quad = simd ? (unsigned)from & ~3u : l & ~3u;
      unsigned low = low_bits(s, b, quad);
      int in_quad = shuffle_from(op, (int)(l & 3), (int)low, 4, true) & 3;
      if (op != AGX_SHUFFLE_OP_XOR && op != AGX_SHUFFLE_OP_UP && op != AGX_SHUFFLE_OP_DOWN)
         in_quad = (int)low;
      unsigned source = quad + (unsigned)in_quad;
      out[l] = s->exec >> source & 1 ? a[source] : ~a[source]; /* of a thread that is not active: anything */
   }
   for (unsigned l = 0; l < LANES; l++)
      if (s->exec >> l & 1)
         state_put(s, c->alu.dst, c->alu.dst_size, l, out[l]);
   return STEP_NEXT;
}

static float
as_float(uint32_t value, unsigned bits)
{
   return bits == 16 ? sim_half_to_float((uint16_t)value) : bits_float(value);
}

static uint32_t
from_float(float value, unsigned bits)
{
   return bits == 16 ? sim_half_from_float(value) : float_bits(value);
}

static uint32_t
combine(enum agx_subgroup_op op, uint32_t a, uint32_t b, unsigned bits)
{
   float fa = as_float(a, bits), fb = as_float(b, bits);
   int64_t sa = sign_extend(a, bits), sb = sign_extend(b, bits);
   switch (op) {
   case AGX_SUBGROUP_OP_AND:
      return a & b;
   case AGX_SUBGROUP_OP_OR:
      return a | b;
   case AGX_SUBGROUP_OP_XOR:
      return a ^ b;
   case AGX_SUBGROUP_OP_IADD:
      return a + b;
   case AGX_SUBGROUP_OP_FADD:
      return from_float(fa + fb, bits);
   case AGX_SUBGROUP_OP_FMUL:
      return from_float(fa * fb, bits);
   case AGX_SUBGROUP_OP_FMIN: /* of two numbers of which one is NaN the other one */
      return fb < fa || fa != fa ? b : a;
   case AGX_SUBGROUP_OP_FMAX:
      return fb > fa || fa != fa ? b : a;
   case AGX_SUBGROUP_OP_SMIN:
      return sb < sa ? b : a;
   case AGX_SUBGROUP_OP_SMAX:
      return sb > sa ? b : a;
   case AGX_SUBGROUP_OP_UMIN:
      return MIN2(a, b);
   case AGX_SUBGROUP_OP_UMAX:
      return MAX2(a, b);
   }
   return a;
}

/* What combines with any value to that value. */
static uint32_t
neutral(enum agx_subgroup_op op, unsigned bits)
{
   uint32_t ones = (uint32_t)bit_mask(bits), top = UINT32_C(1) << (bits - 1);
   switch (op) {
   case AGX_SUBGROUP_OP_AND:
   case AGX_SUBGROUP_OP_UMIN:
      return ones;
   case AGX_SUBGROUP_OP_FADD: /* -0.0 */
   case AGX_SUBGROUP_OP_SMAX:
      return top;
   case AGX_SUBGROUP_OP_SMIN:
      return ones & ~top;
   case AGX_SUBGROUP_OP_FMUL:
      return from_float(1, bits);
   case AGX_SUBGROUP_OP_FMIN:
      return from_float(INFINITY, bits);
   case AGX_SUBGROUP_OP_FMAX:
      return from_float(-INFINITY, bits);
   case AGX_SUBGROUP_OP_OR:
   case AGX_SUBGROUP_OP_XOR:
   case AGX_SUBGROUP_OP_IADD:
   case AGX_SUBGROUP_OP_UMAX:
      break;
   }
   return 0;
}

/* Over the active threads of a quad or of all, in the order of lanes; with `prefix` each thread's is that of those
 * before it. */
static enum step
run_reduce(struct wave *w, const struct code *c)
{
   struct agx_wave_registers *s = &w->state;
   _Alignas(64) uint32_t scratch[LANES], out[LANES];
   const uint32_t *a = exec_kernels()->fetch(w, &c->alu.src[0], scratch);
   enum agx_subgroup_op op = (enum agx_subgroup_op)c->in.mod.subgroup_op;
   unsigned span = c->in.op == AGX_OP_QUAD ? 4 : LANES, bits = c->in.dst.size == 32 ? 32 : 16;
   for (unsigned first = 0; first < LANES; first += span) {
      uint32_t sum = neutral(op, bits);
      for (unsigned l = first; l < first + span; l++) {
         out[l] = sum;
         if (s->exec >> l & 1)
            sum = combine(op, sum, a[l], bits);
      }
      for (unsigned l = first; l < first + span && !c->in.mod.prefix; l++)
         out[l] = sum;
   }
   for (unsigned l = 0; l < LANES; l++)
      if (s->exec >> l & 1)
         state_put(s, c->alu.dst, c->alu.dst_size, l, out[l]);
   return STEP_NEXT;
}

bool
exec_group_bind(struct code *c)
{
   const struct agx_inst *in = &c->in;
   bool is_float = in->op == AGX_OP_FCMP_BALLOT;
   bool is_signed = in->op == AGX_OP_ICMP_BALLOT && in->mod.icond & 4;
   enum as as = is_float ? AS_FLOAT : is_signed ? AS_SIGNED : AS_BITS;
   c->alu.dst = (uint16_t)in->dst.value;
   c->alu.dst_size = in->dst.size;
   c->alu.is_float = is_float;
   exec_bind_source(&c->alu.src[0], &in->src[0], as);
   exec_bind_source(&c->alu.src[1], &in->src[1], as);
   switch (in->op) {
   case AGX_OP_SHUFFLE:
      c->run = run_shuffle;
      return true;
   case AGX_OP_QUAD:
   case AGX_OP_SIMD:
      c->run = run_reduce;
      return true;
   case AGX_OP_BALLOT:
   case AGX_OP_ICMP_BALLOT:
   case AGX_OP_FCMP_BALLOT:
      c->run = run_ballot;
      return true;
   default: /* others: of other classes */
      return false;
   }
}
