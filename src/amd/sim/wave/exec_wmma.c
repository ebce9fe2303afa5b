/* Matrix products of 16x16x16 (WMMA, GFX11). Row m of A and column n of B lie in lanes m and n of the first 16, each
 * with its 16 elements in order, packed into dwords; the other rows of 16 lanes repeat them. Element (m, n) of C and
 * D is in lane n + 16 * (m % rows), register m / rows, of 2 or 4 rows. Halves of C and D are those that OP_SEL names;
 * D keeps the others. Source: "RDNA3.5" ISA, 7.9 (figures of the VGPRs; floats round to nearest even; it works by dot
 * products of two or four). Assumed: the order of sums, from k = 0 on in pairs as V_DOT2_F32_F16 and its like add
 * them, each rounded to single precision, 16-bit results at the end; denormals are kept; NaNs are as the processor
 * makes them. */
#include <string.h>

#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/wave_float.h"

enum { SIDE = 16, NEAREST_WITH_DENORMALS = 0x30 /* of MODE */ };

struct format {
   uint8_t bits;           /* of an element of A and B */
   bool is_integer, is_bf; /* bf: the upper half of a float */
   bool halves;            /* C and D have 16 bits */
};

static bool
format_of(unsigned op, struct format *format)
{
   switch (op) {
   case AMD_OP_v_wmma_f32_16x16x16_f16:
      *format = (struct format){.bits = 16};
      return true;
   case AMD_OP_v_wmma_f32_16x16x16_bf16:
      *format = (struct format){.bits = 16, .is_bf = true};
      return true;
   case AMD_OP_v_wmma_f16_16x16x16_f16:
      *format = (struct format){.bits = 16, .halves = true};
      return true;
   case AMD_OP_v_wmma_bf16_16x16x16_bf16:
      *format = (struct format){.bits = 16, .is_bf = true, .halves = true};
      return true;
   case AMD_OP_v_wmma_i32_16x16x16_iu8:
      *format = (struct format){.bits = 8, .is_integer = true};
      return true;
   case AMD_OP_v_wmma_i32_16x16x16_iu4:
      *format = (struct format){.bits = 4, .is_integer = true};
      return true;
   default: /* others: no matrix products */
      return false;
   }
}

static float
float_of(uint32_t bits, bool is_bf)
{
   if (is_bf)
      return bits_float(bits << 16);
   const uint16_t half = (uint16_t)bits;
   _Float16 value;
   memcpy(&value, &half, 2);
   return (float)value;
}

static uint32_t
half_of(float value, bool is_bf)
{
   const uint32_t bits = float_bits(value);
   if (is_bf)
      return value != value ? 0x7fc0 : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
   const _Float16 half = (_Float16)value;
   uint16_t out;
   memcpy(&out, &half, 2);
   return out;
}

/* Element k of what a lane holds of A or B. */
static uint32_t
element(struct wave *w, unsigned reg, unsigned lane, unsigned k, unsigned bits)
{
   const uint32_t dword = state_vgpr(&w->state, reg + k * bits / 32)[lane];
   return dword >> k * bits % 32 & (uint32_t)bit_mask(bits);
}

static uint32_t
sum_floats(struct wave *w, const struct code *c, const struct format *f, const unsigned lanes[2], uint32_t start)
{
   float sum = f->halves ? float_of(start, f->is_bf) : bits_float(start);
   for (unsigned k = 0; k < SIDE; k += 2) {
      float product[2];
      for (unsigned i = 0; i < 2; i++)
         product[i] = float_of(element(w, c->in.src[0], lanes[0], k + i, 16), f->is_bf) *
                      float_of(element(w, c->in.src[1], lanes[1], k + i, 16), f->is_bf);
      sum = product[0] + product[1] + sum;
   }
   return f->halves ? half_of(sum, f->is_bf) : float_bits(sum);
}

static int64_t
integer_of(uint32_t bits, unsigned size, bool is_signed)
{
   return is_signed ? sign_extend(bits, size) : (int64_t)bits;
}

/* NEG says which of A and B have signs; CLAMP keeps the whole sum within 32 bits. */
static uint32_t
sum_integers(struct wave *w, const struct code *c, const struct format *f, const unsigned lanes[2], uint32_t start)
{
   int64_t sum = (int32_t)start;
   for (unsigned k = 0; k < SIDE; k++)
      sum += integer_of(element(w, c->in.src[0], lanes[0], k, f->bits), f->bits, c->in.neg & 1) *
             integer_of(element(w, c->in.src[1], lanes[1], k, f->bits), f->bits, c->in.neg >> 1 & 1);
   if (c->in.clamp)
      sum = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
   return (uint32_t)sum;
}

/* Rows of lanes repeat what the first one has. */
static bool
repeats(struct wave *w, unsigned reg, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      const uint32_t *v = state_vgpr(&w->state, reg + i);
      for (unsigned lane = SIDE; lane < w->state.lanes; lane++)
         if (v[lane] != v[lane % SIDE])
            return false;
   }
   return true;
}

static uint32_t
read_c(struct wave *w, const struct code *c, unsigned reg, unsigned lane)
{
   if (!amd_is_vgpr(c->in.src[2]))
      return (uint32_t)exec_scalar(w, c, 2);
   return state_vgpr(&w->state, c->in.src[2] + reg)[lane];
}

static enum step
run_wmma(struct wave *w, const struct code *c)
{
   const unsigned rows = w->state.lanes / SIDE, shift = c->in.op_sel & 4 ? 16 : 0;
   struct format f;
   format_of(c->in.op, &f);
   if (state_exec(&w->state) != bit_mask(w->state.lanes))
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0), "a matrix product while lanes are inactive");
   if (!repeats(w, c->in.src[0], f.bits / 2) || !repeats(w, c->in.src[1], f.bits / 2))
      return wave_fault(w, c, SIM_FAULT_INSTRUCTION, sim_va(0),
                        "a matrix product whose lanes do not repeat the first 16 ones' A and B");
   uint32_t d[SIDE / 2][AMD_WAVE_MAX_LANES];
   wave_float_mode(NEAREST_WITH_DENORMALS);
   for (unsigned reg = 0; reg < SIDE / rows; reg++) {
      for (unsigned lane = 0; lane < w->state.lanes; lane++) {
         const unsigned lanes[2] = {reg * rows + lane / SIDE, lane % SIDE};
         const uint32_t start = read_c(w, c, reg, lane) >> shift;
         const uint32_t sum =
            f.is_integer ? sum_integers(w, c, &f, lanes, start) : sum_floats(w, c, &f, lanes, start);
         const uint32_t kept = f.halves ? state_vgpr(&w->state, c->in.dst + reg)[lane] & ~(0xffffu << shift) : 0;
         d[reg][lane] = kept | sum << shift;
      }
   }
   wave_float_mode(w->state.mode);
   for (unsigned reg = 0; reg < SIDE / rows; reg++)
      memcpy(state_vgpr(&w->state, c->in.dst + reg), d[reg], 4 * w->state.lanes);
   return STEP_NEXT;
}

/* Signs of floats are not there: their meaning for C is not known. */
bool
exec_wmma_bind(struct code *c)
{
   struct format f;
   if (!format_of(c->in.op, &f))
      return false;
   c->run = run_wmma;
   if (f.halves && !amd_is_vgpr(c->in.src[2]) && c->in.src[2] != AMD_INT_0) /* whose size is not known */
      return false;
   return f.is_integer || !(c->in.neg | c->in.neg_hi | c->in.clamp);
}
