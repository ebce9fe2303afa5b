/* Programs of shader objects that are bound together. */
#include "gallium/frontends/vulkan/vk_shader_object.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "util/hash.h"
#include "util/macros.h"

struct vk_shader_pair {
   struct vk_shader_pair *next;
   const struct vk_shader_object *vertex, *fragment;
   struct vk_variants *variants;
};

/* What both know of sets and push constants: where one has a set, it is the other's. */
static struct pipe_pipeline_layout
join_layouts(const struct pipe_pipeline_layout *a, const struct pipe_pipeline_layout *b)
{
   struct pipe_pipeline_layout both = *a;
   both.num_sets = MAX2(a->num_sets, b->num_sets);
   both.push_constant_B = MAX2(a->push_constant_B, b->push_constant_B);
   both.num_dynamic = 0;
   for (uint32_t i = 0; i < both.num_sets; i++) {
      if (i < b->num_sets && b->sets[i])
         both.sets[i] = b->sets[i];
      both.dynamic_base[i] = both.num_dynamic;
      both.num_dynamic += both.sets[i] ? both.sets[i]->num_dynamic : 0;
   }
   return both;
}

/* The fragment stage of those that have no fragment shader, if the driver can compile it without targets; kept. */
static struct vk_compiled *
no_fragment(struct vk_device *device)
{
   static const struct pipe_pipeline_layout layout;
   const struct vk_graphics_state state = {.parts = VK_PART_FRAGMENT, .state = vk_default_states};
   const struct vk_graphics_program from = {.device = device, .state = &state, .layout = &layout};
   if (!device->no_fragment)
      (void)vk_graphics_program_compile(&from, NIR_STAGE_FRAGMENT, &device->no_fragment);
   return device->no_fragment;
}

static struct vk_shader_pair *
create(struct vk_device *device, const struct vk_shader_object *vertex, const struct vk_shader_object *fragment)
{
   struct vk_shader_pair *pair = vk_alloc(&device->alloc, NULL, sizeof(*pair));
   if (!pair)
      return NULL;
   const struct pipe_pipeline_layout layout =
      fragment ? join_layouts(&vertex->layout, &fragment->layout) : vertex->layout;
   struct vk_graphics_program from = {.device = device, .layout = &layout};
   from.stages[NIR_STAGE_VERTEX] = &vertex->source->info;
   from.stages[NIR_STAGE_FRAGMENT] = fragment ? &fragment->source->info : NULL;
   from.compiled[NIR_STAGE_VERTEX] = vertex->compiled;
   from.compiled[NIR_STAGE_FRAGMENT] = fragment ? fragment->compiled : no_fragment(device);
   *pair = (struct vk_shader_pair){.vertex = vertex, .fragment = fragment, .variants = vk_variants_create(&from)};
   if (pair->variants)
      return pair;
   vk_free(&device->alloc, NULL, pair);
   return NULL;
}

static struct vk_shader_pair **
bucket_of(struct vk_device *device, const struct vk_shader_object *vertex, const struct vk_shader_object *fragment)
{
   const struct vk_shader_object *const key[] = {vertex, fragment};
   return &device->pairs[hash_bytes(key, sizeof(key)) % VK_SHADER_PAIR_BUCKETS];
}

struct vk_variants *
vk_shader_pair(struct vk_device *device, const struct vk_shader_object *vertex,
               const struct vk_shader_object *fragment)
{
   struct vk_shader_pair **bucket = bucket_of(device, vertex, fragment), *pair;
   pthread_mutex_lock(&device->pairs_lock);
   for (pair = *bucket; pair && (pair->vertex != vertex || pair->fragment != fragment);)
      pair = pair->next;
   if (!pair && (pair = create(device, vertex, fragment))) {
      pair->next = *bucket;
      *bucket = pair;
   }
   pthread_mutex_unlock(&device->pairs_lock);
   return pair ? pair->variants : NULL;
}

static void
forget(struct vk_device *device, struct vk_shader_pair **bucket, const struct vk_shader_object *shader)
{
   for (struct vk_shader_pair **at = bucket; *at;) {
      struct vk_shader_pair *pair = *at;
      if (pair->vertex != shader && pair->fragment != shader) {
         at = &pair->next;
         continue;
      }
      *at = pair->next;
      vk_variants_destroy(pair->variants);
      vk_free(&device->alloc, NULL, pair);
   }
}

void
vk_shader_pairs_forget(struct vk_device *device, const struct vk_shader_object *shader)
{
   pthread_mutex_lock(&device->pairs_lock);
   for (unsigned i = 0; i < VK_SHADER_PAIR_BUCKETS; i++)
      forget(device, &device->pairs[i], shader);
   pthread_mutex_unlock(&device->pairs_lock);
}
