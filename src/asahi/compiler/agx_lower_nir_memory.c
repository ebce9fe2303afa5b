/* Buffers and 64-bit addresses become load_agx and store_agx: a base, an index that counts elements, and bounds.
 * Atomics of floats become loops of compare and exchange. */
#include "asahi/compiler/agx_lower_nir.h"

#include "asahi/compiler/agx_ir.h"
#include "asahi/hw/isa.h"
#include "util/macros.h"
#include "util/mutant.h"

#define SHIFT_MAX 2 /* of an index, by the instruction */

/* The parts of an access. */
struct access {
   struct nir_def *base;  /* u64 */
   struct nir_def *index; /* 32 bits, unsigned, counts elements << shift */
   unsigned shift;
};

static unsigned
format_of(unsigned bits)
{
   return bits == 8 ? AGX_FORMAT_I8 : bits == 16 ? AGX_FORMAT_I16 : AGX_FORMAT_I32;
}

static unsigned
log2_B(unsigned bits)
{
   return bits == 8 ? 0 : bits == 16 ? 1 : 2;
}

/* Bits of the largest element that every access is aligned to, at most 32. */
static unsigned
element_bits(const struct nir_intrinsic_instr *intr, unsigned bits)
{
   const uint32_t mul = nir_intrinsic_align_mul(intr), offset = nir_intrinsic_align_offset(intr);
   const uint32_t align_B = !mul ? bits / 8 : offset ? offset & -offset : mul;
   return MIN2(MIN2(bits, 32), align_B * 8);
}

/* ---- offsets as indices ---- */

static const struct nir_alu_instr *
alu_of(const struct nir_def *def, enum nir_op op)
{
   if (def->parent->type != NIR_INSTR_ALU || nir_as_alu(def->parent)->op != op || def->num_components != 1)
      return NULL;
   return nir_as_alu(def->parent);
}

static bool
constant_source(const struct nir_alu_instr *alu, unsigned i, uint64_t *value)
{
   if (!nir_src_is_const(alu->src[i].src))
      return false;
   *value = nir_src_comp_as_uint(alu->src[i].src, alu->src[i].swizzle[0]);
   return true;
}

static struct nir_def *
source(struct nir_builder *b, const struct nir_alu_instr *alu, unsigned i)
{
   return nir_channel(b, alu->src[i].src.def, alu->src[i].swizzle[0]);
}

/* A byte offset in elements of 1 << log2 bytes, without a division if its form allows; else NULL. Offsets that wrap
 * around lie far outside of every buffer, and so do their indices. */
static struct nir_def *
in_elements(struct nir_builder *b, struct nir_def *offset, unsigned log2, unsigned depth)
{
   uint64_t value;
   const struct nir_alu_instr *alu;
   const struct nir_src as_src = {.def = offset};
   if (!log2)
      return offset;
   if (nir_src_is_const(as_src)) {
      value = nir_src_comp_as_uint(as_src, 0);
      return value & ((1u << log2) - 1) ? NULL : nir_imm_int(b, (int32_t)((int32_t)value >> log2));
   }
   if ((alu = alu_of(offset, NIR_OP_ishl)) && constant_source(alu, 1, &value) && (value & 31) >= log2)
      return nir_ishl_imm(b, source(b, alu, 0), (uint32_t)(value & 31) - log2);
   if ((alu = alu_of(offset, NIR_OP_imul)) && constant_source(alu, 1, &value) && !(value & ((1u << log2) - 1)))
      return nir_imul_imm(b, source(b, alu, 0), (int32_t)value >> log2);
   if (depth && (alu = alu_of(offset, NIR_OP_iadd))) {
      struct nir_def *x = in_elements(b, source(b, alu, 0), log2, depth - 1);
      struct nir_def *y = x ? in_elements(b, source(b, alu, 1), log2, depth - 1) : NULL;
      return y ? nir_iadd(b, x, y) : NULL;
   }
   return NULL;
}

static struct nir_def *
index_of(struct nir_builder *b, struct nir_def *offset, unsigned bits)
{
   struct nir_def *index = in_elements(b, offset, log2_B(bits), 3);
   return index ? index : nir_ushr_imm(b, offset, log2_B(bits));
}

/* ---- buffers ---- */

/* Nobody maps the lowest 4 GiB and what an index reaches from there: what is read there is 0, what is written drops.
 * Without soft faults there are pages for that. */
static struct nir_def *
address_or_nowhere(struct nir_builder *b, struct nir_def *buffer, struct nir_def *inside, bool writes,
                   const struct agx_options *options)
{
   if (options->no_soft_faults && !mutant("agx-nowhere-unmapped")) {
      writes = writes && !mutant("agx-nowhere-page");
      const int32_t high = writes ? AGX_NO_SOFT_FAULTS_WRITE_HI : AGX_NO_SOFT_FAULTS_READ_HI;
      struct nir_def *page = nir_vec2(b, nir_imm_int(b, 0), nir_imm_int(b, high));
      return nir_bcsel(b, inside, nir_pack_64_2x32(b, nir_channels(b, buffer, 3)), nir_pack_64_2x32(b, page));
   }
   struct nir_def *high = nir_bcsel(b, inside, nir_channel(b, buffer, 1), nir_imm_int(b, 0));
   return nir_pack_64_2x32(b, nir_vec2(b, nir_channel(b, buffer, 0), high));
}

/* How an access is made robust. */
static enum nir_robust
robust_of(const struct nir_builder *b, const struct nir_intrinsic_instr *intr)
{
   const struct nir_shader_info *info = &b->shader->info;
   return intr->op == NIR_INTRINSIC_load_ubo ? info->robust_uniform : info->robust_storage;
}

/* The access of intr to size_B bytes from an index on. NIR_ROBUST_INSIDE: what would lie after the end is at the last
 * place where an access may begin; buffers that have none are nowhere. All but the choice of the index is the same
 * for all threads. NIR_ROBUST_ZERO: each access that does not lie in the buffer as a whole is nowhere. */
static struct access
in_buffer(struct nir_builder *b, const struct nir_intrinsic_instr *intr, struct nir_def *index, unsigned bits,
          unsigned size_B, const struct agx_options *options)
{
   const bool writes = intr->op != NIR_INTRINSIC_load_ubo && intr->op != NIR_INTRINSIC_load_ssbo;
   struct nir_def *buffer = intr->src[intr->op == NIR_INTRINSIC_store_ssbo].def, *limit = nir_channel(b, buffer, 2);
   const enum nir_robust robust = robust_of(b, intr);
   if (robust == NIR_ROBUST_NONE)
      return (struct access){.base = nir_pack_64_2x32(b, nir_channels(b, buffer, 3)), .index = index};
   struct nir_def *some = nir_uge(b, limit, nir_imm_int(b, (int32_t)size_B)), *zero = nir_imm_int(b, 0);
   struct nir_def *last = nir_ushr_imm(b, nir_iadd_imm(b, limit, -(int64_t)size_B), log2_B(bits));
   if (robust == NIR_ROBUST_INSIDE) {
      last = nir_bcsel(b, some, last, zero);
      return (struct access){.base = address_or_nowhere(b, buffer, some, writes, options),
                             .index = nir_umin(b, index, last)};
   }
   struct nir_def *inside = nir_iand(b, some, nir_uge(b, last, index));
   return (struct access){.base = address_or_nowhere(b, buffer, inside, writes, options),
                          .index = options->no_soft_faults ? nir_bcsel(b, inside, index, zero) : index};
}

/* How many elements the index moves by one of what it counts, a shift or a product; 1: it is neither. */
static uint64_t
stride_of(const struct nir_def *index)
{
   const struct nir_alu_instr *alu;
   uint64_t value;
   if ((alu = alu_of(index, NIR_OP_ishl)) && constant_source(alu, 1, &value))
      return UINT64_C(1) << (value & 31);
   return (alu = alu_of(index, NIR_OP_imul)) && constant_source(alu, 1, &value) ? value : 1;
}

/* A place within the elements of an array goes to the address, which is the same for all threads mostly, and a shift
 * to the instruction. Both count on from there in 64 bits, so the place must be one that no index wraps around to. */
static struct access
without_arithmetic(struct nir_builder *b, struct access access, unsigned bits)
{
   const struct nir_alu_instr *add = alu_of(access.index, NIR_OP_iadd), *shl;
   uint64_t place, by;
   for (unsigned i = 0; add && i < 2; i++) {
      struct nir_def *rest = source(b, add, 1 - i);
      if (!constant_source(add, i, &place) || place >= stride_of(rest))
         continue;
      access.base = nir_iadd_imm(b, access.base, (int64_t)place * (bits / 8));
      access.index = rest;
      break;
   }
   if ((shl = alu_of(access.index, NIR_OP_ishl)) && constant_source(shl, 1, &by)) {
      access.shift = MIN2((unsigned)by & 31, SHIFT_MAX);
      access.index = nir_ishl_imm(b, source(b, shl, 0), ((uint32_t)by & 31) - access.shift);
   }
   return access;
}

/* ---- tables of constants ---- */

/* An index that leads outside of all tables is at their last place. */
static struct access
in_tables(struct nir_builder *b, const struct nir_intrinsic_instr *intr, unsigned bits,
          const struct agx_options *options)
{
   const uint32_t size_B = intr->def.num_components * intr->def.bit_size / 8,
                  base_B = (uint32_t)nir_intrinsic_base(intr);
   const uint32_t last = MAX2(b->shader->info.constant_B, size_B) - size_B;
   struct nir_def *offset = nir_iadd_imm(b, intr->src[0].def, base_B);
   return (struct access){
      .base = nir_load_uniform_agx(b, 1, 64, .base = (int32_t)(options->uniforms_h - AGX_ADDRESS_H)),
      .index = nir_umin(b, index_of(b, offset, bits), nir_imm_int(b, (int32_t)(last >> log2_B(bits))))};
}

/* ---- addresses ---- */

/* base + (index << log2) or more, where the address was computed so in 64 bits. */
static struct access
split_address(struct nir_builder *b, struct nir_def *address, int32_t constant, unsigned bits)
{
   const unsigned log2 = log2_B(bits);
   struct access access = {.base = address, .index = nir_imm_int(b, constant >> log2)};
   const struct nir_alu_instr *add = alu_of(address, NIR_OP_iadd), *shl, *wide;
   uint64_t by;
   if (constant & ((1 << log2) - 1)) {
      access.base = nir_iadd_imm(b, address, constant);
      access.index = nir_imm_int(b, 0);
      return access;
   }
   for (unsigned i = 0; add && !constant && i < 2; i++) {
      const struct nir_def *def = add->src[i].src.def;
      if ((shl = alu_of(def, NIR_OP_ishl)) && constant_source(shl, 1, &by) && by >= log2 && by <= log2 + SHIFT_MAX &&
          (wide = alu_of(shl->src[0].src.def, NIR_OP_u2u64)) && wide->src[0].src.def->bit_size == 32) {
         access.index = source(b, wide, 0);
         access.shift = (unsigned)by - log2;
         access.base = source(b, add, 1 - i);
         return access;
      }
   }
   return access;
}

/* ---- loads and stores of pieces ---- */

#define MAX_WORDS 4

/* count values of `bits` from place `at` on, in elements. */
static struct nir_def *
load_pieces(struct nir_builder *b, const struct access *access, unsigned at, unsigned count, unsigned bits,
            uint32_t flags)
{
   struct nir_intrinsic_instr *load = nir_intrinsic_create(b->shader, NIR_INTRINSIC_load_agx);
   struct nir_def *index = access->index, *base = access->base;
   if (at && access->shift)
      base = nir_iadd_imm(b, base, (int64_t)at * MIN2(bits, 32) / 8);
   else if (at)
      index = nir_iadd_imm(b, index, at);
   nir_src_init(&load->src[0], base);
   nir_src_init(&load->src[1], index);
   nir_intrinsic_set_format(load, format_of(bits));
   nir_intrinsic_set_shift(load, access->shift);
   nir_intrinsic_set_access(load, flags);
   load->num_components = (uint8_t)count;
   nir_def_init(b->shader, &load->instr, &load->def, count, bits);
   nir_builder_insert(b, &load->instr);
   return &load->def;
}

static void
store_pieces(struct nir_builder *b, const struct access *access, unsigned at, struct nir_def *value, uint32_t mask,
             uint32_t flags)
{
   struct nir_intrinsic_instr *store = nir_intrinsic_create(b->shader, NIR_INTRINSIC_store_agx);
   struct nir_def *index = access->index, *base = access->base;
   if (at && access->shift)
      base = nir_iadd_imm(b, base, (int64_t)at * MIN2(value->bit_size, 32) / 8);
   else if (at)
      index = nir_iadd_imm(b, index, at);
   nir_src_init(&store->src[0], value);
   nir_src_init(&store->src[1], base);
   nir_src_init(&store->src[2], index);
   nir_intrinsic_set_format(store, format_of(value->bit_size));
   nir_intrinsic_set_shift(store, access->shift);
   nir_intrinsic_set_access(store, flags);
   store->num_components = value->num_components;
   nir_intrinsic_set_write_mask(store, mask);
   nir_builder_insert(b, &store->instr);
}

/* Where memory is aligned to less than a value, it goes in pieces. */
static struct nir_def *
from_pieces(struct nir_builder *b, struct nir_def *const *pieces, unsigned count, unsigned bits)
{
   struct nir_def *value = nir_u2uN(b, pieces[0], bits);
   for (unsigned i = 1; i < count; i++)
      value = nir_ior(b, value, nir_ishl_imm(b, nir_u2uN(b, pieces[i], bits), i * bits / count));
   return value;
}

static struct nir_def *
load_all(struct nir_builder *b, const struct access *access, unsigned count, unsigned bits, unsigned element,
         uint32_t flags)
{
   struct nir_def *out[NIR_MAX_COMPONENTS];
   if (element == MIN2(bits, 32)) {
      const unsigned words = bits == 64 ? 2 : 1;
      if (count * words <= MAX_WORDS)
         return load_pieces(b, access, 0, count, bits, flags);
      for (unsigned i = 0; i < count; i++)
         out[i] = load_pieces(b, access, i * words, 1, bits, flags);
      return nir_vec(b, out, count);
   }
   const unsigned per = bits / element;
   for (unsigned i = 0; i < count; i++) {
      struct nir_def *pieces[8];
      for (unsigned p = 0; p < per; p++)
         pieces[p] = load_pieces(b, access, i * per + p, 1, element, flags);
      out[i] = from_pieces(b, pieces, per, bits);
   }
   return nir_vec(b, out, count);
}

static void
store_all(struct nir_builder *b, const struct access *access, struct nir_def *value, uint32_t mask, unsigned element,
          uint32_t flags)
{
   const unsigned bits = value->bit_size, words = bits == 64 ? 2 : 1, per = bits / element;
   if (element == MIN2(bits, 32) && value->num_components * words <= MAX_WORDS) {
      store_pieces(b, access, 0, value, mask, flags);
      return;
   }
   for (unsigned i = 0; i < value->num_components; i++) {
      struct nir_def *x = nir_channel(b, value, i);
      if (!(mask >> i & 1))
         continue;
      if (element == MIN2(bits, 32)) {
         store_pieces(b, access, i * words, x, 1, flags);
         continue;
      }
      for (unsigned p = 0; p < per; p++)
         store_pieces(b, access, i * per + p, nir_u2uN(b, nir_ushr_imm(b, x, p * element), element), 1, flags);
   }
}

/* ---- atomics ---- */

static struct nir_def *
float_step(struct nir_builder *b, enum nir_atomic_op op, struct nir_def *old, struct nir_def *data)
{
   return op == NIR_ATOMIC_fadd   ? nir_fadd(b, old, data)
          : op == NIR_ATOMIC_fmin ? nir_fmin(b, old, data)
                                  : nir_fmax(b, old, data);
}

/* Where an atomic operation works. */
struct place {
   struct nir_def *base, *index; /* of device memory */
   struct nir_def *offset;       /* of threadgroup memory, or NULL */
   int32_t constant;
};

static struct nir_def *
atomic(struct nir_builder *b, const struct place *place, enum nir_atomic_op op, struct nir_def *compare,
       struct nir_def *data)
{
   static const enum nir_intrinsic_op ops[2][2] = {{NIR_INTRINSIC_atomic_agx, NIR_INTRINSIC_atomic_swap_agx},
                                                   {NIR_INTRINSIC_shared_atomic, NIR_INTRINSIC_shared_atomic_swap}};
   struct nir_intrinsic_instr *made = nir_intrinsic_create(b->shader, ops[place->offset != NULL][compare != NULL]);
   unsigned count = 0;
   nir_src_init(&made->src[count++], place->offset ? place->offset : place->base);
   if (!place->offset)
      nir_src_init(&made->src[count++], place->index);
   if (compare)
      nir_src_init(&made->src[count++], compare);
   nir_src_init(&made->src[count], data);
   if (place->offset)
      nir_intrinsic_set_base(made, place->constant);
   nir_intrinsic_set_atomic_op(made, op);
   nir_def_init(b->shader, &made->instr, &made->def, 1, 32);
   nir_builder_insert(b, &made->instr);
   return &made->def;
}

/* The first guess is 0: the exchange says what is there. */
static struct nir_def *
float_loop(struct nir_builder *b, const struct place *place, enum nir_atomic_op op, struct nir_def *data)
{
   struct nir_def *start = nir_imm_int(b, 0);
   struct nir_loop *loop = nir_push_loop(b);
   struct nir_block *entry = nir_cf_as_block(list_entry(loop->cf.link.prev, struct nir_cf_node, link));
   struct nir_phi_instr *old = nir_build_phi(b, 1, 32);
   struct nir_def *made = float_step(b, op, &old->def, data);
   struct nir_def *found = atomic(b, place, NIR_ATOMIC_cmpxchg, &old->def, made);
   struct nir_if *done = nir_push_if(b, nir_ieq(b, found, &old->def));
   nir_break(b);
   nir_pop_if(b, done);
   struct nir_block *last = b->cursor.block;
   nir_phi_add_src(b->shader, old, entry, start);
   nir_phi_add_src(b->shader, old, last, found);
   nir_pop_loop(b, loop);
   return found;
}

static bool
is_float_atomic(enum nir_atomic_op op)
{
   return op == NIR_ATOMIC_fadd || op == NIR_ATOMIC_fmin || op == NIR_ATOMIC_fmax;
}

/* Those of 64 bits stay, and nothing selects them. */
static bool
lower_atomic(struct nir_builder *b, struct nir_intrinsic_instr *intr, const struct agx_options *options)
{
   const enum nir_atomic_op op = nir_intrinsic_atomic_op(intr);
   const bool swap = op == NIR_ATOMIC_cmpxchg;
   struct nir_src *data = &intr->src[nir_intrinsic_infos[intr->op].num_srcs - 1];
   struct place place = {0};
   if (intr->def.bit_size != 32)
      return false;
   if (intr->op == NIR_INTRINSIC_shared_atomic || intr->op == NIR_INTRINSIC_shared_atomic_swap) {
      if (!is_float_atomic(op))
         return false;
      place = (struct place){.offset = intr->src[0].def, .constant = nir_intrinsic_base(intr)};
   } else if (intr->op == NIR_INTRINSIC_ssbo_atomic || intr->op == NIR_INTRINSIC_ssbo_atomic_swap) {
      const struct access access = in_buffer(b, intr, index_of(b, intr->src[1].def, 32), 32, 4, options);
      place = (struct place){.base = access.base, .index = access.index};
   } else {
      const struct access access = split_address(b, intr->src[0].def, nir_intrinsic_base(intr), 32);
      place = (struct place){.base = access.base, .index = access.index};
      if (access.shift)
         place = (struct place){.base = intr->src[0].def, .index = nir_imm_int(b, 0)};
   }
   struct nir_def *result = is_float_atomic(op) ? float_loop(b, &place, op, data->def)
                                                : atomic(b, &place, op, swap ? data[-1].def : NULL, data->def);
   return agx_replace_intrinsic(intr, result);
}

/* ---- threadgroup memory ---- */

/* Offsets have 16 bits, and what is added to them is said in the instruction. */
static bool
lower_shared(struct nir_builder *b, struct nir_intrinsic_instr *intr, const struct agx_options *options)
{
   const struct nir_alu_instr *alu;
   struct nir_src *offset = &intr->src[intr->op == NIR_INTRINSIC_store_shared];
   struct nir_def *x = offset->def;
   uint64_t value, by = 0;
   int32_t constant = 0;
   if (nir_src_is_const(*offset))
      return false;
   const struct nir_alu_instr *shl = alu_of(x, NIR_OP_ishl);
   const bool shifts = shl && constant_source(shl, 1, &by);
   struct nir_def *inner = shifts ? source(b, shl, 0) : x;
   if ((alu = alu_of(inner, NIR_OP_iadd)) && constant_source(alu, 1, &value)) {
      inner = source(b, alu, 0);
      constant = (int32_t)((uint32_t)value << (by & 31));
      x = shifts ? nir_ishl_imm(b, inner, (uint32_t)by & 31) : inner;
   }
   if (constant < -0x8000 || constant > 0x7fff)
      return false;
   nir_intrinsic_set_base(intr, nir_intrinsic_base(intr) + constant);
   nir_src_rewrite(offset, nir_u2u32(b, nir_u2u16(b, x)));
   return true;
}

/* ---- what nir has ---- */

static bool
lower_load(struct nir_builder *b, struct nir_intrinsic_instr *intr, const struct agx_options *options)
{
   const unsigned bits = intr->def.bit_size, count = intr->def.num_components, element = element_bits(intr, bits);
   uint32_t flags = nir_intrinsic_access(intr);
   struct access access = {0};
   switch ((int)intr->op) { /* others: lower() has others */
   case NIR_INTRINSIC_load_ubo:
   case NIR_INTRINSIC_load_ssbo:
      access = in_buffer(b, intr, index_of(b, intr->src[1].def, element), element, count * bits / 8, options);
      access = robust_of(b, intr) ? access : without_arithmetic(b, access, element);
      if (intr->op == NIR_INTRINSIC_load_ubo && !(flags & NIR_ACCESS_VOLATILE))
         flags |= NIR_ACCESS_CAN_REORDER;
      break;
   case NIR_INTRINSIC_load_constant:
      access = in_tables(b, intr, element, options);
      flags |= NIR_ACCESS_CAN_REORDER;
      break;
   case NIR_INTRINSIC_load_global_constant:
      access.base = intr->src[0].def;
      access.index = index_of(b, intr->src[1].def, element);
      if (nir_intrinsic_base(intr))
         access.base = nir_iadd_imm(b, access.base, nir_intrinsic_base(intr));
      flags |= NIR_ACCESS_CAN_REORDER;
      break;
   case NIR_INTRINSIC_load_global:
      access = split_address(b, intr->src[0].def, nir_intrinsic_base(intr), element);
      break;
   }
   return agx_replace_intrinsic(intr, load_all(b, &access, count, bits, element, flags));
}

static bool
lower_store(struct nir_builder *b, struct nir_intrinsic_instr *intr, const struct agx_options *options)
{
   struct nir_def *value = intr->src[0].def;
   const unsigned bits = value->bit_size, element = element_bits(intr, bits);
   struct access access = {0};
   if (intr->op == NIR_INTRINSIC_store_ssbo) {
      access = in_buffer(b, intr, index_of(b, intr->src[2].def, element), element, value->num_components * bits / 8,
                         options);
      access = robust_of(b, intr) ? access : without_arithmetic(b, access, element);
   } else {
      access = split_address(b, intr->src[1].def, nir_intrinsic_base(intr), element);
   }
   store_all(b, &access, value, nir_intrinsic_write_mask(intr), element, nir_intrinsic_access(intr));
   return agx_replace_intrinsic(intr, NULL);
}

static bool
lower(struct nir_builder *b, struct nir_intrinsic_instr *intr, const struct agx_options *options)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_store_ssbo:
   case NIR_INTRINSIC_store_global:
      return lower_store(b, intr, options);
   case NIR_INTRINSIC_ssbo_atomic:
   case NIR_INTRINSIC_ssbo_atomic_swap:
   case NIR_INTRINSIC_global_atomic:
   case NIR_INTRINSIC_global_atomic_swap:
   case NIR_INTRINSIC_shared_atomic:
   case NIR_INTRINSIC_shared_atomic_swap:
      return lower_atomic(b, intr, options);
   case NIR_INTRINSIC_get_ssbo_size:
      return agx_replace_intrinsic(intr, nir_channel(b, intr->src[0].def, 2));
   case NIR_INTRINSIC_load_ubo:
   case NIR_INTRINSIC_load_ssbo:
   case NIR_INTRINSIC_load_constant:
   case NIR_INTRINSIC_load_global:
   case NIR_INTRINSIC_load_global_constant:
      return lower_load(b, intr, options);
   default: /* others: none of memory */
      return false;
   }
}

static bool
lower_local(struct nir_builder *b, struct nir_intrinsic_instr *intr, const struct agx_options *options)
{
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_shared:
   case NIR_INTRINSIC_store_shared:
   case NIR_INTRINSIC_shared_atomic:
   case NIR_INTRINSIC_shared_atomic_swap:
      return lower_shared(b, intr, options);
   default: /* others: not of threadgroup memory */
      return false;
   }
}

bool
agx_lower_nir_memory(struct nir_shader *nir, const struct agx_options *options)
{
   const bool buffers = agx_lower_each_intrinsic(nir, lower, options);
   return agx_lower_each_intrinsic(nir, lower_local, options) || buffers;
}
