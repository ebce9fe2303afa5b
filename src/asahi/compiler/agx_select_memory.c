/* Selection of loads and stores: device memory, threadgroup memory, stack, uniforms. */
#include "asahi/compiler/agx_select.h"

/* ---- device memory ---- */

static unsigned
format_of_bits(unsigned bits)
{
   return bits == 8 ? AGX_FORMAT_I8 : bits == 16 ? AGX_FORMAT_I16 : AGX_FORMAT_I32;
}

/* A 64-bit base: uniforms where they lie aligned. */
static struct agx_ref
base_address(struct sel *c, const struct nir_src *src)
{
   const struct nir_instr *parent = src->def->parent;
   if (parent->type == NIR_INSTR_ALU && nir_as_alu(parent)->op == NIR_OP_pack_64_2x32) {
      const struct nir_alu_src *pair = &nir_as_alu(parent)->src[0];
      if (pair->swizzle[1] == pair->swizzle[0] + 1)
         parent = pair->src.def->parent;
      if (parent->type == NIR_INSTR_INTRINSIC && nir_as_intrinsic(parent)->op == NIR_INTRINSIC_load_uniform_agx) {
         const int half = nir_intrinsic_base(nir_as_intrinsic(parent)) + 2 * pair->swizzle[0];
         if (half % 4 == 0)
            return sel_copy(c, agx_uniform((unsigned)half, 64, 1));
      }
   }
   return sel_src(c, src, 0);
}

/* The index of an access: small numbers stand in the instruction. */
static struct agx_ref
index_of(struct sel *c, const struct nir_src *src, unsigned shift, bool sign_extend, unsigned *shift_left)
{
   if (nir_src_is_const(*src)) {
      const uint32_t raw = (uint32_t)nir_src_comp_as_uint(*src, 0);
      const int64_t value = sign_extend ? (int64_t)(int32_t)raw << shift : (int64_t)raw << shift;
      if (value >= -0x8000 && value < 0x8000) {
         *shift_left = 0;
         return agx_simm((int32_t)value);
      }
   }
   struct agx_ref ref = sel_src(c, src, 0);
   ref.sext = sign_extend;
   *shift_left = shift;
   return ref;
}

unsigned
sel_coherency(const struct nir_intrinsic_instr *intr)
{
   return nir_intrinsic_access(intr) & (NIR_ACCESS_COHERENT | NIR_ACCESS_VOLATILE) ? AGX_COHERENCY_COHERENT : 0;
}

/* Registers of memory have 32 bits at most: values of 64 are two. */
static struct agx_ref
words_of(struct sel *c, const struct nir_src *src, unsigned first, unsigned count)
{
   struct agx_ref parts[NIR_MAX_COMPONENTS];
   if (src->def->bit_size < 64)
      return sel_slice(c, src, first, count);
   for (unsigned i = 0; i < count; i++)
      parts[i] = sel_src(c, src, first + i);
   return agx_build_collect(&c->b, 32, 2 * count, parts, count);
}

static void
set_words(struct sel *c, const struct nir_def *def, unsigned first, unsigned count, struct agx_ref words)
{
   struct agx_ref parts[NIR_MAX_COMPONENTS];
   if (def->bit_size < 64 && count == def->num_components) {
      sel_set_vec(c, def, words);
      return;
   }
   agx_build_split(&c->b, words, sel_size(def), parts, count);
   for (unsigned i = 0; i < count; i++)
      sel_set(c, def, first + i, parts[i]);
}

static void
load_agx(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct nir_def *def = &intr->def;
   const bool wide = def->bit_size == 64;
   const unsigned count = def->num_components, size = wide ? 32 : sel_size(def), words = count * (wide ? 2 : 1);
   unsigned shift;
   const struct agx_ref base = base_address(c, &intr->src[0]);
   const struct agx_ref index =
      index_of(c, &intr->src[1], nir_intrinsic_shift(intr), nir_intrinsic_sign_extend(intr), &shift);
   if (words > 4 || shift > 2) {
      agx_ir_fail(c->ir, "a load of %u words with shift %u", words, shift);
      return;
   }
   const struct agx_ref dst = agx_ir_value(c->ir, size, words);
   struct agx_instr *load = agx_load_to(&c->b, dst, base, index);
   load->mod.format = nir_intrinsic_format(intr);
   load->mod.shift = shift;
   load->mod.mask = sel_full_mask(words);
   load->mod.coherency = sel_coherency(intr);
   set_words(c, def, 0, count, dst);
}

static void
store_agx(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct nir_def *value = intr->src[0].def;
   const bool wide = value->bit_size == 64;
   const unsigned mask = nir_intrinsic_write_mask(intr);
   struct agx_ref parts[NIR_MAX_COMPONENTS], data;
   unsigned count = 0, words = 0, shift;
   for (unsigned i = 0; i < value->num_components; i++) {
      if (!(mask >> i & 1))
         continue;
      parts[count++] = sel_src(c, &intr->src[0], i);
      words |= wide ? 3u << 2 * i : 1u << i;
   }
   if (count == value->num_components)
      data = words_of(c, &intr->src[0], 0, count);
   else
      data = agx_build_collect(&c->b, wide ? 32 : sel_size(value), wide ? 2 * count : count, parts, count);
   const struct agx_ref base = base_address(c, &intr->src[1]);
   const struct agx_ref index =
      index_of(c, &intr->src[2], nir_intrinsic_shift(intr), nir_intrinsic_sign_extend(intr), &shift);
   if (words > 15 || shift > 2) {
      agx_ir_fail(c->ir, "a store of words %x with shift %u", words, shift);
      return;
   }
   struct agx_instr *store = agx_store(&c->b, data, base, index);
   store->mod.format = nir_intrinsic_format(intr);
   store->mod.shift = shift;
   store->mod.mask = words;
   store->mod.coherency = sel_coherency(intr);
   c->out->fs.writes_memory = true;
}

/* ---- threadgroup memory ---- */

/* 64 bits go as two words. */
static void
local_address(struct sel *c, const struct nir_src *offset, int32_t base, unsigned size_B, struct agx_ref *byte,
              struct agx_ref *element)
{
   if (nir_src_is_const(*offset)) {
      base += (int32_t)nir_src_comp_as_uint(*offset, 0);
      *byte = base % (int32_t)size_B ? sel_imm(c, 16, (uint32_t)base & 0xffff) : agx_none();
      *element = agx_simm(base % (int32_t)size_B ? 0 : base / (int32_t)size_B);
      return;
   }
   const struct nir_instr *parent = offset->def->parent;
   const bool halves = parent->type == NIR_INSTR_ALU && nir_as_alu(parent)->op == NIR_OP_u2u32 &&
                       nir_as_alu(parent)->src[0].src.def->bit_size == 16;
   *byte = halves ? sel_alu_src(c, nir_as_alu(parent), 0, 0) : sel_as16(c, offset, 0);
   if (base % (int32_t)size_B) {
      *byte = agx_iadd(&c->b, 16, *byte, sel_imm(c, 16, (uint32_t)base & 0xffff));
      base = 0;
   }
   *element = agx_simm(base / (int32_t)size_B);
}

static void
load_shared(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct nir_def *def = &intr->def;
   const bool wide = def->bit_size == 64;
   const unsigned bits = wide ? 32 : def->bit_size, per = wide ? 2 : 1;
   struct agx_ref byte, element;
   local_address(c, &intr->src[0], nir_intrinsic_base(intr), bits / 8, &byte, &element);
   for (unsigned first = 0; first < def->num_components; first += 4 / per) {
      const unsigned count = MIN2(def->num_components - first, 4 / per);
      const struct agx_ref dst = agx_ir_value(c->ir, MAX2(bits, 16), count * per);
      struct agx_ref at = element;
      at.value += first * per;
      struct agx_instr *load = agx_lload_to(&c->b, dst, byte, at);
      load->mod.format = format_of_bits(bits);
      load->mod.mask = sel_full_mask(count * per);
      set_words(c, def, first, count, dst);
   }
}

static void
store_shared(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct nir_def *value = intr->src[0].def;
   const bool wide = value->bit_size == 64;
   const unsigned bits = wide ? 32 : value->bit_size, per = wide ? 2 : 1;
   struct agx_ref byte, element;
   local_address(c, &intr->src[1], nir_intrinsic_base(intr), bits / 8, &byte, &element);
   unsigned mask = nir_intrinsic_write_mask(intr);
   while (mask) { /* components in a row, at most four words */
      const unsigned first = (unsigned)__builtin_ctz(mask);
      unsigned count = 1;
      while (mask >> (first + count) & 1 && (count + 1) * per <= 4)
         count++;
      mask &= ~(sel_full_mask(count) << first);
      struct agx_ref at = element;
      at.value += first * per;
      struct agx_instr *store = agx_lstore(&c->b, words_of(c, &intr->src[0], first, count), byte, at);
      store->mod.format = format_of_bits(bits);
      store->mod.mask = sel_full_mask(count * per);
   }
}

/* ---- stack ---- */

static struct agx_ref
stack_index(struct sel *c, const struct nir_src *offset, int32_t base)
{
   if (nir_src_is_const(*offset)) {
      const int32_t at = base + (int32_t)nir_src_comp_as_uint(*offset, 0);
      return at >= 0 && at < 0x8000 ? agx_simm(at) : sel_imm(c, 32, (uint32_t)at);
   }
   const struct agx_ref ref = sel_src(c, offset, 0);
   return base ? agx_iadd(&c->b, 32, ref, sel_imm(c, 32, (uint32_t)base)) : ref;
}

/* Offsets count bytes: one access a word or less. */
static void
stack_access(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const bool load = intr->op == NIR_INTRINSIC_load_scratch;
   const struct nir_def *value = load ? &intr->def : intr->src[0].def;
   const unsigned bits = MIN2(value->bit_size, 32), words = value->bit_size == 64 ? 2 : 1;
   const struct nir_src *offset = &intr->src[load ? 0 : 1];
   for (unsigned i = 0; i < value->num_components; i++) {
      struct agx_ref parts[2];
      if (!load && !(nir_intrinsic_write_mask(intr) >> i & 1))
         continue;
      if (!load && words == 2)
         sel_split64(c, sel_src(c, &intr->src[0], i), parts);
      else if (!load)
         parts[0] = sel_src(c, &intr->src[0], i);
      for (unsigned w = 0; w < words; w++) {
         const int32_t at = nir_intrinsic_base(intr) + (int32_t)(i * value->bit_size / 8 + w * 4);
         const struct agx_ref index = stack_index(c, offset, at);
         if (load)
            agx_stack_load_to(&c->b, parts[w] = agx_ir_value(c->ir, MAX2(bits, 16), 1), index);
         else
            agx_stack_store(&c->b, parts[w], index);
         c->b.last->mod.format = format_of_bits(bits);
         c->b.last->mod.mask = 1;
      }
      if (load)
         sel_set(c, value, i, words == 2 ? sel_pack64(c, parts[0], parts[1]) : parts[0]);
   }
}

/* ---- uniforms ---- */

static void
load_uniform(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const unsigned size = sel_size(&intr->def), half = (unsigned)nir_intrinsic_base(intr);
   for (unsigned i = 0; i < intr->def.num_components; i++) {
      const unsigned at = half + i * size / 16;
      if (at % (size / 16) || at + size / 16 > AGX_UNIFORMS)
         agx_ir_fail(c->ir, "uniform half %u of %u bits", at, size);
      sel_set(c, &intr->def, i, sel_copy(c, agx_uniform(at, size, 1)));
   }
}

static void
store_uniform(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const struct nir_def *value = intr->src[0].def;
   const unsigned size = sel_size(value), half = (unsigned)nir_intrinsic_base(intr);
   for (unsigned i = 0; i < value->num_components; i++)
      agx_uniform_store_to(&c->b, agx_uniform(half + i * size / 16, size, 1), sel_src(c, &intr->src[0], i));
}

bool
sel_memory(struct sel *c, struct nir_intrinsic_instr *intr)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_agx:
      load_agx(c, intr);
      return true;
   case NIR_INTRINSIC_store_agx:
      store_agx(c, intr);
      return true;
   case NIR_INTRINSIC_load_shared:
      load_shared(c, intr);
      return true;
   case NIR_INTRINSIC_store_shared:
      store_shared(c, intr);
      return true;
   case NIR_INTRINSIC_load_scratch:
   case NIR_INTRINSIC_store_scratch:
      stack_access(c, intr);
      return true;
   case NIR_INTRINSIC_load_uniform_agx:
      load_uniform(c, intr);
      return true;
   case NIR_INTRINSIC_store_uniform_agx:
      store_uniform(c, intr);
      return true;
   default: /* others: no plain memory */
      return false;
   }
}

/* ---- atomics ---- */

static const uint8_t atomic_ops[] = {
   [NIR_ATOMIC_iadd] = AGX_ATOMIC_OP_ADD,  [NIR_ATOMIC_imin] = AGX_ATOMIC_OP_IMIN,
   [NIR_ATOMIC_umin] = AGX_ATOMIC_OP_UMIN, [NIR_ATOMIC_imax] = AGX_ATOMIC_OP_IMAX,
   [NIR_ATOMIC_umax] = AGX_ATOMIC_OP_UMAX, [NIR_ATOMIC_iand] = AGX_ATOMIC_OP_AND,
   [NIR_ATOMIC_ior] = AGX_ATOMIC_OP_OR,    [NIR_ATOMIC_ixor] = AGX_ATOMIC_OP_XOR,
   [NIR_ATOMIC_xchg] = AGX_ATOMIC_OP_XCHG, [NIR_ATOMIC_cmpxchg] = AGX_ATOMIC_OP_CMPXCHG,
};

/* Compare and exchange takes the new value, then what it is compared with. */
static struct agx_ref
atomic_data(struct sel *c, struct nir_intrinsic_instr *intr, bool swap)
{
   const struct nir_src *last = &intr->src[nir_intrinsic_infos[intr->op].num_srcs - 1];
   if (!swap)
      return sel_src(c, last, 0);
   const struct agx_ref parts[] = {sel_src(c, last, 0), sel_src(c, last - 1, 0)};
   return agx_build_collect(&c->b, 32, 2, parts, 2);
}

bool
sel_atomic(struct sel *c, struct nir_intrinsic_instr *intr)
{
   const bool global = intr->op == NIR_INTRINSIC_atomic_agx || intr->op == NIR_INTRINSIC_atomic_swap_agx;
   const bool local = intr->op == NIR_INTRINSIC_shared_atomic || intr->op == NIR_INTRINSIC_shared_atomic_swap;
   const bool swap = intr->op == NIR_INTRINSIC_atomic_swap_agx || intr->op == NIR_INTRINSIC_shared_atomic_swap;
   if (!global && !local)
      return false;
   const enum nir_atomic_op op = nir_intrinsic_atomic_op(intr);
   if (op >= ARRAY_SIZE(atomic_ops) || intr->def.bit_size != 32) {
      agx_ir_fail(c->ir, "an atomic operation of floats or of %u bits", intr->def.bit_size);
      return true;
   }
   const bool used = !list_is_empty(&intr->def.uses);
   const struct agx_ref data = atomic_data(c, intr, swap), dst = used ? agx_ir_value(c->ir, 32, 1) : agx_none();
   if (global) {
      const struct agx_ref base = base_address(c, &intr->src[0]);
      unsigned shift;
      agx_atomic_to(&c->b, dst, data, base, index_of(c, &intr->src[1], 0, false, &shift));
      c->b.last->mod.coherency = c->options->cluster_coherency ? 3 : 1;
      c->out->fs.writes_memory = true;
   } else {
      struct agx_ref byte, element;
      local_address(c, &intr->src[0], nir_intrinsic_base(intr), 4, &byte, &element);
      agx_latomic_to(&c->b, dst, data, byte, element);
   }
   c->b.last->mod.atomic_op = atomic_ops[op];
   if (used)
      sel_set(c, &intr->def, 0, dst);
   return true;
}
