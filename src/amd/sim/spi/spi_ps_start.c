/* Starting VGPRs of pixel waves: barycentrics, positions, coverage. */
#include <math.h>
#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/spi/spi_ps.h"
#include "amd/sim/spi/spi_ps_centers.h"
#include "sim/texel/numeric.h"
#include "sim/texel/vec4.h"
#include "sim/wide.h"
#include "util/macros.h"

enum { ORIGIN_CENTER, ORIGIN_CENTROID, ORIGIN_SAMPLE, ORIGIN_COUNT };

/* One quad with the points where its inputs are taken, px from the primitive's origin. */
struct point {
   v4f x, y, w, one_w;
};

static const v4f lane_x = {0.5f, 1.5f, 0.5f, 1.5f}, lane_y = {0.5f, 0.5f, 1.5f, 1.5f};

static inline v4f
evaluate(const struct amd_plane *plane, const struct point *at)
{
   return at->x * plane->a + at->y * plane->b + plane->c;
}

/* dx, dy: from the centre of the pixels, which may be coarse. */
static void
set_point(struct point *at, const struct amd_prim *prim, const struct amd_quad *quad, v4f dx, v4f dy)
{
   at->x = lane_x * (float)(1 << quad->rate.x_log2) + dx + (float)((int32_t)quad->x - prim->origin_x);
   at->y = lane_y * (float)(1 << quad->rate.y_log2) + dy + (float)((int32_t)quad->y - prim->origin_y);
   at->one_w = evaluate(&prim->one_w, at);
   at->w = 1.0f / at->one_w;
}

/* The part of a coarse pixel in which its centroid lies: the first that is covered; AMD_COARSE_PIXELS: all of it is.
 * (Which one hardware takes: assumed.) */
static unsigned
centroid_part(const struct amd_quad *quad, unsigned lane, unsigned full)
{
   unsigned first = AMD_COARSE_PIXELS, wide = quad->rate.x_log2, high = quad->rate.y_log2;
   bool whole = true;
   for (unsigned k = AMD_COARSE_PIXELS; k-- > 0;) {
      if ((k & 1) > wide || k >> 1 > high)
         continue;
      whole &= quad->part[lane][k] == full;
      first = quad->part[lane][k] ? k : first;
   }
   return whole ? AMD_COARSE_PIXELS : first;
}

/* Those of a pixel. */
static const struct sim_raster_samples *
positions_at(const struct amd_sample_state *s, unsigned x, unsigned y)
{
   return s->by_pixel ? &s->pixel[(y & 1) * 2 + (x & 1)] : &s->positions;
}

/* Centre if the whole pixel is covered (or none of it), else the first covered sample in order of distance. */
static void
centroid_offsets(const struct amd_sample_state *s, const struct amd_quad *quad, v4f *dx, v4f *dy)
{
   unsigned full = (1u << s->positions.count) - 1;
   for (unsigned lane = 0; lane < 4; lane++) {
      unsigned cover = quad->raster[lane], x = quad->x + amd_quad_dx(quad, lane),
               y = quad->y + amd_quad_dy(quad, lane);
      (*dx)[lane] = (*dy)[lane] = 0.0f;
      if (amd_quad_is_coarse(quad)) {
         unsigned part = centroid_part(quad, lane, full);
         if (part == AMD_COARSE_PIXELS)
            continue;
         (*dx)[lane] = (float)(part & 1) + 0.5f - 0.5f * (float)(1 << quad->rate.x_log2);
         (*dy)[lane] = (float)(part >> 1) + 0.5f - 0.5f * (float)(1 << quad->rate.y_log2);
         cover = quad->part[lane][part];
         x += part & 1;
         y += part >> 1;
      }
      if (!cover || cover == full)
         continue;
      const struct sim_raster_samples *positions = positions_at(s, x, y);
      for (unsigned i = 0; i < positions->count; i++) {
         unsigned sample = s->centroid_order[i];
         if (cover >> sample & 1) {
            (*dx)[lane] += positions->x16[sample] / 16.0f;
            (*dy)[lane] += positions->y16[sample] / 16.0f;
            break;
         }
      }
   }
}

static inline void
put(struct amd_wave_start *start, unsigned vgpr, unsigned lane, v4f value)
{
   memcpy(&start->vgpr[vgpr][lane], &value, 16);
}

/* Input slots in order of the bits of SPI_PS_INPUT_ADDR. */
enum {
   IN_PERSP_SAMPLE,
   IN_PERSP_CENTER,
   IN_PERSP_CENTROID,
   IN_PULL_MODEL,
   IN_LINEAR_SAMPLE,
   IN_LINEAR_CENTER,
   IN_LINEAR_CENTROID,
   IN_LINE_STIPPLE,
   IN_POS_X,
   IN_POS_Y,
   IN_POS_Z,
   IN_POS_W,
   IN_FRONT_FACE,
   IN_ANCILLARY,
   IN_COVERAGE,
   IN_POS_FIXED,
   IN_COUNT
};

static const uint8_t slot_vgprs[IN_COUNT] = {2, 2, 2, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const uint8_t slot_origin[IN_COUNT] = {
   [IN_PERSP_SAMPLE] = ORIGIN_SAMPLE,  [IN_PERSP_CENTER] = ORIGIN_CENTER,  [IN_PERSP_CENTROID] = ORIGIN_CENTROID,
   [IN_LINEAR_SAMPLE] = ORIGIN_SAMPLE, [IN_LINEAR_CENTER] = ORIGIN_CENTER, [IN_LINEAR_CENTROID] = ORIGIN_CENTROID};

/* Samples of a coarse pixel: those of its first pixel in the lowest bits, the next one's above, row by row. Inner
 * coverage is that of the whole coarse pixel, all or none (assumed: dEQP asks for that, and RADV for no more). */
static uint32_t
coarse_coverage(const struct amd_sample_state *samples, const struct amd_quad *quad, unsigned lane)
{
   uint32_t cover = 0, at = 0;
   bool all = true;
   for (unsigned k = 0; k < AMD_COARSE_PIXELS; k++) {
      if ((k & 1) > quad->rate.x_log2 || k >> 1 > quad->rate.y_log2)
         continue;
      cover |= (uint32_t)quad->part[lane][k] << at;
      at += samples->positions.count;
      all &= quad->part[lane][k] != 0;
   }
   return all || !samples->inner_input ? cover : 0;
}

/* Inputs that are one 32-bit value a pixel. */
static inline v4u
integer_input(const struct amd_draw_state *state, const struct amd_prim *prim, const struct amd_quad *quad,
              unsigned slot)
{
   const uint32_t right = 1u << quad->rate.x_log2, below = 0x10000u << quad->rate.y_log2;
   v4u cover;
   switch (slot) {
   case IN_FRONT_FACE:
      if (state->pixel.front_face_all_bits)
         return v4_splat_bits(prim->front ? UINT32_MAX : 0);
      return v4_splat_bits(float_bits(prim->front ? 1.0f : -1.0f));
   case IN_ANCILLARY:
      return v4_splat_bits((uint32_t)quad->rate.x_log2 << 2 | (uint32_t)quad->rate.y_log2 << 4 |
                           (uint32_t)quad->iteration << 8 | (uint32_t)prim->layer << 16);
   case IN_COVERAGE:
      for (unsigned i = 0; i < 4; i++)
         cover[i] = amd_quad_is_coarse(quad)      ? coarse_coverage(&state->samples, quad, i)
                    : state->samples.tested_input ? quad->cover[i]
                                                  : quad->raster[i];
      return cover;
   case IN_POS_FIXED: /* below 65536: no sum reaches the other half */
      return v4_splat_bits(quad->x | (uint32_t)quad->y << 16) + (v4u){0, right, below, right + below};
   default: /* others: IN_LINE_STIPPLE; a draw with line stipple does not get here */
      return (v4u){0};
   }
}

static inline void
put_integer(struct amd_wave_start *start, unsigned vgpr, unsigned lane, v4u value)
{
   memcpy(&start->vgpr[vgpr][lane], &value, 16);
}

static void
put_slot(struct amd_wave_start *start, const struct amd_draw_state *state, const struct amd_prim *prim,
         const struct amd_quad *quad, const struct point *points, unsigned slot, unsigned vgpr, unsigned lane)
{
   /* size: a value of a wave and where it goes */
   const struct point *at = &points[slot_origin[slot]], *pos = &points[state->pixel.pos_location % ORIGIN_COUNT];
   switch (slot) {
   case IN_PERSP_SAMPLE:
   case IN_PERSP_CENTER:
   case IN_PERSP_CENTROID:
      put(start, vgpr, lane, evaluate(&prim->i_w, at) * at->w);
      put(start, vgpr + 1, lane, evaluate(&prim->j_w, at) * at->w);
      return;
   case IN_PULL_MODEL:
      put(start, vgpr, lane, evaluate(&prim->i_w, &points[ORIGIN_CENTER]));
      put(start, vgpr + 1, lane, evaluate(&prim->j_w, &points[ORIGIN_CENTER]));
      put(start, vgpr + 2, lane, points[ORIGIN_CENTER].one_w);
      return;
   case IN_LINEAR_SAMPLE:
   case IN_LINEAR_CENTER:
   case IN_LINEAR_CENTROID:
      put(start, vgpr, lane, evaluate(&prim->i_linear, at));
      put(start, vgpr + 1, lane, evaluate(&prim->j_linear, at));
      return;
   case IN_POS_X:
      put(start, vgpr, lane, pos->x + (float)prim->origin_x);
      return;
   case IN_POS_Y:
      put(start, vgpr, lane, pos->y + (float)prim->origin_y);
      return;
   case IN_POS_Z: {
      const double left_px = quad->rate.x_log2 ? state->rate.depth_left_px : 0;
      for (unsigned i = 0; i < 4; i++)
         start->vgpr[vgpr][lane + i] = float_bits(
            (float)(prim->z.a * ((double)pos->x[i] - left_px) + prim->z.b * (double)pos->y[i] + prim->z.c));
      return;
   }
   case IN_POS_W:
      put(start, vgpr, lane, pos->w);
      return;
   default: /* others: one integer a pixel */
      put_integer(start, vgpr, lane, integer_input(state, prim, quad, slot));
      return;
   }
}

/* What a draw's shaders get. */
struct inputs {
   unsigned count;
   struct {
      uint8_t slot, vgpr;
   } list[IN_COUNT];
   unsigned vgprs;
   bool all;       /* each is given something */
   bool displaced; /* something may be taken elsewhere than in the centre */
   bool points;    /* something is taken at points */
   bool center;    /* IN_PERSP_CENTER is all */
   bool centers;   /* all are taken in centres */
};

static void
list_inputs(struct inputs *inputs, const struct amd_pixel_state *pixel)
{
   const uint32_t elsewhere =
      1u << IN_PERSP_SAMPLE | 1u << IN_PERSP_CENTROID | 1u << IN_LINEAR_SAMPLE | 1u << IN_LINEAR_CENTROID;
   const uint32_t positions = 1u << IN_POS_X | 1u << IN_POS_Y | 1u << IN_POS_Z | 1u << IN_POS_W;
   uint32_t given = pixel->input_addr & pixel->input_ena;
   inputs->count = inputs->vgprs = 0;
   inputs->points = given & ((1u << IN_FRONT_FACE) - 1) & ~(1u << IN_LINE_STIPPLE);
   inputs->all = given == (pixel->input_addr & ((1u << IN_COUNT) - 1));
   inputs->displaced = given & (elsewhere | (pixel->pos_location ? positions : 0));
   for (unsigned slot = 0; slot < IN_COUNT; slot++) {
      if (!(pixel->input_addr >> slot & 1))
         continue;
      if (given >> slot & 1) {
         inputs->list[inputs->count].slot = (uint8_t)slot;
         inputs->list[inputs->count++].vgpr = (uint8_t)inputs->vgprs;
      }
      inputs->vgprs += slot_vgprs[slot];
   }
   inputs->centers = inputs->points && !inputs->displaced && !(given & 1u << IN_PULL_MODEL);
   inputs->center = inputs->count == 1 && inputs->list[0].slot == IN_PERSP_CENTER;
}

/* A bit for each pixel that has a sample. */
static uint64_t
covered_pixels(const struct amd_quad *quad)
{
   const uint32_t word = amd_cover_word(quad->cover), low = 0x7f7f7f7f;
   const uint32_t any = (((word & low) + low) | word) >> 7 & 0x01010101;
   return any * 0x01020408 >> 24 & 15;
}

/* A primitive's planes for four pixels. */
struct planes {
   struct plane4 {
      v4f a, b, c;
   } one_w, i_w, j_w;
   const struct amd_prim *prim;
   int32_t origin_x, origin_y;
};

static struct plane4
splat_plane(const struct amd_plane *plane)
{
   return (struct plane4){v4_splat(plane->a), v4_splat(plane->b), v4_splat(plane->c)};
}

static void
take_planes(struct planes *planes, const struct amd_prim *prim)
{
   planes->one_w = splat_plane(&prim->one_w);
   planes->i_w = splat_plane(&prim->i_w);
   planes->j_w = splat_plane(&prim->j_w);
   planes->prim = prim;
   planes->origin_x = prim->origin_x;
   planes->origin_y = prim->origin_y;
}

static inline v4f
evaluate4(const struct plane4 *plane, v4f x, v4f y)
{
   return x * plane->a + y * plane->b + plane->c;
}

/* What nearly all shaders want, of the quad at (x_px, y_px) whose pixels are not coarse. */
static inline void
put_center(struct amd_wave_start *start, const struct planes *planes, uint32_t x_px, uint32_t y_px, unsigned vgpr,
           unsigned lane)
{
   const v4f x = lane_x + (float)((int32_t)x_px - planes->origin_x);
   const v4f y = lane_y + (float)((int32_t)y_px - planes->origin_y);
   const v4f w = 1.0f / evaluate4(&planes->one_w, x, y);
   put(start, vgpr, lane, evaluate4(&planes->i_w, x, y) * w);
   put(start, vgpr + 1, lane, evaluate4(&planes->j_w, x, y) * w);
}

static inline v4f
depth_at(const struct amd_plane_z *z, v4f x, v4f y)
{
   const v4d wide_x = __builtin_convertvector(x, v4d), wide_y = __builtin_convertvector(y, v4d);
   return __builtin_convertvector(z->a * wide_x + z->b * wide_y + z->c, v4f);
}

/* Inputs of a quad that is not coarse, all taken in the centres of its pixels. */
static void
put_at_centers(struct amd_wave_start *start, const struct amd_draw_state *state, const struct inputs *inputs,
               const struct planes *planes, const struct amd_quad *quad, unsigned lane)
{
   /* size: what a quad brings to its inputs, as start_quad() */
   const v4f x = lane_x + (float)((int32_t)quad->x - planes->origin_x);
   const v4f y = lane_y + (float)((int32_t)quad->y - planes->origin_y);
   const v4f w = 1.0f / evaluate4(&planes->one_w, x, y);
   const struct point at = {x, y, w, {0}};
   for (unsigned i = 0; i < inputs->count; i++) {
      const unsigned slot = inputs->list[i].slot, vgpr = inputs->list[i].vgpr;
      if (slot == IN_PERSP_CENTER) {
         put(start, vgpr, lane, evaluate4(&planes->i_w, x, y) * w);
         put(start, vgpr + 1, lane, evaluate4(&planes->j_w, x, y) * w);
      } else if (slot == IN_LINEAR_CENTER) {
         put(start, vgpr, lane, evaluate(&planes->prim->i_linear, &at));
         put(start, vgpr + 1, lane, evaluate(&planes->prim->j_linear, &at));
      } else if (slot == IN_POS_X || slot == IN_POS_Y) {
         put(start, vgpr, lane, slot == IN_POS_X ? x + (float)planes->origin_x : y + (float)planes->origin_y);
      } else if (slot == IN_POS_Z) {
         put(start, vgpr, lane, depth_at(&planes->prim->z, x, y));
      } else if (slot == IN_POS_W) {
         put(start, vgpr, lane, w);
      } else {
         put_integer(start, vgpr, lane, integer_input(state, planes->prim, quad, slot));
      }
   }
}

static void
start_quad(struct amd_wave_start *start, const struct amd_draw_state *state, const struct inputs *inputs,
           const struct amd_prim *prim, const struct amd_quad *quad, unsigned lane)
{
   const struct amd_sample_state *s = &state->samples;
   struct point points[ORIGIN_COUNT];
   v4f dx, dy;
   if (!inputs->points) {
      for (unsigned i = 0; i < inputs->count; i++)
         put_integer(start, inputs->list[i].vgpr, lane, integer_input(state, prim, quad, inputs->list[i].slot));
      return;
   }
   set_point(&points[ORIGIN_CENTER], prim, quad, (v4f){0}, (v4f){0});
   if (inputs->displaced)
      points[ORIGIN_CENTROID] = points[ORIGIN_SAMPLE] = points[ORIGIN_CENTER];
   if (inputs->displaced && (s->placed || s->positions.count > 1 || amd_quad_is_coarse(quad))) {
      centroid_offsets(s, quad, &dx, &dy);
      set_point(&points[ORIGIN_CENTROID], prim, quad, dx, dy);
      for (unsigned i = 0; i < 4; i++) {
         const struct sim_raster_samples *positions = positions_at(s, i & 1, i >> 1);
         dx[i] = positions->x16[quad->iteration] / 16.0f;
         dy[i] = positions->y16[quad->iteration] / 16.0f;
      }
      set_point(&points[ORIGIN_SAMPLE], prim, quad, dx, dy);
   }
   for (unsigned i = 0; i < inputs->count; i++)
      put_slot(start, state, prim, quad, points, inputs->list[i].slot, inputs->list[i].vgpr, lane);
}

static void
start_quads(const struct amd_launch *l, uint32_t group, const struct inputs *inputs, struct amd_wave_start *start)
{
   const struct amd_pipeline *p = l->p;
   const struct amd_wave_prims *wp = &l->wave_prims[group];
   const uint32_t count = amd_launch_quad_count(l, group);
   float *params = l->params + (size_t)wp->first * l->prim_floats;
   for (uint32_t i = 0; i < wp->count; i++)
      amd_spi_ps_fill_params(l, dynarray_at(&p->memory->prims, struct amd_prim, l->prim_list[wp->first + i]),
                             params + (size_t)i * l->prim_floats);
   start->params.data = params;
   const struct amd_quad *quads = l->place ? NULL : amd_launch_quad(l, group, 0);
   const struct amd_prim *prim = NULL;
   struct planes planes;
   for (uint32_t q = 0, number = 0, last = 0; q < count; q++) {
      const struct amd_quad *quad = quads ? &quads[q] : amd_launch_quad(l, group, q);
      bool first_of_prim = q && quad->prim != last;
      if (!q || first_of_prim) {
         prim = dynarray_at(&p->memory->prims, struct amd_prim, quad->prim);
         take_planes(&planes, prim);
      }
      last = quad->prim;
      number += first_of_prim;
      start->prim_mask |= (uint32_t)first_of_prim << (15 + q);
      start->params.quad_prim[q] = (uint8_t)number;
      start->exec |= covered_pixels(quad) << (q * 4);
      if (inputs->center && !amd_quad_is_coarse(quad))
         put_center(start, &planes, quad->x, quad->y, inputs->list[0].vgpr, q * 4);
      else if (inputs->centers && !amd_quad_is_coarse(quad))
         put_at_centers(start, &p->state, inputs, &planes, quad, q * 4);
      else
         start_quad(start, &p->state, inputs, prim, quad, q * 4);
   }
}

/* The pixels of a block's quads, from its first one, in the order of lanes. */
#define IN_QUADS(f, y) f(0, y), f(2, y), f(4, y), f(6, y)
#define CENTER_X(x, y) (x) + 0.5f, (x) + 1.5f, (x) + 0.5f, (x) + 1.5f
#define CENTER_Y(x, y) (y) + 0.5f, (y) + 0.5f, (y) + 1.5f, (y) + 1.5f
static const float block_x[AMD_TILE_PIXELS] = {IN_QUADS(CENTER_X, 0), IN_QUADS(CENTER_X, 2), IN_QUADS(CENTER_X, 4),
                                               IN_QUADS(CENTER_X, 6)};
static const float block_y[AMD_TILE_PIXELS] = {IN_QUADS(CENTER_Y, 0), IN_QUADS(CENTER_Y, 2), IN_QUADS(CENTER_Y, 4),
                                               IN_QUADS(CENTER_Y, 6)};

amd_centers_fn *
amd_spi_ps_centers(void)
{
#if defined(__x86_64__)
   if (sim_has_avx2())
      return amd_centers_avx2;
#endif
   return amd_centers_base;
}

static void
put_centers(struct amd_wave_start *start, const struct amd_prim *prim, const struct amd_block *block, uint32_t places,
            uint32_t count, unsigned vgpr, unsigned lane)
{
   /* size: a value of a wave and where it goes */
   const unsigned first = 4 * (unsigned)__builtin_ctz(places);
   const struct amd_centers planes = {{prim->one_w.a, prim->one_w.b, prim->one_w.c},
                                      {prim->i_w.a, prim->i_w.b, prim->i_w.c},
                                      {prim->j_w.a, prim->j_w.b, prim->j_w.c}};
   float some_x[AMD_TILE_PIXELS], some_y[AMD_TILE_PIXELS];
   const bool together = block->quads == AMD_ALL_QUADS;
   for (unsigned q = 0; q < count && !together; q++, places &= places - 1) {
      memcpy(&some_x[4 * q], &block_x[4 * __builtin_ctz(places)], 16);
      memcpy(&some_y[4 * q], &block_y[4 * __builtin_ctz(places)], 16);
   }
   amd_spi_ps_centers()(&planes, (float)(block->x - prim->origin_x), (float)(block->y - prim->origin_y),
                        together ? &block_x[first] : some_x, together ? &block_y[first] : some_y, 4 * count,
                        &start->vgpr[vgpr][lane], &start->vgpr[vgpr + 1][lane]);
}

/* Some quads of a block, the wave's from number q on. index: the first one's in the block. */
static void
start_block(const struct amd_launch *l, const struct amd_block *block, uint32_t index, uint32_t count,
            const struct inputs *inputs, struct amd_wave_start *start, uint32_t q)
{
   /* size: a block and its place in the wave */
   const struct amd_prim *prim = dynarray_at(&l->p->memory->prims, struct amd_prim, block->prim);
   uint32_t places = amd_block_drop(block->quads, index);
   start->exec |= (block->cover >> 4 * index & bit_mask(4 * count)) << 4 * q;
   if (inputs->center) {
      put_centers(start, prim, block, places, count, inputs->list[0].vgpr, q * 4);
      return;
   }
   for (uint32_t end = q + count; q < end; q++, index++, places &= places - 1) {
      const struct amd_quad quad = amd_block_quad(block, index, (unsigned)__builtin_ctz(places));
      start_quad(start, &l->p->state, inputs, prim, &quad, q * 4);
   }
}

static void
start_blocks(const struct amd_launch *l, uint32_t group, const struct inputs *inputs, struct amd_wave_start *start)
{
   const struct amd_block *block = &l->blocks[l->wave_blocks[group]];
   const uint32_t count = amd_launch_quad_count(l, group);
   uint32_t index = l->first + group * l->quads_per_wave - block->first_quad, number = 0, last = block->prim;
   float *params = l->params + (size_t)(l->wave_blocks[group] + group) * l->prim_floats;
   start->params.data = params;
   for (uint32_t q = 0, some; q < count; q += some, block++, index = 0) {
      const bool first_of_prim = q && block->prim != last;
      some = MIN2(count - q, block->count - index);
      number += first_of_prim;
      if (!q || first_of_prim) {
         const struct amd_prim *prim = dynarray_at(&l->p->memory->prims, struct amd_prim, block->prim);
         amd_spi_ps_fill_params(l, prim, params + (size_t)number * l->prim_floats);
      }
      last = block->prim;
      start->prim_mask |= (uint32_t)first_of_prim << (15 + q);
      memset(start->params.quad_prim + q, (int)number, some);
      start_block(l, block, index, some, inputs, start, q);
   }
}

void
amd_spi_ps_start(void *launch, uint32_t group, uint32_t wave, uint32_t scratch_slot, struct amd_wave_start *start)
{
   const struct amd_launch *l = launch;
   const struct amd_pipeline *p = l->p;
   struct inputs inputs;
   list_inputs(&inputs, &p->state.pixel);
   inputs.center &= !p->gpu->reference;
   inputs.centers &= !p->gpu->reference;
   start->vgpr_count = inputs.vgprs;
   const uint32_t count = inputs.all ? amd_launch_quad_count(l, group) : 0;
   if (count < l->quads_per_wave)
      amd_spi_leave_lanes(start, 4 * count, 4 * l->quads_per_wave);
   start->params.attr_count = p->state.pixel.attr_count;
   /* Bit per quad that begins a primitive. BC_OPTIMIZE stays off: centroids are always given. */
   start->prim_mask = 0;
   start->exec = 0;
   (l->blocks ? start_blocks : start_quads)(l, group, &inputs, start);
   start->prim_mask &= 0x7fffffffu;
   amd_spi_ps_start_sgprs(l, group, scratch_slot, start);
}
