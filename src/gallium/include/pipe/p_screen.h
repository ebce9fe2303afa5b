/* A device: capabilities, memory, resources, shader programs, queues. Every function may be called
 * from any thread. Objects are destroyed by the caller after the GPU has finished with them. */
#ifndef INDIUM_P_SCREEN_H
#define INDIUM_P_SCREEN_H

#include "gallium/include/pipe/p_generated.h"
#include "gallium/include/pipe/p_state.h"

struct pipe_buffer_view;
struct pipe_context;
struct pipe_query_pool;
struct pipe_queue;
struct pipe_sync;
struct pipe_shader; /* a stage of graphics programs, compiled separately */

#define PIPE_MAX_MEMORY_HEAPS 4
#define PIPE_MAX_MEMORY_TYPES 8
#define PIPE_MAX_QUEUE_FAMILIES 4
#define PIPE_MAX_MODIFIERS 8

/* A memory type for memory_create that is not in caps.memory_types: host visible and coherent, at addresses that
 * the driver wants for descriptor sets (for example within reach of 32-bit pointers). */
#define PIPE_MEMORY_TYPE_DESCRIPTORS UINT32_MAX

/* Instead of an address that something must have: any, which can be asked for when the application runs again. */
#define PIPE_VA_REPLAYED UINT64_C(1)

struct pipe_memory_type {
   uint8_t heap;
   bool device_local, host_visible, host_coherent, host_cached;
   bool descriptors; /* for buffers with descriptors of the application, and for nothing else */
};

struct pipe_memory_heap {
   uint64_t size_B;
   bool device_local;
};

/* Queues that run the same commands. */
struct pipe_queue_family {
   uint32_t abilities; /* enum pipe_ability bits */
   uint32_t count;
};

struct pipe_queue_desc {
   unsigned family, index; /* index: below the family's count */
   enum pipe_priority priority;
};

/* Where the kernel has the device; the loader fills it in. */
struct pipe_node {
   bool has_primary, has_pci;
   uint32_t primary_major, primary_minor, render_major, render_minor;
   uint32_t pci_domain, pci_bus, pci_device, pci_function;
};

/* AMD's: what runs shaders. Registers of a SIMD are those of waves of 64 lanes. */
struct pipe_shader_cores {
   uint32_t engines, arrays_per_engine, units_per_array, active_units; /* compute units */
   uint32_t simds_per_unit, waves_per_simd;
   uint32_t sgprs_per_simd, min_sgprs, max_sgprs, sgpr_granule; /* a wave's */
   uint32_t vgprs_per_simd, min_vgprs, max_vgprs, vgpr_granule; /* likewise */
};

struct pipe_caps {
   struct pipe_node node;
   char device_name[128]; /* of the chip */
   uint32_t vendor_id, device_id;
   bool integrated;
   uint8_t device_uuid[16], driver_uuid[16];
   uint64_t code_key; /* what programs depend on that the kernel chose, besides the chip */
   uint32_t num_heaps, num_memory_types;
   struct pipe_memory_heap heaps[PIPE_MAX_MEMORY_HEAPS];
   struct pipe_memory_type memory_types[PIPE_MAX_MEMORY_TYPES];
   bool host_memory;     /* memory_import_host */
   bool memory_priority; /* memory_prioritize */
   bool page_faults;     /* last_fault */
   uint32_t num_queue_families;
   struct pipe_queue_family queue_families[PIPE_MAX_QUEUE_FAMILIES];
   uint32_t subgroup_size, min_subgroup_size, max_subgroup_size; /* the first one is the default */
   struct pipe_shader_cores cores;                               /* no engines: not known */
   double timestamp_period_ns;
   uint32_t max_image_1d_px, max_image_2d_px, max_image_3d_px, max_layers;
   uint32_t max_viewport_px;       /* width and height */
   float viewport_bounds_px[2];    /* of their edges */
   uint32_t max_target_layers;     /* that a vertex's layer may be in, of a rendering */
   bool linear_1d;                 /* linear images may be 1D, not only 2D */
   uint32_t max_linear_layers;     /* of linear images, which have one level and one sample */
   uint32_t max_block_views_3d_px; /* width and height of 3D images with block_views; 0: none */
   /* DRM format modifiers for 2D images of one level, layer and sample; best first. */
   uint32_t num_modifiers;
   uint64_t modifiers[PIPE_MAX_MODIFIERS];
   /* Samplers and views of images. */
   uint32_t image_alignments_B;           /* bits: pipe_image_desc.max_alignment_B */
   uint32_t max_custom_borders;           /* samplers with PIPE_BORDER_CUSTOM at once */
   bool border_swizzle;                   /* borders go through swizzles of views */
   bool border_swizzle_from_view;         /* custom ones, too; else samplers come with colours that are swizzled */
   bool view_min_lod;                     /* pipe_image_view_desc.min_lod */
   bool slice_views, sampled_slice_views; /* pipe_image_desc.slice_views: storage views; the others */
   bool sliced_views;                     /* storage views of a part of a 3D image */
   bool cube_face_edges;                  /* pipe_sampler_desc.face_edges */
   bool minmax_filter;                    /* samplers with PIPE_REDUCE_MIN and _MAX */
   /* Copies by the processor. */
   bool host_copy_any_memory;    /* images with PIPE_USAGE_HOST_TRANSFER may lie in the same memory as others */
   bool host_image_copy;         /* image_host_copy */
   bool host_copy_slows_targets; /* images with PIPE_USAGE_HOST_TRANSFER are worse ones to render to */
   /* Limits. */
   uint32_t max_compute_shared_B, max_workgroup_invocations, max_workgroup_z, max_groups_x;
   uint32_t min_uniform_offset_B, min_storage_offset_B, min_texel_offset_B;
   uint32_t max_uniform_B, max_storage_B, max_texels; /* of a buffer's descriptor */
   int8_t min_offset_tl, max_offset_tl;               /* of samples, fetches and gathers, in texels */
   uint8_t sample_counts;                             /* bit n: 1 << n samples, of colour and depth */
   uint8_t storage_sample_counts;                     /* the same of storage images */
   uint32_t max_attribute_offset_B;                   /* of pipe_vertex_attribute */
   bool legacy_attributes, legacy_attributes_fast;    /* pipe_graphics_options.legacy_attributes; as fast as others */
   /* Descriptor words in a set. Sets start at a multiple of descriptor_alignment_B. */
   uint32_t descriptor_size_B[PIPE_DESCRIPTOR_KINDS];
   uint32_t descriptor_alignment_B;
   uint32_t max_sets;         /* that a pipeline layout may have */
   bool null_descriptors;     /* allowed; the robustness features make no difference to them */
   bool descriptor_addresses; /* descriptors are made of addresses, and sets are addresses, in memory of a type that
                                 is for descriptors */
   bool native_non_uniform;   /* one instruction uses the descriptors of all invocations; no loop */
   uint32_t shader_stages;    /* bit per enum nir_stage that a program may have */
   uint32_t max_task_payload_B;
   bool counts_meshes; /* queries of task and mesh shaders */
   bool shader_int64, shader_float64, shader_int16, shader_float16, shader_int8;
   bool shader_clock;                        /* of subgroups and of the device */
   bool dots_4x8, dots_4x8_mixed, dots_2x16; /* dot products of integers that are instructions (enum nir_dots) */
   bool matrix_products;                     /* nir's matrix_multiply_add */
   bool atomics_64;                          /* on integers of 64 bits in buffers and shared memory */
   bool float_atomics; /* exchange: buffers, shared memory, images of 32 bits; add, min and max: shared memory */
   bool float_atomic_add, float_atomic_min_max, double_atomic_min_max; /* in buffers */
   bool image_atomic_min_max;                                          /* of floats */
   bool amd_instruction_sets; /* SPIR-V of AMD: three operands, faces of cubes, a clock, ballots, values by vertex,
                                 levels of storage images */
   bool fragment_masks;       /* which fragments samples show, as AMD's SPIR-V reads it */
   bool gather_levels;        /* gathers from a level of detail, given or computed */
   bool compute_derivatives;  /* of both groups */
   bool image_atomics_64;     /* storage images of one 64-bit integer */
   bool float_modes; /* programs choose denormals and rounding; else those of 32 bits are flushed, others stay */
   bool shader_storage_small;                              /* 8 and 16 bits in buffers and push constants */
   bool shader_io_16;                                      /* inputs and outputs of stages of 16 bits */
   float min_point_px, max_point_px, point_granularity_px; /* with large_points */
   bool coverage_after_counting;  /* a shader's sample mask counts after occlusion queries with early tests */
   bool lines_are_parallelograms; /* those that are not strict */
   float min_line_px, max_line_px, line_granularity_px; /* with wide_lines */
   uint8_t line_subpixel_bits;
   bool rectangular_lines, bresenham_lines, stippled_bresenham_lines;
   bool alpha_to_one;
   bool variable_samples; /* of draws in a rendering without attachments */
   bool depth_bias_units; /* enum pipe_bias_unit; else only PIPE_BIAS_UNIT_FORMAT */
   bool depth_ranges;     /* depth_from_minus_one, depth_clamp_range, pipe_context.unrestricted_depth */
   bool logic_op, dual_source_blend, depth_bounds, wide_lines, large_points, fill_mode_non_solid, depth_clamp;
   bool sample_rate_shading, anisotropy, texture_bc, texture_etc2, texture_astc, multi_viewport;
   bool pipeline_statistics;
   bool discard_rectangles;
   bool restart_index;       /* pipe_context.set_restart_index */
   bool xfb;                 /* transform feedback, and queries of its primitives and of generated ones */
   uint32_t xfb_streams;     /* of geometry shaders; 0, 1: they have one */
   bool xfb_keeps_provoking; /* where the provoking vertex of triangles is among those that are captured */
   bool conservative_raster; /* enum pipe_conservative */
   uint8_t sample_grid_px;   /* sample_locations: pixels in each direction that have their own, 1 or 2; 0: none */
   bool variable_sample_locations; /* they may change within a rendering */
   bool mixed_samples;             /* colours may have fewer samples than are rasterised */
   bool post_depth_coverage;       /* nir_shader_info.post_depth_coverage */
   bool early_and_late_tests;      /* nir_shader_info.early_and_late_tests */
   bool conditional_rendering;     /* pipe_context.begin_conditional */
   bool generated_commands;        /* pipe_context.generate; by programs that a set chooses: compute */
   bool nested_secondaries;        /* secondaries may execute others */
   bool programs_blend;            /* programs blend, apply logic operations and mask samples */
   bool programs_place_colors;     /* and know where those of all targets lie, also of those that they do not write */
   bool programs_by_topology; /* a program draws points, fans, or all others: which its options say; lines, lists or
                                 strips of triangles where a shader has FragmentBarycentric, too; and it knows which
                                 vertex provokes */
   bool rasterization_order;  /* pipe_graphics_state.relaxed_order */
   bool fragment_interlock;   /* of pixels and of samples, not of coarse fragments */
   bool fragment_barycentric; /* values by vertex, weights of vertices: a program that may use them draws points,
                                 lines or triangles at least, which its options say */
   bool shading_rate;         /* of draws and primitives: 1 or 2 pixels in each direction */
   uint8_t shading_rate_sample_counts; /* as sample_counts, of what may be shaded so; others are at 1x1 */
   bool shading_rate_interlock, shading_rate_depth_export; /* rates count where a shader does that, else 1x1 */
   bool attachment_shading_rate;
   /* Sparse resources: buffers and images that get memory before use; those that may lack it. */
   bool sparse_binding, sparse_buffers, sparse_images_2d, sparse_images_3d;
   uint8_t sparse_sample_counts; /* as sample_counts, of such images */
   bool zeroed_memory;           /* memory_create makes zeros, and images of zeros are zeros */
   bool sparse_aliased;          /* memory may be in several places */
   bool sparse_standard_2d, sparse_standard_2d_samples, sparse_standard_3d; /* blocks have the standard size */
   bool sparse_zero;                                                        /* what has no memory reads as 0 */
   uint64_t sparse_space_B;
   bool shader_residency;         /* tex instructions with is_sparse or a minimal level, image_deref_residency */
   uint8_t shading_rate_texel_px; /* of attachments: pixels in each direction */
};

/* What the kernel tells of an access by the GPU that went wrong. */
struct pipe_fault {
   uint64_t address, page_B; /* it lies within page_B bytes from there on */
   bool writes;
   char source[64]; /* of the access, and what the kernel says it found */
};

struct pipe_screen {
   struct pipe_caps caps;

   void (*destroy)(struct pipe_screen *screen);

   /* enum pipe_format_feature bits of an image (linear or not) or, for the buffer bits, of a buffer. */
   uint32_t (*format_features)(const struct pipe_screen *screen, uint32_t format, bool linear);
   /* The same of an image with one of caps.modifiers; 0: the format has no such images. */
   uint32_t (*modifier_features)(const struct pipe_screen *screen, uint32_t format, uint64_t modifier);

   /* Memory of a caps.memory_types entry. fd >= 0 imports a dma-buf of size_B at least (success consumes the fd). */
   enum pipe_result (*memory_create)(struct pipe_screen *screen, uint32_t type, uint64_t size_B, int fd,
                                     struct pipe_memory **memory);
   /* The same at an address of the GPU, or PIPE_VA_REPLAYED; PIPE_ADDRESS_TAKEN if it cannot have that one. */
   enum pipe_result (*memory_create_at)(struct pipe_screen *screen, uint32_t type, uint64_t size_B, uint64_t va,
                                        struct pipe_memory **memory);
   uint64_t (*memory_address)(const struct pipe_memory *memory);
   /* Memory of the process's own: whole pages, of a type that the processor caches. They stay the caller's. */
   enum pipe_result (*memory_import_host)(struct pipe_screen *screen, void *bytes, uint64_t size_B,
                                          struct pipe_memory **memory);
   /* 0 to 1, at first a half: the kernel rather moves other memory where device memory is scarce. */
   void (*memory_prioritize)(struct pipe_screen *screen, struct pipe_memory *memory, float priority);
   /* Bytes of the heap that this screen's memory uses. */
   uint64_t (*heap_used)(const struct pipe_screen *screen, uint32_t heap);
   void (*memory_destroy)(struct pipe_screen *screen, struct pipe_memory *memory);
   /* The whole memory, mapped until it is destroyed; NULL if the type is not host visible or mapping fails. */
   void *(*memory_map)(struct pipe_screen *screen, struct pipe_memory *memory);
   /* The first size_B bytes (whole pages) again, in place of what the process has there; munmap(2) ends it. */
   bool (*memory_map_at)(struct pipe_screen *screen, struct pipe_memory *memory, void *address, uint64_t size_B);
   enum pipe_result (*memory_export)(struct pipe_screen *screen, struct pipe_memory *memory, int *fd);

   /* Resources without memory; bind once before use. */
   enum pipe_result (*buffer_create)(struct pipe_screen *screen, uint64_t size_B, struct pipe_resource **buffer);
   enum pipe_result (*image_create)(struct pipe_screen *screen, const struct pipe_image_desc *desc,
                                    struct pipe_resource **image);
   /* NULL where caps.sparse_binding is false. Only queue_submit binds such resources. descriptors: the addresses are
    * those of memory that is for descriptors. va: as of memory_create_at, or 0. */
   enum pipe_result (*sparse_buffer_create)(struct pipe_screen *screen, uint64_t size_B, enum pipe_sparse sparse,
                                            bool descriptors, uint64_t va, struct pipe_resource **buffer);
   /* Whether images of the type, format, samples and usage may have PIPE_SPARSE_RESIDENCY, and in which pieces. */
   bool (*sparse_format)(const struct pipe_screen *screen, const struct pipe_image_desc *desc,
                         struct pipe_sparse_format *format);
   struct pipe_sparse_layout (*sparse_layout)(const struct pipe_resource *image, uint32_t aspect);
   void (*resource_destroy)(struct pipe_screen *screen, struct pipe_resource *resource);
   struct pipe_memory_requirements (*resource_requirements)(const struct pipe_resource *resource);
   void (*resource_bind)(struct pipe_resource *resource, struct pipe_memory *memory, uint64_t offset_B);
   /* Of a resource with memory, or a sparse one: where shaders find it. 0: nothing is bound. */
   uint64_t (*resource_address)(const struct pipe_resource *resource);
   struct pipe_subresource_layout (*image_layout)(const struct pipe_resource *image, uint32_t aspect, uint32_t level,
                                                  uint32_t layer);

   /* Copies immediately, on the CPU: nothing else may use these texels. The image's memory is host visible. */
   enum pipe_result (*image_host_copy)(struct pipe_screen *screen, struct pipe_resource *image,
                                       const struct pipe_host_copy *copy, bool to_image);

   enum pipe_result (*image_view_create)(struct pipe_screen *screen, const struct pipe_image_view_desc *desc,
                                         struct pipe_image_view **view);
   void (*image_view_destroy)(struct pipe_screen *screen, struct pipe_image_view *view);
   enum pipe_result (*sampler_create)(struct pipe_screen *screen, const struct pipe_sampler_desc *desc,
                                      struct pipe_sampler **sampler);
   void (*sampler_destroy)(struct pipe_screen *screen, struct pipe_sampler *sampler);
   /* Of caps.descriptor_addresses: where the driver keeps the sampler's custom border, which its descriptor names; 0:
    * it has none. sampler_create gives PIPE_ADDRESS_TAKEN if it cannot have the place that it asks for. */
   uint32_t (*sampler_place)(const struct pipe_sampler *sampler);
   /* A range of a buffer with memory as texels. */
   enum pipe_result (*buffer_view_create)(struct pipe_screen *screen, const struct pipe_resource *buffer,
                                          uint32_t format, uint64_t offset_B, uint64_t size_B,
                                          struct pipe_buffer_view **view);
   void (*buffer_view_destroy)(struct pipe_screen *screen, struct pipe_buffer_view *view);

   /* Write caps.descriptor_size_B[kind] bytes of a set. NULL makes a null descriptor: reads give zero, writes are
    * dropped. */
   void (*descriptor_write_buffer)(const struct pipe_screen *screen, const struct pipe_resource *buffer,
                                   uint64_t offset_B, uint64_t size_B, void *words);
   void (*descriptor_write_texel_buffer)(const struct pipe_screen *screen, const struct pipe_buffer_view *view,
                                         void *words);
   void (*descriptor_write_image)(const struct pipe_screen *screen, const struct pipe_image_view *view, bool storage,
                                  void *words);
   /* Of caps.descriptor_addresses: bytes, or texels of a format. Address 0: a null descriptor. */
   void (*descriptor_write_address)(const struct pipe_screen *screen, uint64_t va, uint64_t size_B, void *words);
   void (*descriptor_write_texels)(const struct pipe_screen *screen, uint32_t format, uint64_t va, uint64_t size_B,
                                   void *words);
   void (*descriptor_write_sampler)(const struct pipe_sampler *sampler, void *words);
   void (*descriptor_write_image_sampler)(const struct pipe_screen *screen, const struct pipe_image_view *view,
                                          const struct pipe_sampler *sampler, void *words);

   /* Compiles and links. The nir shaders are changed, not kept. On failure one line is logged. shaders: at least the
    * vertex shader; NULL for absent stages. */
   enum pipe_result (*graphics_program_create)(struct pipe_screen *screen,
                                               struct nir_shader *const shaders[NIR_STAGES],
                                               const struct pipe_graphics_options *options,
                                               struct pipe_program **program);
   /* One stage of graphics programs, compiled separately. The options say what belongs to the stage: for vertex
    * shaders attributes and topology; for fragment shaders targets, samples and blending. shader is consumed; NULL: a
    * fragment stage without a shader. PIPE_UNSUPPORTED, without a line in the log: this shader is compiled together
    * with the other stages. NULL: all shaders are. */
   enum pipe_result (*shader_create)(struct pipe_screen *screen, struct nir_shader *shader,
                                     const struct pipe_graphics_options *options, struct pipe_shader **stage);
   void (*shader_destroy)(struct pipe_screen *screen, struct pipe_shader *stage);
   /* Completes an incomplete shader: adds the prolog and epilog that the options ask for. Compiles only those that
    * neither shader_prepare nor an earlier completion has compiled. PIPE_UNSUPPORTED: as for shader_create.
    * NULL: the driver has no incomplete shaders. */
   enum pipe_result (*shader_complete)(struct pipe_screen *screen, struct pipe_shader *incomplete,
                                       const struct pipe_graphics_options *options, struct pipe_shader **stage);
   /* Compiles the prologs and epilogs that shader_complete needs for any shader of the stage with these options. */
   enum pipe_result (*shader_prepare)(struct pipe_screen *screen, enum nir_stage stage,
                                      const struct pipe_graphics_options *options);
   /* Links complete shaders, whoever created them; never compiles, now or at draw time. shaders: NULL for absent
    * stages; the fragment stage is never absent. The program may outlive the shaders. PIPE_UNSUPPORTED, without a
    * line in the log: compile these stages together. */
   enum pipe_result (*graphics_program_link)(struct pipe_screen *screen,
                                             struct pipe_shader *const shaders[NIR_STAGES],
                                             struct pipe_program **program);
   enum pipe_result (*compute_program_create)(struct pipe_screen *screen, struct nir_shader *compute,
                                              const struct pipe_compute_options *options,
                                              struct pipe_program **program);
   /* The program that the bytes were saved from, without texts; nothing is compiled. PIPE_UNSUPPORTED: they are of no
    * program. The caller knows that they are of this device and this build, and whole. */
   enum pipe_result (*program_load)(struct pipe_screen *screen, const void *bytes, size_t size_B,
                                    struct pipe_program **program);
   /* stage: one that the program has. */
   struct pipe_shader_info (*program_shader_info)(struct pipe_screen *screen, struct pipe_program *program,
                                                  enum nir_stage stage);
   void (*program_destroy)(struct pipe_screen *screen, struct pipe_program *program);

   /* Of caps.generated_commands; else NULL. Compiles what generates them, once. */
   enum pipe_result (*generate_prepare)(struct pipe_screen *screen);
   /* Bytes of memory of a type for descriptors, at a multiple of PIPE_GENERATED_ALIGNMENT_B. program: NULL: any. */
   uint64_t (*generated_size)(const struct pipe_token_layout *layout, struct pipe_program *program,
                              uint32_t max_sequences);
   /* count compute programs, all `first` until others take their places. The GPU does not use an entry when it is
    * updated; the programs outlive the set. */
   enum pipe_result (*execution_set_create)(struct pipe_screen *screen, uint32_t count, struct pipe_program *first,
                                            struct pipe_execution_set **set);
   void (*execution_set_update)(struct pipe_screen *screen, struct pipe_execution_set *set, uint32_t index,
                                struct pipe_program *program);
   void (*execution_set_destroy)(struct pipe_screen *screen, struct pipe_execution_set *set);

   /* Records for the queues of a family. */
   struct pipe_context *(*context_create)(struct pipe_screen *screen, unsigned family);

   /* Query results: `values` gets 1 value (up to PIPE_STATISTICS for statistics). False if not available yet.
    * counters: of statistics, a bit for each value that anybody will ask for; the others may be anything. */
   enum pipe_result (*query_pool_create)(struct pipe_screen *screen, enum pipe_query_type type, uint32_t count,
                                         uint32_t counters, struct pipe_query_pool **pool);
   void (*query_pool_destroy)(struct pipe_screen *screen, struct pipe_query_pool *pool);
   bool (*query_result)(struct pipe_screen *screen, struct pipe_query_pool *pool, uint32_t index, uint64_t *values);
   void (*query_reset)(struct pipe_screen *screen, struct pipe_query_pool *pool, uint32_t first, uint32_t count);

   /* Synchronisation objects: binary (point 0) or timeline. */
   enum pipe_result (*sync_create)(struct pipe_screen *screen, bool signaled, struct pipe_sync **sync);
   void (*sync_destroy)(struct pipe_screen *screen, struct pipe_sync *sync);
   /* timeout_ns: absolute CLOCK_MONOTONIC. */
   enum pipe_result (*sync_wait)(struct pipe_screen *screen, const struct pipe_sync_point *points, uint32_t count,
                                 bool all, int64_t timeout_ns);
   enum pipe_result (*sync_reset)(struct pipe_screen *screen, struct pipe_sync *sync);
   enum pipe_result (*sync_signal)(struct pipe_screen *screen, struct pipe_sync *sync, uint64_t point);
   enum pipe_result (*sync_query)(struct pipe_screen *screen, struct pipe_sync *sync, uint64_t *point);
   enum pipe_result (*sync_export)(struct pipe_screen *screen, struct pipe_sync *sync, bool sync_file, int *fd);
   /* The fd is consumed on success. sync_file: -1 means signaled. */
   enum pipe_result (*sync_import)(struct pipe_screen *screen, struct pipe_sync *sync, bool sync_file, int fd);

   /* PIPE_NOT_PERMITTED: the kernel does not allow this priority to this process. */
   enum pipe_result (*queue_create)(struct pipe_screen *screen, const struct pipe_queue_desc *desc,
                                    struct pipe_queue **queue);
   void (*queue_destroy)(struct pipe_screen *screen, struct pipe_queue *queue);
   /* After the waits, runs ended contexts in order, or binds memory; then signals. Work may be missing.
    * The signal of a binary wait's sync has already been submitted; the wait resets the sync. Memory is bound in the
    * order of the calls; syncs order the work that uses it. */
   enum pipe_result (*queue_submit)(struct pipe_queue *queue, const struct pipe_submit *submit);
   enum pipe_result (*queue_wait_idle)(struct pipe_queue *queue);
   /* Whether the GPU has dropped work of this queue. The syncs of dropped work are signaled, too. */
   bool (*queue_lost)(struct pipe_queue *queue);
   /* The last one; false: the kernel knows of none. NULL: it never tells. */
   bool (*last_fault)(struct pipe_screen *screen, struct pipe_fault *fault);
   /* GPU clock now, in ticks of caps.timestamp_period_ns. */
   uint64_t (*timestamp)(struct pipe_screen *screen);
};

#endif
