/* Generated commands: a dispatch of generate.comp turns a stream of the application into packets, and the command
 * processor runs them from memory.
 *
 *    memory of the application:   packets of sequences 0, 1, ... | room for a jump | ... | data of sequences 0, 1,
 * ...
 *                                 '------------- a part, one buffer ------------'
 *
 * All sequences have packets of the same length, a copy of one template with holes; those beyond the count are a NOP.
 * On graphics rings the stream calls each part. Compute rings have no calls: the stream jumps, and the part jumps
 * back by a packet that the stream wrote into its room. Tasks (si_draw_task.c) have parts of their own. */
#ifndef INDIUM_SI_GENERATE_H
#define INDIUM_SI_GENERATE_H

#include "gallium/drivers/radeonsi/generate/si_generate_op.h"
#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/include/pipe/p_generated.h"

/* ---- the template (si_template.c) ---- */

#define SI_TEMPLATE_MAX_DW 1024
#define SI_GENERATED_ALIGN_DW 8u /* of buffers of packets. Source: amdgpu's ib_start_alignment, ib_size_alignment */
#define SI_TEMPLATE_MAX_OPS 256

struct si_template {
   struct si_template_size {
      uint32_t packets_dw, tasks_dw, data_dw;
   } size;
   uint32_t words[SI_TEMPLATE_MAX_DW]; /* packets, those of tasks, data */
   uint32_t num_ops;
   struct si_generate_op ops[SI_TEMPLATE_MAX_OPS];
};

/* The words that si_template_fill makes at most, and pads to. program: NULL: any. */
struct si_template_size si_template_size(const struct pipe_token_layout *layout, const struct si_program *program);

/* What the program of the context does with a sequence, by the state that is bound. False if nothing can run. */
bool si_template_fill(const struct si_context *ctx, const struct pipe_generated *info, struct si_template *template);

/* ---- execution sets (si_execution_set.c) ---- */

#define SI_ENTRY_PACKETS_DW 48

/* What a program of the set is to a sequence. */
struct si_set_entry {
   uint32_t packets[2][SI_ENTRY_PACKETS_DW]; /* on compute rings, on graphics rings: registers, then padding */
   uint32_t initiator;                       /* of its dispatches */
};

struct si_execution_set {
   struct amdgpu_ws_bo *bo;
   uint32_t count;
   uint32_t scratch_wave_B; /* the most that one has needed */
};
PIPE_HANDLE(si, execution_set)

void si_init_execution_set(struct si_screen *screen);

/* ---- the program (si_generate_program.c) ---- */

enum pipe_result si_generate_prepare(struct pipe_screen *screen);

#endif
