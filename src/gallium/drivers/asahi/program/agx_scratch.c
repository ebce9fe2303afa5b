#include "gallium/drivers/asahi/program/agx_scratch.h"

#include <assert.h>
#include <stdlib.h>

#include "asahi/compiler/agx.h"
#include "asahi/hw/isa_opcodes.h"
#include "asahi/hw/hw_limits.h"
#include "gallium/drivers/asahi/nir/agx_nir.h"
#include "gallium/drivers/asahi/agx_record_mutant.h"
#include "gallium/drivers/asahi/agx_screen.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/mutant.h"
#include "util/within_memory.h"

/* ---- the buffer: a head, lists of blocks, the blocks ---- */

#define THREADS 32u
#define MAX_WAVES 128u     /* of a core (reported) */
#define AFFORDABLE_B (UINT64_C(128) << 20)
#define MAX_CORES 64u

/* What the helper finds of a core. */
struct core {
   uint64_t list; /* of lists of blocks, for each wave one; the first `used` are given out */
   uint32_t used;
   uint32_t failed; /* how often there was none left */
};

struct head {
   uint32_t waves; /* of a core */
   uint32_t unused[3];
   struct core cores[MAX_CORES]; /* by their number */
};

typedef uint32_t block_list[AGX_STACK_BLOCKS];

struct layout {
   uint32_t block_log4, block_count; /* of a wave */
   uint64_t block_B;
   uint32_t waves, cores, cluster_cores;
   uint64_t lists_B, blocks_B; /* where they begin */
   uint64_t size_B;
};

static struct layout
layout_of(const struct agx_screen *screen, uint32_t thread_B, uint32_t group_waves)
{
   const struct drm_asahi_params_global *params = &asahi_ws_info(screen->ws)->params;
   struct layout l = {.cluster_cores = 1u << log2_ceil(MAX2(params->num_cores_per_cluster, 1u))};
   uint32_t units = (uint32_t)div_round_up(thread_B, AGX_STACK_UNIT_B);

   while (l.block_log4 < AGX_STACK_MAX_LOG4 && units > 1u << 2 * l.block_log4)
      l.block_log4++;
   l.block_count = (uint32_t)div_round_up(units, 1u << 2 * l.block_log4);
   l.block_B = (uint64_t)AGX_STACK_UNIT_B * THREADS << 2 * l.block_log4;
   l.cores = MIN2(MAX2(params->num_clusters_total, 1u) * l.cluster_cores, MAX_CORES);
   l.waves = (uint32_t)MIN2(MAX2(AFFORDABLE_B / (l.block_B * l.block_count * l.cores), group_waves), MAX_WAVES);
   l.lists_B = sizeof(struct head);
   l.blocks_B = align_up(l.lists_B + sizeof(block_list) * l.waves * l.cores, l.block_B);
   l.size_B = l.blocks_B + l.block_B * l.block_count * l.waves * l.cores;
   return l;
}

/* A block as the hardware maps it: its address, and how large it is in the first one, else only that it is there. */
static uint32_t
block_word(uint64_t va, unsigned block, uint32_t log4)
{
   return (uint32_t)(va >> AGX_STACK_WORD_SHIFT) | (block ? 1 : (uint32_t)bit_mask(log4 + 1));
}

static void
fill(const struct agx_scratch *scratch, const struct layout *l)
{
   struct head *head = scratch->bo->map;
   block_list *lists = (block_list *)((char *)scratch->bo->map + l->lists_B);
   uint64_t va = scratch->bo->va + l->blocks_B;

   head->waves = l->waves;
   for (uint32_t core = 0; core < l->cores; core++) {
      head->cores[core].list = scratch->bo->va + l->lists_B + sizeof(block_list) * l->waves * core;
      for (uint32_t wave = 0; wave < l->waves; wave++, lists++) {
         for (unsigned block = 0; block < l->block_count; block++, va += mutant("agx-helper-blocks") ? 0 : l->block_B)
            (*lists)[block] = block_word(va, block, l->block_log4);
      }
   }
}

/* ---- the helper program ---- */

/* It has few registers: only addresses are kept from one operation to the next. */
struct helper {
   struct nir_builder b;
   struct nir_def *head, *core; /* addresses */
};

static struct nir_def *
list_entry_at(struct helper *h, struct nir_def *wave)
{
   struct nir_builder *b = &h->b;
   struct nir_def *list = nir_load_global(b, 2, 32, h->core, .access = NIR_ACCESS_VOLATILE, .align_mul = 8);

   return nir_iadd(b, nir_pack_64_2x32(b, list), nir_u2u64(b, nir_ishl_imm(b, wave, 4)));
}

static struct nir_def *
load_word(struct helper *h, struct nir_def *address)
{
   return nir_load_global(&h->b, 1, 32, address, .access = NIR_ACCESS_VOLATILE, .align_mul = 4);
}

static void
store_word(struct helper *h, struct nir_def *address, struct nir_def *value)
{
   nir_store_global(&h->b, value, address, .access = NIR_ACCESS_VOLATILE, .write_mask = 1, .align_mul = 4);
}

static struct nir_def *
core_word_at(struct helper *h, size_t offset_B)
{
   return nir_iadd_imm(&h->b, h->core, (int64_t)offset_B);
}

static void
build_alloc(struct helper *h)
{
   struct nir_builder *b = &h->b;
   struct nir_def *used = load_word(h, core_word_at(h, offsetof(struct core, used))), *failed_at;
   struct nir_if *none = nir_push_if(b, nir_uge(b, used, load_word(h, h->head)));

   failed_at = core_word_at(h, offsetof(struct core, failed));
   store_word(h, failed_at, nir_iadd_imm(b, load_word(h, failed_at), 1));
   nir_doorbell_agx(b, .base = AGX_DOORBELL_REFUSES);
   nir_push_else(b, none);
   store_word(h, core_word_at(h, offsetof(struct core, used)), nir_iadd_imm(b, used, 1));
   struct nir_def *blocks =
      nir_load_global(b, 4, 32, list_entry_at(h, used), .access = NIR_ACCESS_VOLATILE, .align_mul = 16);
   for (unsigned i = 0; i < AGX_STACK_BLOCKS; i++)
      nir_map_stack_agx(b, nir_channel(b, blocks, i), .base = (int32_t)i);
   nir_doorbell_agx(b, .base = AGX_DOORBELL_DONE);
   nir_pop_if(b, none);
}

/* What comes back need not be what was given out last: the blocks go where the next ones are taken from. */
static void
build_free(struct helper *h)
{
   struct nir_builder *b = &h->b;
   struct nir_def *used = load_word(h, core_word_at(h, offsetof(struct core, used)));
   struct nir_if *none = nir_push_if(b, nir_ieq_imm(b, used, 0));

   nir_doorbell_agx(b, .base = AGX_DOORBELL_REFUSES);
   nir_push_else(b, none);
   struct nir_def *left = nir_iadd_imm(b, used, -1), *entry_at;
   store_word(h, core_word_at(h, offsetof(struct core, used)), left);
   entry_at = list_entry_at(h, left);
   for (unsigned i = 0; i < AGX_STACK_BLOCKS; i++)
      store_word(h, nir_iadd_imm(b, entry_at, 4 * i), nir_unmap_stack_agx(b, .base = (int32_t)i));
   nir_doorbell_agx(b, .base = AGX_DOORBELL_DONE);
   nir_pop_if(b, none);
}

static struct nir_shader *
build_helper(struct arena *arena)
{
   struct nir_shader *shader = nir_shader_create(arena, NIR_STAGE_COMPUTE);
   struct helper h = {.b = nir_builder_create(shader)};
   struct nir_builder *b = &h.b;
   struct nir_def *halves[2], *place, *op;

   shader->name = "helper";
   for (unsigned i = 0; i < 2; i++)
      halves[i] = nir_load_sr_agx(b, 32, .base = AGX_SR_HELPER_ARG_L + (int32_t)i);
   h.head = nir_pack_64_2x32(b, nir_vec(b, halves, 2));
   place = nir_u2u64(b, nir_imul_imm(b, nir_load_sr_agx(b, 32, .base = AGX_SR_CORE_INDEX), sizeof(struct core)));
   h.core = nir_iadd_imm(b, nir_iadd(b, h.head, place), offsetof(struct head, cores));
   struct nir_loop *loop = nir_push_loop(b);
   nir_doorbell_agx(b, .base = AGX_DOORBELL_NEXT);
   op = nir_load_sr_agx(b, 32, .base = AGX_SR_HELPER_OP);
   struct nir_if *alloc = nir_push_if(b, nir_ieq_imm(b, op, AGX_HELPER_STACK_ALLOC));
   build_alloc(&h);
   nir_push_else(b, alloc);
   struct nir_if *free_stack = nir_push_if(b, nir_ieq_imm(b, op, AGX_HELPER_STACK_FREE));
   build_free(&h);
   nir_push_else(b, free_stack);
   /* Threadgroup memory is never moved; all else is the end. */
   struct nir_if *group = nir_push_if(
      b, nir_ior(b, nir_ieq_imm(b, op, AGX_HELPER_GROUP_ALLOC), nir_ieq_imm(b, op, AGX_HELPER_GROUP_FREE)));
   nir_doorbell_agx(b, .base = AGX_DOORBELL_REFUSES);
   nir_push_else(b, group);
   nir_break(b);
   nir_pop_if(b, group);
   nir_pop_if(b, free_stack);
   nir_pop_if(b, alloc);
   nir_pop_loop(b, loop);
   nir_barrier(b, .execution_scope = NIR_SCOPE_NONE, .memory_scope = NIR_SCOPE_DEVICE,
               .memory_semantics = NIR_SEMANTICS_RELEASE, .memory_modes = NIR_VAR_SSBO);
   return shader;
}

struct compilation {
   const struct agx_screen *screen;
   struct arena arena;
   struct agx_output out;
   bool ok;
};

/* It has no USC list: nothing may be bound for it, and it has few registers. */
static void
compile(void *data)
{
   struct compilation *c = data;
   const struct agx_options options = {.no_preamble = true, .registers_max_h = AGX_HELPER_REGISTERS};
   const char *error;

   c->ok = agx_compile(&c->arena, build_helper(&c->arena), &options, &c->out, &error);
   if (!c->ok)
      log_error("helper: %s", error);
   assert((!c->ok || (!c->out.constant_count && !c->out.scratch_B)) && "the helper program has nobody to help it");
}

static bool
make_helper(struct agx_screen *screen)
{
   struct compilation c = {.screen = screen};
   bool ok = within_memory(compile, &c) && c.ok;

   if (ok)
      screen->scratch.helper = aux_code_upload(&screen->code, c.out.code, c.out.code_B);
   arena_free(&c.arena);
   return ok && screen->scratch.helper.block;
}

/* ---- the heap ---- */

void
agx_scratch_heap_init(struct agx_scratch_heap *heap)
{
   *heap = (struct agx_scratch_heap){0};
   pthread_mutex_init(&heap->lock, NULL);
}

void
agx_scratch_heap_finish(struct agx_screen *screen)
{
   struct agx_scratch_heap *heap = &screen->scratch;

   while (heap->newest) {
      struct agx_scratch *scratch = heap->newest;

      heap->newest = scratch->older;
      asahi_ws_bo_destroy(scratch->bo);
      free(scratch);
   }
   aux_code_free(&screen->code, heap->helper);
   pthread_mutex_destroy(&heap->lock);
}

static const struct agx_scratch *
grow(struct agx_screen *screen, uint32_t thread_B, uint32_t group_waves)
{
   struct layout l = layout_of(screen, thread_B, group_waves);
   struct agx_scratch *scratch = calloc(1, sizeof(*scratch));

   if (!scratch)
      return NULL;
   scratch->thread_B = l.block_count * AGX_STACK_UNIT_B << 2 * l.block_log4;
   scratch->group_waves = group_waves;
   scratch->bo = asahi_ws_bo_create(screen->ws, l.size_B, l.block_B, 0);
   if (!scratch->bo || !asahi_ws_bo_map(scratch->bo)) {
      asahi_ws_bo_destroy(scratch->bo);
      free(scratch);
      return NULL;
   }
   fill(scratch, &l);
   scratch->older = screen->scratch.newest;
   screen->scratch.newest = scratch;
   return scratch;
}

const struct agx_scratch *
agx_scratch_get(struct agx_screen *screen, uint32_t thread_B, uint32_t group_waves)
{
   struct agx_scratch_heap *heap = &screen->scratch;
   const struct agx_scratch *scratch;

   pthread_mutex_lock(&heap->lock);
   scratch = heap->newest;
   if (scratch) {
      thread_B = MAX2(thread_B, scratch->thread_B);
      group_waves = MAX2(group_waves, scratch->group_waves);
   }
   if (!scratch || scratch->thread_B < thread_B || scratch->group_waves < group_waves)
      scratch = heap->helper.block || make_helper(screen) ? grow(screen, thread_B, group_waves) : NULL;
   pthread_mutex_unlock(&heap->lock);
   return scratch;
}

struct drm_asahi_helper_program
agx_scratch_helper(const struct agx_screen *screen, const struct agx_scratch *scratch)
{
   struct drm_asahi_helper_program helper = {0};

   if (scratch)
      helper = (struct drm_asahi_helper_program){.binary = screen->scratch.helper.base_offset_B | 1,
                                                 .data = scratch->bo->va};
   agx_mutate_struct(MUTANT_drm_asahi_helper_program, 0, &helper);
   return helper;
}

uint32_t
agx_scratch_bucket(uint32_t thread_B)
{
   return thread_B ? MIN2(1 + log2_ceil(div_round_up(thread_B, AGX_STACK_UNIT_B)), 15u) : 0;
}
