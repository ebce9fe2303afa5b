/* Image instructions: the address registers to a request of the texture unit, and its results back. */
#include <stddef.h>
#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/surface/formats.h"
#include "amd/sim/tex/tex.h"
#include "amd/sim/wave/exec_private.h"
#include "amd/sim/wave/wave_watch.h"
#include "util/macros.h"

static const uint8_t coordinate_count[8] = {1, 2, 3, 3, 2, 3, 3, 4};
static const uint8_t gradient_coordinates[8] = {1, 2, 3, 2, 1, 2, 2, 2};

/* Splits the address, register by register or half by half. */
struct reader {
   struct wave *w;
   const struct amd_inst *in;
   unsigned next; /* register */
   bool half;     /* the next 16-bit value is the high half of the register before */
};

static const uint32_t *
address_register(const struct reader *r, unsigned i)
{
   if (!i || !r->in->nsa_count)
      return state_vgpr(&r->w->state, r->in->src[0] + i);
   return state_vgpr(&r->w->state, amd_vgpr(r->in->nsa[MIN2(i - 1, 11)]));
}

static void
read_address(struct reader *r, bool small, bool is_float, uint32_t *out)
{
   bool high = small && r->half;
   const uint32_t *from = address_register(r, high ? r->next - 1 : r->next);
   r->next += !high;
   r->half = small && !high;
   if (!small)
      memcpy(out, from, r->w->state.lanes * 4);
   for (unsigned l = 0; l < r->w->state.lanes && small; l++)
      out[l] = wave_from_half_bits(from[l] >> (high ? 16 : 0), !is_float);
}

static void
take_offset(struct reader *r, struct amd_tex_request *q)
{
   uint32_t packed[AMD_TEX_LANES];
   read_address(r, false, false, packed);
   q->has_offset = true;
   for (unsigned l = 0; l < r->w->state.lanes; l++)
      for (unsigned k = 0; k < 3; k++)
         q->offset[k][l] = (int8_t)sign_extend(packed[l] >> 8 * k & 63, 6);
}

/* Order of the address: offset, bias, compare, gradients, coordinates, then lod or clamp. */
static void
take_address(struct wave *w, const struct code *c, struct amd_tex_request *q)
{
   const struct amd_inst *in = &c->in;
   unsigned parts = c->info->image, n = gradient_coordinates[q->dim];
   bool sample = c->info->flags & AMD_FLAG_SAMPLE, a16 = in->a16, g16 = parts & AMD_IMAGE_G16;
   struct reader r = {w, in, 0, false};
   if (parts & AMD_IMAGE_OFFSET)
      take_offset(&r, q);
   if (parts & AMD_IMAGE_BIAS) {
      read_address(&r, a16, true, (uint32_t *)q->bias);
      r.half = false;
   }
   if (parts & AMD_IMAGE_COMPARE)
      read_address(&r, false, true, (uint32_t *)q->zcompare);
   for (unsigned d = 0; d < 2 && parts & AMD_IMAGE_GRADIENT; d++) {
      for (unsigned k = 0; k < n; k++)
         read_address(&r, g16, true, (uint32_t *)(d ? q->ddy[k] : q->ddx[k]));
      r.half = false;
   }
   bool resinfo = in->op == AMD_OP_image_get_resinfo;
   for (unsigned k = 0; k < coordinate_count[q->dim] && !resinfo; k++)
      read_address(&r, a16, sample, q->coord.u[k]);
   if (parts & AMD_IMAGE_LOD || resinfo) {
      q->has_lod = true;
      read_address(&r, a16, sample, q->lod.u);
   }
   if (parts & AMD_IMAGE_CLAMP) {
      q->has_lod_clamp = true;
      read_address(&r, a16, true, (uint32_t *)q->lod_clamp);
   }
}

/* GFX9: the descriptor's type; without DA the address has no slice. */
static uint8_t
described_dim(const struct wave *w, const struct amd_inst *in)
{
   enum { DIM_1D, DIM_2D, DIM_3D, DIM_CUBE, DIM_1D_ARRAY, DIM_2D_ARRAY, DIM_MSAA, DIM_MSAA_ARRAY };
   static const uint8_t dims[8][2] = {
      [V_SQ_RSRC_IMG_1D & 7] = {DIM_1D, DIM_1D_ARRAY},
      [V_SQ_RSRC_IMG_2D & 7] = {DIM_2D, DIM_2D_ARRAY},
      [V_SQ_RSRC_IMG_3D & 7] = {DIM_3D, DIM_3D},
      [V_SQ_RSRC_IMG_CUBE & 7] = {DIM_CUBE, DIM_CUBE},
      [V_SQ_RSRC_IMG_1D_ARRAY & 7] = {DIM_1D, DIM_1D_ARRAY},
      [V_SQ_RSRC_IMG_2D_ARRAY & 7] = {DIM_2D, DIM_2D_ARRAY},
      [V_SQ_RSRC_IMG_2D_MSAA & 7] = {DIM_MSAA, DIM_MSAA_ARRAY},
      [V_SQ_RSRC_IMG_2D_MSAA_ARRAY & 7] = {DIM_MSAA, DIM_MSAA_ARRAY},
   };
   return dims[amd_sq_img_rsrc_unpack(w->launch->chip->gen, &w->state.sgpr[in->src[1]]).type & 7][in->da];
}

static bool
is_msaa_load(const struct amd_inst *in)
{
   return in->op == AMD_OP_image_msaa_load || in->op == AMD_OP_image_msaa_load_4;
}

static void
start_request(struct wave *w, const struct code *c, struct amd_tex_request *q)
{
   const struct amd_inst *in = &c->in;
   unsigned parts = c->info->image;
   memset(q, 0, offsetof(struct amd_tex_request, coord)); /* what a kind of request does not have, nobody reads */
   q->kind = is_msaa_load(in)                     ? AMD_TEX_MSAA_LOAD
             : parts & AMD_IMAGE_GATHER           ? AMD_TEX_GATHER4
             : in->op == AMD_OP_image_get_lod     ? AMD_TEX_GET_LOD
             : in->op == AMD_OP_image_get_resinfo ? AMD_TEX_GET_RESINFO
             : c->info->flags & AMD_FLAG_SAMPLE   ? AMD_TEX_SAMPLE
                                                  : AMD_TEX_LOAD;
   q->lod_mode = parts & AMD_IMAGE_LOD        ? AMD_TEX_LOD_EXPLICIT
                 : parts & AMD_IMAGE_LOD_ZERO ? AMD_TEX_LOD_ZERO
                 : parts & AMD_IMAGE_GRADIENT ? AMD_TEX_LOD_GRADIENT
                 : parts & AMD_IMAGE_BIAS     ? AMD_TEX_LOD_BIAS
                                              : AMD_TEX_LOD_IMPLICIT;
   q->dim = w->program->traits->descriptor_dims ? described_dim(w, in) : in->dim & 7;
   q->dmask = in->dmask;
   q->unorm_coord = in->unrm;
   q->compare = parts & AMD_IMAGE_COMPARE;
   q->chip = w->launch->chip;
   q->lanes = w->state.lanes;
   q->exec = state_exec(&w->state);
   q->port = &w->cache;
   q->path = c->path;
   q->reference = w->engine->reference;
   memcpy(q->resource, &w->state.sgpr[in->src[1]], (in->r128 ? 4 : 8) * 4);
   if (c->info->src[2].cls)
      memcpy(q->sampler, &w->state.sgpr[in->src[2]], 16);
   take_address(w, c, q);
}

static unsigned
image_format(const struct amd_tex_request *q)
{
   const struct amd_sq_img_rsrc rsrc = amd_sq_img_rsrc_unpack(q->chip->gen, q->resource);
   return amd_format_of_image(q->chip->gen, &rsrc);
}

/* Under EXEC. */
static void
put_lanes(struct wave_state *s, unsigned half, uint32_t *to, const uint32_t *from)
{
   if ((uint32_t)(state_exec(s) >> half * HALF) == UINT32_MAX) {
      memcpy(to, from, HALF * 4);
      return;
   }
   exec_update_mask(s, half);
   const uint32_t *mask = s->exec_mask[half];
   for (int l = 0; l < HALF; l++)
      to[l] = (from[l] & mask[l]) | (to[l] & ~mask[l]);
}

/* With TFE: lanes whose texels are not all there keep the result that they had, and get a value that is not 0 in the
 * register after it, which others do not write. So LLVM has it (SIAddIMGInit.cpp): compilers clear all of them. */
static void
write_status(struct wave *w, const struct code *c, uint64_t missing)
{
   for (; missing; missing &= missing - 1)
      state_vgpr(&w->state, c->in.dst + amd_isa_image_data_dw(&c->in) - 1)[__builtin_ctzll(missing)] = 1;
}

/* Components of dmask (all four of a gather) packed into the result registers of these lanes. */
static void
write_result(struct wave *w, const struct code *c, const struct amd_tex_request *q, uint64_t lanes,
             uint32_t result[4][AMD_TEX_LANES])
{
   const struct amd_inst *in = &c->in;
   unsigned mask = c->info->image & AMD_IMAGE_GATHER ? 15 : in->dmask, n = 0;
   unsigned format = in->d16 ? image_format(q) : 0;
   uint32_t *dst = state_vgpr(&w->state, in->dst);
   for (unsigned k = 0; k < 4; k++) {
      if (!(mask >> k & 1))
         continue;
      if (!in->d16 && lanes == q->exec) {
         for (unsigned half = 0; half < w->state.halves; half++)
            put_lanes(&w->state, half, dst + n * w->state.lanes + half * HALF, result[k] + half * HALF);
         n++;
         continue;
      }
      for (unsigned l = 0; l < w->state.lanes; l++) {
         if (!(lanes >> l & 1))
            continue;
         uint32_t *to = &dst[(in->d16 ? n / 2 : n) * w->state.lanes + l];
         uint32_t bits = in->d16 ? exec_loaded_half(result[k][l], format) : result[k][l];
         if (in->d16)
            *to = n & 1 ? (*to & 0xffff) | bits << 16 : (*to & 0xffff0000) | bits;
         else
            *to = bits;
      }
      n++;
   }
}

static void
note_accesses(struct wave *w, const struct code *c, const struct amd_tex_request *q, const struct sim_va *va,
              uint64_t valid)
{
   unsigned size_B = amd_format_size_B(image_format(q));
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (valid >> l & 1)
         wave_race_note(w, c, l, va[l], MAX2(size_B, 1), c->in.dst != AMD_OPERAND_NONE ? COUNTER_VM : COUNTER_VS);
   }
}

/* Texels that a read of the wave finds. */
struct seen {
   struct amd_tex_watch watch;
   struct wave *w;
   const struct code *c;
   bool filtered;
};

static void
see_texel(struct amd_tex_watch *watch, unsigned lane, struct sim_va va, unsigned size_B)
{
   const struct seen *seen = (const struct seen *)watch;
   if (!seen->filtered || wave_race_may_meet(seen->w, va))
      wave_race_note(seen->w, seen->c, lane, va, size_B, COUNTER_VM);
}

static enum step
run_read(struct wave *w, const struct code *c)
{
   struct amd_tex_request q;
   static _Thread_local uint32_t result[4][AMD_TEX_LANES];
   if (w->base.queue.count) /* its own stores to the image must be seen */
      return STEP_AGAIN;
   start_request(w, c, &q);
   if (q.kind != AMD_TEX_SAMPLE) /* of which no lane lacks a component */
      memset(result, 0, sizeof(result));
   uint64_t missing = 0;
   q.missing = c->in.tfe ? &missing : NULL;
   struct seen seen = {{see_texel}, w, c, q.kind != AMD_TEX_LOAD};
   q.watch = w->launch->races ? &seen.watch : NULL;
   struct sim_fault fault;
   fault.kind = SIM_FAULT_NONE; /* nobody reads more: its text is long */
   if (q.exec && !amd_tex_read(w->launch->vm, w->launch->border, &q, result, &fault))
      return wave_fault(w, c, fault.kind, fault.va, "%.110s", fault.message);
   if (w->cache.hazard.tag)
      return wave_hazard(w, c, w->cache.hazard.tag, w->cache.hazard.va, "read");
   write_result(w, c, &q, q.exec & ~missing, result);
   write_status(w, c, missing);
   wave_outstanding(w, COUNTER_VM, c->in.dst, amd_isa_image_data_dw(&c->in), false, false);
   return q.kind == AMD_TEX_LOAD && wave_lets_others(w) ? STEP_LET : STEP_NEXT;
}

static uint32_t
store_component(const struct wave *w, const struct code *c, const uint32_t *data, unsigned n, unsigned l,
                unsigned format)
{
   if (!c->in.d16)
      return data[n * w->state.lanes + l];
   return exec_stored_half(data[n / 2 * w->state.lanes + l] >> 16 * (n & 1), format);
}

static enum step
run_write(struct wave *w, const struct code *c)
{
   struct amd_tex_request q;
   struct sim_va va[AMD_TEX_LANES];
   start_request(w, c, &q);
   uint64_t valid = q.exec;
   struct sim_fault fault = {0};
   if (q.exec && !amd_tex_locate(&q, w->launch->vm, va, &valid, &fault))
      return wave_fault(w, c, fault.kind, fault.va, "%.110s", fault.message);
   if (w->launch->races)
      note_accesses(w, c, &q, va, valid);
   unsigned format = image_format(&q), size_B = amd_format_size_B(format);
   bool atomic = c->info->flags & AMD_FLAG_ATOMIC;
   bool compare = wave_atomic_compares((enum amd_atomic)c->info->atomic);
   const uint32_t *data = state_vgpr(&w->state, c->in.src[3]);
   unsigned dw = (unsigned)__builtin_popcount(c->in.dmask) / (compare ? 2 : 1);
   unsigned dst = c->in.dst == AMD_OPERAND_NONE ? 0 : c->in.dst - AMD_VGPR0 + 1u;
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (!(valid >> l & 1)) {
         for (unsigned i = 0; i < dw && dst && q.exec >> l & 1; i++)
            state_vgpr(&w->state, c->in.dst)[i * w->state.lanes + l] = 0;
         continue;
      }
      if (atomic) {
         uint64_t operand[2] = {0};
         for (unsigned i = 0; i < dw * (compare ? 2 : 1); i++)
            operand[i / dw] |= (uint64_t)data[i * w->state.lanes + l] << 32 * (i % dw);
         wave_queue_atomic(w, c, va[l], dw * 4, l, dst, operand[0], operand[1]);
         continue;
      }
      uint32_t value[4] = {0}, texel[4] = {0}, n = 0;
      for (unsigned k = 0; k < 4; k++)
         if (c->in.dmask >> k & 1)
            value[k] = store_component(w, c, data, n++, l, format);
      amd_tex_store_select(q.resource[3], value);
      amd_format_pack(format, value, texel);
      sim_queue_store(&w->base.queue, c->pc_dw, va[l], texel, size_B);
   }
   wave_outstanding(w, dst ? COUNTER_VM : COUNTER_VS, dst ? c->in.dst : 0, dst ? dw : 0,
                    atomic || !wave_stays_in_l0(w, c), false);
   return STEP_NEXT;
}

/* Loads and stores of texels without their format, and one more. */
static bool
is_unmodelled(enum amd_op op)
{
   static const enum amd_op ops[] = {
      AMD_OP_image_load_pck,  AMD_OP_image_load_pck_sgn,  AMD_OP_image_load_mip_pck, AMD_OP_image_load_mip_pck_sgn,
      AMD_OP_image_store_pck, AMD_OP_image_store_mip_pck, AMD_OP_image_gather4h};
   for (unsigned i = 0; i < ARRAY_SIZE(ops); i++)
      if (ops[i] == op)
         return true;
   return false;
}

bool
exec_image_bind(struct code *c)
{
   bool load = c->info->flags & AMD_FLAG_LOAD;
   if ((!load && (c->in.tfe || c->in.lwe)) || is_unmodelled((enum amd_op)c->in.op))
      return false;
   c->run = load ? run_read : run_write;
   return true;
}
