/* A recorder: bound state, what of it the command stream does not know yet, and the stream. */
#ifndef INDIUM_SI_CONTEXT_H
#define INDIUM_SI_CONTEXT_H

#include "gallium/auxiliary/aux_upload.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "gallium/drivers/radeonsi/cs/si_cs.h"
#include "gallium/drivers/radeonsi/resource/si_resource.h"
#include "gallium/drivers/radeonsi/si_screen.h"
#include "gallium/include/pipe/p_context.h"

struct si_program;

/* Pieces of state that are emitted together before a draw when they changed. In order of emission. */
enum si_atom {
   SI_ATOM_FRAMEBUFFER,
   SI_ATOM_PROGRAM,
   SI_ATOM_BLEND,
   SI_ATOM_BLEND_EQUATION,
   SI_ATOM_COLOR_CONTROL,
   SI_ATOM_BLEND_CONSTANTS,
   SI_ATOM_DEPTH_STENCIL,
   SI_ATOM_STENCIL_REFERENCE,
   SI_ATOM_DEPTH_BIAS,
   SI_ATOM_DEPTH_BOUNDS,
   SI_ATOM_RASTERIZER,
   SI_ATOM_MSAA,
   SI_ATOM_ORDER,
   SI_ATOM_SHADING_RATE,
   SI_ATOM_VIEWPORTS,
   SI_ATOM_SCISSORS,
   SI_ATOM_TOPOLOGY,
   SI_ATOM_LINE_WIDTH,
   SI_ATOM_OCCLUSION,
   SI_ATOM_INDEX_TYPE,
   SI_ATOM_VERTEX_BUFFERS,
   SI_ATOM_DESCRIPTORS,
   SI_ATOM_PUSH_CONSTANTS,
   SI_ATOM_SCRATCH,
   SI_ATOM_PROVOKING,
   SI_ATOM_DISCARD_RECTANGLES,
   SI_ATOM_XFB,
   SI_ATOM_TESSELLATION,
   SI_ATOM_COUNT,
};
#define SI_ALL_ATOMS ((1u << SI_ATOM_COUNT) - 1)

/* Descriptors of one bind point. */
struct si_descriptors {
   uint32_t sets[PIPE_MAX_SETS];    /* low halves of the addresses */
   uint32_t bound_sets, dirty_sets; /* bit per set */
   uint32_t reported_sets;          /* the log has said that they are not bound */
   uint32_t num_dynamic;
   uint32_t dynamic[PIPE_MAX_DYNAMIC_BUFFERS][AC_BUFFER_DESCRIPTOR_DW];
   bool dynamic_dirty;
   bool push_dirty;
};

struct si_framebuffer {
   uint32_t width_px, height_px, x, y, layers;
   uint32_t num_colors;
   const struct si_image_view *colors[PIPE_MAX_COLOR_TARGETS];
   const struct si_image_view *depth_stencil;
   const struct si_image_view *rates; /* an image of the scan converter's */
   uint64_t htile_va;                 /* rates; 0: none */
   struct si_depth_target no_depth;   /* htile_va: what stands for a depth target that is not there */
   /* Also known of an inherited rendering, whose targets are not: */
   bool inherited;
   bool has_depth, has_stencil;
   uint32_t color_mask;                            /* 4 bits a target that is there */
   uint32_t depth_offset_format;                   /* PA_SU_POLY_OFFSET_DB_FMT_CNTL */
   uint8_t export_formats[PIPE_MAX_COLOR_TARGETS]; /* of an inherited rendering, for clears */
   uint8_t samples;
};

/* What draws use besides the program and what it reads. A clear borrows the context and gives it back whole. */
struct si_graphics_state {
   const struct pipe_graphics_state *gfx;
   struct {
      uint64_t va;
      uint32_t size_B;
   } vertex_buffers[PIPE_MAX_VERTEX_BUFFERS];
   struct {
      uint64_t va, size_B;
      uint8_t size_log2;
   } index_buffer;
   uint8_t order_need[PIPE_MAX_COLOR_TARGETS]; /* si_order_target_need(), as SI_ATOM_BLEND was emitted */

   struct si_framebuffer framebuffer;
   bool is_clear; /* an internal draw, of one primitive */
};

/* What was worked out of a target's blending. */
struct si_blend_memo {
   uint32_t equation;
   uint32_t rest;    /* write mask, whether it is blended, logic operation, format; 0: no memo */
   uint32_t control; /* CB_BLEND0_CONTROL */
   uint8_t need;     /* si_order_target_need() */
};

#define SI_BLEND_MEMOS 16
#define SI_ORDER_MEMOS 64

struct si_context {
   struct pipe_context base;
   struct si_screen *screen;
   enum amdgpu_ws_ring ring; /* of the queues that it will be submitted to */
   struct si_cs cs, task_cs; /* task_cs: for a compute ring (si_draw_task.c) */
   struct aux_upload upload; /* tables, constants */
   struct si_blend_memo blend_memos[SI_BLEND_MEMOS];
   struct si_order_memo {
      uint64_t tests, stencil; /* keys and the answer (si_order_draw.c); 0: none */
   } order_memos[SI_ORDER_MEMOS];

   /* From here on reset_state() sets zeros. */
   uint32_t dirty; /* bit per enum si_atom */

   /* What the stream has set last; draws compare with it. */
   uint32_t last_instances; /* UINT32_MAX: unknown */
   uint32_t last_scan_mode; /* PA_SC_MODE_CNTL_1; 0: unknown */
   struct si_last_blend {
      bool known;
      unsigned num_colors;
      uint32_t rest; /* of what the memo of the one target is found by; 0: unknown, no target or more */
      uint32_t controls[PIPE_MAX_COLOR_TARGETS];
   } last_blend;
   struct si_last_color_control {
      bool known;
      uint32_t alpha_to_mask, color_control, target_mask;
   } last_color_control;
   uint32_t last_base_vertex, last_base_instance;
   uint32_t draw_id; /* of direct draws */
   struct {
      bool started;        /* task_cs has something */
      bool behind_barrier; /* which the next tasks wait for */
      uint64_t words_va;
      uint32_t ready, done;
      uint64_t condition_va; /* of conditional rendering; 0: none */
      bool condition_inverted;
   } tasks;
   enum pipe_line_mode last_line_mode;
   bool draw_parameters_known;

   struct si_program *programs[PIPE_BIND_POINTS];
   struct si_descriptors descriptors[PIPE_BIND_POINTS];
   uint32_t push_constants[PIPE_MAX_PUSH_CONSTANT_B / 4];
   uint32_t push_constants_B; /* how much of it was set */
   bool compute_program_dirty;
   uint64_t sdma_temporary_va;    /* of transfer queues; 0: none yet */
   uint32_t queue_scratch_wave_B; /* compute rings: what the queue must have for what was recorded */

   struct {
      struct {
         uint64_t va;
         uint32_t size_B;
      } buffers[PIPE_MAX_XFB_BUFFERS];
      uint32_t bound; /* bit per buffer */
      bool active;
   } xfb;
   bool own_restart_index; /* the stream has set another one than its head */
   bool has_tess_rings;    /* the stream has set them */
   enum si_vertex_front_end { SI_FRONT_END_UNKNOWN, SI_FRONT_END_LEGACY, SI_FRONT_END_NGG } front_end;
   struct si_graphics_state state;
   struct pipe_rendering rendering; /* as begun, for the resolves at its end */
   bool in_rendering;
   bool secondary;              /* its packets are copied into primaries */
   unsigned occlusion_queries;  /* running */
   bool precise_occlusion;      /* one of them is precise */
   unsigned query_stream;       /* of the next begin or end */
   unsigned generated_queries;  /* of primitives, running */
   unsigned statistics_queries; /* running, or possibly running around a secondary */
   bool dma_busy;               /* a copy by the command processor may still run */
   uint32_t predicate;          /* bits of the headers of draws and dispatches: there is a condition, or may be one */
   uint64_t condition_va;       /* compute rings: the word that decides on dispatches; 0: none */
   bool condition_inverted;     /* they run if it is 0 */
   bool condition_inherited;    /* compute rings: whoever executes this secondary may have a condition */

   uint64_t fence_va; /* dword that flushes count up */
   uint32_t fence_value;
   bool failed; /* memory ran out while recording */
};
PIPE_HANDLE(si, context)

static inline void
si_mark_dirty(struct si_context *ctx, enum si_atom atom)
{
   ctx->dirty |= 1u << atom;
}

/* Room for size_dw dwords, at *va; contents are undefined. Never NULL: when out of memory the room is in the chunk of
 * the stream's tail and end() reports it. alignment_dw: a power of two. */
static inline uint32_t *
si_upload_alloc(struct si_context *ctx, unsigned size_dw, unsigned alignment_dw, uint64_t *va)
{
   return aux_upload_alloc(&ctx->upload, 4 * size_dw, 4 * alignment_dw, va, &ctx->failed);
}

/* Forgets what user SGPRs hold. */
void si_forget_user_data(struct si_context *ctx, enum pipe_bind_point point);

/* Forgets what the stream has set, after meta operations or other people's packets. */
void si_forget_state(struct si_context *ctx);

/* Before the end of the stream, or others' streams: erratum ngg-legacy-vgt-flush. */
void si_leave_front_end(struct si_context *ctx);
/* Back to the restart index of the head of streams, which secondaries and the next stream expect. */
void si_leave_restart_index(struct si_context *ctx);

/* Emits what is dirty; a graphics program is bound. */
void si_emit_dirty(struct si_context *ctx);
/* The same if there is a program with its sets; false if not. */
bool si_emit_draw_state(struct si_context *ctx);
/* The same of the compute program. */
bool si_emit_dispatch_state(struct si_context *ctx);
struct si_program;
/* In front of a packet of tasks (si_condition.c). */
void si_emit_task_condition(struct si_context *ctx, struct si_cs *cs, uint32_t packet_dw);
/* The tasks of a secondary, whose copies they are, run by the condition of who executes it. */
void si_pass_task_condition(const struct si_context *ctx, uint32_t *packets, unsigned count_dw);
/* All descriptors of draws and the push constants, for another program and stream. */
void si_emit_task_descriptors(struct si_context *ctx, struct si_cs *cs, const struct si_program *program);
void si_draw_meshes_indirect(struct si_context *ctx, const struct pipe_indirect_draws *draws);

/* The emit functions of the atoms; each reserves its room. */
void si_emit_framebuffer(struct si_context *ctx);
void si_emit_program(struct si_context *ctx);
void si_emit_blend(struct si_context *ctx);
void si_emit_blend_equation(struct si_context *ctx);
void si_emit_color_control(struct si_context *ctx);
void si_emit_blend_constants(struct si_context *ctx);
void si_emit_depth_stencil(struct si_context *ctx);
void si_emit_stencil_reference(struct si_context *ctx);
void si_emit_depth_bias(struct si_context *ctx);
void si_emit_depth_bounds(struct si_context *ctx);
void si_emit_rasterizer(struct si_context *ctx);
void si_emit_msaa(struct si_context *ctx);
void si_emit_order(struct si_context *ctx);
void si_emit_shading_rate(struct si_context *ctx);
void si_emit_rate_image(struct si_context *ctx); /* with the framebuffer */
void si_emit_viewports(struct si_context *ctx);
void si_emit_scissors(struct si_context *ctx);
void si_emit_discard_rectangles(struct si_context *ctx);
void si_emit_topology(struct si_context *ctx);
void si_emit_primitive_groups(struct si_context *ctx, bool byte_count); /* GFX9; in 3 reserved dwords */
void si_emit_primitive_type(struct si_context *ctx, uint32_t type);     /* VGT_PRIMITIVE_TYPE; in 6 reserved dwords */
enum pipe_topology si_raster_topology(const struct si_context *ctx);    /* of the last stage before the rasterizer */
enum pipe_line_mode si_line_mode(const struct si_context *ctx);         /* default where no lines are drawn */
unsigned si_raster_samples(const struct si_context *ctx);               /* samples of a pixel, at least 1 */
uint32_t si_render_override(bool clamps_depth);                         /* DB_RENDER_OVERRIDE */
void si_emit_xfb(struct si_context *ctx);
void si_emit_tessellation(struct si_context *ctx);
void si_emit_provoking(struct si_context *ctx);
void si_emit_line_width(struct si_context *ctx);
void si_emit_occlusion(struct si_context *ctx);
void si_emit_index_type(struct si_context *ctx);
void si_emit_vertex_buffers(struct si_context *ctx);
/* The V#s of the program's attributes. */
void si_fill_vertex_table(const struct si_context *ctx, uint32_t *words);
void si_emit_descriptors(struct si_context *ctx);
void si_emit_push_constants(struct si_context *ctx);
void si_emit_scratch(struct si_context *ctx);

/* Logs one line if there is a set in the mask that no line named yet. False. */
bool si_report_unbound(struct si_context *ctx, enum pipe_bind_point point, uint32_t sets);

/* The user SGPRs of dispatches. */
void si_emit_compute_descriptors(struct si_context *ctx);

/* The rendering that a secondary will run in (si_rendering.c). */
void si_inherit_rendering(struct si_context *ctx, const struct pipe_inheritance *inheritance);

/* The shading rates of the rendering that the framebuffer has just been set to (si_shading_rate.c). */
void si_set_rates(struct si_context *ctx, const struct si_image_view *view);

/* Copies by the command processor (si_dma.c). */
void si_wait_dma(struct si_context *ctx); /* until all are done */
void si_dma_copy(struct si_context *ctx, uint64_t dst_va, uint64_t src_va, uint64_t size_B);
void si_dma_fill(struct si_context *ctx, uint64_t dst_va, uint64_t size_B, uint32_t value);
void si_write_data(struct si_context *ctx, uint64_t va, const uint32_t *words, unsigned count_dw);
/* By the engine that loads registers, ahead of earlier draws. Graphics rings. */
void si_write_ahead(struct si_context *ctx, uint64_t va, const uint32_t *words, unsigned count_dw);

/* Conditions of draws and dispatches (si_condition.c): in a secondary; for the copied packets of one; in front of a
 * dispatch's packet. */
void si_inherit_condition(struct si_context *ctx);
void si_pass_condition(const struct si_context *ctx, const struct si_context *secondary, uint32_t *packets,
                       unsigned count_dw);
void si_emit_condition(struct si_context *ctx, uint32_t packet_dw);

/* Each fills in the functions of its file. */
void si_init_state(struct si_context *ctx);
void si_init_draw(struct si_context *ctx);
void si_init_draw_mesh(struct si_context *ctx);
void si_init_condition(struct si_context *ctx);
void si_init_compute(struct si_context *ctx);
void si_init_descriptors(struct si_context *ctx);
void si_init_vertex(struct si_context *ctx);
void si_init_rendering(struct si_context *ctx);
void si_init_barrier(struct si_context *ctx);
void si_init_query(struct si_context *ctx);
void si_init_xfb(struct si_context *ctx);
void si_init_meta(struct si_context *ctx);
void si_init_generate(struct si_context *ctx);

#endif
