/* Which size of waves programs get where nobody asks for one, and that what prescribes a size always wins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/drivers/radeonsi/shader/si_wave_size.h"
#include "util/macros.h"

static void
nothing(struct nir_builder *b)
{
   nir_imm_int(b, 0);
}

static void
workgroup_barrier(struct nir_builder *b)
{
   nir_barrier(b, .execution_scope = NIR_SCOPE_WORKGROUP, .memory_scope = NIR_SCOPE_WORKGROUP);
}

static void
subgroup_barrier(struct nir_builder *b)
{
   nir_barrier(b, .execution_scope = NIR_SCOPE_SUBGROUP, .memory_scope = NIR_SCOPE_SUBGROUP);
}

static void
quad(struct nir_builder *b)
{
   nir_quad_swap_horizontal(b, nir_imm_int(b, 0));
}

static void
ballot(struct nir_builder *b)
{
   nir_ballot(b, nir_imm_bool(b, true));
}

static void
subgroup_id(struct nir_builder *b)
{
   nir_load_subgroup_id(b);
}

static void
subgroup_size(struct nir_builder *b)
{
   nir_load_subgroup_size(b);
}

static void
sizes(void **state)
{
   static const struct {
      enum amd_gen gen;
      enum nir_stage stage;
      uint32_t size[3];
      void (*add)(struct nir_builder *b);
      unsigned by_itself, with_32; /* with_32: where RADEONSI_DEBUG says wave32 */
      uint8_t prescribed;
      bool varies;
   } rows[] = {
      {AMD_GFX10_3, NIR_STAGE_VERTEX, {1, 1, 1}, nothing, 64, 32, 0, false},
      {AMD_GFX10_3, NIR_STAGE_FRAGMENT, {1, 1, 1}, nothing, 64, 32, 0, false},
      {AMD_GFX10_3, NIR_STAGE_FRAGMENT, {1, 1, 1}, quad, 64, 32, 0, false},
      {AMD_GFX10_3, NIR_STAGE_FRAGMENT, {1, 1, 1}, ballot, 64, 64, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {1, 1, 1}, nothing, 32, 32, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {8, 2, 2}, nothing, 32, 32, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {33, 1, 1}, nothing, 64, 32, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {65536, 65536, 1}, nothing, 64, 32, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {8, 4, 1}, workgroup_barrier, 32, 32, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {8, 4, 1}, quad, 32, 32, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {8, 4, 1}, subgroup_barrier, 64, 64, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {8, 4, 1}, ballot, 64, 64, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {8, 4, 1}, subgroup_id, 64, 64, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {8, 4, 1}, subgroup_size, 64, 64, 0, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {8, 4, 1}, ballot, 32, 32, 0, true},
      {AMD_GFX10_3, NIR_STAGE_FRAGMENT, {1, 1, 1}, subgroup_size, 64, 32, 0, true},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {8, 4, 1}, nothing, 64, 64, 64, false},
      {AMD_GFX10_3, NIR_STAGE_COMPUTE, {64, 4, 1}, ballot, 32, 32, 32, false},
      {AMD_GFX10_3, NIR_STAGE_VERTEX, {1, 1, 1}, ballot, 32, 32, 32, false},
      {AMD_GFX10, NIR_STAGE_COMPUTE, {8, 4, 1}, nothing, 32, 32, 0, false},
      {AMD_GFX11, NIR_STAGE_COMPUTE, {8, 4, 1}, nothing, 32, 32, 0, false},
      {AMD_GFX9, NIR_STAGE_COMPUTE, {8, 4, 1}, nothing, 64, 64, 0, false},
      {AMD_GFX9, NIR_STAGE_FRAGMENT, {1, 1, 1}, ballot, 64, 64, 0, false},
   };
   for (unsigned i = 0; i < ARRAY_SIZE(rows); i++) {
      struct arena arena = {0};
      struct si_screen screen = {.info.gen = rows[i].gen};
      struct nir_shader *nir = nir_shader_create(&arena, rows[i].stage);
      struct nir_builder b = nir_builder_create(nir);
      memcpy(nir->info.workgroup_size, rows[i].size, sizeof(rows[i].size));
      nir->info.subgroup_size = rows[i].prescribed;
      nir->info.subgroup_varies = rows[i].varies;
      rows[i].add(&b);
      unsigned expected = getenv("RADEONSI_DEBUG") ? rows[i].with_32 : rows[i].by_itself;
      if (si_wave_size(&screen, nir) != expected)
         fail_msg("row %u: waves of %u lanes, not of %u", i, si_wave_size(&screen, nir), expected);
      arena_free(&arena);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(sizes)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
