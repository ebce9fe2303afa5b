/* What a fragment sees of the vertices of its primitive. The hardware gives I and J, the weights of the second and
 * the third vertex in its own order, and in an SGPR two bits for each quad: where in this order the API's first
 * vertex is (source: RADV). Of a line I and J add up to the second vertex's weight. */
#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/shader/si_nir.h"

static unsigned
vertices_of(enum pipe_topology topology)
{
   return topology == PIPE_POINT_LIST ? 1 : topology == PIPE_LINE_LIST || topology == PIPE_LINE_STRIP ? 2 : 3;
}

/* Where in the hardware's order the first vertex is. */
static struct nir_def *
first_vertex(struct nir_builder *b)
{
   struct nir_def *quad = nir_ushr_imm(b, nir_load_subgroup_invocation(b), 2);
   struct nir_def *shift = nir_ishl_imm(b, quad, 1);

   return nir_iand_imm(b, nir_ushr(b, nir_load_first_vertices_amd(b), shift), 3);
}

static struct nir_def *
weights(struct nir_builder *b, struct nir_def *ij, unsigned vertices)
{
   struct nir_def *i = nir_channel(b, ij, 0), *j = nir_channel(b, ij, 1), *one = nir_imm_floatN(b, 1.0, 32);
   struct nir_def *zero = nir_imm_floatN(b, 0.0, 32), *out[3];

   if (vertices == 1)
      return nir_vec(b, (struct nir_def *[3]){one, zero, zero}, 3);
   if (vertices == 2) {
      struct nir_def *second = nir_fadd(b, i, j);

      return nir_vec(b, (struct nir_def *[3]){nir_fsub(b, one, second), second, zero}, 3);
   }
   struct nir_def *of[3] = {nir_fsub(b, nir_fsub(b, one, i), j), i, j}, *first = first_vertex(b);
   struct nir_def *is_second = nir_ieq_imm(b, first, 1), *is_third = nir_ieq_imm(b, first, 2);

   for (unsigned n = 0; n < 3; n++)
      out[n] = nir_bcsel(b, is_second, of[(n + 1) % 3], nir_bcsel(b, is_third, of[(n + 2) % 3], of[n]));
   return nir_vec(b, out, 3);
}

/* The same load, of a vertex that is constant. */
static struct nir_def *
load_vertex(struct nir_builder *b, const struct nir_intrinsic_instr *load, unsigned vertex)
{
   return nir_load_per_vertex_input(b, load->def.num_components, load->def.bit_size, nir_imm_int(b, (int32_t)vertex),
                                    load->src[1].def, .slot = nir_intrinsic_slot(load),
                                    .component = nir_intrinsic_component(load),
                                    .src_type = nir_intrinsic_src_type(load), .relaxed = nir_intrinsic_relaxed(load));
}

/* A vertex that the primitive does not have is its last. */
static struct nir_def *
chosen_vertex(struct nir_builder *b, const struct nir_intrinsic_instr *load, unsigned vertices)
{
   struct nir_def *value = load_vertex(b, load, vertices - 1);

   if (nir_src_is_const(load->src[0])) {
      const uint64_t vertex = nir_src_comp_as_uint(load->src[0], 0);

      return vertex < vertices ? load_vertex(b, load, (unsigned)vertex) : value;
   }
   for (unsigned vertex = vertices - 1; vertex-- > 0;)
      value = nir_bcsel(b, nir_ieq_imm(b, load->src[0].def, vertex), load_vertex(b, load, vertex), value);
   return value;
}

void
si_nir_lower_barycentric(struct nir_shader *shader, enum pipe_topology topology)
{
   struct nir_builder b = {.shader = shader};
   const unsigned vertices = vertices_of(topology);

   nir_foreach_block(block, shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *load = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;

         if (!load ||
             (load->op != NIR_INTRINSIC_load_barycentric_coord && load->op != NIR_INTRINSIC_load_per_vertex_input))
            continue;
         b.cursor = nir_before_instr(instr);
         nir_def_replace(&load->def, load->op == NIR_INTRINSIC_load_barycentric_coord
                                        ? weights(&b, load->src[0].def, vertices)
                                        : chosen_vertex(&b, load, vertices));
         nir_instr_remove(instr);
      }
   }
}
