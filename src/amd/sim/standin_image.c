/* Image instructions: operands gathered for the texture unit. */
#include <stdlib.h>

#include "amd/sim/tex.h"
#include "amd/sim/standin.h"
#include "util/half.h"

/* Registers of the address, in order. */
struct address {
   const struct wave *w;
   const struct amd_inst *inst;
   unsigned next;
};

static const uint32_t *
address_register(const struct wave *w, const struct amd_inst *inst, unsigned i)
{
   unsigned first = inst->src[0] - AMD_VGPR0;
   if (i && inst->nsa_count)
      return w->vgpr[inst->nsa[i - 1]];
   return w->vgpr[(first + i) & 255];
}

/* The next component: a register, or half of one with a16. */
static void
take_float(struct address *at, bool half, unsigned *half_index, float *out)
{
   if (!half) {
      memcpy(out, address_register(at->w, at->inst, at->next++), LANES * 4);
      return;
   }
   const uint32_t *v = address_register(at->w, at->inst, at->next);
   for (unsigned l = 0; l < LANES; l++)
      out[l] = half_to_float((uint16_t)(v[l] >> (16 * *half_index)));
   at->next += *half_index;
   *half_index ^= 1;
}

static void
take_uint(struct address *at, bool half, unsigned *half_index, uint32_t *out)
{
   const uint32_t *v = address_register(at->w, at->inst, at->next);
   for (unsigned l = 0; l < LANES; l++)
      out[l] = half ? v[l] >> (16 * *half_index) & 0xffff : v[l];
   if (!half) {
      at->next++;
      return;
   }
   at->next += *half_index;
   *half_index ^= 1;
}

static const uint8_t coord_counts[8] = {1, 2, 3, 3, 2, 3, 3, 4};
static const uint8_t gradient_counts[8] = {1, 2, 3, 2, 1, 2, 2, 2};

static void
gather_sample(struct wave *w, const struct amd_inst *inst, struct amd_tex_request *r, unsigned flags)
{
   struct address at = {w, inst, 0};
   unsigned half = 0;
   bool a16 = inst->a16, g16 = a16 || (flags & AMD_IMAGE_G16);
   if (flags & AMD_IMAGE_OFFSET) {
      const uint32_t *v = address_register(w, inst, at.next++);
      r->has_offset = true;
      for (unsigned l = 0; l < LANES; l++) {
         for (unsigned i = 0; i < 3; i++)
            r->offset[i][l] = (int8_t)sign_extend(v[l] >> (8 * i) & 63, 6);
      }
   }
   if (flags & AMD_IMAGE_BIAS) {
      r->lod_mode = AMD_TEX_LOD_BIAS;
      take_float(&at, a16, &half, r->bias);
      at.next += half, half = 0;
   }
   if (flags & AMD_IMAGE_COMPARE) {
      r->compare = true;
      take_float(&at, false, &half, r->zcompare);
   }
   if (flags & AMD_IMAGE_GRADIENT) {
      r->lod_mode = AMD_TEX_LOD_GRADIENT;
      unsigned count = gradient_counts[inst->dim];
      for (unsigned k = 0; k < 2; k++) {
         for (unsigned i = 0; i < count; i++)
            take_float(&at, g16, &half, k ? r->ddy[i] : r->ddx[i]);
         at.next += half, half = 0;
      }
   }
   for (unsigned i = 0; i < coord_counts[inst->dim]; i++)
      take_float(&at, a16, &half, r->coord.f[i]);
   if (flags & AMD_IMAGE_LOD) {
      r->lod_mode = AMD_TEX_LOD_EXPLICIT;
      take_float(&at, a16, &half, r->lod.f);
   }
   if (flags & AMD_IMAGE_CLAMP) {
      r->has_lod_clamp = true;
      take_float(&at, a16, &half, r->lod_clamp);
   }
   if (flags & AMD_IMAGE_LOD_ZERO)
      r->lod_mode = AMD_TEX_LOD_ZERO;
}

static void
gather_load(struct wave *w, const struct amd_inst *inst, struct amd_tex_request *r, bool mip)
{
   struct address at = {w, inst, 0};
   unsigned half = 0;
   for (unsigned i = 0; i < coord_counts[inst->dim]; i++)
      take_uint(&at, inst->a16, &half, r->coord.u[i]);
   if (mip) {
      r->has_lod = true;
      take_uint(&at, inst->a16, &half, r->lod.u);
   }
}

/* Components of the result go to the registers of the data mask in order. */
static void
write_data(struct wave *w, const struct amd_inst *inst, uint32_t result[4][AMD_TEX_LANES], unsigned mask, bool is_int)
{
   unsigned dst = inst->dst - AMD_VGPR0, n = 0;
   for (unsigned c = 0; c < 4; c++) {
      if (!(mask >> c & 1))
         continue;
      for (uint64_t lanes = wave_exec(w); lanes; lanes &= lanes - 1) {
         unsigned l = (unsigned)__builtin_ctzll(lanes);
         if (!inst->d16) {
            w->vgpr[(dst + n) & 255][l] = result[c][l];
            continue;
         }
         uint32_t h = is_int ? result[c][l] & 0xffff : half_from_float(bits_float(result[c][l]));
         uint32_t *out = &w->vgpr[(dst + n / 2) & 255][l];
         *out = n % 2 ? (*out & 0xffff) | h << 16 : (*out & 0xffff0000u) | h;
      }
      n++;
   }
}

static bool
is_int_image(const uint32_t resource[8])
{
   return amd_tex_format_is_integer(resource[1] >> 20 & 0x1ff);
}

static bool
store_or_atomic(struct wave *w, const struct amd_inst *inst, struct amd_tex_request *r, bool store)
{
   /* size: stands in for a short time */
   struct sim_va va[AMD_TEX_LANES], bad;
   uint64_t valid = wave_exec(w), exec = valid, run_B;
   unsigned data = inst->src[3] - AMD_VGPR0, format = r->resource[1] >> 20 & 0x1ff, size_B = amd_tex_format_size_B(format);
   static const enum wave_atomic atomics[] = {
      WAVE_ATOMIC_SWAP, WAVE_ATOMIC_CMPSWAP, WAVE_ATOMIC_ADD, WAVE_ATOMIC_SUB, WAVE_ATOMIC_SMIN, WAVE_ATOMIC_UMIN, WAVE_ATOMIC_SMAX,
      WAVE_ATOMIC_UMAX, WAVE_ATOMIC_AND, WAVE_ATOMIC_OR, WAVE_ATOMIC_XOR, WAVE_ATOMIC_INC, WAVE_ATOMIC_DEC, WAVE_ATOMIC_FCMPSWAP,
      WAVE_ATOMIC_FMIN, WAVE_ATOMIC_FMAX};
   if (!amd_tex_locate(r, va, &valid, w->fault))
      return false;
   for (uint64_t lanes = exec; lanes; lanes &= lanes - 1) {
      unsigned l = (unsigned)__builtin_ctzll(lanes);
      if (!(valid >> l & 1)) {
         if (!store && inst->glc)
            w->vgpr[inst->dst - AMD_VGPR0][l] = 0;
         continue;
      }
      if (store) {
         uint32_t value[4] = {0};
         uint8_t bytes[16];
         unsigned n = 0;
         for (unsigned c = 0; c < 4; c++) {
            if (!(inst->dmask >> c & 1))
               continue;
            uint32_t v = w->vgpr[(data + (inst->d16 ? n / 2 : n)) & 255][l];
            if (inst->d16) {
               v = v >> (16 * (n % 2)) & 0xffff;
               v = is_int_image(r->resource) ? v : float_bits(half_to_float((uint16_t)v));
            }
            value[c] = v;
            n++;
         }
         /* Components go through the inverse of DST_SEL. */
         uint32_t memory[4] = {0};
         for (unsigned c = 0; c < 4; c++) {
            unsigned select = r->resource[3] >> (3 * c) & 7;
            if (select >= 4)
               memory[select - 4] = value[c];
         }
         amd_tex_pack(format, memory, bytes);
         if (!sim_vm_write(w->launch->vm, va[l], bytes, size_B, &bad))
            return standin_fault(w, SIM_FAULT_ADDRESS, bad, "image store to an unmapped address");
         continue;
      }
      bool wide = size_B == 8;
      void *host = sim_vm_lookup(w->launch->vm, va[l], SIM_READ | SIM_WRITE, &run_B, NULL);
      if (!host || run_B < size_B || (size_B != 4 && size_B != 8))
         return standin_fault(w, SIM_FAULT_ADDRESS, va[l], "image atomic on an unmapped address");
      unsigned step = wide ? 2 : 1;
      uint64_t value = w->vgpr[data][l], compare = w->vgpr[(data + step) & 255][l];
      if (wide) {
         value |= (uint64_t)w->vgpr[(data + 1) & 255][l] << 32;
         compare |= (uint64_t)w->vgpr[(data + 3) & 255][l] << 32;
      }
      uint64_t old = standin_atomic_memory(atomics[inst->op - AMD_OP_image_atomic_swap], wide, host, value, compare);
      if (inst->glc) {
         w->vgpr[inst->dst - AMD_VGPR0][l] = (uint32_t)old;
         if (wide)
            w->vgpr[(inst->dst - AMD_VGPR0 + 1) & 255][l] = (uint32_t)(old >> 32);
      }
   }
   return true;
}

bool
standin_image(struct wave *w, const struct amd_inst *inst)
{
   static _Thread_local struct amd_tex_request request;
   static _Thread_local uint32_t result[4][AMD_TEX_LANES];
   const struct amd_op_info *info = amd_isa_op_info((enum amd_op)inst->op);
   struct amd_tex_request *r = &request;
   bool gather = info->image & AMD_IMAGE_GATHER, sample = info->flags & AMD_FLAG_SAMPLE;
   r->kind = AMD_TEX_LOAD;
   r->lod_mode = AMD_TEX_LOD_IMPLICIT;
   r->dim = inst->dim;
   r->dmask = inst->dmask;
   r->unorm_coord = inst->unrm;
   r->compare = r->has_offset = r->has_lod_clamp = r->has_lod = false;
   r->gb_addr_config = w->launch->gb_addr_config;
   r->lanes = w->size;
   r->exec = wave_exec(w);
   for (unsigned i = 0; i < 8; i++)
      r->resource[i] = i < 4 || !inst->r128 ? w->sgpr[(inst->src[1] + i) & 127] : 0;
   if (inst->tfe || inst->lwe)
      return standin_fault(w, SIM_FAULT_INSTRUCTION, sim_va(0), "image instruction with TFE or LWE");
   bool store = inst->op == AMD_OP_image_store || inst->op == AMD_OP_image_store_mip;
   bool atomic = inst->op >= AMD_OP_image_atomic_swap && inst->op <= AMD_OP_image_atomic_fmax;
   if (store || atomic) {
      gather_load(w, inst, r, inst->op == AMD_OP_image_store_mip);
      return store_or_atomic(w, inst, r, store);
   }
   if (inst->op == AMD_OP_image_get_resinfo) {
      r->kind = AMD_TEX_GET_RESINFO;
      memcpy(r->lod.u, address_register(w, inst, 0), sizeof(r->lod.u));
   } else if (sample) {
      r->kind = inst->op == AMD_OP_image_get_lod ? AMD_TEX_GET_LOD : gather ? AMD_TEX_GATHER4 : AMD_TEX_SAMPLE;
      for (unsigned i = 0; i < 4; i++)
         r->sampler[i] = w->sgpr[(inst->src[2] + i) & 127];
      gather_sample(w, inst, r, info->image);
      if (gather && r->lod_mode == AMD_TEX_LOD_IMPLICIT)
         r->lod_mode = AMD_TEX_LOD_IMPLICIT;
   } else {
      gather_load(w, inst, r, inst->op == AMD_OP_image_load_mip);
   }
   if (!amd_tex_read(w->launch->vm, w->launch->border, r, result, w->fault))
      return false;
   write_data(w, inst, result, gather ? 15 : inst->dmask, is_int_image(r->resource) || r->kind == AMD_TEX_GET_RESINFO);
   return true;
}
