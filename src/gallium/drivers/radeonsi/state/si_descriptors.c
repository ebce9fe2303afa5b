/* Programs, descriptor sets, dynamic buffers and push constants: bound pointers that become user SGPRs. */
#include <assert.h>

#include "gallium/drivers/radeonsi/si_context.h"
#include "gallium/drivers/radeonsi/cs/si_mutant.h"
#include "gallium/drivers/radeonsi/shader/si_program.h"
#include "gallium/drivers/radeonsi/shader/si_task.h"
#include "util/log.h"
#include "util/macros.h"

static void
bind_program(struct pipe_context *pipe, enum pipe_bind_point point, struct pipe_program *handle)
{
   struct si_context *ctx = si_context(pipe);
   struct si_program *program = si_program(handle), *before = ctx->programs[point];

   if (before == program)
      return;
   ctx->programs[point] = program;
   if (point == PIPE_BIND_COMPUTE) {
      ctx->compute_program_dirty = true;
      return;
   }
   ctx->dirty |= si_mutate_atoms(SI_MUTANT_PROGRAM,
                                 1u << SI_ATOM_PROGRAM | 1u << SI_ATOM_COLOR_CONTROL | 1u << SI_ATOM_MSAA |
                                    1u << SI_ATOM_VERTEX_BUFFERS | 1u << SI_ATOM_SCRATCH | 1u << SI_ATOM_LINE_WIDTH |
                                    1u << SI_ATOM_SHADING_RATE | 1u << SI_ATOM_ORDER | 1u << SI_ATOM_PROVOKING |
                                    1u << SI_ATOM_XFB | 1u << SI_ATOM_TESSELLATION);
   if (before &&
       (before->made != program->made || before->mesh != program->mesh || before->tess.on || program->tess.on))
      ctx->dirty |= 1u << SI_ATOM_TOPOLOGY | 1u << SI_ATOM_RASTERIZER | 1u << SI_ATOM_VIEWPORTS;
   /* Other stages are other registers. */
   if (before && (before->hw_stages != program->hw_stages || before->mesh != program->mesh))
      si_forget_user_data(ctx, point);
}

static void
set_address(struct si_context *ctx, enum pipe_bind_point point, unsigned index, uint64_t va)
{
   struct si_descriptors *descriptors = &ctx->descriptors[point];

   if (va) {
      assert(va >> 32 == ctx->screen->info.address32_hi && "descriptor sets lie in the 32-bit range");
      descriptors->sets[index] = (uint32_t)va;
   }
   descriptors->bound_sets |= 1u << index;
   descriptors->dirty_sets |= 1u << index;
   if (point == PIPE_BIND_GRAPHICS)
      si_mark_dirty(ctx, SI_ATOM_DESCRIPTORS);
}

static void
bind_descriptor_set(struct pipe_context *pipe, enum pipe_bind_point point, unsigned index,
                    const struct pipe_descriptor_set *set, const struct pipe_dynamic_buffers *dynamic)
{
   struct si_context *ctx = si_context(pipe);
   struct si_descriptors *descriptors = &ctx->descriptors[point];

   set_address(ctx, point, index, set->buffer ? si_resource(set->buffer)->va + set->offset_B : set->va);
   for (unsigned i = 0; i < dynamic->count; i++) {
      const struct pipe_dynamic_buffer *buffer = &dynamic->buffers[i];
      uint32_t *words = descriptors->dynamic[dynamic->first + i];

      if (buffer->buffer)
         ac_buffer_descriptor(ctx->screen->info.raw_buffer_word3, si_resource(buffer->buffer)->va + buffer->offset_B,
                              (uint32_t)MIN2(buffer->size_B, UINT32_MAX), words);
      else
         memset(words, 0, 4 * AC_BUFFER_DESCRIPTOR_DW);
   }
   if (dynamic->count) {
      descriptors->num_dynamic = MAX2(descriptors->num_dynamic, dynamic->first + dynamic->count);
      descriptors->dynamic_dirty = true;
   }
}

static void
push_descriptor_set(struct pipe_context *pipe, enum pipe_bind_point point, unsigned index, const void *words,
                    uint32_t size_B)
{
   struct si_context *ctx = si_context(pipe);
   uint64_t va;

   memcpy(si_upload_alloc(ctx, MAX2(size_B / 4, 1), 16, &va), words, size_B);
   set_address(ctx, point, index, va);
}

static void
push_constants(struct pipe_context *pipe, uint32_t offset_B, uint32_t size_B, const void *data)
{
   struct si_context *ctx = si_context(pipe);

   memcpy((char *)ctx->push_constants + offset_B, data, size_B);
   ctx->push_constants_B = MAX2(ctx->push_constants_B, offset_B + size_B);
   for (unsigned i = 0; i < PIPE_BIND_POINTS; i++)
      ctx->descriptors[i].push_dirty = true;
   si_mark_dirty(ctx, SI_ATOM_PUSH_CONSTANTS);
}

bool
si_report_unbound(struct si_context *ctx, enum pipe_bind_point point, uint32_t sets)
{
   if (sets & ~ctx->descriptors[point].reported_sets)
      log_error("%s with a pipeline that reads descriptor set %d, where no set is bound: left out",
                point == PIPE_BIND_COMPUTE ? "a dispatch" : "a draw", __builtin_ctz(sets));
   ctx->descriptors[point].reported_sets |= sets;
   return false;
}

/* The same value in a user SGPR of all stages of a program: 3 dwords each. */
static void
emit_sgpr(struct si_cs *cs, const struct si_program *program, unsigned sgpr, uint32_t value)
{
   for (uint32_t stages = program->hw_stages; stages; stages &= stages - 1)
      si_cs_sh_reg(cs, program->user_data[__builtin_ctz(stages)] + 4 * sgpr, value);
}

static uint32_t
upload_dynamic(struct si_context *ctx, struct si_descriptors *descriptors)
{
   uint64_t va;
   unsigned dw = descriptors->num_dynamic * AC_BUFFER_DESCRIPTOR_DW;

   memcpy(si_upload_alloc(ctx, dw, 4, &va), descriptors->dynamic, dw * 4);
   descriptors->dynamic_dirty = false;
   return (uint32_t)va;
}

static uint32_t
upload_push_constants(struct si_context *ctx)
{
   uint64_t va;
   unsigned dw = (unsigned)div_round_up(ctx->push_constants_B, 4);

   memcpy(si_upload_alloc(ctx, MAX2(dw, 1), 4, &va), ctx->push_constants, dw * 4);
   return (uint32_t)va;
}

/* The table of the sets that have no SGPR, from set `first` on. */
static uint32_t
upload_more_sets(struct si_context *ctx, const struct si_descriptors *descriptors, unsigned first)
{
   uint64_t va;
   unsigned end = 32 - (unsigned)__builtin_clz(descriptors->bound_sets), dw = end - first;

   memcpy(si_upload_alloc(ctx, dw, 1, &va), &descriptors->sets[first], dw * 4);
   return (uint32_t)va;
}

static void
emit_sets(struct si_context *ctx, enum pipe_bind_point point)
{
   struct si_descriptors *descriptors = &ctx->descriptors[point];
   const struct si_program *program = ctx->programs[point];
   uint32_t sets = descriptors->dirty_sets & ((1u << SI_SGPR_SETS_COUNT) - 1);

   si_cs_reserve(&ctx->cs, 3 * ACO_HW_STAGES * (SI_SGPR_SETS_COUNT + 2));
   if (descriptors->dirty_sets >> SI_SGPR_SETS_COUNT)
      emit_sgpr(&ctx->cs, program, SI_SGPR_MORE_SETS, upload_more_sets(ctx, descriptors, SI_SGPR_SETS_COUNT));
   while (sets) {
      unsigned i = (unsigned)__builtin_ctz(sets);

      emit_sgpr(&ctx->cs, program, SI_SGPR_SETS + i, descriptors->sets[i]);
      sets &= sets - 1;
   }
   descriptors->dirty_sets = 0;
   if (descriptors->dynamic_dirty)
      emit_sgpr(&ctx->cs, program, SI_SGPR_DYNAMIC_BUFFERS, upload_dynamic(ctx, descriptors));
}

static void
emit_push_constants(struct si_context *ctx, enum pipe_bind_point point)
{
   struct si_descriptors *descriptors = &ctx->descriptors[point];

   if (!descriptors->push_dirty || !ctx->push_constants_B)
      return;
   descriptors->push_dirty = false;
   si_cs_reserve(&ctx->cs, 3 * ACO_HW_STAGES);
   emit_sgpr(&ctx->cs, ctx->programs[point], SI_SGPR_PUSH_CONSTANTS, upload_push_constants(ctx));
}

void
si_emit_descriptors(struct si_context *ctx)
{
   emit_sets(ctx, PIPE_BIND_GRAPHICS);
}

void
si_emit_push_constants(struct si_context *ctx)
{
   emit_push_constants(ctx, PIPE_BIND_GRAPHICS);
}

void
si_emit_compute_descriptors(struct si_context *ctx)
{
   emit_sets(ctx, PIPE_BIND_COMPUTE);
   emit_push_constants(ctx, PIPE_BIND_COMPUTE);
}

void
si_emit_task_descriptors(struct si_context *ctx, struct si_cs *cs, const struct si_program *program)
{
   struct si_descriptors *descriptors = &ctx->descriptors[PIPE_BIND_GRAPHICS];

   si_cs_reserve(cs, 3 * (SI_TASK_DIRECT_SETS + 3));
   if (descriptors->bound_sets >> SI_TASK_DIRECT_SETS)
      emit_sgpr(cs, program, SI_SGPR_MORE_SETS, upload_more_sets(ctx, descriptors, SI_TASK_DIRECT_SETS));
   for (unsigned i = 0; i < SI_TASK_DIRECT_SETS; i++) {
      if (descriptors->bound_sets >> i & 1)
         emit_sgpr(cs, program, SI_SGPR_SETS + i, descriptors->sets[i]);
   }
   if (descriptors->num_dynamic) {
      const bool dirty = descriptors->dynamic_dirty;

      emit_sgpr(cs, program, SI_SGPR_DYNAMIC_BUFFERS, upload_dynamic(ctx, descriptors));
      descriptors->dynamic_dirty = dirty;
   }
   if (ctx->push_constants_B)
      emit_sgpr(cs, program, SI_SGPR_PUSH_CONSTANTS, upload_push_constants(ctx));
}

void
si_init_descriptors(struct si_context *ctx)
{
   ctx->base.bind_program = bind_program;
   ctx->base.bind_descriptor_set = bind_descriptor_set;
   ctx->base.push_descriptor_set = push_descriptor_set;
   ctx->base.push_constants = push_constants;
}
