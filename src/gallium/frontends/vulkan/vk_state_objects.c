#include "gallium/frontends/vulkan/vk_state_objects.h"

#include <stdlib.h>
#include <string.h>

#include "util/hash.h"

#define KEY_WORDS VK_BLEND_KEY_WORDS

struct vk_state_object {
   struct vk_state_object *next;
   uint32_t key[KEY_WORDS]; /* those behind a shorter one are 0 */
   void *object;            /* struct pipe_blend, pipe_depth_stencil or pipe_rasterizer */
};

/* ---- keys: descriptions have bytes that say nothing ---- */

static uint32_t
blend_target_key(const struct pipe_blend_target *target)
{
   return (uint32_t)target->enable | (uint32_t)target->src_rgb << 1 | (uint32_t)target->dst_rgb << 6 |
          (uint32_t)target->src_alpha << 11 | (uint32_t)target->dst_alpha << 16 | (uint32_t)target->op_rgb << 21 |
          (uint32_t)target->op_alpha << 24 | (uint32_t)target->write_mask << 27;
}

unsigned
vk_blend_key(const struct pipe_blend_desc *desc, uint32_t *words)
{
   unsigned count = 0;
   for (unsigned i = 0; i < PIPE_MAX_COLOR_TARGETS; i++) {
      words[count++] = blend_target_key(&desc->targets[i]);
      words[count++] = desc->formats[i];
   }
   words[count++] = (uint32_t)desc->logic_op_enable | (uint32_t)desc->alpha_to_coverage << 1 |
                    (uint32_t)desc->alpha_to_one << 2 | (uint32_t)desc->logic_op << 3;
   return count;
}

static uint32_t
stencil_key(const struct pipe_stencil_face *face)
{
   return (uint32_t)face->fail | (uint32_t)face->depth_fail << 3 | (uint32_t)face->pass << 6 |
          (uint32_t)face->compare << 9;
}

static void
depth_stencil_key(const struct pipe_depth_stencil_desc *desc, uint32_t *words)
{
   words[0] = (uint32_t)desc->depth_test | (uint32_t)desc->depth_write << 1 | (uint32_t)desc->depth_bounds_test << 2 |
              (uint32_t)desc->stencil_test << 3 | (uint32_t)desc->depth_compare << 4;
   words[1] = stencil_key(&desc->front) | stencil_key(&desc->back) << 16;
}

static void
rasterizer_key(const struct pipe_rasterizer_desc *desc, uint32_t *words)
{
   words[0] = (uint32_t)desc->depth_clamp | (uint32_t)desc->discard << 1 | (uint32_t)desc->depth_bias << 2 |
              (uint32_t)desc->front_ccw << 3 | (uint32_t)desc->depth_clip << 4 | (uint32_t)desc->sample_shading << 5 |
              (uint32_t)desc->relaxed_order << 6 | (uint32_t)desc->cull << 8 | (uint32_t)desc->polygon_mode << 16 |
              (uint32_t)desc->samples << 24;
   words[1] = desc->sample_mask;
}

/* ---- objects ---- */

static void *
create(struct pipe_screen *screen, enum vk_state_object_kind kind, const void *desc)
{
   switch (kind) {
   case VK_STATE_OBJECT_BLEND:
      return screen->blend_create(screen, desc);
   case VK_STATE_OBJECT_DEPTH_STENCIL:
      return screen->depth_stencil_create(screen, desc);
   case VK_STATE_OBJECT_RASTERIZER:
      return screen->rasterizer_create(screen, desc);
   case VK_STATE_OBJECT_KINDS:
      break;
   }
   return NULL;
}

static void
destroy(struct pipe_screen *screen, enum vk_state_object_kind kind, void *object)
{
   switch (kind) {
   case VK_STATE_OBJECT_BLEND:
      screen->blend_destroy(screen, object);
      break;
   case VK_STATE_OBJECT_DEPTH_STENCIL:
      screen->depth_stencil_destroy(screen, object);
      break;
   case VK_STATE_OBJECT_RASTERIZER:
      screen->rasterizer_destroy(screen, object);
      break;
   case VK_STATE_OBJECT_KINDS:
      break;
   }
}

/* A new one at the head of its bucket. */
static void *
add(struct vk_state_object **bucket, struct pipe_screen *screen, enum vk_state_object_kind kind,
    const uint32_t key[KEY_WORDS], const void *desc)
{
   struct vk_state_object *entry = malloc(sizeof(*entry));
   if (!entry)
      return NULL;
   *entry = (struct vk_state_object){.next = *bucket, .object = create(screen, kind, desc)};
   if (!entry->object) {
      free(entry);
      return NULL;
   }
   memcpy(entry->key, key, sizeof(entry->key));
   *bucket = entry;
   return entry->object;
}

static void *
find(struct vk_state_objects *objects, struct pipe_screen *screen, enum vk_state_object_kind kind,
     const uint32_t key[KEY_WORDS], const void *desc)
{
   const size_t key_B = KEY_WORDS * sizeof(*key);
   struct vk_state_object **bucket = &objects->buckets[kind][hash_bytes(key, key_B) % VK_STATE_OBJECT_BUCKETS];
   void *object = NULL;
   pthread_mutex_lock(&objects->lock);
   for (const struct vk_state_object *it = *bucket; it && !object; it = it->next)
      object = memcmp(it->key, key, key_B) ? NULL : it->object;
   if (!object)
      object = add(bucket, screen, kind, key, desc);
   pthread_mutex_unlock(&objects->lock);
   return object;
}

struct pipe_blend *
vk_state_objects_blend(struct vk_state_objects *objects, struct pipe_screen *screen,
                       const struct pipe_blend_desc *desc)
{
   uint32_t key[KEY_WORDS] = {0};
   vk_blend_key(desc, key);
   return find(objects, screen, VK_STATE_OBJECT_BLEND, key, desc);
}

struct pipe_depth_stencil *
vk_state_objects_depth_stencil(struct vk_state_objects *objects, struct pipe_screen *screen,
                               const struct pipe_depth_stencil_desc *desc)
{
   uint32_t key[KEY_WORDS] = {0};
   depth_stencil_key(desc, key);
   return find(objects, screen, VK_STATE_OBJECT_DEPTH_STENCIL, key, desc);
}

struct pipe_rasterizer *
vk_state_objects_rasterizer(struct vk_state_objects *objects, struct pipe_screen *screen,
                            const struct pipe_rasterizer_desc *desc)
{
   uint32_t key[KEY_WORDS] = {0};
   rasterizer_key(desc, key);
   return find(objects, screen, VK_STATE_OBJECT_RASTERIZER, key, desc);
}

void
vk_state_objects_init(struct vk_state_objects *objects)
{
   pthread_mutex_init(&objects->lock, NULL);
}

void
vk_state_objects_finish(struct vk_state_objects *objects, struct pipe_screen *screen)
{
   for (unsigned kind = 0; kind < VK_STATE_OBJECT_KINDS; kind++) {
      for (unsigned i = 0; i < VK_STATE_OBJECT_BUCKETS; i++) {
         for (struct vk_state_object *entry = objects->buckets[kind][i], *next; entry; entry = next) {
            next = entry->next;
            destroy(screen, (enum vk_state_object_kind)kind, entry->object);
            free(entry);
         }
      }
   }
   pthread_mutex_destroy(&objects->lock);
}
