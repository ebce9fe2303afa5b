/* Compressed depth of several samples that textures read: what DB and descriptors must say, or it is a fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/hw/registers.h"
#include "amd/sim/state/draw_state_private.h"
#include "amd/sim/base/gpu.h"
#include "amd/sim/tex/tex_image.h"
#include "util/macros.h"

#define Z16 V_Z_16
#define Z32 V_Z_32_FLOAT
#define NONE SIM_FAULT_NONE
#define BAD SIM_FAULT_STATE
#define HANG SIM_FAULT_HANG

static enum sim_fault_kind
draw(const char *chip, uint32_t z, uint32_t stencil)
{
   enum amd_gen gen = amd_chip_by_name(chip)->gen;
   struct amd_model *model = amd_model_create(gen);
   struct amd_regs *regs = calloc(1, sizeof(*regs));
   struct sim_fault fault = {0};
   const struct amd_gpu gpu = {.model = model, .regs = regs, .fault = &fault};

   assert_non_null(model);
   assert_non_null(regs);
   *amd_regs_slot(regs, R_DB_Z_INFO(gen)) = z;
   *amd_regs_slot(regs, R_DB_STENCIL_INFO(gen)) = stencil;
   bool ok = amd_draw_state_planes(&gpu);
   assert_int_equal(ok, fault.kind == SIM_FAULT_NONE);
   free(regs);
   free(model);
   return fault.kind;
}

static void
targets(void **state)
{
   static const struct {
      const char *chip;
      uint8_t format, samples_log2, limit;
      bool htile, iterates, stencil;
      enum sim_fault_kind kind;
   } rows[] = {
      {"navi21", Z32, 2, 5, true, true, false, NONE},
      {"navi21", Z32, 2, 5, true, false, false, BAD},
      {"navi21", Z32, 2, 5, false, false, false, NONE}, /* no HTILE */
      {"navi21", Z32, 0, 5, true, false, false, NONE},  /* one sample */
      {"navi21", Z32, 2, 0, true, false, false, NONE},  /* not for textures */
      {"navi21", Z32, 2, 15, true, false, false, NONE}, /* nor is this, as radeonsi says it */
      {"vega10", Z32, 2, 15, true, false, false, NONE},
      {"navi21", Z32, 2, 6, true, true, false, BAD},
      {"navi21", Z16, 2, 3, true, true, false, NONE},
      {"navi21", Z16, 2, 4, true, true, false, BAD},
      {"navi21", Z32, 2, 5, true, true, true, NONE},
      {"navi10", Z32, 2, 5, true, true, false, NONE},
      {"navi10", Z32, 2, 5, true, true, true, HANG}, /* erratum two-planes-iterate256 */
      {"navi10", Z32, 2, 0, true, true, true, HANG},
      {"navi10", Z32, 2, 2, true, true, true, NONE},
      {"navi10", Z32, 1, 5, true, true, true, NONE}, /* only of four samples */
      {"navi10", Z32, 3, 5, true, true, true, NONE},
      {"vega10", Z32, 2, 5, true, false, true, NONE}, /* has no such bit */
      {"vega10", Z16, 1, 5, true, false, false, BAD},
      {"navi31", Z32, 3, 5, true, false, false, BAD},
   };

   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      uint32_t iterates = rows[i].iterates ? S_DB_Z_INFO_ITERATE_256(1) : 0;
      uint32_t z = S_DB_Z_INFO_FORMAT(rows[i].format) | S_DB_Z_INFO_NUM_SAMPLES(rows[i].samples_log2) |
                   S_DB_Z_INFO_TILE_SURFACE_ENABLE(rows[i].htile) |
                   S_DB_Z_INFO_DECOMPRESS_ON_N_ZPLANES(rows[i].limit) | iterates;
      uint32_t stencil = rows[i].stencil ? S_DB_STENCIL_INFO_FORMAT(V_STENCIL_8) | iterates
                                         : S_DB_STENCIL_INFO_TILE_STENCIL_DISABLE(1);

      if (draw(rows[i].chip, z, stencil) != rows[i].kind)
         fail_msg("row %u", i);
   }
}

static enum sim_fault_kind
sample(const char *name, uint32_t word1, unsigned mode, unsigned samples_log2, uint32_t word6)
{
   const struct amd_chip *chip = amd_chip_by_name(name);
   struct sim_fault fault = {0};
   const uint32_t words[8] = {0x100000,
                              word1,
                              S_SQ_IMG_RSRC_WORD2_WIDTH(63) | S_SQ_IMG_RSRC_WORD2_HEIGHT(63),
                              S_SQ_IMG_RSRC_WORD3_SW_MODE(mode) | S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(samples_log2) |
                                 S_SQ_IMG_RSRC_WORD3_TYPE(samples_log2 ? V_SQ_RSRC_IMG_2D_MSAA : V_SQ_RSRC_IMG_2D),
                              0,
                              0,
                              S_SQ_IMG_RSRC_WORD6_COMPRESSION_EN(1) | word6,
                              0x1000};
   struct tex_image *image = tex_image_get(words, chip, &fault);

   assert_int_equal(image != NULL, fault.kind == SIM_FAULT_NONE);
   return fault.kind;
}

static void
textures(void **state)
{
   uint32_t float32 = S_SQ_IMG_RSRC_WORD1_FORMAT(AMD_GFX10, V_GFX10_FORMAT_32_FLOAT);
   /* GFX9: IMG_DATA_FORMAT_16 of UNORM, IMG_DATA_FORMAT_32 of FLOAT */
   uint32_t unorm16_9 = S_SQ_IMG_RSRC_WORD1_DATA_FORMAT(2) | S_SQ_IMG_RSRC_WORD1_NUM_FORMAT(0);
   uint32_t float32_9 = S_SQ_IMG_RSRC_WORD1_DATA_FORMAT(4) | S_SQ_IMG_RSRC_WORD1_NUM_FORMAT(7);
   uint32_t iterates = S_SQ_IMG_RSRC_WORD6_ITERATE_256(1);

   assert_int_equal(sample("navi21", float32, V_SW_64KB_Z_X, 2, iterates), NONE);
   assert_int_equal(sample("navi21", float32, V_SW_64KB_Z_X, 2, 0), BAD);
   assert_int_equal(sample("navi10", float32, V_SW_64KB_Z_X, 1, 0), BAD);
   assert_int_equal(sample("navi21", float32, V_SW_64KB_Z_X, 0, 0), NONE);
   /* Erratum gfx9-msaa-depth-xor: of eight bytes a pixel and more */
   assert_int_equal(sample("vega10", float32_9, V_SW_64KB_Z_X, 1, 0), BAD);
   assert_int_equal(sample("vega10", float32_9, V_SW_4KB_Z_X, 3, 0), BAD);
   assert_int_equal(sample("vega10", float32_9, V_SW_64KB_Z, 1, 0), NONE);
   assert_int_equal(sample("vega10", unorm16_9, V_SW_64KB_Z_X, 1, 0), NONE);
   assert_int_equal(sample("vega10", unorm16_9, V_SW_64KB_Z_X, 3, 0), BAD);
   assert_int_equal(sample("vega10", float32_9, V_SW_64KB_Z_X, 0, 0), NONE);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(targets), cmocka_unit_test(textures)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
