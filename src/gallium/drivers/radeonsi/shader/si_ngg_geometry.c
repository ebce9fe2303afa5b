/* Geometry shaders in NGG: subgroups with what they take and what they make in LDS. */
#include "compiler/nir/nir.h"
#include "gallium/drivers/radeonsi/shader/si_geometry.h"
#include "util/macros.h"

/* Sources: radeonsi, RADV. Both halves of LDS are of the same subgroup. */
enum { MAX_TAKEN_VERTICES = 251, MAX_TAKEN_PRIMITIVES = 128, MAX_MADE = 256, HALF_LDS_B = 32 * 1024 };

/* What the vertices in front may need does not depend on what is made of them: that is known later. */
static struct si_gs_subgroup
taken(const struct nir_shader_info *gs, uint32_t vertex_B)
{
   const unsigned corners = nir_primitive_vertices(gs->gs_input);
   const unsigned primitives = MIN2(MAX2(MAX_MADE / (gs->gs_vertices * gs->gs_invocations), 1), MAX_TAKEN_PRIMITIVES);
   unsigned vertices = MIN2(MAX_TAKEN_VERTICES, corners * primitives);

   if (vertex_B)
      vertices = MIN2(vertices, HALF_LDS_B / vertex_B);
   return (struct si_gs_subgroup){.vertices = vertices, .primitives = primitives};
}

uint32_t
si_ngg_gs_taken_B(const struct nir_shader_info *gs, uint32_t vertex_B)
{
   return vertex_B * taken(gs, vertex_B).vertices;
}

struct si_ngg_gs
si_ngg_gs(const struct nir_shader_info *gs, uint32_t vertex_B, uint32_t place_B)
{
   struct si_ngg_gs group = {.taken = taken(gs, vertex_B)};
   const unsigned made = gs->gs_vertices * gs->gs_invocations, fitting = (HALF_LDS_B - SI_EMITTED_XFB_B) / place_B;

   group.alone = made > MIN2(MAX_MADE, fitting);
   group.taken.primitives = group.alone ? 1 : MIN2(group.taken.primitives, fitting / made);
   group.taken.threads = group.alone ? 1 : group.taken.primitives * gs->gs_invocations;
   group.made = group.taken.threads * gs->gs_vertices;
   return group;
}

uint32_t
si_ngg_gs_lds_B(const struct nir_shader_info *gs, uint32_t vertex_B, uint32_t place_B)
{
   return si_ngg_gs_taken_B(gs, vertex_B) + place_B * si_ngg_gs(gs, vertex_B, place_B).made;
}
