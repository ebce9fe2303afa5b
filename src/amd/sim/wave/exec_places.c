/* Where lanes load dwords, as offsets from one base: of raw buffers, of records of buffers, and of global memory. */
#include "amd/hw/descriptors.h"
#include "amd/sim/wave/exec_memory.h"
#include "util/macros.h"

static const uint32_t *
address(struct wave *w, const struct code *c)
{
   return c->in.src[0] == AMD_OPERAND_NONE ? NULL : state_vgpr(&w->state, c->in.src[0]);
}

/* Of so many bytes: where loads begin that lie within. */
static void
set_range(struct exec_places *p, uint64_t size_B, unsigned load_B)
{
   p->last = (uint32_t)MIN2(size_B - load_B, UINT32_MAX);
   p->beyond = (uint32_t)MIN2(size_B, UINT32_MAX);
}

/* By offsets alone: locate_raw() of exec_memory.c. */
static bool
find_raw(struct wave *w, const struct code *c, const struct amd_sq_buf_rsrc *rsrc, struct exec_places *p)
{
   const uint64_t soffset = (uint32_t)exec_scalar(w, c, 2);
   const uint32_t constant = (uint32_t)c->in.offset, *offsets = c->in.offen ? address(w, c) : NULL;
   const unsigned load_B = 4u * c->memory.count;
   if (rsrc->num_records < soffset + load_B)
      return false;
   p->base = sim_va(rsrc->base_address + soffset);
   set_range(p, rsrc->num_records - soffset, load_B);
   for (unsigned l = 0; l < w->state.lanes; l++)
      p->offset[l] = constant + (offsets ? offsets[l] : 0);
   return true;
}

/* Of records, each lane the same bytes of one. */
static bool
find_records(struct wave *w, const struct code *c, const struct amd_sq_buf_rsrc *rsrc, struct exec_places *p)
{
   const uint64_t soffset = (uint32_t)exec_scalar(w, c, 2), stride_B = rsrc->stride, records = rsrc->num_records;
   const unsigned load_B = 4u * c->memory.count;
   const uint32_t *indices = address(w, c), constant = (uint32_t)c->in.offset;
   if (c->in.offen || !records || stride_B * records + constant > INT32_MAX || stride_B < load_B + constant)
      return false;
   p->base = sim_va(rsrc->base_address + soffset);
   set_range(p, stride_B * (records - 1) + constant + load_B, load_B);
   for (unsigned l = 0; l < w->state.lanes; l++)
      p->offset[l] = indices[l] < records ? indices[l] * rsrc->stride + constant : UINT32_MAX;
   return true;
}

static bool
find_in_buffer(struct wave *w, const struct code *c, struct exec_places *p)
{
   const struct amd_sq_buf_rsrc rsrc = amd_sq_buf_rsrc_unpack(w->launch->chip->gen, &w->state.sgpr[c->in.src[1]]);
   const bool by_index = w->program->traits->records_by_index;
   if (rsrc.type || rsrc.swizzle_enable || rsrc.add_tid_enable)
      return false;
   if (!c->in.idxen)
      return (by_index || rsrc.oob_select == 3) && find_raw(w, c, &rsrc, p);
   return (by_index || rsrc.oob_select < 2) && rsrc.stride && find_records(w, c, &rsrc, p);
}

/* Of a base in SGPRs, or 64 bits of which the upper half is the same in all active lanes. */
static bool
find_global(struct wave *w, const struct code *c, struct exec_places *p)
{
   const bool has_base = c->in.src[2] != AMD_OPERAND_NONE;
   const uint32_t *low = address(w, c);
   const uint64_t exec = state_exec(&w->state), offset = (uint64_t)(int64_t)c->in.offset;
   if (!low || !exec)
      return false;
   const uint32_t *high = low + w->state.lanes, first = high[has_base ? 0 : __builtin_ctzll(exec)];
   uint32_t differs = 0;
   for (unsigned l = 0; l < w->state.lanes; l++) {
      p->offset[l] = low[l];
      differs |= has_base ? 0 : (high[l] ^ first) & (exec >> l & 1 ? UINT32_MAX : 0);
   }
   p->base = sim_va((has_base ? state_read64(&w->state, c->in.src[2]) : (uint64_t)first << 32) + offset);
   p->last = p->beyond = UINT32_MAX;
   return !differs;
}

bool
exec_find_places(struct wave *w, const struct code *c, struct exec_places *p)
{
   return c->in.enc == AMD_ENC_MUBUF ? find_in_buffer(w, c, p) : c->in.enc == AMD_ENC_GLOBAL && find_global(w, c, p);
}
