/* Vertex shaders in the next-generation pipeline (NGG): a wave has threads of primitives (GS) and of vertices (ES),
 * numbered from its first lane on; those of a subgroup of waves know each other by these numbers.
 *
 *    first wave: a message that asks for room, where GE does not make it unasked
 *    GS threads: export of the primitive, which arrives as the export wants it (PRIMGEN_PASSTHRU)
 *    ES threads: the shader; parameters, positions
 *
 * A geometry shader's waves do so only with what it has emitted: vertices and primitives in LDS then, by the threads
 * from the first one on.
 *
 * The number of a primitive goes through LDS to the vertex that provokes it. Parameters that are no exports are
 * stored to the attribute ring: a V# of 16-byte elements, 32 records side by side; the last export of a position
 * says that they are there. Sources: RDNA 1, 2 and 3 ISA; arguments and order as public drivers have them (radeonsi,
 * RADV). */
#include "amd/compiler/aco_select.h"
#include "amd/hw/descriptors.h"

enum { MSG_GS_ALLOC_REQ = 9, TARGET_PRIM = 20, RING_UNIT_LOG2 = 9, PARAM_B = 16 };
enum { SUBGROUP_INFO = 2 /* SGPR */ };

#define FIELD(first, bits) (uint32_t)((first) | (bits) << 16) /* as s_bfe_u32 takes it */

/* For all that the subgroup has: vertices M0[10:0], primitives M0[22:12]. */
static void
ask_for_room(struct isel *c)
{
   struct aco_operand vertices =
      isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, isel_system_sgpr(c, SUBGROUP_INFO), k(FIELD(12, 9)));
   struct aco_operand primitives =
      isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, isel_system_sgpr(c, SUBGROUP_INFO), k(FIELD(22, 9)));
   primitives = isel_s2(c, AMD_OP_s_lshl_b32, ACO_S1, primitives, k(12));
   struct aco_instr *room = isel_emit(c, AMD_OP_s_or_b32, 1, 2);
   room->ops[0] = primitives;
   room->ops[1] = vertices;
   isel_fixed_result(room, AMD_M0);
   struct aco_instr *message = isel_emit(c, AMD_OP_s_sendmsg, 0, 0);
   message->simm16 = MSG_GS_ALLOC_REQ;
   message->side_effects = true;
}

/* The wave branches, all of its lanes: no export comes before the message. */
static void
first_wave_asks(struct isel *c)
{
   isel_s2(c, AMD_OP_s_and_b32, ACO_S1, isel_system_sgpr(c, 3), k(0xfu << 24)); /* its number */
   isel_use_scc(c);
   isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
   struct aco_block *head = c->block, *sides[2];
   head->term = ACO_TERM_SCC1;
   for (unsigned i = 0; i < 2; i++) {
      c->block = sides[i] = aco_block_create(c->program);
      aco_link_linear(c->program, head, c->block);
      aco_link_logical(c->program, head, c->block);
      if (i == 0)
         ask_for_room(c);
      isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
      c->block->term = ACO_TERM_JUMP;
   }
   c->block = aco_block_create(c->program);
   for (unsigned i = 0; i < 2; i++) {
      aco_link_linear(c->program, sides[i], c->block);
      aco_link_logical(c->program, sides[i], c->block);
   }
}

/* Until the returned block gets its other successor. */
struct aco_block *
isel_begin_lanes(struct isel *c, struct aco_operand mask)
{
   struct aco_block *head = c->block;
   isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
   isel_set_exec(c, mask);
   head->term = ACO_TERM_EXECZ;
   c->block = aco_block_create(c->program);
   aco_link_linear(c->program, head, c->block);
   aco_link_logical(c->program, head, c->block);
   return head;
}

void
isel_end_lanes(struct isel *c, struct aco_block *head)
{
   struct aco_block *last = c->block, *skip = aco_block_create(c->program);
   isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
   last->term = skip->term = ACO_TERM_JUMP;
   aco_link_linear(c->program, head, skip);
   c->block = aco_block_create(c->program);
   aco_link_linear(c->program, last, c->block);
   aco_link_linear(c->program, skip, c->block);
   aco_link_logical(c->program, head, c->block);
   aco_link_logical(c->program, last, c->block);
}

static void
give_primitive_id(struct isel *c, struct aco_operand primitive)
{
   const uint8_t sgpr = c->options->vs.provoking_shift;
   struct aco_operand shift = sgpr ? aco_op_temp(c->program, c->user_sgpr[sgpr]) : k(0);
   struct aco_operand vertex = isel_v3(c, AMD_OP_v_bfe_u32, ACO_V1, primitive, shift, k(9));
   struct aco_operand address = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, k(2), vertex);
   struct aco_instr *write = isel_emit(c, AMD_OP_ds_write_b32, 0, 3);
   write->ops[0] = address;
   write->ops[1] = aco_op_temp(c->program, c->primitive_id);
   write->side_effects = true;
   c->program->lds_B = MAX2(c->program->lds_B, 4 * ACO_NGG_MAX_VERTICES);
}

/* From the threads of primitives to those of vertices. An evaluation shader's vertices have their patch's. */
static bool
passes_primitive_id(const struct isel *c)
{
   return c->options->vs.export_primitive_id && c->nir->stage == NIR_STAGE_VERTEX;
}

static void
take_primitive_id(struct isel *c)
{
   struct aco_operand address = isel_v2(c, AMD_OP_v_lshlrev_b32, ACO_V1, k(2), isel_thread(c));
   struct aco_instr *read = isel_emit(c, AMD_OP_ds_read_b32, 1, 3);
   read->ops[0] = address;
   read->defs[0] = (struct aco_def){.temp = aco_temp(c->program, ACO_V1), .rc = ACO_V1};
   c->primitive_id = read->defs[0].temp;
}

static void
await_group(struct isel *c)
{
   isel_emit(c, AMD_OP_s_waitcnt, 0, 0)->side_effects = true;
   isel_emit(c, AMD_OP_s_barrier, 0, 0)->side_effects = true;
}

void
isel_export_primitive(struct isel *c, struct aco_operand word)
{
   struct aco_instr *export = isel_emit(c, AMD_OP_exp, 0, 4);
   export->ops[0] = isel_as_v(c, word, 1);
   export->exp_target = TARGET_PRIM;
   export->exp_en = 1;
   export->exp_done = export->side_effects = true;
}

void
isel_start_ngg(struct isel *c)
{
   /* What spills is stored after this: lanes that the wave started with may not be all of either kind. Public
    * drivers do not count on these either. */
   isel_set_exec(c, k(UINT32_MAX));
   if (c->program->target->ngg_launch_barrier)
      isel_emit(c, AMD_OP_s_barrier, 0, 0)->side_effects = true;
   if (c->program->target->ngg_asks)
      first_wave_asks(c);
   struct aco_operand primitive = aco_op_temp(c->program, c->ngg.primitive), vertices = isel_threads(c, 0);
   struct aco_block *head = isel_begin_lanes(c, isel_threads(c, 8));
   if (passes_primitive_id(c))
      give_primitive_id(c, primitive);
   isel_export_primitive(c, primitive);
   isel_end_lanes(c, head);
   if (passes_primitive_id(c))
      await_group(c);
   if (c->options->vs.xfb_buffers)
      isel_set_exec(c, k(UINT32_MAX));
   else
      c->ngg.head = isel_begin_lanes(c, vertices);
   if (passes_primitive_id(c))
      take_primitive_id(c);
}

struct aco_operand
isel_lanes_below(struct isel *c, struct aco_operand count)
{
   return isel_v2(c, AMD_OP_v_cmp_gt_u32, c->program->lm, count, isel_thread(c));
}

/* Threads of the vertices that a geometry shader may emit. */
static struct aco_operand
emitted_lanes(struct isel *c)
{
   struct aco_operand count =
      isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, isel_system_sgpr(c, SUBGROUP_INFO), k(FIELD(12, 9)));
   return isel_lanes_below(c, count);
}

/* Those of the wave, or none: the engine has made room for exports of no other stream. */
static struct aco_operand
first_stream_lanes(struct isel *c)
{
   struct aco_operand config = aco_op_temp(c->program, c->user_sgpr[c->args->num_user_sgprs]);
   isel_scmp(c, AMD_OP_s_cmp_eq_u32, isel_s2(c, AMD_OP_s_bfe_u32, ACO_S1, config, k(FIELD(24, 2))), k(0));
   return isel_scc_select(c, c->program->lm, isel_exec(c), k(0));
}

void
isel_start_exports(struct isel *c)
{
   if (c->program->exports_emitted)
      c->ngg.head = isel_begin_lanes(c, emitted_lanes(c));
   else if (c->options->vs.exports_first_stream)
      c->ngg.head = isel_begin_lanes(c, first_stream_lanes(c));
   else if (c->program->hw == ACO_HW_GS && c->options->vs.xfb_buffers)
      c->ngg.head = isel_begin_lanes(c, isel_threads(c, 0));
}

void
isel_end_exports(struct isel *c)
{
   c->block = aco_block_create(c->program);
   aco_link_linear(c->program, c->ngg.head, c->block);
   isel_emit(c, ACO_P_LOGICAL_END, 0, 0);
   isel_emit(c, AMD_OP_s_endpgm, 0, 0);
   c->block->term = ACO_TERM_END;
}

/* ---- the attribute ring ---- */

static struct aco_operand
ring_descriptor(struct isel *c, unsigned params)
{
   const struct aco_program *program = c->program;
   unsigned at = c->args->attribute_ring;
   struct aco_operand hi =
      isel_s2(c, AMD_OP_s_or_b32, ACO_S1, aco_op_temp(program, c->user_sgpr[at + 1]),
              k(S_SQ_BUF_RSRC_WORD1_STRIDE(params * PARAM_B) | S_SQ_BUF_RSRC_WORD1_SWIZZLE_ENABLE(program->gen, 3)));
   struct aco_operand parts[4] = {
      aco_op_temp(program, c->user_sgpr[at]), hi, k(UINT32_MAX),
      k(S_SQ_BUF_RSRC_WORD3_DST_SEL_X(V_SQ_SEL_X) | S_SQ_BUF_RSRC_WORD3_DST_SEL_Y(V_SQ_SEL_Y) |
        S_SQ_BUF_RSRC_WORD3_DST_SEL_Z(V_SQ_SEL_Z) | S_SQ_BUF_RSRC_WORD3_DST_SEL_W(V_SQ_SEL_W) |
        S_SQ_BUF_RSRC_WORD3_FORMAT(program->gen, V_GFX10_FORMAT_32_FLOAT) | S_SQ_BUF_RSRC_WORD3_INDEX_STRIDE(2))};
   return isel_vector(c, ACO_S4, 4, parts);
}

void
isel_store_params(struct isel *c, unsigned first, unsigned count, const uint8_t *slots)
{
   if (!count)
      return;
   if (c->args->attribute_ring == ACO_NO_REG) {
      aco_fail(c->program, "there are parameters, but the driver passes no attribute ring");
      return;
   }
   struct aco_operand ring = ring_descriptor(c, c->out->vs.num_params), index = isel_thread(c);
   struct aco_operand offset = isel_s2(c, AMD_OP_s_and_b32, ACO_S1, isel_system_sgpr(c, 5), k(0x7fff));
   offset = isel_s2(c, AMD_OP_s_lshl_b32, ACO_S1, offset, k(RING_UNIT_LOG2));
   for (unsigned i = 0; i < count; i++) {
      struct aco_operand values[4];
      for (unsigned n = 0; n < 4; n++) {
         const struct aco_operand *from = &c->outputs[slots[i]].comp[n];
         values[n] = from->kind == ACO_OP_NONE ? k(0) : *from;
      }
      struct aco_operand data = isel_vector(c, aco_rc_v(4), 4, values);
      struct aco_instr *store = isel_emit(c, AMD_OP_buffer_store_dwordx4, 0, 4);
      store->ops[0] = index;
      store->ops[1] = ring;
      store->ops[2] = offset;
      store->ops[3] = data;
      store->idxen = store->side_effects = true;
      store->offset = (int32_t)((first + i) * PARAM_B);
      isel_set_coherence(c, store, NIR_ACCESS_COHERENT, false);
   }
   struct aco_instr *wait = isel_emit(c, AMD_OP_s_waitcnt_vscnt, 0, 1);
   wait->ops[0] = aco_op_fixed(AMD_NULL);
   wait->side_effects = true;
}
