/* Primitive assembly: culling, clipping, viewport, setup of edges and planes; then the bins. */
#include <math.h>
#include <string.h>

#include "asahi/sim/pa/pa.h"
#include "asahi/sim/pa/setup.h"
#include "sim/waves/pool.h"
#include "util/macros.h"
#include "util/within_memory.h"

enum { PRIMS_PER_TASK = 512 };

static struct sim_clip_vertex
load_vertex(const struct agx_render *r, uint32_t vertex)
{
   const float *data = agx_vertex(r, vertex);
   struct sim_clip_vertex v = {
      .x = (double)data[0], .y = (double)data[1], .z = (double)data[2], .w = (double)data[3]};
   uint32_t word = r->layout.clip;
   for (unsigned mask = r->layout.clip_mask; mask; mask &= mask - 1)
      v.dist[__builtin_ctz(mask)] = data[word++];
   return v;
}

static struct agx_rect
screen_rect(const struct agx_render *r, unsigned viewport)
{
   const struct agx_draw_state *s = r->state;
   struct agx_rect rect = {0, 0, (int32_t)r->command->width_px, (int32_t)r->command->height_px};
   const struct agx_region_clip *region = &s->region_clips[viewport];
   if (viewport < s->region_clip_count && region->enable) {
      rect.x0 = MAX2(rect.x0, (int32_t)region->min_x_tl * AGX_BIN_PX);
      rect.y0 = MAX2(rect.y0, (int32_t)region->min_y_tl * AGX_BIN_PX);
      rect.x1 = MIN2(rect.x1, (int32_t)region->max_x_tl * AGX_BIN_PX);
      rect.y1 = MIN2(rect.y1, (int32_t)region->max_y_tl * AGX_BIN_PX);
   }
   if (s->fragment_control.scissor_enable || s->fragment_control_2.scissor_enable) {
      const struct agx_scissor *scissor = &s->scissors[viewport];
      rect.x0 = MAX2(rect.x0, (int32_t)scissor->min_x);
      rect.y0 = MAX2(rect.y0, (int32_t)scissor->min_y);
      rect.x1 = MIN2(rect.x1, (int32_t)scissor->max_x);
      rect.y1 = MIN2(rect.y1, (int32_t)scissor->max_y);
   }
   return rect;
}

static void
set_viewport(struct pa_setup *s, const struct agx_viewport *v)
{
   const struct agx_render *r = s->render;
   s->at = (struct sim_setup){
      .subpixel_bits = 8,
      .scale = {(double)v->scale_x, (double)v->scale_y, (double)v->scale_z},
      .offset = {(double)v->translate_x, (double)v->translate_y, (double)v->translate_z},
   };
   s->clip = (struct sim_clip_volume){.scale = {v->scale_x, v->scale_y},
                                      .offset = {v->translate_x, v->translate_y},
                                      .low_px = {SIM_RASTER_MIN_PX, SIM_RASTER_MIN_PX},
                                      .high_px = {SIM_RASTER_MAX_PX, SIM_RASTER_MAX_PX},
                                      .planes = SIM_CLIP_ALWAYS,
                                      .zero_to_one = !r->ppp.opengl_clip};
   s->clip.planes |= (uint32_t)r->layout.clip_mask << SIM_CLIP_DIST0;
   if (r->state->cull.depth_clip)
      s->clip.planes |= 1u << SIM_CLIP_NEAR | 1u << SIM_CLIP_FAR;
}

/* Layer, viewport and scissor, as the provoking vertex says. False if the primitive has no place. */
static bool
choose_target(struct pa_setup *s, const struct agx_prim_in *in)
{
   const struct agx_render *r = s->render;
   const struct agx_draw_state *state = r->state;
   uint32_t bits = 0, viewport = 0;
   unsigned provoking = MIN2((unsigned)state->cull.flat_shading_vertex - 1, in->last);
   if (r->layout.target)
      memcpy(&bits, agx_vertex(r, in->vertex[provoking]) + r->layout.target, 4);
   if (state->output_select.render_target)
      s->prim.layer = (uint16_t)bits;
   if (state->output_select.viewport_target && bits >> 16 < state->viewport_count)
      viewport = bits >> 16;
   set_viewport(s, &state->viewports[viewport]);
   s->scissor = screen_rect(r, viewport);
   s->prim.z_min = 0.0f, s->prim.z_max = 1.0f;
   if (state->cull.depth_clamp) {
      s->prim.z_min = state->scissors[viewport].min_z;
      s->prim.z_max = state->scissors[viewport].max_z;
   }
   return s->prim.layer < r->command->layers && s->scissor.x0 < s->scissor.x1 && s->scissor.y0 < s->scissor.y1;
}

static void
setup_prim(const struct agx_render *r, struct agx_setup *out, const struct agx_prim_in *in)
{
   struct pa_setup s = {.render = r, .out = out, .in = in};
   s.prim.draw = (uint32_t)dynarray_count(&r->draws, struct agx_drawn) - 1;
   struct sim_clip_vertex v[3];
   for (unsigned i = 0; i < 3; i++)
      v[i] = load_vertex(r, in->vertex[i]);
   if (!choose_target(&s, in))
      return;
   switch (r->kind) {
   case AGX_PRIM_POINT:
      pa_setup_point(&s, v);
      return;
   case AGX_PRIM_LINE:
      pa_setup_line(&s, v);
      return;
   case AGX_PRIM_TRIANGLE:
      pa_setup_triangle(&s, v);
      return;
   }
}

static void
setup_task(void *data, unsigned task)
{
   struct agx_render *r = data;
   size_t count = dynarray_count(&r->prims_in, struct agx_prim_in);
   const struct agx_prim_in *in = r->prims_in.data;
   struct agx_setup *out = &r->setups[task];
   out->prims.size_B = 0;
   out->coefficients.size_B = 0;
   for (size_t i = (size_t)task * PRIMS_PER_TASK; i < MIN2(count, (size_t)(task + 1) * PRIMS_PER_TASK); i++)
      setup_prim(r, out, &in[i]);
}

static void
bin_prim(struct agx_render *r, uint32_t index, const struct agx_prim *prim)
{
   const struct agx_rect *area = &prim->area;
   uint32_t bx0 = (uint32_t)area->x0 / AGX_BIN_PX, bx1 = (uint32_t)(area->x1 - 1) / AGX_BIN_PX;
   uint32_t by0 = (uint32_t)area->y0 / AGX_BIN_PX, by1 = (uint32_t)(area->y1 - 1) / AGX_BIN_PX;
   struct agx_bin *layer = &r->bins[(size_t)prim->layer * r->bins_wide * r->bins_high];
   for (uint32_t by = by0; by <= by1; by++) {
      for (uint32_t bx = bx0; bx <= bx1; bx++) {
         if (bx1 - bx0 > 1 &&
             !sim_raster_may_cover(&prim->poly, (int)bx * AGX_BIN_PX, (int)by * AGX_BIN_PX, AGX_BIN_PX))
            continue;
         dynarray_append(&layer[by * r->bins_wide + bx].prims, uint32_t, index);
      }
   }
}

/* What a task has made joins the storage and the bins. False: the storage is full. */
static bool
store_prims(struct agx_render *r, const struct agx_setup *setup)
{
   uint32_t first = (uint32_t)dynarray_count(&r->prims, struct agx_prim);
   size_t coefficients = dynarray_count(&r->coefficients, struct agx_wave_coefficients);
   if (setup->prims.size_B)
      memcpy(dynarray_grow(&r->prims, setup->prims.size_B), setup->prims.data, setup->prims.size_B);
   if (setup->coefficients.size_B)
      memcpy(dynarray_grow(&r->coefficients, setup->coefficients.size_B), setup->coefficients.data,
             setup->coefficients.size_B);
   size_t end = dynarray_count(&r->prims, struct agx_prim);
   if (end > UINT32_MAX || dynarray_count(&r->coefficients, struct agx_wave_coefficients) > UINT32_MAX)
      return sim_fault_set(r->gpu->fault, SIM_FAULT_EXHAUSTED, sim_va(0), "a render of more than 2^32 primitives");
   for (size_t i = first; i < end; i++) {
      struct agx_prim *prim = dynarray_at(&r->prims, struct agx_prim, i);
      prim->coefficients += (uint32_t)coefficients;
      bin_prim(r, (uint32_t)i, prim);
   }
   return true;
}

bool
agx_pa_run(struct agx_render *r)
{
   size_t count = dynarray_count(&r->prims_in, struct agx_prim_in);
   unsigned tasks = (unsigned)div_round_up(count, PRIMS_PER_TASK);
   if (tasks > r->setup_count) {
      r->setups = need_realloc("primitives", r->setups, tasks * sizeof(*r->setups));
      memset(r->setups + r->setup_count, 0, (tasks - r->setup_count) * sizeof(*r->setups));
      r->setup_count = tasks;
   }
   sim_pool_run(r->gpu->pool, tasks, setup_task, r);
   for (unsigned i = 0; i < tasks; i++) {
      if (!store_prims(r, &r->setups[i]))
         return false;
   }
   return true;
}
