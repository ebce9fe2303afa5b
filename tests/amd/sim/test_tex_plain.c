/* Samples, gathers and loads, all lanes at once, next to the same ones lane by lane. Random images of all kinds,
 * samplers, coordinates and mappings, through caches with older lines and past them; metadata with random bytes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/cache/order.h"
#include "amd/sim/tex/tex.h"
#include "util/macros.h"

enum { PAGES = 64, MEMORY_B = PAGES * 4096, META_B = 0x10000 };

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
      V_GFX10_FORMAT_8_UNORM,       V_GFX10_FORMAT_10_10_10_2_UNORM, V_GFX10_FORMAT_32_32_32_32_FLOAT,
      V_GFX10_FORMAT_16_16_UNORM,   V_GFX10_FORMAT_16_SNORM,         V_GFX10_FORMAT_8_8_8_8_SNORM,
      V_GFX10_FORMAT_16_16_SINT,    V_GFX10_FORMAT_10_10_10_2_UINT,  V_GFX10_FORMAT_11_11_10_FLOAT,
      V_GFX10_FORMAT_5_6_5_UNORM,   V_GFX10_FORMAT_16_FLOAT,         V_GFX10_FORMAT_5_9_9_9_FLOAT,
      V_GFX10_FORMAT_BC1_UNORM,     V_GFX10_FORMAT_BC5_SNORM,        V_GFX10_FORMAT_BC7_SRGB,
      V_GFX10_FORMAT_BC6_SFLOAT,    V_GFX10_FORMAT_FMASK8_S4_F4,     V_GFX10_FORMAT_32_32_FLOAT};
   static const uint8_t modes[] = {V_SW_LINEAR,   V_SW_LINEAR,   V_SW_4KB_S, V_SW_64KB_S,
                                   V_SW_64KB_R_X, V_SW_64KB_D_X, V_SW_256B_D};
   const uint32_t w = 1 + below(90), h = 2 + below(60), levels = 1 + below(4);
   const bool array = below(4) == 0;
   *slices = array ? 1 + below(3) : 1;
   memset(t, 0, 32);
   t[0] = (uint32_t)(base >> 8);
   t[1] = S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI(base >> 40) | S_SQ_IMG_RSRC_WORD1_MIN_LOD(below(3) ? 0 : below(700)) |
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

/* Turns it into an image of another kind. Returns the instruction's dim. */
static uint8_t
change_kind(uint32_t t[8])
{
   static const struct {
      uint8_t dim, type;
   } kinds[] = {{2, V_SQ_RSRC_IMG_3D},       {3, V_SQ_RSRC_IMG_CUBE}, {3, V_SQ_RSRC_IMG_CUBE},
                {4, V_SQ_RSRC_IMG_1D_ARRAY}, {0, V_SQ_RSRC_IMG_1D},   {1, V_SQ_RSRC_IMG_1D}};
   const unsigned kind = below(ARRAY_SIZE(kinds));
   const uint32_t side = 1 + below(40), depth = kinds[kind].type == V_SQ_RSRC_IMG_CUBE ? 5 + 6 * below(2) : below(5);
   t[1] &= ~S_SQ_IMG_RSRC_WORD1_WIDTH_LO(3);
   t[1] |= S_SQ_IMG_RSRC_WORD1_WIDTH_LO(side - 1);
   t[2] = S_SQ_IMG_RSRC_WORD2_WIDTH_HI((side - 1) >> 2) |
          S_SQ_IMG_RSRC_WORD2_HEIGHT(below(20) ? side - 1 : below(60)) | S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(1);
   t[3] = (t[3] & ~S_SQ_IMG_RSRC_WORD3_TYPE(15)) | S_SQ_IMG_RSRC_WORD3_TYPE(kinds[kind].type);
   t[4] = S_SQ_IMG_RSRC_WORD4_DEPTH(kinds[kind].type == V_SQ_RSRC_IMG_1D ? 0 : depth);
   return kinds[kind].dim;
}

static void
describe_sampler(uint32_t s[4])
{
   const bool aniso = !below(4);
   s[0] = S_SQ_IMG_SAMP_WORD0_CLAMP_X(below(8)) | S_SQ_IMG_SAMP_WORD0_CLAMP_Y(below(8)) |
          S_SQ_IMG_SAMP_WORD0_CLAMP_Z(below(8)) | S_SQ_IMG_SAMP_WORD0_FORCE_UNNORMALIZED(!below(8)) |
          S_SQ_IMG_SAMP_WORD0_DEPTH_COMPARE_FUNC(below(8)) | S_SQ_IMG_SAMP_WORD0_MAX_ANISO_RATIO(below(4)) |
          S_SQ_IMG_SAMP_WORD0_DISABLE_CUBE_WRAP(!below(3)) | S_SQ_IMG_SAMP_WORD0_FILTER_MODE(below(3) ? 0 : below(3));
   s[1] = S_SQ_IMG_SAMP_WORD1_MIN_LOD(below(300)) | S_SQ_IMG_SAMP_WORD1_MAX_LOD(below(1200));
   s[2] = S_SQ_IMG_SAMP_WORD2_XY_MAG_FILTER(below(2) | aniso << 1) |
          S_SQ_IMG_SAMP_WORD2_XY_MIN_FILTER(below(2) | aniso << 1) | S_SQ_IMG_SAMP_WORD2_MIP_FILTER(below(3));
   s[3] = S_SQ_IMG_SAMP_WORD3_BORDER_COLOR_TYPE(below(3));
}

static void
make_request(struct amd_tex_request *r)
{
   static const enum amd_tex_lod modes[] = {AMD_TEX_LOD_IMPLICIT, AMD_TEX_LOD_BIAS, AMD_TEX_LOD_EXPLICIT,
                                            AMD_TEX_LOD_ZERO, AMD_TEX_LOD_GRADIENT};
   uint32_t slices;
   *r = (struct amd_tex_request){.kind = below(4) ? AMD_TEX_SAMPLE : AMD_TEX_GATHER4, .lanes = below(2) ? 64 : 32};
   r->dmask = r->kind == AMD_TEX_SAMPLE ? 15 : (uint8_t)(1 << below(4));
   r->chip = amd_chip_by_name("navi21");
   r->compare = !below(3);
   r->lod_mode = modes[below(ARRAY_SIZE(modes))];
   r->exec = below(2) ? UINT64_MAX : below(UINT32_MAX) | (uint64_t)below(UINT32_MAX) << 32;
   r->exec &= r->lanes == 64 ? UINT64_MAX : UINT32_MAX;
   r->has_offset = !below(4);
   describe_image(r->resource, &slices);
   describe_sampler(r->sampler);
   r->dim = slices > 1 ? 5 : 1;
   if (below(2))
      r->dim = change_kind(r->resource);
   const float by = r->sampler[0] & S_SQ_IMG_SAMP_WORD0_FORCE_UNNORMALIZED(1) ? 64.0f : 1.0f;
   const float reach = below(2) ? 0.1f : 3.0f, at = some_number(-1.0f, 2.0f);
   for (unsigned lane = 0; lane < AMD_TEX_LANES; lane++) {
      for (unsigned c = 0; c < 3; c++) {
         r->coord.f[c][lane] = by * (at + some_number(-reach, reach));
         r->ddx[c][lane] = some_number(-0.2f, 0.2f);
         r->ddy[c][lane] = some_number(-0.2f, 0.2f);
         r->offset[c][lane] = (int8_t)(below(16) - 8);
      }
      if (r->dim != 2 && r->dim != 4)
         r->coord.f[2][lane] = some_number(-1.0f, r->dim == 3 ? 14.0f : 4.0f);
      for (unsigned c = 0; c < 2 && r->dim == 3; c++) /* mostly on the face */
         r->coord.f[c][lane] = below(8) ? some_number(1.0f, 2.0f) : some_number(0.9f, 2.1f);
      r->bias[lane] = some_number(-2.0f, 2.0f);
      r->lod.f[lane] = some_number(-1.0f, 5.0f);
      r->zcompare[lane] = below(8) ? some_number(-0.5f, 1.5f) : NAN;
      if (!below(200))
         r->coord.f[0][lane] = below(2) ? NAN : INFINITY;
   }
}

/* Loads know all kinds of images. Metadata only where the layout is in the table. */
static void
describe_loaded(uint32_t t[8], uint8_t *dim)
{
   static const struct {
      uint8_t dim, type;
   } kinds[] = {{1, V_SQ_RSRC_IMG_2D},       {1, V_SQ_RSRC_IMG_2D},      {5, V_SQ_RSRC_IMG_2D_ARRAY},
                {2, V_SQ_RSRC_IMG_3D},       {6, V_SQ_RSRC_IMG_2D_MSAA}, {7, V_SQ_RSRC_IMG_2D_MSAA_ARRAY},
                {4, V_SQ_RSRC_IMG_1D_ARRAY}, {3, V_SQ_RSRC_IMG_CUBE}};
   const unsigned kind = below(ARRAY_SIZE(kinds)), slices = below(4), samples_log2 = below(3);
   const bool msaa = kinds[kind].dim >= 6, meta = !below(3);
   uint32_t ignored;
   describe_image(t, &ignored);
   *dim = kinds[kind].dim;
   const uint32_t levels = msaa ? samples_log2 + 1 : 1 + below(4);
   t[3] &= ~(S_SQ_IMG_RSRC_WORD3_TYPE(15) | S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(15));
   t[3] |= S_SQ_IMG_RSRC_WORD3_TYPE(kinds[kind].type) | S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(levels - 1);
   if (msaa || meta)
      t[3] = (t[3] & ~S_SQ_IMG_RSRC_WORD3_SW_MODE(31)) |
             S_SQ_IMG_RSRC_WORD3_SW_MODE(below(2) ? V_SW_64KB_Z_X : V_SW_64KB_R_X);
   t[4] = S_SQ_IMG_RSRC_WORD4_DEPTH(kinds[kind].type == V_SQ_RSRC_IMG_2D || kinds[kind].dim == 6 ? 0 : slices);
   t[5] = S_SQ_IMG_RSRC_WORD5_MAX_MIP(AMD_GFX10_3, levels - 1);
   t[6] = S_SQ_IMG_RSRC_WORD6_COMPRESSION_EN(meta) | S_SQ_IMG_RSRC_WORD6_META_PIPE_ALIGNED(1) |
          S_SQ_IMG_RSRC_WORD6_ALPHA_IS_ON_MSB(below(2));
   t[7] = meta ? (uint32_t)((base + META_B) >> 16) : 0;
}

static void
make_load(struct amd_tex_request *r)
{
   const bool one_level = below(4), close = below(2);
   *r = (struct amd_tex_request){.kind = AMD_TEX_LOAD, .dmask = 15, .lanes = below(2) ? 64 : 32};
   r->chip = amd_chip_by_name("navi21");
   r->exec = below(2) ? UINT64_MAX : below(UINT32_MAX) | (uint64_t)below(UINT32_MAX) << 32;
   r->exec &= r->lanes == 64 ? UINT64_MAX : UINT32_MAX;
   r->has_lod = below(2);
   r->path = (uint8_t)(below(2) ? 0 : below(4) << 1);
   describe_loaded(r->resource, &r->dim);
   const uint32_t level = below(20) ? below(5) : below(UINT32_MAX), x = below(100), y = below(60);
   for (unsigned lane = 0; lane < AMD_TEX_LANES; lane++) {
      r->coord.u[0][lane] = close ? (x + lane % 8) % 64 : below(100);
      r->coord.u[1][lane] = close ? (y + lane / 8) % 32 : below(64);
      r->coord.u[2][lane] = below(4);
      r->coord.u[3][lane] = below(4);
      r->lod.u[lane] = one_level ? level : below(5);
      if (!below(300))
         r->coord.u[below(4)][lane] = below(UINT32_MAX);
   }
}

/* Of one level of colours with metadata. */
static void
make_compressed_load(struct amd_tex_request *r)
{
   uint32_t *t = r->resource;
   make_load(r);
   r->dim = 1;
   r->path = 0;
   t[1] = (t[1] & ~S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, 511)) |
          S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, V_GFX10_FORMAT_8_8_8_8_UNORM);
   t[3] &= ~(S_SQ_IMG_RSRC_WORD3_TYPE(15) | S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(15) | S_SQ_IMG_RSRC_WORD3_SW_MODE(31));
   t[3] |= S_SQ_IMG_RSRC_WORD3_TYPE(V_SQ_RSRC_IMG_2D) | S_SQ_IMG_RSRC_WORD3_SW_MODE(V_SW_64KB_R_X);
   t[4] = t[5] = 0;
   t[6] |= S_SQ_IMG_RSRC_WORD6_COMPRESSION_EN(1);
   t[7] = (uint32_t)((base + META_B) >> 16);
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
   /* Under way until all is over: a packet that reads it is reported. */
   amd_order_begin(caches, 0, "DRAW", sim_va(0), false);
   for (unsigned i = below(4) ? 0 : below(300); i; i--)
      amd_order_mark(caches, amd_order_tag(caches, AMD_WRITER_CB), sim_va(base + below(below(2) ? MEMORY_B : META_B)),
                     1);
   for (unsigned i = below(4) ? 0 : below(100); i; i--)
      amd_order_mark(caches, amd_order_tag(caches, AMD_WRITER_CB_META), sim_va(base + META_B + below(4096)), 1);
   if (!below(3))
      amd_order_idle(caches, 0);
   amd_order_begin(caches, 0, "DRAW", sim_va(0), false);
}

/* What a wave finds, from the caches on: in a new port, whose reports count. */
static bool
read_through(struct sim_vm *vm, struct amd_tex_request *r, unsigned unit, uint32_t result[4][AMD_TEX_LANES],
             struct sim_fault *fault)
{
   static struct amd_cache_port port;
   const struct amd_cache_packet packet = amd_caches_packet(caches);
   amd_cache_port_open(&port, caches, &packet, AMD_STAGE_PS, unit, 0, false);
   if (r->port)
      r->port = &port;
   const bool ok = amd_tex_read(vm, sim_va(0), r, result, fault);
   if (ok && r->port && port.hazard.tag)
      sim_fault_set(fault, SIM_FAULT_HAZARD, port.hazard.va, "tag %lx at %lx, %d", (long)port.hazard.tag,
                    (long)port.hazard.va.va, port.hazard.stale_meta);
   return ok && !fault->kind;
}

/* How many requests of each outcome: ends, values, reports. */
struct outcomes {
   unsigned bad, good, hazards;
};

static void
compare(struct sim_vm *vm, struct amd_tex_request *r, unsigned n, struct outcomes *outcomes)
{
   uint32_t at_once[4][AMD_TEX_LANES] = {{0}}, each[4][AMD_TEX_LANES] = {{0}};
   struct sim_fault faults[2] = {{0}};
   static struct amd_cache_port some;
   const unsigned unit = below(8);
   r->port = below(4) ? &some : NULL;
   const bool ok = read_through(vm, r, unit, at_once, &faults[0]);
   r->reference = true;
   if (read_through(vm, r, unit, each, &faults[1]) != ok)
      fail_msg("request %u: \"%s\" and \"%s\"", n, faults[0].message, faults[1].message);
   assert_string_equal(faults[0].message, faults[1].message);
   outcomes->good += ok;
   outcomes->bad += !ok && faults[0].kind != SIM_FAULT_HAZARD;
   outcomes->hazards += faults[0].kind == SIM_FAULT_HAZARD;
   for (unsigned i = 0; i < 4 * AMD_TEX_LANES && ok; i++)
      if ((&at_once[0][0])[i] != (&each[0][0])[i])
         fail_msg("request %u, kind %d, dim %u, value %u: 0x%x and 0x%x", n, r->kind, r->dim, i, (&at_once[0][0])[i],
                  (&each[0][0])[i]);
}

static struct outcomes
compare_many(unsigned count, void (*make)(struct amd_tex_request *))
{
   struct outcomes outcomes = {0};
   struct amd_tex_request r;
   memory = malloc(MEMORY_B + 4096);
   for (unsigned i = 0; i < MEMORY_B + 4096; i++)
      memory[i] = (uint8_t)(i >= META_B && below(2) ? 0xff : below(256));
   /* Some are no numbers, as 32 bits and as 16. */
   for (unsigned i = below(15) * 4; i < META_B; i += 4 + below(15) * 4) {
      memory[i + 2] |= 0x80;
      memory[i + 3] |= 0x7f;
   }
   caches = amd_caches_create(amd_chip_by_name("navi21"));
   struct sim_vm *vm = NULL;
   for (unsigned n = 0; n < count; n++) {
      if (n % 100 == 0) {
         if (vm)
            sim_vm_destroy(vm);
         vm = map_pieces();
         amd_caches_job_start(caches, vm);
      }
      write_memory();
      amd_caches_launch(caches);
      make(&r);
      compare(vm, &r, n, &outcomes);
   }
   amd_caches_destroy(caches);
   sim_vm_destroy(vm);
   free(memory);
   return outcomes;
}

/* Of colours with metadata. */
static void
make_compressed_sample(struct amd_tex_request *r)
{
   struct amd_tex_request load;
   make_compressed_load(&load);
   make_request(r);
   memcpy(r->resource, load.resource, sizeof(r->resource));
   r->dim = load.dim;
   r->path = (uint8_t)(below(4) ? 0 : below(4) << 1);
}

static void
all_samples_are_as_each(void **state)
{
   const struct outcomes outcomes = compare_many(20000, make_request);
   assert_true(outcomes.good > 9000 && outcomes.bad > 100);
   const struct outcomes compressed = compare_many(5000, make_compressed_sample);
   assert_true(compressed.good > 1000 && compressed.hazards > 100);
}

static void
all_loads_are_as_each(void **state)
{
   const struct outcomes outcomes = compare_many(20000, make_load);
   assert_true(outcomes.good > 5000 && outcomes.bad > 100 && outcomes.hazards > 50);
   const struct outcomes compressed = compare_many(5000, make_compressed_load);
   assert_true(compressed.good > 1000 && compressed.hazards > 100);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(all_samples_are_as_each),
                                      cmocka_unit_test(all_loads_are_as_each)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
