/* Draws, dispatches, queries and secondaries on the modelled GPU, with shaders built here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compiler/nir/nir_builder.h"
#include "device.h"
#include "util/format_enum.h"
#include "util/macros.h"

#define SIZE_PX 64

struct work {
   struct image color, depth;
   struct pipe_image_view *color_view, *depth_view;
   struct pipe_program *program;
};

/* Draws add to the colour where depth is equal. */
static const struct pipe_graphics_state draw_state = {
   .topology = PIPE_TRIANGLE_STRIP,
   .viewports = {1, {{0, 0, SIZE_PX, SIZE_PX, 0, 1}}},
   .scissors = {1, {{0, 0, SIZE_PX, SIZE_PX}}},
   .line_width_px = 1,
   .samples = 1,
   .sample_mask = UINT32_MAX,
   .depth_test = true,
   .depth_compare = PIPE_COMPARE_EQUAL,
   .blend = {{PIPE_FACTOR_ONE, PIPE_FACTOR_ONE, PIPE_BLEND_ADD, PIPE_FACTOR_ONE, PIPE_FACTOR_ONE, PIPE_BLEND_ADD}},
   .blend_enable = 1,
   .color_write_mask = 0xf,
   .targets = {.num_colors = 1, .color_formats = {FORMAT_R8G8B8A8_UNORM}, .depth_format = FORMAT_D32_SFLOAT},
};

/* Push constants: colour at 0, depth at 16. A strip of 4 vertices covers the target. */
static struct pipe_program *
create_program(struct device *d)
{
   struct arena arena = {0};
   struct pipe_pipeline_layout layout = {.push_constant_B = 20};
   struct pipe_graphics_options options = {.layout = &layout, .state = &draw_state};
   struct nir_shader *vertex = nir_shader_create(&arena, NIR_STAGE_VERTEX);
   struct nir_shader *fragment = nir_shader_create(&arena, NIR_STAGE_FRAGMENT);
   struct nir_builder b = nir_builder_create(vertex);
   struct nir_def *id = nir_load_vertex_id(&b), *position[4];
   struct pipe_program *program;

   for (unsigned i = 0; i < 2; i++) {
      struct nir_def *bit = nir_iand_imm(&b, nir_ushr_imm(&b, id, i), 1);

      position[i] = nir_fadd_imm(&b, nir_fmul_imm(&b, nir_u2f32(&b, bit), 2), -1);
   }
   position[2] = nir_load_push_constant(&b, 1, 32, nir_imm_int(&b, 16), .align_mul = 4);
   position[3] = nir_imm_float(&b, 1);
   nir_store_output(&b, nir_vec(&b, position, 4), nir_imm_int(&b, 0), .slot = NIR_SLOT_POS, .write_mask = 15,
                    .src_type = NIR_TYPE_FLOAT);
   b = nir_builder_create(fragment);
   nir_store_output(&b, nir_load_push_constant(&b, 4, 32, nir_imm_int(&b, 0), .align_mul = 16), nir_imm_int(&b, 0),
                    .slot = NIR_SLOT_FRAG_DATA0, .write_mask = 15, .src_type = NIR_TYPE_FLOAT);
   struct nir_shader *const shaders[NIR_STAGES] = {[NIR_STAGE_VERTEX] = vertex, [NIR_STAGE_FRAGMENT] = fragment};
   assert_int_equal(d->screen->graphics_program_create(d->screen, shaders, &options, &program), PIPE_OK);
   arena_free(&arena);
   return program;
}

static struct pipe_image_view *
view_of(struct device *d, const struct image *image, uint32_t aspect, uint32_t usage)
{
   struct pipe_image_view_desc desc = {.image = image->resource,
                                       .type = PIPE_VIEW_2D,
                                       .format = image->desc.format,
                                       .swizzle = {0, 1, 2, 3},
                                       .range = {aspect, 0, 1, 0, 1},
                                       .usage = usage};
   struct pipe_image_view *view;

   assert_int_equal(d->screen->image_view_create(d->screen, &desc, &view), PIPE_OK);
   return view;
}

static struct work
create_work(struct device *d)
{
   struct work w = {
      .color = device_image(d, FORMAT_R8G8B8A8_UNORM, SIZE_PX, SIZE_PX, 1, 1, 1),
      .depth = device_image(d, FORMAT_D32_SFLOAT, SIZE_PX, SIZE_PX, 1, 1, 1),
      .program = create_program(d),
   };

   w.color_view = view_of(d, &w.color, PIPE_ASPECT_COLOR, PIPE_USAGE_COLOR);
   w.depth_view = view_of(d, &w.depth, PIPE_ASPECT_DEPTH, PIPE_USAGE_DEPTH_STENCIL);
   return w;
}

static void
free_work(struct device *d, struct work *w)
{
   struct pipe_screen *s = d->screen;

   s->image_view_destroy(s, w->color_view);
   s->image_view_destroy(s, w->depth_view);
   s->program_destroy(s, w->program);
   device_image_free(d, &w->color);
   device_image_free(d, &w->depth);
}

static void
begin_rendering(struct pipe_context *c, const struct work *w)
{
   struct pipe_rendering rendering = {.width = SIZE_PX, .height = SIZE_PX, .layers = 1, .num_colors = 1};

   rendering.colors[0] = (struct pipe_attachment){.view = w->color_view, .load = PIPE_LOAD_CLEAR};
   rendering.depth_stencil = w->depth_view;
   rendering.depth_load = PIPE_LOAD_CLEAR;
   rendering.clear_depth = 0.5f;
   c->begin_rendering(c, &rendering);
}

static void
bind(struct pipe_context *c, const struct work *w)
{
   float constants[5] = {1 / 255.0f, 2 / 255.0f, 3 / 255.0f, 0, 0.5f};

   c->bind_program(c, PIPE_BIND_GRAPHICS, w->program);
   c->set_graphics_state(c, &draw_state, PIPE_ALL_STATES);
   c->push_constants(c, 0, sizeof(constants), constants);
}

/* The colour image's first texel, after checking that all are equal. */
static uint32_t
read_color(struct device *d, const struct work *w)
{
   const uint32_t *texels = d->map;

   device_begin(d);
   device_download(d, &w->color, PIPE_ASPECT_COLOR, 0, 0, 0);
   device_run(d);
   for (unsigned i = 1; i < SIZE_PX * SIZE_PX; i++)
      assert_int_equal(texels[i], texels[0]);
   return texels[0];
}

/* Two queries with 64 bits, which are waited for, and three with 32 bits. */
static void
copy_queries(struct device *d, struct pipe_query_pool *pool)
{
   const struct pipe_query_copy waited = {.count = 2,
                                          .values = 1,
                                          .dst = d->buffer,
                                          .offset_B = 4096,
                                          .stride_B = 16,
                                          .wait = true,
                                          .result_64 = true,
                                          .with_availability = true};
   const struct pipe_query_copy others = {
      .count = 3, .values = 1, .dst = d->buffer, .offset_B = 8192, .stride_B = 8, .with_availability = true};

   d->ctx->query_copy(d->ctx, pool, &waited);
   d->ctx->query_copy(d->ctx, pool, &others);
}

static void
test_queries(void **state)
{
   struct device *d = *state;
   struct pipe_screen *s = d->screen;
   struct pipe_context *c = d->ctx;
   struct work w = create_work(d);
   struct pipe_query_pool *occlusion, *time, *statistics;
   uint64_t values[PIPE_STATISTICS], first, second;
   const uint64_t *copied = (const uint64_t *)((char *)d->map + 4096);
   const uint32_t *copied32 = (const uint32_t *)((char *)d->map + 8192);

   assert_int_equal(s->query_pool_create(s, PIPE_QUERY_OCCLUSION, 3, 0, &occlusion), PIPE_OK);
   assert_int_equal(s->query_pool_create(s, PIPE_QUERY_TIMESTAMP, 2, 0, &time), PIPE_OK);
   assert_int_equal(s->query_pool_create(s, PIPE_QUERY_PIPELINE_STATISTICS, 1, 0x7ff, &statistics), PIPE_OK);
   memset(d->map, 0xff, 16384);
   device_begin(d);
   c->query_reset(c, occlusion, 0, 3);
   c->query_reset(c, time, 0, 2);
   c->query_reset(c, statistics, 0, 1);
   c->write_timestamp(c, time, 0, PIPE_STAGE_ALL);
   begin_rendering(c, &w);
   bind(c, &w);
   c->query_begin(c, statistics, 0, false);
   c->query_begin(c, occlusion, 0, true);
   c->draw(c, 4, 2, 0, 0);
   c->query_end(c, occlusion, 0);
   c->query_end(c, statistics, 0);
   c->push_constants(c, 16, 4, &(float){0.25f});
   c->query_begin(c, occlusion, 1, true);
   c->draw(c, 4, 1, 0, 0); /* fails the depth test */
   c->query_end(c, occlusion, 1);
   c->end_rendering(c);
   c->write_timestamp(c, time, 1, PIPE_STAGE_ALL);
   copy_queries(d, occlusion);
   device_run(d);

   assert_true(s->query_result(s, occlusion, 0, values));
   assert_int_equal(values[0], 2 * SIZE_PX * SIZE_PX);
   assert_true(s->query_result(s, occlusion, 1, values));
   assert_int_equal(values[0], 0);
   assert_false(s->query_result(s, occlusion, 2, values));
   assert_memory_equal(copied, ((uint64_t[]){2 * SIZE_PX * SIZE_PX, 1, 0, 1}), 32);
   assert_int_equal(copied32[0], 2 * SIZE_PX * SIZE_PX);
   assert_int_equal(copied32[1], 1);
   assert_int_equal(copied32[4], UINT32_MAX); /* not available: only the next word is written */
   assert_int_equal(copied32[5], 0);
   assert_true(s->query_result(s, time, 0, &first) && s->query_result(s, time, 1, &second) && first < second);
   assert_true(s->query_result(s, statistics, 0, values));
   assert_int_equal(values[0], 8);                  /* input vertices */
   assert_int_equal(values[1], 4);                  /* input primitives */
   assert_true(values[2] >= 4);                     /* vertex shader */
   assert_true(values[7] >= 2 * SIZE_PX * SIZE_PX); /* helpers along the diagonal may count */
   s->query_pool_destroy(s, occlusion);
   s->query_pool_destroy(s, time);
   s->query_pool_destroy(s, statistics);
   free_work(d, &w);
}

static void
test_indirect_draws(void **state)
{
   struct device *d = *state;
   struct pipe_context *c = d->ctx;
   struct work w = create_work(d);
   uint32_t *args = (uint32_t *)((char *)d->map + (1 << 20));

   for (unsigned i = 0; i < 5; i++)
      memcpy(args + 8 * i, (uint32_t[]){4, 2, 0, 0}, 16);
   args[100] = 3; /* draws */
   memcpy(args + 200, (uint32_t[]){4, 1, 2, (uint32_t)-7, 0}, 20);
   memcpy(args + 300, (uint16_t[]){99, 99, 7, 8, 9, 10}, 12);
   device_begin(d);
   begin_rendering(c, &w);
   bind(c, &w);
   c->draw_indirect(c, &(struct pipe_indirect_draws){.max_draws = 5,
                                                     .stride_B = 32,
                                                     .buffer = d->buffer,
                                                     .offset_B = 1 << 20,
                                                     .count_buffer = d->buffer,
                                                     .count_offset_B = (1 << 20) + 400});
   c->set_index_buffer(c, d->buffer, (1 << 20) + 1200, 12, 2);
   c->draw_indirect(
      c, &(struct pipe_indirect_draws){
            .indexed = true, .max_draws = 1, .stride_B = 20, .buffer = d->buffer, .offset_B = (1 << 20) + 800});
   c->draw_indexed(c, 4, 3, 2, -7, 0);
   c->end_rendering(c);
   device_run(d);
   /* 3 draws of 2 instances, 1, 3: ten times the colour */
   assert_int_equal(read_color(d, &w), 10 | 20 << 8 | 30 << 16);
   free_work(d, &w);
}

static void
test_secondary(void **state)
{
   struct device *d = *state;
   struct pipe_context *secondary = d->screen->context_create(d->screen, 0), *c = d->ctx;
   struct pipe_inheritance inheritance = {.in_rendering = true,
                                          .num_colors = 1,
                                          .color_formats = {FORMAT_R8G8B8A8_UNORM},
                                          .depth_format = FORMAT_D32_SFLOAT,
                                          .samples = 1};
   struct work w = create_work(d);

   assert_int_equal(secondary->begin(secondary, &inheritance, true), PIPE_OK);
   bind(secondary, &w);
   secondary->draw(secondary, 4, 1, 0, 0);
   secondary->clear_attachment(secondary, 0, PIPE_ASPECT_COLOR,
                               &(struct pipe_clear_value){.color = {.f = {100 / 255.0f, 0, 0, 1}}},
                               &(struct pipe_clear_rect){0, 0, SIZE_PX, SIZE_PX, 0, 1});
   secondary->clear_attachment(secondary, UINT32_MAX, PIPE_ASPECT_DEPTH, &(struct pipe_clear_value){.depth = 0.125f},
                               &(struct pipe_clear_rect){0, 0, SIZE_PX, SIZE_PX, 0, 1});
   secondary->draw(secondary, 4, 1, 0, 0); /* fails the depth test now */
   secondary->push_constants(secondary, 16, 4, &(float){0.125f});
   secondary->draw(secondary, 4, 1, 0, 0);
   assert_int_equal(secondary->end(secondary), PIPE_OK);
   device_begin(d);
   begin_rendering(c, &w);
   c->execute(c, secondary);
   c->end_rendering(c);
   device_run(d);
   assert_int_equal(read_color(d, &w), 101u | 2 << 8 | 3 << 16 | 255u << 24);
   secondary->destroy(secondary);
   free_work(d, &w);
}

/* data[set 0, binding 0][n] = n + workgroups + dynamic uniform[0] + push constant, n the invocation. */
static struct pipe_program *
create_compute(struct device *d, const struct pipe_pipeline_layout *layout)
{
   struct arena arena = {0};
   struct nir_shader *shader = nir_shader_create(&arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);
   struct pipe_program *program;

   shader->info.workgroup_size[0] = 32;
   shader->info.workgroup_size[1] = shader->info.workgroup_size[2] = 1;
   struct nir_def *zero = nir_imm_int(&b, 0), *n = nir_channel(&b, nir_load_global_invocation_id(&b), 0);
   struct nir_def *data =
      nir_vulkan_resource_index(&b, zero, .set = 0, .binding = 0, .descriptor_kind = NIR_DESCRIPTOR_STORAGE_BUFFER);
   struct nir_def *uniform =
      nir_vulkan_resource_index(&b, zero, .set = 0, .binding = 1, .descriptor_kind = NIR_DESCRIPTOR_UNIFORM_BUFFER);
   struct nir_def *value = nir_iadd(&b, n, nir_channel(&b, nir_load_num_workgroups(&b), 0));
   value = nir_iadd(&b, value, nir_load_ubo(&b, 1, 32, uniform, zero, .align_mul = 4));
   value = nir_iadd(&b, value, nir_load_push_constant(&b, 1, 32, nir_imm_int(&b, 8), .align_mul = 4));
   nir_store_ssbo(&b, value, data, nir_ishl_imm(&b, n, 2), .write_mask = 1, .align_mul = 4);
   assert_int_equal(d->screen->compute_program_create(d->screen, shader,
                                                      &(struct pipe_compute_options){.layout = layout}, &program),
                    PIPE_OK);
   arena_free(&arena);
   return program;
}

static void
test_dispatches(void **state)
{
   struct device *d = *state;
   struct pipe_screen *s = d->screen;
   struct pipe_context *c = d->ctx;
   struct pipe_set_layout *set = calloc(1, sizeof(*set) + 2 * sizeof(set->bindings[0]));
   struct pipe_pipeline_layout layout = {.num_sets = 1, .sets = {set}, .num_dynamic = 1, .push_constant_B = 16};
   struct pipe_memory *set_memory;
   struct pipe_resource *set_buffer;
   const uint32_t *out = d->map;
   uint32_t *in = (uint32_t *)((char *)d->map + (1 << 20));

   set->num_bindings = 2;
   set->bindings[0] = (struct pipe_set_binding){.kind = PIPE_DESCRIPTOR_STORAGE_BUFFER, .count = 1, .stride_B = 16};
   set->bindings[1] = (struct pipe_set_binding){.kind = PIPE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC, .count = 1};
   struct pipe_program *program = create_compute(d, &layout);
   assert_int_equal(s->memory_create(s, PIPE_MEMORY_TYPE_DESCRIPTORS, 4096, -1, &set_memory), PIPE_OK);
   assert_int_equal(s->buffer_create(s, 4096, &set_buffer), PIPE_OK);
   s->resource_bind(set_buffer, set_memory, 0);
   /* The storage buffer ends after 200 dwords: later stores are dropped. */
   s->descriptor_write_buffer(s, d->buffer, 0, 800, s->memory_map(s, set_memory));
   const struct pipe_dynamic_buffer buffer = {d->buffer, 1 << 20, 16, false};
   const struct pipe_dynamic_buffers dynamic = {0, 1, &buffer};

   memset(d->map, 0, 4096);
   in[0] = 1000;
   memcpy(in + 64, (uint32_t[]){2, 1, 1}, 12);
   device_begin(d);
   c->bind_program(c, PIPE_BIND_COMPUTE, program);
   c->bind_descriptor_set(c, PIPE_BIND_COMPUTE, 0, &(struct pipe_descriptor_set){set_buffer, 0, 0}, &dynamic);
   c->push_constants(c, 8, 4, &(uint32_t){70000});
   c->dispatch(c, (uint32_t[]){3, 0, 0}, (uint32_t[]){6, 1, 1});
   device_barrier(d);
   c->dispatch_indirect(c, d->buffer, (1 << 20) + 256);
   device_run(d);
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(out[i], i + 2 + 71000);
   for (unsigned i = 64; i < 96; i++)
      assert_int_equal(out[i], 0);
   for (unsigned i = 96; i < 200; i++)
      assert_int_equal(out[i], i + 6 + 71000);
   for (unsigned i = 200; i < 1024; i++)
      assert_int_equal(out[i], 0);
   s->program_destroy(s, program);
   s->resource_destroy(s, set_buffer);
   s->memory_destroy(s, set_memory);
   free(set);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_queries), cmocka_unit_test(test_indirect_draws),
                                      cmocka_unit_test(test_secondary), cmocka_unit_test(test_dispatches)};
   return cmocka_run_group_tests(tests, device_setup, device_teardown);
}
