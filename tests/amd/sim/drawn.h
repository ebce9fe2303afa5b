/* Draws into a target of 64 x 48 px by shaders in C: positions, one colour and its interpolation. */
#ifndef INDIUM_TESTS_DRAWN_H
#define INDIUM_TESTS_DRAWN_H

#include "native_engine.h"
#include "scene.h"
#include "util/macros.h"

enum {
   W = 64,
   H = 48,
   TARGET_B = 4 << 20, /* where things lie in the stream's memory */
   DEPTH_B = 8 << 20,
   RESOLVED_B = 12 << 20,
   VERTEX_FLOATS = 8, /* position, colour */
   MAX_VERTICES = 4096,
};

static float vertices[MAX_VERTICES][VERTEX_FLOATS];
static unsigned kill_odd; /* pixel shader 3 drops pixels of odd x */

static inline void
vertex_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float position[AMD_WAVE_MAX_LANES][4], color[AMD_WAVE_MAX_LANES][4];
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      const float *v = vertices[start->vgpr[0][lane] % MAX_VERTICES];
      memcpy(position[lane], v, 16);
      memcpy(color[lane], v + 4, 16);
      color[lane][3] += (float)start->vgpr[3][lane]; /* the instance */
   }
   native_export(exports, count, 12, start->exec, true, position);
   native_export(exports, count, 32, start->exec, false, color);
}

static inline void
pixel_shader(const struct amd_wave_start *start, struct amd_wave_export *exports, uint32_t *count)
{
   static _Thread_local float color[AMD_WAVE_MAX_LANES][4];
   uint64_t exec = start->exec;
   for (unsigned lane = 0; lane < AMD_WAVE_MAX_LANES; lane++) {
      float i, j;
      memcpy(&i, &start->vgpr[0][lane], 4);
      memcpy(&j, &start->vgpr[1][lane], 4);
      for (unsigned c = 0; c < 4; c++)
         color[lane][c] = exec >> lane & 1 ? native_interp(start, 0, c, lane, i, j) : 0.0f;
      if (kill_odd && (lane & 1))
         exec &= ~(UINT64_C(1) << lane);
   }
   native_export(exports, count, 0, exec, true, color);
}

static inline void
set_vertex(unsigned i, float x, float y, float z, float w, float r, float g, float b, float a)
{
   /* size: the components of a vertex */
   const float v[VERTEX_FLOATS] = {x * w, y * w, z * w, w, r, g, b, a};
   memcpy(vertices[i], v, sizeof(v));
}

/* Pixel coordinates to clip space of the W x H viewport. */
static inline void
set_vertex_px(unsigned i, double x, double y, float z, float gray)
{
   set_vertex(i, (float)(x * 2 / W - 1), (float)(y * 2 / H - 1), z, 1.0f, gray, gray, gray, 1.0f);
}

static const struct target_info rgba8 = {.va = UINT64_C(0x100000000) + TARGET_B,
                                         .width = W,
                                         .height = H,
                                         .format = V_COLOR_8_8_8_8,
                                         .number = V_NUMBER_UNORM};

/* The same of several samples, in a mode that has them. */
static inline struct target_info
tiled_rgba8(unsigned samples_log2)
{
   struct target_info tiled = rgba8;
   tiled.mode = 27;
   tiled.samples_log2 = samples_log2;
   return tiled;
}

static inline uint32_t
pixel(const struct stream *s, unsigned x, unsigned y)
{
   uint32_t value;
   memcpy(&value, s->memory + TARGET_B + (y * W + x) * 4, 4); /* W * 4 is a multiple of 256 */
   return value;
}

static inline void
must_run(struct stream *s)
{
   if (!stream_run(s))
      fail_msg("%s", s->fault.message);
}

static inline struct stream
open_stream(unsigned threads)
{
   native_shaders[1] = vertex_shader;
   native_shaders[2] = pixel_shader;
   kill_odd = 0;
   struct stream s = stream_create(threads);
   set_defaults(&s, W, H);
   set_target(&s, 0, &rgba8);
   return s;
}

#endif
