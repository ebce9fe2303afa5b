/* LDS instructions and atomic operations. */
#include <stdlib.h>

#include "amd/sim/standin.h"

uint64_t
standin_atomic_value(enum wave_atomic op, bool wide, uint64_t old, uint64_t data, uint64_t compare)
{
   uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
   int64_t so = wide ? (int64_t)old : (int32_t)old, sd = wide ? (int64_t)data : (int32_t)data;
   double fo = wide ? bits_double(old) : (double)bits_float((uint32_t)old), fd = wide ? bits_double(data) : (double)bits_float((uint32_t)data);
   old &= mask, data &= mask, compare &= mask;
   switch (op) {
   case WAVE_ATOMIC_SWAP: return data;
   case WAVE_ATOMIC_CMPSWAP: return old == compare ? data : old;
   case WAVE_ATOMIC_FCMPSWAP:
      return wide ? (fo == bits_double(compare) ? data : old) : (fo == (double)bits_float((uint32_t)compare) ? data : old);
   case WAVE_ATOMIC_ADD: return (old + data) & mask;
   case WAVE_ATOMIC_SUB: return (old - data) & mask;
   case WAVE_ATOMIC_RSUB: return (data - old) & mask;
   case WAVE_ATOMIC_SMIN: return so < sd ? old : data;
   case WAVE_ATOMIC_UMIN: return old < data ? old : data;
   case WAVE_ATOMIC_SMAX: return so > sd ? old : data;
   case WAVE_ATOMIC_UMAX: return old > data ? old : data;
   case WAVE_ATOMIC_AND: return old & data;
   case WAVE_ATOMIC_OR: return old | data;
   case WAVE_ATOMIC_XOR: return old ^ data;
   case WAVE_ATOMIC_INC: return old >= data ? 0 : old + 1;
   case WAVE_ATOMIC_DEC: return old == 0 || old > data ? data : old - 1;
   case WAVE_ATOMIC_FMIN: return fd < fo ? data : old;
   case WAVE_ATOMIC_FMAX: return fd > fo ? data : old;
   case WAVE_ATOMIC_FADD: return wide ? double_bits(fo + fd) : float_bits((float)fo + (float)fd);
   case WAVE_ATOMIC_NONE: return old;
   }
   return old;
}

uint64_t
standin_atomic_memory(enum wave_atomic op, bool wide, void *host, uint64_t data, uint64_t compare)
{
   if (wide) {
      uint64_t *at = host, old = __atomic_load_n(at, __ATOMIC_RELAXED), new;
      do
         new = standin_atomic_value(op, true, old, data, compare);
      while (!__atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
      return old;
   }
   uint32_t *at = host, old = __atomic_load_n(at, __ATOMIC_RELAXED), new;
   do
      new = (uint32_t)standin_atomic_value(op, false, old, data, compare);
   while (!__atomic_compare_exchange_n(at, &old, new, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
   return old;
}

static void
lds_read(const struct wave *w, uint32_t at, void *out, unsigned size_B)
{
   memset(out, 0, size_B);
   if ((uint64_t)at + size_B <= w->group->lds_B)
      memcpy(out, w->group->lds + at, size_B);
}

static void
lds_write(struct wave *w, uint32_t at, const void *data, unsigned size_B)
{
   if ((uint64_t)at + size_B <= w->group->lds_B)
      memcpy(w->group->lds + at, data, size_B);
}

struct lds_op {
   uint8_t kind; /* 1 read, 2 write, 3 atomic */
   uint8_t size_B, two, atomic;
   bool st64, is_signed, rtn, d16, d16_hi, wide;
};
static struct lds_op ops[AMD_OP_COUNT];

__attribute__((constructor)) static void
parse(void)
{
   static const struct {
      const char *name;
      enum wave_atomic op;
   } table[] = {{"wrxchg", WAVE_ATOMIC_SWAP}, {"cmpst", WAVE_ATOMIC_CMPSWAP}, {"rsub", WAVE_ATOMIC_RSUB}, {"add", WAVE_ATOMIC_ADD}, {"sub", WAVE_ATOMIC_SUB},
                {"inc", WAVE_ATOMIC_INC}, {"dec", WAVE_ATOMIC_DEC}, {"min", WAVE_ATOMIC_SMIN}, {"max", WAVE_ATOMIC_SMAX},
                {"and", WAVE_ATOMIC_AND}, {"or", WAVE_ATOMIC_OR}, {"xor", WAVE_ATOMIC_XOR}};
   for (unsigned op = 0; op < AMD_OP_COUNT; op++) {
      const char *name = amd_isa_op_info((enum amd_op)op)->name;
      struct lds_op *o = &ops[op];
      if (strncmp(name, "ds_", 3) || strstr(name, "addtid") || strstr(name, "wrxchg2") || strstr(name, "mskor"))
         continue;
      name += 3;
      bool read = !strncmp(name, "read", 4), write = !strncmp(name, "write", 5);
      o->two = !strncmp(name, "read2", 5) || !strncmp(name, "write2", 6);
      o->st64 = strstr(name, "st64") != NULL;
      const char *type = strrchr(name, '_');
      o->d16 = strstr(name, "_d16") != NULL;
      o->d16_hi = strstr(name, "_d16_hi") != NULL;
      if (o->d16)
         type = strchr(name, '_');
      if (!type)
         continue;
      unsigned bits = (unsigned)atoi(type + 2);
      o->size_B = (uint8_t)(bits / 8);
      o->is_signed = type[1] == 'i';
      o->wide = bits == 64;
      if (read || write) {
         o->kind = read ? 1 : 2;
         continue;
      }
      for (unsigned i = 0; i < ARRAY_SIZE(table); i++) {
         if (!strncmp(name, table[i].name, strlen(table[i].name)) && bits >= 32) {
            o->kind = 3;
            o->atomic = (uint8_t)table[i].op;
            o->rtn = strstr(name, "_rtn") != NULL;
            bool is_float = type[1] == 'f', is_unsigned = type[1] == 'u';
            if (o->atomic == WAVE_ATOMIC_SMIN)
               o->atomic = is_float ? WAVE_ATOMIC_FMIN : is_unsigned ? WAVE_ATOMIC_UMIN : WAVE_ATOMIC_SMIN;
            else if (o->atomic == WAVE_ATOMIC_SMAX)
               o->atomic = is_float ? WAVE_ATOMIC_FMAX : is_unsigned ? WAVE_ATOMIC_UMAX : WAVE_ATOMIC_SMAX;
            else if (o->atomic == WAVE_ATOMIC_ADD && is_float)
               o->atomic = WAVE_ATOMIC_FADD;
            else if (o->atomic == WAVE_ATOMIC_CMPSWAP && is_float)
               o->atomic = WAVE_ATOMIC_FCMPSWAP;
            break;
         }
      }
   }
}

static bool
permute(struct wave *w, const struct amd_inst *inst)
{
   uint32_t out[LANES] = {0};
   uint64_t exec = wave_exec(w);
   const uint32_t *address = w->vgpr[inst->src[0] - AMD_VGPR0], *data = NULL;
   if (inst->op == AMD_OP_ds_swizzle_b32) {
      for (unsigned l = 0; l < w->size; l++) {
         unsigned from, offset = (unsigned)inst->offset;
         if (offset & 0x8000)
            from = (l & ~3u) | (offset >> (2 * (l & 3)) & 3);
         else
            from = (l & ~31u) | ((((l & 31) & (offset & 31)) | (offset >> 5 & 31)) ^ (offset >> 10 & 31));
         out[l] = exec >> from & 1 ? address[from] : 0;
      }
   } else {
      data = w->vgpr[inst->src[1] - AMD_VGPR0];
      for (unsigned l = 0; l < w->size; l++) {
         unsigned other = ((address[l] + (unsigned)inst->offset) / 4) % w->size;
         /* Within the halves of 32 lanes. */
         other = (l & ~31u) | (other & 31);
         if (inst->op == AMD_OP_ds_bpermute_b32)
            out[l] = exec >> other & 1 ? data[other] : 0;
         else if (exec >> l & 1)
            out[other] = data[l];
      }
   }
   for (; exec; exec &= exec - 1) {
      unsigned l = (unsigned)__builtin_ctzll(exec);
      w->vgpr[inst->dst - AMD_VGPR0][l] = out[l];
   }
   return true;
}

static void
lds_lane(struct wave *w, const struct amd_inst *inst, const struct lds_op *o, unsigned l)
{
   uint32_t base = w->vgpr[inst->src[0] - AMD_VGPR0][l], words[4] = {0};
   unsigned data0 = inst->src[1] - AMD_VGPR0, data1 = inst->src[2] - AMD_VGPR0, dst = inst->dst - AMD_VGPR0;
   unsigned dwords = (o->size_B + 3u) / 4;
   for (unsigned k = 0; k < (o->two ? 2u : 1u); k++) {
      uint32_t offset = o->two ? (uint32_t)(inst->offset >> (8 * k) & 0xff) * o->size_B * (o->st64 ? 64 : 1) : (uint32_t)inst->offset;
      uint32_t at = base + offset;
      if (o->kind == 1) {
         lds_read(w, at, words, o->size_B);
         if (o->size_B < 4 && o->is_signed)
            words[0] = (uint32_t)sign_extend(words[0], o->size_B * 8u);
         for (unsigned i = 0; i < dwords; i++) {
            uint32_t *out = &w->vgpr[(dst + k * dwords + i) & 255][l];
            *out = o->d16_hi ? (*out & 0xffff) | words[i] << 16 : o->d16 ? (*out & 0xffff0000u) | (words[i] & 0xffff) : words[i];
         }
      } else if (o->kind == 2) {
         for (unsigned i = 0; i < dwords; i++)
            words[i] = w->vgpr[((k ? data1 : data0) + i) & 255][l] >> (o->d16_hi ? 16 : 0);
         lds_write(w, at, words, o->size_B);
      } else {
         uint64_t old = 0, data = 0, compare = 0, new;
         lds_read(w, at, &old, o->size_B);
         data = w->vgpr[data0][l] | (o->wide ? (uint64_t)w->vgpr[(data0 + 1) & 255][l] << 32 : 0);
         if (o->atomic == WAVE_ATOMIC_CMPSWAP || o->atomic == WAVE_ATOMIC_FCMPSWAP) { /* compare first, then the new value */
            compare = data;
            data = w->vgpr[data1][l] | (o->wide ? (uint64_t)w->vgpr[(data1 + 1) & 255][l] << 32 : 0);
         }
         new = standin_atomic_value((enum wave_atomic)o->atomic, o->wide, old, data, compare);
         lds_write(w, at, &new, o->size_B);
         if (o->rtn) {
            w->vgpr[dst][l] = (uint32_t)old;
            if (o->wide)
               w->vgpr[(dst + 1) & 255][l] = (uint32_t)(old >> 32);
         }
      }
   }
}

bool
standin_lds(struct wave *w, const struct amd_inst *inst)
{
   if (inst->op == AMD_OP_ds_swizzle_b32 || inst->op == AMD_OP_ds_permute_b32 || inst->op == AMD_OP_ds_bpermute_b32)
      return permute(w, inst);
   const struct lds_op *o = &ops[inst->op];
   if (!o->kind || inst->gds)
      return false;
   for (uint64_t lanes = wave_exec(w); lanes; lanes &= lanes - 1)
      lds_lane(w, inst, o, (unsigned)__builtin_ctzll(lanes));
   return true;
}
