/* Buffer, typed buffer, flat, global and scratch instructions. */
#include <string.h>

#include "amd/hw/descriptors.h"
#include "amd/sim/surface/formats.h"
#include "amd/sim/tex/tex.h"
#include "amd/sim/wave/exec_memory.h"
#include "amd/sim/wave/wave_watch.h"
#include "sim/texel/numeric.h"
#include "util/macros.h"

enum { FLAT_SCRATCH = 102 }; /* of GFX9, among the SGPRs */

/* Buffer descriptor fields (V#). */
struct buffer {
   uint64_t base;
   uint32_t stride_B, records, format, oob, select, type;
   bool swizzle;
   uint8_t piece_log2; /* bytes of a record that stay together */
   bool add_tid;
   uint32_t index_stride;
};

static struct buffer
read_buffer(const struct wave *w, unsigned reg)
{
   const uint32_t *v = &w->state.sgpr[reg];
   enum amd_gen gen = w->launch->chip->gen;
   const struct amd_sq_buf_rsrc rsrc = amd_sq_buf_rsrc_unpack(gen, v);
   return (struct buffer){
      .base = rsrc.base_address,
      .stride_B = rsrc.stride,
      .records = rsrc.num_records,
      .format = amd_format_of_buffer(gen, &rsrc),
      .oob = rsrc.oob_select,
      .type = rsrc.type,
      .select = rsrc.dst_sel_x | rsrc.dst_sel_y << 3 | rsrc.dst_sel_z << 6 | rsrc.dst_sel_w << 9,
      .swizzle = rsrc.swizzle_enable,
      /* Elements of 4 bytes; of 4, 8 or 16. */
      .piece_log2 = (uint8_t)(rsrc.swizzle_enable > 1 ? rsrc.swizzle_enable + 1 : 2),
      .add_tid = rsrc.add_tid_enable,
      .index_stride = 8u << rsrc.index_stride,
   };
}

/* Range check of OOB_SELECT: 0 structured with offset, 1 structured, 2 only empty buffers, 3 raw bytes. */
static bool
in_range(const struct buffer *b, uint64_t index, uint64_t offset, uint64_t soffset, unsigned size_B)
{
   switch (b->oob) {
   case 0:
      return index < b->records && (!b->stride_B || offset + size_B <= b->stride_B);
   case 1:
      return index < b->records;
   case 2:
      return b->records != 0;
   default:
      return index * b->stride_B + offset + soffset + size_B <= b->records;
   }
}

/* GFX9: NUM_RECORDS counts records where the instruction has an index and the descriptor a stride, else bytes
 * (Vega ISA, "Range checking"; the comments of public drivers on it). With an index and no stride nothing is checked
 * (observed: RADV gives such vertices one record, of whatever index and size, and says that hardware does not check
 * where both are 0; it clears the rest of the descriptor there, so that nothing is read). */
static bool
in_records(const struct buffer *b, bool indexed, uint64_t index, uint64_t offset, uint64_t soffset, unsigned size_B)
{
   if (indexed && !b->stride_B)
      return b->records != 0;
   if (indexed)
      return index < b->records && (!b->swizzle || offset + size_B <= b->stride_B);
   return index * b->stride_B + offset + soffset + size_B <= b->records;
}

/* Raw bytes: by offsets alone, checked against all bytes. */
static void
locate_raw(const struct wave *w, const struct buffer *b, uint64_t soffset, uint64_t constant, const uint32_t *offsets,
           uint32_t size_B, uint32_t count, struct exec_access *a)
{
   /* size: the operands of the instruction */
   const uint64_t end_B = soffset + (uint64_t)size_B * count, all = bit_mask(count);
   a->piece_log2 = 2;
   a->step_B = 4;
   for (unsigned l = 0; l < w->state.lanes; l++) {
      const uint64_t offset = (uint32_t)(constant + (offsets ? offsets[l] : 0));
      a->va[l] = sim_va(b->base + soffset + offset);
      a->into_B[l] = offset & 3;
      a->in_range[l] = offset + end_B <= b->records ? (uint32_t)all : 0;
   }
   for (uint64_t lanes = a->exec; lanes && count > 1; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(lanes);
      const uint64_t offset = (uint32_t)(constant + (offsets ? offsets[l] : 0)) + soffset;
      if (!a->in_range[l] && offset < b->records)
         a->in_range[l] = (uint32_t)bit_mask((unsigned)((b->records - offset) / size_B));
   }
}

static void
locate_buffer(struct wave *w, const struct code *c, const struct buffer *descriptor, unsigned size_B, unsigned count,
              struct exec_access *a)
{
   const struct buffer buffer = *descriptor, *b = &buffer; /* nothing else has its address */
   const struct amd_inst *in = &c->in;
   const uint64_t soffset = (uint32_t)exec_scalar(w, c, 2);
   const uint32_t *address = in->src[0] == AMD_OPERAND_NONE ? NULL : state_vgpr(&w->state, in->src[0]);
   const uint32_t *indices = in->idxen ? address : NULL,
                  *offsets = in->offen && address ? address + (in->idxen ? w->state.lanes : 0) : NULL;
   const bool by_index = w->program->traits->records_by_index, indexed = in->idxen || b->add_tid;
   const uint64_t constant = (uint64_t)in->offset;
   if (!b->swizzle && !indexed && (by_index || b->oob == 3)) {
      locate_raw(w, b, soffset, constant, offsets, size_B, count, a);
      return;
   }
   a->piece_log2 = b->piece_log2;
   a->step_B = (b->swizzle ? UINT64_C(1) * b->index_stride : 1) << b->piece_log2;
   for (uint64_t lanes = a->exec; lanes; lanes &= lanes - 1) {
      const unsigned l = (unsigned)__builtin_ctzll(lanes);
      uint64_t index = indices ? indices[l] : 0, offset = constant + (offsets ? offsets[l] : 0);
      /* Both parts together have 32 bits. Source: Mesa's compilers take a constant out of an offset that may wrap,
       * other than for swizzled buffers, where that "seems to be broken"; piglit's vp-address-01 passes on hardware.
       */
      if (!b->swizzle)
         offset = (uint32_t)offset;
      if (b->add_tid)
         index += l;
      uint64_t at = index * b->stride_B + offset;
      a->into_B[l] = (uint8_t)(offset & bit_mask(b->piece_log2));
      if (b->swizzle) /* pieces of index_stride records side by side */
         at = (index / b->index_stride * b->stride_B + offset - a->into_B[l]) * b->index_stride +
              (index % b->index_stride << b->piece_log2) + a->into_B[l];
      a->va[l] = sim_va(b->base + soffset + at);
      /* If the last element is in range, they all are. */
      uint32_t inside = 0;
      for (unsigned i = count; i-- && !inside;) {
         bool ok = by_index ? in_records(b, indexed, index, offset + i * size_B, soffset, size_B)
                            : in_range(b, index, offset + i * size_B, soffset, size_B);
         inside = ok ? (uint32_t)bit_mask(i + 1) : 0;
      }
      a->in_range[l] = inside;
   }
}

/* Flat and global: 64-bit address, or SGPR base and 32-bit offset. Scratch: dwords of the lanes side by side. */
static void
locate_flat(struct wave *w, const struct code *c, struct exec_access *a)
{
   const struct amd_inst *in = &c->in;
   bool scratch = in->enc == AMD_ENC_SCRATCH, has_base = in->src[2] != AMD_OPERAND_NONE;
   const uint32_t *address = in->src[0] == AMD_OPERAND_NONE ? NULL : state_vgpr(&w->state, in->src[0]);
   uint64_t base = !has_base ? 0 : scratch ? w->state.sgpr[in->src[2]] : state_read64(&w->state, in->src[2]);
   uint64_t private =
      w->program->traits->flat_scratch_is_sgpr ? state_read64(&w->state, FLAT_SCRATCH) : w->state.flat_scratch;
   a->piece_log2 = 2;
   a->step_B = scratch ? 4ull * w->state.lanes : 4;
   memset(a->into_B, 0, sizeof(a->into_B));
   for (unsigned l = 0; l < w->state.lanes; l++)
      a->in_range[l] = UINT32_MAX;
   if (!scratch && has_base && address) {
      base += (uint64_t)(int64_t)in->offset;
      for (unsigned l = 0; l < w->state.lanes; l++)
         a->va[l] = sim_va(base + address[l]);
      return;
   }
   for (unsigned l = 0; l < w->state.lanes; l++) {
      uint64_t va = base + (uint64_t)(int64_t)in->offset;
      if (scratch) {
         uint32_t offset = (uint32_t)va + (address && !has_base ? address[l] : 0);
         va = private + (uint64_t)(offset & ~3u) * w->state.lanes + 4 * l + (offset & 3);
         a->into_B[l] = offset & 3;
      } else if (address) {
         va += has_base ? address[l] : address[l] | (uint64_t)address[w->state.lanes + l] << 32;
      } else {
         va += 4 * l; /* addtid */
      }
      a->va[l] = sim_va(va);
   }
}

/* A load that may see this wave's queued writes waits for their commit. */
static bool
must_wait(const struct wave *w, const struct exec_access *a, unsigned count, unsigned size_B)
{
   if (!w->base.queue.count)
      return false;
   for (unsigned l = 0; l < w->state.lanes; l++)
      if (a->exec >> l & 1 &&
          sim_queue_touches(&w->base.queue, a->va[l],
                            (unsigned)(exec_byte_va(a, l, (count - 1) * size_B).va - a->va[l].va) + size_B))
         return true;
   return false;
}

/* Four registers, step_dw apart, lane by lane. */
static void
gather_four(const uint32_t *data, unsigned step_dw, unsigned lanes, uint32_t *to)
{
   const uint32_t *y = data + step_dw, *z = y + step_dw, *w = z + step_dw;
   for (unsigned l = 0; l < lanes; l++) {
      to[4 * l] = data[l];
      to[4 * l + 1] = y[l];
      to[4 * l + 2] = z[l];
      to[4 * l + 3] = w[l];
   }
}

/* Dwords of lane l and of those after it that continue where it ends. Returns how many lanes that are. */
static unsigned
store_dwords(struct wave *w, const struct code *c, const struct exec_access *a, const uint32_t *data, unsigned l)
{
   const unsigned count = c->memory.count, first = l++;
   uint32_t values[4 * AMD_WAVE_MAX_LANES];
   while (l < w->state.lanes && a->exec >> l & 1 && a->in_range[l] == a->in_range[first] &&
          a->va[l].va == a->va[first].va + 4ull * count * (l - first))
      l++;
   const unsigned lanes = l - first;
   if (count == 4)
      gather_four(data + first, w->state.lanes, lanes, values);
   for (unsigned i = 0; i < count && count < 4; i++)
      for (unsigned k = 0; k < lanes; k++)
         values[k * count + i] = data[i * w->state.lanes + first + k];
   sim_queue_store(&w->base.queue, c->pc_dw, a->va[first], values, 4 * count * lanes);
   return lanes;
}

static void
store_plain(struct wave *w, const struct code *c, const struct exec_access *a, const uint32_t *data)
{
   unsigned size_B = c->memory.element_B, count = c->memory.count;
   uint32_t all = (uint32_t)bit_mask(count);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (size_B == 4 && a->step_B == 4 && count <= 4 && (a->in_range[l] & all) == all && a->exec >> l & 1) {
         l += store_dwords(w, c, a, data, l) - 1;
         continue;
      }
      for (unsigned i = 0; i < count && a->exec >> l & 1; i++) {
         uint32_t value = data[i * w->state.lanes + l] >> (c->info->flags & AMD_FLAG_D16_HI ? 16 : 0);
         if (a->in_range[l] >> i & 1)
            sim_queue_store(&w->base.queue, c->pc_dw, exec_byte_va(a, l, i * size_B), &value, size_B);
      }
   }
}

uint32_t
exec_stored_half(uint32_t bits, unsigned format)
{
   if (amd_format_is_signed_integer(format))
      return (uint32_t)(int16_t)bits;
   return wave_from_half_bits(bits, amd_format_is_integer(format));
}

static void
store_format(struct wave *w, const struct code *c, const struct exec_access *a, unsigned format, unsigned select,
             const uint32_t *data)
{
   bool d16 = c->info->flags & (AMD_FLAG_D16 | AMD_FLAG_D16_HI);
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (!(a->exec >> l & 1) || !(a->in_range[l] & 1))
         continue;
      uint32_t value[4] = {0}, texel[4] = {0};
      for (unsigned i = 0; i < c->memory.count; i++) {
         bool high = i & 1 || c->info->flags & AMD_FLAG_D16_HI;
         value[i] = d16 ? exec_stored_half(data[i / 2 * w->state.lanes + l] >> (high ? 16 : 0), format)
                        : data[i * w->state.lanes + l];
      }
      if (c->in.enc != AMD_ENC_MTBUF)
         amd_tex_store_select(select, value);
      amd_format_pack(format, value, texel);
      sim_queue_store(&w->base.queue, c->pc_dw, a->va[l], texel, amd_format_size_B(format));
   }
}

static void
run_atomic(struct wave *w, const struct code *c, const struct exec_access *a, const uint32_t *data)
{
   unsigned dw = c->info->dst.size_dw;
   bool compare = wave_atomic_compares((enum amd_atomic)c->info->atomic);
   unsigned dst = c->in.dst == AMD_OPERAND_NONE ? 0 : c->in.dst - AMD_VGPR0 + 1u;
   for (unsigned l = 0; l < w->state.lanes; l++) {
      uint64_t operand[2] = {0};
      for (unsigned i = 0; i < dw * (compare ? 2 : 1); i++)
         operand[i / dw] |= (uint64_t)data[i * w->state.lanes + l] << 32 * (i % dw);
      if (!(a->exec >> l & 1))
         continue;
      if (a->in_range[l] & 1)
         wave_queue_atomic(w, c, a->va[l], dw * 4, l, dst, operand[0], operand[1]);
      else if (dst)
         for (unsigned i = 0; i < dw; i++)
            state_vgpr(&w->state, c->in.dst)[i * w->state.lanes + l] = 0;
   }
}

static void
note_accesses(struct wave *w, const struct code *c, const struct exec_access *a, unsigned count, unsigned size_B)
{
   enum counter counter = c->in.dst != AMD_OPERAND_NONE ? COUNTER_VM : COUNTER_VS;
   for (unsigned l = 0; l < w->state.lanes; l++) {
      for (unsigned i = 0; i < count && a->exec >> l & 1; i++) {
         if (a->in_range[l] >> i & 1)
            wave_race_note(w, c, l, exec_byte_va(a, l, i * size_B), size_B, counter);
      }
   }
}

/* The store that is about to be counted goes to the ring of parameters. */
static void
note_parameters(struct wave *w, const struct exec_access *a)
{
   const struct amd_wave_ring *ring = &w->launch->ring;
   for (unsigned l = 0; l < w->state.lanes; l++) {
      if (a->exec >> l & 1 && a->in_range[l] && a->va[l].va - ring->base.va < ring->size_B)
         w->ring_store = w->state.pending.issued[wave_counter(w, COUNTER_VS)] + 1;
   }
}

/* It has been done; what waits for it is to know. */
static void
load_is_pending(struct wave *w, const struct code *c)
{
   const unsigned result_dw = c->info->dst.size_dw + (unsigned)c->in.tfe;
   wave_outstanding(w, COUNTER_VM, c->in.dst, result_dw, false, false);
   if (c->in.enc == AMD_ENC_FLAT)
      wave_outstanding(w, COUNTER_LGKM, c->in.dst, result_dw, false, true);
}

/* Nobody looks at the lanes' accesses, and no load is late. */
static bool
may_run_at_once(const struct wave *w, const struct code *c)
{
   return c->memory.dwords && !w->engine->reference && !w->launch->races && !w->base.queue.loads &&
          w->base.rounds->schedule.kind == SIM_SCHEDULE_IN_ORDER &&
          (w->way || w->state.pending.count[COUNTER_VM] < SIM_PENDING_MAX) &&
          (!c->memory.store || !w->launch->ring.size_B);
}

static bool
run_at_once(struct wave *w, const struct code *c)
{
   struct exec_places places;
   if (!exec_find_places(w, c, &places))
      return false;
   return c->memory.store ? exec_wide()->scatter(w, c, &places) : exec_wide()->gather(w, c, &places);
}

/* Whether the addresses of lanes in range are multiples of what the generation asks of accesses with a format. False:
 * the wave has a fault. */
static bool
is_aligned(struct wave *w, const struct code *c, const struct exec_access *a, unsigned size_B)
{
   const unsigned align_B = w->program->traits->aligned_formats ? MIN2(size_B & -size_B, 4) : 1;
   unsigned l = 0;
   while (l < w->state.lanes && (!(a->exec >> l & a->in_range[l] & 1) || a->va[l].va % align_B == 0))
      l++;
   if (l < w->state.lanes)
      wave_fault(w, c, SIM_FAULT_ADDRESS, a->va[l], "formatted access of %u bytes out of alignment", size_B);
   return l == w->state.lanes;
}

static enum step
run_by_lane(struct wave *w, const struct code *c)
{
   const struct amd_inst *in = &c->in;
   bool is_buffer = in->enc == AMD_ENC_MUBUF || in->enc == AMD_ENC_MTBUF;
   struct exec_access a;
   a.exec = state_exec(&w->state);
   unsigned size_B = c->memory.element_B, count = c->memory.count, format = 0, select = 0;
   if (is_buffer) {
      struct buffer b = read_buffer(w, in->src[1]);
      if (b.type && b.records && a.exec)
         return wave_fault(w, c, SIM_FAULT_STATE, sim_va(b.base), "descriptor of TYPE %u, not of a buffer", b.type);
      if (c->memory.format) {
         format = in->enc == AMD_ENC_MTBUF ? amd_format_of_instruction(w->program->gen, in->format) : b.format;
         select = b.select;
         size_B = MAX2(amd_format_size_B(format), 1u);
         count = 1;
         if (!amd_format_size_B(format) && a.exec && b.records)
            return wave_fault(w, c, SIM_FAULT_STATE, sim_va(b.base), "buffer format %u is not one", format);
      }
      locate_buffer(w, c, &b, size_B, count, &a);
      if (c->memory.format && !amd_format_size_B(format))
         memset(a.in_range, 0, sizeof(a.in_range));
      if (format && !is_aligned(w, c, &a, size_B))
         return STEP_FAULT;
   } else {
      locate_flat(w, c, &a);
   }
   const uint32_t *data = is_buffer ? (in->src[3] == AMD_OPERAND_NONE ? NULL : state_vgpr(&w->state, in->src[3]))
                          : in->src[1] == AMD_OPERAND_NONE ? NULL
                                                           : state_vgpr(&w->state, in->src[1]);
   bool load = !c->memory.store && !c->memory.atomic;
   /* Loads stay in order. Those with a conversion need the wave's float mode: they are never late. */
   bool late = load && !c->memory.format && !in->tfe && (w->base.queue.loads || sim_rounds_late_load(&w->base));
   bool full = !w->way && w->base.queue.count && w->state.pending.count[COUNTER_VM] == SIM_PENDING_MAX;
   if (full || (load && (must_wait(w, &a, count, size_B) || (w->base.queue.loads && !late))))
      return STEP_AGAIN;
   if (w->launch->races && in->enc != AMD_ENC_SCRATCH)
      note_accesses(w, c, &a, count, size_B);
   bool ok = true;
   if (late)
      sim_queue_load(&w->base.queue, c->pc_dw, &a, sizeof(a));
   else if (load)
      ok = c->memory.format ? exec_load_format(w, c, &a, format, select) : exec_load_plain(w, c, &a);
   else if (c->memory.atomic)
      run_atomic(w, c, &a, data);
   else if (c->memory.format)
      store_format(w, c, &a, format, select, data);
   else
      store_plain(w, c, &a, data);
   if (!ok)
      return STEP_FAULT;
   bool returns = in->dst != AMD_OPERAND_NONE;
   bool lands = c->memory.store ? !wave_stays_in_l0(w, c) : !load || late;
   unsigned result_dw = returns ? c->info->dst.size_dw + (unsigned)in->tfe : 0;
   if (w->launch->ring.size_B && c->memory.store)
      note_parameters(w, &a);
   wave_outstanding(w, returns ? COUNTER_VM : COUNTER_VS, returns ? in->dst : 0, result_dw, lands, false);
   if (in->enc == AMD_ENC_FLAT)
      wave_outstanding(w, COUNTER_LGKM, returns ? in->dst : 0, result_dw, false, true);
   return load && wave_lets_others(w) ? STEP_LET : STEP_NEXT;
}

static enum step
run_memory(struct wave *w, const struct code *c)
{
   if (!may_run_at_once(w, c) || !run_at_once(w, c))
      return run_by_lane(w, c);
   if (c->memory.store)
      wave_outstanding(w, COUNTER_VS, 0, 0, true, false);
   else
      load_is_pending(w, c);
   return STEP_NEXT;
}

bool
exec_memory_bind(struct code *c)
{
   if (c->in.lds || (c->in.tfe && !(c->info->flags & AMD_FLAG_LOAD)))
      return false;
   c->run = run_memory;
   c->memory.store = c->info->flags & AMD_FLAG_STORE;
   c->memory.atomic = c->info->flags & AMD_FLAG_ATOMIC;
   c->memory.format = c->info->components;
   c->memory.sign = c->info->is_signed;
   c->memory.element_B = (uint8_t)(c->memory.atomic ? 4 : c->info->element_B);
   bool buffer = c->in.enc == AMD_ENC_MUBUF || c->in.enc == AMD_ENC_MTBUF;
   c->memory.count = (uint8_t)(c->memory.store ? c->info->src[buffer ? 3 : 1].size_dw : c->info->dst.size_dw);
   if (c->memory.format)
      c->memory.count = c->info->components;
   c->memory.dwords = c->info->flags & (AMD_FLAG_LOAD | AMD_FLAG_STORE) && !c->memory.format &&
                      c->memory.element_B == 4 && c->memory.count <= 4 && !c->in.tfe &&
                      c->in.enc != AMD_ENC_SCRATCH && c->in.enc != AMD_ENC_FLAT;
   return true;
}
