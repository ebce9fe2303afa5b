/* Selection of loads and stores: buffers, addresses, workgroup and scratch memory. */
#include "amd/compiler/aco_select.h"
#include "util/mutant.h"

enum space {
   SPACE_BUFFER,
   SPACE_GLOBAL,
   SPACE_SHARED,
   SPACE_SCRATCH,
   SPACE_PRIVATE, /* scratch with instructions of its own */
   SPACE_COUNT,
};

/* Where an access goes; chunks of it add to offset_B. */
struct place {
   enum space space;
   struct aco_operand desc;  /* V#, 4 SGPRs: buffer, scratch */
   struct aco_operand vaddr; /* VGPR: offset, or address of two dwords (global); NONE */
   struct aco_operand saddr; /* global: address in SGPRs, or NONE; scratch: soffset */
   uint32_t offset_B;        /* constant part */
   unsigned align_B;
   uint32_t access;
   bool reorder;
};

#define ACCESS_B 64 /* no access is larger: so far do its chunks add to its offset */

/* Whether an access can have this constant offset. */
static bool
reaches(const struct aco_offsets *offsets, int64_t offset_B)
{
   return offset_B >= offsets->min_B && offset_B <= offsets->max_B - ACCESS_B;
}

static const struct aco_offsets *
offsets_of(const struct isel *c, enum space space)
{
   const struct aco_target *target = c->program->target;
   const struct aco_offsets *const rows[SPACE_COUNT] = {&target->mubuf, &target->global, &target->ds, &target->mubuf,
                                                        &target->scratch};
   return rows[space];
}

static unsigned
align_B(const struct nir_intrinsic_instr *intr)
{
   uint32_t offset_B = nir_intrinsic_align_offset(intr), mul = nir_intrinsic_align_mul(intr);
   return offset_B ? offset_B & -offset_B : mul ? mul : 1;
}

/* Alignment of the chunk at this distance. */
static unsigned
align_at(const struct place *place, unsigned offset_B)
{
   unsigned own = offset_B ? offset_B & -offset_B : 4096;
   return MIN2(own, place->align_B);
}

static bool
take_descriptor(struct isel *c, const struct nir_src *src, struct aco_operand *desc)
{
   if (src->def->divergent) {
      aco_fail(c->program, "a descriptor differs between lanes: lower it to a loop first");
      return false;
   }
   *desc = isel_src_vec_s(c, src);
   return true;
}

/* A byte offset from nir as VGPR plus constant. */
static void
take_offset(struct isel *c, const struct nir_src *src, uint32_t base_B, struct place *place)
{
   const struct aco_offsets *offsets = offsets_of(c, place->space);
   if (nir_src_is_const(*src)) {
      uint64_t offset_B = nir_src_comp_as_uint(*src, 0) + base_B;
      if (reaches(offsets, (int64_t)offset_B)) {
         place->offset_B = (uint32_t)offset_B;
         return;
      }
      place->vaddr = isel_as_v(c, aco_op_const((uint32_t)offset_B), 1);
      return;
   }
   place->vaddr = isel_as_v(c, isel_src(c, src, 0), 1);
   if (reaches(offsets, base_B))
      place->offset_B = base_B;
   else
      place->vaddr = isel_v2(c, AMD_OP_v_add_nc_u32, ACO_V1, aco_op_const(base_B), place->vaddr);
}

/* Adds an amount, whose high dword is 0 or -1, to a 64-bit address in whatever registers. */
static struct aco_operand
add_address(struct isel *c, struct aco_operand address, struct aco_operand amount, uint32_t high_word)
{
   struct aco_operand parts[2];
   if (!aco_is_v(&address) && !aco_is_v(&amount)) {
      isel_split64(c, address, &parts[0], &parts[1]);
      parts[0] = isel_s2(c, AMD_OP_s_add_u32, ACO_S1, parts[0], amount);
      isel_use_scc(c);
      parts[1] = isel_s2(c, AMD_OP_s_addc_u32, ACO_S1, parts[1], aco_op_const(high_word));
      return isel_vector(c, ACO_S2, 2, parts);
   }
   isel_split64(c, isel_as_v(c, address, 2), &parts[0], &parts[1]);
   amount = isel_as_v(c, amount, 1);
   return isel_add_halves(c, false, (struct aco_operand[]){parts[0], aco_op_const(high_word)},
                          (struct aco_operand[]){amount, parts[1]});
}

/* address [+ offset] + base. */
static void
take_address(struct isel *c, struct aco_operand address, const struct nir_src *offset, int32_t base_B,
             struct place *place)
{
   const struct aco_offsets *offsets = offsets_of(c, SPACE_GLOBAL);
   struct aco_operand amount = {0};
   if (offset) {
      amount = isel_src(c, offset, 0);
      if (amount.kind == ACO_OP_CONST && reaches(offsets, amount.value + (int64_t)base_B) && base_B >= 0) {
         base_B += (int32_t)amount.value;
         amount.kind = ACO_OP_NONE;
      }
   }
   if (base_B < 0 || !reaches(offsets, base_B)) {
      address = add_address(c, address, aco_op_const((uint32_t)base_B), base_B < 0 ? UINT32_MAX : 0);
      base_B = 0;
   }
   place->offset_B = (uint32_t)base_B;
   if (aco_is_v(&address)) {
      place->vaddr = amount.kind == ACO_OP_NONE ? address : add_address(c, address, amount, 0);
   } else {
      place->saddr = isel_as_s(c, address, 2);
      place->vaddr = isel_as_v(c, amount.kind == ACO_OP_NONE ? aco_op_const(0) : amount, 1);
   }
}

/* ---- one memory instruction ---- */

void
isel_set_coherence(const struct isel *c, struct aco_instr *instr, uint32_t access, bool load)
{
   bool coherent = access & (NIR_ACCESS_COHERENT | NIR_ACCESS_VOLATILE);
   instr->glc = coherent;
   instr->dlc = coherent && load && c->program->target->dlc_passes_gl1;
}

static void
set_cache(const struct isel *c, struct aco_instr *instr, const struct place *place, bool load)
{
   isel_set_coherence(c, instr, place->access, load);
   instr->reorder = place->reorder;
}

static struct aco_instr *
memory_instr(struct isel *c, unsigned op, const struct place *place, unsigned offset_B, struct aco_operand data,
             struct aco_operand data2, aco_rc rc)
{
   /* size: the operands of the instruction */
   struct aco_instr *instr =
      isel_emit(c, op, rc ? 1 : 0, place->space == SPACE_BUFFER || place->space == SPACE_SCRATCH ? 4 : 3);
   struct aco_operand none = {0};
   switch (place->space) {
   case SPACE_BUFFER:
   case SPACE_SCRATCH:
      instr->ops[0] = place->vaddr;
      instr->offen = place->vaddr.kind != ACO_OP_NONE;
      instr->ops[1] = place->desc;
      instr->ops[2] = place->saddr.kind != ACO_OP_NONE ? place->saddr : aco_op_const(0);
      instr->ops[3] = data;
      break;
   case SPACE_GLOBAL:
   case SPACE_PRIVATE:
      instr->ops[0] = place->vaddr;
      instr->ops[1] = data;
      instr->ops[2] = place->saddr.kind != ACO_OP_NONE ? place->saddr : none;
      break;
   case SPACE_SHARED:
      instr->ops[0] = place->vaddr.kind != ACO_OP_NONE ? place->vaddr : isel_as_v(c, aco_op_const(0), 1);
      instr->ops[1] = data;
      instr->ops[2] = data2;
      break;
   case SPACE_COUNT:
      break;
   }
   instr->offset = (int32_t)(place->offset_B + offset_B);
   if (place->space == SPACE_SHARED && c->block->instrs[c->block->count - 1] != instr) {
      /* the address constant came after: put it before */
      struct aco_instr *address = c->block->instrs[c->block->count - 1];
      c->block->instrs[c->block->count - 2] = address;
      c->block->instrs[c->block->count - 1] = instr;
   }
   if (rc)
      instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, rc), .rc = rc};
   return instr;
}

/* ---- loads ---- */

static const uint16_t load_ops[SPACE_COUNT][4] = {
   [SPACE_BUFFER] = {AMD_OP_buffer_load_dword, AMD_OP_buffer_load_dwordx2, AMD_OP_buffer_load_dwordx3,
                     AMD_OP_buffer_load_dwordx4},
   [SPACE_GLOBAL] = {AMD_OP_global_load_dword, AMD_OP_global_load_dwordx2, AMD_OP_global_load_dwordx3,
                     AMD_OP_global_load_dwordx4},
   [SPACE_SHARED] = {AMD_OP_ds_read_b32, AMD_OP_ds_read_b64, AMD_OP_ds_read_b96, AMD_OP_ds_read_b128},
   [SPACE_SCRATCH] = {AMD_OP_buffer_load_dword},
   [SPACE_PRIVATE] = {AMD_OP_scratch_load_dword, AMD_OP_scratch_load_dwordx2, AMD_OP_scratch_load_dwordx3,
                      AMD_OP_scratch_load_dwordx4},
};
static const uint16_t store_ops[SPACE_COUNT][4] = {
   [SPACE_BUFFER] = {AMD_OP_buffer_store_dword, AMD_OP_buffer_store_dwordx2, AMD_OP_buffer_store_dwordx3,
                     AMD_OP_buffer_store_dwordx4},
   [SPACE_GLOBAL] = {AMD_OP_global_store_dword, AMD_OP_global_store_dwordx2, AMD_OP_global_store_dwordx3,
                     AMD_OP_global_store_dwordx4},
   [SPACE_SHARED] = {AMD_OP_ds_write_b32, AMD_OP_ds_write_b64, AMD_OP_ds_write_b96, AMD_OP_ds_write_b128},
   [SPACE_SCRATCH] = {AMD_OP_buffer_store_dword},
   [SPACE_PRIVATE] = {AMD_OP_scratch_store_dword, AMD_OP_scratch_store_dwordx2, AMD_OP_scratch_store_dwordx3,
                      AMD_OP_scratch_store_dwordx4},
};
/* [space][0: 8 bits, 1: 16 bits] */
static const uint16_t small_load_ops[SPACE_COUNT][2] = {
   [SPACE_BUFFER] = {AMD_OP_buffer_load_ubyte, AMD_OP_buffer_load_ushort},
   [SPACE_GLOBAL] = {AMD_OP_global_load_ubyte, AMD_OP_global_load_ushort},
   [SPACE_SHARED] = {AMD_OP_ds_read_u8, AMD_OP_ds_read_u16},
   [SPACE_SCRATCH] = {AMD_OP_buffer_load_ubyte, AMD_OP_buffer_load_ushort},
   [SPACE_PRIVATE] = {AMD_OP_scratch_load_ubyte, AMD_OP_scratch_load_ushort},
};
static const uint16_t small_store_ops[SPACE_COUNT][2] = {
   [SPACE_BUFFER] = {AMD_OP_buffer_store_byte, AMD_OP_buffer_store_short},
   [SPACE_GLOBAL] = {AMD_OP_global_store_byte, AMD_OP_global_store_short},
   [SPACE_SHARED] = {AMD_OP_ds_write_b8, AMD_OP_ds_write_b16},
   [SPACE_SCRATCH] = {AMD_OP_buffer_store_byte, AMD_OP_buffer_store_short},
   [SPACE_PRIVATE] = {AMD_OP_scratch_store_byte, AMD_OP_scratch_store_short},
};

/* How many of `left` dwords one instruction moves. */
static unsigned
chunk_dw(const struct place *place, unsigned offset_B, unsigned left)
{
   if (place->space == SPACE_SCRATCH)
      return 1; /* elements of the swizzled buffer have 4 bytes */
   if (place->space != SPACE_SHARED)
      return MIN2(left, 4);
   unsigned align = align_at(place, offset_B);
   if (left >= 3 && align >= 16)
      return MIN2(left, 4);
   return left >= 2 && align >= 8 ? 2 : 1;
}

/* Dwords of a vector load, in parts[]. */
static void
load_dwords(struct isel *c, const struct place *place, unsigned count, struct aco_operand *parts, uint32_t *whole)
{
   *whole = 0;
   struct aco_operand none = {0};
   for (unsigned i = 0; i < count;) {
      unsigned n = chunk_dw(place, i * 4, count - i);
      struct aco_instr *instr = memory_instr(c, load_ops[place->space][n - 1], place, i * 4, none, none, aco_rc_v(n));
      set_cache(c, instr, place, true);
      struct aco_operand data = isel_result(c, instr, 0);
      if (n == count)
         *whole = data.value;
      isel_split(c, data, n, &parts[i]);
      i += n;
   }
}

static void
set_from_dwords(struct isel *c, const struct nir_def *def, const struct aco_operand *parts, uint32_t whole)
{
   for (unsigned i = 0; i < def->num_components; i++) {
      bool v = aco_is_v(&parts[0]);
      isel_set(c, def, i, def->bit_size == 64 ? isel_vector(c, v ? ACO_V2 : ACO_S2, 2, &parts[2 * i]) : parts[i]);
   }
   c->values[def->index].vec = whole;
}

static void
load_place(struct isel *c, const struct nir_def *def, const struct place *place)
{
   struct aco_operand parts[8], none = {0};
   uint32_t whole;
   unsigned size_B = def->bit_size / 8;
   if (size_B >= 4) {
      load_dwords(c, place, def->num_components * size_B / 4, parts, &whole);
      set_from_dwords(c, def, parts, whole);
      return;
   }
   unsigned pairs = size_B == 2 && place->align_B >= 4 ? def->num_components / 2 : 0;
   load_dwords(c, place, pairs, parts, &whole);
   for (unsigned i = 0; i < pairs; i++)
      isel_set_packed(c, def, i, parts[i]);
   for (unsigned i = 2 * pairs; i < def->num_components; i++) {
      struct aco_instr *instr =
         memory_instr(c, small_load_ops[place->space][size_B - 1], place, i * size_B, none, none, ACO_V1);
      set_cache(c, instr, place, true);
      isel_set(c, def, i, isel_result(c, instr, 0));
   }
}

/* Scalar loads of whole dwords; `exact`: nothing after the last dword may be touched. */
static void
load_scalar(struct isel *c, const struct nir_def *def, struct aco_operand base, struct aco_operand offset,
            int32_t offset_B, bool buffer)
{
   static const uint16_t ops[2][5] = {
      {AMD_OP_s_load_dword, AMD_OP_s_load_dwordx2, AMD_OP_s_load_dwordx4, AMD_OP_s_load_dwordx8,
       AMD_OP_s_load_dwordx16},
      {AMD_OP_s_buffer_load_dword, AMD_OP_s_buffer_load_dwordx2, AMD_OP_s_buffer_load_dwordx4,
       AMD_OP_s_buffer_load_dwordx8, AMD_OP_s_buffer_load_dwordx16},
   };
   struct aco_operand parts[16];
   unsigned count = def->num_components * def->bit_size / 32;
   uint32_t whole = 0;
   for (unsigned i = 0; i < count;) {
      unsigned log2 = buffer ? log2_ceil(count - i) : log2_floor(count - i), n = 1u << log2;
      struct aco_instr *instr = isel_emit(c, ops[buffer][log2], 1, 2);
      instr->ops[0] = base;
      instr->ops[1] = offset.kind == ACO_OP_NONE ? aco_op_fixed(AMD_NULL) : offset;
      instr->offset = offset_B + (int32_t)i * 4;
      instr->reorder = true;
      instr->defs[0] = (struct aco_def){.temp = aco_temp(c->program, aco_rc_s(n)), .rc = aco_rc_s(n)};
      struct aco_operand data = isel_result(c, instr, 0);
      if (n == count)
         whole = data.value;
      isel_split(c, data, n, &parts[i]);
      i += n;
   }
   set_from_dwords(c, def, parts, whole);
}

static struct aco_operand
add_base(struct isel *c, struct aco_operand offset, uint32_t base_B)
{
   return base_B ? isel_s2(c, AMD_OP_s_add_u32, ACO_S1, offset, aco_op_const(base_B)) : offset;
}

/* Erratum smem-null-prt. */
static bool
may_be_scalar(const struct isel *c)
{
   return !(c->program->target->scalar_holes_fault && c->nir->info.buffer_holes) || mutant("scalar-holes");
}

static void
load_buffer(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct place place = {.space = SPACE_BUFFER, .align_B = align_B(intr), .access = nir_intrinsic_access(intr)};
   bool data = intr->op == NIR_INTRINSIC_load_constant;
   if (data)
      place.desc = isel_data_descriptor(c);
   else if (!take_descriptor(c, &intr->src[0], &place.desc))
      return;
   const bool coherent = place.access & (NIR_ACCESS_VOLATILE | NIR_ACCESS_COHERENT);
   const bool promised = place.access & (NIR_ACCESS_NON_WRITEABLE | NIR_ACCESS_CAN_REORDER);
   /* The scalar cache has no coherent loads. */
   const bool constant = (data || intr->op == NIR_INTRINSIC_load_ubo || promised) && !coherent;
   place.reorder = constant;
   const struct nir_src *offset = &intr->src[!data];
   const uint32_t base_B = data ? (uint32_t)nir_intrinsic_base(intr) : 0;
   if (constant && (data || may_be_scalar(c)) && !offset->def->divergent && intr->def.bit_size >= 32 &&
       place.align_B >= 4) {
      struct aco_operand amount = isel_src(c, offset, 0), none = {0};
      if (amount.kind == ACO_OP_CONST && reaches(&c->program->target->smem_buffer, (int64_t)amount.value + base_B))
         load_scalar(c, &intr->def, place.desc, none, (int32_t)(amount.value + base_B), true);
      else
         load_scalar(c, &intr->def, place.desc, add_base(c, isel_as_s(c, amount, 1), base_B), 0, true);
      return;
   }
   take_offset(c, offset, base_B, &place);
   load_place(c, &intr->def, &place);
}

static void
load_address(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct place place = {.space = SPACE_GLOBAL, .align_B = align_B(intr), .access = nir_intrinsic_access(intr)};
   bool constant = intr->op == NIR_INTRINSIC_load_global_constant;
   const struct nir_src *offset = constant ? &intr->src[1] : NULL;
   place.reorder = constant || (place.access & NIR_ACCESS_CAN_REORDER);
   struct aco_operand address = isel_src(c, &intr->src[0], 0);
   int32_t base_B = nir_intrinsic_base(intr);
   bool uniform = !intr->src[0].def->divergent && (!offset || !offset->def->divergent);
   if (place.reorder && uniform && (constant || may_be_scalar(c)) && intr->def.bit_size >= 32 && place.align_B >= 4) {
      struct aco_operand amount = offset ? isel_src(c, offset, 0) : aco_op_const(0), none = {0};
      address = isel_as_s(c, address, 2);
      int64_t total_B = (int64_t)base_B + (amount.kind == ACO_OP_CONST ? amount.value : 0);
      bool near = reaches(&c->program->target->smem, total_B);
      if (!near) {
         address = add_address(c, address, aco_op_const((uint32_t)base_B), base_B < 0 ? UINT32_MAX : 0);
         total_B = 0;
      }
      load_scalar(c, &intr->def, address, near && amount.kind == ACO_OP_CONST ? none : isel_as_s(c, amount, 1),
                  (int32_t)total_B, false);
      return;
   }
   take_address(c, address, offset, base_B, &place);
   load_place(c, &intr->def, &place);
}

/* ---- stores ---- */

/* Consecutive dwords. */
static void
store_dwords(struct isel *c, const struct place *place, unsigned offset_B, unsigned count,
             const struct aco_operand *parts)
{
   struct aco_operand none = {0};
   for (unsigned k = 0; k < count;) {
      unsigned at_B = offset_B + 4 * k, n = chunk_dw(place, at_B, count - k);
      struct aco_operand data = isel_vector(c, aco_rc_v(n), n, &parts[k]);
      struct aco_instr *instr = memory_instr(c, store_ops[place->space][n - 1], place, at_B, data, none, 0);
      set_cache(c, instr, place, false);
      k += n;
   }
}

/* Two components of 16 bits at a time, from component `first` on; returns how many were stored. */
static unsigned
store_pairs(struct isel *c, const struct nir_src *value, uint32_t write_mask, const struct place *place,
            unsigned first)
{
   struct aco_operand parts[NIR_MAX_COMPONENTS / 2];
   unsigned count = 0;
   if (align_at(place, 2 * first) < 4)
      return 0;
   while (first + 2 * count + 1 < value->def->num_components && (write_mask >> (first + 2 * count) & 3) == 3) {
      parts[count] = isel_pack(c, value, first + 2 * count, first + 2 * count + 1);
      count++;
   }
   store_dwords(c, place, 2 * first, count, parts);
   return 2 * count;
}

static void
store_place(struct isel *c, const struct nir_src *value, uint32_t write_mask, const struct place *place)
{
   unsigned size_B = value->def->bit_size / 8, dw = size_B == 8 ? 2 : 1;
   /* A helper has scratch of its own, and what it computes from that counts in derivatives. */
   bool own = place->space == SPACE_SCRATCH || place->space == SPACE_PRIVATE;
   struct aco_operand none = {0}, exact = own ? none : isel_begin_exact(c);
   for (unsigned i = 0; i < value->def->num_components;) {
      if (!(write_mask >> i & 1)) {
         i++;
         continue;
      }
      unsigned stored = size_B == 2 ? store_pairs(c, value, write_mask, place, i) : 0;
      i += stored;
      if (stored)
         continue;
      if (size_B < 4) {
         struct aco_operand data = isel_as_v(c, isel_src(c, value, i), 1);
         struct aco_instr *instr =
            memory_instr(c, small_store_ops[place->space][size_B - 1], place, i * size_B, data, none, 0);
         set_cache(c, instr, place, false);
         i++;
         continue;
      }
      unsigned run = 1;
      while (i + run < value->def->num_components && write_mask >> (i + run) & 1)
         run++;
      struct aco_operand parts[8];
      for (unsigned k = 0; k < run; k++) {
         struct aco_operand op = isel_src(c, value, i + k);
         if (dw == 2)
            isel_split64(c, op, &parts[2 * k], &parts[2 * k + 1]);
         else
            parts[k] = op;
      }
      store_dwords(c, place, i * size_B, run * dw, parts);
      i += run;
   }
   isel_end_exact(c, exact);
}

static bool
scratch_place(struct isel *c, struct nir_intrinsic_instr *intr, const struct nir_src *offset, struct place *place)
{
   bool private = c->program->target->scratch_instrs;
   *place = (struct place){.space = private ? SPACE_PRIVATE : SPACE_SCRATCH, .align_B = 4, .desc = c->scratch_desc};
   if (private) {
      take_offset(c, offset, (uint32_t)nir_intrinsic_base(intr), place);
      return true;
   }
   if (c->scratch_desc.kind == ACO_OP_NONE) {
      aco_fail(c->program, "scratch memory is used but the driver passes no scratch address");
      return false;
   }
   place->saddr = aco_op_temp(c->program, c->scratch_offset);
   take_offset(c, offset, (uint32_t)nir_intrinsic_base(intr), place);
   return true;
}

bool
isel_memory(struct isel *c, struct nir_intrinsic_instr *intr)
{
   /* size: a flat switch */
   struct place place = {0};
   switch ((int)intr->op) {
   case NIR_INTRINSIC_load_ubo:
   case NIR_INTRINSIC_load_ssbo:
   case NIR_INTRINSIC_load_constant:
      load_buffer(c, intr);
      return true;
   case NIR_INTRINSIC_store_ssbo:
      place = (struct place){.space = SPACE_BUFFER, .align_B = align_B(intr), .access = nir_intrinsic_access(intr)};
      if (!take_descriptor(c, &intr->src[1], &place.desc))
         return true;
      take_offset(c, &intr->src[2], 0, &place);
      store_place(c, &intr->src[0], nir_intrinsic_write_mask(intr), &place);
      return true;
   case NIR_INTRINSIC_get_ssbo_size:
   case NIR_INTRINSIC_texel_buffer_size: {
      struct aco_operand words[4];
      if (!take_descriptor(c, &intr->src[0], &place.desc))
         return true;
      isel_split(c, place.desc, 4, words);
      isel_set(c, &intr->def, 0, words[2]);
      return true;
   }
   case NIR_INTRINSIC_load_global:
   case NIR_INTRINSIC_load_global_constant:
      load_address(c, intr);
      return true;
   case NIR_INTRINSIC_store_global:
      place = (struct place){.space = SPACE_GLOBAL, .align_B = align_B(intr), .access = nir_intrinsic_access(intr)};
      take_address(c, isel_src(c, &intr->src[1], 0), NULL, nir_intrinsic_base(intr), &place);
      store_place(c, &intr->src[0], nir_intrinsic_write_mask(intr), &place);
      return true;
   case NIR_INTRINSIC_load_shared:
      place = (struct place){.space = SPACE_SHARED, .align_B = align_B(intr)};
      take_offset(c, &intr->src[0], (uint32_t)nir_intrinsic_base(intr), &place);
      load_place(c, &intr->def, &place);
      return true;
   case NIR_INTRINSIC_store_shared:
      place = (struct place){.space = SPACE_SHARED, .align_B = align_B(intr)};
      take_offset(c, &intr->src[1], (uint32_t)nir_intrinsic_base(intr), &place);
      store_place(c, &intr->src[0], nir_intrinsic_write_mask(intr), &place);
      return true;
   case NIR_INTRINSIC_load_scratch:
      if (scratch_place(c, intr, &intr->src[0], &place))
         load_place(c, &intr->def, &place);
      return true;
   case NIR_INTRINSIC_store_scratch:
      if (scratch_place(c, intr, &intr->src[1], &place))
         store_place(c, &intr->src[0], nir_intrinsic_write_mask(intr), &place);
      return true;
   default: /* others: atomics, or not on memory */
      return false;
   }
}

/* ---- atomics ---- */

#define NONE AMD_OP_COUNT
/* mem: in memory; lds: in LDS, and how it names the integers. */
#define ATOMIC(mem, lds, letter)                                                                                     \
   {AMD_OP_buffer_atomic_##mem,                                                                                      \
    AMD_OP_buffer_atomic_##mem##_x2,                                                                                 \
    AMD_OP_global_atomic_##mem,                                                                                      \
    AMD_OP_global_atomic_##mem##_x2,                                                                                 \
    AMD_OP_ds_##lds##_##letter##32,                                                                                  \
    AMD_OP_ds_##lds##_rtn_##letter##32,                                                                              \
    AMD_OP_ds_##lds##_##letter##64,                                                                                  \
    AMD_OP_ds_##lds##_rtn_##letter##64,                                                                              \
    AMD_OP_image_atomic_##mem}
const struct isel_atomic isel_atomics[] = {
   [NIR_ATOMIC_iadd] = ATOMIC(add, add, u),
   [NIR_ATOMIC_imin] = ATOMIC(smin, min, i),
   [NIR_ATOMIC_umin] = ATOMIC(umin, min, u),
   [NIR_ATOMIC_imax] = ATOMIC(smax, max, i),
   [NIR_ATOMIC_umax] = ATOMIC(umax, max, u),
   [NIR_ATOMIC_iand] = ATOMIC(and, and, b),
   [NIR_ATOMIC_ior] = ATOMIC(or, or, b),
   [NIR_ATOMIC_ixor] = ATOMIC(xor, xor, b),
   [NIR_ATOMIC_xchg] = {AMD_OP_buffer_atomic_swap, AMD_OP_buffer_atomic_swap_x2, AMD_OP_global_atomic_swap,
                        AMD_OP_global_atomic_swap_x2, NONE, AMD_OP_ds_wrxchg_rtn_b32, NONE, AMD_OP_ds_wrxchg_rtn_b64,
                        AMD_OP_image_atomic_swap},
   [NIR_ATOMIC_cmpxchg] = ATOMIC(cmpswap, cmpst, b),
   [NIR_ATOMIC_fadd] = {AMD_OP_buffer_atomic_add_f32, NONE, AMD_OP_global_atomic_add_f32, NONE, AMD_OP_ds_add_f32,
                        AMD_OP_ds_add_rtn_f32, NONE, NONE, NONE},
   [NIR_ATOMIC_fmin] = ATOMIC(fmin, min, f),
   [NIR_ATOMIC_fmax] = ATOMIC(fmax, max, f),
};

static void
atomic_place(struct isel *c, struct nir_intrinsic_instr *intr, const struct place *place, unsigned first_data,
             bool swap)
{
   const struct isel_atomic *row = &isel_atomics[nir_intrinsic_atomic_op(intr)];
   bool wide = intr->def.bit_size == 64, used = !list_is_empty(&intr->def.uses);
   unsigned dw = wide ? 2 : 1;
   struct aco_operand data = isel_as_v(c, isel_src(c, &intr->src[first_data], 0), dw), data2 = {0};
   unsigned op =
      place->space == SPACE_BUFFER ? (wide ? row->buffer64 : row->buffer) : (wide ? row->global64 : row->global);
   if (place->space == SPACE_SHARED) {
      used |= row->ds == NONE;
      op = wide ? (used ? row->ds64_rtn : row->ds64) : used ? row->ds_rtn : row->ds;
      if (swap) /* compare, then new value */
         data2 = isel_as_v(c, isel_src(c, &intr->src[first_data + 1], 0), dw);
      if (swap && !isel_has_op(c, op)) { /* GFX11: the other way round */
         struct aco_operand compare = data;
         data = data2;
         data2 = compare;
         op = wide ? (used ? AMD_OP_ds_cmpstore_rtn_b64 : AMD_OP_ds_cmpstore_b64)
                   : (used ? AMD_OP_ds_cmpstore_rtn_b32 : AMD_OP_ds_cmpstore_b32);
      }
   } else if (swap) { /* new value, then compare */
      struct aco_operand parts[2] = {isel_as_v(c, isel_src(c, &intr->src[first_data + 1], 0), dw), data};
      data = isel_vector(c, aco_rc_v(2 * dw), 2, parts);
   }
   if (!isel_has_op(c, op)) {
      aco_fail(c->program, "no instruction for this atomic operation of %u bits", intr->def.bit_size);
      return;
   }
   bool tied = used && place->space == SPACE_BUFFER; /* old values come into the registers of the data */
   if (tied)
      data = isel_op1(c, ACO_P_PARALLELCOPY, data.rc, data);
   struct aco_operand exact = isel_begin_exact(c);
   /* A returning compare-and-swap writes only the old value, but the encoder names the data's first register. */
   struct aco_instr *instr = memory_instr(c, op, place, 0, data, data2, used ? aco_rc_v(dw) : 0);
   instr->side_effects = true;
   instr->tied = tied;
   instr->glc = used && place->space != SPACE_SHARED;
   isel_end_exact(c, exact);
   if (used)
      isel_set(c, &intr->def, 0, isel_result(c, instr, 0));
}

bool
isel_atomic(struct isel *c, struct nir_intrinsic_instr *intr)
{
   struct place place = {.align_B = 4};
   switch ((int)intr->op) {
   case NIR_INTRINSIC_ssbo_atomic:
   case NIR_INTRINSIC_ssbo_atomic_swap:
      place.space = SPACE_BUFFER;
      if (!take_descriptor(c, &intr->src[0], &place.desc))
         return true;
      take_offset(c, &intr->src[1], 0, &place);
      atomic_place(c, intr, &place, 2, intr->op == NIR_INTRINSIC_ssbo_atomic_swap);
      return true;
   case NIR_INTRINSIC_global_atomic:
   case NIR_INTRINSIC_global_atomic_swap:
      place.space = SPACE_GLOBAL;
      take_address(c, isel_src(c, &intr->src[0], 0), NULL, nir_intrinsic_base(intr), &place);
      atomic_place(c, intr, &place, 1, intr->op == NIR_INTRINSIC_global_atomic_swap);
      return true;
   case NIR_INTRINSIC_shared_atomic:
   case NIR_INTRINSIC_shared_atomic_swap:
      place.space = SPACE_SHARED;
      take_offset(c, &intr->src[0], (uint32_t)nir_intrinsic_base(intr), &place);
      atomic_place(c, intr, &place, 1, intr->op == NIR_INTRINSIC_shared_atomic_swap);
      return true;
   default: /* others: no atomics on memory */
      return false;
   }
}
