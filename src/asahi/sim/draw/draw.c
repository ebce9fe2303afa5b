/* One draw: its state checked and reduced to what later stages need, its batches. */
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/isa.h"
#include "asahi/sim/draw/draw_private.h"
#include "asahi/sim/draw/render.h"
#include "asahi/sim/pa/pa.h"
#include "util/macros.h"
#include "util/within_memory.h"

static const struct {
   uint32_t part;
   const char *name;
} needed_parts[] = {
   {AGX_DRAW_CULL, "CULL"},
   {AGX_DRAW_CULL_2, "CULL_2"},
   {AGX_DRAW_FRAGMENT_CONTROL, "FRAGMENT_CONTROL"},
   {AGX_DRAW_FRAGMENT_CONTROL_2, "FRAGMENT_CONTROL_2"},
   {AGX_DRAW_FRONT_FACE, "FRONT_FACE"},
   {AGX_DRAW_FRONT_FACE_2, "FRONT_FACE_2"},
   {AGX_DRAW_FRONT_STENCIL, "FRONT_STENCIL"},
   {AGX_DRAW_BACK_FACE, "BACK_FACE"},
   {AGX_DRAW_BACK_FACE_2, "BACK_FACE_2"},
   {AGX_DRAW_BACK_STENCIL, "BACK_STENCIL"},
   {AGX_DRAW_OUTPUT_SELECT, "OUTPUT_SELECT"},
   {AGX_DRAW_OUTPUT_SIZE, "OUTPUT_SIZE"},
   {AGX_DRAW_VARYING_COUNTS_32, "VARYING_COUNTS_32"},
   {AGX_DRAW_VARYING_COUNTS_16, "VARYING_COUNTS_16"},
   {AGX_DRAW_VIEWPORT, "VIEWPORT"},
   {AGX_DRAW_REGION_CLIP, "REGION_CLIP"},
   {AGX_DRAW_VERTEX_OUTPUTS, "VDM_VERTEX_OUTPUTS"},
   {AGX_DRAW_VERTEX_SHADER_0, "VDM_VERTEX_SHADER_0"},
   {AGX_DRAW_VERTEX_SHADER_1, "VDM_VERTEX_SHADER_1"},
};

static bool
check_parts(const struct agx_render *render)
{
   for (unsigned i = 0; i < ARRAY_SIZE(needed_parts); i++) {
      if (!(render->state->set & needed_parts[i].part))
         return agx_draw_fault(render, "nothing has set %s since the render began", needed_parts[i].name);
   }
   const struct agx_draw_state *s = render->state;
   if (s->output_select.barycentric_coordinates)
      return agx_draw_fault(render, "the model does not have barycentric coordinates");
   return true;
}

/* Order of the words: position, varyings of 32 bits, pairs of 16, point size, layer and viewport, clip distances. */
static bool
lay_out_vertex(struct agx_render *render)
{
   const struct agx_draw_state *s = render->state;
   const struct agx_output_select *o = &s->output_select;
   const bool clip[] = {o->clip_distance_0,  o->clip_distance_1,  o->clip_distance_2,  o->clip_distance_3,
                        o->clip_distance_4,  o->clip_distance_5,  o->clip_distance_6,  o->clip_distance_7,
                        o->clip_distance_8,  o->clip_distance_9,  o->clip_distance_10, o->clip_distance_11,
                        o->clip_distance_12, o->clip_distance_13, o->clip_distance_14, o->clip_distance_15};
   struct agx_vertex_layout *l = &render->layout;
   *l = (struct agx_vertex_layout){.words = s->output_size.count_dw, .user = 4};
   l->pairs = l->user + s->varying_counts_32.smooth + s->varying_counts_32.flat + s->varying_counts_32.linear;
   uint32_t end = l->pairs + s->varying_counts_16.smooth + s->varying_counts_16.flat + s->varying_counts_16.linear;
   l->user_words = end - l->user;
   if (o->point_size)
      l->point_size = end++;
   if (o->viewport_target || o->render_target)
      l->target = end++;
   for (unsigned i = 0; i < ARRAY_SIZE(clip); i++) {
      if (!clip[i])
         continue;
      if (i >= 8)
         return agx_draw_fault(render, "the model clips by 8 distances, not by number %u", i);
      l->clip = l->clip ? l->clip : end;
      l->clip_mask |= (uint8_t)(1u << i);
      end++;
   }
   if (s->vertex_outputs.count_1_dw != l->words || s->vertex_outputs.count_2_dw != l->words)
      return agx_draw_fault(render, "VDM_VERTEX_OUTPUTS says %u and %u words of a vertex, OUTPUT_SIZE %u",
                            s->vertex_outputs.count_1_dw, s->vertex_outputs.count_2_dw, l->words);
   return end == l->words ||
          agx_draw_fault(render, "OUTPUT_SELECT and VARYING_COUNTS make %u words of a vertex, OUTPUT_SIZE says %u",
                         end, l->words);
}

static uint8_t
both(enum agx_zs_func a, enum agx_zs_func b)
{
   return (uint8_t)((unsigned)a & (unsigned)b); /* they are sets of outcomes */
}

static struct agx_zs_face
front_face(const struct agx_draw_state *s)
{
   const struct agx_front_stencil *t = &s->front_stencil;
   return (struct agx_zs_face){
      .depth_func = both(s->front_face.depth_function, s->front_face_2.depth_function),
      .depth_write = !s->front_face.disable_depth_write,
      .reference = (uint8_t)s->front_face.stencil_reference,
      .stencil_func = (uint8_t)t->compare,
      .read_mask = (uint8_t)t->read_mask,
      .write_mask = (uint8_t)t->write_mask,
      .stencil_fail = (uint8_t)t->stencil_fail,
      .depth_fail = (uint8_t)t->depth_fail,
      .depth_pass = (uint8_t)t->depth_pass,
   };
}

static struct agx_zs_face
back_face(const struct agx_draw_state *s)
{
   const struct agx_back_stencil *t = &s->back_stencil;
   return (struct agx_zs_face){
      .depth_func = both(s->back_face.depth_function, s->back_face_2.depth_function),
      .depth_write = !s->back_face.disable_depth_write,
      .reference = (uint8_t)s->back_face.stencil_reference,
      .stencil_func = (uint8_t)t->compare,
      .read_mask = (uint8_t)t->read_mask,
      .write_mask = (uint8_t)t->write_mask,
      .stencil_fail = (uint8_t)t->stencil_fail,
      .depth_fail = (uint8_t)t->depth_fail,
      .depth_pass = (uint8_t)t->depth_pass,
   };
}

/* Whether the program changes memory: one pass over its instructions, up to the traps after it. */
static bool
changes_memory(const struct agx_render *render, const struct agx_program *program)
{
   uint8_t code[4096];
   struct agx_inst inst;
   struct sim_va at = program->code, bad;
   for (unsigned size_B = 0, next_B = 0;; next_B += inst.size_B) {
      if (next_B + AGX_INST_MAX_B > size_B) {
         at = sim_va_add(at, next_B);
         next_B = 0;
         for (size_B = sizeof(code); size_B && !sim_vm_read(render->gpu->vm, at, code, size_B, &bad);)
            size_B = bad.va > at.va && bad.va - at.va < size_B ? (unsigned)(bad.va - at.va) : 0;
      }
      if (!agx_isa_decode(code + next_B, size_B - next_B, &inst) || inst.op == AGX_OP_TRAP)
         return false;
      if (inst.op == AGX_OP_STORE || inst.op == AGX_OP_ATOMIC || inst.op == AGX_OP_IMGW)
         return true;
   }
}

static void
add_drawn(struct agx_render *render)
{
   const struct agx_draw_state *s = render->state;
   const struct agx_fragment_control *c = &s->fragment_control;
   const struct agx_fragment_control_2 *c2 = &s->fragment_control_2;
   struct agx_drawn drawn = {
      .number = render->draw->number,
      .at = render->draw->at,
      .fragment = c->tag_write_disable || c2->tag_write_disable ? NULL : s->fragment,
      .coefficient_count = s->cf ? s->cf->header.coefficient_registers : 0,
      .pass = (enum agx_pass_type)((unsigned)c->pass_type | (unsigned)c2->pass_type),
      .stencil = c->stencil_test_enable || c2->stencil_test_enable,
      .face = {front_face(s), back_face(s)},
      .visibility = (enum agx_visibility_mode)((unsigned)c->visibility_mode | (unsigned)c2->visibility_mode),
      .query = s->occlusion_query.index,
   };
   if (!c->two_sided_stencil && !c2->two_sided_stencil) {
      struct agx_zs_face *back = &drawn.face[1];
      const struct agx_zs_face old = *back;
      *back = drawn.face[0];
      back->depth_func = old.depth_func;
      back->depth_write = old.depth_write;
   }
   agx_coefficients_bound(render, drawn.bound);
   bool after = c->sample_mask_after_depth_stencil || c2->sample_mask_after_depth_stencil;
   bool early = !drawn.fragment || after || drawn.fragment->fragment_properties.early_z_testing;
   drawn.test = early ? AGX_TEST_EARLY : AGX_TEST_LATE;
   drawn.hides = early && drawn.pass == AGX_PASS_TYPE_OPAQUE;
   if (drawn.hides && drawn.fragment) {
      if (render->scanned != drawn.fragment)
         render->scanned_changes_memory = changes_memory(render, drawn.fragment);
      render->scanned = drawn.fragment;
      drawn.hides = !render->scanned_changes_memory;
   }
   dynarray_append(&render->draws, struct agx_drawn, drawn);
}

static struct agx_drawn *
last_drawn(const struct agx_render *render)
{
   return dynarray_at(&render->draws, struct agx_drawn, dynarray_count(&render->draws, struct agx_drawn) - 1);
}

static bool
run_batch(struct agx_render *render)
{
   const struct agx_draw_state *s = render->state;
   if (!agx_vertices_run(render))
      return false;
   if (s->cull.rasterizer_discard || s->cull_2.rasterizer_discard)
      return true;
   agx_coefficients_unbind(render, last_drawn(render)->bound);
   return agx_vertices_check(render) && agx_pa_run(render);
}

static bool
run_batches(struct agx_render *render)
{
   bool ok = true;
   struct agx_assembler *assembler = agx_assembler_create(render);
   struct owned owned;
   own(&owned, free, assembler);
   while (ok && agx_assemble(assembler, &ok))
      ok = run_batch(render);
   disown(&owned);
   return ok;
}

bool
agx_render_draw(struct agx_render *render, const struct agx_draw_state *state, const struct agx_draw *draw)
{
   render->state = state;
   render->draw = draw;
   if (!check_parts(render) || !lay_out_vertex(render) || !agx_coefficients_check(render))
      return false;
   add_drawn(render);
   const struct agx_drawn *drawn = last_drawn(render);
   if (drawn->test == AGX_TEST_LATE && drawn->pass == AGX_PASS_TYPE_OPAQUE)
      return agx_draw_fault(render, "a program that tests by itself, in an opaque pass");
   if (draw->indexed && draw->restart && !(state->set & AGX_DRAW_RESTART_INDEX))
      return agx_draw_fault(render, "nothing has set the restart index since the render began");
   return run_batches(render);
}
