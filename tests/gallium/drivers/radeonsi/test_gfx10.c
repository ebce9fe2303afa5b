/* Register writes of GFX10 and GFX10.3 for both vertex pipelines: of registers that they have, in fields that they
 * have, and with the values that RADV has programmed on the model (`indium run --gpu CHIP --dump-state FILE`;
 * examples/ scene, 64 x 64 pixels): NGG RADV 26 by default, where primitives pass through; legacy, which
 * RADEONSI_DEBUG=nongg asks for here, RADV 22 with --plain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/hw/chips.h"
#include "amd/hw/registers.h"
#include "compiler/nir/nir_builder.h"
#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "written.h"

static const struct {
   const char *name;
   uint32_t ngg_cntl, ge_cntl;
} chips[] = {
   {"navi10", 0, 0x0000f680}, /* VERT_GRP_SIZE: erratum ge-vert-grp-size */
   {"navi21", 0x78, 0x00010080},
   {"vangogh", 0x78, 0x00010080},
};

static bool
wants_ngg(void)
{
   return !getenv("RADEONSI_DEBUG");
}

static void
preambles(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      struct si_screen *screen = screen_of(chips[i].name);
      const struct amdgpu_ws_ib *ib = &screen->preambles[AMDGPU_WS_GFX];
      const uint32_t *dw = fake_memory(ib->va, 4 * ib->size_dw);
      bool flushes = false;

      memset(written, 0, sizeof(written));
      for (unsigned at = 0; at < ib->size_dw && dw[at] != PKT3_NOP_PAD; at += 2 + G_PKT3_COUNT(dw[at])) {
         uint32_t opcode = G_PKT3_OPCODE(dw[at]);
         bool sets = opcode == PKT3_SET_CONTEXT_REG || opcode == PKT3_SET_SH_REG || opcode == PKT3_SET_UCONFIG_REG;

         if (sets)
            run_packet(dw + at);
         flushes |= opcode == PKT3_EVENT_WRITE && dw[at + 1] == 0x24; /* VGT_FLUSH */
      }
      assert_true(flushes); /* erratum ngg-legacy-vgt-flush */
      expect("PA_SC_NGG_MODE_CNTL", 0x200);
      expect("GE_MAX_VTX_INDX", UINT32_MAX);
      expect("SPI_SHADER_PGM_RSRC4_VS", 0xffff); /* programs with transform feedback are always there */
      if (wants_ngg()) {
         expect("PA_CL_NGG_CNTL", chips[i].ngg_cntl);
         expect("SPI_SHADER_USER_ACCUM_ESGS_3", 0);
      } else {
         assert_false(written[R_SPI_SHADER_PGM_RSRC3_GS / 4]);
      }
      screen->base.destroy(&screen->base);
   }
}

/* With as many inputs as there can be: the registers of a program fit into its room. */
static struct pipe_program *
create(struct pipe_screen *screen)
{
   static const struct pipe_pipeline_layout layout = {0};
   const struct pipe_graphics_state gfx = {.topology = PIPE_TRIANGLE_LIST, .samples = 4};
   const struct pipe_graphics_options options = {.layout = &layout, .state = &gfx};
   struct arena arena = {0};
   struct nir_shader *const shaders[NIR_STAGES] = {
      [NIR_STAGE_VERTEX] = nir_shader_create(&arena, NIR_STAGE_VERTEX),
      [NIR_STAGE_FRAGMENT] = nir_shader_create(&arena, NIR_STAGE_FRAGMENT),
   };
   struct nir_builder b = nir_builder_create(shaders[NIR_STAGE_FRAGMENT]);
   struct pipe_program *out;

   struct nir_def *sum = nir_imm_vec4(&b, 0, 0, 0, 0);
   for (unsigned slot = NIR_SLOT_VAR0; slot <= NIR_SLOT_VAR31; slot++)
      sum = nir_fadd(&b, sum, nir_load_input(&b, 4, 32, nir_imm_int(&b, 0), .slot = slot));
   nir_store_output(&b, sum, nir_imm_int(&b, 0), .slot = NIR_SLOT_FRAG_DATA0, .write_mask = 15,
                    .src_type = NIR_TYPE_FLOAT);
   assert_int_equal(screen->graphics_program_create(screen, shaders, &options, &out), PIPE_OK);
   arena_free(&arena);
   return out;
}

static void
programs(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      struct si_screen *screen = screen_of(chips[i].name);
      struct pipe_program *program = create(&screen->base);

      collect_writes(si_program(program)->regs.dw, si_program(program)->regs.count_dw);
      assert_true(written[(R_SPI_PS_INPUT_CNTL_0 + 4 * 31) / 4]);
      if (wants_ngg()) {
         expect("VGT_SHADER_STAGES_EN", 0x02012010);
         expect("GE_CNTL", chips[i].ge_cntl);
         expect("VGT_GS_ONCHIP_CNTL", 0x20040080);
         expect("GE_MAX_OUTPUT_PER_SUBGROUP", 0x80);
         expect("GE_NGG_SUBGRP_CNTL", 1);
         expect("VGT_ESGS_RING_ITEMSIZE", 1);
         expect("SPI_SHADER_IDX_FORMAT", 1);
         expect("SPI_SHADER_PGM_HI_ES", 0x80);
      } else {
         expect("VGT_SHADER_STAGES_EN", 0x00010000);
         expect("GE_CNTL", 0x00020080);
         expect("SPI_SHADER_PGM_HI_VS", 0x80);
      }
      screen->base.program_destroy(&screen->base, program);
      screen->base.destroy(&screen->base);
   }
}

/* What primitives become after the vertex shader: a context register, and only of NGG. */
static void
output_types(void **state)
{
   static const struct {
      uint32_t type, output;
   } rows[] = {{V_DI_PT_POINTLIST, 0}, {V_DI_PT_LINESTRIP, 1}, {V_DI_PT_TRISTRIP, 2}, {V_DI_PT_RECTLIST, 3}};

   for (unsigned i = 0; i < ARRAY_SIZE(chips) * ARRAY_SIZE(rows); i++) {
      struct si_screen *screen = screen_of(chips[i % ARRAY_SIZE(chips)].name);
      uint32_t dw[8];
      struct si_context ctx = {.screen = screen, .cs = {.cur = dw, .end = dw + ARRAY_SIZE(dw)}};

      si_emit_primitive_type(&ctx, rows[i / ARRAY_SIZE(chips)].type);
      assert_int_equal(ctx.cs.cur - dw, wants_ngg() ? 6 : 3);
      if (wants_ngg()) {
         collect_writes(dw + 3, 3);
         expect("VGT_GS_OUT_PRIM_TYPE", rows[i / ARRAY_SIZE(chips)].output);
      }
      screen->base.destroy(&screen->base);
   }
}

/* Dwords that begin a query of those counters. */
static unsigned
begin_dw(struct si_screen *screen, uint32_t counters)
{
   struct pipe_screen *pipe = &screen->base;
   struct pipe_query_pool *pool;
   uint32_t dw[64];
   struct si_context ctx = {.screen = screen, .ring = AMDGPU_WS_GFX, .cs = {.cur = dw, .end = dw + ARRAY_SIZE(dw)}};

   si_init_query(&ctx);
   assert_int_equal(pipe->query_pool_create(pipe, PIPE_QUERY_PIPELINE_STATISTICS, 1, counters, &pool), PIPE_OK);
   ctx.base.query_begin(&ctx.base, pool, 0, false);
   pipe->query_pool_destroy(pipe, pool);
   return (unsigned)(ctx.cs.cur - dw);
}

/* A sample of the hardware's counters is one packet: only who asks for tasks or meshes waits for these. */
static void
statistics(void **state)
{
   for (unsigned i = 0; i < ARRAY_SIZE(chips); i++) {
      struct si_screen *screen = screen_of(chips[i].name);
      const uint32_t all = (1u << PIPE_STATISTICS) - 1;

      assert_int_equal(begin_dw(screen, all & ~PIPE_MESH_STATISTICS), 4);
      assert_int_equal(begin_dw(screen, all) > 4, screen->info.has_mesh);
      screen->base.destroy(&screen->base);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(preambles), cmocka_unit_test(programs),
                                      cmocka_unit_test(output_types), cmocka_unit_test(statistics)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
