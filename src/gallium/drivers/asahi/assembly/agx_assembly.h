/* What the CPU, the internal programs (GLSL) and the shaders that run as compute before a draw tell each other. C and
 * GLSL both read this file: addresses are u64 there and uvec2 here, whose lower half comes first. */
#ifndef INDIUM_AGX_ASSEMBLY_H
#define INDIUM_AGX_ASSEMBLY_H

#ifdef VULKAN
#define uint32_t uint
#define uint64_t uvec2
#else
#include <stdint.h>
#endif

#define AGX_XFB_BUFFERS 4
#define AGX_ASSEMBLY_GROUP 64 /* invocations in a workgroup of a shader */
#define AGX_NO_INDICES 3      /* as log2 of their size */

/* Tessellation: bytes of a patch's factors, four outer and two inner ones; of these and where its points and the
 * corners of its primitives begin; of a point: u, v, the patch. */
#define AGX_FACTORS_B 32
#define AGX_PATCH_B (AGX_FACTORS_B + 8)
#define AGX_POINT_B 12

/* How the corners of a primitive are found: positions in a draw's list of vertices. Corner k of primitive p is at
 * p * step + k; of odd primitives of strips the last two change places; of fans the last one is at 0 and the others
 * follow it; strips with adjacency are a table in the specification. With a list of positions, it has `corners` for
 * each primitive. */
struct agx_assembly {
   uint64_t index_va;                /* of position 0 */
   uint64_t list_va;                 /* positions, u32; 0: there is no list */
   uint64_t xfb_va[AGX_XFB_BUFFERS]; /* where the first captured vertex goes */
   uint32_t index_count;             /* that lie in the buffer; others are 0 */
   uint32_t index_size_log2;         /* or AGX_NO_INDICES */
   uint32_t last_index;              /* the greatest one of a vertex; greater ones are restarts */
   uint32_t first_vertex;            /* is added to indices, and to positions without indices */
   uint32_t vertices;                /* positions of an instance */
   uint32_t instances;
   uint32_t corners, step, is_strip, is_fan, is_strip_adjacency; /* of primitives */
   uint32_t primitives;                                          /* of an instance */
   uint32_t captured;          /* vertices of all instances, that buffers have room for */
   uint32_t capture_groups[3]; /* of the dispatch that captures them */

   /* Geometry shaders. Each invocation has room for all vertices and primitives that it may make. */
   uint64_t vertices_va; /* outputs of the vertex shader, by instance and position */
   uint64_t emitted_va;  /* outputs of the geometry shader, by invocation */
   uint64_t made_va;     /* by stream and invocation, the vertices of its primitives: numbers in emitted_va, u32 */
   uint64_t counts_va;   /* by stream and invocation, primitives, u32 */
   uint64_t corners_va;  /* those of made_va without gaps in a stream: indices of the draw */
   uint32_t shaded_vertices, invocations;
   uint32_t vertex_groups[3], geometry_groups[3];
   uint32_t draw[5];     /* VkDrawIndexedIndirectCommand; its index buffer is the heap */
   uint32_t in_place[5]; /* one with the application's index buffer (agx_pad_indices()) */

   /* Tessellation, ahead of that: primitives are patches at first. */
   uint64_t patches_va; /* what the evaluation shader reads of each (nir_tess_memory_B()) */
   uint64_t factors_va; /* of each: AGX_FACTORS_B */
   uint64_t firsts_va;  /* of each: its first point, the first corner of its primitives */
   uint64_t points_va;  /* AGX_POINT_B each */
   uint32_t patches;    /* of an instance */
   uint32_t points;     /* of all instances, as those of patches_va */
   uint32_t patch_groups[3], point_groups[3];
};

/* A captured output of geometry shaders: `count` words, from a word of the vertex on. */
struct agx_captured_output {
   uint32_t word, count, target, offset_B;
};

/* Memory for what programs make, from the start of a render on. */
struct agx_heap {
   uint64_t va; /* follows this struct */
   uint32_t size_B;
   uint32_t used_B;   /* zero when a render starts */
   uint32_t wanted_B; /* the most that a draw needed and did not get; the CPU reports it */
};

/* Transform feedback between begin and end. */
struct agx_xfb_target {
   uint64_t va;
   uint32_t size_B;
   uint32_t used_B;
};

/* Arguments of the programs: their push constants. Addresses of what is not there are 0. */
struct agx_draw_arguments {
   uint64_t parameters_va; /* VkDrawIndirectCommand, or VkDrawIndexedIndirectCommand with indices */
   uint64_t index_va;      /* of the buffer */
   uint64_t assembly_va;
   uint64_t heap_va;
   uint64_t xfb_va;                              /* struct agx_xfb_target[AGX_XFB_BUFFERS] */
   uint64_t written_va, needed_va, generated_va; /* u64: primitives that queries count */
   uint32_t index_count;                         /* of the buffer */
   uint32_t index_size_log2;                     /* or AGX_NO_INDICES */
   uint32_t topology;                            /* enum pipe_topology */
   uint32_t restart;
   uint32_t unroll;                    /* makes a list */
   uint32_t no_neighbours;             /* the list has the corners of topologies with adjacency that are drawn */
   uint32_t provoking_last;            /* the last one of these provokes */
   uint32_t xfb_buffers;               /* bit per buffer that the program captures to and that is bound */
   uint32_t stride_B[AGX_XFB_BUFFERS]; /* of a vertex */

   /* Shaders ahead of a draw: */
   uint64_t outputs_va;    /* struct agx_captured_output[] */
   uint64_t statistics_va; /* u64[], in the order of enum agx_statistic */
   uint32_t outputs;
   uint32_t vertex_B, emitted_B;          /* of the outputs of a vertex */
   uint32_t shader_invocations;           /* of a primitive */
   uint32_t max_vertices, max_primitives; /* of an invocation */
   uint32_t made_corners;                 /* of a primitive that is made */
   uint32_t streams, stream;              /* that are made; that the program is for */

   /* Tessellation: */
   uint32_t patch_vertices;           /* 0: there is none */
   uint32_t patch_B, point_B;         /* of a patch in memory; of the outputs of a point, if these are stored */
   uint32_t domain, spacing;          /* enum nir_tess_domain, nir_tess_spacing */
   uint32_t tess_corners, tess_turns; /* of primitives; triangles are counterclockwise */
};

/* Of the program that makes parameters of a draw: as many vertices as fit into what a counter says. */
struct agx_byte_count_arguments {
   uint64_t parameters_va;
   uint64_t counter_va; /* u32 */
   uint32_t offset_B, stride_B;
   uint32_t instances, first_instance;
};

#ifdef VULKAN
#undef uint32_t
#undef uint64_t
#endif

#endif
