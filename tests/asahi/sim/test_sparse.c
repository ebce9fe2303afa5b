/* Page tables of sparse images in the model: what a damaged table says, what counters count, where a layer begins.
 * Words are written by hand, from the document. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "asahi/sim/surface/surface.h"
#include "image.h"
#include "util/format_enum.h"

/* An image of 256x256 texels of 4 bytes (16 pages) and 3 layers: one folio each. Its pages lie after the table. */
enum { SIDE = 256, LAYERS = 3, FOLIO_B = 2048, PAGE_B = 16384, MEMORY_B = 4 * PAGE_B };

#define WORD(va) ((uint32_t)((va) >> 14) | 3u << 30)

struct rig {
   struct image_memory memory;
   struct agx_surface surface;
   uint32_t *words;
};

static bool
start(struct rig *rig, uint64_t table_va)
{
   struct ail_layout layout;
   struct ail_image image = {.format = FORMAT_R32_UINT,
                             .dimension = AIL_2D,
                             .tiling = AIL_TILING_TWIDDLED,
                             .width_px = SIDE,
                             .height_px = SIDE,
                             .depth_px = 1,
                             .layers = LAYERS,
                             .levels = 1,
                             .samples = 1,
                             .sparse = true};
   struct agx_texture texture;
   struct sim_fault fault = {0};
   uint32_t record[6];
   assert_int_equal(ail_layout_init(&layout, &image), AIL_OK);
   image_map(&rig->memory, MEMORY_B);
   rig->words = (uint32_t *)((char *)rig->memory.host + (table_va - IMAGE_VA));
   image_texture(&layout, record);
   agx_texture_unpack(&texture, record);
   texture.mode = AGX_IMAGE_MODE_SPARSE;
   texture.address = table_va;
   agx_texture_pack(record, &texture);
   return agx_surface_of_texture(&rig->surface, record, &fault) &&
          agx_surface_map(&rig->surface, rig->memory.vm, SIM_READ, &fault);
}

static enum agx_surface_access
read_texel(struct rig *rig, uint32_t x, uint32_t y, uint32_t layer, uint32_t *texel, struct sim_fault *fault)
{
   *fault = (struct sim_fault){0};
   *texel = 0xcccccccc;
   return agx_surface_read_bytes(&rig->surface, rig->memory.vm,
                                 &(struct agx_surface_place){.x_px = x, .y_px = y, .layer = layer}, texel, fault);
}

/* Layer n's words begin at folio n, though a layer has 16 pages. */
static void
test_layers(void **state)
{
   struct rig rig;
   struct sim_fault fault;
   uint32_t texel;
   assert_true(start(&rig, IMAGE_VA));
   uint32_t *page = (uint32_t *)((char *)rig.memory.host + PAGE_B);
   rig.words[2 * FOLIO_B / 4 + 3] = WORD(IMAGE_VA + PAGE_B);
   page[0] = 0x1234;
   /* Page 3 of the twiddled layer is the square at (64, 64). */
   assert_int_equal(read_texel(&rig, 64, 64, 2, &texel, &fault), AGX_SURFACE_DONE);
   assert_int_equal(texel, 0x1234);
   for (uint32_t layer = 0; layer < 2; layer++) {
      assert_int_equal(read_texel(&rig, 64, 64, layer, &texel, &fault), AGX_SURFACE_ABSENT);
      assert_int_equal(texel, 0);
   }
   image_unmap(&rig.memory);
}

/* Each read counts once, whether the page is there or not; writes do not. */
static void
test_counters(void **state)
{
   struct rig rig;
   struct sim_fault fault;
   uint32_t texel = 7;
   assert_true(start(&rig, IMAGE_VA));
   rig.words[1] = WORD(IMAGE_VA + PAGE_B);
   for (unsigned i = 0; i < 5; i++)
      read_texel(&rig, 64 + i, i, 0, &texel, &fault); /* page 1 */
   read_texel(&rig, 0, 0, 0, &texel, &fault);         /* page 0, absent */
   assert_int_equal(
      agx_surface_write(&rig.surface, rig.memory.vm, &(struct agx_surface_place){.x_px = 64}, &texel, &fault),
      AGX_SURFACE_DONE);
   assert_int_equal(rig.words[256], 1);
   assert_int_equal(rig.words[257], 5);
   rig.words[257] = UINT32_MAX;
   read_texel(&rig, 64, 0, 0, &texel, &fault);
   assert_int_equal(rig.words[257], UINT32_MAX);
   image_unmap(&rig.memory);
}

static void
expect_fault(uint64_t table_va, uint32_t word, enum sim_fault_kind kind, const char *says)
{
   struct rig rig;
   struct sim_fault fault;
   uint32_t texel;
   assert_true(start(&rig, table_va));
   if (table_va < IMAGE_VA + MEMORY_B)
      rig.words[1] = word;
   assert_int_equal(read_texel(&rig, 64, 0, 0, &texel, &fault), AGX_SURFACE_FAULT);
   assert_int_equal(fault.kind, kind);
   if (!strstr(fault.message, says))
      fail_msg("\"%s\" does not say \"%s\"", fault.message, says);
   image_unmap(&rig.memory);
}

static void
test_bad_tables(void **state)
{
   const uint64_t beyond = IMAGE_VA + MEMORY_B;
   expect_fault(IMAGE_VA, WORD(beyond), SIM_FAULT_ADDRESS, "page 1 of layer 0 of a sparse image at unmapped address");
   /* The largest address that a word can have. */
   expect_fault(IMAGE_VA, UINT32_MAX, SIM_FAULT_ADDRESS, "page 1 of layer 0 of a sparse image at unmapped address");
   expect_fault(IMAGE_VA, WORD(IMAGE_VA) & ~(1u << 30), SIM_FAULT_STATE, "bits 30 and 31 go together");
   expect_fault(IMAGE_VA, 1u << 30, SIM_FAULT_STATE, "bits 30 and 31 go together");
   expect_fault(beyond, 0, SIM_FAULT_ADDRESS, "page table of a sparse image at unmapped address");
   /* Half a folio: the words are there, the counters are not. */
   expect_fault(beyond - FOLIO_B / 2, WORD(IMAGE_VA), SIM_FAULT_ADDRESS, "counter of page 1 of layer 0");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layers),
      cmocka_unit_test(test_counters),
      cmocka_unit_test(test_bad_tables),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
