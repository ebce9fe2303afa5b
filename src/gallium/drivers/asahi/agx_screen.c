/* Life of the device. */
#include "gallium/drivers/asahi/agx_record_mutant.h"
#include "gallium/drivers/asahi/agx_screen.h"

#include <stdlib.h>

#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "gallium/drivers/asahi/agx_public.h"
#include "gallium/drivers/asahi/resource/agx_sparse.h"
#include "util/log.h"

static void
screen_destroy(struct pipe_screen *pipe)
{
   struct agx_screen *screen = agx_screen(pipe);

   agx_graphics_screen_finish(screen);
   if (screen->meta)
      agx_meta_destroy(screen);
   agx_scratch_heap_finish(screen);
   agx_sampler_heap_finish(screen);
   aux_code_heap_finish(&screen->code);
   aux_chunk_pool_finish(&screen->usc_chunks);
   aux_chunk_pool_finish(&screen->chunks);
   asahi_ws_bo_destroy(screen->empty_stream);
   agx_sparse_stop(screen);
   if (screen->ws)
      asahi_ws_destroy(screen->ws);
   free(screen);
}

void
agx_screen_set_gen(struct agx_screen *screen, enum agx_gen gen, uint32_t num_dies)
{
   static const struct agx_driver_traits traits[AGX_GEN_COUNT] = {AGX_DRIVER_TRAITS_ROWS};

   screen->gen = gen;
   screen->traits = &traits[gen];
   screen->cluster_coherency = screen->traits->cluster_coherency || num_dies > 1;
}

/* Chips of several clusters have an X in the name of their core. */
static bool
init_gen(struct agx_screen *screen)
{
   const struct drm_asahi_params_global *params = &asahi_ws_info(screen->ws)->params;

   enum agx_gen gen;

   if (!agx_gen_find(params->gpu_generation, params->num_clusters_total, &gen))
      return false;
   agx_screen_set_gen(screen, gen, params->num_dies);
   screen->no_soft_faults = !(params->features & DRM_ASAHI_FEATURE_SOFT_FAULTS);
   for (unsigned i = 0; i < agx_chip_count; i++) {
      if (agx_chips[i].chip_id == params->chip_id)
         screen->chip = &agx_chips[i];
   }
   return true;
}

static void
init_heaps(struct agx_screen *screen)
{
   const struct aux_code_rules rules = {.alignment_B = AGX_CODE_ALIGNMENT_B,
                                        .base_va = asahi_ws_info(screen->ws)->usc_base};

   aux_chunk_pool_init(&screen->chunks, asahi_ws_buffers(screen->ws, 0));
   aux_chunk_pool_init(&screen->usc_chunks, asahi_ws_buffers(screen->ws, ASAHI_WS_BO_USC));
   aux_code_heap_init(&screen->code, asahi_ws_buffers(screen->ws, ASAHI_WS_BO_USC | ASAHI_WS_BO_READ_ONLY), &rules);
   agx_scratch_heap_init(&screen->scratch);
}

static void
init_functions(struct agx_screen *screen)
{
   screen->base.destroy = screen_destroy;
   screen->base.context_create = agx_context_create;
   agx_init_caps(screen);
   agx_init_memory(screen);
   agx_init_host_copy(screen);
   agx_init_resource(screen);
   agx_init_sparse(screen);
   agx_init_view(screen);
   agx_init_descriptor_write(screen);
   agx_init_queue(screen);
   agx_init_program(screen);
   agx_init_query_pool(screen);
   agx_init_graphics_screen(screen);
}

struct pipe_screen *
agx_screen_create(struct asahi_ws *ws)
{
   struct agx_screen *screen = calloc(1, sizeof(*screen));

   agx_mutate_records();
   if (!screen)
      return NULL;
   screen->ws = ws;
   screen->aux.drm_fd = asahi_ws_fd(ws);
   pthread_mutex_init(&screen->heap_turn.lock, NULL);
   if (!init_gen(screen)) {
      log_error("this AGX GPU (generation %u) is not supported", asahi_ws_info(ws)->params.gpu_generation);
      free(screen);
      return NULL;
   }
   init_heaps(screen);
   init_functions(screen);
   if (!agx_sampler_heap_init(screen) || !agx_empty_stream_init(screen) || !agx_sparse_start(screen) ||
       !agx_meta_create(screen) || !agx_graphics_screen_start(screen)) {
      log_error("asahi: no memory for the device");
      screen->ws = NULL;
      screen_destroy(&screen->base);
      return NULL;
   }
   return &screen->base;
}
