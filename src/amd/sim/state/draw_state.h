/* The registers of a draw, decoded and checked: what the model does not have is a fault here, before any work. */
#ifndef INDIUM_AMD_SIM_DRAW_STATE_H
#define INDIUM_AMD_SIM_DRAW_STATE_H

#include "amd/sim/state/color_meta.h"
#include "amd/sim/state/htile.h"
#include "amd/sim/state/shading_rate.h"
#include "amd/sim/base/gpu.h"
#include "amd/sim/base/stage.h"
#include "amd/sim/surface/surface.h"
#include "sim/raster/raster.h"
#include "sim/texel/texel.h"

enum {
   AMD_MAX_TARGETS = 8,
   AMD_MAX_SAMPLES = 8,
   AMD_MAX_PARAMS = 32,
   AMD_MAX_VIEWPORTS = 16,
   AMD_PRIM_IN_VERTICES = 32, /* of an assembled primitive: a patch's most control points */
   AMD_CLIP_PLANES = 6,
};

struct amd_shader_state {
   struct sim_va program;
   uint8_t wave_size, float_mode;
   bool dx10_clamp, ieee, scratch_en;
   uint16_t vgpr_count, shared_vgprs;
   uint8_t user_sgprs;
   uint32_t user_data[32];
   uint32_t user_addr[2]; /* merged stages: the first two SGPRs */
   uint32_t lds_size_B;
};

struct amd_rect {
   int32_t x0, y0, x1, y1; /* px, x1 and y1 exclusive */
};

struct amd_viewport {
   float scale[3], offset[3];
   float zmin, zmax;
   struct amd_rect scissor; /* all scissors together */
};

/* Which stages lie between ge and pa. */
enum amd_vertex_path {
   AMD_VERTEX_PATH_VS,
   AMD_VERTEX_PATH_GS,
   AMD_VERTEX_PATH_NGG, /* ES and GS in one wave, whose exports make the primitives */
   AMD_VERTEX_PATHS,
};

struct amd_geometry_state {
   enum amd_vertex_path path;
   uint8_t prim_type; /* V_DI_PT_* */
   uint8_t index_size_B;
   bool restart, primitive_id;
   uint32_t restart_index, index_offset, min_index, max_index;
   bool adjacency; /* a geometry shader gets the vertices of neighbours */
   struct amd_vs_args {
      uint8_t vgpr_comp_cnt;
      bool offchip, strmout;
      uint8_t strmout_base; /* of buffers, a mask */
   } vs_args;
   /* Vertex outputs. */
   uint8_t param_count;
   bool misc_vec, ccdist0, ccdist1, use_point_size, use_edge_flag, use_layer, use_viewport;
   uint8_t clip_mask, cull_mask;
};

enum amd_prim_kind {
   AMD_PRIM_TRIANGLE,
   AMD_PRIM_RECT,
   AMD_PRIM_LINE,
   AMD_PRIM_POINT,
};

/* Memory that holds the parameters of vertices, a part of it for each shader engine; 0: there is none. */
struct amd_attribute_ring {
   struct sim_va base;
   uint32_t part_B, parts;
};

/* Workgroups of mesh shaders that start as those of compute do; threads 0: they do not. */
struct amd_mesh_state {
   uint16_t threads, size[3]; /* of a workgroup; size may be less than its threads */
   uint16_t max_vertices, max_prims;
};

/* Primitives from ES-GS waves. A subgroup is a workgroup that takes in vertices and primitives, and gives out as many
 * as it says by GS_ALLOC_REQ. */
struct amd_ngg_state {
   bool fast_launch; /* mesh shaders: a workgroup for each primitive, with its vertex in every lane */
   bool wave_ids;    /* subgroups have numbers, for rings of memory */
   bool payload;     /* exported primitives have a second word: layer, viewport */
   uint8_t prim_params;
   bool gs, passthrough, no_message; /* no_message: a subgroup gives what it took in, without GS_ALLOC_REQ */
   bool break_at_instance;           /* instances share no subgroup */
   bool instance_per_group;          /* one instance of the geometry shader for one primitive is a subgroup */
   bool keeps_provoking;             /* a subgroup's primitives share no provoking vertex */
   bool edge_flags;                  /* of exported primitives count */
   uint16_t max_vertices, max_prims; /* that a subgroup takes in */
   uint16_t max_out_vertices;
   uint16_t amplification;     /* most primitives that an instance of a primitive gives out */
   uint16_t max_vert_out;      /* of an instance of the geometry shader */
   uint16_t item_dw;           /* of ES vertices in LDS: unit of the vertices' offsets that GS gets */
   uint8_t instances;          /* of the geometry shader for each primitive */
   uint8_t gs_vgprs, es_vgprs; /* COMP_CNT fields */
   enum amd_prim_kind out_kind;
   struct amd_attribute_ring ring;
   struct amd_mesh_state mesh;
};

/* A geometry shader that writes the GSVS ring. A thread has ring_item_dw there, stream after stream; a wave as much
 * as its threads. */
struct amd_gs_state {
   uint64_t ring_B;
   uint32_t ring_item_dw;
   uint32_t max_vertices; /* of a thread */
   uint32_t vertex_dw[AMD_STREAMS], stream_offset_dw[AMD_STREAMS];
   uint8_t kind[AMD_STREAMS]; /* enum amd_prim_kind */
};

struct amd_strmout_state {
   uint8_t streams; /* that are written, a mask */
   bool count_needed;
   uint8_t raster_stream;        /* above the last: none */
   uint8_t buffers[AMD_STREAMS]; /* masks */
   uint32_t size_dw[AMD_STRMOUT_BUFFERS], stride_dw[AMD_STRMOUT_BUFFERS];
};

/* Of the fixed-function tessellator. */
struct amd_tess_config {
   uint8_t domain;       /* V_TESS_* */
   uint8_t partitioning; /* V_PART_* */
   uint8_t topology;     /* V_OUTPUT_* */
   float min, max;       /* VGT_HOS_MIN_TESS_LEVEL, VGT_HOS_MAX_TESS_LEVEL */
};

/* LS, HS and the tessellator. Patches run in threadgroups; each has a part of the ring of factors and, for HS's
 * other outputs, a buffer of the off-chip ring, until its domain points are done. */
struct amd_tess_state {
   bool enabled;
   struct amd_tess_config config;
   uint8_t patches; /* of a threadgroup */
   uint8_t in_vertices, out_vertices;
   uint8_t ls_vgpr_comp_cnt;
   uint8_t parts; /* of both rings, one for each shader engine; sizes below are of a part */
   struct sim_va factors;
   uint32_t factors_B;
   uint32_t offchip_buffers, offchip_buffer_B;
};

struct amd_clip_state {
   bool dx_space, zclip_near, zclip_far, clip_disable, kill;
   uint8_t subpixel_bits, snap_log2;         /* of vertices (sim/raster/setup.h) */
   int32_t low_px[2], high_px[2];            /* where vertices may lie; beyond, primitives are clipped */
   bool xy_divided, z_divided, w_is_inverse; /* positions of vertices */
   bool planes_cull;                         /* clip planes drop what is outside whole, and cut nothing */
   uint8_t plane_mask;                       /* of planes[]: registers; they take places of the shader's distances */
   float planes[AMD_CLIP_PLANES][4];
   bool no_perspective; /* attributes are linear on the screen */
   bool cull_front, cull_back, cw_is_front, provoking_last;
   uint8_t fill_front, fill_back; /* V_X_DRAW_* */
   bool bias_front, bias_back, bias_other, bias_float;
   float bias_unit, bias_clamp, bias_scale[2], bias_offset[2];        /* [0] front, [1] back */
   float point_width, point_height, point_min, point_max, line_width; /* px */
   float pixel_center;                                                /* added to screen positions */
   bool square_ends;                                                  /* lines are rectangles, whatever the samples */
};

struct amd_stipple_state {
   bool enable;
   bool each_primitive; /* each one starts the pattern anew; else each strip does, or */
   bool continues;      /* nothing does: it continues from draw to draw */
   uint32_t first_px;   /* of the pattern, repeated, where the draw continues */
   bool msb_first;
   bool whole_px; /* a line uses whole pixels of the pattern */
   bool along;    /* lengths are those of the lines, not of their longer axis */
   uint16_t pattern, repeat;
};

/* Bit i of `rule`: pixels that lie in the rectangles with bits in i. */
struct amd_clip_rects {
   bool enable;
   uint16_t rule;
   struct amd_rect rect[4];
};

/* Conservative rasterisation of triangles. */
enum amd_estimate {
   AMD_ESTIMATE_NONE,
   AMD_ESTIMATE_OVER,  /* pixels that a triangle touches */
   AMD_ESTIMATE_UNDER, /* pixels that are wholly inside */
};

struct amd_sample_state {
   uint8_t log2; /* of the sample count */
   enum amd_estimate estimate;
   bool inner_input;  /* shaders see the inner coverage */
   bool tested_input; /* shaders see the coverage that the depth test has left */
   bool folded;       /* overrasterisation: shaders see the samples' coverage, surfaces have all of theirs or none */
   uint8_t surface_samples; /* of folded ones; 0: there is no surface */
   struct sim_raster_samples positions;
   bool placed;                        /* samples lie where registers say, the only one of a pixel too */
   bool by_pixel;                      /* positions differ between the pixels of a quad: those of pixel (0,0); all: */
   struct sim_raster_samples pixel[4]; /* (0,0) (1,0) (0,1) (1,1) */
   uint8_t centroid_order[AMD_MAX_SAMPLES];
   uint8_t mask[4];    /* of pixel (0,0) (1,0) (0,1) (1,1) of a quad */
   uint8_t iterations; /* pixel shader runs per pixel */
};

struct amd_stencil_face {
   uint8_t func, fail, zpass, zfail, ref, mask, write_mask, op_value;
};

struct amd_depth_state {
   bool z_enable, z_write, stencil_enable, bounds_enable;
   bool z_format_float, has_z, has_stencil;
   uint8_t z_bits; /* 16, 24 or 32 */
   uint8_t zfunc;
   float bounds_min, bounds_max;
   struct amd_stencil_face face[2]; /* front, back */
   bool any;                        /* there is a surface that is tested or written */
   bool early;                      /* the whole test runs before the shader */
   bool early_reject;               /* a failed depth test can drop samples before the shader, the test is late */
   bool late_kill, z_export, stencil_export, mask_export, coverage_export, alpha_to_mask;
   float alpha_offset[4]; /* samples; of pixel (0,0) (1,0) (0,1) (1,1) */
   bool viewport_clamp;
   bool clear_z, clear_stencil; /* DB_RENDER_CONTROL clears */
   float clear_z_value;
   uint8_t clear_stencil_value;
   bool count_samples;
   uint32_t first_slice, last_slice;
   struct amd_htile_state htile;
   struct amd_surface z, stencil;
   uint8_t *z_host, *stencil_host;
   struct amd_note_page *z_written, *stencil_written;
   uint8_t *z_outside, *stencil_outside; /* see amd_note_outside() */
   uint64_t z_run_B, stencil_run_B;
};

/* Codes of the hardware differ by generation. */
enum amd_blend_factor {
   AMD_FACTOR_ZERO,
   AMD_FACTOR_ONE,
   AMD_FACTOR_SRC_COLOR,
   AMD_FACTOR_ONE_MINUS_SRC_COLOR,
   AMD_FACTOR_SRC_ALPHA,
   AMD_FACTOR_ONE_MINUS_SRC_ALPHA,
   AMD_FACTOR_DST_ALPHA,
   AMD_FACTOR_ONE_MINUS_DST_ALPHA,
   AMD_FACTOR_DST_COLOR,
   AMD_FACTOR_ONE_MINUS_DST_COLOR,
   AMD_FACTOR_SRC_ALPHA_SATURATE,
   AMD_FACTOR_CONSTANT_COLOR,
   AMD_FACTOR_ONE_MINUS_CONSTANT_COLOR,
   AMD_FACTOR_CONSTANT_ALPHA,
   AMD_FACTOR_ONE_MINUS_CONSTANT_ALPHA,
   AMD_FACTOR_SRC1_COLOR,
   AMD_FACTOR_ONE_MINUS_SRC1_COLOR,
   AMD_FACTOR_SRC1_ALPHA,
   AMD_FACTOR_ONE_MINUS_SRC1_ALPHA,
   AMD_FACTOR_UNKNOWN,
};

struct amd_blend_state {
   bool enable, separate_alpha;
   uint8_t src[2], dst[2]; /* enum amd_blend_factor; [0] colour, [1] alpha */
   uint8_t func[2];
};

struct amd_target_state {
   bool enable;
   uint8_t write_mask; /* of R G B A */
   /* The number of the export that the target takes: exports are counted without holes, in the order of the
    * targets with bits in CB_SHADER_MASK. Observed: RADV compacts them so. */
   uint8_t export;
   uint8_t export_format; /* of that export, V_SPI_SHADER_* */
   uint8_t component[4];  /* memory component i holds R G B A number component[i] */
   uint8_t samples_log2;
   bool reads_target, blend_clamp, force_alpha_one;
   struct sim_texel_format format;
   struct amd_blend_state blend;
   uint8_t logic; /* low nibble of ROP3, 12: copy */
   uint32_t first_slice, last_slice;
   struct amd_surface surface;
   uint8_t *host;
   uint64_t run_B;
   struct amd_note_page *written; /* by the draw; NULL: nobody asks */
   uint8_t *outside;              /* see amd_note_outside() */
   struct amd_color_meta meta;
};

struct amd_color_state {
   uint8_t mode;    /* V_CB_* */
   bool decompress; /* a mode that only spells out what metadata stands for */
   enum amd_gen gen;
   bool dual_source;
   uint8_t source_samples_log2; /* mode RESOLVE: of target 0 */
   float constant[4];
   struct amd_target_state target[AMD_MAX_TARGETS];
   unsigned count; /* highest enabled target + 1 */
};

static inline unsigned
amd_target_samples(const struct amd_target_state *t)
{
   return 1u << t->samples_log2;
}

/* Colours that a pixel brings: of the targets, or two for the first; one where there is no target. */
static inline unsigned
amd_color_sources(const struct amd_color_state *color)
{
   unsigned least = color->dual_source ? 2 : 1;
   return color->count > least ? color->count : least;
}

struct amd_pixel_state {
   bool enabled;      /* there is a shader to run */
   bool exec_on_noop; /* it runs even if nobody takes its results */
   uint32_t input_ena, input_addr;
   uint8_t interp_count; /* the last prim_interp_count of them are of whole primitives */
   uint8_t prim_interp_count;
   uint8_t attr_count; /* interp_count, and one that the rasteriser makes */
   uint32_t input_cntl[AMD_MAX_PARAMS];
   uint8_t pos_location; /* 0 centre, 1 centroid, 2 sample */
   bool front_face_all_bits, point_sprite, sprite_top_1;
   bool first_vertex_sgpr; /* an argument tells where in each quad's primitive its first vertex has gone */
   bool takes_sprites;     /* an input is where in a point a pixel lies */
   uint8_t sprite[4];
   uint8_t z_format;
   uint32_t col_format;  /* SPI_SHADER_COL_FORMAT */
   uint32_t export_mask; /* MRTs whose export format is not ZERO */
};

/* Registers of a draw that say how overlap works. */
struct amd_pops_state {
   bool enable;                       /* DB_SHADER_CONTROL.PRIMITIVE_ORDERED_PIXEL_SHADER */
   uint8_t samples_log2;              /* POPS_OVERLAP_NUM_SAMPLES */
   uint8_t unseen;                    /* samples that do not count: bits of a pixel's */
   bool rsrc_wave_id, rsrc_intrawave; /* SPI_SHADER_PGM_RSRC2_PS: which SGPRs are loaded */
   bool pa_wave_id, pa_intrawave;     /* PA_SC_SHADER_CONTROL: which of them are computed */
   const char *lost;                  /* why waves run unordered, or NULL */
};

struct amd_draw_state {
   struct amd_shader_state shaders[AMD_STAGES];
   uint32_t scratch_waves, scratch_wave_B;
   struct sim_va scratch; /* where waves do not get it in user data */
   struct amd_geometry_state geometry;
   struct amd_ngg_state ngg;
   struct amd_tess_state tess;
   struct amd_gs_state gs;
   struct amd_strmout_state strmout;
   struct amd_clip_state clip;
   struct amd_stipple_state stipple;
   struct amd_clip_rects clip_rects;
   struct amd_viewport viewports[AMD_MAX_VIEWPORTS];
   unsigned viewport_count;
   struct amd_sample_state samples;
   struct amd_depth_state depth;
   struct amd_color_state color;
   struct amd_pixel_state pixel;
   struct amd_pops_state pops;
   struct amd_shading_rate_state rate;
   struct sim_va border;
   bool reference; /* amd_gpu.reference */
};

struct amd_targets;

/* False after a fault. state: zero, or of another draw. */
bool amd_draw_state_decode(struct amd_draw_state *state, const struct amd_gpu *gpu, struct amd_targets *targets);

/* Samples that surfaces have. */
static inline unsigned
amd_surface_samples(const struct amd_sample_state *s)
{
   return !s->folded ? s->positions.count : s->surface_samples ? s->surface_samples : 1;
}

/* Factors of a patch that the hardware reads, vertices of a primitive that the tessellator makes: 1, 2 or 3. */
unsigned amd_tess_factor_count(unsigned domain);
unsigned amd_tess_prim_vertices(unsigned topology);
/* Bytes of factors of a threadgroup; where in their rings a threadgroup of a launch has its factors and its off-chip
 * buffer. */
uint32_t amd_tess_group_factors_B(const struct amd_tess_state *tess);
uint32_t amd_tess_factors_at_B(const struct amd_tess_state *tess, uint32_t group);
uint32_t amd_tess_offchip_at_B(const struct amd_tess_state *tess, uint32_t group);

#endif
