/* Submits what a recording of Linux has as a program on macOS would, through the tracer: its memory by ALLOCATE_MEM,
 * its commands as command buffers of macOS. Programs lie in the first 4 GiB, too, where macOS has them.
 *
 * Usage: macos_player RECORDING, with the tracer's environment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/records.h"
#include "asahi/wrap/iokit_calls.h"
#include "fake_iokit.h"
#include "sim/record/recording.h"

#define SHMEM_B 0x4000
#define MAX_MEMORIES 256

static struct {
   void *host; /* NULL: not mapped yet */
   uint64_t size_B;
} memories[MAX_MEMORIES];

static void
call(uint32_t selector, const uint64_t *input, uint32_t input_count, const void *request, size_t request_B,
     void *response, size_t response_B)
{
   /* size: as IOKit has it */
   if (TRACED(IOConnectCallMethod)(FAKE_CONNECTION, selector, input, input_count, request, request_B, NULL, NULL,
                                   response, response ? &response_B : NULL))
      exit(3);
}

static void
map_at(const struct sim_record *record, uint64_t va)
{
   uint32_t request[24] = {[16] = (uint32_t)record->size_B};
   struct fake_allocated response;
   if (record->memory >= MAX_MEMORIES || record->offset_B)
      exit(4);
   fake_iokit.gpu_va = va;
   fake_iokit.cpu = (uintptr_t)memories[record->memory].host;
   call(AGX_IOKIT_ALLOCATE_MEM, NULL, 0, request, sizeof(request), &response, sizeof(response));
   if (!fake_iokit.cpu)
      memories[record->memory].host = fake_iokit.last;
   fake_iokit.cpu = 0;
}

/* Constants of programs stay where their addresses say, too. */
static void
map(const struct sim_record *record, uint64_t usc_base)
{
   uint64_t va = record->va.va;
   map_at(record, va);
   if (usc_base && va >= usc_base && va - usc_base <= UINT32_MAX)
      map_at(record, va - usc_base);
}

/* What the header and both structs have besides what is meant: as [xml] says. */
static void
pack_header(char *buffer, enum agx_iogpu_kind kind, size_t size_B, uint64_t encoder)
{
   agx_iogpu_header_pack(buffer, &(struct agx_iogpu_header){.unk_0 = 0x10000,
                                                            .total_size = (uint32_t)size_B,
                                                            .unk_64 = 4,
                                                            .unk_384 = 0x30,
                                                            .kind = kind,
                                                            .encoder = encoder});
}

static size_t
convert_render(char *buffer, const char *payload)
{
   struct agx_render_command c;
   struct agx_multisample_control m;
   struct agx_cr_isp_zls_pixels size;
   agx_render_command_unpack(&c, payload);
   agx_multisample_control_unpack(&m, &c.ppp_multisamplectl);
   agx_cr_isp_zls_pixels_unpack(&size, &c.isp_zls_pixels);
   struct agx_iogpu_graphics g = {
      .unk_3072 = 1,
      .opengl_depth_clipping = c.ppp_ctrl & 1,
      .clear_pipeline_bind = c.bg_rsrc_spec,
      .clear_pipeline_unk = c.bg_usc & 0xf,
      .clear_pipeline = c.bg_usc & ~0xfu,
      .store_pipeline_bind = c.eot_rsrc_spec,
      .store_pipeline_unk = c.eot_usc & 0xf,
      .store_pipeline = c.eot_usc & ~0xfu,
      .partial_reload_pipeline_bind = c.partial_bg_rsrc_spec,
      .partial_reload_pipeline_unk = c.partial_bg_usc & 0xf,
      .partial_reload_pipeline = c.partial_bg_usc & ~0xfu,
      .partial_store_pipeline_bind = c.partial_eot_rsrc_spec,
      .partial_store_pipeline_unk = c.partial_eot_usc & 0xf,
      .partial_store_pipeline = c.partial_eot_usc & ~0xfu,
      .scissor_array = c.isp_scissor_base,
      .depth_bias_array = c.isp_dbias_base,
      .visibility_result_buffer = c.isp_oclqry_base,
      .zls_control = (uint32_t)c.zls_ctrl,
      .depth_width_px = size.x_px,
      .depth_height_px = size.y_px,
      .depth_buffer_1 = c.depth_base,
      .depth_buffer_2 = c.depth_base,
      .depth_acceleration_buffer_2 = c.depth_comp_base,
      .stencil_buffer_2 = c.stencil_base,
      .stencil_acceleration_buffer_2 = c.stencil_comp_base,
      .depth_clear_value = c.isp_bgobjdepth,
      .stencil_clear_value = c.isp_bgobjvals & 0xff,
      .unk_8872 = c.isp_bgobjvals >> 8 & 0xff,
      .width_1_px = c.width_px,
      .height_1_px = c.height_px,
      .width_2_px = c.width_px,
      .height_2_px = c.height_px,
      .sample_count = c.samples,
      .sample_0_x = m.sample_0_x,
      .sample_0_y = m.sample_0_y,
      .sample_1_x = m.sample_1_x,
      .sample_1_y = m.sample_1_y,
      .sample_2_x = m.sample_2_x,
      .sample_2_y = m.sample_2_y,
      .sample_3_x = m.sample_3_x,
      .sample_3_y = m.sample_3_y,
      .tile_width_px = c.utile_width_px,
      .tile_height_px = c.utile_height_px,
      .framebuffer_layers = c.layers,
   };
   size_t size_B = AGX_IOGPU_HEADER_SIZE_B + AGX_IOGPU_GRAPHICS_SIZE_B;
   pack_header(buffer, AGX_IOGPU_KIND_GRAPHICS, size_B, c.vdm_ctrl_stream_base);
   agx_iogpu_graphics_pack(buffer + AGX_IOGPU_HEADER_SIZE_B, &g);
   return size_B;
}

static size_t
convert_compute(char *buffer, const char *payload)
{
   struct agx_compute_command c;
   agx_compute_command_unpack(&c, payload);
   struct agx_iogpu_compute compute = {.terminate_of_encoder = c.cdm_ctrl_stream_end,
                                       .spilling_unk_1 = c.helper_binary != 0};
   size_t size_B = AGX_IOGPU_HEADER_SIZE_B + AGX_IOGPU_COMPUTE_SIZE_B;
   pack_header(buffer, AGX_IOGPU_KIND_COMPUTE, size_B, c.cdm_ctrl_stream_base);
   agx_iogpu_compute_pack(buffer + AGX_IOGPU_HEADER_SIZE_B, &compute);
   return size_B;
}

static void
submit(uint64_t queue, const char *words, size_t size_B)
{
   const uint64_t input[2] = {SHMEM_B, 0};
   for (size_t at = 0; at + AGX_COMMAND_HEADER_SIZE_B <= size_B;) {
      struct agx_command_header header;
      struct fake_shmem commands, segments;
      char payload[AGX_RENDER_COMMAND_SIZE_B] = {0};
      agx_command_header_unpack(&header, words + at);
      at += AGX_COMMAND_HEADER_SIZE_B;
      memcpy(payload, words + at, header.size_B < sizeof(payload) ? header.size_B : sizeof(payload));
      at += header.size_B;
      if (header.type > AGX_COMMAND_TYPE_COMPUTE)
         continue;
      call(AGX_IOKIT_CREATE_SHMEM, input, 2, NULL, 0, &commands, sizeof(commands));
      call(AGX_IOKIT_CREATE_SHMEM, input, 2, NULL, 0, &segments, sizeof(segments));
      char *buffer = (char *)(uintptr_t)commands.map;
      (header.type == AGX_COMMAND_TYPE_RENDER ? convert_render : convert_compute)(buffer, payload);
      const uint32_t request[2 + 10] = {0, 1, commands.id, segments.id};
      call(AGX_IOKIT_SUBMIT_COMMAND_BUFFERS, &queue, 1, request, sizeof(request), NULL, 0);
   }
}

static void
play(const struct sim_recording *recording, uint64_t usc_base)
{
   uint64_t queue[2];
   char request[1024] = "";
   call(AGX_IOKIT_SET_API, NULL, 0, "Metal\0\0\0\0\0\0\0\0\0\0", 16, NULL, 0);
   call(AGX_IOKIT_CREATE_COMMAND_QUEUE, NULL, 0, request, sizeof(request), queue, sizeof(queue));
   dynarray_for_each(const struct sim_record, record, &recording->records) {
      struct dynarray words = {0};
      struct sim_record_error error;
      if (record->kind == SIM_RECORD_MAP) {
         map(record, usc_base);
      } else if (record->kind == SIM_RECORD_WRITE) {
         memcpy((char *)memories[record->memory].host + record->offset_B, record->words.data, record->words.size_B);
      } else if (record->kind == SIM_RECORD_SUBMIT) {
         sim_record_read_words(record, "usc", &usc_base, &words, &error);
         submit(queue[0], words.data, words.size_B);
      }
      dynarray_free(&words);
   }
}

int
main(int argc, char **argv)
{
   struct sim_recording recording = {0};
   struct sim_record_error error = {0};
   uint64_t usc_base = 0;
   size_t size_B;
   char *text = argc > 1 ? sim_recording_load(argv[1], &size_B) : NULL;
   if (!text || !sim_recording_read(&recording, text, size_B, &(const struct sim_record_language){0}, &error))
      return 2;
   dynarray_for_each(const struct sim_record, record, &recording.records) {
      struct dynarray words = {0};
      if (record->kind == SIM_RECORD_SUBMIT)
         sim_record_read_words(record, "usc", &usc_base, &words, &error);
      dynarray_free(&words);
   }
   fake_iokit_reset();
   play(&recording, usc_base);
   sim_recording_free(&recording);
   free(text);
   return 0;
}
