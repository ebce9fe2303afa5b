/* Assumed, and in docs/drivers/asahi/wrap.md: empty tiles are processed, as clears reach all of a target; W is
 * clamped and points have fixed-point sizes (ppp_ctrl), as in all that drivers for Linux submit. */
#include "asahi/sim/iogpu.h"

#include <string.h>

#include "asahi/hw/record_table.h"

#define MAX_LIST_RECORDS 256
#define SUBPIXELS 16

static bool
refuse(struct sim_fault *fault, const char *sentence)
{
   return sim_fault_set(fault, SIM_FAULT_PACKET, sim_va(0), "command buffer of macOS: %s", sentence);
}

/* How a USC list says that the tile's memory is laid out. False: it does not, or there is none. */
static bool
find_shared(const struct sim_vm *vm, uint64_t va, struct agx_usc_shared *shared)
{
   for (unsigned i = 0; i < MAX_LIST_RECORDS; i++) {
      unsigned char bytes[8] = {0};
      struct sim_va bad;
      const struct agx_sequence *sequence =
         sim_vm_read(vm, sim_va(va), bytes, 1, &bad) ? agx_stream_find(&agx_stream_usc, bytes[0]) : NULL;
      if (!sequence || !sim_vm_read(vm, sim_va(va), bytes, sequence->head->size_B, &bad))
         return false;
      if (sequence->head->id == AGX_RECORD_USC_SHARED) {
         agx_usc_shared_unpack(shared, bytes);
         return true;
      }
      if (sequence->head->id == AGX_RECORD_USC_PRESHADER || sequence->head->id == AGX_RECORD_USC_NO_PRESHADER)
         return false;
      va += sequence->head->size_B;
   }
   return false;
}

/* Targets, tiles and samples. */
static bool
convert_sizes(const struct sim_vm *vm, uint64_t usc_base, const struct agx_iogpu_graphics *g,
              struct agx_render_command *c, struct sim_fault *fault)
{
   struct agx_usc_shared shared;
   if (g->width_1_px != g->width_2_px || g->height_1_px != g->height_2_px)
      return refuse(fault, "two sizes of targets: which one counts is not known");
   if (!g->width_1_px || !g->height_1_px || g->width_1_px > UINT16_MAX || g->height_1_px > UINT16_MAX ||
       !g->framebuffer_layers || g->framebuffer_layers > UINT16_MAX || !g->sample_count ||
       g->sample_count > UINT8_MAX || g->tile_width_px > UINT8_MAX || g->tile_height_px > UINT8_MAX)
      return refuse(fault, "targets, tiles or samples of a size that there is not");
   if (!g->store_pipeline || !find_shared(vm, usc_base + (g->store_pipeline & ~0x3fu), &shared))
      return refuse(fault, "the size of a sample is known only from the end-of-tile program, which does not say it");
   c->width_px = g->width_1_px;
   c->height_px = g->height_1_px;
   c->layers = g->framebuffer_layers;
   c->samples = g->sample_count;
   c->utile_width_px = g->tile_width_px;
   c->utile_height_px = g->tile_height_px;
   c->sample_size_B = shared.sample_stride_B;
   return true;
}

static bool
convert_positions(const struct agx_iogpu_graphics *g, struct agx_render_command *c, struct sim_fault *fault)
{
   const uint32_t at[] = {g->sample_0_x, g->sample_0_y, g->sample_1_x, g->sample_1_y,
                          g->sample_2_x, g->sample_2_y, g->sample_3_x, g->sample_3_y};
   for (unsigned i = 0; i < 8; i++) {
      if (at[i] >= SUBPIXELS)
         return refuse(fault, "a sample on the pixel's far edge, which the register has no place for");
      c->ppp_multisamplectl |= (uint64_t)at[i] << 4 * i;
   }
   return true;
}

/* The buffer to load from and to store to, and that of partial renders, are one, or not there. */
static bool
one_of(const uint64_t buffers[3], uint64_t *one)
{
   *one = 0;
   for (unsigned i = 0; i < 3; i++) {
      if (*one && buffers[i] && buffers[i] != *one)
         return false;
      *one = *one ? *one : buffers[i];
   }
   return true;
}

static bool
convert_depth(const struct agx_iogpu_graphics *g, struct agx_render_command *c, struct sim_fault *fault)
{
   const uint64_t buffers[4][3] = {
      {g->depth_buffer_1, g->depth_buffer_2, g->depth_buffer_3},
      {g->depth_acceleration_buffer_1, g->depth_acceleration_buffer_2, g->depth_acceleration_buffer_3},
      {g->stencil_buffer_1, g->stencil_buffer_2, g->stencil_buffer_3},
      {g->stencil_acceleration_buffer_1, g->stencil_acceleration_buffer_2, g->stencil_acceleration_buffer_3},
   };
   if (!one_of(buffers[0], &c->depth_base) || !one_of(buffers[1], &c->depth_comp_base) ||
       !one_of(buffers[2], &c->stencil_base) || !one_of(buffers[3], &c->stencil_comp_base))
      return refuse(fault, "depth or stencil is loaded from one buffer and stored to another");
   if (g->framebuffer_layers > 1 && (c->depth_base || c->stencil_base))
      return refuse(fault, "depth or stencil of several layers: where the next layer begins is not known");
   agx_cr_isp_zls_pixels_pack(&c->isp_zls_pixels,
                              &(struct agx_cr_isp_zls_pixels){g->depth_width_px, g->depth_height_px});
   c->zls_ctrl = g->zls_control;
   c->flag_dbias_is_int = g->z16_unorm_attachment_1;
   c->isp_bgobjdepth = g->depth_clear_value;
   agx_background_values_pack(&c->isp_bgobjvals,
                              &(struct agx_background_values){g->stencil_clear_value, g->unk_8872});
   return true;
}

static void
convert_programs(const struct agx_iogpu_graphics *g, struct agx_render_command *c)
{
   c->bg_usc = g->clear_pipeline | g->clear_pipeline_unk;
   c->bg_rsrc_spec = g->clear_pipeline_bind;
   c->eot_usc = g->store_pipeline | g->store_pipeline_unk;
   c->eot_rsrc_spec = g->store_pipeline_bind;
   c->partial_bg_usc = g->partial_reload_pipeline | g->partial_reload_pipeline_unk;
   c->partial_bg_rsrc_spec = g->partial_reload_pipeline_bind;
   c->partial_eot_usc = g->partial_store_pipeline | g->partial_store_pipeline_unk;
   c->partial_eot_rsrc_spec = g->partial_store_pipeline_bind;
}

static bool
convert_graphics(const struct sim_vm *vm, uint64_t usc_base, uint64_t encoder, const char *bytes,
                 struct agx_sim_command *command, struct sim_fault *fault)
{
   struct agx_iogpu_graphics g;
   struct agx_render_command c = {.flag_process_empty_tiles = true, .vdm_ctrl_stream_base = encoder};
   char packed[AGX_RENDER_COMMAND_SIZE_B];
   agx_iogpu_graphics_unpack(&g, bytes);
   if (g.spilling_unk_1 || g.set_when_frag_shader_spills)
      return refuse(fault, "programs with private memory: where it lies is not known");
   if (!convert_sizes(vm, usc_base, &g, &c, fault) || !convert_positions(&g, &c, fault) ||
       !convert_depth(&g, &c, fault))
      return false;
   convert_programs(&g, &c);
   agx_cr_ppp_control_pack(&c.ppp_ctrl, &(struct agx_cr_ppp_control){.opengl_clip = g.opengl_depth_clipping,
                                                                     .enable_w_clamp = true,
                                                                     .fixed_point_format = true});
   c.isp_scissor_base = g.scissor_array;
   c.isp_dbias_base = g.depth_bias_array;
   c.isp_oclqry_base = g.visibility_result_buffer;
   agx_render_command_pack(packed, &c);
   return agx_sim_command_read(command, true, packed, fault);
}

static bool
convert_compute(uint64_t encoder, const char *bytes, struct agx_sim_command *command, struct sim_fault *fault)
{
   struct agx_iogpu_compute compute;
   char packed[AGX_COMPUTE_COMMAND_SIZE_B];
   agx_iogpu_compute_unpack(&compute, bytes);
   if (compute.spilling_unk_1)
      return refuse(fault, "programs with private memory: where it lies is not known");
   agx_compute_command_pack(packed,
                            &(struct agx_compute_command){.cdm_ctrl_stream_base = encoder,
                                                          .cdm_ctrl_stream_end = compute.terminate_of_encoder});
   return agx_sim_command_read(command, false, packed, fault);
}

bool
agx_sim_read_iogpu(const struct sim_vm *vm, uint64_t usc_base, const void *buffer, size_t size_B,
                   struct agx_sim_command *command, struct sim_fault *fault)
{
   struct agx_iogpu_header header;
   if (size_B < AGX_IOGPU_HEADER_SIZE_B)
      return refuse(fault, "shorter than its header");
   agx_iogpu_header_unpack(&header, buffer);
   const char *body = (const char *)buffer + AGX_IOGPU_HEADER_SIZE_B;
   size_t body_B = size_B - AGX_IOGPU_HEADER_SIZE_B;
   switch (header.kind) {
   case AGX_IOGPU_KIND_GRAPHICS:
      return body_B < AGX_IOGPU_GRAPHICS_SIZE_B
                ? refuse(fault, "shorter than its struct of graphics")
                : convert_graphics(vm, usc_base, header.encoder, body, command, fault);
   case AGX_IOGPU_KIND_COMPUTE:
      return body_B < AGX_IOGPU_COMPUTE_SIZE_B ? refuse(fault, "shorter than its struct of compute")
                                               : convert_compute(header.encoder, body, command, fault);
   }
   return refuse(fault, "neither graphics nor compute");
}
