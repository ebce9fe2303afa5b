/* State of draws, which puts together the words of PPP records that changed (agx_encode_ppp.c). */
#ifndef INDIUM_AGX_STATE_H
#define INDIUM_AGX_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "asahi/hw/records.h"
#include "compiler/nir/nir_shader_info.h"
#include "gallium/auxiliary/aux_code.h"
#include "gallium/drivers/asahi/assembly/agx_assembly.h"
#include "gallium/drivers/asahi/base/agx_abi.h"
#include "gallium/drivers/asahi/draw/agx_stage.h"
#include "gallium/drivers/asahi/base/agx_tile.h"
#include "gallium/include/pipe/p_context.h"
#include "gallium/include/pipe/p_handle.h"

struct agx_context;
struct drm_asahi_cmd_render;
struct agx_image_view;
struct agx_program;
struct agx_screen;

#define AGX_STAGE_WORDS (AGX_GRAPHICS_FIRST_FREE + 12)

/* Dirty state. The first are the bits of a PPP header: words that the next record must have. */
enum agx_atom {
   AGX_ATOM_FRAGMENT_CONTROL = 0,
   AGX_ATOM_FRAGMENT_CONTROL_2 = 1,
   AGX_ATOM_FRONT_FACE = 2,
   AGX_ATOM_FRONT_FACE_2 = 3,
   AGX_ATOM_FRONT_STENCIL = 4,
   AGX_ATOM_BACK_FACE = 5,
   AGX_ATOM_BACK_FACE_2 = 6,
   AGX_ATOM_BACK_STENCIL = 7,
   AGX_ATOM_DEPTH_BIAS_SCISSOR = 8,
   AGX_ATOM_REGION_CLIP = 10,
   AGX_ATOM_VIEWPORT = 11,
   AGX_ATOM_W_CLAMP = 16,
   AGX_ATOM_OUTPUT_SELECT = 17,
   AGX_ATOM_VARYING_COUNTS_32 = 18,
   AGX_ATOM_VARYING_COUNTS_16 = 19,
   AGX_ATOM_CULL = 21,
   AGX_ATOM_CULL_2 = 22,
   AGX_ATOM_FRAGMENT_SHADER = 23,
   AGX_ATOM_OCCLUSION_QUERY = 24,
   AGX_ATOM_OCCLUSION_QUERY_2 = 25,
   AGX_ATOM_OUTPUT_UNKNOWN = 26,
   AGX_ATOM_OUTPUT_SIZE = 27,
   AGX_ATOM_VARYING_2 = 28,
   /* Not of PPP: */
   AGX_ATOM_PROGRAM = 9,        /* another program, zero in headers: all of AGX_PROGRAM_ATOMS */
   AGX_ATOM_VERTEX_SHADER = 29, /* VDM_STATE */
   AGX_ATOM_VERTEX_TABLE = 30,  /* AGX_TABLE_VERTEX */
   AGX_ATOM_STAGE_TABLE = 31,   /* AGX_TABLE_STAGE */
};

#define AGX_BIT(atom) (1u << AGX_ATOM_##atom)
#define AGX_PPP_ATOMS ((AGX_BIT(VERTEX_SHADER) - 1) & ~AGX_BIT(PROGRAM))
#define AGX_FACE_ATOMS (AGX_BIT(FRONT_FACE) | AGX_BIT(BACK_FACE))
#define AGX_STENCIL_ATOMS (AGX_BIT(FRONT_STENCIL) | AGX_BIT(BACK_STENCIL))
/* Scissors depend on viewports, and the arrays that their records name are the render's. */
#define AGX_VIEWPORT_ATOMS (AGX_BIT(DEPTH_BIAS_SCISSOR) | AGX_BIT(REGION_CLIP) | AGX_BIT(VIEWPORT))
/* What somebody has to say at least once in a render. */
#define AGX_ALL_ATOMS                                                                                                \
   (0xffu | AGX_VIEWPORT_ATOMS | AGX_BIT(W_CLAMP) | AGX_BIT(OUTPUT_SELECT) | AGX_BIT(VARYING_COUNTS_32) |            \
    AGX_BIT(VARYING_COUNTS_16) | AGX_BIT(CULL) | AGX_BIT(CULL_2) | AGX_BIT(FRAGMENT_SHADER) |                        \
    AGX_BIT(OCCLUSION_QUERY) | AGX_BIT(OCCLUSION_QUERY_2) | AGX_BIT(OUTPUT_UNKNOWN) | AGX_BIT(OUTPUT_SIZE) |         \
    AGX_BIT(VARYING_2) | AGX_BIT(VERTEX_SHADER) | AGX_BIT(VERTEX_TABLE) | AGX_BIT(STAGE_TABLE))

/* A vertex attribute as the fetch needs it. */
struct agx_attribute {
   uint8_t binding, element_B;
   uint32_t offset_B;
};

/* Tessellation; corners 0: there is none. */
struct agx_program_tess {
   uint32_t corners;  /* of primitives that it makes */
   uint32_t vertices; /* of patches that the control shader makes: its workgroup */
   uint32_t patch_B;  /* in memory */
   uint32_t point_B;  /* outputs of the evaluation shader as compute; 0: it is the draw's vertex shader */
   uint8_t domain, spacing, winding; /* enum nir_tess_* */
};

/* A geometry shader; corners 0: there is none. */
struct agx_program_geometry {
   uint32_t corners; /* of primitives that it makes */
   uint32_t emitted_B, invocations, max_vertices, max_primitives, streams;
};

/* Shaders that run as compute ahead of a draw; corners 0: only for transform feedback, if at all. */
struct agx_program_ahead {
   uint32_t corners;  /* of primitives that are drawn */
   uint32_t vertex_B; /* outputs of the vertex shader */
   uint32_t num_captured;
   struct agx_captured_output captured[2 * NIR_XFB_MAX_OUTPUTS]; /* of four components two runs at most */
};

/* What a draw takes of its program besides the stages' code. */
struct agx_graphics_program {
   unsigned num_attributes;
   struct agx_attribute attributes[PIPE_MAX_VERTEX_ATTRIBUTES];
   /* Words that are ready, or OR-ed with those of the state. */
   uint32_t control_2; /* FRAGMENT_CONTROL_2 */
   uint32_t face_2;    /* FRONT_FACE_2, BACK_FACE_2 */
   uint32_t output_select, varying_counts_32, varying_counts_16, output_size;
   uint32_t cull, cull_2; /* the provoking vertex; whether primitives are numbered */
   uint32_t vertex_outputs, vertex_unknown;
   uint32_t fragment_properties; /* USC_FRAGMENT_PROPERTIES */
   struct aux_code cf_bindings;
   uint32_t cf_bindings_count;
   struct aux_code link; /* AGX_TABLE_LINK; of stages that were compiled separately */
   struct agx_tile_layout tile;
   uint8_t xfb_buffers; /* bit per buffer that AGX_HW_COMPUTE captures to */
   uint8_t xfb_streams[NIR_XFB_BUFFERS];
   uint16_t xfb_stride_B[NIR_XFB_BUFFERS];
   struct agx_program_ahead ahead;
   struct agx_program_tess tess;
   struct agx_program_geometry geometry;
};

/* Of the targets that draws go to, what secondaries know of them too. */
struct agx_framebuffer {
   bool inherited, has_depth, has_stencil;
   bool empty;       /* no targets: programs say how many samples there are, */
   bool has_samples; /* and one has */
   uint32_t width_px, height_px, layers;
   struct agx_tile_layout tile;
   uint64_t spilled_va; /* texture states of the targets that are not in the tile */
   uint32_t formats[PIPE_MAX_COLOR_TARGETS];
   uint32_t depth_format;
};

/* Of an empty one. */
static inline void
agx_set_samples(struct agx_framebuffer *fb, const struct agx_tile_layout *tile)
{
   fb->tile = *tile;
   fb->has_samples = true;
}

/* An array of a render: grows in uploaded memory, so that its place is known when the render ends. */
struct agx_array {
   char *map;
   uint64_t va;
   uint32_t count, max;
};

/* A query that ended in a render: after that, values go to its slot. */
struct agx_ended_query {
   uint64_t slot_va, values_va;
   bool adds;    /* statistics: all of them, to those that are there; else the one of occlusion */
   bool is_last; /* then the slot's are complete */
};

/* A render that is being recorded. */
struct agx_render {
   bool open;
   struct pipe_rendering info;
   struct agx_array scissors, biases, queries;
   uint64_t heap_va; /* of agx_assembly_heap(); 0: no draw has asked */
   uint32_t heap_B;
   uint64_t heap_used_B;   /* by draws whose need is known */
   uint32_t scissor, bias; /* entries that draws use */
   bool bias_dirty;
   bool writes_depth, writes_stencil; /* its draws */
   bool has_positions;                /* samples lie as its draws say: */
   uint32_t positions;
   const struct agx_scratch *scratch[AGX_HW_STAGES]; /* the largest that its programs need */
};

struct agx_graphics_state {
   const struct pipe_graphics_state *gfx;
   struct {
      uint64_t va;
      uint32_t size_B;
   } vertex_buffers[PIPE_MAX_VERTEX_BUFFERS];
   struct agx_index_buffer {
      uint64_t va, size_B;
      uint8_t size_log2;
      bool pads; /* indirect draws may read past its end, where indices are 0 */
   } index_buffer;
   uint32_t stage_words[AGX_STAGE_WORDS]; /* AGX_TABLE_STAGE */
   uint32_t draw_words[2];                /* AGX_TABLE_DRAW, as it lies in memory */
   bool draw_words_known;
   uint32_t index_list;      /* VDM_INDEX_LIST of draws without indices, and what all have in common */
   uint32_t occlusion_query; /* OCCLUSION_QUERY */
   uint32_t counter;         /* of the query that runs */
   bool inherits_query;      /* a secondary: the primary's may run, it is said when that executes it */
   enum agx_visibility_mode visibility;

   struct agx_framebuffer framebuffer;
   struct agx_render render;
};

/* Room for a VDM_STATE and a VDM_PPP_STATE. */
#define AGX_PROGRAM_COMMANDS_B 40

/* What changes when what shaders read changes, and when the program does. */
#define AGX_ARGUMENT_ATOMS (AGX_BIT(VERTEX_SHADER) | AGX_BIT(FRAGMENT_SHADER))
#define AGX_PROGRAM_ATOMS                                                                                            \
   (AGX_ARGUMENT_ATOMS | AGX_BIT(FRAGMENT_CONTROL_2) | AGX_BIT(FRONT_FACE_2) | AGX_BIT(BACK_FACE_2) |                \
    AGX_BIT(OUTPUT_SELECT) | AGX_BIT(VARYING_COUNTS_32) | AGX_BIT(VARYING_COUNTS_16) | AGX_BIT(CULL) |               \
    AGX_BIT(CULL_2) | AGX_BIT(OUTPUT_SIZE) | AGX_BIT(VERTEX_TABLE))

/* Words of AGX_TABLE_STAGE that internal draws have. */
enum agx_clear_word {
   AGX_CLEAR_RECT = AGX_GRAPHICS_FIRST_FREE, /* x0, y0, x1, y1 in clip space */
   AGX_CLEAR_DEPTH = AGX_CLEAR_RECT + 4,
   AGX_CLEAR_LAYER,
   AGX_CLEAR_COLOR = AGX_CLEAR_RECT + 8,
};

/* Each emit function writes its word, or words, of a PPP record and returns the end (agx_encode_ppp.c). */
char *agx_emit_region_clips(struct agx_context *ctx, char *out);
char *agx_emit_viewports(struct agx_context *ctx, char *out);
unsigned agx_viewport_count(const struct agx_context *ctx);

/* The entries of the render's arrays that the state asks for (agx_viewport.c). */
void agx_prepare_scissors(struct agx_context *ctx);
void agx_prepare_bias(struct agx_context *ctx);

/* Whether programs make the vertices of draws: for tessellation, geometry shaders and topologies with adjacency. */
void agx_find_way(struct agx_context *ctx);

/* Of draws from now on; also in their state. */
void agx_set_topology(struct agx_context *ctx, enum pipe_topology topology);

/* Room for `count` more elements; NULL when the array is full. */
void *agx_array_append(struct agx_context *ctx, struct agx_array *array, unsigned element_B, unsigned count);

/* A PPP record with these words (agx_atom bits) in the VDM stream. */
void agx_encode_ppp(struct agx_context *ctx, uint32_t atoms);

/* VDM (agx_encode_vdm.c): a VDM_STATE with the vertex program; a PPP record that lies there; what streams begin with.
 */
void agx_encode_vertex_state(struct agx_context *ctx);
void agx_encode_ppp_state(struct agx_context *ctx, uint64_t va, unsigned size_dw);
void agx_encode_start(struct agx_context *ctx);

/* The USC list of a stage for the tables as they are; from the USC base on. */
uint32_t agx_encode_usc(struct agx_context *ctx, const struct agx_program *program, enum agx_hw_stage stage);

/* AGX_TABLE_VERTEX (agx_vertex.c). */
void agx_upload_vertex_table(struct agx_context *ctx);

/* The rendering that a secondary will run in. */
void agx_inherit_rendering(struct agx_context *ctx, const struct pipe_inheritance *inheritance);

/* Ends the render command and begins another one with what it left: a barrier inside of a rendering. */
void agx_render_split(struct agx_context *ctx);

/* Copies what a secondary computes ahead of the draws of a segment; of one outside of a rendering that is all. */
void agx_execute_segment(struct agx_context *ctx, const struct agx_context *secondary, uint32_t number);

/* Copies a secondary's draws into the rendering, and the segments after the first one (agx_execute.c). */
void agx_execute_draws(struct agx_context *ctx, const struct agx_context *secondary);

/* Counters of occlusion queries (agx_occlusion.c): one heap for the screen, as a render command has one base. */
bool agx_occlusion_init(struct agx_screen *screen);
void agx_occlusion_finish(struct agx_screen *screen);
/* In place of the query that a secondary does not know: the first counter, which nobody reads. A secondary counts
 * there; commands that are copied from it get the counter that is meant as their base. */
void agx_occlusion_inherit(struct agx_context *ctx);
uint64_t agx_occlusion_base(const struct agx_context *ctx); /* of a render that ends now */
void agx_occlusion_give(const struct agx_context *ctx, struct drm_asahi_cmd_render *command);
void agx_occlusion_begin(struct agx_context *ctx);
uint64_t agx_occlusion_end(struct agx_context *ctx); /* where the samples have been counted */

/* Each fills in the functions of its file. */
void agx_init_state(struct agx_context *ctx);
void agx_init_vertex(struct agx_context *ctx);
void agx_init_draw(struct agx_context *ctx);
void agx_init_rendering(struct agx_context *ctx);
void agx_init_clear(struct agx_context *ctx);
void agx_init_transfer(struct agx_context *ctx);

#endif
