/* Emission of the legacy pipeline: vertices go to the GSVS ring in memory, messages tell the geometry engine of them,
 * and it starts a copy shader for those that make primitives.
 *
 * A wave has a part of the ring, in which 16 lanes have their dwords side by side: first component 0 of all the
 * vertices that a lane may emit, then component 1, and so on; streams follow each other. The engine counts on the
 * lanes and vertices; the order of components is between the two shaders.
 * Sources: radeonsi and RADV (descriptors of the ring, VGT_GSVS_RING_ITEMSIZE); LLVM AMDGPU (s_sendmsg). */
#include "amd/common/ac_descriptor.h"
#include "amd/hw/descriptors.h"
#include "compiler/nir/nir_cf.h"
#include "compiler/nir/nir_passes.h"
#include "gallium/drivers/radeonsi/shader/si_nir_geometry.h"
#include "gallium/drivers/radeonsi/si_abi.h"
#include "util/macros.h"

enum { WAVE_LANES = 64, ROW_LANES = 16, ROW_B = 4 * ROW_LANES };
enum { RING_OFFSET_SGPR = 2, WAVE_INFO_SGPR = 3 };
enum { MSG_GS = 2, MSG_GS_DONE = 3, GS_CUT = 1 << 4, GS_EMIT = 2 << 4, GS_STREAM_SHIFT = 8 };

struct lowering {
   struct nir_builder b;
   const struct si_gs_layout *layout;
   struct nir_def *wave_id, *ring;
   struct nir_def *begin_B[NIR_XFB_STREAMS];    /* of the lane's first vertex */
   struct nir_variable *count[NIR_XFB_STREAMS]; /* of vertices so far */
};

struct nir_def *
si_gsvs_ring(struct nir_builder *b, const struct si_nir_options *options)
{
   struct nir_def *words[AC_BUFFER_DESCRIPTOR_DW] = {
      nir_load_scalar_arg(b, 1, .base = SI_SGPR_GS_GSVS_RING),
      nir_imm_int(b, (int32_t)S_SQ_BUF_RSRC_WORD1_BASE_ADDRESS_HI(options->address32_hi)),
      nir_imm_int(b, -1),
      nir_imm_int(b, (int32_t)options->buffer_word3),
   };

   return nir_vec(b, words, AC_BUFFER_DESCRIPTOR_DW);
}

uint32_t
si_gsvs_component_B(const struct si_gs_layout *layout, unsigned n)
{
   return n * layout->max_vertices * ROW_B;
}

/* Items of no dwords are nothing that public drivers have: vertices that only count have one that nobody writes. */
uint32_t
si_gs_vertex_dw(const struct si_gs_layout *layout, unsigned stream)
{
   return layout->streams[stream].emitted ? MAX2(layout->streams[stream].vertex_dw, 1u) : 0;
}

/* Of the dwords of all vertices of a lane. */
static uint32_t
stream_dw(const struct si_gs_layout *layout, unsigned stream)
{
   return si_gs_vertex_dw(layout, stream) * layout->max_vertices;
}

uint32_t
si_gs_stream_offset_dw(const struct si_gs_layout *layout, unsigned stream)
{
   uint32_t offset_dw = 0;

   for (unsigned s = 0; s < stream; s++)
      offset_dw += stream_dw(layout, s);
   return offset_dw;
}

static void
start(struct lowering *l, const struct si_nir_options *options)
{
   struct nir_builder *b = &l->b;
   struct nir_def *lane = nir_load_subgroup_invocation(b), *info, *wave_B, *row;

   info = nir_load_system_sgpr_amd(b, .base = WAVE_INFO_SGPR);
   wave_B = nir_load_system_sgpr_amd(b, .base = RING_OFFSET_SGPR);
   l->wave_id = nir_iand_imm(b, nir_ushr_imm(b, info, 16), 0xff);
   l->ring = si_gsvs_ring(b, options);
   row = nir_ushr_imm(b, lane, 4);
   for (unsigned s = 0; s < NIR_XFB_STREAMS; s++) {
      if (!l->layout->streams[s].emitted)
         continue;
      struct nir_def *at = nir_iadd_imm(b, wave_B, 4 * WAVE_LANES * si_gs_stream_offset_dw(l->layout, s));

      at = nir_iadd(b, at, nir_imul_imm(b, row, ROW_B * stream_dw(l->layout, s)));
      l->begin_B[s] = nir_iadd(b, at, nir_imul_imm(b, nir_iand_imm(b, lane, ROW_LANES - 1), 4));
      l->count[s] =
         nir_variable_create(b->shader, NIR_VAR_FUNCTION_TEMP, nir_type_vector(NIR_TYPE_UINT, 32, 1), "emitted");
      nir_store_var(b, l->count[s], nir_imm_int(b, 0), 1);
   }
}

static void
store_vertex(struct lowering *l, const struct si_emission *emission, unsigned stream, struct nir_def *number)
{
   struct nir_builder *b = &l->b;
   const struct si_gs_stream *layout = &l->layout->streams[stream];
   struct nir_def *at = nir_iadd(b, l->begin_B[stream], nir_imul_imm(b, number, ROW_B));

   for (unsigned slot = 0; slot < NIR_SLOT_COUNT; slot++) {
      unsigned component = layout->first[slot];

      for (unsigned n = 0; n < 4; n++) {
         if (!(layout->components[slot] >> n & 1))
            continue;
         const uint32_t place_B = si_gsvs_component_B(l->layout, component++);

         if (emission->values[slot][n])
            nir_store_ssbo(b, emission->values[slot][n], l->ring, nir_iadd_imm(b, at, place_B), .write_mask = 1,
                           .align_mul = 4, .access = NIR_ACCESS_COHERENT | NIR_ACCESS_NON_READABLE);
      }
   }
}

/* More vertices than the shader has declared are dropped: the ring has no room for them. */
static void
lower_emission(struct lowering *l, const struct si_emission *emission)
{
   struct nir_builder *b = &l->b;
   const unsigned stream = nir_intrinsic_stream(emission->emit);

   b->cursor = nir_before_instr(&emission->emit->instr);
   if (l->count[stream]) {
      struct nir_def *number = nir_load_var(b, l->count[stream]);
      struct nir_if *nif = nir_push_if(b, nir_ult(b, number, nir_imm_int(b, l->layout->max_vertices)));

      store_vertex(l, emission, stream, number);
      nir_store_var(b, l->count[stream], nir_iadd_imm(b, number, 1), 1);
      nir_send_message_amd(b, l->wave_id, .base = (int32_t)(MSG_GS | GS_EMIT | stream << GS_STREAM_SHIFT));
      nir_pop_if(b, nif);
   }
   nir_instr_remove(&emission->emit->instr);
}

static void
lower_cuts(struct lowering *l)
{
   nir_foreach_block(block, l->b.shader) {
      nir_foreach_instr_safe(instr, block) {
         struct nir_intrinsic_instr *cut = instr->type == NIR_INSTR_INTRINSIC ? nir_as_intrinsic(instr) : NULL;

         if (!cut || cut->op != NIR_INTRINSIC_end_primitive)
            continue;
         const unsigned stream = nir_intrinsic_stream(cut);

         l->b.cursor = nir_before_instr(instr);
         if (l->count[stream])
            nir_send_message_amd(&l->b, l->wave_id, .base = (int32_t)(MSG_GS | GS_CUT | stream << GS_STREAM_SHIFT));
         nir_instr_remove(instr);
      }
   }
}

void
si_nir_emit_to_ring(struct nir_shader *shader, const struct si_nir_options *options)
{
   struct lowering l = {.layout = options->gs_layout};
   unsigned count;
   const struct si_emission *emissions = si_nir_find_emissions(shader, &count);

   si_gs_lay_out(options->gs_layout, shader, emissions, count);
   l.b = nir_builder_at(shader, nir_before_block(nir_first_block(shader)));
   start(&l, options);
   for (unsigned i = 0; i < count; i++)
      lower_emission(&l, &emissions[i]);
   lower_cuts(&l);
   l.b.cursor = nir_after_block(nir_cf_list_last(&shader->body));
   nir_send_message_amd(&l.b, l.wave_id, .base = MSG_GS_DONE);
   NIR_PASS(shader, nir_lower_vars_to_ssa);
}
