/* Vector memory: MUBUF, MTBUF, GLOBAL, FLAT, SCRATCH. */
#include "amd/hw/descriptors.h"
#include "amd/sim/tex.h"
#include "amd/sim/standin.h"
#include "util/half.h"

/* What an instruction moves, from its name. */
enum access_kind {
   ACCESS_NONE,
   ACCESS_LOAD,
   ACCESS_STORE,
   ACCESS_ATOMIC,
   ACCESS_IGNORE,
};

struct access {
   uint8_t kind;
   uint8_t size_B;     /* of memory a lane: 1, 2, 4, 8, 12, 16 */
   bool is_signed, format, d16, d16_hi, wide;
   uint8_t components; /* format accesses */
   uint8_t atomic;     /* enum wave_atomic */
};

static struct access accesses[AMD_OP_COUNT];

static enum wave_atomic
atomic_of(const char *name)
{
   static const struct {
      const char *name;
      enum wave_atomic op;
   } table[] = {{"fcmpswap", WAVE_ATOMIC_FCMPSWAP}, {"cmpswap", WAVE_ATOMIC_CMPSWAP}, {"swap", WAVE_ATOMIC_SWAP}, {"add", WAVE_ATOMIC_ADD},
                {"sub", WAVE_ATOMIC_SUB}, {"smin", WAVE_ATOMIC_SMIN}, {"umin", WAVE_ATOMIC_UMIN}, {"smax", WAVE_ATOMIC_SMAX},
                {"umax", WAVE_ATOMIC_UMAX}, {"and", WAVE_ATOMIC_AND}, {"or", WAVE_ATOMIC_OR}, {"xor", WAVE_ATOMIC_XOR},
                {"inc", WAVE_ATOMIC_INC}, {"dec", WAVE_ATOMIC_DEC}, {"fmin", WAVE_ATOMIC_FMIN}, {"fmax", WAVE_ATOMIC_FMAX}};
   for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
      if (!strncmp(name, table[i].name, strlen(table[i].name)))
         return table[i].op;
   }
   return WAVE_ATOMIC_NONE;
}

static void
parse_access(struct access *a, const char *name)
{
   const char *rest;
   if ((rest = strstr(name, "atomic_"))) {
      a->kind = ACCESS_ATOMIC;
      a->atomic = (uint8_t)atomic_of(rest + 7);
      a->wide = strstr(name, "_x2") != NULL;
      a->size_B = a->wide ? 8 : 4;
      if (a->atomic == WAVE_ATOMIC_NONE)
         a->kind = ACCESS_NONE;
      return;
   }
   if (strstr(name, "_inv")) {
      a->kind = ACCESS_IGNORE;
      return;
   }
   bool load = strstr(name, "_load_") != NULL;
   rest = strstr(name, load ? "_load_" : "_store_");
   if (!rest || strstr(name, "addtid"))
      return;
   rest += load ? 6 : 7;
   a->kind = load ? ACCESS_LOAD : ACCESS_STORE;
   a->d16 = strstr(rest, "d16") != NULL;
   a->d16_hi = strstr(rest, "d16_hi") != NULL;
   if (!strncmp(rest, "format", 6)) {
      a->format = true;
      a->components = (uint8_t)strlen(strrchr(rest, '_') + 1);
   } else if (!strncmp(rest, "dword", 5)) {
      a->size_B = rest[5] == 'x' ? (uint8_t)(4 * (rest[6] - '0')) : 4;
   } else {
      a->is_signed = rest[0] == 's' && (!strncmp(rest, "sbyte", 5) || !strncmp(rest, "sshort", 6));
      a->size_B = strstr(rest, "byte") ? 1 : 2;
   }
}

__attribute__((constructor)) static void
parse_all(void)
{
   static const char *const prefixes[] = {"buffer_", "tbuffer_", "global_", "flat_", "scratch_"};
   for (unsigned op = 0; op < AMD_OP_COUNT; op++) {
      const char *name = amd_isa_op_info((enum amd_op)op)->name;
      for (unsigned i = 0; i < ARRAY_SIZE(prefixes); i++) {
         if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            parse_access(&accesses[op], name);
      }
   }
}

/* A loaded value goes to data VGPR `n` of the instruction. */
static void
put_data(struct wave *w, unsigned vgpr, unsigned lane, const struct access *a, uint32_t value)
{
   uint32_t *dst = &w->vgpr[vgpr & 255][lane];
   if (a->d16_hi)
      *dst = (*dst & 0xffff) | value << 16;
   else if (a->d16 && !a->format)
      *dst = (*dst & 0xffff0000u) | (value & 0xffff);
   else
      *dst = value;
}

static bool
load_lane(struct wave *w, const struct access *a, const void *host, unsigned vgpr, unsigned lane)
{
   uint32_t words[4] = {0};
   memcpy(words, host, a->size_B);
   if (a->size_B < 4) {
      uint32_t v = words[0];
      if (a->is_signed)
         v = (uint32_t)sign_extend(v, a->size_B * 8u);
      put_data(w, vgpr, lane, a, v);
      return true;
   }
   for (unsigned i = 0; i < a->size_B / 4u; i++)
      w->vgpr[(vgpr + i) & 255][lane] = words[i];
   return true;
}

/* Host memory of one lane's access, with a window of one mapping kept from lane to lane. */
struct reach {
   uint64_t va, run_B;
   uint8_t *host;
};

static void *
find_memory(struct wave *w, struct reach *r, uint64_t va, unsigned size_B, unsigned access)
{
   if (r->host && va >= r->va && va + size_B <= r->va + r->run_B)
      return r->host + (va - r->va);
   r->host = sim_vm_lookup(w->launch->vm, sim_va(va), access, &r->run_B, NULL);
   r->va = va;
   return r->host && size_B <= r->run_B ? r->host : NULL;
}

static bool
access_lane(struct wave *w, const struct amd_inst *inst, const struct access *a, uint64_t va, unsigned lane, unsigned data_vgpr,
            struct reach *r)
{
   bool loads = a->kind == ACCESS_LOAD;
   uint8_t *host = find_memory(w, r, va, a->size_B, loads ? SIM_READ : SIM_READ | SIM_WRITE);
   if (!host) {
      bool prt = false;
      uint64_t run_B;
      if (!sim_vm_lookup(w->launch->vm, sim_va(va), SIM_READ, &run_B, &prt) && prt) {
         static const uint8_t zeros[16];
         return !loads || load_lane(w, a, zeros, inst->dst - AMD_VGPR0, lane);
      }
      return standin_fault(w, SIM_FAULT_ADDRESS, sim_va(va), loads ? "load from an unmapped address" : "store to an unmapped address");
   }
   if (loads)
      return load_lane(w, a, host, inst->dst - AMD_VGPR0, lane);
   if (a->kind == ACCESS_STORE) {
      uint32_t words[4];
      for (unsigned i = 0; i < 4; i++)
         words[i] = w->vgpr[(data_vgpr + i) & 255][lane];
      if (a->d16_hi)
         words[0] >>= 16;
      memcpy(host, words, a->size_B);
      return true;
   }
   uint64_t data = w->vgpr[data_vgpr][lane], compare = 0;
   unsigned step = a->wide ? 2 : 1;
   if (a->wide)
      data |= (uint64_t)w->vgpr[(data_vgpr + 1) & 255][lane] << 32;
   if (a->atomic == WAVE_ATOMIC_CMPSWAP || a->atomic == WAVE_ATOMIC_FCMPSWAP) {
      compare = w->vgpr[(data_vgpr + step) & 255][lane];
      if (a->wide)
         compare |= (uint64_t)w->vgpr[(data_vgpr + 3) & 255][lane] << 32;
   }
   uint64_t old = standin_atomic_memory((enum wave_atomic)a->atomic, a->wide, host, data, compare);
   if (inst->glc) {
      w->vgpr[inst->dst - AMD_VGPR0][lane] = (uint32_t)old;
      if (a->wide)
         w->vgpr[(inst->dst - AMD_VGPR0 + 1) & 255][lane] = (uint32_t)(old >> 32);
   }
   return true;
}

static bool
exec_global(struct wave *w, const struct amd_inst *inst, const struct access *a)
{
   bool has_sgpr = inst->src[2] != AMD_OPERAND_NONE && inst->src[2] != AMD_NULL;
   bool has_vgpr = amd_is_vgpr(inst->src[0]);
   unsigned address = has_vgpr ? inst->src[0] - AMD_VGPR0 : 0, data = amd_is_vgpr(inst->src[1]) ? inst->src[1] - AMD_VGPR0 : 0;
   struct reach reach = {0};
   for (uint64_t lanes = wave_exec(w); lanes; lanes &= lanes - 1) {
      unsigned l = (unsigned)__builtin_ctzll(lanes);
      uint64_t va;
      if (inst->enc == AMD_ENC_SCRATCH) {
         uint32_t offset = (uint32_t)inst->offset + (has_sgpr ? scalar_operand(w, inst, inst->src[2]) : 0) + (has_vgpr ? w->vgpr[address][l] : 0);
         /* Dwords of the lanes are interleaved. Accesses of several dwords go one by one. */
         uint64_t base = (uint64_t)w->flat_scratch[1] << 32 | w->flat_scratch[0];
         struct access part = *a;
         part.size_B = a->size_B < 4 ? a->size_B : 4;
         for (unsigned i = 0; i * 4 < a->size_B; i++, offset += 4) {
            struct amd_inst one = *inst;
            one.dst = (uint16_t)(inst->dst + i);
            va = base + (uint64_t)(offset / 4) * w->size * 4 + l * 4 + offset % 4;
            if (!access_lane(w, &one, &part, va, l, data + i, &reach))
               return false;
         }
         continue;
      }
      if (has_sgpr && inst->enc == AMD_ENC_GLOBAL)
         va = scalar_operand64(w, inst, inst->src[2]) + (has_vgpr ? w->vgpr[address][l] : 0);
      else
         va = (uint64_t)w->vgpr[(address + 1) & 255][l] << 32 | w->vgpr[address][l];
      if (!access_lane(w, inst, a, va + (uint64_t)(int64_t)inst->offset, l, data, &reach))
         return false;
   }
   return true;
}

struct buffer {
   uint64_t base;
   uint32_t stride, records, index_stride, format, oob;
   bool swizzle, add_tid;
   uint8_t select[4];
};

static struct buffer
decode_buffer(const struct wave *w, unsigned sgpr)
{
   const uint32_t *v = &w->sgpr[sgpr];
   static const uint8_t index_strides[4] = {8, 16, 32, 64};
   return (struct buffer){
      .base = (uint64_t)(v[1] & 0xffff) << 32 | v[0],
      .stride = G_SQ_BUF_RSRC_WORD1_STRIDE(v[1]),
      .records = v[2],
      .swizzle = G_SQ_BUF_RSRC_WORD1_SWIZZLE_ENABLE(v[1]),
      .add_tid = G_SQ_BUF_RSRC_WORD3_ADD_TID_ENABLE(v[3]),
      .index_stride = index_strides[G_SQ_BUF_RSRC_WORD3_INDEX_STRIDE(v[3])],
      .format = G_SQ_BUF_RSRC_WORD3_FORMAT(v[3]),
      .oob = G_SQ_BUF_RSRC_WORD3_OOB_SELECT(v[3]),
      .select = {G_SQ_BUF_RSRC_WORD3_DST_SEL_X(v[3]), G_SQ_BUF_RSRC_WORD3_DST_SEL_Y(v[3]), G_SQ_BUF_RSRC_WORD3_DST_SEL_Z(v[3]),
                 G_SQ_BUF_RSRC_WORD3_DST_SEL_W(v[3])},
   };
}

static bool
out_of_range(const struct buffer *b, uint64_t index, uint64_t offset, uint64_t soffset, unsigned size_B)
{
   switch (b->oob) {
   case V_OOB_SELECT_STRUCTURED_WITH_OFFSET:
      return index >= b->records || (b->stride && offset >= b->stride);
   case V_OOB_SELECT_STRUCTURED:
      return index >= b->records;
   case V_OOB_SELECT_DISABLED:
      return b->records == 0;
   default:
      return b->swizzle ? index * b->stride + offset >= b->records : offset + soffset + index * b->stride + size_B > b->records;
   }
}

static uint64_t
buffer_address(const struct buffer *b, uint64_t index, uint64_t offset, uint64_t soffset)
{
   if (!b->swizzle)
      return b->base + soffset + index * b->stride + offset;
   /* Elements of 4 bytes, index_stride records interleaved. */
   uint64_t index_msb = index / b->index_stride, index_lsb = index % b->index_stride;
   return b->base + soffset + (index_msb * b->stride + offset / 4 * 4) * b->index_stride + index_lsb * 4 + offset % 4;
}

static void
put_format(struct wave *w, const struct amd_inst *inst, const struct access *a, const struct buffer *b, unsigned format, unsigned l,
           const uint32_t texel[4])
{
   bool is_int = amd_tex_format_is_integer(format);
   for (unsigned i = 0; i < a->components; i++) {
      unsigned select = b->select[i];
      uint32_t value = select >= 4 ? texel[select - 4] : select == 1 ? (is_int ? 1 : 0x3f800000) : 0;
      unsigned dst = inst->dst - AMD_VGPR0;
      if (!a->d16) {
         w->vgpr[(dst + i) & 255][l] = value;
         continue;
      }
      uint16_t half = is_int ? (uint16_t)value : half_from_float(bits_float(value));
      uint32_t *out = &w->vgpr[(dst + (a->d16_hi ? 0 : i / 2)) & 255][l];
      bool high = a->d16_hi || i % 2;
      *out = high ? (*out & 0xffff) | (uint32_t)half << 16 : (*out & 0xffff0000u) | half;
   }
}

static bool
format_lane(struct wave *w, const struct amd_inst *inst, const struct access *a, const struct buffer *b, unsigned format, uint64_t va,
            unsigned l, bool outside)
{
   uint32_t texel[4] = {0};
   uint8_t bytes[16] = {0};
   unsigned size_B = amd_tex_format_size_B(format);
   struct sim_va bad;
   if (!size_B || size_B > 16)
      return standin_fault(w, SIM_FAULT_STATE, sim_va(b->base), "buffer format that the model does not have");
   if (a->kind == ACCESS_LOAD) {
      if (outside) {
         for (unsigned i = 0; i < a->components; i++)
            texel[i] = 0;
         struct buffer zero = *b;
         put_format(w, inst, a, &zero, format, l, texel);
         return true;
      }
      if (!sim_vm_read(w->launch->vm, sim_va(va), bytes, size_B, &bad))
         return standin_fault(w, SIM_FAULT_ADDRESS, bad, "load from an unmapped address");
      amd_tex_unpack(format, bytes, texel);
      put_format(w, inst, a, b, format, l, texel);
      return true;
   }
   if (outside)
      return true;
   unsigned data = inst->src[3] - AMD_VGPR0;
   for (unsigned i = 0; i < a->components; i++) {
      uint32_t v = w->vgpr[(data + (a->d16 ? i / 2 : i)) & 255][l];
      if (a->d16) {
         v = v >> (16 * (i % 2)) & 0xffff;
         v = amd_tex_format_is_integer(format) ? v : float_bits(half_to_float((uint16_t)v));
      }
      texel[i] = v;
   }
   amd_tex_pack(format, texel, bytes);
   return sim_vm_write(w->launch->vm, sim_va(va), bytes, size_B, &bad) ||
          standin_fault(w, SIM_FAULT_ADDRESS, bad, "store to an unmapped address");
}

static bool
exec_buffer(struct wave *w, const struct amd_inst *inst, const struct access *a)
{
   /* size: stands in for a short time */
   struct buffer b = decode_buffer(w, inst->src[1]);
   unsigned format = inst->enc == AMD_ENC_MTBUF ? inst->format : b.format;
   unsigned address = amd_is_vgpr(inst->src[0]) ? inst->src[0] - AMD_VGPR0 : 0, data = amd_is_vgpr(inst->src[3]) ? inst->src[3] - AMD_VGPR0 : 0;
   uint64_t soffset = scalar_operand(w, inst, inst->src[2]);
   unsigned size_B = a->format ? amd_tex_format_size_B(format) : a->size_B;
   struct reach reach = {0};
   if (inst->lds)
      return standin_fault(w, SIM_FAULT_INSTRUCTION, sim_va(0), "buffer load to LDS");
   for (uint64_t lanes = wave_exec(w); lanes; lanes &= lanes - 1) {
      unsigned l = (unsigned)__builtin_ctzll(lanes);
      uint64_t index = (inst->idxen ? w->vgpr[address][l] : 0) + (b.add_tid ? l : 0);
      uint64_t offset = (uint64_t)(uint32_t)inst->offset;
      if (inst->offen)
         offset += w->vgpr[(address + inst->idxen) & 255][l];
      bool outside = out_of_range(&b, index, offset, soffset, size_B);
      uint64_t va = buffer_address(&b, index, offset, soffset);
      if (a->format) {
         if (!format_lane(w, inst, a, &b, format, va, l, outside))
            return false;
         continue;
      }
      /* Raw buffers: dwords of a wide access are checked one by one. */
      if (outside && b.oob == V_OOB_SELECT_RAW && !b.swizzle && a->size_B > 4 && a->kind != ACCESS_ATOMIC) {
         struct access part = *a;
         part.size_B = 4;
         for (unsigned i = 0; i < a->size_B / 4u; i++) {
            struct amd_inst one = *inst;
            one.dst = (uint16_t)(inst->dst + i);
            if (!out_of_range(&b, index, offset + 4 * i, soffset, 4)) {
               if (!access_lane(w, &one, &part, va + 4 * i, l, data + i, &reach))
                  return false;
            } else if (a->kind == ACCESS_LOAD) {
               w->vgpr[(one.dst - AMD_VGPR0) & 255][l] = 0;
            }
         }
         continue;
      }
      if (outside) {
         static const uint8_t zeros[16];
         if (a->kind == ACCESS_LOAD)
            load_lane(w, a, zeros, inst->dst - AMD_VGPR0, l);
         else if (a->kind == ACCESS_ATOMIC && inst->glc)
            w->vgpr[inst->dst - AMD_VGPR0][l] = 0;
         continue;
      }
      if (b.swizzle && a->size_B > 4) {
         struct access part = *a;
         part.size_B = 4;
         for (unsigned i = 0; i < a->size_B / 4u; i++) {
            struct amd_inst one = *inst;
            one.dst = (uint16_t)(inst->dst + i);
            if (!access_lane(w, &one, &part, buffer_address(&b, index, offset + 4 * i, soffset), l, data + i, &reach))
               return false;
         }
         continue;
      }
      if (!access_lane(w, inst, a, va, l, data, &reach))
         return false;
   }
   return true;
}

bool
standin_memory(struct wave *w, const struct amd_inst *inst)
{
   const struct access *a = &accesses[inst->op];
   if (a->kind == ACCESS_NONE)
      return false;
   if (a->kind == ACCESS_IGNORE)
      return true;
   if (inst->enc == AMD_ENC_MUBUF || inst->enc == AMD_ENC_MTBUF)
      return exec_buffer(w, inst, a);
   return exec_global(w, inst, a);
}
