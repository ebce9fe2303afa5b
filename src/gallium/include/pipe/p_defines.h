/* Enumerations of the contract between the front end and the drivers. Vendor-neutral; the meaning is Vulkan's. */
#ifndef INDIUM_P_DEFINES_H
#define INDIUM_P_DEFINES_H

#include "compiler/nir/nir_stage.h"
#include "gallium/include/pipe/p_blend.h"

enum pipe_result {
   PIPE_OK,
   PIPE_TIMEOUT,
   PIPE_OUT_OF_HOST_MEMORY,
   PIPE_OUT_OF_DEVICE_MEMORY,
   PIPE_DEVICE_LOST,
   PIPE_INVALID_SHADER, /* the shader compiler refused it and logged why */
   PIPE_UNSUPPORTED,
   PIPE_COMPILE_REQUIRED, /* nothing was compiled, as the caller wanted */
   PIPE_NOT_PERMITTED,
   PIPE_INVALID_HANDLE, /* import of a foreign file descriptor */
   PIPE_ADDRESS_TAKEN,  /* nothing can have the address that was asked for */
};

/* What a queue can run. */
enum pipe_ability {
   PIPE_CAN_GRAPHICS = 1 << 0,
   PIPE_CAN_COMPUTE = 1 << 1,
   PIPE_CAN_TRANSFER = 1 << 2,
   PIPE_CAN_BIND = 1 << 3, /* memory to sparse resources: pipe_screen.queue_submit */
};

enum pipe_bind_point {
   PIPE_BIND_GRAPHICS,
   PIPE_BIND_COMPUTE,
   PIPE_BIND_POINTS,
};

enum pipe_descriptor {
   PIPE_DESCRIPTOR_SAMPLER,
   PIPE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER, /* the image's words, then the sampler's */
   PIPE_DESCRIPTOR_SAMPLED_IMAGE,
   PIPE_DESCRIPTOR_STORAGE_IMAGE,
   PIPE_DESCRIPTOR_UNIFORM_TEXEL_BUFFER,
   PIPE_DESCRIPTOR_STORAGE_TEXEL_BUFFER,
   PIPE_DESCRIPTOR_UNIFORM_BUFFER,
   PIPE_DESCRIPTOR_STORAGE_BUFFER,
   PIPE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC, /* no words in the set: see pipe_context.bind_descriptor_set */
   PIPE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC,
   PIPE_DESCRIPTOR_INPUT_ATTACHMENT,
   PIPE_DESCRIPTOR_INLINE_UNIFORM_BLOCK, /* bytes in the set, as many as the binding's count */
   PIPE_DESCRIPTOR_MUTABLE,              /* of several kinds: each element is of the last one that was written */
   PIPE_DESCRIPTOR_KINDS,
};

enum pipe_image_type {
   PIPE_IMAGE_1D,
   PIPE_IMAGE_2D,
   PIPE_IMAGE_3D,
};

enum pipe_view_type {
   PIPE_VIEW_1D,
   PIPE_VIEW_2D,
   PIPE_VIEW_3D,
   PIPE_VIEW_CUBE,
   PIPE_VIEW_1D_ARRAY,
   PIPE_VIEW_2D_ARRAY,
   PIPE_VIEW_CUBE_ARRAY,
};

/* Whose memory is bound by a queue, piece by piece. */
enum pipe_sparse {
   PIPE_SPARSE_NONE,
   PIPE_SPARSE_BINDING,   /* everything has memory before it is used */
   PIPE_SPARSE_RESIDENCY, /* pieces may be without */
};

enum pipe_aspect {
   PIPE_ASPECT_COLOR = 1 << 0,
   PIPE_ASPECT_DEPTH = 1 << 1,
   PIPE_ASPECT_STENCIL = 1 << 2,
};

/* What a resource is used for. */
enum pipe_usage {
   PIPE_USAGE_TRANSFER_SRC = 1 << 0,
   PIPE_USAGE_TRANSFER_DST = 1 << 1,
   PIPE_USAGE_SAMPLED = 1 << 2,
   PIPE_USAGE_STORAGE = 1 << 3,
   PIPE_USAGE_COLOR = 1 << 4,
   PIPE_USAGE_DEPTH_STENCIL = 1 << 5,
   PIPE_USAGE_INPUT_ATTACHMENT = 1 << 6,
   PIPE_USAGE_SHADING_RATE = 1 << 7,
   PIPE_USAGE_HOST_TRANSFER = 1 << 8, /* pipe_screen.image_host_copy */
};

/* What a format can be used for. */
enum pipe_format_feature {
   PIPE_FORMAT_SAMPLED = 1 << 0,
   PIPE_FORMAT_FILTER_LINEAR = 1 << 1,
   PIPE_FORMAT_STORAGE = 1 << 2,
   PIPE_FORMAT_STORAGE_ATOMIC = 1 << 3,
   PIPE_FORMAT_COLOR = 1 << 4,
   PIPE_FORMAT_BLEND = 1 << 5,
   PIPE_FORMAT_DEPTH_STENCIL = 1 << 6,
   PIPE_FORMAT_BLIT_SRC = 1 << 7,
   PIPE_FORMAT_BLIT_DST = 1 << 8,
   PIPE_FORMAT_TRANSFER = 1 << 9,
   PIPE_FORMAT_VERTEX = 1 << 10, /* buffers: */
   PIPE_FORMAT_UNIFORM_TEXEL_BUFFER = 1 << 11,
   PIPE_FORMAT_STORAGE_TEXEL_BUFFER = 1 << 12,
   PIPE_FORMAT_STORAGE_TEXEL_BUFFER_ATOMIC = 1 << 13,
   PIPE_FORMAT_SHADING_RATE = 1 << 14, /* images: */
   PIPE_FORMAT_FILTER_MINMAX = 1 << 15,
};

enum pipe_topology {
   PIPE_POINT_LIST,
   PIPE_LINE_LIST,
   PIPE_LINE_STRIP,
   PIPE_TRIANGLE_LIST,
   PIPE_TRIANGLE_STRIP,
   PIPE_TRIANGLE_FAN,
   /* With neighbouring vertices, for geometry shaders. */
   PIPE_LINE_LIST_ADJACENCY,
   PIPE_LINE_STRIP_ADJACENCY,
   PIPE_TRIANGLE_LIST_ADJACENCY,
   PIPE_TRIANGLE_STRIP_ADJACENCY,
   PIPE_PATCH_LIST, /* for tessellation */
};

/* What is drawn where nothing takes the neighbours; patches are never drawn themselves. */
static inline enum pipe_topology
pipe_topology_without_neighbours(enum pipe_topology topology)
{
   static const uint8_t of[] = {PIPE_LINE_LIST, PIPE_LINE_STRIP, PIPE_TRIANGLE_LIST, PIPE_TRIANGLE_STRIP,
                                PIPE_TRIANGLE_LIST};

   return topology < PIPE_LINE_LIST_ADJACENCY ? topology
                                              : (enum pipe_topology)of[topology - PIPE_LINE_LIST_ADJACENCY];
}

enum pipe_depth_clip {
   PIPE_DEPTH_CLIP_UNLESS_CLAMPED,
   PIPE_DEPTH_CLIP_ON,
   PIPE_DEPTH_CLIP_OFF,
};

/* The order is VkLineRasterizationMode's. */
enum pipe_line_mode {
   PIPE_LINE_DEFAULT, /* as the device likes */
   PIPE_LINE_RECTANGULAR,
   PIPE_LINE_BRESENHAM,
};

/* What a constant depth bias counts. */
enum pipe_bias_unit {
   PIPE_BIAS_UNIT_FORMAT, /* the least difference that the format has where the primitive is */
   PIPE_BIAS_UNIT_UNORM,  /* that of a normalized format as precise as the format */
   PIPE_BIAS_UNIT_ONE,
};

enum pipe_polygon_mode {
   PIPE_POLYGON_FILL,
   PIPE_POLYGON_LINE,
   PIPE_POLYGON_POINT,
};

enum pipe_cull {
   PIPE_CULL_FRONT = 1 << 0,
   PIPE_CULL_BACK = 1 << 1,
};

enum pipe_compare {
   PIPE_COMPARE_NEVER,
   PIPE_COMPARE_LESS,
   PIPE_COMPARE_EQUAL,
   PIPE_COMPARE_LESS_OR_EQUAL,
   PIPE_COMPARE_GREATER,
   PIPE_COMPARE_NOT_EQUAL,
   PIPE_COMPARE_GREATER_OR_EQUAL,
   PIPE_COMPARE_ALWAYS,
};

enum pipe_stencil_op {
   PIPE_STENCIL_KEEP,
   PIPE_STENCIL_ZERO,
   PIPE_STENCIL_REPLACE,
   PIPE_STENCIL_INCREMENT_CLAMP,
   PIPE_STENCIL_DECREMENT_CLAMP,
   PIPE_STENCIL_INVERT,
   PIPE_STENCIL_INCREMENT_WRAP,
   PIPE_STENCIL_DECREMENT_WRAP,
};

/* The order is VkLogicOp's. */
enum pipe_logic_op {
   PIPE_LOGIC_CLEAR,
   PIPE_LOGIC_AND,
   PIPE_LOGIC_AND_REVERSE,
   PIPE_LOGIC_COPY,
   PIPE_LOGIC_AND_INVERTED,
   PIPE_LOGIC_NO_OP,
   PIPE_LOGIC_XOR,
   PIPE_LOGIC_OR,
   PIPE_LOGIC_NOR,
   PIPE_LOGIC_EQUIVALENT,
   PIPE_LOGIC_INVERT,
   PIPE_LOGIC_OR_REVERSE,
   PIPE_LOGIC_COPY_INVERTED,
   PIPE_LOGIC_OR_INVERTED,
   PIPE_LOGIC_NAND,
   PIPE_LOGIC_SET,
};

enum pipe_filter {
   PIPE_FILTER_NEAREST,
   PIPE_FILTER_LINEAR,
};

enum pipe_wrap {
   PIPE_WRAP_REPEAT,
   PIPE_WRAP_MIRRORED_REPEAT,
   PIPE_WRAP_CLAMP_TO_EDGE,
   PIPE_WRAP_CLAMP_TO_BORDER,
   PIPE_WRAP_MIRROR_CLAMP_TO_EDGE,
};

/* The order is VkBorderColor's, up to the custom colour. */
enum pipe_border_color {
   PIPE_BORDER_FLOAT_TRANSPARENT_BLACK,
   PIPE_BORDER_INT_TRANSPARENT_BLACK,
   PIPE_BORDER_FLOAT_OPAQUE_BLACK,
   PIPE_BORDER_INT_OPAQUE_BLACK,
   PIPE_BORDER_FLOAT_OPAQUE_WHITE,
   PIPE_BORDER_INT_OPAQUE_WHITE,
   PIPE_BORDER_CUSTOM, /* pipe_sampler_desc.custom_border */
};

/* What a filter makes of its texels. The order is VkSamplerReductionMode's. */
enum pipe_reduction {
   PIPE_REDUCE_AVERAGE,
   PIPE_REDUCE_MIN,
   PIPE_REDUCE_MAX,
};

enum pipe_swizzle {
   PIPE_SWIZZLE_R,
   PIPE_SWIZZLE_G,
   PIPE_SWIZZLE_B,
   PIPE_SWIZZLE_A,
   PIPE_SWIZZLE_0,
   PIPE_SWIZZLE_1,
};

/* How two shading rates become one, in each direction. The order is VkFragmentShadingRateCombinerOpKHR's. */
enum pipe_rate_op {
   PIPE_RATE_KEEP,
   PIPE_RATE_REPLACE,
   PIPE_RATE_MIN,
   PIPE_RATE_MAX,
   PIPE_RATE_MUL,
};

enum pipe_load_op {
   PIPE_LOAD,
   PIPE_LOAD_CLEAR,
   PIPE_LOAD_DONT_CARE,
};

/* Which pixels a triangle covers; what is covered has all samples. */
enum pipe_conservative {
   PIPE_CONSERVATIVE_OFF,
   PIPE_CONSERVATIVE_TOUCHED, /* those that it touches */
   PIPE_CONSERVATIVE_INSIDE,  /* those that lie wholly inside */
};

/* How samples become one: of colours the average or sample 0. */
enum pipe_resolve {
   PIPE_RESOLVE_NONE,
   PIPE_RESOLVE_SAMPLE_ZERO,
   PIPE_RESOLVE_AVERAGE, /* not of stencil */
   PIPE_RESOLVE_MIN,
   PIPE_RESOLVE_MAX,
};

#define PIPE_STATISTICS 13 /* the last two, of task and mesh shaders, with caps.counts_meshes */
#define PIPE_MESH_STATISTICS (3u << (PIPE_STATISTICS - 2))
enum pipe_query_type {
   PIPE_QUERY_OCCLUSION, /* samples that passed */
   PIPE_QUERY_TIMESTAMP, /* ticks of caps.timestamp_period_ns */
   PIPE_QUERY_XFB,       /* of a stream: primitives that were captured, and that it would take to capture all */
   PIPE_QUERY_GENERATED, /* primitives of a stream */
   PIPE_QUERY_MESH,      /* primitives of mesh shaders; needs caps.counts_meshes */
   PIPE_QUERY_PIPELINE_STATISTICS, /* counters in the order of VkQueryPipelineStatisticFlagBits */
};

/* Stages of a barrier: who must have finished, or who waits. Those of shaders are 1 << enum nir_stage; the vertex
 * stage fetches indices and vertices too, the fragment stage has the depth and stencil tests. */
enum pipe_stage {
   PIPE_STAGE_VERTEX = 1 << NIR_STAGE_VERTEX,
   PIPE_STAGE_FRAGMENT = 1 << NIR_STAGE_FRAGMENT,
   PIPE_STAGE_COMPUTE = 1 << NIR_STAGE_COMPUTE,
   PIPE_STAGE_PRE_RASTER = NIR_STAGES_PRE_RASTER,
   PIPE_STAGE_INDIRECT = 1 << NIR_STAGES, /* the command processor reads draw parameters */
   PIPE_STAGE_COLOR = 2 << NIR_STAGES,    /* colour output */
   PIPE_STAGE_TRANSFER = 4 << NIR_STAGES, /* copies, clears, blits, resolves */
   PIPE_STAGE_HOST = 8 << NIR_STAGES,
   PIPE_STAGE_ALL = (16 << NIR_STAGES) - 1,
};

/* Kinds of memory access of a barrier. */
enum pipe_access {
   PIPE_ACCESS_INDIRECT_READ = 1 << 0,
   PIPE_ACCESS_INDEX_READ = 1 << 1,
   PIPE_ACCESS_VERTEX_READ = 1 << 2,
   PIPE_ACCESS_UNIFORM_READ = 1 << 3,
   PIPE_ACCESS_SHADER_READ = 1 << 4, /* sampled and storage */
   PIPE_ACCESS_SHADER_WRITE = 1 << 5,
   PIPE_ACCESS_COLOR_READ = 1 << 6,
   PIPE_ACCESS_COLOR_WRITE = 1 << 7,
   PIPE_ACCESS_DEPTH_READ = 1 << 8,
   PIPE_ACCESS_DEPTH_WRITE = 1 << 9,
   PIPE_ACCESS_TRANSFER_READ = 1 << 10,
   PIPE_ACCESS_TRANSFER_WRITE = 1 << 11,
   PIPE_ACCESS_HOST_READ = 1 << 12,
   PIPE_ACCESS_HOST_WRITE = 1 << 13,
   PIPE_ACCESS_ALL = (1 << 14) - 1,
};

/* What the layout of an image allows on one side of a barrier. */
enum pipe_use {
   PIPE_USE_COLOR = 1 << 0, /* attachments: */
   PIPE_USE_DEPTH_STENCIL_READ = 1 << 1,
   PIPE_USE_DEPTH_STENCIL_WRITE = 1 << 2,
   PIPE_USE_SHADING_RATE = 1 << 3,
   PIPE_USE_INPUT = 1 << 4,   /* input attachment */
   PIPE_USE_SAMPLED = 1 << 5, /* descriptors: */
   PIPE_USE_STORAGE = 1 << 6,
   PIPE_USE_TRANSFER_SRC = 1 << 7,
   PIPE_USE_TRANSFER_DST = 1 << 8,
   PIPE_USE_HOST = 1 << 9,
   PIPE_USE_FEEDBACK_LOOP = 1 << 10, /* draws sample what they render to */
   PIPE_USE_LOCAL_READ = 1 << 11,    /* draws read attachments of the rendering as input attachments */
   PIPE_USE_GENERAL = (1 << 12) - 1, /* all of these */
   PIPE_USE_PRESENT = 1 << 12,
};

/* Owners of an image that are no queue family of the device: another instance of the driver, any other user. The
 * numbers are Vulkan's. */
/* Of queues, among those of all processes. */
enum pipe_priority {
   PIPE_PRIORITY_LOW,
   PIPE_PRIORITY_MEDIUM,
   PIPE_PRIORITY_HIGH,
   PIPE_PRIORITY_REALTIME,
};

#define PIPE_FAMILY_EXTERNAL (UINT32_MAX - 1)
#define PIPE_FAMILY_FOREIGN (UINT32_MAX - 2)

#define PIPE_MAX_COLOR_TARGETS 8
#define PIPE_MAX_VERTEX_BUFFERS 32
#define PIPE_MAX_VERTEX_ATTRIBUTES 32
#define PIPE_MAX_VIEWPORTS 16
#define PIPE_MAX_SAMPLES 8
#define PIPE_MAX_DISCARD_RECTANGLES 4
#define PIPE_MAX_SETS 32 /* of all drivers; of a device: pipe_caps.max_sets */
#define PIPE_MAX_PUSH_CONSTANT_B 272 /* 256 of the application, then 16 that the front end may use */
#define PIPE_MAX_DYNAMIC_BUFFERS 64
#define PIPE_MAX_PUSH_DESCRIPTORS 32

#endif
