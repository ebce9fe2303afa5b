/* Ranges of depth in HTILE: what draws leave there, and what is dropped by them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "drawn.h"
#include "util/macros.h"

enum { HTILE_B = 16 << 20, SURFACE_B = 1 << 16, PLAIN = 15, WIDEST = 0xfffc0000 };

/* Depth of floats and its HTILE, in one mode where both start with the tile at (0, 0); all depths are z. */
static struct stream
open_depth(uint32_t tile, float z, bool stencil, bool precision)
{
   struct stream s = open_stream(1);
   const uint32_t base = (uint32_t)((stream_base + DEPTH_B) >> 8), meta = (uint32_t)((stream_base + HTILE_B) >> 8);
   set_reg(&s, R_DB_Z_INFO(AMD_GFX10_3),
           S_DB_Z_INFO_FORMAT(V_Z_32_FLOAT) | S_DB_Z_INFO_SW_MODE(24) | S_DB_Z_INFO_TILE_SURFACE_ENABLE(1) |
              S_DB_Z_INFO_ZRANGE_PRECISION(precision));
   set_reg(&s, R_DB_STENCIL_INFO(AMD_GFX10_3), S_DB_STENCIL_INFO_TILE_STENCIL_DISABLE(!stencil));
   set_reg(&s, R_DB_Z_READ_BASE(AMD_GFX10_3), base);
   set_reg(&s, R_DB_Z_WRITE_BASE, base);
   set_reg(&s, R_DB_HTILE_DATA_BASE, meta);
   set_reg(&s, R_DB_HTILE_DATA_BASE_HI(AMD_GFX10_3), (uint32_t)((stream_base + HTILE_B) >> 40));
   set_reg(&s, R_DB_HTILE_SURFACE, S_DB_HTILE_SURFACE_PIPE_ALIGNED(1));
   set_reg(&s, R_DB_DEPTH_SIZE_XY, (H - 1) << 16 | (W - 1));
   set_float(&s, R_DB_DEPTH_CLEAR, 1.0f);
   for (unsigned i = 0; i < SURFACE_B; i += 4) {
      memcpy(s.memory + DEPTH_B + i, &z, 4);
      memcpy(s.memory + HTILE_B + i, &tile, 4);
   }
   return s;
}

static void
draw_at(struct stream *s, unsigned func, bool write, float z, int x1)
{
   set_reg(s, R_DB_DEPTH_CONTROL,
           S_DB_DEPTH_CONTROL_Z_ENABLE(1) | S_DB_DEPTH_CONTROL_Z_WRITE_ENABLE(write) |
              S_DB_DEPTH_CONTROL_ZFUNC(func));
   set_vertex_px(0, 0, 0, z, 1.0f);
   set_vertex_px(1, 0, 8, z, 1.0f);
   set_vertex_px(2, x1, 0, z, 1.0f);
   draw_auto(s, V_DI_PT_RECTLIST, 3);
   must_run(s);
}

static uint32_t
tile_of(const struct stream *s)
{
   uint32_t tile;
   memcpy(&tile, s->memory + HTILE_B, 4);
   return tile;
}

/* The formula of 14 bits, rounded outwards. */
static uint32_t
pack(double low, double high)
{
   return (uint32_t)ceil(high * 16383) << 18 | (uint32_t)floor(low * 16383) << 4 | PLAIN;
}

static void
draws_leave_ranges(void **state)
{
   struct stream s = open_depth(WIDEST | PLAIN, 1.0f, false, true);
   draw_at(&s, V_FRAG_ALWAYS, true, 0.25f, 8);
   assert_int_equal(tile_of(&s), pack(0.25, 0.25));
   draw_at(&s, V_FRAG_ALWAYS, true, 0.75f, 3); /* a part of it */
   assert_int_equal(tile_of(&s), pack(0.25, 0.75));
   draw_at(&s, V_FRAG_LESS, true, 0.5f, 8);
   assert_int_equal(tile_of(&s), pack(0.25, 0.5));
   draw_at(&s, V_FRAG_LESS, false, 0.125f, 8); /* writes nothing */
   assert_int_equal(tile_of(&s), pack(0.25, 0.5));
   set_reg(&s, R_DB_RENDER_OVERRIDE2, S_DB_RENDER_OVERRIDE2_PRESERVE_ZRANGE(1));
   draw_at(&s, V_FRAG_ALWAYS, true, 0.125f, 8);
   assert_int_equal(tile_of(&s), pack(0.25, 0.5));
   stream_destroy(&s);
   /* What was clear, to 1. */
   s = open_depth(0xfffffff0, 0.0f, false, true);
   draw_at(&s, V_FRAG_LESS, true, 0.5f, 4);
   assert_int_equal(tile_of(&s), pack(0.5, 1.0));
   stream_destroy(&s);
}

/* Base and delta. */
static void
ranges_without_stencil(void **state)
{
   for (unsigned precision = 0; precision < 2; precision++) {
      struct stream s = open_depth(0xfffff30f, 1.0f, true, precision);
      draw_at(&s, V_FRAG_ALWAYS, true, 0.5f, 8); /* 8191.5 */
      assert_int_equal(tile_of(&s), (precision ? 8192u : 8191u) << 18 | 1 << 12 | 0x30f);
      draw_at(&s, V_FRAG_ALWAYS, true, 0.25f, 4); /* too far apart */
      assert_int_equal(tile_of(&s), (precision ? 0x3fffu : 0) << 18 | 63 << 12 | 0x30f);
      stream_destroy(&s);
   }
}

static void
resummarize(void **state)
{
   struct stream s = open_depth(WIDEST | PLAIN, 0.5f, false, true);
   set_reg(&s, R_DB_RENDER_CONTROL, S_DB_RENDER_CONTROL_RESUMMARIZE_ENABLE(1));
   set_reg(&s, R_DB_DEPTH_CONTROL, 0);
   set_vertex_px(0, 0, 0, 0.9f, 1.0f);
   set_vertex_px(1, 0, 8, 0.9f, 1.0f);
   set_vertex_px(2, 8, 0, 0.9f, 1.0f);
   draw_auto(&s, V_DI_PT_RECTLIST, 3);
   must_run(&s);
   assert_int_equal(tile_of(&s), pack(0.5, 0.5));
   stream_destroy(&s);
}

/* A range that is not the memory's drops what memory would let through. */
static void
ranges_cull(void **state)
{
   enum { LE = V_FRAG_LEQUAL, GE = V_FRAG_GEQUAL };
   static const struct {
      unsigned func;
      float low, high, stored, z;
      bool drawn;
   } rows[] = {
      {V_FRAG_LESS, 0.1f, 0.2f, 1.0f, 0.5f, false},
      {V_FRAG_LESS, 0.1f, 0.6f, 1.0f, 0.5f, true},
      {LE, 0.1f, 0.2f, 1.0f, 0.5f, false},
      {LE, 0.1f, 0.6f, 1.0f, 0.5f, true},
      {V_FRAG_GREATER, 0.6f, 0.8f, 0.0f, 0.5f, false},
      {V_FRAG_GREATER, 0.4f, 0.8f, 0.0f, 0.5f, true},
      {GE, 0.6f, 0.8f, 0.0f, 0.5f, false},
      {GE, 0.4f, 0.8f, 0.0f, 0.5f, true},
      {V_FRAG_EQUAL, 0.6f, 0.8f, 0.5f, 0.5f, false},
      {V_FRAG_EQUAL, 0.1f, 0.4f, 0.5f, 0.5f, false},
      {V_FRAG_EQUAL, 0.4f, 0.6f, 0.5f, 0.5f, true},
      {V_FRAG_NOTEQUAL, 0.1f, 0.2f, 1.0f, 0.5f, true},
      {V_FRAG_ALWAYS, 0.1f, 0.2f, 1.0f, 0.5f, true},
   };
   for (unsigned i = 0; i < 2 * ARRAY_SIZE(rows); i++) {
      const bool off = i & 1;
      struct stream s = open_depth(pack(rows[i / 2].low, rows[i / 2].high), rows[i / 2].stored, false, true);
      set_reg(&s, R_DB_RENDER_OVERRIDE, S_DB_RENDER_OVERRIDE_FORCE_HIZ_ENABLE(off ? V_FORCE_DISABLE : 0));
      draw_at(&s, rows[i / 2].func, false, rows[i / 2].z, 8);
      if ((pixel(&s, 3, 3) != 0) != (rows[i / 2].drawn || off))
         fail_msg("row %u: pixel 0x%08x", i, pixel(&s, 3, 3));
      stream_destroy(&s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(draws_leave_ranges),
      cmocka_unit_test(ranges_without_stencil),
      cmocka_unit_test(resummarize),
      cmocka_unit_test(ranges_cull),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
