/* Compression metadata: where it lies, and what the texture unit makes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/swizzle.h"
#include "amd/sim/surface/meta.h"
#include "amd/sim/tex/tex.h"
#include "util/macros.h"

#include "meta_addresses.h"
#include "meta_sizes.h"

enum { MEMORY_B = 1 << 20, META_B = 1 << 19 /* where the metadata is */ };

static const uint64_t base = UINT64_C(0x200000000);
static struct sim_vm *vm;
static uint8_t *memory;

static int
setup(void **state)
{
   vm = sim_vm_create();
   memory = aligned_alloc(4096, MEMORY_B);
   sim_vm_map(vm, sim_va(base), MEMORY_B, memory, SIM_READ | SIM_WRITE);
   return 0;
}

static int
teardown(void **state)
{
   sim_vm_destroy(vm);
   free(memory);
   return 0;
}

static struct amd_surface_desc
desc_of(enum amd_gen gen, uint32_t config, unsigned mode, unsigned element_log2, unsigned samples_log2, uint32_t w,
        uint32_t h, uint32_t slices)
{
   /* size: fields of a surface */
   return (struct amd_surface_desc){.gen = gen,
                                    .gb_addr_config = config,
                                    .base_256B = base >> 8,
                                    .mode = (uint8_t)mode,
                                    .element_log2 = (uint8_t)element_log2,
                                    .element_B = (uint8_t)(1 << element_log2),
                                    .samples_log2 = (uint8_t)samples_log2,
                                    .levels = 1,
                                    .texel_px = 1,
                                    .width_px = w,
                                    .height_px = h,
                                    .slices = slices};
}

static void
addresses_are_those_of_the_address_library(void **state)
{
   static struct amd_surface surface;
   static struct amd_meta meta;
   struct sim_fault fault = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(meta_addresses); i++) {
      const struct amd_chip *chip = amd_chip_by_name(meta_addresses[i].chip);
      const uint16_t *at = meta_addresses[i].at;
      const struct amd_surface_desc desc = desc_of(
         chip->gen, chip->gb_addr_config, meta_addresses[i].mode, meta_addresses[i].element_log2,
         meta_addresses[i].samples_log2, meta_addresses[i].width, meta_addresses[i].height, meta_addresses[i].slices);
      assert_true(amd_surface_init(&surface, &desc, 0, &fault));
      assert_true(amd_meta_init(&meta,
                                &(struct amd_meta_desc){(enum amd_meta_kind)meta_addresses[i].kind,
                                                        {.pipe = meta_addresses[i].aligned},
                                                        &desc,
                                                        &surface,
                                                        0,
                                                        base >> 8},
                                &fault));
      assert_int_equal(amd_meta_offset(&meta, at[0], at[1], at[2], 0), meta_addresses[i].address);
   }
}

static void
sizes_are_those_of_radv(void **state)
{
   static struct amd_surface surface;
   static struct amd_meta meta;
   struct sim_fault fault = {0};
   for (unsigned i = 0; i < ARRAY_SIZE(meta_sizes); i++) {
      const struct amd_chip *chip = amd_chip_by_name(meta_sizes[i].chip);
      const struct amd_surface_desc desc =
         desc_of(chip->gen, chip->gb_addr_config, meta_sizes[i].mode, meta_sizes[i].element_log2,
                 meta_sizes[i].samples_log2, meta_sizes[i].width, meta_sizes[i].width, 1);
      if (!amd_surface_init(&surface, &desc, 0, &fault) ||
          !amd_meta_init(&meta, &(struct amd_meta_desc){AMD_META_DCC, {.pipe = true}, &desc, &surface, 0, base >> 8},
                         &fault))
         fail_msg("row %u: %s", i, fault.message);
      if (meta.size_B != meta_sizes[i].size_B)
         fail_msg("row %u: %lu bytes", i, (unsigned long)meta.size_B);
   }
}

/* Each 256 bytes of colour have a byte of DCC to themselves, by equations of both that were collected separately. */
static void
bytes_of_dcc_belong_to_256_bytes(void **state)
{
   static struct amd_surface surface;
   static struct amd_meta meta;
   const struct amd_meta_pattern *p;
   struct sim_fault fault = {0};
   unsigned checked = 0;
   for (unsigned n = 0; (p = amd_meta_at(n)); n++) {
      if (p->kind != AMD_META_DCC)
         continue;
      const uint32_t w = 1u << p->width_log2, h = 2u << p->height_log2;
      const struct amd_surface_desc desc =
         desc_of(p->gen, p->config, p->mode, (unsigned)p->element_log2, (unsigned)p->samples_log2, w, h, 1);
      assert_true(amd_surface_init(&surface, &desc, 0, &fault));
      assert_true(amd_meta_init(
         &meta, &(struct amd_meta_desc){p->kind, {.pipe = p->aligned}, &desc, &surface, 0, base >> 8}, &fault));
      uint64_t blocks = surface.size_B >> 8;
      uint32_t *owner = calloc(meta.size_B, 4), *byte_of = calloc(blocks, 4);
      for (uint32_t i = 0; i < 20000; i++) {
         uint32_t x = i * 2654435761u % w, y = i * 40503u % h;
         uint32_t sample = i % 7 % meta.key_samples;
         uint64_t block = amd_surface_offset(&surface, x, y, 0, sample) >> 8;
         uint64_t at = amd_meta_offset(&meta, x, y, 0, sample);
         assert_true(block < blocks && at < meta.size_B);
         assert_true(!owner[at] || owner[at] == block + 1);
         assert_true(!byte_of[block] || byte_of[block] == at + 1);
         owner[at] = (uint32_t)block + 1;
         byte_of[block] = (uint32_t)at + 1;
      }
      free(owner);
      free(byte_of);
      checked++;
   }
   assert_true(checked >= 6 * 40);
}

/* Where metadata of levels lies: separately, and inside of what all have. */
static void
levels_do_not_overlap(void **state)
{
   static struct amd_surface surface;
   static struct amd_meta meta;
   struct sim_fault fault = {0};
   for (unsigned kind = 0; kind < 3; kind += 2) {
      struct amd_surface_desc desc =
         desc_of(AMD_GFX10_3, 0x444, kind ? V_SW_64KB_R_X : V_SW_64KB_Z_X, 2, 0, 700, 300, 2);
      desc.levels = 10;
      uint8_t *seen = NULL;
      for (unsigned level = 0; level < desc.levels; level++) {
         assert_true(amd_surface_init(&surface, &desc, level, &fault));
         assert_true(amd_meta_init(
            &meta,
            &(struct amd_meta_desc){(enum amd_meta_kind)kind, {.pipe = true}, &desc, &surface, level, base >> 8},
            &fault));
         seen = seen ? seen : calloc(1, meta.size_B);
         for (uint32_t slice = 0; slice < 2; slice++) {
            for (uint32_t y = 0; y < surface.height_el; y += 8) {
               for (uint32_t x = 0; x < surface.width_el; x += 8) {
                  uint64_t at = amd_meta_offset(&meta, x, y, slice, 0);
                  assert_true(at < meta.size_B);
                  assert_int_equal(seen[at]++, 0);
               }
            }
         }
      }
      free(seen);
   }
}

/* ---- what the texture unit reads ---- */

static void
describe(uint32_t t[8], unsigned format, unsigned mode, unsigned type)
{
   memset(t, 0, 32);
   t[0] = (uint32_t)(base >> 8);
   t[1] = S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10_3, format) | S_SQ_IMG_RSRC_WORD1_WIDTH_LO(63);
   t[2] =
      S_SQ_IMG_RSRC_WORD2_WIDTH_HI(63 >> 2) | S_SQ_IMG_RSRC_WORD2_HEIGHT(63) | S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(1);
   t[3] = S_SQ_IMG_RSRC_WORD3_DST_SEL_X(4) | S_SQ_IMG_RSRC_WORD3_DST_SEL_Y(5) | S_SQ_IMG_RSRC_WORD3_DST_SEL_Z(6) |
          S_SQ_IMG_RSRC_WORD3_DST_SEL_W(7) | S_SQ_IMG_RSRC_WORD3_TYPE(type) | S_SQ_IMG_RSRC_WORD3_SW_MODE(mode);
   t[6] = S_SQ_IMG_RSRC_WORD6_COMPRESSION_EN(1) | S_SQ_IMG_RSRC_WORD6_META_PIPE_ALIGNED(1) |
          S_SQ_IMG_RSRC_WORD6_ALPHA_IS_ON_MSB(1) | S_SQ_IMG_RSRC_WORD6_WRITE_COMPRESS_ENABLE(1);
   t[7] = (uint32_t)((base + META_B) >> 16);
}

static struct amd_tex_request
request_at(const uint32_t t[8], uint32_t x, uint32_t y)
{
   struct amd_tex_request r = {.kind = AMD_TEX_LOAD,
                               .lod_mode = AMD_TEX_LOD_ZERO,
                               .dim = 1,
                               .dmask = 15,
                               .lanes = 64,
                               .exec = 1,
                               .chip = amd_chip_by_name("navi21")};
   memcpy(r.resource, t, 32);
   r.coord.u[0][0] = x;
   r.coord.u[1][0] = y;
   return r;
}

static void
read_texel(const uint32_t t[8], uint32_t x, uint32_t y, uint32_t out[4])
{
   static uint32_t result[4][AMD_TEX_LANES];
   struct sim_fault fault = {0};
   const struct amd_tex_request r = request_at(t, x, y);
   if (!amd_tex_read(vm, sim_va(0), &r, result, &fault))
      fail_msg("%s", fault.message);
   for (unsigned c = 0; c < 4; c++)
      out[c] = result[c][0];
}

static void
expect_texel(const uint32_t t[8], uint32_t x, uint32_t y, uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
   /* size: a texel by its coordinates */
   uint32_t got[4];
   read_texel(t, x, y, got);
   assert_int_equal(got[0], r);
   assert_int_equal(got[1], g);
   assert_int_equal(got[2], b);
   assert_int_equal(got[3], a);
}

static void
dcc_stands_for_colours(void **state)
{
   enum { ONE = 0x3f800000 };
   uint32_t t[8];
   memset(memory, 0x11, MEMORY_B);
   describe(t, V_GFX10_FORMAT_8_8_8_8_UINT, V_SW_64KB_R_X, V_SQ_RSRC_IMG_2D);
   memset(memory + META_B, 0xff, META_B);
   expect_texel(t, 20, 9, 0x11, 0x11, 0x11, 0x11);
   memset(memory + META_B, 0x00, META_B);
   expect_texel(t, 20, 9, 0, 0, 0, 0);
   memset(memory + META_B, 0x40, META_B);
   expect_texel(t, 20, 9, 0, 0, 0, 255);
   memset(memory + META_B, 0x80, META_B);
   expect_texel(t, 20, 9, 255, 255, 255, 0);
   memset(memory + META_B, 0xc0, META_B);
   expect_texel(t, 20, 9, 255, 255, 255, 255);
   describe(t, V_GFX10_FORMAT_16_16_16_16_FLOAT, V_SW_64KB_R_X, V_SQ_RSRC_IMG_2D);
   memset(memory + META_B, 0x40, META_B);
   expect_texel(t, 63, 63, 0, 0, 0, ONE);
   describe(t, V_GFX10_FORMAT_8_8_8_8_SNORM, V_SW_64KB_R_X, V_SQ_RSRC_IMG_2D);
   t[6] &= ~S_SQ_IMG_RSRC_WORD6_ALPHA_IS_ON_MSB(1);
   expect_texel(t, 63, 63, ONE, 0, 0, 0);
   /* The first element of the 256 bytes stands for all: 8x8 pixels of four bytes. */
   describe(t, V_GFX10_FORMAT_8_8_8_8_UINT, V_SW_64KB_R_X, V_SQ_RSRC_IMG_2D);
   memset(memory + META_B, 0x10, META_B);
   for (unsigned i = 0; i < META_B; i += 256)
      memcpy(memory + i, "\1\2\3\4", 4);
   expect_texel(t, 20, 9, 1, 2, 3, 4);
}

/* A store spells out what its 256 bytes were, and its neighbours stay as they are. */
static void
stores_make_dcc_plain(void **state)
{
   uint32_t t[8];
   struct sim_va va[AMD_TEX_LANES];
   struct sim_fault fault = {0};
   uint64_t valid = 1, run_B;
   memset(memory, 0x11, MEMORY_B);
   memset(memory + META_B, 0xc0, META_B);
   describe(t, V_GFX10_FORMAT_8_8_8_8_UINT, V_SW_64KB_R_X, V_SQ_RSRC_IMG_2D);
   const struct amd_tex_request r = request_at(t, 20, 9);
   assert_true(amd_tex_locate(&r, vm, va, &valid, &fault));
   memcpy(sim_vm_lookup(vm, va[0], SIM_WRITE, &run_B, NULL), "\5\6\7\x8", 4);
   expect_texel(t, 20, 9, 5, 6, 7, 8);
   expect_texel(t, 21, 9, 255, 255, 255, 255);
   t[6] = 0; /* and without metadata: what is in memory */
   expect_texel(t, 21, 9, 255, 255, 255, 255);
   expect_texel(t, 24, 9, 0x11, 0x11, 0x11, 0x11);
}

/* Without WRITE_COMPRESS_ENABLE a store goes to memory, and metadata says what it said before. */
static void
stores_keep_dcc(void **state)
{
   uint32_t t[8];
   struct sim_va va[AMD_TEX_LANES];
   struct sim_fault fault = {0};
   uint64_t valid = 1, run_B;
   memset(memory, 0x11, MEMORY_B);
   memset(memory + META_B, 0xc0, META_B);
   describe(t, V_GFX10_FORMAT_8_8_8_8_UINT, V_SW_64KB_R_X, V_SQ_RSRC_IMG_2D);
   t[6] &= ~S_SQ_IMG_RSRC_WORD6_WRITE_COMPRESS_ENABLE(1);
   const struct amd_tex_request r = request_at(t, 20, 9);
   assert_true(amd_tex_locate(&r, vm, va, &valid, &fault));
   memcpy(sim_vm_lookup(vm, va[0], SIM_WRITE, &run_B, NULL), "\5\6\7\x8", 4);
   expect_texel(t, 20, 9, 255, 255, 255, 255);
   t[6] = 0;
   expect_texel(t, 20, 9, 5, 6, 7, 8);
   expect_texel(t, 21, 9, 0x11, 0x11, 0x11, 0x11);
   describe(t, V_GFX10_FORMAT_32_FLOAT, V_SW_64KB_Z_X, V_SQ_RSRC_IMG_2D); /* HTILE: no shader stores there */
   const struct amd_tex_request refused = request_at(t, 40, 40);
   assert_false(amd_tex_locate(&refused, vm, va, &valid, &fault));
}

/* Erratum image-load-dcc. */
static void
loads_know_of_stores(void **state)
{
   static uint32_t result[4][AMD_TEX_LANES];
   static const char *const chips[] = {"vangogh", "navi21"};
   uint32_t t[8];
   memset(memory, 0x11, MEMORY_B);
   memset(memory + META_B, 0xff, META_B);
   for (unsigned i = 0; i < 4; i++) {
      struct sim_fault fault = {0};
      describe(t, V_GFX10_FORMAT_8_8_8_8_UINT, V_SW_64KB_R_X, V_SQ_RSRC_IMG_2D);
      if (i & 1)
         t[6] &= ~S_SQ_IMG_RSRC_WORD6_WRITE_COMPRESS_ENABLE(1);
      struct amd_tex_request r = request_at(t, 20, 9);
      r.chip = amd_chip_by_name(chips[i / 2]);
      assert_int_equal(amd_tex_read(vm, sim_va(0), &r, result, &fault), i != 0);
   }
}

/* From GFX10 on the first level in the mip tail has metadata and the others have none, whatever lies there. */
static void
tails_have_one_compressed_level(void **state)
{
   uint32_t t[8];
   memset(memory, 0x11, META_B);
   memset(memory + META_B, 0x00, META_B);
   for (unsigned level = 0; level < 4; level++) {
      describe(t, V_GFX10_FORMAT_8_8_8_8_UINT, V_SW_64KB_R_X, V_SQ_RSRC_IMG_2D);
      t[3] |= S_SQ_IMG_RSRC_WORD3_BASE_LEVEL(level) | S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(level);
      t[5] = S_SQ_IMG_RSRC_WORD5_MAX_MIP(AMD_GFX10_3, 6);
      expect_texel(t, 3, 5, level ? 0x11 : 0, level ? 0x11 : 0, level ? 0x11 : 0, level ? 0x11 : 0);
   }
   describe(t, V_GFX10_FORMAT_32_FLOAT, V_SW_64KB_Z_X, V_SQ_RSRC_IMG_2D);
   t[3] |= S_SQ_IMG_RSRC_WORD3_BASE_LEVEL(2) | S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(2);
   t[5] = S_SQ_IMG_RSRC_WORD5_MAX_MIP(AMD_GFX10_3, 6);
   expect_texel(t, 3, 5, 0x11111111, 0, 0, 0x3f800000);
}

static void
fill_words(uint32_t value)
{
   for (unsigned i = 0; i < META_B; i += 4)
      memcpy(memory + META_B + i, &value, 4);
}

static void
htile_stands_for_depth(void **state)
{
   uint32_t t[8], one = 0x3f800000, half = 0x3f000000;
   for (unsigned i = 0; i < META_B; i += 4)
      memcpy(memory + i, &half, 4);
   describe(t, V_GFX10_FORMAT_32_FLOAT, V_SW_64KB_Z_X, V_SQ_RSRC_IMG_2D);
   fill_words(0xfffc000f); /* plain */
   expect_texel(t, 30, 50, half, 0, 0, one);
   fill_words(0xfffffff0); /* clear to 1 */
   expect_texel(t, 30, 50, one, 0, 0, one);
   fill_words(0); /* clear to 0 */
   expect_texel(t, 30, 50, 0, 0, 0, one);
   memset(memory, 0x77, META_B);
   describe(t, V_GFX10_FORMAT_8_UINT, V_SW_64KB_Z_X, V_SQ_RSRC_IMG_2D);
   fill_words(0xfffff3ff);
   expect_texel(t, 30, 50, 0x77, 0, 0, 1);
   fill_words(0xfffff0ff);
   expect_texel(t, 30, 50, 0, 0, 0, 1);
}

/* Four bits a sample, whatever FMASK has. */
static void
fmask_stands_for_fragments(void **state)
{
   uint32_t t[8];
   memset(memory, 0xe4, META_B);
   describe(t, V_GFX10_FORMAT_FMASK8_S4_F4, V_SW_64KB_Z_X, V_SQ_RSRC_IMG_2D);
   memset(memory + META_B, 0xee, META_B);
   expect_texel(t, 33, 7, 0x3210, 0, 0, 1);
   memset(memory + META_B, 0xcc, META_B); /* all samples have fragment 0 */
   expect_texel(t, 33, 7, 0, 0, 0, 1);
   for (unsigned log2 = 1; log2 < 4; log2++) {
      for (unsigned s = 0; s < 1u << log2; s++)
         assert_int_equal(amd_fmask_fragment(amd_fmask_identity(log2), log2, s), s);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(addresses_are_those_of_the_address_library),
      cmocka_unit_test(sizes_are_those_of_radv),
      cmocka_unit_test(bytes_of_dcc_belong_to_256_bytes),
      cmocka_unit_test(levels_do_not_overlap),
      cmocka_unit_test(dcc_stands_for_colours),
      cmocka_unit_test(stores_make_dcc_plain),
      cmocka_unit_test(stores_keep_dcc),
      cmocka_unit_test(loads_know_of_stores),
      cmocka_unit_test(tails_have_one_compressed_level),
      cmocka_unit_test(htile_stands_for_depth),
      cmocka_unit_test(fmask_stands_for_fragments),
   };
   return cmocka_run_group_tests(tests, setup, teardown);
}
