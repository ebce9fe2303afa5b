/* What the driver records, read back with the register and packet tables; the values expected are those that the
 * drivers' documentation gives for the state. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "amd/hw/pm4.h"
#include "amd/hw/registers.h"
#include "compiler/nir/nir_builder.h"
#include "fake_gpu.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "util/format_enum.h"

struct fixture {
   struct pipe_screen *screen;
   struct pipe_context *ctx;
   struct replay replay;
   struct pipe_memory *memory, *set_memory;
   struct pipe_resource *buffer, *set_buffer, *color, *depth;
   struct pipe_memory *image_memory;
   struct pipe_image_view *color_view, *depth_view;
   struct pipe_program *program, *compute;
};

static const struct pipe_dynamic_buffers no_dynamic;

static const struct pipe_graphics_state draw_state = {
   .topology = PIPE_TRIANGLE_LIST,
   .vertex_strides_B = {16},
   .attributes = {2,
                  {{.format = FORMAT_R32G32B32_SFLOAT, .location = 0},
                   {.format = FORMAT_R8G8B8A8_UNORM, .location = 1, .offset_B = 12}}},
   .viewports = {1, {{0, 0, 640, 480, 0, 1}}},
   .scissors = {1, {{10, 20, 100, 200}}},
   .cull = PIPE_CULL_BACK,
   .front_ccw = true,
   .line_width_px = 1,
   .samples = 1,
   .sample_mask = UINT32_MAX,
   .depth_test = true,
   .depth_write = true,
   .depth_compare = PIPE_COMPARE_LESS_OR_EQUAL,
   .blend = {{PIPE_FACTOR_SRC_ALPHA, PIPE_FACTOR_ONE_MINUS_SRC_ALPHA, PIPE_BLEND_ADD, PIPE_FACTOR_ONE,
              PIPE_FACTOR_ZERO, PIPE_BLEND_MAX}},
   .blend_enable = 1,
   .color_write_mask = 0x7,
   .targets = {.num_colors = 1, .color_formats = {FORMAT_R8G8B8A8_UNORM}, .depth_format = FORMAT_D32_SFLOAT},
};

static struct pipe_set_layout *
set_layout(void)
{
   struct pipe_set_layout *set = calloc(1, sizeof(*set) + sizeof(set->bindings[0]));

   set->num_bindings = 1;
   set->size_B = 64;
   set->bindings[0] = (struct pipe_set_binding){.kind = PIPE_DESCRIPTOR_STORAGE_BUFFER, .count = 1, .stride_B = 16};
   return set;
}

static void
create_programs(struct fixture *f)
{
   struct arena arena = {0};
   struct pipe_set_layout *set = set_layout();
   struct pipe_pipeline_layout layout = {.num_sets = 1, .sets = {set}, .push_constant_B = 16};
   const struct pipe_graphics_options options = {.layout = &layout, .state = &draw_state};
   struct nir_shader *vertex = nir_shader_create(&arena, NIR_STAGE_VERTEX);
   struct nir_shader *fragment = nir_shader_create(&arena, NIR_STAGE_FRAGMENT);
   struct nir_shader *compute = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(vertex);

   nir_store_output(&b, nir_imm_vec4(&b, 0, 0, 0, 1), nir_imm_int(&b, 0), .slot = NIR_SLOT_POS, .write_mask = 15,
                    .src_type = NIR_TYPE_FLOAT);
   nir_store_output(&b, nir_imm_vec4(&b, 0, 0, 0, 1), nir_imm_int(&b, 0), .slot = NIR_SLOT_VAR0 + 2, .write_mask = 15,
                    .src_type = NIR_TYPE_FLOAT);
   for (unsigned i = 0; i < 3; i++)
      compute->info.workgroup_size[i] = 4u << i;
   struct nir_shader *const shaders[NIR_STAGES] = {[NIR_STAGE_VERTEX] = vertex, [NIR_STAGE_FRAGMENT] = fragment};
   assert_int_equal(f->screen->graphics_program_create(f->screen, shaders, &options, &f->program), PIPE_OK);
   assert_int_equal(f->screen->compute_program_create(f->screen, compute,
                                                      &(struct pipe_compute_options){.layout = &layout}, &f->compute),
                    PIPE_OK);
   arena_free(&arena);
   free(set);
}

static void
create_memory(struct fixture *f)
{
   struct pipe_screen *s = f->screen;
   struct pipe_image_desc desc = {.type = PIPE_IMAGE_2D,
                                  .format = FORMAT_R8G8B8A8_UNORM,
                                  .width_px = 640,
                                  .height_px = 480,
                                  .depth_px = 1,
                                  .levels = 1,
                                  .layers = 1,
                                  .samples = 1,
                                  .usage = PIPE_USAGE_COLOR};
   struct pipe_image_view_desc view = {
      .type = PIPE_VIEW_2D,
      .format = desc.format,
      .swizzle = {0, 1, 2, 3},
      .usage = PIPE_USAGE_COLOR,
      .range = {.aspects = PIPE_ASPECT_COLOR, .levels = 1, .layers = 1},
   };

   assert_int_equal(s->memory_create(s, 1, 1 << 20, -1, &f->memory), PIPE_OK);
   assert_int_equal(s->memory_create(s, PIPE_MEMORY_TYPE_DESCRIPTORS, 4096, -1, &f->set_memory), PIPE_OK);
   assert_int_equal(s->buffer_create(s, 1 << 20, &f->buffer), PIPE_OK);
   assert_int_equal(s->buffer_create(s, 4096, &f->set_buffer), PIPE_OK);
   s->resource_bind(f->buffer, f->memory, 0);
   s->resource_bind(f->set_buffer, f->set_memory, 0);
   assert_int_equal(s->memory_create(s, 0, 8 << 20, -1, &f->image_memory), PIPE_OK);
   assert_int_equal(s->image_create(s, &desc, &f->color), PIPE_OK);
   s->resource_bind(f->color, f->image_memory, 0);
   desc.format = FORMAT_D32_SFLOAT;
   desc.usage = PIPE_USAGE_DEPTH_STENCIL;
   assert_int_equal(s->image_create(s, &desc, &f->depth), PIPE_OK);
   s->resource_bind(f->depth, f->image_memory, 4 << 20);
   view.image = f->color;
   assert_int_equal(s->image_view_create(s, &view, &f->color_view), PIPE_OK);
   view.image = f->depth;
   view.format = FORMAT_D32_SFLOAT;
   view.usage = PIPE_USAGE_DEPTH_STENCIL;
   view.range.aspects = PIPE_ASPECT_DEPTH;
   assert_int_equal(s->image_view_create(s, &view, &f->depth_view), PIPE_OK);
}

static int
setup(void **state)
{
   struct fixture *f = calloc(1, sizeof(*f));

   f->screen = fake_screen_create();
   if (!f->screen)
      return -1;
   create_memory(f);
   create_programs(f);
   f->ctx = f->screen->context_create(f->screen, 0);
   *state = f;
   return f->ctx ? 0 : -1;
}

static int
teardown(void **state)
{
   struct fixture *f = *state;
   struct pipe_screen *s = f->screen;

   f->ctx->destroy(f->ctx);
   s->program_destroy(s, f->program);
   s->program_destroy(s, f->compute);
   s->image_view_destroy(s, f->color_view);
   s->image_view_destroy(s, f->depth_view);
   s->resource_destroy(s, f->color);
   s->resource_destroy(s, f->depth);
   s->resource_destroy(s, f->buffer);
   s->resource_destroy(s, f->set_buffer);
   s->memory_destroy(s, f->memory);
   s->memory_destroy(s, f->set_memory);
   s->memory_destroy(s, f->image_memory);
   s->destroy(s);
   assert_int_equal(fake_num_bos, 0);
   free(f);
   return 0;
}

static void
bind_graphics(struct fixture *f)
{
   struct pipe_context *c = f->ctx;
   struct pipe_rendering rendering = {.width = 640, .height = 480, .layers = 1, .num_colors = 1};

   rendering.colors[0].view = f->color_view;
   rendering.depth_stencil = f->depth_view;
   c->begin_rendering(c, &rendering);
   c->bind_program(c, PIPE_BIND_GRAPHICS, f->program);
   c->set_graphics_state(c, &draw_state, PIPE_ALL_STATES);
   c->set_vertex_buffers(c, 0, 1, &(struct pipe_vertex_buffer){f->buffer, 256, 1600});
   c->bind_descriptor_set(c, PIPE_BIND_GRAPHICS, 0, &(struct pipe_descriptor_set){f->set_buffer, 128, 0},
                          &no_dynamic);
   c->push_constants(c, 4, 4, &(uint32_t){0x12345678});
}

static void
end(struct fixture *f)
{
   assert_int_equal(f->ctx->end(f->ctx), PIPE_OK);
   replay_context(&f->replay, f->ctx);
   if (f->replay.error)
      fail_msg("%s", f->replay.error);
}

/* User SGPR 0 of vertex shaders: of the hardware's GS, or of its VS (RADEONSI_DEBUG=nongg). */
static uint32_t
vertex_sgprs(void)
{
   const char *debug = getenv("RADEONSI_DEBUG");

   return debug && !strcmp(debug, "nongg") ? 0x0b130 : 0x0b230;
}

static uint32_t
reg(const struct fixture *f, uint32_t offset_B)
{
   if (!f->replay.written[offset_B / 4])
      fail_msg("register 0x%05x was not written", offset_B);
   return f->replay.regs[offset_B / 4];
}

static void
test_draw_state(void **state)
{
   struct fixture *f = *state;

   assert_int_equal(f->ctx->begin(f->ctx, NULL, false), PIPE_OK);
   bind_graphics(f);
   f->ctx->draw(f->ctx, 36, 2, 5, 7);
   f->ctx->end_rendering(f->ctx);
   end(f);

   assert_int_equal(f->replay.num_draws, 1);
   assert_int_equal(f->replay.draws[0].opcode, PKT3_DRAW_INDEX_AUTO);
   assert_int_equal(f->replay.draws[0].payload[0], 36);
   assert_int_equal(f->replay.draws[0].payload[1], 2);
   assert_int_equal(f->replay.draws[0].instances, 2);
   assert_int_equal(reg(f, 0x30908), 4);                 /* VGT_PRIMITIVE_TYPE: triangle list */
   assert_int_equal(reg(f, vertex_sgprs() + 4 * 11), 5); /* base vertex, base instance */
   assert_int_equal(reg(f, vertex_sgprs() + 4 * 12), 7);
   assert_int_equal(reg(f, 0x28800), 1 << 1 | 1 << 2 | 3 << 4);
   assert_int_equal(reg(f, 0x28814) & 7, 2); /* cull back, front is counterclockwise */
   assert_int_equal(reg(f, 0x28780), 4 | 5 << 8 | 1 << 16 | 3 << 21 | 1 << 24 | 1 << 29 | 1 << 30);
   assert_int_equal(reg(f, 0x28238), 7); /* CB_TARGET_MASK */
   assert_int_equal(reg(f, 0x28808), 0xcc << 16 | 1 << 4 | 1);
   assert_int_equal(reg(f, 0x28714), 4);          /* SPI_SHADER_COL_FORMAT: FP16 */
   assert_int_equal(reg(f, 0x2843c), 0x43a00000); /* 320.0f */
   assert_int_equal(reg(f, 0x28250), 0x80000000 | 20 << 16 | 10);
   assert_int_equal(reg(f, 0x28254), 220 << 16 | 110);
   assert_int_equal(reg(f, 0x28208), 480 << 16 | 640);
   assert_int_equal(reg(f, 0x28be0), 0); /* PA_SC_AA_CONFIG: one sample */
   /* VGT_SHADER_STAGES_EN: NGG as RADV 26 has it for primitives that pass through */
   assert_int_equal(reg(f, 0x28b54), vertex_sgprs() == 0x0b230 ? 0x02012010 : 2 << 15);
}

static void
test_targets(void **state)
{
   struct fixture *f = *state;
   uint64_t color_va = si_resource(f->color)->va, depth_va = si_resource(f->depth)->va;

   assert_int_equal(f->ctx->begin(f->ctx, NULL, false), PIPE_OK);
   bind_graphics(f);
   f->ctx->draw(f->ctx, 3, 1, 0, 0);
   f->ctx->end_rendering(f->ctx);
   end(f);
   assert_int_equal(reg(f, 0x28c60), (uint32_t)(color_va >> 8));
   assert_int_equal(reg(f, 0x28e40), (uint32_t)(color_va >> 40) & 0xff);
   assert_int_equal(reg(f, 0x28c70) >> 2 & 31, 10); /* COLOR_8_8_8_8 */
   assert_int_equal(reg(f, 0x28c70) >> 8 & 7, 0);
   assert_int_equal(reg(f, 0x28ec0), 479 | 639 << 14);
   assert_int_equal(reg(f, 0x28ee0) >> 14 & 31, 27); /* 64KB_R_X */
   assert_int_equal(reg(f, 0x28cac), 0);             /* CB_COLOR1_INFO */
   assert_int_equal(reg(f, 0x28040) & 3, 3);         /* 32-bit float depth, 64KB_Z_X */
   assert_int_equal(reg(f, 0x28040) >> 4 & 31, 24);
   assert_int_equal(reg(f, 0x28048), (uint32_t)(depth_va >> 8));
   assert_int_equal(reg(f, 0x28050), (uint32_t)(depth_va >> 8));
   assert_int_equal(reg(f, 0x2801c), 479 << 16 | 639);
}

static void
test_shader_inputs(void **state)
{
   struct fixture *f = *state;
   uint64_t hi = (uint64_t)0xffff8000 << 32;
   const uint32_t *table, *push;

   assert_int_equal(f->ctx->begin(f->ctx, NULL, false), PIPE_OK);
   bind_graphics(f);
   f->ctx->draw(f->ctx, 3, 1, 0, 0);
   end(f);
   push = fake_memory(hi | reg(f, vertex_sgprs()), 16);
   assert_non_null(push);
   assert_int_equal(push[1], 0x12345678);
   assert_int_equal(reg(f, 0x0b030), reg(f, vertex_sgprs()));
   assert_int_equal(reg(f, vertex_sgprs() + 8), (uint32_t)si_resource(f->set_buffer)->va + 128);
   assert_int_equal(reg(f, 0x0b030 + 8), (uint32_t)si_resource(f->set_buffer)->va + 128);
   table = fake_memory(hi | reg(f, vertex_sgprs() + 40), 32);
   assert_non_null(table);
   assert_int_equal(table[0], (uint32_t)si_resource(f->buffer)->va + 256);
   assert_int_equal(table[1] >> 16, 16);
   assert_int_equal(table[2], 100);             /* 1600 bytes of 16 */
   assert_int_equal(table[3] >> 12 & 0x7f, 74); /* 32_32_32_FLOAT */
   assert_int_equal(table[4], (uint32_t)si_resource(f->buffer)->va + 256 + 12);
   assert_int_equal(table[7] >> 12 & 0x7f, 56); /* 8_8_8_8_UNORM */
}

static void
test_unchanged_draws_are_one_packet(void **state)
{
   struct fixture *f = *state;
   uint32_t packets;

   assert_int_equal(f->ctx->begin(f->ctx, NULL, false), PIPE_OK);
   bind_graphics(f);
   f->ctx->draw(f->ctx, 3, 1, 0, 0);
   end(f);
   packets = f->replay.packets;
   assert_int_equal(f->ctx->begin(f->ctx, NULL, false), PIPE_OK);
   bind_graphics(f);
   for (unsigned i = 0; i < 100001; i++)
      f->ctx->draw(f->ctx, 3, 1, 0, 0);
   end(f);
   assert_int_equal(f->replay.num_draws, 100001);
   assert_true(f->replay.buffers > 5); /* chained */
   assert_int_equal(f->replay.packets, packets + 100000);
}

static void
test_indexed_and_indirect(void **state)
{
   struct fixture *f = *state;
   uint64_t va = si_resource(f->buffer)->va;
   const struct replay_draw *draw;

   assert_int_equal(f->ctx->begin(f->ctx, NULL, false), PIPE_OK);
   bind_graphics(f);
   f->ctx->set_index_buffer(f->ctx, f->buffer, 4096, 1200, 2);
   f->ctx->draw_indexed(f->ctx, 60, 1, 30, -3, 0);
   f->ctx->draw_indirect(f->ctx, &(struct pipe_indirect_draws){.indexed = true,
                                                               .max_draws = 9,
                                                               .stride_B = 20,
                                                               .buffer = f->buffer,
                                                               .offset_B = 512,
                                                               .count_buffer = f->buffer,
                                                               .count_offset_B = 600});
   end(f);
   draw = &f->replay.draws[0];
   assert_int_equal(draw->opcode, PKT3_DRAW_INDEX_2);
   assert_int_equal(draw->payload[0], 570); /* indices left in the buffer */
   assert_int_equal(draw->payload[1], (uint32_t)(va + 4096 + 60));
   assert_int_equal(draw->payload[3], 60);
   assert_int_equal(draw->payload[4], 0);
   assert_int_equal(reg(f, 0x3090c), 0); /* 16-bit indices */
   draw = &f->replay.draws[1];
   assert_int_equal(draw->opcode, PKT3_DRAW_INDEX_INDIRECT_MULTI);
   assert_int_equal(draw->payload[1], (vertex_sgprs() - 0x0b000) / 4 + 11); /* user data 11 */
   assert_int_equal(draw->payload[3], ((vertex_sgprs() - 0x0b000) / 4 + 13) | 1u << 30 | 1u << 31);
   assert_int_equal(draw->payload[4], 9);
   assert_int_equal(draw->payload[5], (uint32_t)(va + 600));
   assert_int_equal(draw->payload[7], 20);
}

/* A program with other stages, which the hardware runs elsewhere, finds everything in the registers of those. */
static void
test_user_data_by_stage(void **state)
{
   struct fixture *f = *state;
   struct si_program *program = si_program(f->program), other = *program;
   const bool ngg = program->hw_stages >> ACO_HW_GS & 1;

   other.hw_stages |= 1u << ACO_HW_VS | 1u << ACO_HW_GS;
   other.user_data[ngg ? ACO_HW_GS : ACO_HW_VS] = other.vertex_user_data = 0x0b430; /* as if of HS */
   other.user_data[ngg ? ACO_HW_VS : ACO_HW_GS] = 0x0b230;                          /* and GS */
   assert_int_equal(f->ctx->begin(f->ctx, NULL, false), PIPE_OK);
   bind_graphics(f);
   f->ctx->draw(f->ctx, 3, 1, 5, 7);
   f->ctx->bind_program(f->ctx, PIPE_BIND_GRAPHICS, si_program_handle(&other));
   f->ctx->draw(f->ctx, 3, 1, 5, 7);
   f->ctx->end_rendering(f->ctx);
   end(f);
   assert_int_equal(f->replay.num_draws, 2);
   assert_int_equal(reg(f, 0x0b430 + 4 * 11), 5); /* base vertex */
   assert_int_equal(reg(f, 0x0b430 + 4 * 12), 7);
   assert_int_not_equal(reg(f, 0x0b430 + 4 * 10), 0); /* vertex buffers */
   for (unsigned sgpr = 0; sgpr < 3; sgpr += 2) {     /* push constants, a set */
      assert_int_equal(reg(f, 0x0b430 + 4 * sgpr), reg(f, 0x0b030 + 4 * sgpr));
      assert_int_equal(reg(f, 0x0b230 + 4 * sgpr), reg(f, 0x0b030 + 4 * sgpr));
   }
}

static void
test_dispatch(void **state)
{
   struct fixture *f = *state;
   struct pipe_context *c = f->ctx;

   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   c->bind_program(c, PIPE_BIND_COMPUTE, f->compute);
   c->bind_descriptor_set(c, PIPE_BIND_COMPUTE, 0, &(struct pipe_descriptor_set){f->set_buffer, 64, 0}, &no_dynamic);
   c->dispatch(c, (uint32_t[]){0, 0, 0}, (uint32_t[]){7, 8, 9});
   c->barrier(c, &(struct pipe_barrier){.src_stages = PIPE_STAGE_COMPUTE,
                                        .dst_stages = PIPE_STAGE_COMPUTE,
                                        .src_access = PIPE_ACCESS_SHADER_WRITE,
                                        .dst_access = PIPE_ACCESS_SHADER_READ});
   c->dispatch(c, (uint32_t[]){1, 2, 3}, (uint32_t[]){4, 5, 6});
   end(f);
   assert_int_equal(f->replay.draws[0].payload[1], 8);
   assert_int_equal(f->replay.draws[0].payload[3], 0x45);
   assert_int_equal(f->replay.draws[1].payload[0], 5); /* end of the range */
   assert_int_equal(f->replay.draws[1].payload[3], 0x41);
   assert_int_equal(reg(f, 0x0b810), 1);
   assert_int_equal(reg(f, 0x0b818), 3);
   assert_int_equal(reg(f, 0x0b81c), 4);
   assert_int_equal(reg(f, 0x0b824), 16);
   assert_int_equal(reg(f, 0x0b900 + 8), (uint32_t)si_resource(f->set_buffer)->va + 64);
   assert_int_equal(reg(f, 0x0b900 + 40), 4);
   assert_int_equal(reg(f, 0x0b84c) >> 1 & 31, 16);
}

/* ---- sets that a program reads and nobody has bound ---- */

/* Stores 1 in binding 0 of a set. */
static struct nir_shader *
shader_with_set(struct arena *arena, enum nir_stage stage, unsigned set)
{
   struct nir_shader *shader = nir_shader_create(arena, stage);
   struct nir_builder b = nir_builder_create(shader);
   struct nir_def *zero = nir_imm_int(&b, 0);

   nir_store_ssbo(
      &b, nir_imm_int(&b, 1),
      nir_vulkan_resource_index(&b, zero, .set = (int32_t)set, .descriptor_kind = NIR_DESCRIPTOR_STORAGE_BUFFER),
      zero, .write_mask = 1, .align_mul = 4);
   return shader;
}

/* Everything that starts shaders, with the sets of the mask bound. */
static void
record_all_work(struct fixture *f, struct pipe_program *graphics, struct pipe_program *compute, unsigned mask)
{
   struct pipe_context *c = f->ctx;

   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   bind_graphics(f);
   c->bind_program(c, PIPE_BIND_GRAPHICS, graphics);
   c->bind_program(c, PIPE_BIND_COMPUTE, compute);
   c->set_index_buffer(c, f->buffer, 4096, 1200, 2);
   for (unsigned i = 1; i < 3; i++) {
      for (unsigned point = 0; point < PIPE_BIND_POINTS; point++) {
         if (mask >> (2 * point + i - 1) & 1)
            c->bind_descriptor_set(c, point, i, &(struct pipe_descriptor_set){f->set_buffer, 64 * i, 0}, &no_dynamic);
      }
   }
   c->draw(c, 3, 1, 0, 0);
   c->draw_indexed(c, 3, 1, 0, 0, 0);
   for (unsigned i = 0; i < 2; i++)
      c->draw_indirect(c, &(struct pipe_indirect_draws){
                             .indexed = i, .max_draws = 1, .stride_B = 20, .buffer = f->buffer, .offset_B = 512});
   c->dispatch(c, (uint32_t[]){0, 0, 0}, (uint32_t[]){1, 1, 1});
   c->dispatch_indirect(c, f->buffer, 512);
   end(f);
}

static void
test_unbound_sets(void **state)
{
   struct fixture *f = *state;
   struct pipe_screen *s = f->screen;
   struct arena arena = {0};
   struct pipe_set_layout *set = set_layout();
   struct pipe_pipeline_layout layout = {.num_sets = 3, .sets = {set, set, set}};
   const struct pipe_graphics_state gfx = {.topology = PIPE_TRIANGLE_LIST, .samples = 1};
   const struct pipe_graphics_options options = {.layout = &layout, .state = &gfx};
   struct pipe_program *graphics, *compute;

   struct nir_shader *const shaders[NIR_STAGES] = {
      [NIR_STAGE_VERTEX] = shader_with_set(&arena, NIR_STAGE_VERTEX, 2),
      [NIR_STAGE_FRAGMENT] = shader_with_set(&arena, NIR_STAGE_FRAGMENT, 1),
   };
   assert_int_equal(s->graphics_program_create(s, shaders, &options, &graphics), PIPE_OK);
   assert_int_equal(s->compute_program_create(s, shader_with_set(&arena, NIR_STAGE_COMPUTE, 2),
                                              &(struct pipe_compute_options){.layout = &layout}, &compute),
                    PIPE_OK);
   for (unsigned mask = 0; mask < 16; mask++) {
      bool draws = (mask >> (2 * PIPE_BIND_GRAPHICS) & 3) == 3, dispatches = mask >> (2 * PIPE_BIND_COMPUTE + 1) & 1;

      record_all_work(f, graphics, compute, mask);
      assert_int_equal(f->replay.num_draws, (draws ? 4 : 0) + (dispatches ? 2 : 0));
   }
   s->program_destroy(s, graphics);
   s->program_destroy(s, compute);
   arena_free(&arena);
   free(set);
}

static void
test_clears_give_state_back(void **state)
{
   struct fixture *f = *state;
   struct pipe_context *c = f->ctx;
   struct pipe_clear_value color = {.color = {.f = {0.25f, 0.5f, 1, 1}}}, depth = {.depth = 0.5f};

   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   bind_graphics(f);
   c->clear_attachment(c, 0, PIPE_ASPECT_COLOR, &color, &(struct pipe_clear_rect){1, 2, 30, 40, 0, 1});
   c->clear_attachment(c, UINT32_MAX, PIPE_ASPECT_DEPTH, &depth, &(struct pipe_clear_rect){0, 0, 64, 64, 0, 1});
   end(f);
   assert_int_equal(f->replay.num_draws, 2);
   assert_int_equal(reg(f, 0x30908), 17); /* rectangles */
   assert_int_equal(reg(f, vertex_sgprs() + 16), 0x3f000000);
   assert_int_equal(reg(f, 0x28800) & 0x76, 0x76); /* depth test and write, always */
   assert_int_equal(reg(f, 0x28c70), 0);           /* no colour target */
   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   bind_graphics(f);
   c->clear_attachment(c, 0, PIPE_ASPECT_COLOR, &color, &(struct pipe_clear_rect){1, 2, 30, 40, 0, 1});
   c->draw(c, 3, 1, 0, 0);
   end(f);
   assert_int_equal(reg(f, 0x30908), 4);
   assert_int_equal(reg(f, 0x28238), 7);
   assert_int_equal(reg(f, 0x28800), 1 << 1 | 1 << 2 | 3 << 4);
}

static void
test_copies(void **state)
{
   struct fixture *f = *state;
   struct pipe_context *c = f->ctx;
   struct pipe_buffer_image_copy region = {.image = {.aspects = PIPE_ASPECT_COLOR, .layers = 1},
                                           .extent = {640, 100, 1}};
   struct pipe_image_desc rows = {.type = PIPE_IMAGE_2D,
                                  .format = FORMAT_R8G8B8A8_UNORM,
                                  .width_px = 640,
                                  .height_px = 100,
                                  .depth_px = 1,
                                  .levels = 1,
                                  .layers = 1,
                                  .samples = 1,
                                  .linear = true};
   struct pipe_resource *linear;

   assert_int_equal(f->screen->image_create(f->screen, &rows, &linear), PIPE_OK);
   f->screen->resource_bind(linear, f->image_memory, 0);
   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   c->copy_buffer(c, f->buffer, f->buffer, &(struct pipe_buffer_copy){0, 4096, 100});
   end(f);
   assert_int_equal(f->replay.num_dma, 2); /* the copy, and the wait at the end */
   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   c->copy_image_to_buffer(c, linear, f->buffer, &region); /* rows of 2560 bytes have no padding */
   end(f);
   assert_int_equal(f->replay.num_dma, 2);
   region.extent.width = 639;
   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   c->copy_image_to_buffer(c, linear, f->buffer, &region);
   end(f);
   assert_int_equal(f->replay.num_dma, 101);
   region.image.aspects = PIPE_ASPECT_DEPTH;
   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   c->copy_image_to_buffer(c, f->depth, f->buffer, &region);
   end(f);
   assert_int_equal(f->replay.num_dma, 0);
   assert_int_equal(f->replay.draws[0].opcode, PKT3_DISPATCH_DIRECT);
   assert_int_equal(f->replay.draws[0].payload[0], 80);
   assert_int_equal(f->replay.draws[0].payload[1], 13);
   f->screen->resource_destroy(f->screen, linear);
}

/* Depth is compressed: a discard and a clear of all fill HTILE, others draw; targets have its address. */
static void
test_htile(void **state)
{
   struct fixture *f = *state;
   struct pipe_context *c = f->ctx;
   struct pipe_image_barrier discard = {
      .image = f->depth, .range = {.aspects = PIPE_ASPECT_DEPTH, .levels = 1, .layers = 1}, .discard = true};
   struct pipe_clear_rect all = {0, 0, 640, 480, 0, 1}, part = {0, 0, 640, 479, 0, 1};
   struct pipe_clear_value one = {.depth = 1}, half = {.depth = 0.5f};
   uint64_t depth_va = si_resource(f->depth)->va, htile_va = depth_va + 5 * 4 * 65536; /* after blocks of 128x128 */

   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   c->barrier(c, &(struct pipe_barrier){.num_images = 1, .images = &discard});
   end(f);
   assert_int_equal(f->replay.num_dma, 2); /* with the wait */
   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   bind_graphics(f);
   c->clear_attachment(c, UINT32_MAX, PIPE_ASPECT_DEPTH, &one, &all);
   end(f);
   assert_int_equal(f->replay.num_dma, 2);
   assert_int_equal(f->replay.num_draws, 0);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
      bind_graphics(f);
      c->clear_attachment(c, UINT32_MAX, PIPE_ASPECT_DEPTH, i ? &half : &one, i ? &all : &part);
      end(f);
      assert_int_equal(f->replay.num_dma, 0);
      assert_int_equal(f->replay.num_draws, 1);
   }
   assert_int_equal(reg(f, 0x28040) >> 29 & 1, 1); /* TILE_SURFACE_ENABLE */
   assert_int_equal(reg(f, 0x28abc), 0x40002);     /* FULL_CACHE, PIPE_ALIGNED */
   assert_int_equal(reg(f, 0x28014), (uint32_t)(htile_va >> 8));
   assert_int_equal(reg(f, 0x28000), 0); /* nothing disables compression */
}

/* Barriers that discard: one wait for earlier draws and one for the fills, whatever the number of images; the parts
 * of an image come one after the other; of queues, the one that acquires. */
static void
test_discards(void **state)
{
   struct fixture *f = *state;
   struct pipe_context *c = f->ctx;
   const struct pipe_image_barrier color = {.image = f->color,
                                            .range = {.aspects = PIPE_ASPECT_COLOR, .levels = 1, .layers = 1},
                                            .after = PIPE_USE_COLOR,
                                            .discard = true};
   const struct pipe_image_barrier depth = {
      .image = f->depth, .range = {.aspects = PIPE_ASPECT_DEPTH, .levels = 1, .layers = 1}, .discard = true};
   struct pipe_image_barrier changed = color, released = color, acquired = color, exported = color;

   changed.discard = false;
   released.dst_family = acquired.src_family = AMDGPU_WS_COMPUTE;
   exported.dst_family = PIPE_FAMILY_EXTERNAL;
   const struct {
      struct pipe_image_barrier images[2];
      uint32_t num_images, src_stages;
      unsigned flushes, dma; /* fills, and waits for them */
   } rows[] = {
      {{color, depth}, 2, 0, 1, 3},
      {{color, depth}, 2, PIPE_STAGE_COLOR, 1, 3},
      {{color, color}, 2, PIPE_STAGE_COLOR, 1, 4},
      {{changed}, 1, 0, 0, 0},
      {{changed}, 1, PIPE_STAGE_COLOR, 1, 0},
      {{released}, 1, PIPE_STAGE_COLOR, 1, 0},
      {{acquired}, 1, 0, 1, 2},
      {{exported}, 1, 0, 1, 2},
   };

   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   end(f);
   unsigned flushes = f->replay.num_flushes;

   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
      c->barrier(c, &(struct pipe_barrier){.src_stages = rows[i].src_stages,
                                           .src_access = PIPE_ACCESS_COLOR_WRITE,
                                           .num_images = rows[i].num_images,
                                           .images = rows[i].images});
      end(f);
      assert_int_equal(f->replay.num_flushes - flushes, rows[i].flushes);
      assert_int_equal(f->replay.num_dma, rows[i].dma);
      assert_int_equal(f->replay.num_draws, 0);
   }
}

/* Colour, too: all black is a fill of DCC, another colour of all a dispatch before; others draw. */
static void
test_dcc(void **state)
{
   struct fixture *f = *state;
   struct pipe_context *c = f->ctx;
   struct pipe_clear_value colors[] = {{.color = {.f = {0}}}, {.color = {.f = {0.25f, 0.5f, 1, 1}}}};
   struct pipe_clear_rect all = {0, 0, 640, 480, 0, 1}, part = {0, 0, 640, 479, 0, 1};
   uint64_t dcc_va = si_resource(f->color)->va + 5 * 4 * 65536; /* after blocks of 128x128 */

   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
      bind_graphics(f);
      c->clear_attachment(c, 0, PIPE_ASPECT_COLOR, &colors[i], &all);
      end(f);
      assert_int_equal(f->replay.num_dma, 2); /* with the wait */
      assert_int_equal(f->replay.num_draws, i);
      if (i)
         assert_int_equal(f->replay.draws[0].opcode, PKT3_DISPATCH_DIRECT);
   }
   /* Groups of 8x8 blocks of 8x8 texels. */
   assert_int_equal(f->replay.draws[0].payload[0], 10);
   assert_int_equal(f->replay.draws[0].payload[1], 8);
   assert_int_equal(c->begin(c, NULL, false), PIPE_OK);
   bind_graphics(f);
   c->clear_attachment(c, 0, PIPE_ASPECT_COLOR, &colors[0], &part);
   end(f);
   assert_int_equal(f->replay.num_dma, 0);
   assert_int_equal(f->replay.num_draws, 1);
   assert_int_equal(reg(f, 0x28c70) >> 28 & 1, 1); /* DCC_ENABLE */
   assert_int_equal(reg(f, 0x28c78), 0x100028);    /* as RADV */
   assert_int_equal(reg(f, 0x28c94), (uint32_t)(dcc_va >> 8));
   assert_int_equal(reg(f, 0x28ee0) >> 30 & 1, 1); /* DCC_PIPE_ALIGNED */
}

static void
test_secondary(void **state)
{
   struct fixture *f = *state;
   struct pipe_context *secondary = f->screen->context_create(f->screen, 0), *primary = f->ctx;
   struct pipe_inheritance inheritance = {.in_rendering = true,
                                          .num_colors = 1,
                                          .color_formats = {FORMAT_R8G8B8A8_UNORM},
                                          .depth_format = FORMAT_D32_SFLOAT,
                                          .samples = 1};
   struct pipe_rendering rendering = {.width = 640, .height = 480, .layers = 1, .num_colors = 1};
   struct pipe_graphics_state strips = draw_state;

   strips.topology = PIPE_LINE_STRIP;
   strips.primitive_restart = true;
   strips.scissors.of[0] = (struct pipe_scissor){0, 0, 640, 480};
   rendering.colors[0].view = f->color_view;
   rendering.depth_stencil = f->depth_view;
   assert_int_equal(secondary->begin(secondary, &inheritance, true), PIPE_OK);
   f->ctx = secondary;
   secondary->bind_program(secondary, PIPE_BIND_GRAPHICS, f->program);
   secondary->set_graphics_state(secondary, &strips, PIPE_ALL_STATES);
   secondary->clear_attachment(secondary, 0, PIPE_ASPECT_COLOR, &(struct pipe_clear_value){.color = {.f = {1}}},
                               &(struct pipe_clear_rect){0, 0, 64, 64, 0, 1});
   for (unsigned i = 0; i < 29999; i++)
      secondary->draw(secondary, i + 2, 1, 0, 0);
   end(f);
   f->ctx = primary;
   assert_int_equal(primary->begin(primary, NULL, false), PIPE_OK);
   primary->begin_rendering(primary, &rendering);
   primary->execute(primary, secondary);
   primary->end_rendering(primary);
   end(f);
   assert_int_equal(f->replay.num_draws, 30000);
   assert_int_equal(f->replay.draws[30000 % REPLAY_MAX_DRAWS - 1].payload[0], 30000);
   assert_int_equal(reg(f, 0x30908), 3);
   assert_int_equal(reg(f, 0x28238), 7);
   assert_int_equal(reg(f, 0x28800), 1 << 1 | 1 << 2 | 3 << 4);
   assert_int_equal(reg(f, 0x28c70) >> 2 & 31, 10);
   secondary->destroy(secondary);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_draw_state, setup, teardown),
      cmocka_unit_test_setup_teardown(test_targets, setup, teardown),
      cmocka_unit_test_setup_teardown(test_shader_inputs, setup, teardown),
      cmocka_unit_test_setup_teardown(test_unchanged_draws_are_one_packet, setup, teardown),
      cmocka_unit_test_setup_teardown(test_indexed_and_indirect, setup, teardown),
      cmocka_unit_test_setup_teardown(test_user_data_by_stage, setup, teardown),
      cmocka_unit_test_setup_teardown(test_dispatch, setup, teardown),
      cmocka_unit_test_setup_teardown(test_unbound_sets, setup, teardown),
      cmocka_unit_test_setup_teardown(test_clears_give_state_back, setup, teardown),
      cmocka_unit_test_setup_teardown(test_copies, setup, teardown),
      cmocka_unit_test_setup_teardown(test_htile, setup, teardown),
      cmocka_unit_test_setup_teardown(test_discards, setup, teardown),
      cmocka_unit_test_setup_teardown(test_dcc, setup, teardown),
      cmocka_unit_test_setup_teardown(test_secondary, setup, teardown),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
