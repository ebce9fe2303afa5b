/* Which primitives and vertices go into one subgroup: as many as its limits allow, in order; a vertex that several of
 * its primitives use is one. */
#include <string.h>

#include "amd/sim/spi/ngg_private.h"

struct former {
   struct amd_pipeline *p;
   struct ngg_group group;
   struct slot {
      uint32_t group_end; /* number of the group that has the vertex, from 1 */
      uint32_t local;
      bool provokes; /* a primitive of the group */
   } *slots;         /* of the batch's vertices */
   uint32_t number;  /* of the running group, from 1 */
};

static uint32_t
instance_of(const struct former *f, uint32_t prim)
{
   uint32_t vertex = amd_corners(f->p, prim)[0];
   return dynarray_at(&f->p->memory->vertices_in, struct amd_vertex_in, vertex)->instance;
}

static bool
needs_new_vertex(const struct former *f, uint32_t vertex, bool provokes)
{
   const struct slot *slot = &f->slots[vertex];
   return slot->group_end != f->number || (provokes && slot->provokes && f->p->state.ngg.keeps_provoking);
}

/* Upper bound: corners that name the same vertex count as often. */
static uint32_t
new_vertices(const struct former *f, uint32_t prim, uint32_t provoking)
{
   const uint32_t *corners = amd_corners(f->p, prim);
   uint32_t count = 0;
   for (uint32_t i = 0; i < f->p->prim_in_vertices; i++)
      count += needs_new_vertex(f, corners[i], i == provoking);
   return count;
}

static void
end_group(struct former *f)
{
   const struct amd_ngg_state *n = &f->p->state.ngg;
   struct ngg_group group = f->group;
   group.instances = n->instance_per_group ? 1 : n->instances;
   for (uint32_t i = 0; i < n->instances && group.prim_count; i += group.instances) {
      group.first_instance = i;
      group.id = f->p->memory->common->ngg_groups_formed++ & NGG_MAX_WAVE_ID;
      dynarray_append(&f->p->memory->ngg_groups, struct ngg_group, group);
   }
   f->group = (struct ngg_group){.first_vertex = group.first_vertex + group.vertex_count,
                                 .first_prim = group.first_prim + group.prim_count};
   f->number++;
}

static void
add_prim(struct former *f, uint32_t prim, uint32_t provoking)
{
   struct amd_draw_memory *m = f->p->memory;
   const uint32_t *corners = amd_corners(f->p, prim);
   for (uint32_t i = 0; i < f->p->prim_in_vertices; i++) {
      struct slot *slot = &f->slots[corners[i]];
      if (needs_new_vertex(f, corners[i], i == provoking)) {
         *slot = (struct slot){.group_end = f->number, .local = f->group.vertex_count++};
         dynarray_append(&m->ngg_vertices, uint32_t, corners[i]);
      }
      slot->provokes |= i == provoking;
      dynarray_append(&m->ngg_corners, uint32_t, slot->local);
   }
   f->group.prim_count++;
}

bool
ngg_form_groups(struct amd_pipeline *p)
{
   struct amd_draw_memory *m = p->memory;
   const struct amd_ngg_state *n = &p->state.ngg;
   uint32_t prims = (uint32_t)dynarray_count(&m->prims_in, struct amd_prim_in);
   size_t slots_B = dynarray_count(&m->vertices_in, struct amd_vertex_in) * sizeof(struct slot);
   m->ngg_groups.size_B = m->ngg_vertices.size_B = m->ngg_corners.size_B = m->ngg_slots.size_B = 0;
   struct former f = {.p = p, .slots = dynarray_grow(&m->ngg_slots, slots_B), .number = 1};
   memset(f.slots, 0, slots_B);
   uint32_t provoking = p->state.clip.provoking_last ? p->prim_in_vertices - 1 : 0;
   uint32_t max_prims = n->instance_per_group ? 1 : n->max_prims;
   if (p->prim_in_vertices > n->max_vertices)
      return sim_fault_set(p->gpu->fault, SIM_FAULT_STATE, sim_va(0),
                           "a subgroup of %u vertices has no room for a primitive of %u", n->max_vertices,
                           p->prim_in_vertices);
   for (uint32_t i = 0; i < prims; i++) {
      bool full =
         f.group.prim_count == max_prims || f.group.vertex_count + new_vertices(&f, i, provoking) > n->max_vertices;
      bool other = n->break_at_instance && f.group.prim_count && instance_of(&f, i) != instance_of(&f, i - 1);
      if (full || other)
         end_group(&f);
      add_prim(&f, i, provoking);
   }
   end_group(&f);
   return true;
}
