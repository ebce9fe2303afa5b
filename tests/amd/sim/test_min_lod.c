/* Loads of levels below the whole part of a view's MIN_LOD are zero and have no address, for stores; the others are
 * what they are without it. It counts from the first level of the image, not of the view. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/descriptors.h"
#include "amd/sim/tex/tex.h"
#include "sim/vm/vm.h"
#include "util/macros.h"

enum { MEMORY_B = 1 << 16, SIZE = 16, LEVELS = 4, DIM_2D = 1 };
static const uint64_t base = UINT64_C(0x200000000);

/* Where the generations have their fields. */
static void
describe(uint32_t t[8], enum amd_gen gen, unsigned base_level, unsigned min_lod)
{
   memset(t, 0, 32);
   t[0] = (uint32_t)(base >> 8);
   t[1] = S_SQ_IMG_RSRC_WORD1_BASE_ADDRESS_HI(base >> 40);
   t[2] = S_SQ_IMG_RSRC_WORD2_HEIGHT(SIZE - 1);
   t[3] = S_SQ_IMG_RSRC_WORD3_DST_SEL_X(V_SQ_SEL_X) | S_SQ_IMG_RSRC_WORD3_TYPE(V_SQ_RSRC_IMG_2D) |
          S_SQ_IMG_RSRC_WORD3_BASE_LEVEL(base_level) | S_SQ_IMG_RSRC_WORD3_LAST_LEVEL(LEVELS - 1);
   if (gen == AMD_GFX9) { /* formats 4 and 4: 32, UINT */
      t[1] |= S_SQ_IMG_RSRC_WORD1_DATA_FORMAT(4) | S_SQ_IMG_RSRC_WORD1_NUM_FORMAT(4) |
              S_SQ_IMG_RSRC_WORD1_MIN_LOD(min_lod);
      t[2] |= S_SQ_IMG_RSRC_WORD2_WIDTH(SIZE - 1);
      t[4] = S_SQ_IMG_RSRC_WORD4_PITCH(64 - 1);
      t[5] = S_SQ_IMG_RSRC_WORD5_MAX_MIP(gen, LEVELS - 1);
      return;
   }
   t[1] |= S_SQ_IMG_RSRC_WORD1_WIDTH_LO(SIZE - 1);
   t[2] |= S_SQ_IMG_RSRC_WORD2_WIDTH_HI((SIZE - 1) >> 2) | S_SQ_IMG_RSRC_WORD2_RESOURCE_LEVEL(1);
   if (gen >= AMD_GFX11) {
      t[1] |= S_SQ_IMG_RSRC_WORD1_FORMAT(gen, V_GFX10_FORMAT_32_UINT) | S_SQ_IMG_RSRC_WORD1_MAX_MIP(LEVELS - 1);
      t[5] = S_SQ_IMG_RSRC_WORD5_MIN_LOD_LO(min_lod & 31);
      t[6] = S_SQ_IMG_RSRC_WORD6_MIN_LOD_HI(min_lod >> 5);
      return;
   }
   t[1] |= S_SQ_IMG_RSRC_WORD1_FORMAT(gen, V_GFX10_FORMAT_32_UINT) | S_SQ_IMG_RSRC_WORD1_MIN_LOD(min_lod);
   t[5] = S_SQ_IMG_RSRC_WORD5_MAX_MIP(gen, LEVELS - 1);
}

static uint32_t
load(struct sim_vm *vm, const struct amd_chip *chip, unsigned base_level, unsigned min_lod, uint32_t lod,
     bool *has_address)
{
   static uint32_t result[4][AMD_TEX_LANES];
   struct amd_tex_request r = {.kind = AMD_TEX_LOAD,
                               .lod_mode = AMD_TEX_LOD_ZERO,
                               .dim = DIM_2D,
                               .dmask = 1,
                               .lanes = 64,
                               .exec = 1,
                               .has_lod = lod > 0, /* without one it is 0 */
                               .chip = chip};
   struct sim_fault fault = {0};
   struct sim_va va[AMD_TEX_LANES];
   uint64_t valid = 1;
   describe(r.resource, chip->gen, base_level, min_lod);
   r.coord.u[0][0] = r.coord.u[1][0] = 1;
   r.lod.u[0] = lod;
   if (!amd_tex_read(vm, sim_va(0), &r, result, &fault) || !amd_tex_locate(&r, NULL, va, &valid, &fault))
      fail_msg("%s: %s", chip->name, fault.message);
   *has_address = valid;
   return result[0][0];
}

static void
levels_below_are_not_there(void **state)
{
   static const char *const chips[] = {"vega10", "navi10", "navi21", "navi31", "gfx1150"};
   uint32_t *memory = aligned_alloc(4096, MEMORY_B);
   struct sim_vm *vm = sim_vm_create();
   assert_true(sim_vm_map(vm, sim_va(base), MEMORY_B, memory, SIM_READ | SIM_WRITE));
   for (unsigned i = 0; i < MEMORY_B / 4; i++)
      memory[i] = i + 1;
   for (unsigned n = 0; n < ARRAY_SIZE(chips) * LEVELS * LEVELS; n++) {
      const struct amd_chip *chip = amd_chip_by_name(chips[n / (LEVELS * LEVELS)]);
      const unsigned base_level = n / LEVELS % LEVELS, lod = n % LEVELS, level = base_level + lod;
      bool has_address;
      const uint32_t plain = load(vm, chip, base_level, 0, lod, &has_address);
      assert_int_equal(plain != 0, level < LEVELS);
      for (unsigned min_lod = 0; min_lod < LEVELS << 8; min_lod += 51) {
         const uint32_t expected = level >= min_lod >> 8 ? plain : 0;
         const uint32_t got = load(vm, chip, base_level, min_lod, lod, &has_address);
         if (got != expected || has_address != (expected != 0))
            fail_msg("%s: level %u + %u with MIN_LOD %u/256: %u, not %u", chip->name, base_level, lod, min_lod, got,
                     expected);
      }
   }
   sim_vm_destroy(vm);
   free(memory);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(levels_below_are_not_there)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
