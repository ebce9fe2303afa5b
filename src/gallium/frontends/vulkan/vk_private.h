/* The structs behind the API objects. */
#ifndef INDIUM_VK_PRIVATE_H
#define INDIUM_VK_PRIVATE_H

#include <pthread.h>

#include "compiler/nir/nir_passes.h"
#include "gallium/frontends/vulkan/vk_cmd_flush.h"
#include "gallium/frontends/vulkan/vk_descriptor.h"
#include "gallium/frontends/vulkan/vk_device_table.h"
#include "gallium/frontends/vulkan/vk_entrypoints.h"
#include "gallium/frontends/vulkan/vk_graphics_states.h"
#include "gallium/frontends/vulkan/vk_object.h"
#include "gallium/include/pipe/p_context.h"
#include "util/arena.h"
#include "util/format.h"

#define VK_MAX_PHYSICAL_DEVICES 8
#define VK_MAX_IMAGE_B (UINT64_C(1) << 32) /* maxResourceSize */
#define VK_MAX_RATE_PX 2                   /* of shading rates, in each direction */

struct vk_physical_device {
   VK_LOADER_DATA loader;
   struct vk_instance *instance;
   struct pipe_screen *screen;
   uint32_t api_version;
   bool extensions[INDIUM_DEVICE_EXTENSIONS]; /* supported, as are features */
   struct vk_features features;
};

struct vk_instance {
   VK_LOADER_DATA loader;
   VkAllocationCallbacks alloc;
   uint32_t api_version; /* that the application asks for */
   bool extensions[INDIUM_INSTANCE_EXTENSIONS];
   VkConformanceVersion conformance; /* of all its devices */
   pthread_mutex_t messengers_lock;  /* vk_debug.c */
   struct vk_messenger *messengers;
   pthread_mutex_t lock; /* of the enumeration below */
   bool enumerated;
   uint32_t num_devices;
   struct vk_physical_device devices[VK_MAX_PHYSICAL_DEVICES];
};

struct vk_queue {
   VK_LOADER_DATA loader;
   struct vk_device *device;
   uint32_t family, index;
   VkDeviceQueueCreateFlags flags;
   struct pipe_queue *queue;
   pthread_mutex_t lock;
   struct vk_private_value *private_values;
};

struct vk_event {
   struct pipe_memory *memory;
   struct pipe_resource *buffer;
   volatile uint32_t *value;
};

#define VK_SHADER_SET_BUCKETS 1024

struct vk_device {
   VK_LOADER_DATA loader;
   VkAllocationCallbacks alloc;
   const struct vk_physical_device *physical;
   struct pipe_screen *screen;
   bool extensions[INDIUM_DEVICE_EXTENSIONS]; /* enabled, as are features */
   struct vk_features features;
   bool lost;                        /* read and set by any thread: vk_device_lost, vk_device_check */
   uint64_t program_states;          /* bits of enum pipe_state that programs depend on */
   struct vk_device_cache *cache;    /* vk_cache.c */
   pthread_mutex_t shader_sets_lock; /* of the following: shader objects that have been drawn with together */
   struct vk_shader_set *shader_sets[VK_SHADER_SET_BUCKETS];
   struct vk_compiled *no_fragment;
   struct vk_event no_indices;     /* with maintenance6: zeros, in place of no index buffer */
   struct vk_addresses *addresses; /* vk_address.c */
   uint32_t num_reports;           /* vk_memory_report.c */
   VkDeviceDeviceMemoryReportCreateInfoEXT *reports;
   uint64_t report_ids; /* that were given out */
   uint32_t num_queues;
   struct vk_queue queues[]; /* all that it was created with */
};

struct vk_memory {
   struct pipe_memory *memory;
   uint64_t size_B;
   void *map;
   void *placed; /* where the application has mapped it; NULL: it has not said where */
   uint32_t type;
   uint64_t report_id; /* vk_memory_report.c */
   bool imported;
};

struct vk_buffer {
   struct pipe_resource *resource;
   uint64_t size_B;
   bool descriptors; /* its memory is of a type for them */
};

struct vk_buffer_view {
   struct pipe_buffer_view *view;
};

#define VK_MAX_PLANES FORMAT_MAX_PLANES

struct vk_image {
   struct pipe_resource *planes[VK_MAX_PLANES]; /* an image each; the first of num_planes is all others' only one */
   uint64_t plane_offsets_B[VK_MAX_PLANES];     /* in memory that planes share */
   uint32_t num_planes;
   bool disjoint;               /* planes are bound one by one */
   struct pipe_image_desc desc; /* of all planes together */
   uint32_t aspects;            /* enum pipe_aspect bits of the format */
};

/* The resource of a plane, or of all there is, of an image that is described. */
enum pipe_result vk_image_plane_create(struct pipe_screen *screen, struct vk_image *image, uint32_t plane);
void vk_image_planes_destroy(struct pipe_screen *screen, struct vk_image *image);

struct vk_image_view {
   struct pipe_image_view *planes[VK_MAX_PLANES]; /* of one plane, or of all, for a sampler that converts */
   uint32_t first_plane, num_planes;
   struct vk_image *image;
   struct pipe_subresource_range range;
   uint32_t format;
};

struct vk_sampler {
   struct pipe_sampler *sampler;
   uint64_t hash; /* of what programs with it as an immutable one may depend on; 0: of too much for a hash */
   struct pipe_sampler *chroma; /* of planes 1 and 2; NULL: the same */
   struct nir_ycbcr conversion;
};

/* ---- shaders and pipelines ---- */

/* vk_shader_identifier.c */
extern const uint8_t vk_shader_identifier_algorithm[VK_UUID_SIZE];

struct vk_shader_module {
   size_t words;
   uint32_t code[];
};

/* A shader stage of a library, with copies of all that the application may destroy. */
struct vk_stage_copy {
   uint32_t references;
   VkPipelineShaderStageCreateInfo info;
   VkSpecializationInfo specialization;
   VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup_size;
   VkPipelineRobustnessCreateInfo robustness;
};

/* A shader that was compiled separately, and who keeps it. */
struct vk_compiled {
   uint32_t references;
   struct pipe_shader *shader;
   bool incomplete; /* pipe_graphics_options */
};

/* What a library keeps for the pipelines that are linked with it. */
struct vk_library {
   bool is_library;
   struct vk_stage_copy *stages[NIR_STAGES];
   struct vk_compiled *compiled[NIR_STAGES]; /* NULL: another part is missing, or the driver cannot */
   struct vk_pipeline_layout *layouts[2]; /* of the shaders before rasterization, of the fragment shader; or NULL */
};

struct vk_pipeline {
   enum pipe_bind_point point;
   VkPipelineCreateFlags2 capture; /* what vkGetPipelineExecutable* may be asked */
   VkShaderStageFlags stages;
   struct pipe_program *program;
   struct vk_variants *variants;   /* of which program is one; NULL: it is all there is, but for: */
   struct vk_variants *for_others; /* renderings to other targets; NULL: none, or variants have them */
   struct vk_graphics_state graphics;
   struct vk_library library; /* only of libraries */
   struct vk_saved *captured; /* vk_pipeline_binary.h; NULL: nothing is */
};

/* ---- render passes ---- */

/* Of an image with stencil the second one is stencil's, else nothing. */
struct vk_layouts {
   VkImageLayout main, stencil;
};

/* Of an attachment, in front of a subpass or at the end of the pass. */
struct vk_pass_transition {
   uint32_t attachment;
   struct vk_layouts from, to;
};

struct vk_attachment_ref {
   uint32_t attachment; /* VK_ATTACHMENT_UNUSED: none */
   uint32_t aspects;
   uint32_t new_views; /* that no earlier subpass used; bit 0 without multiview */
   struct vk_layouts layouts;
};

struct vk_subpass {
   uint32_t num_colors;
   struct vk_attachment_ref colors[PIPE_MAX_COLOR_TARGETS], resolves[PIPE_MAX_COLOR_TARGETS], depth_stencil;
   struct vk_attachment_ref depth_stencil_resolve, shading_rate;
   enum pipe_resolve depth_resolve, stencil_resolve;
   uint32_t view_mask;
   uint8_t samples;
   /* Attachments of the subpass are its input attachments too: a colour, depth/stencil. */
   bool reads_color, reads_depth_stencil;
   struct pipe_barrier before; /* what the subpass depends on, without images */
   uint32_t num_transitions;   /* of the attachments that it references */
   struct vk_pass_transition *transitions;
};

struct vk_attachment {
   uint32_t format;
   uint8_t samples;
   enum pipe_load_op load, stencil_load;
   struct vk_layouts layouts; /* initial ones; at the end of creation the final ones */
   uint32_t seen_views;       /* of the subpasses that use it; bit 0 without multiview */
};

struct vk_render_pass {
   uint32_t num_attachments, num_subpasses;
   struct vk_attachment *attachments;
   struct vk_subpass *subpasses;
   struct pipe_barrier after; /* what commands after the pass depend on, without images */
   uint32_t num_transitions;  /* to the final layouts */
   struct vk_pass_transition *transitions;
};

/* vk_render_pass.c: in the contract's words. */
enum pipe_load_op vk_load_op(VkAttachmentLoadOp op);
/* Keeps what vkCmdBeginCustomResolveEXT will render to, if an attachment asks for that. */
void vk_custom_resolve_note(struct vk_command_buffer *cmd, const VkRenderingInfo *info,
                            const struct pipe_rendering *rendering);
void vk_custom_resolve_drop(struct vk_command_buffer *cmd);
enum pipe_resolve vk_resolve_mode(VkResolveModeFlagBits mode);

struct vk_framebuffer {
   uint32_t width, height, layers, num_attachments;
   struct vk_image_view *attachments[]; /* none if imageless */
};

/* ---- command buffers ---- */

struct vk_command_pool {
   struct vk_device *device;
   uint32_t family;                   /* of the queues */
   struct vk_command_buffer *buffers; /* list by next */
};

#define VK_NEXT_VARIANTS 16

/* Draws with another equation of blending, and nothing else that programs depend on, used `after`. */
struct vk_next_variant {
   const struct vk_variant *before, *after; /* NULL: none */
   uint32_t equations[PIPE_MAX_COLOR_TARGETS];
};

struct vk_command_buffer {
   VK_LOADER_DATA loader;
   struct vk_command_pool *pool;
   struct vk_command_buffer *prev, *next;
   struct pipe_context *pipe;
   VkCommandBufferLevel level;
   VkResult result; /* of recording */
   /* What draws are made of: */
   const struct vk_graphics_state *graphics; /* of the bound pipeline, or `loose`; NULL: nothing is bound */
   const struct vk_pipeline *pipeline;       /* NULL: none */
   struct vk_variants *variants; /* of that; NULL: there is one program, or those of shaders are to be found */
   const struct vk_shader_object *shaders[NIR_STAGES]; /* NULL: none */
   struct vk_graphics_state loose;   /* with those: all is dynamic, for targets as rendering has them */
   const struct vk_variant *variant; /* the program of them that is bound; NULL: unknown */
   struct vk_next_variant next_variants[VK_NEXT_VARIANTS];
   struct pipe_graphics_state state; /* of the next draw */
   uint64_t changed;                 /* bits of enum pipe_state: what the driver does not know of it yet */
   /* The running render pass: */
   const struct vk_render_pass *render_pass;
   uint32_t subpass;
   struct vk_image_view **attachments; /* in one allocation with: */
   struct pipe_image_barrier
      *image_barriers; /* VK_MAX_IMAGE_BARRIERS for each attachment, of the barrier that is next */
   VkClearValue *clear_values;
   VkRect2D render_area;
   uint32_t layers;
   uint32_t view_mask; /* of the subpass or the dynamic rendering */
   struct vk_push_set {
      uint8_t *words;
      uint32_t size_B;
   } push_sets[PIPE_BIND_POINTS];
   uint64_t descriptor_buffers[VK_MAX_DESCRIPTOR_BUFFERS]; /* addresses */
   struct vk_custom_resolve *custom_resolve; /* vk_custom_resolve.c; NULL: none comes in this rendering */
};

/* ---- synchronisation and queries ---- */

struct vk_fence {
   struct pipe_sync *sync;
   struct pipe_sync *temporary; /* imported until the next reset; NULL: none */
};

struct vk_semaphore {
   struct pipe_sync *sync;
   struct pipe_sync *temporary; /* imported until the next wait; NULL: none */
   bool timeline;
};

static inline struct pipe_sync *
vk_fence_payload(const struct vk_fence *fence)
{
   return fence->temporary ? fence->temporary : fence->sync;
}

static inline struct pipe_sync *
vk_semaphore_payload(const struct vk_semaphore *semaphore)
{
   return semaphore->temporary ? semaphore->temporary : semaphore->sync;
}

struct vk_query_pool {
   struct pipe_query_pool *pool;
   uint32_t count;
   uint32_t values; /* bit per value of pipe_screen.query_result that a result has */
};

/* ---- shared helpers ---- */

/* enum pipe_aspect bits of a format, and of an aspect mask. */
uint32_t vk_format_aspects(uint32_t format);
uint32_t vk_aspects(VkImageAspectFlags aspects);

/* A format of one plane as drivers know it: components of 10 and 12 bits lie in words of 16, whose lowest bits count
 * a little. vk_ycbcr.c. */
uint32_t vk_stored_format(uint32_t format);

/* What the API calls enum pipe_format_feature bits of images. */
VkFormatFeatureFlags vk_image_features(uint32_t bits);
/* Features of a format with what had no bit in the older flags. */
VkFormatFeatureFlags2 vk_features_2(const struct pipe_screen *screen, uint32_t format, VkFormatFeatureFlags features);

/* enum pipe_usage bits. */
uint32_t vk_image_usage(VkImageUsageFlags usage);

/* The driver stands on no other API. */
void vk_layered_apis(const struct pipe_caps *caps, VkPhysicalDeviceLayeredApiPropertiesListKHR *apis);

/* What was captured of an object that is created again for descriptorBufferCaptureReplay; NULL: nothing. A sampler
 * has a uint32_t (pipe_screen.sampler_place), a sparse image a uint64_t (its address). */
const void *vk_captured_data(const void *chain);

/* Of buffers that are not sparse. */
uint64_t vk_max_buffer_B(const struct pipe_caps *caps);

/* Bits of memory types: those for descriptors of the application, or the others. */
uint32_t vk_memory_types(const struct pipe_caps *caps, bool descriptors);
VkMemoryRequirements vk_memory_requirements(struct vk_device *device, const struct pipe_resource *resource);
/* Of an image; of a disjoint one: of a plane. */
VkMemoryRequirements vk_image_requirements(struct vk_device *device, const struct vk_image *image, uint32_t plane);
/* The result of one bind, if the chain asks. */
void vk_fill_bind_status(const void *chain, VkResult result);
/* Says that nothing wants memory of its own, if the chain asks. */
void vk_fill_dedicated(void *chain);

/* The range with VK_REMAINING_* resolved. */
struct pipe_subresource_range vk_subresource_range(const struct vk_image *image,
                                                   const VkImageSubresourceRange *range);

/* Absolute CLOCK_MONOTONIC time of a relative timeout, saturated. */
int64_t vk_absolute_timeout(uint64_t timeout_ns);

/* A reference of each set's layout, for whoever keeps a copy of the layout, and back. */
void vk_layout_sets_ref(const struct pipe_pipeline_layout *layout);
void vk_layout_sets_unref(struct vk_device *device, const struct pipe_pipeline_layout *layout);

/* Gives back a reference; NULL is fine. */
void vk_pipeline_layout_unref(struct vk_device *device, struct vk_pipeline_layout *layout);

/* Gives back so many references; NULL is fine. */
void vk_set_layout_unref(struct vk_device *device, struct vk_set_layout *layout, uint32_t references);

/* Any kind of shading rate is enabled: fragment shaders may read theirs. */
static inline bool
vk_shading_rate_enabled(const struct vk_device *device)
{
   const struct vk_features *features = &device->features;
   return features->pipelineFragmentShadingRate || features->primitiveFragmentShadingRate ||
          features->attachmentFragmentShadingRate;
}

static inline bool
vk_device_lost(const struct vk_device *device)
{
   return __atomic_load_n(&device->lost, __ATOMIC_RELAXED);
}

/* The VkResult of a result; the first PIPE_DEVICE_LOST marks the device as lost. */
VkResult vk_device_check(struct vk_device *device, enum pipe_result result);

#endif
