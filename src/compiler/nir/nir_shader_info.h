/* Facts of a shader as a whole. Code that does not read instructions includes this instead of nir.h, which changes
 * more often and takes longer to build. */
#ifndef INDIUM_NIR_SHADER_INFO_H
#define INDIUM_NIR_SHADER_INFO_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/nir/nir_stage.h"

struct nir_shader;

/* Locations of shader inputs and outputs. */
enum nir_slot {
   NIR_SLOT_POS,
   NIR_SLOT_PSIZ,
   NIR_SLOT_SHADING_RATE, /* of a primitive, as load_shading_rate has it; read by the rasterizer only */
   NIR_SLOT_CLIP_DIST0,   /* clip distances 0-3, then 4-7, then cull distances after them in one array */
   NIR_SLOT_CLIP_DIST1,
   NIR_SLOT_CULL_DIST0,
   NIR_SLOT_CULL_DIST1,
   NIR_SLOT_LAYER,
   NIR_SLOT_VIEWPORT,
   NIR_SLOT_PRIMITIVE_ID,
   NIR_SLOT_VAR0, /* + location, 0 to 31; also vertex attributes */
   NIR_SLOT_VAR31 = NIR_SLOT_VAR0 + 31,
   NIR_SLOT_FRAG_DEPTH,
   NIR_SLOT_FRAG_STENCIL,
   NIR_SLOT_FRAG_SAMPLE_MASK,
   NIR_SLOT_FRAG_DATA0, /* + colour attachment, 0 to 7 */
   NIR_SLOT_FRAG_DATA7 = NIR_SLOT_FRAG_DATA0 + 7,
   NIR_SLOT_BARY_COORD,        /* of fragments: weights of the primitive's vertices; interpolated, not passed on */
   NIR_SLOT_PRIMITIVE_INDICES, /* of mesh shaders: the vertices of a primitive */
   NIR_SLOT_CULL_PRIMITIVE,    /* the same: whether it is not drawn, 0 or not */
   NIR_SLOT_TESS_LEVEL_OUTER,  /* of patches: four and two factors, an array in one slot */
   NIR_SLOT_TESS_LEVEL_INNER,  /* nir_slot_is_packed: the last ones */
   NIR_SLOT_COUNT,
};

/* The arrays there are packed, four elements to a slot. */
static inline bool
nir_slot_is_packed(unsigned slot)
{
   return (slot >= NIR_SLOT_CLIP_DIST0 && slot <= NIR_SLOT_CULL_DIST1) || slot >= NIR_SLOT_TESS_LEVEL_OUTER;
}

enum nir_interp {
   NIR_INTERP_SMOOTH,
   NIR_INTERP_FLAT,
   NIR_INTERP_NOPERSPECTIVE,
};

enum nir_depth_layout {
   NIR_DEPTH_LAYOUT_ANY,
   NIR_DEPTH_LAYOUT_GREATER,
   NIR_DEPTH_LAYOUT_LESS,
   NIR_DEPTH_LAYOUT_UNCHANGED,
};

/* Which fragment shader invocations pass through ordered sections one after another: those that cover a pixel (or a
 * sample) in common, in the order of their primitives or in any order. */
enum nir_interlock {
   NIR_INTERLOCK_NONE,
   NIR_INTERLOCK_PIXEL_ORDERED,
   NIR_INTERLOCK_PIXEL_UNORDERED,
   NIR_INTERLOCK_SAMPLE_ORDERED,
   NIR_INTERLOCK_SAMPLE_UNORDERED,
};

/* What a shader asks of its floats of one size (16, 32 or 64 bits). */
enum nir_float_control {
   NIR_FLOAT_PRESERVE = 0, /* denormals stay */
   NIR_FLOAT_FLUSH = 3,    /* denormals become zeros */
   NIR_FLOAT_TO_ZERO = 9,  /* results are rounded towards zero */
   NIR_FLOAT_SPECIAL = 6,  /* signs of zeros, infinities and NaNs count: no transform may lose them */
};
#define NIR_FLOAT_CONTROL(control, bits) (1u << (control) << ((bits) / 32))

/* What a geometry shader takes and makes, and a mesh shader makes. */
enum nir_primitive {
   NIR_PRIMITIVE_NONE,
   NIR_PRIMITIVE_POINTS,
   NIR_PRIMITIVE_LINES, /* outputs of geometry shaders: strips */
   NIR_PRIMITIVE_TRIANGLES,
   NIR_PRIMITIVE_LINES_ADJACENCY,     /* inputs only: four vertices */
   NIR_PRIMITIVE_TRIANGLES_ADJACENCY, /* six */
};

/* Of an input array of a geometry shader; 0 for none. */
static inline unsigned
nir_primitive_vertices(enum nir_primitive primitive)
{
   static const uint8_t vertices[] = {0, 1, 2, 3, 4, 6};
   return vertices[primitive];
}

/* How a patch is divided. A program has what either of its two shaders says (nir_link_tessellation). */
enum nir_tess_domain {
   NIR_TESS_DOMAIN_NONE,
   NIR_TESS_TRIANGLES,
   NIR_TESS_QUADS,
   NIR_TESS_ISOLINES,
};

enum nir_tess_spacing {
   NIR_TESS_SPACING_NONE,
   NIR_TESS_EQUAL,
   NIR_TESS_FRACTIONAL_EVEN,
   NIR_TESS_FRACTIONAL_ODD,
};

/* Of triangles in the domain, its origin in the lower left. */
enum nir_tess_winding {
   NIR_TESS_WINDING_NONE,
   NIR_TESS_CLOCKWISE,
   NIR_TESS_COUNTERCLOCKWISE,
};

#define NIR_MAX_GS_VERTICES 256
#define NIR_MAX_PATCH_VERTICES 32
#define NIR_MAX_GS_INVOCATIONS 127
#define NIR_MAX_MESH_VERTICES 256 /* and primitives */

/* What accesses outside of a buffer do. */
enum nir_robust {
   NIR_ROBUST_NONE,   /* anything, or the hardware sees to it */
   NIR_ROBUST_INSIDE, /* they stay in the buffer, or are dropped */
   NIR_ROBUST_ZERO,   /* each load gives zero and each store is dropped, ... */
   NIR_ROBUST_DWORDS, /* ... and the hardware sees to it, for each dword */
};

/* Which four invocations of a workgroup are a quad. */
enum nir_derivative_group {
   NIR_DERIVATIVES_NONE,   /* compute shaders have no derivatives */
   NIR_DERIVATIVES_LINEAR, /* four in a row by their index */
   NIR_DERIVATIVES_QUADS,  /* two by two, by x and y of their ids */
};

/* What transform feedback captures of a vertex: up to 4 components of 32 bits of a slot. */
struct nir_xfb_output {
   uint8_t buffer, slot, component, count; /* slot: enum nir_slot */
   uint16_t offset_B;                      /* in the vertex */
};

#define NIR_XFB_BUFFERS 4
#define NIR_XFB_STREAMS 4
#define NIR_XFB_MAX_STRIDE_B 512
#define NIR_XFB_MAX_OUTPUTS 128

struct nir_xfb {
   bool captures;                      /* the shader says so; the rest may be empty */
   uint8_t buffers;                    /* bit per buffer that has a vertex's data */
   uint8_t streams[NIR_XFB_BUFFERS];   /* whose vertices each buffer has */
   uint16_t stride_B[NIR_XFB_BUFFERS]; /* of vertices; multiples of 4 */
   uint8_t num_outputs;
   struct nir_xfb_output outputs[NIR_XFB_MAX_OUTPUTS];
};

/* Whether a buffer has vertices of the stream. */
static inline bool
nir_xfb_captures(const struct nir_xfb *xfb, unsigned stream)
{
   bool any = false;

   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++)
      any |= xfb->buffers >> i & 1 && xfb->streams[i] == stream;
   return any;
}

struct nir_shader_info {
   uint32_t workgroup_size[3];
   uint32_t shared_B;                      /* workgroup memory, by nir_lower_shared() */
   uint32_t scratch_B;                     /* per-invocation memory, by nir_lower_vars_to_scratch() */
   uint32_t constant_B;                    /* what load_constant reads, by nir_lower_constant_tables() */
   uint8_t subgroup_size;                  /* prescribed; 0: the driver's, which it tells applications */
   bool subgroup_varies;                   /* the driver may give it another one */
   uint8_t robust_uniform, robust_storage; /* enum nir_robust, of uniform and of storage buffers */
   bool buffer_holes; /* buffers, but those of the driver, may lack memory in places; loads give 0 there */
   bool early_fragment_tests;
   bool early_and_late_tests; /* in front of the shader, too, if depth_layout allows it: what fails does not run */
   bool post_depth_coverage;  /* with early tests: the sample mask that is read has the samples that pass */
   uint32_t color_targets;    /* 4 bits a location of colours: the target, 15: none; all 0: each its own */
   uint16_t float_controls;   /* NIR_FLOAT_CONTROL() */
   bool full_quads;           /* fragments of a quad run together, helpers if need be */
   uint8_t derivative_group;  /* enum nir_derivative_group, of compute shaders */
   enum nir_depth_layout depth_layout;
   struct nir_xfb xfb;          /* of stages before the rasterizer */
   uint8_t gs_input, gs_output; /* enum nir_primitive */
   uint16_t gs_vertices;        /* that an invocation emits at most, of all streams */
   uint8_t gs_invocations;      /* of each primitive, at least 1 */
   uint8_t gs_streams;          /* bit per stream that vertices are emitted to */
   uint8_t tess_vertices;       /* of the patches that a control shader makes; an invocation each */
   uint8_t tess_domain, tess_spacing, tess_winding; /* enum nir_tess_*; NONE: the other shader says it */
   bool tess_points;                                /* one for each vertex, no lines and triangles */
   uint8_t mesh_output;                             /* enum nir_primitive that a mesh shader makes: lists */
   uint16_t mesh_vertices, mesh_primitives;         /* that a workgroup makes at most */
   uint32_t payload_B, payload_at_B; /* of tasks; those of a task shader lie there in workgroup memory */
   enum nir_interlock interlock;     /* as declared; uses_interlock: some invocation may enter an ordered section */
   /* By nir_gather_info(): */
   uint64_t inputs_read, outputs_written;                                 /* bit per enum nir_slot, locations only */
   uint64_t outputs_read;                                                 /* of control and mesh shaders */
   uint64_t primitive_outputs;                                            /* of those written, a primitive's */
   uint64_t patch_inputs_read, patch_outputs_written, patch_outputs_read; /* those of a whole patch */
   uint8_t clip_distances, cull_distances;
   bool writes_memory, writes_stencil, writes_sample_mask, uses_sample_shading, uses_interlock;
};

#endif
