/* What contexts record: streams are decoded to their end with nothing in them that nobody knows, and read as the
 * golden files say. To write them anew: test_agx_record FOLDER write. */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "asahi/hw/records.h"
#include "asahi/lib/agx_decode.h"
#include "compiler/nir/nir_builder.h"
#include "fake_gpu.h"
#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/commands/agx_query.h"
#include "gallium/drivers/asahi/resource/agx_resource.h"
#include "util/format_enum.h"

static const char *folder;
static bool writes;

static const struct pipe_barrier everything = {.src_stages = PIPE_STAGE_ALL,
                                               .dst_stages = PIPE_STAGE_ALL,
                                               .src_access = PIPE_ACCESS_ALL,
                                               .dst_access = PIPE_ACCESS_ALL};

struct fixture {
   struct arena arena;
   struct pipe_screen *screen;
   struct pipe_context *ctx;
   struct pipe_program *program;
   struct pipe_memory *memory;
   struct pipe_resource *buffer;
};

/* Reads the number of workgroups, a push constant and a buffer of set 1. */
static struct nir_shader *
make_shader(struct arena *arena)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);
   struct nir_builder b = nir_builder_create(shader);

   shader->info.workgroup_size[0] = 64;
   shader->info.shared_B = 512;
   struct nir_def *zero = nir_imm_int(&b, 0);
   struct nir_def *index =
      nir_vulkan_resource_index(&b, zero, .set = 1, .binding = 0, .descriptor_kind = NIR_DESCRIPTOR_STORAGE_BUFFER);
   struct nir_def *value = nir_iadd(&b, nir_channel(&b, nir_load_num_workgroups(&b), 1),
                                    nir_load_push_constant(&b, 1, 32, nir_imm_int(&b, 20), .align_mul = 4));
   nir_store_ssbo(&b, value, index, zero, .write_mask = 1, .align_mul = 4);
   return shader;
}

static enum pipe_result
make_program(struct fixture *f)
{
   struct pipe_set_layout *set = calloc(1, sizeof(*set) + sizeof(set->bindings[0]));
   struct pipe_pipeline_layout layout = {.num_sets = 2, .sets = {NULL, set}};

   *set = (struct pipe_set_layout){.num_bindings = 1};
   set->bindings[0] =
      (struct pipe_set_binding){.kind = PIPE_DESCRIPTOR_STORAGE_BUFFER, .count = 1, .offset_B = 32, .stride_B = 16};
   enum pipe_result result = f->screen->compute_program_create(
      f->screen, make_shader(&f->arena), &(struct pipe_compute_options){.layout = &layout}, &f->program);
   free(set);
   return result;
}

static int
setup(void **state)
{
   struct fixture *f = calloc(1, sizeof(*f));

   fake_buffers_left = 100;
   f->screen = fake_screen_create();
   f->ctx = f->screen ? f->screen->context_create(f->screen, 0) : NULL;
   *state = f;
   if (!f->ctx || make_program(f) != PIPE_OK ||
       f->screen->memory_create(f->screen, 0, 1 << 20, -1, &f->memory) != PIPE_OK ||
       f->screen->buffer_create(f->screen, 1 << 20, &f->buffer) != PIPE_OK)
      return -1;
   f->screen->resource_bind(f->buffer, f->memory, 0);
   return f->ctx->begin(f->ctx, NULL, true);
}

static int
teardown(void **state)
{
   struct fixture *f = *state;

   f->ctx->destroy(f->ctx);
   f->screen->program_destroy(f->screen, f->program);
   f->screen->resource_destroy(f->screen, f->buffer);
   f->screen->memory_destroy(f->screen, f->memory);
   f->screen->destroy(f->screen);
   assert_int_equal(fake_num_bos, 0);
   arena_free(&f->arena);
   free(f);
   return 0;
}

/* ---- listings ---- */

struct listing {
   struct agx_decode decode;
   unsigned launches, links, barriers;
};

static size_t
read_gpu(void *data, uint64_t va, void *out, size_t size_B)
{
   const void *from = fake_memory(va, size_B);

   if (from)
      memcpy(out, from, size_B);
   return from ? size_B : 0;
}

static void
count_record(void *data, const struct agx_record *record, uint64_t va, const void *bytes)
{
   struct listing *listing = data;

   listing->launches += !strcmp(record->name, "CDM_LAUNCH");
   listing->links += !strcmp(record->name, "CDM_STREAM_LINK");
   listing->barriers += !strcmp(record->name, "CDM_BARRIER");
}

/* Decodes what an ended context submits. */
static void
list(struct fixture *f, struct listing *listing, FILE *out)
{
   const struct agx_context *ctx = agx_context(f->ctx);
   char bytes[64 * (8 + 240)], *at = bytes;

   for (uint32_t i = 0; i < ctx->num_commands; i++) {
      const struct asahi_ws_command *command = &ctx->commands[i];
      struct drm_asahi_cmd_header header = {
         .cmd_type = command->render ? DRM_ASAHI_CMD_RENDER : DRM_ASAHI_CMD_COMPUTE,
         .size = command->render ? sizeof(command->render_cmd) : sizeof(command->compute_cmd)};

      memcpy(at, &header, sizeof(header));
      memcpy(at + sizeof(header), command->render ? (const void *)&command->render_cmd : &command->compute_cmd,
             header.size);
      at += sizeof(header) + header.size;
   }
   *listing = (struct listing){.decode = {.gen = AGX_G13,
                                          .usc_base = FAKE_USC_BASE,
                                          .data = listing,
                                          .read = read_gpu,
                                          .record = count_record,
                                          .out = out}};
   agx_decode_submit(&listing->decode, bytes, (size_t)(at - bytes));
   assert_int_equal(listing->decode.problems, 0);
}

static void
check_golden(const char *name, const char *text)
{
   char path[512], *golden = calloc(1, 1 << 20);
   snprintf(path, sizeof(path), "%s/%s.txt", folder, name);
   if (writes) {
      FILE *file = fopen(path, "w");

      assert_non_null(file);
      fputs(text, file);
      fclose(file);
   }
   FILE *file = fopen(path, "r");
   if (file) {
      size_t size = fread(golden, 1, (1 << 20) - 1, file);

      golden[size] = 0;
      fclose(file);
   }
   assert_string_equal(text, golden);
   free(golden);
}

static void
check(struct fixture *f, const char *name)
{
   struct listing listing;
   char *text = NULL;
   size_t size;
   FILE *out = open_memstream(&text, &size);

   assert_int_equal(f->ctx->end(f->ctx), PIPE_OK);
   list(f, &listing, out);
   fclose(out);
   check_golden(name, text);
   free(text);
}

/* ---- tests ---- */

static void
bind(struct fixture *f)
{
   uint32_t words[6] = {1, 2, 3, 4, 5, 6};

   f->ctx->bind_program(f->ctx, PIPE_BIND_COMPUTE, f->program);
   f->ctx->bind_descriptor_set(f->ctx, PIPE_BIND_COMPUTE, 1, &(struct pipe_descriptor_set){f->buffer, 4096, 0},
                               &(struct pipe_dynamic_buffers){0});
   f->ctx->push_constants(f->ctx, 0, sizeof(words), words);
}

static void
test_dispatch(void **state)
{
   struct fixture *f = *state;
   static const uint32_t base[3];

   bind(f);
   f->ctx->dispatch(f->ctx, base, (const uint32_t[3]){3, 2, 1});
   f->ctx->barrier(f->ctx, &(struct pipe_barrier){0}); /* orders nothing */
   f->ctx->barrier(f->ctx, &everything);
   f->ctx->barrier(f->ctx, &everything); /* nothing has come since */
   f->ctx->dispatch_indirect(f->ctx, f->buffer, 256);
   check(f, "dispatch");
}

static struct nir_shader *
make_stage(struct arena *arena, enum nir_stage stage, unsigned slot)
{
   struct nir_shader *shader = nir_shader_create(arena, stage);
   struct nir_builder b = nir_builder_create(shader);

   nir_store_output(&b, nir_imm_vec4(&b, 0.5f, 0.25f, 0, 1), nir_imm_int(&b, 0), .slot = slot, .write_mask = 0xf,
                    .src_type = NIR_TYPE_FLOAT);
   return shader;
}

/* What a draw needs. */
struct drawing {
   struct pipe_program *program;
   struct pipe_resource *image;
   struct pipe_image_view *view;
};

static const struct pipe_graphics_state draw_state = {
   .topology = PIPE_TRIANGLE_LIST,
   .viewports = {1, {{0, 0, 100, 64, 0, 1}}},
   .scissors = {1, {{0, 0, 100, 64}}},
   .cull = PIPE_CULL_BACK,
   .samples = 1,
   .sample_mask = UINT32_MAX,
   .color_write_mask = 0xf,
   .targets = {.num_colors = 1, .color_formats = {FORMAT_R8G8B8A8_UNORM}},
};

static void
create_target(struct fixture *f, struct drawing *d)
{
   const struct pipe_image_desc desc = {.type = PIPE_IMAGE_2D,
                                        .format = FORMAT_R8G8B8A8_UNORM,
                                        .width_px = 100,
                                        .height_px = 64,
                                        .depth_px = 1,
                                        .levels = 1,
                                        .layers = 1,
                                        .samples = 1,
                                        .usage = PIPE_USAGE_COLOR};
   struct pipe_image_view_desc view = {.type = PIPE_VIEW_2D,
                                       .format = FORMAT_R8G8B8A8_UNORM,
                                       .swizzle = {PIPE_SWIZZLE_R, PIPE_SWIZZLE_G, PIPE_SWIZZLE_B, PIPE_SWIZZLE_A},
                                       .range = {.aspects = PIPE_ASPECT_COLOR, .levels = 1, .layers = 1},
                                       .usage = PIPE_USAGE_COLOR};

   assert_int_equal(f->screen->image_create(f->screen, &desc, &d->image), PIPE_OK);
   f->screen->resource_bind(d->image, f->memory, 65536);
   view.image = d->image;
   assert_int_equal(f->screen->image_view_create(f->screen, &view, &d->view), PIPE_OK);
}

static void
create_program(struct fixture *f, struct drawing *d)
{
   struct nir_shader *shaders[NIR_STAGES] = {
      [NIR_STAGE_VERTEX] = make_stage(&f->arena, NIR_STAGE_VERTEX, NIR_SLOT_POS),
      [NIR_STAGE_FRAGMENT] = make_stage(&f->arena, NIR_STAGE_FRAGMENT, NIR_SLOT_FRAG_DATA0)};
   const struct pipe_graphics_options options = {.state = &draw_state};

   assert_int_equal(f->screen->graphics_program_create(f->screen, shaders, &options, &d->program), PIPE_OK);
}

static void
destroy_drawing(struct fixture *f, struct drawing *d)
{
   f->screen->image_view_destroy(f->screen, d->view);
   f->screen->resource_destroy(f->screen, d->image);
   f->screen->program_destroy(f->screen, d->program);
}

/* A triangle on a target that is cleared, again, and its indices; then with another scissor, from memory. */
static void
test_draw(void **state)
{
   struct fixture *f = *state;
   struct pipe_graphics_state gfx = draw_state;
   struct pipe_rendering rendering = {.width = 100, .height = 64, .layers = 1, .num_colors = 1};
   struct drawing d;

   create_program(f, &d);
   create_target(f, &d);
   rendering.colors[0] =
      (struct pipe_attachment){.view = d.view, .load = PIPE_LOAD_CLEAR, .clear = {.f = {0.25f, 0.5f, 0.75f, 1}}};
   f->ctx->begin_rendering(f->ctx, &rendering);
   f->ctx->bind_program(f->ctx, PIPE_BIND_GRAPHICS, d.program);
   f->ctx->set_graphics_state(f->ctx, &gfx, PIPE_ALL_STATES);
   f->ctx->draw(f->ctx, 3, 1, 0, 0);
   f->ctx->draw(f->ctx, 6, 2, 3, 0);
   f->ctx->set_index_buffer(f->ctx, f->buffer, 512, 100, 2);
   f->ctx->draw_indexed(f->ctx, 9, 1, 3, 7, 0);
   gfx.scissors.of[0] = (struct pipe_scissor){10, 20, 30, 40};
   f->ctx->set_graphics_state(f->ctx, &gfx, PIPE_BIT(SCISSORS));
   f->ctx->draw_indirect(f->ctx,
                         &(struct pipe_indirect_draws){
                            .indexed = true, .max_draws = 1, .stride_B = 20, .buffer = f->buffer, .offset_B = 1024});
   f->ctx->end_rendering(f->ctx);
   check(f, "draw");
   destroy_drawing(f, &d);
}

static void
test_without_sets(void **state)
{
   struct fixture *f = *state;
   static const uint32_t base[3];

   /* What its set's uniforms hold is anything. */
   f->ctx->bind_program(f->ctx, PIPE_BIND_COMPUTE, f->program);
   f->ctx->dispatch(f->ctx, base, (const uint32_t[3]){1, 1, 1});
   assert_int_equal(f->ctx->end(f->ctx), PIPE_OK);
   assert_int_equal(agx_context(f->ctx)->num_commands, 0);
}

static void
test_timestamps(void **state)
{
   struct fixture *f = *state;
   struct pipe_query_pool *pool;

   assert_int_equal(f->screen->query_pool_create(f->screen, PIPE_QUERY_TIMESTAMP, 4, 0, &pool), PIPE_OK);
   f->ctx->write_timestamp(f->ctx, pool, 1, PIPE_STAGE_ALL);
   f->ctx->write_timestamp(f->ctx, pool, 2, PIPE_STAGE_ALL);
   assert_int_equal(f->ctx->end(f->ctx), PIPE_OK);
   const struct agx_context *ctx = agx_context(f->ctx);
   assert_int_equal(ctx->num_commands, 2);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(ctx->commands[i].compute_cmd.ts.start.handle, 7);
      assert_int_equal(ctx->commands[i].compute_cmd.ts.start.offset, (i + 1) * 16 + 8);
   }
   struct listing listing;
   list(f, &listing, NULL);
   assert_int_equal(listing.launches, 2);
   f->screen->query_pool_destroy(f->screen, pool);
}

/* More than a chunk holds. */
static void
test_long_stream(void **state)
{
   struct fixture *f = *state;
   static const uint32_t base[3];
   struct listing listing;

   bind(f);
   for (unsigned i = 0; i < 12000; i++) {
      f->ctx->dispatch(f->ctx, base, (const uint32_t[3]){1 + i % 7, 1, 1});
      if (i % 3 == 0)
         f->ctx->barrier(f->ctx, &everything);
   }
   assert_int_equal(f->ctx->end(f->ctx), PIPE_OK);
   list(f, &listing, NULL);
   assert_int_equal(listing.launches, 12000);
   assert_int_equal(listing.barriers, 4001);
   assert_true(listing.links >= 3);
   /* The kernel is told where the first piece ends: after its link. */
   const struct drm_asahi_cmd_compute *command = &agx_context(f->ctx)->commands[0].compute_cmd;
   struct agx_cdm_stream_link link;
   agx_cdm_stream_link_unpack(&link, fake_memory(command->cdm_ctrl_stream_end - 8, 8));
   assert_non_null(fake_memory((uint64_t)link.target_hi << 32 | link.target_lo, 8));
   f->ctx->reset(f->ctx);
   assert_int_equal(agx_context(f->ctx)->num_commands, 0);
}

/* The sets of stages of the API also have those of workgroups, which this driver cannot run. */
static void
test_stages(void **state)
{
   struct fixture *f = *state;
   const uint32_t stages = f->screen->caps.shader_stages;
   assert_int_equal(stages & (1u << NIR_STAGE_TASK | 1u << NIR_STAGE_MESH), 0);
   assert_true(stages >> NIR_STAGE_VERTEX & stages >> NIR_STAGE_FRAGMENT & stages >> NIR_STAGE_COMPUTE & 1);
}

static void
test_out_of_memory(void **state)
{
   struct fixture *f = *state;
   static const uint32_t base[3];
   unsigned failures = 0;

   for (unsigned left = 0; left < 4; left++) {
      fake_buffers_left = left;
      if (f->ctx->begin(f->ctx, NULL, true) != PIPE_OK) {
         failures++;
         continue;
      }
      bind(f);
      for (unsigned i = 0; i < 40000; i++)
         f->ctx->dispatch(f->ctx, base, (const uint32_t[3]){1, 1, 1});
      failures += f->ctx->end(f->ctx) == PIPE_OUT_OF_DEVICE_MEMORY;
   }
   assert_true(failures >= 1);
   fake_buffers_left = 100;
   assert_int_equal(f->ctx->begin(f->ctx, NULL, true), PIPE_OK);
   assert_int_equal(f->ctx->end(f->ctx), PIPE_OK);
}

static void
test_no_screen(void **state)
{
   /* Each buffer of the device fails in turn. */
   unsigned count = 0;
   for (struct pipe_screen *screen = NULL; !screen; count++) {
      assert_true(count < 50);
      fake_buffers_left = count;
      screen = fake_screen_create();
      if (screen)
         screen->destroy(screen);
      assert_int_equal(fake_num_bos, 0);
      if (screen)
         break;
   }
   assert_true(count >= 2);
}

static void
test_submit(void **state)
{
   struct fixture *f = *state;
   struct pipe_queue *queue;
   struct pipe_sync *sync;
   static const uint32_t base[3];

   assert_int_equal(
      f->screen->queue_create(f->screen, &(struct pipe_queue_desc){.priority = PIPE_PRIORITY_MEDIUM}, &queue),
      PIPE_OK);
   assert_int_equal(f->screen->sync_create(f->screen, false, &sync), PIPE_OK);
   struct pipe_submit submit = {.num_signals = 1, .signals = &(struct pipe_sync_point){.sync = sync}};

   /* Nothing to run: a stream that ends at once, then the signals, the queue's own among them. */
   assert_int_equal(f->screen->queue_submit(queue, &submit), PIPE_OK);
   assert_int_equal(fake_num_commands, 1);
   assert_int_equal(fake_num_signals, 2);
   const uint32_t *stream = fake_memory(fake_command.compute_cmd.cdm_ctrl_stream_base, 8);
   assert_int_equal(stream[0], 0x40000000);
   bind(f);
   f->ctx->dispatch(f->ctx, base, (const uint32_t[3]){1, 1, 1});
   assert_int_equal(f->ctx->end(f->ctx), PIPE_OK);
   struct pipe_sync_point wait = {.sync = sync, .point = 4};

   submit = (struct pipe_submit){.num_waits = 1,
                                 .num_contexts = 3,
                                 .waits = &wait,
                                 .contexts = (struct pipe_context *[]){f->ctx, f->ctx, f->ctx}};
   assert_int_equal(f->screen->queue_submit(queue, &submit), PIPE_OK);
   assert_int_equal(fake_num_commands, 3);
   assert_int_equal(fake_num_waits, 1);
   fake_submit_error = -5;
   assert_int_equal(f->screen->queue_submit(queue, &(struct pipe_submit){0}), PIPE_DEVICE_LOST);
   fake_submit_error = 0;
   fake_lost = true;
   assert_true(f->screen->queue_lost(queue));
   fake_lost = false;
   f->screen->sync_destroy(f->screen, sync);
   f->screen->queue_destroy(f->screen, queue);
}

static void
wait_submits(unsigned count)
{
   while (fake_num_submits < count)
      sched_yield();
}

/* What follows an event goes to the kernel when it is set, and the call does not wait. */
static void
test_events(void **state)
{
   struct fixture *f = *state;
   struct pipe_queue *queue;
   struct pipe_sync *sync;
   static const uint32_t base[3], groups[3] = {1, 1, 1};
   uint32_t *event = (uint32_t *)f->screen->memory_map(f->screen, f->memory) + 100;

   assert_int_equal(
      f->screen->queue_create(f->screen, &(struct pipe_queue_desc){.priority = PIPE_PRIORITY_MEDIUM}, &queue),
      PIPE_OK);
   assert_int_equal(f->screen->sync_create(f->screen, false, &sync), PIPE_OK);
   bind(f);
   f->ctx->dispatch(f->ctx, base, groups);
   f->ctx->event_wait(f->ctx, f->buffer, 400);
   f->ctx->dispatch(f->ctx, base, groups);
   f->ctx->event_wait(f->ctx, f->buffer, 400);
   assert_int_equal(f->ctx->end(f->ctx), PIPE_OK);
   fake_num_submits = 0;
   __atomic_store_n(event, 0, __ATOMIC_RELEASE);
   struct pipe_sync_point wait = {.sync = sync, .point = 4}, signal = {.sync = sync, .point = 5};
   struct pipe_submit submit = {
      .num_waits = 1, .num_signals = 1, .num_contexts = 1, .waits = &wait, .signals = &signal, .contexts = &f->ctx};

   assert_int_equal(f->screen->queue_submit(queue, &submit), PIPE_OK);
   wait_submits(1);
   assert_int_equal(fake_num_commands, 1);
   assert_int_equal(fake_num_waits, 1);
   assert_int_equal(fake_num_signals, 0);
   __atomic_store_n(event, 1, __ATOMIC_RELEASE);
   assert_int_equal(f->screen->queue_wait_idle(queue), PIPE_OK);
   /* The second dispatch, then what signals. */
   assert_int_equal(fake_num_submits, 3);
   assert_int_equal(fake_num_waits, 0);
   assert_int_equal(fake_num_signals, 2);
   /* Nobody will set it: the device is lost. */
   __atomic_store_n(event, 0, __ATOMIC_RELEASE);
   fake_lost = true;
   assert_int_equal(f->screen->queue_submit(queue, &(struct pipe_submit){.num_contexts = 1, .contexts = &f->ctx}),
                    PIPE_OK);
   assert_int_equal(f->screen->queue_wait_idle(queue), PIPE_DEVICE_LOST);
   fake_lost = false;
   f->screen->sync_destroy(f->screen, sync);
   f->screen->queue_destroy(f->screen, queue);
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_dispatch, setup, teardown),
      cmocka_unit_test_setup_teardown(test_draw, setup, teardown),
      cmocka_unit_test_setup_teardown(test_without_sets, setup, teardown),
      cmocka_unit_test_setup_teardown(test_timestamps, setup, teardown),
      cmocka_unit_test_setup_teardown(test_long_stream, setup, teardown),
      cmocka_unit_test_setup_teardown(test_stages, setup, teardown),
      cmocka_unit_test_setup_teardown(test_out_of_memory, setup, teardown),
      cmocka_unit_test_setup_teardown(test_submit, setup, teardown),
      cmocka_unit_test_setup_teardown(test_events, setup, teardown),
      cmocka_unit_test(test_no_screen),
   };

   folder = argc > 1 ? argv[1] : ".";
   writes = argc > 2;
   return cmocka_run_group_tests(tests, NULL, NULL);
}
