/* Programs of shader objects that are bound together. */
#include "gallium/frontends/vulkan/vk_shader_object.h"
#include "gallium/frontends/vulkan/vk_stage_copy.h"
#include "util/hash.h"
#include "util/macros.h"

struct vk_shader_set {
   struct vk_shader_set *next;
   const struct vk_shader_object *shaders[NIR_STAGES]; /* NULL: no shader of the stage */
   struct vk_variants *variants;
};

/* The descriptor sets and push constants of all shaders; a set that several have is the same. */
static struct pipe_pipeline_layout
join_layouts(const struct vk_shader_object *const shaders[NIR_STAGES])
{
   struct pipe_pipeline_layout all = {0};
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      const struct pipe_pipeline_layout *layout = shaders[stage] ? &shaders[stage]->layout : &all;
      all.num_sets = MAX2(all.num_sets, layout->num_sets);
      all.push_constant_B = MAX2(all.push_constant_B, layout->push_constant_B);
      for (uint32_t i = 0; i < layout->num_sets; i++) {
         if (layout->sets[i])
            all.sets[i] = layout->sets[i];
      }
   }
   for (uint32_t i = 0; i < all.num_sets; i++) {
      all.dynamic_base[i] = all.num_dynamic;
      all.num_dynamic += all.sets[i] ? all.sets[i]->num_dynamic : 0;
   }
   return all;
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

static struct vk_shader_set *
create(struct vk_device *device, const struct vk_shader_object *const shaders[NIR_STAGES])
{
   struct vk_shader_set *set = vk_alloc(&device->alloc, NULL, sizeof(*set));
   if (!set)
      return NULL;
   const struct pipe_pipeline_layout layout = join_layouts(shaders);
   struct vk_graphics_program from = {.device = device, .layout = &layout};
   for (unsigned stage = 0; stage < NIR_STAGES; stage++) {
      set->shaders[stage] = shaders[stage];
      from.stages[stage] = shaders[stage] ? &shaders[stage]->source->info : NULL;
      from.compiled[stage] = shaders[stage] ? shaders[stage]->compiled : NULL;
   }
   if (!shaders[NIR_STAGE_FRAGMENT])
      from.compiled[NIR_STAGE_FRAGMENT] = no_fragment(device);
   set->variants = vk_variants_create(&from);
   if (set->variants)
      return set;
   vk_free(&device->alloc, NULL, set);
   return NULL;
}

struct vk_variants *
vk_shader_set(struct vk_device *device, const struct vk_shader_object *const shaders[NIR_STAGES])
{
   const size_t size_B = NIR_STAGES * sizeof(shaders[0]);
   struct vk_shader_set **bucket = &device->shader_sets[hash_bytes(shaders, size_B) % VK_SHADER_SET_BUCKETS];
   struct vk_shader_set *set;
   pthread_mutex_lock(&device->shader_sets_lock);
   for (set = *bucket; set && memcmp(set->shaders, shaders, size_B);)
      set = set->next;
   if (!set && (set = create(device, shaders))) {
      set->next = *bucket;
      *bucket = set;
   }
   pthread_mutex_unlock(&device->shader_sets_lock);
   return set ? set->variants : NULL;
}

static void
forget(struct vk_device *device, struct vk_shader_set **bucket, const struct vk_shader_object *shader)
{
   for (struct vk_shader_set **at = bucket; *at;) {
      struct vk_shader_set *set = *at;
      if (set->shaders[shader->stage] != shader) {
         at = &set->next;
         continue;
      }
      *at = set->next;
      vk_variants_destroy(set->variants);
      vk_free(&device->alloc, NULL, set);
   }
}

void
vk_shader_sets_forget(struct vk_device *device, const struct vk_shader_object *shader)
{
   pthread_mutex_lock(&device->shader_sets_lock);
   for (unsigned i = 0; i < VK_SHADER_SET_BUCKETS; i++)
      forget(device, &device->shader_sets[i], shader);
   pthread_mutex_unlock(&device->shader_sets_lock);
}
