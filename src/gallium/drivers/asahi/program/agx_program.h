/* Linked programs: code in memory and what records say of it. */
#ifndef INDIUM_AGX_PROGRAM_H
#define INDIUM_AGX_PROGRAM_H

#include "asahi/compiler/agx.h"
#include "gallium/drivers/asahi/base/agx_abi.h"
#include "gallium/drivers/asahi/agx_context.h"

struct agx_shader_texts {
   char *nir, *machine_ir, *assembly; /* each from malloc(), or NULL */
};

/* Programs that records distinguish. */
enum agx_program_kind {
   AGX_PROGRAM_PLAIN, /* vertex and compute */
   AGX_PROGRAM_FRAGMENT,
   AGX_PROGRAM_TILE, /* at the begin and at the end of a tile */
   AGX_PROGRAM_KINDS,
};

/* The code of a stage, in memory. */
struct agx_stage_code {
   struct aux_code memory;      /* code, preamble and constants */
   uint32_t code_B, preamble_B; /* offsets from the USC base; preamble_B 0: none */
   uint32_t counter_B;          /* likewise: where fragments begin that count themselves; 0: they cannot */
   bool per_sample;             /* fragments: the body is a loop over samples */
   uint32_t group_waves;        /* simd-groups of a workgroup; 0 for other stages */
   struct agx_arguments arguments;
   const struct agx_scratch *scratch; /* NULL: needs none */
   /* Words of its USC list that are the same for every draw, after the UNIFORM words of the arguments: constants,
    * samplers, SHARED, SHADER, REGISTERS, and the record that ends the list. */
   char usc[256];
   uint16_t usc_B, usc_end_B; /* usc_end_B: of it, the record at the end (PRESHADER or NO_PRESHADER) */
#define AGX_COUNTS_UNIFORMS (7u << 1) /* 0: all of them */
   uint32_t counts; /* uniforms, textures, samplers, preshader registers: bits 0-15 of VDM_VERTEX_SHADER_0,
                     * CDM_LAUNCH, FRAGMENT_SHADER, COUNTS */
};

/* A hardware stage of a program. */
struct agx_program_stage {
   uint32_t shaders; /* bit per enum nir_stage */
   struct agx_stage_code code;
   struct pipe_shader_stats stats;
   struct agx_shader_texts texts;
   struct agx_shader *linked; /* agx_shader_separate.h: whose code and texts it has; NULL: they are its own */
};

struct agx_program {
   enum pipe_bind_point point;
   struct agx_program_stage stages[AGX_HW_STAGES]; /* without shaders: not there */
   uint32_t used_sets;                             /* bit per descriptor set */

   /* compute */
   uint32_t workgroup_size[3];

   struct agx_graphics_program *graphics; /* agx_state.h; NULL for compute */
   struct agx_saving *saving;             /* while it is created, if somebody wants it saved */
};
PIPE_HANDLE(agx, program)

/* Is every descriptor set bound that the program of the bind point reads? If not it must not run. */
static inline bool
agx_sets_are_bound(struct agx_context *ctx, enum pipe_bind_point point)
{
   uint32_t missing = ctx->programs[point]->used_sets & ~ctx->descriptors[point].bound_sets;

   return __builtin_expect(!missing, 1) || agx_report_unbound(ctx, point, missing);
}

/* Does the stage enter its program by the counter? Then it needs all uniforms. */
static inline bool
agx_counts_fragments(const struct agx_context *ctx, const struct agx_stage_code *code)
{
   return __builtin_expect(ctx->statistics.active, 0) && code->counter_B;
}

/* Lists of primitives of so many corners. */
static inline enum pipe_topology
agx_list_topology(uint32_t corners)
{
   return corners == 1 ? PIPE_POINT_LIST : corners == 2 ? PIPE_LINE_LIST : PIPE_TRIANGLE_LIST;
}

static inline bool
agx_has_neighbours(const struct agx_context *ctx)
{
   enum pipe_topology topology = ctx->graphics.gfx->topology;

   return topology >= PIPE_LINE_LIST_ADJACENCY && topology <= PIPE_TRIANGLE_STRIP_ADJACENCY;
}

/* What the bound program draws: lists of what shaders ahead make, or else the state's topology. */
static inline enum pipe_topology
agx_drawn_topology(const struct agx_context *ctx)
{
   const struct agx_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   uint32_t corners = program ? program->graphics->ahead.corners : 0;

   if (!corners && ctx->graphics.gfx->topology < PIPE_LINE_LIST_ADJACENCY)
      return ctx->graphics.gfx->topology;
   return agx_list_topology(corners ? corners : ctx->graphics.gfx->topology <= PIPE_LINE_STRIP_ADJACENCY ? 2 : 3);
}

/* How the driver compiles a shader (agx_shader.c). */
struct agx_shader_options {
   const struct pipe_pipeline_layout *layout; /* NULL: the arguments and descriptors are lowered already */
   bool dispatch_base;
   bool custom_borders; /* as of pipe_graphics_options */
   uint16_t reserved_h; /* agx_arguments */
   uint32_t max_workgroup_invocations, max_shared_B;
   struct agx_shader_texts *texts; /* filled if not NULL */
   struct agx_options agx;
};
struct agx_shader_options agx_shader_options(const struct agx_screen *screen,
                                             const struct pipe_pipeline_layout *layout);

/* The high word of the address from which zeros are read: AGX_NOWHERE_HI, or a page's where the kernel has no soft
 * faults. */
uint32_t agx_read_nowhere_hi(const struct agx_screen *screen);

/* Descriptor lowering, optimisation, arguments, agx_compile(). What depends on the stage (inputs, outputs) and
 * variables have been lowered before. False with *error in an arena. */
bool agx_shader_try_compile(struct arena *arena, struct nir_shader *nir, const struct agx_shader_options *options,
                            struct agx_arguments *arguments, struct agx_output *out, const char **error);

/* The same; false after logging one line. */
bool agx_shader_compile(struct arena *arena, struct nir_shader *nir, const struct agx_shader_options *options,
                        struct agx_arguments *arguments, struct agx_output *out);

/* The SHADER record of a list, which stands right before REGISTERS. */
void agx_usc_shader_of(char *usc, enum agx_program_kind kind, uint32_t code_B);

/* Uploads what agx_shader_compile() has made and fills in `code`. shared: the USC_SHARED word (of a tile layout or of
 * a workgroup). False when out of memory. aux_code_free(code->memory) takes it back. */
bool agx_stage_code_init(struct agx_screen *screen, struct agx_stage_code *code, enum agx_program_kind kind,
                         const struct agx_arguments *arguments, const struct agx_output *out, uint32_t shared);

/* The same for the stage of a program that runs a shader, whose statistics are added. */
bool agx_program_add_code(struct agx_screen *screen, struct agx_program *program, enum nir_stage stage,
                          const struct agx_arguments *arguments, const struct agx_output *out, uint32_t shared);

/* Fills *save, if it is wanted, with what agx_program_load makes the same program of; stages add themselves with
 * agx_program_add_code. Both false when out of memory. agx_saving_end() gives back all but *save. */
bool agx_saving_begin(struct agx_program *program, struct pipe_saved_program *save);
bool agx_saving_end(struct agx_program *program, bool succeeded);
bool agx_save_stage(const struct agx_program *program, enum nir_stage stage, const struct agx_arguments *arguments,
                    const struct agx_output *out, uint32_t shared);
enum pipe_result agx_program_load(struct pipe_screen *screen, const void *bytes, size_t size_B,
                                  struct pipe_program **program);

/* Takes that back. */
void agx_program_free_code(struct agx_screen *screen, struct agx_program_stage *stage);

enum pipe_result agx_graphics_program_create(struct pipe_screen *screen, struct nir_shader *const shaders[NIR_STAGES],
                                             const struct pipe_graphics_options *options,
                                             struct pipe_program **program);
void agx_graphics_program_finish(struct agx_screen *screen, struct agx_program *program); /* what only draws have */
uint32_t agx_shared_word(const struct agx_output *out);                                   /* USC_SHARED of compute */
enum pipe_result agx_compute_program_create(struct pipe_screen *screen, struct nir_shader *compute,
                                            const struct pipe_compute_options *options,
                                            struct pipe_program **program);

#endif
