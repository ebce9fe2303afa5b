/* The stream of draws: vertex state, and the USC lists of both stages. */
#include <string.h>

#include "gallium/drivers/asahi/agx_context.h"
#include "gallium/drivers/asahi/program/agx_program.h"

/* The address of what fragments count in. */
static char *
push_counter(const struct agx_context *ctx, char *usc)
{
   agx_usc_uniform_high_pack(usc, &(struct agx_usc_uniform_high){.start = AGX_COUNTER_UNIFORM - 256,
                                                                 .size = 4,
                                                                 .buffer = ctx->statistics.address_va});
   return usc + AGX_USC_UNIFORM_HIGH_SIZE_B;
}

uint32_t
agx_encode_usc(struct agx_context *ctx, const struct agx_program *program, enum agx_hw_stage stage)
{
   const struct agx_stage_code *code = &program->stages[stage].code;
   bool counts = agx_counts_fragments(ctx, code);
   uint32_t offset_B, body_B = code->usc_B - code->usc_end_B;
   char *usc = agx_usc_alloc(ctx,
                             (code->arguments.push_count + counts) * AGX_USC_UNIFORM_SIZE_B + code->usc_B +
                                AGX_USC_FRAGMENT_PROPERTIES_SIZE_B + AGX_USC_TEXTURE_SIZE_B,
                             64, &offset_B);

   if (stage == AGX_HW_FRAGMENT && program->graphics->tile.num_spilled) {
      agx_usc_texture_pack(usc, &(struct agx_usc_texture){.count = 2 * program->graphics->tile.num_spilled,
                                                          .buffer = ctx->graphics.framebuffer.spilled_va});
      usc += AGX_USC_TEXTURE_SIZE_B;
   }
   usc = agx_usc_push(&ctx->tables[PIPE_BIND_GRAPHICS], &code->arguments, usc);
   if (counts)
      usc = push_counter(ctx, usc);
   memcpy(usc, code->usc, body_B);
   usc += body_B;
   if (counts)
      agx_usc_shader_of(usc - AGX_USC_REGISTERS_SIZE_B - AGX_USC_SHADER_SIZE_B, AGX_PROGRAM_FRAGMENT,
                        code->counter_B);
   if (stage == AGX_HW_FRAGMENT) {
      memcpy(usc, &program->graphics->fragment_properties, AGX_USC_FRAGMENT_PROPERTIES_SIZE_B);
      usc += AGX_USC_FRAGMENT_PROPERTIES_SIZE_B;
   }
   memcpy(usc, code->usc + body_B, code->usc_end_B);
   return offset_B;
}

static uint32_t
restart_index(const struct agx_context *ctx)
{
   return UINT32_MAX >> (32 - (8u << ctx->graphics.index_buffer.size_log2));
}

static char *
put(char *out, uint32_t word)
{
   memcpy(out, &word, 4);
   return out + 4;
}

void
agx_encode_vertex_state(struct agx_context *ctx)
{
   const struct agx_program *program = ctx->programs[PIPE_BIND_GRAPHICS];
   struct agx_vdm_state state = {
      .restart_index_present = ctx->graphics.gfx->primitive_restart,
      .vertex_shader_word_0_present = true,
      .vertex_shader_word_1_present = true,
      .vertex_outputs_present = true,
      .vertex_unknown_present = true,
   };
   struct agx_vdm_vertex_shader_1 shader = {.pipeline = agx_encode_usc(ctx, program, AGX_HW_VERTEX)};
   uint32_t word, discard = ctx->graphics.gfx->discard ? 1u << 4 | 1u << 5 : 0;

   agx_cs_reserve(&ctx->vdm, 32);
   char *start = ctx->vdm.cur, *out = start;

   agx_vdm_state_pack(out, &state);
   out += AGX_VDM_STATE_SIZE_B;
   if (ctx->graphics.gfx->primitive_restart)
      out = put(out, restart_index(ctx));
   out = put(out, program->stages[AGX_HW_VERTEX].code.counts);
   agx_vdm_vertex_shader_1_pack(&word, &shader);
   out = put(out, word);
   out = put(out, program->graphics->vertex_outputs);
   out = put(out, program->graphics->vertex_unknown | discard);
   if ((out - start) % 8)
      out = put(out, 0);
   ctx->vdm.cur = out;
}

void
agx_encode_ppp_state(struct agx_context *ctx, uint64_t va, unsigned size_dw)
{
   agx_cs_reserve(&ctx->vdm, AGX_VDM_PPP_STATE_SIZE_B);
   agx_vdm_ppp_state_pack(ctx->vdm.cur, &(struct agx_vdm_ppp_state){.pointer_hi = (uint32_t)(va >> 32),
                                                                    .pointer_lo = (uint32_t)va,
                                                                    .size_dw = size_dw});
   ctx->vdm.cur += AGX_VDM_PPP_STATE_SIZE_B;
}

/* Lists that earlier streams had at the same places must be forgotten. */
void
agx_encode_start(struct agx_context *ctx)
{
   agx_cs_reserve(&ctx->vdm, AGX_VDM_BARRIER_SIZE_B);
   agx_vdm_barrier_pack(ctx->vdm.cur, &(struct agx_vdm_barrier){.usc_cache_inval = true});
   ctx->vdm.cur += AGX_VDM_BARRIER_SIZE_B;
}
