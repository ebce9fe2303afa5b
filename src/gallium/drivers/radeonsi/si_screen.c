/* Life of the device. */
#include "gallium/drivers/radeonsi/si_screen.h"

#include <stdlib.h>

#include "amd/hw/registers.h"
#include "gallium/drivers/radeonsi/cs/si_gen_gfx11.h"
#include "gallium/drivers/radeonsi/meta/si_meta.h"
#include "gallium/drivers/radeonsi/state/si_msaa.h"
#include "gallium/drivers/radeonsi/si_public.h"
#include "gallium/drivers/radeonsi/base/si_scratch.h"
#include "util/log.h"
#include "util/macros.h"

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

static void
screen_destroy(struct pipe_screen *pipe)
{
   struct si_screen *screen = si_screen(pipe);

   if (screen->meta)
      si_meta_destroy(screen);
   si_generate_finish(screen);
   while (screen->scratch) {
      struct si_scratch *scratch = screen->scratch;

      screen->scratch = scratch->older;
      amdgpu_ws_bo_destroy(scratch->bo);
      free(scratch);
   }
   si_rate_buffers_destroy(screen);
   amdgpu_ws_order_destroy(screen->order);
   amdgpu_ws_bo_destroy(screen->attribute_ring);
   amdgpu_ws_bo_destroy(screen->task_rings);
   amdgpu_ws_bo_destroy(screen->mesh_memory);
   amdgpu_ws_bo_destroy(screen->generated);
   amdgpu_ws_bo_destroy(screen->gsvs_ring);
   amdgpu_ws_bo_destroy(screen->tess_rings);
   amdgpu_ws_bo_destroy(screen->constants);
   amdgpu_ws_bo_destroy(screen->preamble);
   si_borders_finish(screen);
   aux_code_heap_finish(&screen->code);
   aux_chunk_pool_finish(&screen->chunks);
   pthread_mutex_destroy(&screen->scratch_lock);
   pthread_mutex_destroy(&screen->order_lock);
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
   si_init_sparse(screen);
   si_init_view(screen);
   si_init_sampler(screen);
   si_init_host_copy(screen);
   si_init_descriptor_write(screen);
   si_init_queue(screen);
   si_init_program(screen);
   si_init_query_pool(screen);
   si_init_generated(screen);
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
   pthread_mutex_init(&screen->order_lock, NULL);
   init_heaps(screen);
   init_functions(screen);
   if (!si_borders_init(screen) || !init_constants(screen) || !init_attribute_ring(screen) ||
       !si_preamble_init(screen) || !si_meta_create(screen)) {
      log_error("radeonsi: no memory for the device");
      screen->ws = NULL;
      screen_destroy(&screen->base);
      return NULL;
   }
   return &screen->base;
}
