/* The attribute ring: memory through which the parameters of vertices go, in the place of exports.
 *
 * A subgroup has room for all that it may give out. Thread i stores its parameter s of 16 bytes at
 *
 *    base + offset + i / 32 * 32 * stride + s * 512 + i % 32 * 16,  stride = 16 * (parameters of vertices and
 * primitives)
 *
 * which is what a buffer with the stride, elements of 16 bytes and 32 records side by side gives; parameters of whole
 * primitives lie after those of the vertices. Each shader engine has a part of the ring, which it goes around; a
 * subgroup's room is in one piece (assumed), and subgroups take turns with the engines (assumed).
 * Source: public drivers' descriptors and registers; docs/quirks.md. */
#include <string.h>

#include "amd/sim/spi/ngg_private.h"

enum { ROW_VERTICES = 32, PARAM_B = 16 };

static uint32_t
stride_B(const struct amd_pipeline *p)
{
   return p->state.geometry.param_count * PARAM_B;
}

static uint32_t
room_B(const struct amd_pipeline *p, const struct ngg_group *g)
{
   uint32_t threads = ngg_max_vertices(p, g);
   if (p->state.ngg.prim_params)
      threads = MAX2(threads, ngg_max_prims(p, g));
   return (uint32_t)align_up(threads, ROW_VERTICES) * stride_B(p);
}

/* Where `size_B` bytes of an engine's part go, or UINT32_MAX: the launch has used what it has. */
static uint32_t
allocate(const struct amd_attribute_ring *ring, uint32_t *next_B, uint32_t *used_B, uint32_t size_B)
{
   uint32_t at_B = *next_B + size_B > ring->part_B ? 0 : *next_B;
   uint32_t skipped_B = at_B == *next_B ? 0 : ring->part_B - *next_B;
   if (*used_B && *used_B + skipped_B + size_B > ring->part_B)
      return UINT32_MAX;
   *used_B += skipped_B + size_B;
   *next_B = at_B + size_B;
   return at_B;
}

uint32_t
ngg_ring_place(struct amd_pipeline *p, uint32_t first)
{
   const struct amd_attribute_ring *ring = &p->state.ngg.ring;
   const struct amd_draw_memory *m = p->memory;
   struct amd_draw_common *common = m->common;
   uint32_t used_B[AMD_MAX_ENGINES] = {0};
   uint32_t count = (uint32_t)dynarray_count(&m->ngg_groups, struct ngg_group);
   if (!ring->part_B)
      return count - first;
   for (uint32_t i = first; i < count; i++) {
      struct ngg_group *g = dynarray_at(&m->ngg_groups, struct ngg_group, i);
      uint32_t part = common->ring_part % ring->parts, size_B = room_B(p, g);
      if (size_B > ring->part_B) {
         sim_fault_set(p->gpu->fault, SIM_FAULT_HANG, ring->base,
                       "a subgroup needs %u bytes of the attribute ring, an engine has %u (SPI_ATTRIBUTE_RING_SIZE)",
                       size_B, ring->part_B);
         return 0;
      }
      uint32_t at_B = allocate(ring, &common->ring_next_B[part], &used_B[part], size_B);
      if (at_B == UINT32_MAX)
         return i - first;
      g->ring_B = part * ring->part_B + at_B;
      common->ring_part++;
   }
   return count - first;
}

/* Parameters `slot` of threads [0, count) of a subgroup. */
static bool
read_slot(const struct amd_pipeline *p, const struct ngg_group *g, uint32_t first, uint32_t count, uint32_t slot)
{
   const struct amd_attribute_ring *ring = &p->state.ngg.ring;
   float *to = (float *)p->memory->vertex_data.data + (size_t)first * p->vertex_floats + AMD_VERTEX_PARAM + 4 * slot;
   for (uint32_t i = 0; i < count; i += ROW_VERTICES) {
      float row[ROW_VERTICES * 4];
      uint32_t lanes = MIN2(count - i, (uint32_t)ROW_VERTICES);
      struct sim_va bad, va = sim_va_add(ring->base, g->ring_B + (uint64_t)i * stride_B(p) + slot * sizeof(row));
      if (!sim_vm_read(p->gpu->vm, va, row, lanes * PARAM_B, &bad))
         return sim_fault_set(p->gpu->fault, SIM_FAULT_ADDRESS, bad,
                              "the attribute ring (SPI_ATTRIBUTE_RING_BASE) at unmapped address 0x%012llx",
                              (unsigned long long)bad.va);
      for (uint32_t k = 0; k < lanes; k++, to += p->vertex_floats)
         memcpy(to, &row[4 * k], PARAM_B);
   }
   return true;
}

bool
ngg_ring_read(const struct amd_pipeline *p, const struct ngg_group *g, const struct ngg_output *out)
{
   uint32_t params = p->state.geometry.param_count, of_vertices = params - p->state.ngg.prim_params;
   bool ok = true;
   for (uint32_t slot = 0; slot < params && p->state.ngg.ring.part_B && ok; slot++)
      ok = read_slot(p, g, out->first_vertex, slot < of_vertices ? out->vertices : out->prims, slot);
   return ok;
}
