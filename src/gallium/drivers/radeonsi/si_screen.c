/* Life of the device. */
#include "gallium/drivers/radeonsi/si_screen.h"

#include <stdlib.h>

#include "amd/compiler/aco_target.h"
#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/si_gen_gfx11.h"
#include "gallium/drivers/radeonsi/si_meta.h"
#include "gallium/drivers/radeonsi/si_msaa.h"
#include "gallium/drivers/radeonsi/si_public.h"
#include "util/log.h"
#include "util/macros.h"

uint64_t
si_sample_positions_va(const struct si_screen *screen, unsigned samples)
{
   /* Tables of 1, 2, 4 and 8 pairs behind each other. */
   return screen->constants->va + (samples - 1) * 2 * sizeof(float);
}

uint64_t
si_unread_va(const struct si_screen *screen)
{
   return screen->constants->va + 2048; /* behind the positions */
}

static bool
init_constants(struct si_screen *screen)
{
   float *map;

   screen->constants = amdgpu_ws_bo_create(screen->ws, 4096, 4096, AMDGPU_WS_GTT, AMDGPU_WS_BO_CPU_ACCESS);
   map = screen->constants ? amdgpu_ws_bo_map(screen->constants) : NULL;
   if (!map)
      return false;
   for (unsigned samples = 1; samples <= 8; samples *= 2) {
      for (unsigned i = 0; i < samples; i++) {
         si_sample_position(samples, i, map);
         map += 2;
      }
   }
   return true;
}

static bool
init_attribute_ring(struct si_screen *screen)
{
   if (!screen->info.ngg_only)
      return true;
   screen->attribute_ring = amdgpu_ws_bo_create(screen->ws, (uint64_t)SI_GFX11_RING_PART_B * screen->info.num_se,
                                                SI_GFX11_RING_ALIGNMENT_B, AMDGPU_WS_VRAM, 0);
   return screen->attribute_ring != NULL;
}

/* The size of each part of a scratch buffer. */
static uint64_t
scratch_part_B(const struct si_scratch *scratch)
{
   return (uint64_t)scratch->wave_B * scratch->waves;
}

/* How many waves may use scratch at once: as many as the GPU holds unless that takes too much memory; a multiple of
 * the shader engines. */
static uint32_t
waves_with_scratch(const struct ac_gpu_info *info, uint32_t wave_B)
{
   uint32_t affordable = MAX2((128u << 20) / wave_B, info->num_cu);
   uint32_t waves = MIN2(info->num_cu * info->simds_per_cu * aco_target(info->gen)->max_waves, affordable);

   return MAX2(waves / MAX2(info->num_se, 1u), 1u) * MAX2(info->num_se, 1u);
}

static const struct si_scratch *
grow_scratch(struct si_screen *screen, uint32_t wave_B)
{
   struct si_scratch *scratch = calloc(1, sizeof(*scratch));

   if (!scratch)
      return NULL;
   scratch->wave_B = wave_B;
   scratch->waves = waves_with_scratch(&screen->info, wave_B);
   scratch->bo =
      amdgpu_ws_bo_create(screen->ws, scratch_part_B(scratch) * SI_SCRATCH_PARTS, 65536, AMDGPU_WS_VRAM, 0);
   if (!scratch->bo) {
      free(scratch);
      return NULL;
   }
   scratch->older = screen->scratch;
   screen->scratch = scratch;
   return scratch;
}

uint32_t
si_scratch_max_wave_B(const struct si_screen *screen)
{
   return G_SPI_TMPRING_SIZE_WAVESIZE(screen->info.gen, UINT32_MAX) * screen->info.scratch_granularity_B;
}

const struct si_scratch *
si_scratch_get(struct si_screen *screen, uint32_t lane_B, unsigned wave_size)
{
   uint32_t wave_B = (uint32_t)align_up((uint64_t)lane_B * wave_size, screen->info.scratch_granularity_B);
   const struct si_scratch *scratch;

   pthread_mutex_lock(&screen->scratch_lock);
   scratch = screen->scratch;
   if (!scratch || scratch->wave_B < wave_B)
      scratch = grow_scratch(screen, scratch ? MAX2(wave_B, MIN2(2 * scratch->wave_B, si_scratch_max_wave_B(screen)))
                                             : wave_B);
   pthread_mutex_unlock(&screen->scratch_lock);
   return scratch;
}

uint32_t
si_scratch_ring_size(const struct si_screen *screen, const struct si_scratch *scratch)
{
   /* With registers of their own, engines have a part of the buffer each. Source: radeonsi. */
   uint32_t parts = screen->info.has_scratch_base ? screen->info.num_se : 1;

   return S_SPI_TMPRING_SIZE_WAVES(scratch->waves / parts) |
          S_SPI_TMPRING_SIZE_WAVESIZE(screen->info.gen, scratch->wave_B / screen->info.scratch_granularity_B);
}

uint64_t
si_scratch_va(const struct si_scratch *scratch, enum si_scratch_part part)
{
   return scratch->bo->va + part * scratch_part_B(scratch);
}

static void
screen_destroy(struct pipe_screen *pipe)
{
   struct si_screen *screen = si_screen(pipe);

   if (screen->meta)
      si_meta_destroy(screen);
   while (screen->scratch) {
      struct si_scratch *scratch = screen->scratch;

      screen->scratch = scratch->older;
      amdgpu_ws_bo_destroy(scratch->bo);
      free(scratch);
   }
   si_rate_buffers_destroy(screen);
   amdgpu_ws_bo_destroy(screen->attribute_ring);
   amdgpu_ws_bo_destroy(screen->constants);
   amdgpu_ws_bo_destroy(screen->preamble);
   aux_code_heap_finish(&screen->code);
   aux_chunk_pool_finish(&screen->chunks);
   pthread_mutex_destroy(&screen->scratch_lock);
   if (screen->ws)
      amdgpu_ws_destroy(screen->ws);
   free(screen);
}

static bool
init_info(struct si_screen *screen)
{
   const struct amdgpu_ws_info *ws = amdgpu_ws_info(screen->ws);
   struct ac_gpu_source source = {
      .family = ws->dev.family,
      .external_rev = ws->dev.external_rev,
      .num_se = ws->dev.num_shader_engines,
      .num_sa_per_se = ws->dev.num_shader_arrays_per_engine,
      .num_cu = ws->dev.cu_active_number,
      .num_rb = ws->dev.num_rb_pipes,
      .enabled_rb_mask = ws->dev.enabled_rb_pipes_mask,
      .gb_addr_config = ws->gb_addr_config,
      .address32_hi = ws->address32_hi,
      .clock_kHz = ws->dev.gpu_counter_freq,
      .ids_flags = ws->dev.ids_flags,
   };

   const bool known = ac_gpu_info_init(&screen->info, &source);
   screen->ngg = si_ngg_choose(&screen->info);
   return known;
}

#define S_CODE_END 0xbf9f0000u

/* Streams and uploads have 32-bit addresses. The instruction prefetcher reads past the end of a program: up to three
 * cache lines of 64 bytes. Source: LLVM's AMDGPU backend, which pads as much, with the S_CODE_END by which debuggers
 * find the end. */
static void
init_heaps(struct si_screen *screen)
{
   static const struct aux_code_rules rules = {.alignment_B = 256, .tail_B = 256, .padding = S_CODE_END};

   aux_chunk_pool_init(&screen->chunks, amdgpu_ws_buffers(screen->ws, 4096, AMDGPU_WS_GTT,
                                                          AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_WRITE_COMBINED |
                                                             AMDGPU_WS_BO_VA_32BIT));
   aux_code_heap_init(
      &screen->code,
      amdgpu_ws_buffers(screen->ws, 65536, AMDGPU_WS_VRAM, AMDGPU_WS_BO_CPU_ACCESS | AMDGPU_WS_BO_READ_ONLY), &rules);
}

static void
init_functions(struct si_screen *screen)
{
   screen->base.destroy = screen_destroy;
   screen->base.context_create = si_context_create;
   si_init_caps(screen);
   si_init_memory(screen);
   si_init_resource(screen);
   si_init_view(screen);
   si_init_descriptor_write(screen);
   si_init_queue(screen);
   si_init_program(screen);
   si_init_query_pool(screen);
}

struct pipe_screen *
si_screen_create(struct amdgpu_ws *ws)
{
   struct si_screen *screen = calloc(1, sizeof(*screen));

   if (!screen)
      return NULL;
   screen->ws = ws;
   screen->aux.drm_fd = amdgpu_ws_fd(ws);
   if (!init_info(screen)) {
      log_error("this AMD GPU (family %u, revision %u) is not supported", amdgpu_ws_info(ws)->dev.family,
                amdgpu_ws_info(ws)->dev.external_rev);
      free(screen);
      return NULL;
   }
   screen->options = si_options_read();
   pthread_mutex_init(&screen->scratch_lock, NULL);
   init_heaps(screen);
   init_functions(screen);
   if (!init_constants(screen) || !init_attribute_ring(screen) || !si_preamble_init(screen) ||
       !si_meta_create(screen)) {
      log_error("radeonsi: no memory for the device");
      screen->ws = NULL;
      screen_destroy(&screen->base);
      return NULL;
   }
   return &screen->base;
}
