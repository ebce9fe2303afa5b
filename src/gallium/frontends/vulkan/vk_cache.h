/* Compiled programs by what they depend on: in pipeline caches, and on disk (docs/architecture.md). */
#ifndef INDIUM_VK_CACHE_H
#define INDIUM_VK_CACHE_H

#include "gallium/frontends/vulkan/vk_pipeline.h"
#include "gallium/frontends/vulkan/vk_shader.h"
#include "util/hash.h"

/* A hash of all that a program depends on: the build of the driver, the device and what the application enabled, the
 * stages, the layout, the options and states of the pipeline. */
struct vk_cache_key {
   struct hash_128 hash;
};

/* A saved program (pipe_saved_program), and who keeps it. */
struct vk_saved {
   uint32_t references;
   struct vk_cache_key key;
   size_t size_B;
   uint64_t bytes[];
};

/* What the creation of a pipeline wants, and learns. */
struct vk_cache_use {
   struct vk_pipeline_cache *cache; /* the application's; NULL: none */
   bool only;                       /* nothing is compiled: PIPE_COMPILE_REQUIRED */
   bool keep;                       /* fills saved: */
   bool hit;                        /* found in the application's cache */
   struct vk_saved *saved;          /* with a reference */
};

/* ---- vk_cache_key.c ---- */

/* The first part of all keys, which depends only on the device. */
struct hash_128 vk_cache_device_key(const struct vk_device *device);
/* VkPhysicalDeviceProperties.pipelineCacheUUID. */
struct vk_cache_uuid {
   uint8_t bytes[VK_UUID_SIZE];
} vk_cache_uuid(const struct pipe_caps *caps);
struct hash_128 vk_code_hash(struct vk_spirv code);

struct vk_graphics_program;
/* False: such programs are not kept; still the key tells them from most others. */
bool vk_cache_graphics_key(const struct vk_graphics_program *program, struct vk_cache_key *key);
bool vk_cache_compute_key(const struct vk_device *device, const VkPipelineShaderStageCreateInfo *stage,
                          const struct pipe_compute_options *options, struct vk_cache_key *key);

/* The first part of the device's keys. */
struct hash_128 vk_cache_base(const struct vk_device *device);
/* False: its programs are not kept. */
bool vk_cache_keeps(const struct vk_device *device);

/* ---- vk_cache.c ---- */

VkResult vk_cache_init(struct vk_device *device, const void *chain);
void vk_cache_finish(struct vk_device *device);

/* With a reference; NULL: not there. */
struct vk_saved *vk_cache_find_on_disk(struct vk_device *device, const struct vk_cache_key *key);

/* The program of the key, from one of the caches. False: it is not there, or memory ran out. use: may be NULL, as the
 * application's cache. */
bool vk_cache_load(struct vk_device *device, struct vk_cache_use *use, const struct vk_cache_key *key,
                   struct pipe_program **program);

/* Adds a program that has been compiled to all caches, if such are kept; gives back the memory of `saved`.
 * PIPE_OUT_OF_HOST_MEMORY: the creation does not get what it wants of it; *program is gone. */
enum pipe_result vk_cache_store(struct vk_device *device, struct vk_cache_use *use, const struct vk_cache_key *key,
                                struct pipe_saved_program *saved, bool kept, struct pipe_program **program);
/* size: what is stored, and where */

struct vk_saved *vk_saved(const struct vk_cache_key *key, const void *bytes, size_t size_B); /* NULL: no memory */
struct vk_saved *vk_saved_ref(struct vk_saved *saved);
void vk_saved_unref(struct vk_saved *saved); /* NULL is fine */

/* ---- vk_pipeline_cache.c ---- */

/* With a reference; NULL: not there. */
struct vk_saved *vk_pipeline_cache_find(struct vk_pipeline_cache *cache, const struct vk_cache_key *key);
/* Takes a reference of its own; false when out of memory. */
bool vk_pipeline_cache_add(struct vk_pipeline_cache *cache, struct vk_saved *saved);

#endif
