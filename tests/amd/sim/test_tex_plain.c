/* Samples of plain 2D images, all lanes at once, next to the same samples lane by lane. Random images, samplers,
 * coordinates and mappings, through caches with older lines and past them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex.h"
#include "util/macros.h"

enum { PAGES = 64, MEMORY_B = PAGES * 4096 };

static const uint64_t base = UINT64_C(0x200000000);
static uint8_t *memory; /* what comes after a gap in it is mapped without one */
static struct amd_caches *caches;

static uint32_t
below(uint32_t n)
{
   static uint64_t state = 88172645463325252;
   state ^= state << 13;
   state ^= state >> 7;
   state ^= state << 17;
   return (uint32_t)((state >> 32) * n >> 32);
}

static float
some_number(float low, float high)
{
   return low + (high - low) * (float)below(1 << 20) / (float)(1 << 20);
}

static struct sim_vm *
map_pieces(void)
{
   struct sim_vm *vm = sim_vm_create();
   const uint64_t first_B = (1 + below(PAGES - 1)) * UINT64_C(4096), rest_B = MEMORY_B - first_B;
   assert_true(sim_vm_map(vm, sim_va(base), first_B, memory, SIM_READ | SIM_WRITE));
   const struct sim_va rest = sim_va(base + first_B);
   switch (below(4)) {
   case 0: /* nothing */
      break;
   case 1:
      assert_true(sim_vm_map(vm, rest, rest_B, NULL, SIM_READ | SIM_WRITE | SIM_PRT));
      break;
   default:
      assert_true(sim_vm_map(vm, rest, rest_B, memory + first_B + 4096, SIM_READ | SIM_WRITE));
   }
   return vm;
}

static void
describe_image(uint32_t t[8], uint32_t *slices)
{
   static const uint8_t formats[] = {
      V_GFX10_FORMAT_8_8_8_8_UNORM, V_GFX10_FORMAT_8_8_8_8_UNORM,    V_GFX10_FORMAT_8_8_8_8_SRGB,
      V_GFX10_FORMAT_8_8_8_8_UINT,  V_GFX10_FORMAT_32_FLOAT,         V_GFX10_FORMAT_16_16_16_16_FLOAT,
      V_GFX10_FORMAT_8_UNORM,       V_GFX10_FORMAT_10_10_10_2_UNORM, V_GFX10_FORMAT_32_32_32_32_FLOAT};
   static const uint8_t modes[] = {V_SW_LINEAR,   V_SW_LINEAR,   V_SW_4KB_S, V_SW_64KB_S,
                                   V_SW_64KB_R_X, V_SW_64KB_D_X, V_SW_256B_D};
   const uint32_t w = 1 + below(90), h = 2 + below(60), levels = 1 + below(4);
   const bool array = below(4) == 0;
   *slices = array ? 1 + below(3) : 1;
   memset(t, 0, 32);
   t[0] = (uint32_t)(base >> 8);
   t[1] = S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI(base >> 40) |
          S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, formats[below(ARRAY_SIZE(formats))]) |
          S_SQ_IMG_RSRC_WORD1_WIDTH_LO(w - 1);
   t[2] = S_SQ_IMG_RSRC_WORD2_WIDTH_HI((w - 1) >> 2) | S_SQ_IMG_RSRC_WORD2_HEIGHT(h - 1) |
          S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(1);
   t[3] = S_SQ_IMG_RSRC_WORD3_DST_SEL_X(4 + below(4)) | S_SQ_IMG_RSRC_WORD3_DST_SEL_Y(5) |
          S_SQ_IMG_RSRC_WORD3_DST_SEL_Z(below(8)) | S_SQ_IMG_RSRC_WORD3_DST_SEL_W(7) |
          S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(levels - 1) |
          S_SQ_IMG_RSRC_WORD3_TYPE(array ? V_SQ_RSRC_IMG_2D_ARRAY : V_SQ_RSRC_IMG_2D) |
          S_SQ_IMG_RSRC_WORD3_SW_MODE(modes[below(ARRAY_SIZE(modes))]);
   t[4] = S_SQ_IMG_RSRC_WORD4_DEPTH(array ? *slices - 1 : 0);
   t[5] = S_SQ_IMG_RSRC_WORD5_MAX_MIP(AMD_GFX10_3, levels - 1);
}

static void
describe_sampler(uint32_t s[4])
{
   s[0] = S_SQ_IMG_SAMP_WORD0_CLAMP_X(below(8)) | S_SQ_IMG_SAMP_WORD0_CLAMP_Y(below(8)) |
          S_SQ_IMG_SAMP_WORD0_FORCE_UNNORMALIZED(!below(8));
   s[1] = S_SQ_IMG_SAMP_WORD1_MIN_LOD(below(300)) | S_SQ_IMG_SAMP_WORD1_MAX_LOD(below(1200));
   s[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(below(2)) | S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(below(2)) |
          S_SQ_IMG_SAMP_WORD2_MIP_FILTER(below(3));
   s[3] = S_SQ_IMG_SAMP_WORD3_BORDER_COLOR_TYPE(below(3));
}

static void
make_request(struct amd_tex_request *r)
{
   static const enum amd_tex_lod modes[] = {AMD_TEX_LOD_IMPLICIT, AMD_TEX_LOD_BIAS, AMD_TEX_LOD_EXPLICIT,
                                            AMD_TEX_LOD_ZERO, AMD_TEX_LOD_GRADIENT};
   uint32_t slices;
   *r = (struct amd_tex_request){.kind = AMD_TEX_SAMPLE, .dmask = 15, .lanes = below(2) ? 64 : 32};
   r->chip = amd_chip_by_name("navi21");
   r->lod_mode = modes[below(ARRAY_SIZE(modes))];
   r->exec = below(2) ? UINT64_MAX : below(UINT32_MAX) | (uint64_t)below(UINT32_MAX) << 32;
   r->exec &= r->lanes == 64 ? UINT64_MAX : UINT32_MAX;
   r->has_offset = !below(4);
   describe_image(r->resource, &slices);
   describe_sampler(r->sampler);
   r->dim = slices > 1 ? 5 : 1;
   const float by = r->sampler[0] & S_SQ_IMG_SAMP_WORD0_FORCE_UNNORMALIZED(1) ? 64.0f : 1.0f;
   const float reach = below(2) ? 0.1f : 3.0f, at = some_number(-1.0f, 2.0f);
   for (unsigned lane = 0; lane < AMD_TEX_LANES; lane++) {
      for (unsigned c = 0; c < 2; c++) {
         r->coord.f[c][lane] = by * (at + some_number(-reach, reach));
         r->ddx[c][lane] = some_number(-0.2f, 0.2f);
         r->ddy[c][lane] = some_number(-0.2f, 0.2f);
         r->offset[c][lane] = (int8_t)(below(16) - 8);
      }
      r->coord.f[2][lane] = some_number(-1.0f, 4.0f);
      r->bias[lane] = some_number(-2.0f, 2.0f);
      r->lod.f[lane] = some_number(-1.0f, 5.0f);
      if (!below(200))
         r->coord.f[0][lane] = below(2) ? NAN : INFINITY;
   }
}

/* Some lines change; caches that have them do not know. */
static void
write_memory(void)
{
   for (unsigned i = below(40); i; i--) {
      const uint64_t at_B = below(MEMORY_B / 128) * UINT64_C(128);
      amd_caches_write(caches, sim_va(base + at_B), 128);
      for (unsigned k = 0; k < 128; k++)
         memory[at_B + k] = (uint8_t)below(256);
   }
   if (!below(10))
      amd_caches_invalidate(caches, AMD_CACHE_ALL);
}

/* Which of two NaNs a sum becomes, is open. */
static bool
is_same(uint32_t a, uint32_t b)
{
   return a == b || (isnan(bits_float(a)) && isnan(bits_float(b)));
}

static void
all_lanes_are_as_each(void **state)
{
   unsigned good = 0, bad = 0;
   struct amd_tex_request r;
   static struct amd_cache_port port;
   memory = malloc(MEMORY_B + 4096);
   for (unsigned i = 0; i < MEMORY_B + 4096; i++)
      memory[i] = (uint8_t)below(256);
   caches = amd_caches_create(amd_chip_by_name("navi21"));
   struct sim_vm *vm = NULL;
   for (unsigned n = 0; n < 6000; n++) {
      if (n % 100 == 0) {
         if (vm)
            sim_vm_destroy(vm);
         vm = map_pieces();
         amd_caches_job_start(caches, vm);
      }
      write_memory();
      amd_caches_launch(caches);
      const struct amd_cache_packet packet = amd_caches_packet(caches);
      amd_cache_port_open(&port, caches, &packet, AMD_STAGE_PS, below(8), 0, false);
      make_request(&r);
      r.port = below(4) ? &port : NULL;
      uint32_t at_once[4][AMD_TEX_LANES] = {{0}}, each[4][AMD_TEX_LANES] = {{0}};
      struct sim_fault faults[2] = {{0}};
      const bool ok = amd_tex_read(vm, sim_va(0), &r, at_once, &faults[0]);
      uint64_t missing = 0;
      r.missing = &missing; /* who asks is answered lane by lane */
      if (amd_tex_read(vm, sim_va(0), &r, each, &faults[1]) != ok)
         fail_msg("request %u: \"%s\" and \"%s\"", n, faults[0].message, faults[1].message);
      assert_string_equal(faults[0].message, faults[1].message);
      good += ok;
      bad += !ok;
      for (unsigned i = 0; i < 4 * AMD_TEX_LANES && ok; i++)
         if (!is_same((&at_once[0][0])[i], (&each[0][0])[i]))
            fail_msg("request %u, value %u: 0x%x and 0x%x", n, i, (&at_once[0][0])[i], (&each[0][0])[i]);
   }
   assert_true(good > 3000 && bad > 100);
   amd_caches_destroy(caches);
   sim_vm_destroy(vm);
   free(memory);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(all_lanes_are_as_each)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
