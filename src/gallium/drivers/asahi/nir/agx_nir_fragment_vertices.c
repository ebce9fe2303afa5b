/* What a fragment shader sees of the vertices of its primitive: their values, and their weights.
 *
 * Values. A coefficient register that is bound as flat has the value of one vertex: those that are read of each have
 * a register per vertex. The hardware counts the vertices in the order in which they are drawn; the API's order
 * begins (or ends, where the last one provokes) with the provoking vertex and winds as the primitive does: of a fan
 * the hub is the last (first), of every second triangle of a strip the two others change places. Which triangles
 * these are nothing says, and not how the hardware counts them: the second and the third are those that make the
 * triangle wind as its facing says.
 *
 * Weights. The vertices' positions V[i] = (x, y, w) are known, being flat values too, and so is the fragment's place
 * (X, Y) = (x/w, y/w), interpolated as any other value. Seen from there the vertices are Q[i] = (x - X w, y - Y w):
 *
 *    triangle:  the weight of vertex i is Q[j] x Q[k], over the sum of all three, which is positive if they wind
 *               from x to y
 *    line:      weight[0] Q[0] + weight[1] Q[1] = 0
 *
 * These are the weights in perspective. The others are the same times w, over their sum. */
#include "gallium/drivers/asahi/nir/agx_nir_fragment_inputs.h"

#include "util/macros.h"
#include "util/mutant.h"

/* ---- values ---- */

/* Which one of the hardware's the API's vertex is; of a strip as if no triangle were turned. What a primitive has
 * not is its last (Vulkan, Barycentric Interpolation). */
static unsigned
hardware_vertex(const struct agx_input_lowering *l, unsigned vertex)
{
   const struct agx_primitives prims = l->registers->prims;
   static const uint8_t order[][3] = {
      [PIPE_POINT_LIST] = {0, 0, 0},    [PIPE_LINE_LIST] = {0, 1, 1},      [PIPE_LINE_STRIP] = {0, 1, 1},
      [PIPE_TRIANGLE_LIST] = {0, 1, 2}, [PIPE_TRIANGLE_STRIP] = {0, 1, 2}, [PIPE_TRIANGLE_FAN] = {1, 2, 0}};

   /* Where the last vertex provokes, the hub comes first, as the hardware has it. */
   if (prims.provoking_last && prims.topology == PIPE_TRIANGLE_FAN)
      return vertex;
   return mutant("agx-fan-vertices") ? vertex : order[prims.topology][vertex];
}

/* The bits of a component as the hardware's vertex has it. */
static struct nir_def *
value_of(struct agx_input_lowering *l, unsigned slot, unsigned component, unsigned vertex)
{
   const struct agx_fragment_registers *r = l->registers;
   unsigned cf = vertex ? r->vertex_cf[vertex - 1][slot][component] : r->cf[slot][component];

   if (!cf)
      return nir_imm_int(&l->b, 0);
   return nir_channel(&l->b, nir_load_coefficients_agx(&l->b, .base = (int32_t)cf),
                      agx_flat_component(agx_flat_vertex(l->registers->prims, vertex)));
}

/* ---- weights ---- */

struct corner {
   struct nir_def *q[2], *w;
};

/* The hardware's vertices, seen from x, y. */
static void
corners_from(struct agx_input_lowering *l, struct nir_def *xy, struct corner *corners)
{
   struct nir_builder *b = &l->b;

   for (unsigned v = 0; v < agx_primitive_vertices(l->registers->prims.topology); v++) {
      corners[v].w = value_of(l, AGX_SLOT_CORNER, 3, v);
      for (unsigned i = 0; i < 2; i++)
         corners[v].q[i] =
            nir_ffma(b, nir_fneg(b, nir_channel(b, xy, i)), corners[v].w, value_of(l, AGX_SLOT_CORNER, i, v));
   }
}

static struct nir_def *
sum_of(struct nir_builder *b, struct nir_def *const values[3], unsigned count)
{
   struct nir_def *sum = nir_fadd(b, values[0], values[1]);

   return count == 3 ? nir_fadd(b, sum, values[2]) : sum;
}

/* Of a triangle's corners, not yet over their sum. */
static void
triangle_weights(struct nir_builder *b, const struct corner corners[3], struct nir_def *weights[3])
{
   for (unsigned i = 0; i < 3; i++) {
      struct nir_def *const *one = corners[(i + 1) % 3].q, *const *two = corners[(i + 2) % 3].q;

      weights[i] = nir_ffma(b, one[0], two[1], nir_fneg(b, nir_fmul(b, one[1], two[0])));
   }
}

/* Of a line's ends. Its places may lie next to it by what was rounded: taken along it. */
static void
line_weights(struct nir_builder *b, const struct corner corners[2], struct nir_def *weights[3])
{
   struct nir_def *along[2];

   for (unsigned i = 0; i < 2; i++)
      along[i] = nir_fsub(b, corners[1].q[i], corners[0].q[i]);
   for (unsigned v = 0; v < 2; v++) {
      const struct corner *other = &corners[1 - v];
      struct nir_def *dot = nir_ffma(b, other->q[0], along[0], nir_fmul(b, other->q[1], along[1]));

      weights[v] = v ? nir_fneg(b, dot) : dot;
   }
}

/* Whether the API's second vertex is the hardware's third one, of a strip's triangle. */
static struct nir_def *
is_turned(struct agx_input_lowering *l)
{
   const struct agx_fragment_registers *r = l->registers;
   struct nir_builder *b = &l->b;
   struct nir_cursor back = b->cursor;
   struct nir_def *weights[3];
   struct corner corners[3];

   if (l->turned)
      return l->turned;
   b->cursor = nir_before_block(nir_first_block(b->shader));
   unsigned place = r->cf[AGX_SLOT_PLACE][0];
   struct nir_def *front_ccw = agx_nir_arg(b, AGX_TABLE_STAGE, AGX_GRAPHICS_FRONT_CCW, 1);

   corners_from(l, agx_nir_interpolate_center(l, place, 2), corners);
   triangle_weights(b, corners, weights);
   /* Clockwise, where y points downwards; and x and y of the position may point the other way on the screen. */
   struct nir_def *ccw = nir_flt(b, sum_of(b, weights, 3), nir_imm_float(b, 0));

   for (unsigned i = 0; i < 2; i++) {
      struct nir_def *plane = nir_load_coefficients_agx(b, .base = (int32_t)(place + i));

      ccw = nir_ixor(b, ccw, nir_flt(b, nir_channel(b, plane, i), nir_imm_float(b, 0)));
   }
   struct nir_def *front = nir_ixor(b, ccw, nir_ieq_imm(b, front_ccw, 0));

   l->turned = nir_ixor(b, nir_load_front_face(b), front);
   if (mutant("agx-strip-vertices"))
      l->turned = nir_imm_bool(b, false);
   b->cursor = back;
   return l->turned;
}

/* ---- the API's order ---- */

/* The vertex that takes this one's place in a turned triangle of a strip: not the one that provokes. */
static unsigned
turned_vertex(const struct agx_input_lowering *l, unsigned vertex)
{
   const struct agx_primitives prims = l->registers->prims;
   unsigned provoking = agx_provoking_vertex(prims);

   if (prims.topology != PIPE_TRIANGLE_STRIP || vertex == provoking)
      return vertex;
   return 3 - provoking - vertex;
}

struct nir_def *
agx_nir_lower_per_vertex_input(struct agx_input_lowering *l, const struct nir_intrinsic_instr *load)
{
   struct nir_builder *b = &l->b;
   unsigned slot = nir_intrinsic_slot(load) + (unsigned)nir_src_comp_as_uint(load->src[1], 0);
   unsigned vertex = hardware_vertex(l, (unsigned)nir_src_comp_as_uint(load->src[0], 0));
   struct nir_def *values[4];

   for (unsigned i = 0; i < load->def.num_components; i++) {
      unsigned component = nir_intrinsic_component(load) + i;

      values[i] = value_of(l, slot, component, vertex);
      if (turned_vertex(l, vertex) != vertex)
         values[i] = nir_bcsel(b, is_turned(l), value_of(l, slot, component, turned_vertex(l, vertex)), values[i]);
      values[i] = nir_u2uN(b, values[i], load->def.bit_size);
   }
   return nir_vec(b, values, load->def.num_components);
}

struct nir_def *
agx_nir_lower_barycentric_coord(struct agx_input_lowering *l, const struct nir_intrinsic_instr *load)
{
   struct nir_builder *b = &l->b;
   struct nir_intrinsic_instr *place = nir_as_intrinsic(load->src[0].def->parent);
   enum pipe_topology topology = l->registers->prims.topology;
   unsigned count = agx_primitive_vertices(topology);
   struct nir_def *weights[3], *ordered[3] = {nir_imm_float(b, 1), nir_imm_float(b, 0), nir_imm_float(b, 0)};
   struct corner corners[3];

   if (count == 1)
      return nir_vec(b, ordered, 3);
   corners_from(l, agx_nir_interpolate(l, l->registers->cf[AGX_SLOT_PLACE][0], 2, 32, false, place), corners);
   if (count == 3)
      triangle_weights(b, corners, weights);
   else
      line_weights(b, corners, weights);
   for (unsigned i = 0; i < count && nir_intrinsic_interp(place) == NIR_INTERP_NOPERSPECTIVE; i++)
      weights[i] = nir_fmul(b, weights[i], corners[i].w);
   struct nir_def *one_sum = nir_frcp(b, sum_of(b, weights, count));

   for (unsigned i = 0; i < count; i++) {
      unsigned vertex = hardware_vertex(l, i);

      ordered[i] = nir_fmul(b, weights[vertex], one_sum);
      if (turned_vertex(l, vertex) != vertex)
         ordered[i] = nir_bcsel(b, is_turned(l), nir_fmul(b, weights[turned_vertex(l, vertex)], one_sum), ordered[i]);
   }
   return nir_vec(b, ordered, 3);
}
