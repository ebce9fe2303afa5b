#include "gallium/drivers/asahi/assembly/agx_assembly_programs.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "gallium/drivers/asahi/agx_assemble_spv.h"
#include "gallium/drivers/asahi/agx_byte_count_spv.h"
#include "gallium/drivers/asahi/agx_compact_spv.h"
#include "gallium/drivers/asahi/agx_divide_spv.h"
#include "gallium/drivers/asahi/agx_geometry_spv.h"
#include "gallium/drivers/asahi/agx_list_spv.h"
#include "gallium/drivers/asahi/agx_pad_spv.h"
#include "gallium/drivers/asahi/agx_patches_spv.h"
#include "gallium/drivers/asahi/agx_room_spv.h"
#include "gallium/drivers/asahi/agx_store_spv.h"
#include "gallium/drivers/asahi/agx_tessellate_spv.h"
#include "gallium/drivers/asahi/agx_unroll_spv.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"
#include "gallium/drivers/asahi/commands/agx_compute.h"
#include "gallium/drivers/asahi/encode/agx_encode_cdm.h"
#include "gallium/drivers/asahi/meta/agx_meta.h"
#include "gallium/drivers/asahi/program/agx_glsl_programs.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/mutant.h"

#define HEAP_B (UINT32_C(64) << 20)
#define HEAP_HEAD_B (uint32_t) align_up(sizeof(struct agx_heap), 64)
#define HEAP_MAX_B (UINT32_C(1) << 30)

static const struct agx_glsl_module modules[AGX_ASSEMBLY_PROGRAMS] = {
   [AGX_ASSEMBLE] = {AGX_GLSL_MODULE(agx_assemble_spv)}, [AGX_UNROLL] = {AGX_GLSL_MODULE(agx_unroll_spv)},
   [AGX_ROOM] = {AGX_GLSL_MODULE(agx_room_spv)},         [AGX_BYTE_COUNT] = {AGX_GLSL_MODULE(agx_byte_count_spv)},
   [AGX_GEOMETRY] = {AGX_GLSL_MODULE(agx_geometry_spv)}, [AGX_COMPACT] = {AGX_GLSL_MODULE(agx_compact_spv)},
   [AGX_STORE] = {AGX_GLSL_MODULE(agx_store_spv)},       [AGX_PATCHES] = {AGX_GLSL_MODULE(agx_patches_spv)},
   [AGX_DIVIDE] = {AGX_GLSL_MODULE(agx_divide_spv)},     [AGX_TESSELLATE] = {AGX_GLSL_MODULE(agx_tessellate_spv)},
   [AGX_LIST] = {AGX_GLSL_MODULE(agx_list_spv)},         [AGX_PAD] = {AGX_GLSL_MODULE(agx_pad_spv)},
};

/* Recorded commands know a heap: it stays until the screen goes. The struct agx_heap is at its start. */
struct heap {
   struct asahi_ws_bo *bo;
   struct heap *older;
};

struct agx_assembly_state {
   pthread_mutex_t lock;
   struct pipe_program *programs[AGX_ASSEMBLY_PROGRAMS];
   bool ready;
   struct heap *heap; /* the newest */
};

/* ---- programs ---- */

bool
agx_assembly_prepare(struct agx_screen *screen)
{
   struct agx_assembly_state *state = screen->assembly;

   pthread_mutex_lock(&state->lock);
   if (!state->ready)
      state->ready = agx_glsl_programs_create(screen, modules, AGX_ASSEMBLY_PROGRAMS, NULL, state->programs);
   bool ready = state->ready;

   pthread_mutex_unlock(&state->lock);
   return ready;
}

void
agx_assembly_launch(struct agx_context *ctx, enum agx_assembly_program number, const void *arguments, size_t size_B,
                    uint64_t groups_va)
{
   if (!agx_assembly_prepare(ctx->screen)) {
      ctx->failed = true;
      return;
   }
   const struct agx_program *program = agx_program(ctx->screen->assembly->programs[number]);
   struct agx_tables tables = {.dw[AGX_TABLE_PUSH] = (uint16_t)(size_B / 4)};
   struct agx_launch launch = {.groups_va = groups_va};

   memcpy(agx_upload_alloc(ctx, (uint32_t)size_B, 16, &tables.va[AGX_TABLE_PUSH]), arguments, size_B);
   /* For what is indexed at run time. */
   memcpy(agx_upload_alloc(ctx, sizeof(tables.va), 16, &tables.va[AGX_TABLE_ADDRESSES]), tables.va,
          sizeof(tables.va));
   memcpy(launch.threads, program->workgroup_size, sizeof(launch.threads));
   agx_compute_launch(ctx, program, &tables, &launch);
   if (!mutant("agx-assembly-barrier"))
      agx_compute_barrier(ctx);
}

/* ---- the heap ---- */

static struct agx_heap *
heap_map(const struct heap *heap)
{
   return asahi_ws_bo_map(heap->bo);
}

/* Of this size, as the newest. */
static bool
add_heap(struct agx_screen *screen, uint32_t size_B)
{
   struct heap *heap = calloc(1, sizeof(*heap));

   if (!heap)
      return false;
   heap->bo = asahi_ws_bo_create(screen->ws, HEAP_HEAD_B + size_B, 0, ASAHI_WS_BO_CACHED);
   if (!heap->bo || !heap_map(heap)) {
      asahi_ws_bo_destroy(heap->bo);
      free(heap);
      return false;
   }
   *heap_map(heap) = (struct agx_heap){.va = heap->bo->va + HEAP_HEAD_B, .size_B = size_B};
   heap->older = screen->assembly->heap;
   screen->assembly->heap = heap;
   return true;
}

/* An inherited rendering is part of one whose commands do this. */
static void
start_heap(struct agx_context *ctx)
{
   if (!ctx->graphics.render.heap_va || ctx->graphics.framebuffer.inherited)
      return;
   agx_meta_fill(ctx, ctx->graphics.render.heap_va + offsetof(struct agx_heap, used_B), 4, 0);
   agx_compute_barrier(ctx);
}

void
agx_assembly_share_heap(struct agx_context *ctx, const struct agx_segment *theirs)
{
   struct agx_render *render = &ctx->graphics.render;

   if (!render->open || !theirs->heap_va)
      return;
   uint64_t used_B = render->heap_used_B + theirs->heap_used_B;

   if (theirs->heap_va == render->heap_va && (used_B <= render->heap_B - HEAP_HEAD_B || !render->heap_used_B)) {
      render->heap_used_B = used_B;
      return;
   }
   if (render->heap_va)
      agx_render_split(ctx); /* no heap begins anew in the middle of a render */
   render->heap_va = theirs->heap_va;
   render->heap_B = theirs->heap_B;
   render->heap_used_B = theirs->heap_used_B;
   start_heap(ctx);
}

void
agx_assembly_check_heap(struct agx_screen *screen)
{
   struct agx_assembly_state *state = screen->assembly;

   pthread_mutex_lock(&state->lock);
   for (struct heap *heap = state->heap; heap; heap = heap->older) {
      uint32_t wanted_B = __atomic_exchange_n(&heap_map(heap)->wanted_B, 0, __ATOMIC_ACQ_REL);
      uint32_t size_B = heap_map(heap)->size_B, larger_B = MIN2(MAX2(wanted_B, size_B), HEAP_MAX_B / 2) * 2;

      if (!wanted_B)
         continue;
      log_error("asahi: draws were left out: %u bytes did not fit into the %u for what draws make; command buffers "
                "that are recorded from now on have %u",
                wanted_B, size_B, MAX2(larger_B, heap_map(state->heap)->size_B));
      if (larger_B > heap_map(state->heap)->size_B)
         add_heap(screen, larger_B);
   }
   pthread_mutex_unlock(&state->lock);
}

/* One with room for so much, if heaps may be so large: the newest, or a new one. NULL when out of memory. */
static const struct heap *
find_heap(struct agx_screen *screen, uint64_t need_B)
{
   struct agx_assembly_state *state = screen->assembly;
   uint32_t size_B = HEAP_B;

   while (size_B < need_B && size_B < HEAP_MAX_B)
      size_B *= 2;
   agx_assembly_check_heap(screen);
   pthread_mutex_lock(&state->lock);
   if (!state->heap || heap_map(state->heap)->size_B < size_B)
      add_heap(screen, size_B);
   const struct heap *heap = state->heap;

   pthread_mutex_unlock(&state->lock);
   return heap;
}

/* Only the commands of a segment of an inherited rendering begin a heap anew: whoever executes them sees to it. */
uint64_t
agx_assembly_heap(struct agx_context *ctx, uint64_t need_B, bool keeps)
{
   struct agx_render *render = &ctx->graphics.render;
   uint64_t used_B = render->heap_used_B + need_B;

   ctx->uses_heap = true;
   if (render->heap_va && used_B <= render->heap_B - HEAP_HEAD_B) {
      render->heap_used_B = keeps ? used_B : render->heap_used_B;
      return render->heap_va;
   }
   const struct heap *heap = find_heap(ctx->screen, used_B);

   if (!heap) {
      ctx->failed = true;
      return 0;
   }
   if (heap->bo->va == render->heap_va && !keeps)
      return render->heap_va;
   if (heap->bo->va == render->heap_va || (render->heap_va && ctx->graphics.framebuffer.inherited))
      agx_render_split(ctx); /* which ends what it has */
   render->heap_va = heap->bo->va;
   render->heap_B = HEAP_HEAD_B + heap_map(heap)->size_B;
   render->heap_used_B = keeps ? need_B : 0;
   start_heap(ctx);
   return render->heap_va;
}

/* ---- life ---- */

bool
agx_assembly_init(struct agx_screen *screen)
{
   screen->assembly = calloc(1, sizeof(*screen->assembly));
   if (!screen->assembly)
      return false;
   pthread_mutex_init(&screen->assembly->lock, NULL);
   return true;
}

void
agx_assembly_finish(struct agx_screen *screen)
{
   struct agx_assembly_state *state = screen->assembly;

   if (!state)
      return;
   agx_assembly_check_heap(screen);
   for (unsigned i = 0; i < AGX_ASSEMBLY_PROGRAMS; i++) {
      if (state->programs[i])
         screen->base.program_destroy(&screen->base, state->programs[i]);
   }
   for (struct heap *heap = state->heap, *older; heap; heap = older) {
      older = heap->older;
      asahi_ws_bo_destroy(heap->bo);
      free(heap);
   }
   pthread_mutex_destroy(&state->lock);
   free(state);
   screen->assembly = NULL;
}
