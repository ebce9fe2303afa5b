/* Descriptions of objects and state, as the front end hands them to a driver. Formats are VkFormat values. */
#ifndef INDIUM_P_STATE_H
#define INDIUM_P_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gallium/include/pipe/p_graphics_state.h"
#include "gallium/include/pipe/p_sampler.h"

struct nir_shader;
struct pipe_memory;
struct pipe_resource;
struct pipe_image_view;
struct pipe_sampler;
struct pipe_sync;
struct pipe_context;

/* ---- descriptor and pipeline layout ---- */

struct pipe_set_binding {
   enum pipe_descriptor kind;
   uint32_t count, planes; /* array elements, 0: the binding is not there; what the API calls one has so many */
   uint32_t offset_B;      /* of element 0 in the set; unused by dynamic buffers */
   uint32_t stride_B;      /* between elements */
   bool variable_count;    /* sets may have fewer elements, and nothing after them */
   uint32_t dynamic_index; /* of element 0 among the set's dynamic buffers, in binding order */
   struct pipe_sampler *const *immutable_samplers; /* count entries, or NULL */
};

struct pipe_set_layout {
   uint32_t num_bindings; /* bindings[] is indexed by binding number */
   uint32_t size_B;       /* without a variable count */
   uint32_t num_dynamic;
   struct pipe_set_binding bindings[];
};

struct pipe_pipeline_layout {
   uint32_t num_sets;
   const struct pipe_set_layout *sets[PIPE_MAX_SETS]; /* NULL: empty */
   uint32_t dynamic_base[PIPE_MAX_SETS]; /* index of the set's first dynamic buffer in the whole layout */
   uint32_t num_dynamic;
   uint32_t push_constant_B;
};

/* ---- shader programs ---- */

/* The channels that draws write, 4 bits a target. */
static inline uint32_t
pipe_color_masks(const struct pipe_graphics_state *state)
{
   uint32_t masks = state->color_write_mask;

   for (unsigned off = state->color_write_off | state->targets.passed_over; off; off &= off - 1)
      masks &= ~(0xfu << (4 * (unsigned)__builtin_ctz(off)));
   return masks;
}

/* Of a colour target; 0 where there is none. */
static inline unsigned
pipe_color_mask(const struct pipe_graphics_state *state, unsigned target)
{
   return state->targets.color_formats[target] ? pipe_color_masks(state) >> (4 * target) & 0xf : 0;
}

static inline bool
pipe_clips_depth(const struct pipe_graphics_state *state)
{
   return state->depth_clip == PIPE_DEPTH_CLIP_UNLESS_CLAMPED ? !state->depth_clamp
                                                              : state->depth_clip == PIPE_DEPTH_CLIP_ON;
}

static inline bool
pipe_is_blended(const struct pipe_graphics_state *state, unsigned target)
{
   return state->blend_enable >> target & 1;
}

/* Whether a factor of colours is a source's alpha. */
static inline bool
pipe_equation_reads_alpha(const struct pipe_blend_equation *equation)
{
   const uint32_t alphas = 1u << PIPE_FACTOR_SRC_ALPHA | 1u << PIPE_FACTOR_ONE_MINUS_SRC_ALPHA |
                           1u << PIPE_FACTOR_SRC_ALPHA_SATURATE | 1u << PIPE_FACTOR_SRC1_ALPHA |
                           1u << PIPE_FACTOR_ONE_MINUS_SRC1_ALPHA;
   return equation->advanced || (1u << equation->src_rgb | 1u << equation->dst_rgb) & alphas;
}

static inline bool
pipe_blend_reads_alpha(const struct pipe_graphics_state *state, unsigned target)
{
   return pipe_is_blended(state, target) && pipe_equation_reads_alpha(&state->blend[target]);
}

/* Whether fragments are shaded once a sample. */
static inline bool
pipe_shades_samples(const struct pipe_graphics_state *state)
{
   return state->sample_shading * (float)state->samples > 1;
}

/* A program as bytes, for pipe_screen.program_load: of a device and a build of the driver that are the same. */
struct pipe_saved_program {
   void *bytes; /* from malloc(); NULL: it was not saved */
   size_t size_B;
};

struct pipe_graphics_options {
   const struct pipe_pipeline_layout *layout;
   const struct pipe_graphics_state *state; /* those of it that programs depend on (graphics_state.txt) */
   bool reads_depth_target;         /* fragments may read what the depth/stencil target held before they change it */
   bool reads_color_target;         /* the same of a colour target that is written, or another one that is */
   bool shading_rate;               /* draws may have other rates than 1x1 */
   bool shading_rate_attachment;    /* renderings that it is used in may have one */
   bool custom_borders;             /* samplers may have PIPE_BORDER_CUSTOM */
   bool counts_generated;           /* there may be queries of generated primitives */
   bool counts_meshes;              /* there may be queries of tasks and meshes */
   bool legacy_attributes;          /* attributes lie anywhere, not at multiples of their components' sizes */
   bool capture_text;               /* keep the texts of struct pipe_shader_info */
   struct pipe_saved_program *save; /* filled by graphics_program_create; NULL: nobody wants that */
   bool incomplete; /* only of shader_create: attributes and topology, or targets, samples and blending, come later */
};

struct pipe_program; /* linked shaders of one bind point */

struct pipe_shader_stats {
   uint32_t instructions, code_B, sgprs, vgprs, spilled_sgprs, spilled_vgprs, scratch_B, lds_B, waves;
   uint32_t valu, salu, smem, vmem, lds, branches, copies; /* instructions by kind */
   uint32_t loops, preamble; /* preamble: instructions that run once a draw or dispatch */
   uint64_t code_hash;       /* as reports of GPU faults name the shader */
};

struct pipe_compute_options {
   const struct pipe_pipeline_layout *layout; /* NULL: an internal shader that has no descriptors */
   bool dispatch_base;                        /* dispatches may begin at another workgroup than (0, 0, 0) */
   bool custom_borders, capture_text;         /* as of pipe_graphics_options, as is: */
   struct pipe_saved_program *save;
};

/* One shader of a program. Texts live as long as the program; NULL unless it was created with capture_text. */
struct pipe_shader_info {
   struct pipe_shader_stats stats;
   uint32_t wave_size;
   const char *nir;        /* after all neutral passes and the lowering to the driver's arguments */
   const char *machine_ir; /* after selection and after register allocation */
   const char *assembly;
};

/* ---- resources ---- */

struct pipe_image_desc {
   enum pipe_image_type type;
   uint32_t format;
   uint32_t width_px, height_px, depth_px;
   uint32_t levels, layers;
   uint8_t samples;
   uint32_t usage;    /* enum pipe_usage bits */
   bool linear;       /* rows visible to the CPU */
   bool has_modifier; /* it lies as a DRM format modifier says, one of pipe_caps.modifiers: */
   uint64_t modifier;
   bool placed; /* and so in memory; PIPE_UNSUPPORTED if it cannot: */
   uint64_t offset_B, row_pitch_B;
   bool block_views;         /* compressed: views may show its blocks as texels */
   bool plain;               /* not compressed */
   uint32_t max_alignment_B; /* that memory should need at most, one of caps.image_alignments_B; 0: any */
   bool slice_views;         /* 3D: descriptors may show a slice as an image of 2D */
   bool shared;              /* its memory is seen by others who know no more than this description */
   enum pipe_sparse sparse;
   uint64_t sparse_va; /* as of sparse_buffer_create */
   bool float_atomics; /* shaders may use atomics of floats on it */
   bool concurrent;    /* queues of several families may use it at once, in different texels */
   bool other_views;   /* views may have other formats: one of view_formats, or any if there are none */
   uint32_t num_view_formats;
   const uint32_t *view_formats; /* only there while the image is created */
};

/* What binding a resource to memory needs. */
struct pipe_memory_requirements {
   uint64_t size_B, alignment_B;
   uint32_t memory_types; /* bit per caps.memory_types entry */
};

/* Pieces of images with PIPE_SPARSE_RESIDENCY. */
struct pipe_sparse_format {
   uint32_t block_width_px, block_height_px, block_depth_px; /* what has memory or not as a whole */
   bool single_tail;                                         /* one for all layers */
   bool standard; /* the block has the size that Vulkan calls standard for the format */
};

/* The levels from first_level on are no blocks but ranges of bytes: the tail. Offsets and sizes are those of struct
 * pipe_bind, in multiples of the alignment that resource_requirements gives, which is the size of a block. */
struct pipe_sparse_layout {
   struct pipe_sparse_format format;
   uint32_t tail_first_level; /* the number of levels: there is no tail */
   uint64_t tail_offset_B, tail_size_B;
   uint64_t tail_stride_B; /* from layer to layer */
};

struct pipe_subresource_layout {
   uint64_t offset_B, size_B, row_pitch_B, layer_pitch_B, depth_pitch_B;
};

struct pipe_subresource_range {
   uint32_t aspects; /* enum pipe_aspect bits */
   uint32_t base_level, levels, base_layer, layers;
};

struct pipe_image_view_desc {
   struct pipe_resource *image;
   enum pipe_view_type type;
   uint32_t format;
   uint8_t swizzle[4]; /* enum pipe_swizzle for r, g, b, a */
   struct pipe_subresource_range
      range;      /* of 3D images: layers are slices, of which storage views of 3D may show a part */
   float min_lod; /* of the image, where caps.view_min_lod: smaller levels count as this one */
   uint32_t usage;
};

/* ---- rendering ---- */

/* By aspect. */
struct pipe_clear_value {
   union pipe_clear_color color;
   float depth;
   uint8_t stencil;
};

struct pipe_attachment {
   struct pipe_image_view *view;    /* NULL: unused */
   struct pipe_image_view *resolve; /* NULL: none. Written at the end of rendering (average; sample 0 for integers) */
   enum pipe_load_op load;
   uint32_t clear_views; /* with multiview: the views that PIPE_LOAD_CLEAR clears */
   uint32_t uses;        /* enum pipe_use bits that the layout allows while rendering */
   union pipe_clear_color clear;
};

struct pipe_rendering {
   uint32_t x, y, width, height; /* render area; clears and resolves stay inside */
   uint32_t layers;
   uint32_t view_mask; /* 0: no multiview. View n is layer n; others are not written */
   uint32_t num_colors;
   struct pipe_attachment colors[PIPE_MAX_COLOR_TARGETS];
   struct pipe_image_view *depth_stencil; /* NULL: none */
   bool no_depth, no_stencil;             /* not attached, though the image has it: no tests, no changes */
   enum pipe_load_op depth_load, stencil_load;
   uint32_t depth_uses, stencil_uses; /* as of colours */
   uint32_t depth_stencil_clear_views;
   float clear_depth;
   uint8_t clear_stencil;
   struct pipe_image_view *depth_stencil_resolve; /* NULL: none */
   enum pipe_resolve depth_resolve, stencil_resolve;
   /* NULL: none. A texel, as load_shading_rate of nir, for caps.shading_rate_texel_px of the target in each
    * direction; read when rendering begins; the first layer counts for all. */
   struct pipe_image_view *shading_rate;
   bool suspending, resuming; /* no clears when resuming, no resolves when suspending */
};

/* What a secondary command buffer knows of the rendering it will run in. */
struct pipe_inheritance {
   bool in_occlusion_query, in_statistics_query, in_conditional;
   bool in_rendering; /* false: the rest does not count */
   uint32_t num_colors;
   uint32_t color_formats[PIPE_MAX_COLOR_TARGETS];
   uint32_t depth_format, stencil_format;
   uint8_t samples;
};

struct pipe_vertex_buffer {
   struct pipe_resource *buffer; /* NULL: unbound */
   uint64_t offset_B, size_B;    /* size_B: from offset to the end of what may be read */
};

struct pipe_dynamic_buffer {
   struct pipe_resource *buffer; /* NULL: null descriptor */
   uint64_t offset_B, size_B;
   bool storage;
};

/* Of a set, offsets applied, in binding order; the first has this index in the whole layout. */
struct pipe_dynamic_buffers {
   uint32_t first, count;
   const struct pipe_dynamic_buffer *buffers;
};

/* Parameters as VkDraw(Indexed)IndirectCommand. */
struct pipe_indirect_draws {
   bool indexed, meshes; /* meshes: three numbers of workgroups each */
   uint32_t max_draws, stride_B;
   struct pipe_resource *buffer;
   uint64_t offset_B;
   struct pipe_resource *count_buffer; /* a u32 that limits max_draws; NULL: none */
   uint64_t count_offset_B;
};

/* ---- copies ---- */

struct pipe_offset {
   int32_t x, y, z;
};

struct pipe_extent {
   uint32_t width, height, depth;
};

struct pipe_subresource {
   uint32_t aspects;
   uint32_t level, base_layer, layers;
};

struct pipe_buffer_copy {
   uint64_t src_offset_B, dst_offset_B, size_B;
};

/* Copies that memory describes: three u64 for each, stride_B apart: where from, where to, bytes. All are multiples of
 * 4. */
struct pipe_indirect_copies {
   uint64_t va;
   uint32_t stride_B, count;
};

/* Gives memory to a piece of a sparse resource, or takes it. What lies beyond the resource is passed over. */
struct pipe_bind {
   struct pipe_resource *resource;
   struct pipe_memory *memory; /* NULL: none */
   uint64_t memory_offset_B;
   bool is_box;               /* blocks of a level, with PIPE_SPARSE_RESIDENCY; they follow each other in memory */
   uint64_t offset_B, size_B; /* else bytes of the resource */
   struct pipe_subresource subresource; /* one layer */
   struct pipe_offset offset;
   struct pipe_extent extent;
};

/* As vkCmdCopyQueryPoolResults. */
struct pipe_query_copy {
   uint32_t first, count;
   uint32_t values; /* bit per value of query_result that is written; they follow each other */
   struct pipe_resource *dst;
   uint64_t offset_B, stride_B;
   bool wait, result_64, with_availability, partial;
};

/* ---- submits ---- */

struct pipe_sync_point {
   struct pipe_sync *sync;
   uint64_t point;  /* of a timeline; 0: the sync is binary */
   bool is_dropped; /* of a wait of a submit, binary: the submit destroys the sync, even if it fails */
};

/* Not both contexts and binds; binds only where pipe_caps.sparse_binding is true. */
struct pipe_submit {
   uint32_t num_waits, num_signals, num_contexts, num_binds;
   struct pipe_sync_point *waits, *signals;
   struct pipe_context **contexts;
   struct pipe_bind *binds;
};

/* ---- copies of images ---- */

struct pipe_image_copy {
   struct pipe_subresource src, dst;
   struct pipe_offset src_offset, dst_offset;
   struct pipe_extent extent;
};

struct pipe_buffer_image_copy {
   uint64_t offset_B;                       /* in the buffer */
   uint32_t row_length_px, image_height_px; /* 0: tight */
   struct pipe_subresource image;
   struct pipe_offset offset;
   struct pipe_extent extent;
};

/* Between an image and memory that the processor sees. */
struct pipe_host_copy {
   void *memory;
   uint32_t row_length_px, image_height_px; /* 0: tight */
   struct pipe_subresource image;           /* of one aspect */
   struct pipe_offset offset;
   struct pipe_extent extent;
   bool as_it_lies; /* whole levels, byte by byte: pipe_subresource_layout.size_B of each layer */
};

struct pipe_image_blit {
   struct pipe_subresource src, dst;
   struct pipe_offset src_offset[2], dst_offset[2];
};

struct pipe_clear_rect {
   uint32_t x, y, width, height, base_layer, layers;
};

#endif
